// Unguessable link tokens, bearer checks, request digests and the sandbox's one-time password.
import { timingSafeEqual } from 'node:crypto'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Arrival } from '@lendloom/http/server'
import { base62, formatUuid, fromBase62, uuidBytes } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { bearer, digestOf, sameDigest } from '@lendloom/seal/token'

/** Half of a digest: 128 bits cannot be guessed, and the token stays short. */
const macLength = 16

/** A link token of 43 letters and digits: the id and its keyed digest. Nothing is stored, so links survive restarts. */
export const secretToken = (seal: Seal, purpose: string, id: string): string =>
  base62(Buffer.concat([uuidBytes(id), mac(seal, purpose, id)]))

/** Returns the id in a token; null if the token is not from `secretToken` with this purpose. */
export function idOfToken(seal: Seal, purpose: string, token: string): string | null {
  const bytes = fromBase62(token, 16 + macLength)
  if (!bytes) return null
  const id = formatUuid(bytes.subarray(0, 16))
  return timingSafeEqual(bytes.subarray(16), mac(seal, purpose, id)) ? id : null
}

const mac = (seal: Seal, purpose: string, id: string): Buffer => seal.digest(id, purpose).subarray(0, macLength)

/** The digest of a request, independent of key order, to recognise a repetition. */
export const requestDigest = (seal: Seal, content: unknown, purpose: string): Buffer =>
  seal.digest(
    JSON.stringify(content, (_key, value) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
    purpose,
  )

/** Whether the request has this credential as bearer token; compares in constant time. */
export function hasBearer({ headers }: Pick<Arrival, 'headers'>, credential: string): boolean {
  const token = bearer(headers)
  return token !== null && sameDigest(digestOf(token), digestOf(credential))
}

/** Throws `bad-credential` unless the bearer is `credential`. */
export function requireBearer({ headers }: Pick<Arrival, 'headers'>, credential: string): null {
  if (!hasBearer({ headers }, credential)) throw new Refusal('bad-credential', 'the credential is not known')
  return null
}

/** The sandbox's only one-time password; a real one would be sent to the borrower's mobile. */
export const sandboxOtp = '123456'
