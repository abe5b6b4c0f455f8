// Changes one field of an object by its path, and lists the paths there are: for tests that break a thing in one place.

/** Every path of an object, branches and leaves. */
export function pathsOf(value: unknown, under = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = under === '' ? key : `${under}.${key}`
    return [path, ...pathsOf(inner, path)]
  })
}

/** The paths at which there is a value and no object with fields of its own. */
export const leafPaths = (value: unknown): string[] => {
  const all = pathsOf(value)
  return all.filter((path) => !all.some((other) => other.startsWith(`${path}.`)))
}

export const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner: unknown, key) => (inner as Record<string, unknown> | null)?.[key], value)

/** A copy in which the field has another value; undefined takes it away. */
export function withChange<T>(value: T, path: string, to: unknown): T {
  const copy = structuredClone(value)
  const keys = path.split('.')
  const last = keys.pop()!
  const holder = valueAt(copy, keys.join('.')) ?? copy
  const place = (keys.length === 0 ? copy : holder) as Record<string, unknown>
  if (to === undefined) delete place[last]
  else place[last] = to
  return copy
}
