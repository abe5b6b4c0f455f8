// Creates a private certificate authority, and certificates for this machine and a client, by openssl.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificates {
  /** The authority's certificate, as PEM and as a file. */
  authority: string
  authorityFile: string
  certificateFile: string
  keyFile: string
  /** A client's certificate of the authority and its key, as PEM. */
  client: string
}

export const opensslMissing = (): string | null =>
  existsSync('/usr/bin/openssl') ? null : '/usr/bin/openssl is missing: apt-get install openssl'

/** Creates them in a directory, valid for two days; the server's with further extensions. */
export function makeCertificates(directory: string, extensions = ''): Certificates {
  const at = (name: string) => join(directory, name)
  const openssl = (...args: string[]) => execFileSync('/usr/bin/openssl', args, { stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const constraints = ['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign']
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    at('authority.key'),
    '-out',
    at('authority.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=Authority of the proof',
    ...constraints,
  )
  const issue = (name: string, subject: string, extensions: string) => {
    openssl('req', ...key, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', subject)
    writeFileSync(at('extensions'), `${extensions}\nbasicConstraints=CA:FALSE\n`)
    openssl(
      'x509',
      '-req',
      '-in',
      at(`${name}.csr`),
      '-CA',
      at('authority.pem'),
      '-CAkey',
      at('authority.key'),
      '-CAcreateserial',
      '-extfile',
      at('extensions'),
      '-days',
      '2',
      '-out',
      at(`${name}.pem`),
    )
  }
  issue('server', '/CN=localhost', `subjectAltName=DNS:localhost,IP:127.0.0.1\n${extensions}`)
  issue('client', '/CN=hooks.lend.example', 'extendedKeyUsage=clientAuth')
  const authorityFile = at('authority.pem')
  const authority = readFileSync(authorityFile, 'utf8')
  const client = ['client.pem', 'client.key'].map((name) => readFileSync(at(name), 'utf8')).join('')
  return { authority, authorityFile, client, certificateFile: at('server.pem'), keyFile: at('server.key') }
}
