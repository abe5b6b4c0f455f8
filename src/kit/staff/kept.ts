// Data that a browser keeps for us between two steps of signing in: sealed, with an expiry.

import type { Seal } from '#kit/crypto/seal.ts'

/** The data, with its expiry in milliseconds since 1970. */
export interface BrowserMemory {
  expiresAt: number
}

export const sealKept = <T extends BrowserMemory>(seal: Seal, kept: T, place: string): string =>
  seal.json(kept, place).toString('base64url')

/** Null when there is nothing, when we did not seal it for this place, or when it has expired. */
export function openKept<T extends BrowserMemory>(
  seal: Seal,
  text: string | undefined,
  place: string,
  at: Date,
): T | null {
  if (text === undefined) return null
  try {
    const kept = seal.openJson<T>(Buffer.from(text, 'base64url'), place)
    return kept.expiresAt > at.getTime() ? kept : null
  } catch {
    return null
  }
}
