// Malformed variants of a message, from a repeatable random generator: a dropped field, another type, an unknown field.
import type { Json } from './official-lender/wire.ts'

/** Kinds of injected faults: in the shape of a message, or in its time. */
export const faultSorts = ['dropped', 'other type', 'unknown', 'repeated', 'late', 'out of order'] as const
export type FaultSort = (typeof faultSorts)[number]

export interface Mutation {
  sort: FaultSort
  /** `drop message.order.items.0.id` */
  name: string
  /** Path of the faulty field, such as `message.order.items.0.id`. */
  path: string
  envelope: Json
}

/** Lists every path in a value except the root. */
function pathsIn(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return []
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return keys.flatMap((key) => [[...path, key], ...pathsIn(value[key], [...path, key])])
}

function withChangeAt(
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

/** A possible change of a message; applied to a copy on demand. */
interface Change {
  sort: FaultSort
  name: string
  path: (string | number)[]
  change: (parent: Json, key: string | number) => unknown
}

/** Lists all changes of one kind in random order; `random` returns numbers from 0 to 1. */
function changesOf(envelope: Json, sort: FaultSort, random: () => number): Change[] {
  const all = pathsIn(envelope).flatMap((path): Change[] => {
    const name = path.join('.')
    const value = path.reduce((at: Json, key) => at[key], envelope)
    if (sort === 'dropped')
      return [
        {
          sort,
          name: `drop ${name}`,
          path,
          change: (parent, key) => (Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key]),
        },
      ]
    if (sort === 'unknown') {
      if (value === null || typeof value !== 'object' || Array.isArray(value) || name === 'context') return []
      const change = (parent: Json, key: string | number) => (parent[key].surprise = 'an unknown field')
      return [{ sort, name: `add ${name}.surprise`, path, change }]
    }
    const choices = otherTypes(value)
    const other = choices[Math.floor(random() * choices.length)]
    return [{ sort, name: `${name} is ${JSON.stringify(other)}`, path, change: (parent, key) => (parent[key] = other) }]
  })
  // One field of each list first, because thirty entries of one list test nothing more.
  const firsts = new Map<string, Change>()
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
    const swapped = rest[i]!
    rest[i] = rest[j]!
    rest[j] = swapped
  }
  return rest
}

/** Returns malformed variants: `tries` with a dropped field, `tries` with another type, and one with an unknown field. */
export function malformedShapes(envelope: Json, random: () => number, tries: number): Mutation[] {
  const some = (sort: FaultSort, count: number) =>
    changesOf(envelope, sort, random)
      .slice(0, count)
      .map(({ name, path, change }) => ({
        sort,
        name,
        path: path.join('.'),
        envelope: withChangeAt(envelope, path, change),
      }))
  return [...some('dropped', tries), ...some('other type', tries), ...some('unknown', 1)]
}

/** Derives a seed from a text, so that every message has its own random sequence. */
export function seedFrom(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return hash
}
