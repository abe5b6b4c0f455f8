// A request's content as a digest, whatever the order of its keys: the same one told again is known by it.
import type { Seal } from '#kit/crypto/seal.ts'

export const requestDigest = (seal: Seal, content: unknown, purpose: string): Buffer =>
  seal.digest(
    JSON.stringify(content, (_key, value) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
    purpose,
  )
