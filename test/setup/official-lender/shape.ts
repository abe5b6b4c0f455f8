// A closed shape and whether something has it: every key known, every needed one there, every value a text (FIS12 §3.3).
import type { Json } from './wire.ts'

/** A pattern, any text, a list of one kind, or an object; a key that ends in `?` may be left out, `*` is any other key. */
export type Shape = RegExp | 'text' | 'flag' | 'any' | readonly [Shape] | { readonly [key: string]: Shape }

/** What is wrong, each with its path. */
export function shapeFaults(shape: Shape, value: Json, path: string): string[] {
  if (shape === 'any') return []
  if (shape === 'flag') return typeof value === 'boolean' ? [] : [`${path} is no boolean`]
  if (shape === 'text')
    return typeof value === 'string' && value !== '' ? [] : [`${path} is no text: ${JSON.stringify(value)}`]
  if (shape instanceof RegExp)
    return typeof value === 'string' && shape.test(value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${shape}`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length === 0) return [`${path} is no list with something in it`]
    return value.flatMap((each, i) => shapeFaults(shape[0] as Shape, each, `${path}[${i}]`))
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [`${path} is no object`]
  const known = shape as { readonly [key: string]: Shape }
  const unknown = Object.keys(value).filter((key) => !(key in known || `${key}?` in known || '*' in known))
  return [
    ...unknown.map((key) => `${path}.${key} is not known`),
    ...Object.entries(known).flatMap(([key, inner]) => {
      if (key === '*') return Object.keys(value).flatMap((name) => shapeFaults(inner, value[name], `${path}.${name}`))
      const name = key.replace(/\?$/, '')
      if (value[name] === undefined) return key.endsWith('?') ? [] : [`${path}.${name} is missing`]
      return shapeFaults(inner, value[name], `${path}.${name}`)
    }),
  ]
}

export const tag = {
  descriptor: { code: 'text', 'name?': 'text' },
  'display?': 'flag',
  list: [{ descriptor: { code: 'text', 'name?': 'text', 'short_desc?': 'text' }, value: 'text' }],
} as const satisfies Shape

/** The entries of a group among tags. */
export const entriesOf = (tags: Json, code: string): Record<string, string> =>
  Object.fromEntries(
    ((tags ?? []) as Json[])
      .filter((each) => each.descriptor?.code === code)
      .flatMap(({ list }) => list.map((entry: Json) => [entry.descriptor.code, entry.value])),
  )

/** The groups stand there, each with exactly these codes. */
export function groupFaults(tags: Json, groups: Record<string, readonly string[]>, path: string): string[] {
  const codes = ((tags ?? []) as Json[]).map((each) => each.descriptor?.code)
  return [
    ...codes.filter((code) => !(code in groups)).map((code) => `${path} has an unknown group ${code}`),
    ...Object.entries(groups).flatMap(([code, wanted]) => {
      if (!codes.includes(code)) return [`${path} lacks ${code}`]
      const found = Object.keys(entriesOf(tags, code))
      return [
        ...wanted.filter((name) => !found.includes(name)).map((name) => `${path} ${code} lacks ${name}`),
        ...found.filter((name) => !wanted.includes(name)).map((name) => `${path} ${code} has an unknown ${name}`),
      ]
    }),
  ]
}
