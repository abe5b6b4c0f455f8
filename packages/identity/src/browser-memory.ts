// Sealed data with an expiry that a browser stores between two steps of a sign-in.

import type { Seal } from '@lendloom/seal/seal'

/** The data, with its expiry in milliseconds since 1970. */
export interface BrowserMemory {
  expiresAt: number
}

export const sealForBrowser = <T extends BrowserMemory>(seal: Seal, data: T, context: string): string =>
  seal.json(data, context).toString('base64url')

/** Returns null when the data is absent, expired, or not sealed with our key for this context. */
export function openFromBrowser<T extends BrowserMemory>(
  seal: Seal,
  text: string | undefined,
  context: string,
  at: Date,
): T | null {
  if (text === undefined) return null
  try {
    const data = seal.openJson<T>(Buffer.from(text, 'base64url'), context)
    return data.expiresAt > at.getTime() ? data : null
  } catch {
    return null
  }
}
