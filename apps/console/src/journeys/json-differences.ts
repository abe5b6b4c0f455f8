// Compares two JSON documents field by field; list items are matched by id. Pure.

export interface Difference {
  /** Such as `borrower.profile.personal.dob`, `offers[1].status` or `lenders[Kaveri Bank].lender_name`. */
  path: string
  /** As JSON; null if absent. */
  before: string | null
  after: string | null
  /** Kind and name of an added or removed list item. */
  item: { kind: string; name: string } | null
}

/** Returns the differences in the order of the newer document; within an object, removed fields come last. */
export function differences(before: unknown, after: unknown): Difference[] {
  return compare(before, after, '')
}

function compare(old: unknown, now: unknown, path: string): Difference[] {
  const items = itemsById(old, now)
  if (items) return compareItems(items.old, items.now, path)
  const before = partsOf(old)
  const after = partsOf(now)
  if (!before || !after || before.isList !== after.isList) return compareLeaves(old, now, path)
  const names = [...after.parts.keys(), ...[...before.parts.keys()].filter((name) => !after.parts.has(name))]
  return names.flatMap((name) => {
    const itemPath = after.isList ? `${path}[${name}]` : path ? `${path}.${name}` : name
    return compare(before.parts.get(name), after.parts.get(name), itemPath)
  })
}

/** The items of two lists by id; null if an item has no id. */
function itemsById(old: unknown, now: unknown): { old: Map<string, object>; now: Map<string, object> } | null {
  if (!Array.isArray(old) || !Array.isArray(now) || old.length + now.length === 0) return null
  const before = byId(old)
  const after = byId(now)
  return before && after && { old: before, now: after }
}

function byId(list: unknown[]): Map<string, object> | null {
  const items = new Map<string, object>()
  for (const item of list) {
    const id = idOf(item)
    if (id === null || typeof item !== 'object' || item === null || items.has(id)) return null
    items.set(id, item)
  }
  return items
}

const idNames = ['id', 'serial_number']
function idOf(item: unknown): string | null {
  const parts = partsOf(item)
  const id = parts && !parts.isList ? idNames.map((name) => parts.parts.get(name)).find(isName) : undefined
  return id === undefined ? null : String(id)
}
const isName = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

function compareItems(old: Map<string, object>, now: Map<string, object>, path: string): Difference[] {
  const kind = kindOf(path)
  const changed = [...now].flatMap(([id, item]) => {
    const name = nameOf(item, id)
    const itemPath = `${path}[${name}]`
    const oldItem = old.get(id)
    if (oldItem) return compare(oldItem, item, itemPath)
    return [{ path: itemPath, before: null, after: JSON.stringify(item), item: { kind, name } }]
  })
  const removed = [...old].filter(([id]) => !now.has(id))
  return [
    ...changed,
    ...removed.map(([id, item]) => {
      const name = nameOf(item, id)
      return { path: `${path}[${name}]`, before: JSON.stringify(item), after: null, item: { kind, name } }
    }),
  ]
}

/** The kind of a list's items, such as `lender` for `borrower.journey.lenders`. */
const kindOf = (path: string): string => (path.split('.').at(-1)?.split('[', 1)[0] ?? '').replace(/s$/, '')

function nameOf(item: object, id: string): string {
  const nameEntry = Object.entries(item).find(
    ([name, value]) => /^(?:lender_)?name$/.test(name) && typeof value === 'string',
  )
  return nameEntry ? String(nameEntry[1]) : id
}

interface Parts {
  isList: boolean
  parts: Map<string, unknown>
}

/** The fields or items of a value; null for scalars and empty values. */
function partsOf(value: unknown): Parts | null {
  if (typeof value !== 'object' || value === null) return null
  const entries = Object.entries(value)
  return entries.length === 0 ? null : { isList: Array.isArray(value), parts: new Map(entries) }
}

/** Compares values of different structure by their leaves. */
function compareLeaves(before: unknown, after: unknown, path: string): Difference[] {
  const old = leaves(before, path)
  const now = leaves(after, path)
  const changed = [...now].filter(([itemPath, value]) => old.get(itemPath) !== value)
  const removed = [...old].filter(([itemPath]) => !now.has(itemPath))
  return [
    ...changed.map(([itemPath, value]) => ({
      path: itemPath,
      before: old.get(itemPath) ?? null,
      after: value,
      item: null,
    })),
    ...removed.map(([itemPath, value]) => ({ path: itemPath, before: value, after: null, item: null })),
  ]
}

/** All scalars and empty values by path. */
function leaves(value: unknown, path: string, found = new Map<string, string>()): Map<string, string> {
  if (value === undefined) return found
  if (typeof value !== 'object' || value === null) return found.set(path, JSON.stringify(value) ?? 'null')
  const entries = Object.entries(value)
  if (entries.length === 0) return found.set(path, Array.isArray(value) ? '[]' : '{}')
  for (const [name, child] of entries)
    leaves(child, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name, found)
  return found
}
