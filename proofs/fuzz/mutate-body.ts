// Mutations of bodies: of JSON by its fields, of forms, and of the bytes.
import { pick, type Random } from '../api/samples.ts'
import { bodyBytes, type Draft } from './draft.ts'

export interface Mutation {
  name: string
  /** Returns null when the draft has nothing to change. */
  apply(draft: Draft, random: Random): Draft | null
}

export const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202eevil',
  '👩‍👩‍👧‍👦',
  'é'.normalize('NFD'),
  'ﷺ'.repeat(40),
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../etc/passwd',
  '%00',
  '%',
  '\r\nx: y',
  '-1',
  'NaN',
  '1e400',
  '0x10',
  '١٢٣',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'true',
  '9'.repeat(400),
  'A'.repeat(5000),
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '+999999-01-01T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
]
const hostileValues: unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  {},
  [null],
  [[[[]]]],
  { a: { b: {} } },
  ...hostileTexts,
]

type Key = string | number
const isContainer = (value: unknown): value is Record<Key, unknown> => typeof value === 'object' && value !== null

/** Paths of all values inside, at most a few hundred. */
export function pathsIn(value: unknown, path: Key[] = []): Key[][] {
  if (!isContainer(value)) return []
  const keys: Key[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return keys
    .slice(0, 40)
    .flatMap((key) => [[...path, key], ...pathsIn(value[key], [...path, key])])
    .slice(0, 300)
}

export function changedAt(
  value: unknown,
  path: Key[],
  change: (parent: Record<Key, unknown>, key: Key) => void,
): unknown {
  const copy = structuredClone(value)
  let parent = copy
  for (const key of path.slice(0, -1)) parent = isContainer(parent) ? parent[key] : undefined
  const last = path.at(-1)
  if (isContainer(parent) && last !== undefined) change(parent, last)
  return copy
}

const inJson =
  (change: (value: unknown, random: Random) => unknown) =>
  (draft: Draft, random: Random): Draft | null =>
    draft.body.kind === 'json' ? { ...draft, body: { kind: 'json', value: change(draft.body.value, random) } } : null

const atField = (change: (parent: Record<Key, unknown>, key: Key, random: Random) => void) =>
  inJson((value, random) => {
    const paths = pathsIn(value)
    if (paths.length === 0) return { unexpected: pick(hostileValues, random) }
    return changedAt(value, pick(paths, random), (parent, key) => change(parent, key, random))
  })

const replaceField = (value: (old: unknown, random: Random) => unknown) =>
  atField((parent, key, random) => {
    parent[key] = value(parent[key], random)
  })

const inBytes =
  (change: (bytes: Buffer, random: Random) => Buffer) =>
  (draft: Draft, random: Random): Draft | null => {
    const bytes = bodyBytes(draft)
    if (!bytes || bytes.length === 0) return null
    const isJson = draft.body.kind === 'json' || (draft.body.kind === 'bytes' && draft.body.isJson)
    return { ...draft, body: { kind: 'bytes', bytes: change(bytes, random), isJson } }
  }

const deep = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`

export const ofBody: Mutation[] = [
  {
    name: 'missing field',
    apply: atField((parent, key) => (Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key])),
  },
  { name: 'wrong value', apply: replaceField((_old, random) => pick(hostileValues, random)) },
  {
    name: 'extra field',
    apply: atField((parent, _key, random) => {
      if (!Array.isArray(parent))
        parent[pick(['surprise', 'tenantId', 'status', '', 'a.b', '💥'], random)] = pick(hostileValues, random)
    }),
  },
  {
    name: 'huge text',
    apply: replaceField((_old, random) => pick(['x', '"', '\\', 'é', '\u0001'], random).repeat(60_000)),
  },
  {
    name: 'negative',
    apply: replaceField((old) => (typeof old === 'string' ? `-${old}` : -1)),
  },
  {
    name: 'long list',
    apply: replaceField((old) =>
      Array.from({ length: 3000 }, () => ((JSON.stringify(old) ?? '').length > 100 ? null : structuredClone(old))),
    ),
  },
  { name: 'another top', apply: inJson((_value, random) => pick(hostileValues, random)) },
  {
    name: 'prototype keys',
    apply: inBytes((bytes) =>
      Buffer.from(bytes.toString().replace('{', '{"__proto__":{"x":1},"constructor":{"prototype":1},')),
    ),
  },
  {
    name: 'duplicate keys',
    apply: inBytes((bytes) => Buffer.from(bytes.toString().replace(/\{("(?:[^"\\]|\\.)*":)/, '{$1null,$1'))),
  },
  { name: 'truncated', apply: inBytes((bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length))) },
  {
    name: 'not UTF-8',
    apply: inBytes((bytes) => Buffer.from(bytes).fill(0xff, Math.floor(bytes.length / 2))),
  },
  { name: 'deep', apply: inBytes((_bytes, random) => Buffer.from(deep(pick([63, 65, 5000, 60_000], random)))) },
  {
    name: 'flipped byte',
    apply: inBytes((bytes, random) => {
      const copy = Buffer.from(bytes)
      copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256)
      return copy
    }),
  },
  { name: 'too large', apply: inBytes((bytes) => Buffer.concat([bytes, Buffer.alloc(300_000, 0x20)])) },
  { name: 'no body', apply: (draft) => (draft.body.kind === 'none' ? null : { ...draft, body: { kind: 'none' } }) },
  {
    name: 'body of a GET',
    apply: (draft) => (draft.body.kind === 'none' ? { ...draft, body: { kind: 'json', value: { a: 1 } } } : null),
  },
  {
    name: 'wrong form field',
    apply: (draft, random) => {
      if (draft.body.kind !== 'form') return null
      const fields = draft.body.fields.map(([name, value]): [string, string] => [
        name,
        random() < 0.4 ? pick(hostileTexts, random) : value,
      ])
      const more: [string, string][] =
        random() < 0.5 ? [[pick(['reason', 'surprise', '__proto__'], random), pick(hostileTexts, random)]] : []
      return { ...draft, body: { kind: 'form', fields: [...fields.filter(() => random() > 0.15), ...more] } }
    },
  },
]
