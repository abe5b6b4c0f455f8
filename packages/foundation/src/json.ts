// JSON: of others, and with one text for equal values.

/**
 * Parses JSON that another system wrote, which may begin with a byte order mark (RFC 8259 §8.1). Throws a `SyntaxError`.
 * Bytes that were accepted with the mark and stored are read by this, too.
 */
// biome-ignore lint/suspicious/noExplicitAny: as JSON.parse, whose result the caller checks or has checked
export const parseJson = (text: string | Buffer): any => JSON.parse(text.toString().replace(/^\ufeff/, ''))

/** Parses untrusted JSON; null when it is invalid. */
export function jsonIn(text: string | Buffer): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}

/** JSON with sorted keys and without undefined fields, so that equal values have the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`
}
