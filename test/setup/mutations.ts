// What may be wrong with the shape of a message: a field dropped, of another type, or one that nobody knows; by a seed that can be repeated.
import type { Json } from './official-lender/wire.ts'

/** What may be wrong with a message: its shape, or when it comes. */
export const sorts = ['dropped', 'other type', 'unknown', 'repeated', 'late', 'out of order'] as const
export type Sort = (typeof sorts)[number]

export interface Mutation {
  sort: Sort
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
  change: (parent: Json, key: string | number) => void,
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
export const isTaken = ({ body }: { body: Json }): boolean => body?.message?.ack?.status === 'ACK'

/** All of them in an order of chance; `chance` gives numbers from 0 to 1. */
export function mutationsOf(envelope: Json, random: () => number): Mutation[] {
  const all = placesIn(envelope).flatMap((path): Mutation[] => {
    const name = path.join('.')
    const value = path.reduce((at: Json, key) => at[key], envelope)
    const choices = otherTypes(value)
    const other = choices[Math.floor(random() * choices.length)]
    const mutations: Mutation[] = [
      {
        sort: 'dropped',
        name: `drop ${name}`,
        path: name,
        envelope: changed(envelope, path, (parent, key) =>
          Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key],
        ),
      },
      {
        sort: 'other type',
        name: `${name} is ${JSON.stringify(other)}`,
        path: name,
        envelope: changed(envelope, path, (parent, key) => {
          parent[key] = other
        }),
      },
    ]
    if (value === null || typeof value !== 'object' || Array.isArray(value) || name === 'context') return mutations
    const known = changed(envelope, [...path, 'surprise'], (parent, key) => {
      parent[key] = 'nobody knows it'
    })
    return [...mutations, { sort: 'unknown', name: `add ${name}.surprise`, path: name, envelope: known }]
  })
  // One of each kind first: of thirty entries of one list none is more telling than the others.
  const firsts = new Map<string, Mutation>()
  const others = shuffled(all, random)
  for (const each of others) {
    const kind = each.name.replace(/\.\d+/g, '.n').replace(/ is .*/, ' is')
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

/** Some of a wrong shape: so many fields dropped or of another type, and one that nobody knows. */
export function shapesOf(envelope: Json, random: () => number, tries: number): Mutation[] {
  const all = mutationsOf(envelope, random)
  const first = (sort: Sort, count: number) => all.filter((each) => each.sort === sort).slice(0, count)
  return [...first('dropped', tries), ...first('other type', tries), ...first('unknown', 1)]
}

/** A number for `seeded` out of a text, so that every message has its own course of chance. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return hash
}
