// Keyed digests of content that a repeated request must match. A plain digest would confirm a guessed content, such as a
// mobile number, to a reader of the database.
import { hash } from 'node:crypto'
import type { Seal } from './seal.ts'

export interface ContentDigest {
  /** SHA-256, never stored. Rows of earlier versions have it until they are re-keyed. */
  plain: Buffer
  /** The stored digest. */
  keyed: Buffer
}

/** A row has one of both. */
export interface StoredDigest {
  plain: Buffer | null
  keyed: Buffer | null
}

/** `purpose` names the table. */
export function contentDigest(seal: Seal, content: string | Uint8Array, purpose: string): ContentDigest {
  const plain = hash('sha256', content, 'buffer')
  return { plain, keyed: keyedDigest(seal, plain, purpose) }
}

/** Computed from the plain digest, so that the digest of a stored row can be replaced without its content. */
export const keyedDigest = (seal: Seal, plain: Buffer, purpose: string): Buffer =>
  seal.digest(plain.toString('hex'), purpose)

export const isSameContent = (stored: StoredDigest, content: ContentDigest): boolean =>
  stored.keyed === null ? (stored.plain?.equals(content.plain) ?? false) : stored.keyed.equals(content.keyed)
