// The digest by which a repeated request is recognised.

import type { Seal } from '@lendloom/seal/seal'

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
