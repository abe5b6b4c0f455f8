// Reads, lists and changes fields of an object by path, for tests that break one field.

/** Lists every path of an object, including those of inner objects. */
export function pathsOf(value: unknown, under = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = under === '' ? key : `${under}.${key}`
    return [path, ...pathsOf(inner, path)]
  })
}

/** Lists the paths of values that have no fields. */
export const leafPaths = (value: unknown): string[] => {
  const all = pathsOf(value)
  return all.filter((path) => !all.some((other) => other.startsWith(`${path}.`)))
}

export const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner: unknown, key) => (inner as Record<string, unknown> | null)?.[key], value)

/** Returns a copy in which the field has this value; undefined removes it. */
export function withChange<T>(value: T, path: string, to: unknown): T {
  const copy = structuredClone(value)
  const keys = path.split('.')
  const last = keys.pop()!
  const parent = valueAt(copy, keys.join('.')) ?? copy
  const target = (keys.length === 0 ? copy : parent) as Record<string, unknown>
  if (to === undefined) delete target[last]
  else target[last] = to
  return copy
}
