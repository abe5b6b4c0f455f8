// MF Central's client API, version 1: its messages, and the envelope in which they are encrypted and signed.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { detachedSignature, isSignedBy, type KeyOf, type Signer } from '#kit/crypto/jws.ts'
import { OneOf, type Static, Type } from '#kit/http/schema.ts'

/** The agreed keys of MF Central and a client. */
export interface EnvelopeKey {
  secret: string
  /** Sixteen characters, the same for every message. */
  iv: string
}

const algorithm = 'aes-256-cbc'

/** The first 32 hexadecimal digits of the secret's digest, taken as text: that is how MF Central derives it. */
const keyOf = (secret: string): Buffer => Buffer.from(createHash('sha256').update(secret).digest('hex').slice(0, 32))

/** The content in the URL-safe alphabet of Base64, with its padding. */
export function encrypted(content: object, { secret, iv }: EnvelopeKey): string {
  const bytes = encipher(JSON.stringify(content), keyOf(secret), Buffer.from(iv))
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** The content of a text in either alphabet; null when the key does not open it or it is not JSON. */
export function decrypted(text: string, { secret, iv }: EnvelopeKey): unknown {
  return decipher(Buffer.from(text, 'base64'), keyOf(secret), Buffer.from(iv))
}

/** The body of a request. */
export async function enveloped(
  content: object,
  key: EnvelopeKey,
  signer: Signer,
): Promise<{ signature: string; request: string }> {
  const request = encrypted(content, key)
  return { signature: await detachedSignature(request, signer), request }
}

/** The content of an encrypted text with a valid signature; null otherwise. */
export const opened = async (text: string, signature: string, key: EnvelopeKey, signerOf: KeyOf): Promise<unknown> =>
  (await isSignedBy(text, signature, signerOf)) ? decrypted(text, key) : null

/** Encrypts content for a URL with a 32-character key, as `<iv>:<ciphertext>` in hexadecimal. */
export function encryptedForAddress(content: object, key: string): string {
  const iv = randomBytes(16)
  return `${iv.toString('hex')}:${encipher(JSON.stringify(content), Buffer.from(key), iv).toString('hex')}`
}

/** The content of such a URL part; null if the key does not decrypt it. */
export function decryptedFromAddress(text: string, key: string): unknown {
  const [iv = '', bytes = ''] = text.split(':')
  return decipher(Buffer.from(bytes, 'hex'), Buffer.from(key), Buffer.from(iv, 'hex'))
}

function encipher(plain: string, key: Buffer, iv: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, iv)
  return Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
}

function decipher(bytes: Buffer, key: Buffer, iv: Buffer): unknown {
  try {
    const decryption = createDecipheriv(algorithm, key, iv)
    return JSON.parse(Buffer.concat([decryption.update(bytes), decryption.final()]).toString('utf8'))
  } catch {
    return null
  }
}

const Text = Type.String({ maxLength: 500 })
const Reference = Type.Union([Text, Type.Number()])

/** POST /oauth/token */
export const TokenReply = Type.Object({ access_token: Text, expires_in: Type.Number() })

/** The wire format: encrypted text with a detached JWS over it. */
export const SignedRequest = Type.Object({ signature: Type.String(), request: Type.String() })
export const SignedReply = Type.Object({ signature: Type.String(), response: Type.String() })

/** POST /api/client/V1/newCasRequest: requests a summary statement by PAN and either mobile number or e-mail. */
export const CasRequest = Type.Object({
  clientRefNo: Text,
  pan: Text,
  pekrn: Text,
  /** With the country code. */
  mobile: Text,
  email: Text,
  redirectUrl: Type.String({ maxLength: 2000 }),
})
export type CasRequest = Static<typeof CasRequest>

export const CasAcceptance = Type.Object({
  reqId: Reference,
  otpRef: Text,
  userSubjectReference: Type.Optional(Text),
  clientRefNo: Text,
})
export type CasAcceptance = Static<typeof CasAcceptance>

/** POST /api/client/V1/getcasdocument */
export const CasQuestion = Type.Object({ reqId: Reference, otpRef: Text, clientRefNo: Text })

/** The statement is free-form here; the portfolio parser reads it. */
export const CasDocument = Type.Object({ reqId: Type.Optional(Reference), pan: Text, data: Type.Array(Type.Unknown()) })

/** An error reply. Only the message text distinguishes errors. */
export const CasErrors = Type.Object({
  errors: Type.Array(Type.Object({ code: Type.Optional(Reference), message: Text }), { minItems: 1 }),
})

/** The message texts of errors, also used by the sandbox. */
export const casFaults = {
  unknown: 'Invalid PAN/PEKRN, Mobile/Email combination',
  nothing: 'Data Not Found',
  pending: 'Investor consent is pending',
  declined: 'Investor consent is rejected',
  expired: 'Time limit exceeded for the given OTP. Kindly resubmit the request to receive fresh OTP.',
} as const

/** The parameters of an investor's link to MF Central's pages. */
export const CasStart = Type.Object({
  reqId: Reference,
  otpRef: Text,
  /** Required but always empty. */
  token: Text,
  pan: Text,
  email: Text,
  mobile: Text,
  clientRefNo: Text,
  redirectUrl: Type.String({ maxLength: 2000 }),
})
export type CasStart = Static<typeof CasStart>

/** Query parameters of the return redirect; a hint, not a proof. */
export const CasReturn = Type.Object({ status: OneOf(['success', 'failure']), reqId: Text, type: Text })
export type CasReturn = Static<typeof CasReturn>
