// Links that nobody can guess: an address names its subject and proves, by a keyed digest, that we made it.
import { timingSafeEqual } from 'node:crypto'
import { base62, formatUuid, fromBase62, uuidBytes } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'

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
