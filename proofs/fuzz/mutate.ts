// Mutations of a draft: each makes the request a little or very wrong.
import { pick, type Random } from '../api/samples.ts'
import { type Draft, pathOf } from './draft.ts'
import { hostileTexts, type Mutation, ofBody } from './mutate-body.ts'

const addHeader = (draft: Draft, name: string, value: string): Draft => ({
  ...draft,
  headers: [...draft.headers.filter(([key]) => key.toLowerCase() !== name), [name, value]],
})

const ofHeaders: Mutation[] = [
  {
    name: 'wrong content type',
    apply: (draft, random) =>
      draft.body.kind === 'none'
        ? null
        : addHeader(
            draft,
            'content-type',
            pick(
              [
                'text/plain',
                'application/xml',
                'application/json; charset=latin1',
                'multipart/form-data',
                'x',
                'application/x-www-form-urlencoded',
                'multipart/form-data; boundary=x',
              ],
              random,
            ),
          ),
  },
  {
    name: 'wrong authorization',
    apply: (draft, random) =>
      addHeader(
        draft,
        'authorization',
        pick(
          ['Basic eA==', 'Bearer', `Bearer ${'x'.repeat(3000)}`, 'Bearer sk_test_x', 'Bearer \u00e9', 'st_x'],
          random,
        ),
      ),
  },
  {
    name: 'wrong cookie',
    apply: (draft, random) =>
      addHeader(
        draft,
        'cookie',
        pick(
          ['console=x', `console=${'A'.repeat(200)}`, 'desk=;;;=', '='.repeat(500), `desk=${'b'.repeat(86)}`],
          random,
        ),
      ),
  },
  {
    name: 'hostile header',
    apply: (draft, random) =>
      addHeader(
        draft,
        pick(
          [
            'x-correlation-id',
            'idempotency-key',
            'x-request-id',
            'x-forwarded-for',
            'traceparent',
            'accept',
            'accept-language',
            'accept-encoding',
            'origin',
            'range',
            'if-none-match',
            'x-api-version',
            'lendloom-version',
            'user-agent',
            'referer',
            'expect',
          ],
          random,
        ),
        pick([...headerTexts], random),
      ),
  },
  {
    name: 'no idempotency key',
    apply: (draft) => ({ ...draft, headers: draft.headers.filter(([name]) => name !== 'idempotency-key') }),
  },
  {
    name: 'many headers',
    apply: (draft) => ({
      ...draft,
      headers: [...draft.headers, ...Array.from({ length: 300 }, (_, i): [string, string] => [`x-${i}`, 'y'])],
    }),
  },
  { name: 'huge header', apply: (draft) => ({ ...addHeader(draft, 'x-huge', 'y'.repeat(20_000)), isBroken: true }) },
  { name: 'two hosts', apply: (draft) => ({ ...draft, headers: [...draft.headers, ['host', 'evil.example']] }) },
  {
    name: 'broken length',
    apply: (draft, random) => ({
      ...addHeader(draft, 'content-length', pick(['-1', 'x', '1e3', '99999999999999999999'], random)),
      isBroken: true,
    }),
  },
  {
    name: 'both lengths',
    apply: (draft) => ({
      ...addHeader(addHeader(draft, 'transfer-encoding', 'chunked'), 'content-length', '3'),
      isBroken: true,
    }),
  },
]
const headerTexts = hostileTexts
  .filter((text) => !/[\r\n\0]/.test(text) && text.length < 4000)
  .map((text) => text.toWellFormed())

const ofAddress: Mutation[] = [
  {
    name: 'wrong query',
    apply: (draft, random) => {
      const names = ['q', ...Object.keys(draft.operation.route.query?.properties ?? {})]
      return { ...draft, query: [...draft.query, [pick(names, random), pick(hostileTexts, random).toWellFormed()]] }
    },
  },
  {
    name: 'unknown query',
    apply: (draft, random) => ({
      ...draft,
      query: [...draft.query, [pick(['surprise', '__proto__', 'a[b]', ''], random), 'x']],
    }),
  },
  {
    name: 'duplicate query',
    apply: (draft) => (draft.query.length === 0 ? null : { ...draft, query: [...draft.query, ...draft.query] }),
  },
  {
    name: 'wrong path value',
    apply: (draft, random) => {
      const names = Object.keys(draft.params)
      if (names.length === 0) return null
      return { ...draft, params: { ...draft.params, [pick(names, random)]: pick(hostileTexts, random) } }
    },
  },
  {
    name: 'hostile path',
    apply: (draft, random) => ({
      ...draft,
      rawPath: pick(
        [
          (path: string) => `${path}/`,
          (path: string) => `${path}/..%2f..%2fetc`,
          (path: string) => path.replace(/.$/, '%'),
          (path: string) => `/${path}`,
          (path: string) => `${path}%00`,
          (path: string) => `${path};a=b`,
          (path: string) => path.toUpperCase(),
          (path: string) => `${path}/${'a/'.repeat(200)}`,
          (path: string) => `${path}${'x'.repeat(3000)}`,
        ],
        random,
      )(pathOf(draft)),
    }),
  },
  {
    name: 'another method',
    apply: (draft, random) => ({
      ...draft,
      method: pick(['HEAD', 'OPTIONS', 'DELETE', 'PUT', 'PATCH', 'POST', 'GET', 'TRACE', 'PROPFIND'], random),
    }),
  },
]

const mutations = [...ofBody, ...ofBody, ...ofHeaders, ...ofAddress]

/** Applies one to three mutations; returns the draft and their names. */
export function mutate(draft: Draft, random: Random): { draft: Draft; names: string[] } {
  const names: string[] = []
  let result = draft
  const count = 1 + Math.floor(random() ** 2 * 3)
  for (let tries = 0; names.length < count && tries < 12; tries++) {
    const mutation = pick(mutations, random)
    const changed = mutation.apply(result, random)
    if (!changed) continue
    result = changed
    names.push(mutation.name)
  }
  return { draft: result, names }
}
