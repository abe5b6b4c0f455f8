// The certificate that our calls present to a server that demands one (mutual TLS).
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { type Setting, secret } from '@lendloom/foundation/config'

export interface ClientCertificate {
  /** The certificate and those of intermediate authorities, as PEM. */
  chain: string
  /** The private key as PEM. */
  key: string
  subject: string
  validUntil: Date
  validFrom: Date
}

export const clientCertificateSetting = (about: string): Setting<ClientCertificate | null> => ({
  ...secret(about, ''),
  read: (text) => (text === '' ? null : clientCertificateFrom(text)),
})

const blocks = (text: string, type: string): string[] =>
  text.split(/(?=-----BEGIN )/).filter((block) => block.startsWith(`-----BEGIN ${type}-----`))

/** Throws unless the text is a PEM certificate, with any intermediate ones, and its unencrypted private key. */
function clientCertificateFrom(text: string): ClientCertificate {
  const chain = blocks(text, 'CERTIFICATE')
  const [key, ...otherKeys] = ['PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY'].flatMap((type) => blocks(text, type))
  const [first] = chain
  if (!first || !key || otherKeys.length > 0)
    throw new Error('must have a certificate and one unencrypted private key, both as PEM')
  const certificate = readOrThrow('certificate', () => new X509Certificate(first))
  const privateKey = readOrThrow('private key', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error('has a private key that is not of its first certificate')
  // As each call does, so that a broken intermediate certificate is found at the start.
  readOrThrow('certificate chain', () => createSecureContext({ cert: chain.join('\n'), key }))
  return {
    chain: chain.join('\n'),
    key,
    subject: certificate.subject.replaceAll('\n', ', '),
    validFrom: certificate.validFromDate,
    validUntil: certificate.validToDate,
  }
}

/** The library's message might repeat a part of the key. */
function readOrThrow<Value>(what: string, read: () => Value): Value {
  try {
    return read()
  } catch {
    throw new Error(`has a ${what} that cannot be read`)
  }
}
