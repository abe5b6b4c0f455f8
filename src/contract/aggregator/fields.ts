// The fields inside ecreq and ecres: key=value pairs joined by ampersands, a list by repeating its key.

/** One entry for each value, in the order in which they are written. */
export type Fields = [key: string, value: string][]

/**
 * Writes the pairs. The guideline escapes nothing but a return address with parameters; some aggregators want every value
 * escaped, so `escaped` is a setting of each of them. What would break the pairs is escaped either way.
 */
export const fieldsText = (fields: Fields, escaped: boolean): string =>
  fields
    .map(([key, value]) => `${key}=${escaped || /[&=%?#]/.test(value) ? encodeURIComponent(value) : value}`)
    .join('&')

/** Reads the pairs of either spelling. A value that is not well escaped is taken as it stands. */
export function fieldsOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const pair of text.split('&').filter(Boolean)) {
    const at = pair.indexOf('=')
    const [key, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    found.set(key, [...(found.get(key) ?? []), unescaped(value)])
  }
  return found
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
