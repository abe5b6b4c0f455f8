// Tokens of links that cannot be guessed.

import { timingSafeEqual } from 'node:crypto'
import { base62, formatUuid, fromBase62, uuidBytes } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'

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
