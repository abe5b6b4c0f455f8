// The changes between two documents: field by field, and in lists with ids, item by item; pure.

export interface Difference {
  /** As `borrower.profile.personal.dob`, `offers[1].status`, `lenders[Kaveri Bank].lender_name`. */
  path: string
  /** As JSON; null if absent. */
  before: string | null
  after: string | null
  /** The added or removed item: its kind and name. */
  thing: { kind: string; name: string } | null
}

/** The fields that differ, in the order of the newer document; within an object, removed ones last. */
export function differences(before: unknown, after: unknown): Difference[] {
  return compared(before, after, '')
}

function compared(old: unknown, now: unknown, path: string): Difference[] {
  const things = thingsIn(old, now)
  if (things) return comparedThings(things.old, things.now, path)
  const [before, after] = [partsOf(old), partsOf(now)]
  if (!before || !after || before.isList !== after.isList) return comparedLeaves(old, now, path)
  const names = [...after.parts.keys(), ...[...before.parts.keys()].filter((name) => !after.parts.has(name))]
  return names.flatMap((name) => {
    const place = after.isList ? `${path}[${name}]` : path ? `${path}.${name}` : name
    return compared(before.parts.get(name), after.parts.get(name), place)
  })
}

/** Lists whose items all have ids, on both sides; null otherwise. */
function thingsIn(old: unknown, now: unknown): { old: Map<string, object>; now: Map<string, object> } | null {
  if (!Array.isArray(old) || !Array.isArray(now) || old.length + now.length === 0) return null
  const [before, after] = [byId(old), byId(now)]
  return before && after && { old: before, now: after }
}

function byId(list: unknown[]): Map<string, object> | null {
  const things = new Map<string, object>()
  for (const thing of list) {
    const id = idOf(thing)
    if (id === null || typeof thing !== 'object' || thing === null || things.has(id)) return null
    things.set(id, thing)
  }
  return things
}

const idNames = ['id', 'serial_number']
function idOf(thing: unknown): string | null {
  const parts = partsOf(thing)
  const id = parts && !parts.isList ? idNames.map((name) => parts.parts.get(name)).find(isName) : undefined
  return id === undefined ? null : String(id)
}
const isName = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

function comparedThings(old: Map<string, object>, now: Map<string, object>, path: string): Difference[] {
  const kind = kindOf(path)
  const changed = [...now].flatMap(([id, thing]) => {
    const name = nameOf(thing, id)
    const place = `${path}[${name}]`
    const known = old.get(id)
    if (known) return compared(known, thing, place)
    return [{ path: place, before: null, after: JSON.stringify(thing), thing: { kind, name } }]
  })
  const gone = [...old].filter(([id]) => !now.has(id))
  return [
    ...changed,
    ...gone.map(([id, thing]) => {
      const name = nameOf(thing, id)
      return { path: `${path}[${name}]`, before: JSON.stringify(thing), after: null, thing: { kind, name } }
    }),
  ]
}

/** `lender` of `borrower.journey.lenders`. */
const kindOf = (path: string): string => (path.split('.').at(-1)?.split('[', 1)[0] ?? '').replace(/s$/, '')

/** By its name, or else by its id. */
function nameOf(thing: object, id: string): string {
  const named = Object.entries(thing).find(
    ([name, value]) => /^(?:lender_)?name$/.test(name) && typeof value === 'string',
  )
  return named ? String(named[1]) : id
}

interface Parts {
  isList: boolean
  parts: Map<string, unknown>
}

/** Null for what holds nothing. */
function partsOf(value: unknown): Parts | null {
  if (typeof value !== 'object' || value === null) return null
  const entries = Object.entries(value)
  return entries.length === 0 ? null : { isList: Array.isArray(value), parts: new Map(entries) }
}

/** When only one side has fields: every value of each that the other lacks. */
function comparedLeaves(before: unknown, after: unknown, path: string): Difference[] {
  const [old, now] = [leaves(before, path), leaves(after, path)]
  const changed = [...now].filter(([place, value]) => old.get(place) !== value)
  const gone = [...old].filter(([place]) => !now.has(place))
  return [
    ...changed.map(([place, value]) => ({ path: place, before: old.get(place) ?? null, after: value, thing: null })),
    ...gone.map(([place, value]) => ({ path: place, before: value, after: null, thing: null })),
  ]
}

/** Every value that holds no others, by its path. */
function leaves(value: unknown, path: string, found = new Map<string, string>()): Map<string, string> {
  if (value === undefined) return found
  if (typeof value !== 'object' || value === null) return found.set(path, JSON.stringify(value) ?? 'null')
  const entries = Object.entries(value)
  if (entries.length === 0) return found.set(path, Array.isArray(value) ? '[]' : '{}')
  for (const [name, inner] of entries)
    leaves(inner, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name, found)
  return found
}
