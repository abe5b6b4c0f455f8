// Sample calls on the reference page, in several languages, and the data from which its script sends a call.

import { type JsonSchema, schemaName } from '@lendloom/foundation/schema-fields'
import { type Html, html } from './markup.ts'
import type { Body, Content, OpenApiDocument, Operation } from './openapi-document.ts'
import { type ExampleCall, formSample, languages, sampleOf } from './sample-calls.ts'

export interface ReferenceEntry extends Operation {
  id: string
  method: string
  /** The path of an operation, or the name of a webhook, whose address the receiver chooses. */
  place: string
  isWebhook: boolean
}

export const contentOf = (body: Body | undefined): Content | undefined => Object.values(body?.content ?? {})[0]

export function schemaOf(body: Body | undefined, { components }: OpenApiDocument): JsonSchema | undefined {
  const schema: JsonSchema | undefined = contentOf(body)?.schema
  return schema?.$ref === undefined ? schema : (components?.schemas?.[schemaName(schema.$ref)] ?? {})
}

export function exampleOf(body: Body | undefined, document: OpenApiDocument): unknown {
  const content = contentOf(body)
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value ?? schemaOf(body, document)?.examples?.[0]
}

export const exampleBlock = (title: string, value: unknown): Html | null =>
  value === undefined ? null : block(title, JSON.stringify(value, null, 2))

const block = (title: string, text: string, language?: string): Html =>
  html`<figure${language !== undefined && html` data-sample="${language}"`}><figcaption>${title}</figcaption><div class="wide" tabindex="0" role="region" aria-label="${title}"><pre>${text}</pre></div></figure>`

/** Samples of the call in each language; a form with files has only a sample for curl. */
export function callSamples(entry: ReferenceEntry, document: OpenApiDocument): Html {
  const { method, place, operationId, security = [], parameters = [], requestBody } = entry
  const call: ExampleCall = {
    method,
    path: place,
    operationId,
    baseUrl: document.servers[0]?.url ?? '',
    scheme: Object.keys(security[0] ?? {})[0] ?? '',
    token: security.length > 0 ? 'TOKEN' : '',
    headers: parameters.filter((each) => each.in === 'header' && each.required).map(({ name }) => name),
    body: exampleOf(requestBody, document),
  }
  if (requestBody?.content?.['multipart/form-data'] !== undefined) return block('Request', formSample(call))
  return html`${languages.map(([language, name]) => block(`Request, ${name}`, sampleOf(language, call), language))}`
}

/** The block in which the page's script inserts a form to send the call; null for a form with files. */
export function tryItBlock(entry: ReferenceEntry, document: OpenApiDocument): Html | null {
  const { method, place, security = [], parameters = [], requestBody } = entry
  if (requestBody?.content?.['multipart/form-data'] !== undefined) return null
  const body = requestBody === undefined ? null : JSON.stringify(exampleOf(requestBody, document) ?? {}, null, 2)
  const call = {
    method,
    place,
    body,
    credential: security.flatMap((each) => Object.keys(each))[0] ?? null,
    parameters: parameters.map(({ name, in: where, required = false }) => ({ name, where, required })),
  }
  return html`<details class="try" data-call="${JSON.stringify(call)}"><summary>Try it</summary></details>`
}
