// The calls of the reference page: samples in several languages, and what its script needs to make one.

import { type Html, html } from './markup.ts'
import type { Body, Content, OpenApiDocument, Operation } from './openapi.ts'
import { type ExampleCall, sampleOf } from './samples.ts'
import { type JsonSchema, schemaName } from './schema-fields.ts'

/** An operation with the place that it is called at. */
export interface ReferenceEntry extends Operation {
  id: string
  method: string
  /** The path, or the name of a webhook, which has an address of the receiver's own. */
  place: string
  isWebhook: boolean
}

export const contentOf = (body: Body | undefined): Content | undefined => Object.values(body?.content ?? {})[0]

/** The example of a body, or of the schema that it names. */
export function exampleOf(body: Body | undefined, { components }: OpenApiDocument): unknown {
  const content = contentOf(body)
  const schema: JsonSchema = content?.schema ?? {}
  const named: JsonSchema = schema.$ref === undefined ? schema : (components?.schemas?.[schemaName(schema.$ref)] ?? {})
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value ?? named.examples?.[0]
}

export const exampleBlock = (title: string, value: unknown): Html | null =>
  value === undefined ? null : block(title, JSON.stringify(value, null, 2))

const block = (title: string, text: string, language?: string): Html =>
  html`<figure${language !== undefined && html` data-sample="${language}"`}><figcaption>${title}</figcaption><div class="wide" tabindex="0" role="region" aria-label="${title}"><pre>${text}</pre></div></figure>`

/** The call in each language; a form with files only in curl. */
export function callSamples(entry: ReferenceEntry, document: OpenApiDocument): Html {
  const command = curl(entry, document)
  const { method, place, security = [], parameters = [], requestBody } = entry
  if (requestBody?.content?.['multipart/form-data'] !== undefined) return block('Request', command)
  const call: ExampleCall = {
    ...{ method, path: place, baseUrl: document.servers[0]?.url ?? '' },
    token: security.length > 0 ? 'TOKEN' : '',
    isKey: security.some((each) => 'apiKey' in each),
    headers: parameters.filter((each) => each.in === 'header' && each.required).map(({ name }) => name),
    body: exampleOf(requestBody, document),
  }
  return html`${block('Request, curl', command, 'curl')}${block('Request, Node', sampleOf('node', call), 'node')}${block('Request, Python', sampleOf('python', call), 'python')}`
}

/** The place for calls of the reader; the page's script inserts the form. Files cannot be sent here. */
export function tryItBlock(entry: ReferenceEntry, document: OpenApiDocument): Html | null {
  const { method, place, security = [], parameters = [], requestBody } = entry
  if (requestBody?.content?.['multipart/form-data'] !== undefined) return null
  const body = requestBody === undefined ? null : JSON.stringify(exampleOf(requestBody, document) ?? {}, null, 2)
  const call = {
    ...{ method, place, body },
    credential: security.flatMap((each) => Object.keys(each))[0] ?? null,
    parameters: parameters.map(({ name, in: where, required = false }) => ({ name, where, required })),
  }
  return html`<details class="try" data-call="${JSON.stringify(call)}"><summary>Try it</summary></details>`
}

/** The call as a copyable command with placeholders for the caller's own values. */
function curl(entry: ReferenceEntry, document: OpenApiDocument): string {
  const { method, place, security = [], parameters = [], requestBody } = entry
  const given = exampleOf(requestBody, document)
  const headers = [
    ...(security.length > 0 ? ['Authorization: Bearer $TOKEN'] : []),
    ...parameters.filter((each) => each.in === 'header' && each.required).map(({ name }) => `${name}: …`),
  ]
  const lines = [
    `curl -X ${method} "${document.servers[0]?.url ?? ''}${place}"`,
    ...headers.map((header) => `-H "${header}"`),
    ...(given === undefined ? [] : Object.keys(requestBody?.content ?? {}).flatMap((type) => sent(type, given))),
  ]
  return lines.join(' \\\n  ')
}

/** The options of curl that send a body. */
const sent = (type: string, body: unknown): string[] =>
  type === 'multipart/form-data'
    ? Object.entries(body ?? {}).map(([name, value]) => `-F "${name}=${name === 'file' ? '@' : ''}${value}"`)
    : [`-H "Content-Type: ${type}"`, `-d '${JSON.stringify(body, null, 2)}'`]
