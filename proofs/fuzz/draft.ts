// A request before it is written to the wire: its parts, which mutations change and shrinking reduces.
import type { ApiOperation } from '../api/operations.ts'

export type DraftBody =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: [string, string][] }
  /** Bytes that mutations have made out of another kind, or that never were JSON or a form. */
  | { kind: 'bytes'; bytes: Buffer; isJson: boolean }

export interface Draft {
  operation: ApiOperation
  method: string
  /** Values of the path's parameters, percent-encoded when written. */
  params: Record<string, string>
  /** Replaces the path when a mutation made it hostile. */
  rawPath?: string
  query: [string, string][]
  headers: [string, string][]
  body: DraftBody
  /** Signs the bytes of the body. */
  sign?: (bytes: Buffer) => Record<string, string>
  /** Whether the request is not valid HTTP, so that the server may close the connection without an answer. */
  isBroken?: true
}

export const pathOf = ({ operation, params, rawPath }: Draft): string =>
  rawPath ??
  operation.route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params[name] ?? '').toWellFormed()),
  )

export function bodyBytes({ body }: Draft): Buffer | null {
  if (body.kind === 'none') return null
  if (body.kind === 'bytes') return body.bytes
  if (body.kind === 'json') return Buffer.from(JSON.stringify(body.value) ?? '')
  return Buffer.from(new URLSearchParams(body.fields).toString())
}

const contentTypes = { none: null, json: 'application/json', form: 'application/x-www-form-urlencoded', bytes: null }

export function wireBytes(draft: Draft, host: string): Buffer {
  const bytes = bodyBytes(draft)
  const has = (name: string) => draft.headers.some(([key]) => key.toLowerCase() === name)
  const query = draft.query.length === 0 ? '' : `?${new URLSearchParams(draft.query).toString()}`
  const type = draft.body.kind === 'bytes' && draft.body.isJson ? 'application/json' : contentTypes[draft.body.kind]
  const headers: [string, string][] = [
    ['host', host],
    ...draft.headers,
    ...(bytes && draft.sign ? Object.entries(draft.sign(bytes)) : []),
    ...(type && !has('content-type') ? [['content-type', type] as [string, string]] : []),
    ...(bytes && !has('content-length') && !has('transfer-encoding')
      ? [['content-length', String(bytes.length)] as [string, string]]
      : []),
  ]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = Buffer.from(`${draft.method} ${pathOf(draft)}${query} HTTP/1.1\r\n${lines}\r\n`, 'utf8')
  return bytes ? Buffer.concat([head, bytes]) : head
}

/** For people: the request without the credential, shortened. */
export function describe(draft: Draft): string {
  const query = draft.query.length === 0 ? '' : `?${new URLSearchParams(draft.query)}`
  const headers = draft.headers
    .filter(([name]) => !['authorization', 'cookie'].includes(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`)
  const body = bodyBytes(draft)?.toString('utf8') ?? ''
  const text = [`${draft.method} ${pathOf(draft)}${query}`, ...headers, body].join(' | ')
  return JSON.stringify(text.length > 500 ? `${text.slice(0, 500)}… (${text.length})` : text)
}
