// Secrets that callers present: read from the header, kept as digests, compared in constant time.
import { hash, timingSafeEqual } from 'node:crypto'

/** The token of an `Authorization: Bearer` header; null when there is none. */
export function bearer(headers: Record<string, string | string[] | undefined>): string | null {
  const { authorization } = headers
  return typeof authorization === 'string' ? (/^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? null) : null
}

/** What is kept of a secret. */
export const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** How long it takes says nothing about how near a guess was. */
export const sameDigest = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
