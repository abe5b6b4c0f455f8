// Finds a key that stands twice in one JSON object: whoever reads the text later could take the other value.

/** A key ends with a colon outside of any text, so where there are more colons than keys some may be repeated. */
export function repeatedKey(text: string, value: unknown): string | null {
  return colonsIn(text) > keysIn(value) ? scan(text) : null
}

function colonsIn(text: string): number {
  let count = 0
  for (let i = text.indexOf(':'); i >= 0; i = text.indexOf(':', i + 1)) count++
  return count
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  let count = Array.isArray(value) ? 0 : inner.length
  for (const each of inner) count += keysIn(each)
  return count
}

/** An object and the key it is at, or an array, which has no keys, and the place it is at. */
type Level = { keys: Set<string>; at: string } | { keys: null; at: number }

/** The path of the first key that is repeated; `text` is JSON that was parsed before. */
function scan(text: string): string | null {
  const levels: Level[] = []
  for (let i = 0; i < text.length; i++) {
    const level = levels.at(-1)
    const char = text[i]
    if (char === '{') levels.push({ keys: new Set(), at: '' })
    else if (char === '[') levels.push({ keys: null, at: 0 })
    else if (char === '}' || char === ']') levels.pop()
    else if (char === ',' && level?.keys === null) level.at++
    else if (char === '"') {
      const end = endOfText(text, i)
      if (level?.keys && isKey(text, end)) {
        level.at = JSON.parse(text.slice(i, end))
        if (level.keys.has(level.at)) return levels.map(({ at }) => at).join('.')
        level.keys.add(level.at)
      }
      i = end - 1
    }
  }
  return null
}

/** Behind the closing quote of the text that begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let i = start + 1; ; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i + 1
  }
}

const blanks = new Set<string | undefined>([' ', '\t', '\n', '\r'])

/** Whether the text that ends there is a key: white space and a colon follow. */
function isKey(text: string, end: number): boolean {
  let i = end
  while (blanks.has(text[i])) i++
  return text[i] === ':'
}
