// Strict structural checks: no unknown keys, no missing keys, every value a non-empty string (FIS12 §3.3).
import type { Json } from './wire.ts'

/** A pattern, a text, a flag, a list of one shape, or an object; a key ending in `?` is optional, `*` is any other key. */
export type Shape = RegExp | 'text' | 'flag' | 'any' | readonly [Shape] | { readonly [key: string]: Shape }

export function shapeFaults(shape: Shape, value: Json, path: string): string[] {
  if (shape === 'any') return []
  if (shape === 'flag') return typeof value === 'boolean' ? [] : [`${path} is not a boolean`]
  if (shape === 'text')
    return typeof value === 'string' && value !== '' ? [] : [`${path} is not a string: ${JSON.stringify(value)}`]
  if (shape instanceof RegExp)
    return typeof value === 'string' && shape.test(value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${shape}`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length === 0) return [`${path} is not a non-empty list`]
    return value.flatMap((each, i) => shapeFaults(shape[0] as Shape, each, `${path}[${i}]`))
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [`${path} is not an object`]
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

export const entriesOf = (tags: Json, code: string): Record<string, string> =>
  Object.fromEntries(
    ((tags ?? []) as Json[])
      .filter((each) => each.descriptor?.code === code)
      .flatMap(({ list }) => list.map((entry: Json) => [entry.descriptor.code, entry.value])),
  )

/** Checks that the tag groups have exactly these codes. */
export function groupFaults(tags: Json, groups: Record<string, readonly string[]>, path: string): string[] {
  const codes = ((tags ?? []) as Json[]).map((each) => each.descriptor?.code)
  return [
    ...codes.filter((code) => !(code in groups)).map((code) => `${path} has an unknown group ${code}`),
    ...Object.entries(groups).flatMap(([code, expected]) => {
      if (!codes.includes(code)) return [`${path} lacks ${code}`]
      const found = Object.keys(entriesOf(tags, code))
      return [
        ...expected.filter((name) => !found.includes(name)).map((name) => `${path} ${code} lacks ${name}`),
        ...found.filter((name) => !expected.includes(name)).map((name) => `${path} ${code} has an unknown ${name}`),
      ]
    }),
  ]
}
