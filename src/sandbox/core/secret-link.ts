// Secrets of callers and links: unguessable addresses, bearers, one-time passwords, and digests that identify requests.
import { timingSafeEqual } from 'node:crypto'
import { base62, formatUuid, fromBase62, uuidBytes } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { bearer, digestOf, sameDigest } from '#kit/crypto/token.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Arrival } from '#kit/http/server.ts'

const macLength = 16

/** The last part of an address: 43 letters and digits, half of them a secret. Nothing is stored, so links outlive restarts. */
export const secretToken = (seal: Seal, purpose: string, id: string): string =>
  base62(Buffer.concat([uuidBytes(id), mac(seal, purpose, id)]))

/** The id a token opens for this purpose; null for any text we did not make. */
export function idOfToken(seal: Seal, purpose: string, token: string): string | null {
  const bytes = fromBase62(token, 16 + macLength)
  if (!bytes) return null
  const id = formatUuid(bytes.subarray(0, 16))
  return timingSafeEqual(bytes.subarray(16), mac(seal, purpose, id)) ? id : null
}

const mac = (seal: Seal, purpose: string, id: string): Buffer => seal.digest(id, purpose).subarray(0, macLength)

/** The digest of a request's content, independent of the order of its keys: identifies a repetition. */
export const requestDigest = (seal: Seal, content: unknown, purpose: string): Buffer =>
  seal.digest(
    JSON.stringify(content, (_key, value) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
    purpose,
  )

/** Whether the bearer is `credential`. */
export function presents({ headers }: Pick<Arrival, 'headers'>, credential: string): boolean {
  const given = bearer(headers)
  return given !== null && sameDigest(digestOf(given), digestOf(credential))
}

/** Refused as `bad-credential` unless the bearer is `credential`. */
export function requireBearer({ headers }: Pick<Arrival, 'headers'>, credential: string): null {
  if (!presents({ headers }, credential)) throw new Refusal('bad-credential', 'the credential is not known')
  return null
}

/** The one-time password of the sandbox; a real one would come to the borrower's mobile. */
export const sandboxOtp = '123456'
