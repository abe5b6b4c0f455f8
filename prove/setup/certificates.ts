// Creates a private certificate authority and a certificate for this machine, by openssl.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificates {
  /** The authority's certificate, as PEM and as a file. */
  authority: string
  authorityFile: string
  /** The certificate for `localhost` and 127.0.0.1. */
  certificateFile: string
  keyFile: string
}

export const opensslMissing = (): string | null =>
  existsSync('/usr/bin/openssl') ? null : '/usr/bin/openssl is missing: apt-get install openssl'

/** Creates both in a directory, valid for two days. */
export function makeCertificates(directory: string): Certificates {
  const at = (name: string) => join(directory, name)
  const openssl = (...args: string[]) => execFileSync('/usr/bin/openssl', args, { stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const constraints = ['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign']
  openssl(
    ...['req', '-x509', ...key, '-keyout', at('authority.key'), '-out', at('authority.pem'), '-days', '2'],
    ...['-subj', '/CN=Authority of the proof', ...constraints],
  )
  openssl('req', ...key, '-keyout', at('server.key'), '-out', at('server.csr'), '-subj', '/CN=localhost')
  writeFileSync(at('extensions'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n')
  openssl(
    ...['x509', '-req', '-in', at('server.csr'), '-CA', at('authority.pem'), '-CAkey', at('authority.key')],
    ...['-CAcreateserial', '-extfile', at('extensions'), '-days', '2', '-out', at('server.pem')],
  )
  const authorityFile = at('authority.pem')
  const authority = readFileSync(authorityFile, 'utf8')
  return { authority, authorityFile, certificateFile: at('server.pem'), keyFile: at('server.key') }
}
