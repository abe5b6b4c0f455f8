// What may be wrong with the shape of a message: a field dropped, of another type, or one that nobody knows; by chance that can be repeated.
import type { Json } from './official-lender/wire.ts'

/** What may be wrong with a message: its shape, or when it comes. */
export const faultSorts = ['dropped', 'other type', 'unknown', 'repeated', 'late', 'out of order'] as const
export type FaultSort = (typeof faultSorts)[number]

export interface Mutation {
  sort: FaultSort
  /** `drop message.order.items.0.id` */
  name: string
  /** Where it is wrong, as `message.order.items.0.id`. */
  path: string
  envelope: Json
}

/** Every place in a value, the whole left out. */
function placesIn(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return []
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return keys.flatMap((key) => [[...path, key], ...placesIn(value[key], [...path, key])])
}

function changed(
  envelope: Json,
  path: (string | number)[],
  change: (parent: Json, key: string | number) => unknown,
): Json {
  const copy = structuredClone(envelope)
  const parent = path.slice(0, -1).reduce((at, key) => at[key], copy)
  change(parent, path.at(-1)!)
  return copy
}

const otherTypes = (value: Json): Json[] => {
  if (typeof value === 'string') return [7, null, '', {}, ['a list'], true]
  if (typeof value === 'number') return ['seven', null, -1, {}]
  if (typeof value === 'boolean') return ['maybe', null, 0]
  return Array.isArray(value) ? [{}, 'a text', null, [], [7]] : ['a text', [], null, 7, {}]
}

/** Whether a message was acknowledged: a NACK may come with status 200 too (FIS12 §3.1). */
export const isAcknowledged = ({ body }: { body: Json }): boolean => body?.message?.ack?.status === 'ACK'

/** What can be done to a message; it is copied only when it is done. */
interface Possible {
  sort: FaultSort
  name: string
  path: (string | number)[]
  change: (parent: Json, key: string | number) => unknown
}

/** All of one sort in a random order; `random` gives numbers from 0 to 1. */
function possible(envelope: Json, sort: FaultSort, random: () => number): Possible[] {
  const all = placesIn(envelope).flatMap((path): Possible[] => {
    const name = path.join('.')
    const value = path.reduce((at: Json, key) => at[key], envelope)
    if (sort === 'dropped')
      return [
        {
          ...{ sort, name: `drop ${name}`, path },
          change: (parent, key) => (Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key]),
        },
      ]
    if (sort === 'unknown') {
      if (value === null || typeof value !== 'object' || Array.isArray(value) || name === 'context') return []
      const change = (parent: Json, key: string | number) => (parent[key].surprise = 'nobody knows it')
      return [{ sort, name: `add ${name}.surprise`, path, change }]
    }
    const choices = otherTypes(value)
    const other = choices[Math.floor(random() * choices.length)]
    return [{ sort, name: `${name} is ${JSON.stringify(other)}`, path, change: (parent, key) => (parent[key] = other) }]
  })
  // One of each kind first: of thirty entries of one list none is more telling than the others.
  const firsts = new Map<string, Possible>()
  const others = shuffled(all, random)
  for (const each of others) {
    const kind = each.path.map((key) => (typeof key === 'number' ? 'n' : key)).join('.')
    if (!firsts.has(kind)) firsts.set(kind, each)
  }
  const kinds = new Set(firsts.values())
  return [...shuffled([...kinds], random), ...others.filter((each) => !kinds.has(each))]
}

export function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const rest = [...all]
  for (let i = rest.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = rest[i]!
    rest[i] = rest[j]!
    rest[j] = kept
  }
  return rest
}

/** Some of a wrong shape: so many fields dropped, so many of another type, and one that nobody knows. */
export function malformedShapes(envelope: Json, random: () => number, tries: number): Mutation[] {
  const some = (sort: FaultSort, count: number) =>
    possible(envelope, sort, random)
      .slice(0, count)
      .map(({ name, path, change }) => ({
        sort,
        name,
        path: path.join('.'),
        envelope: changed(envelope, path, change),
      }))
  return [...some('dropped', tries), ...some('other type', tries), ...some('unknown', 1)]
}

/** A number for `seeded` out of a text, so that every message has its own course of chance. */
export function seedFrom(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return hash
}
