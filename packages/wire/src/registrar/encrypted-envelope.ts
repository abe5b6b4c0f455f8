// MF Central's client API, version 1: its messages, and the envelope in which they are encrypted and signed.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { detachedSignature, isSignedBy, type KeyOf, type Signer } from '@lendloom/seal/jws'

/** The agreed keys of MF Central and a client. */
export interface EnvelopeKey {
  secret: string
  /** Sixteen characters, the same for every message. */
  iv: string
}

const algorithm = 'aes-256-cbc'

/** Derives the key as MF Central does: the first 32 hexadecimal digits of the secret's digest, as text. */
const keyOf = (secret: string): Buffer => Buffer.from(createHash('sha256').update(secret).digest('hex').slice(0, 32))

/** Encrypts content as URL-safe Base64 with padding. */
export function encryptContent(content: object, { secret, iv }: EnvelopeKey): string {
  const bytes = encipher(JSON.stringify(content), keyOf(secret), Buffer.from(iv))
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** Decrypts a text in either Base64 alphabet; null if the key is wrong or the content is not JSON. */
export function decryptContent(text: string, { secret, iv }: EnvelopeKey): unknown {
  return decipher(Buffer.from(text, 'base64'), keyOf(secret), Buffer.from(iv))
}

/** Builds the body of a request: encrypted content and its signature. */
export async function signedRequest(
  content: object,
  key: EnvelopeKey,
  signer: Signer,
): Promise<{ signature: string; request: string }> {
  const request = encryptContent(content, key)
  return { signature: await detachedSignature(request, signer), request }
}

/** Decrypts a text if its signature is valid; null otherwise. */
export const verifyAndDecrypt = async (
  text: string,
  signature: string,
  key: EnvelopeKey,
  signerOf: KeyOf,
): Promise<unknown> => ((await isSignedBy(text, signature, signerOf)) ? decryptContent(text, key) : null)

/** Encrypts content for a URL with a 32-character key, as `<iv>:<ciphertext>` in hexadecimal. */
export function encryptForAddress(content: object, key: string): string {
  const iv = randomBytes(16)
  return `${iv.toString('hex')}:${encipher(JSON.stringify(content), Buffer.from(key), iv).toString('hex')}`
}

/** Decrypts content from a URL; null if the key is wrong. */
export function decryptFromAddress(text: string, key: string): unknown {
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
  unknownInvestor: 'Invalid PAN/PEKRN, Mobile/Email combination',
  noFunds: 'Data Not Found',
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
