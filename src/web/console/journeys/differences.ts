// What changed from one document to the next, field by field; pure.

export interface Difference {
  /** As `borrower.profile.personal.dob`, `offers[1].status`. */
  path: string
  /** As JSON; null where it was not there. */
  before: string | null
  after: string | null
}

/** The fields that differ, in the order of the newer document; those that are gone come last. */
export function differences(before: unknown, after: unknown): Difference[] {
  const [old, now] = [leaves(before), leaves(after)]
  const changed = [...now].filter(([path, value]) => old.get(path) !== value)
  const gone = [...old].filter(([path]) => !now.has(path))
  return [
    ...changed.map(([path, value]) => ({ path, before: old.get(path) ?? null, after: value })),
    ...gone.map(([path, value]) => ({ path, before: value, after: null })),
  ]
}

/** Every value that holds no others, by its path. */
function leaves(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) return found.set(path, JSON.stringify(value) ?? 'null')
  const entries = Object.entries(value)
  if (entries.length === 0) return found.set(path, Array.isArray(value) ? '[]' : '{}')
  for (const [name, inner] of entries)
    leaves(inner, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name, found)
  return found
}
