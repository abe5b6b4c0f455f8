// An independent counterpart that has only the published document of the exchange and the credentials from onboarding.
import assert from 'node:assert/strict'
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { ListenerRequest } from '@lendloom/conformance/exchange/listener'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { serve } from './exchange-proxy.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape is defined by the document
export type Json = any

/** Credentials that one side presents to the other. */
export interface Onboarding {
  sender: string
  bearer: string
  keyId: string
  secret: string
}
export const onboarding = (sender: string): Onboarding => ({
  sender,
  bearer: `bearer-${randomUUID()}`,
  keyId: `key-${randomUUID()}`,
  secret: `secret-${randomUUID()}`,
})

interface Operation {
  url: string
  method: string
  /** JSON pointer into the document. */
  pointer: string
  definition: Json
}

/** A published OpenAPI document, read as any tool would. */
export class PublishedDocument {
  readonly api: Json
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false })
  readonly #compiled = new Map<string, ValidateFunction>()

  private constructor(api: Json) {
    this.api = api
    this.#ajv.addSchema(api, 'api')
  }

  static async at(url: string): Promise<PublishedDocument> {
    const answer = await fetch(url)
    assert.equal(answer.status, 200)
    return new PublishedDocument(await answer.json())
  }

  operation(operationId: string): Operation {
    for (const under of ['paths', 'webhooks'])
      for (const [name, item] of Object.entries<Json>(this.api[under]))
        for (const [method, definition] of Object.entries<Json>(item)) {
          if (definition?.operationId !== operationId) continue
          const url = item.servers ? item.servers[0].url : this.api.servers[0].url + name
          return { url, method: method.toUpperCase(), definition, pointer: `/${under}/${escaped(name)}/${method}` }
        }
    throw new Error(`the document has no operation ${operationId}`)
  }

  /** Fails when a value does not match the schema at this pointer. */
  assertMatches(pointer: string, value: unknown, what: string): void {
    const validator = this.#compiled.get(pointer) ?? this.#ajv.compile({ $ref: `api#${encodeURI(pointer)}` })
    this.#compiled.set(pointer, validator)
    assert.ok(validator(value), `${what} does not match the document: ${this.#ajv.errorsText(validator.errors)}`)
  }

  /** Fails when a body does not match the operation's request schema. */
  assertRequestBody(operationId: string, body: unknown): void {
    const { pointer } = this.operation(operationId)
    this.assertMatches(`${pointer}/requestBody/content/application~1json/schema`, body, operationId)
  }

  /** Returns the example of a schema or event type with all times set to `at`. */
  example(name: string, at: Date): Json {
    const { PlatformEvent, PartnerEvent, ...others } = this.api.components.schemas
    const event = PlatformEvent.discriminator.mapping[name] ?? PartnerEvent.discriminator.mapping[name]
    return withTimes(others[event?.split('/').at(-1) ?? name].examples[0], at)
  }
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns a copy in which every `…_at` is this time, and offers are valid for another week. */
const withTimes = (value: Json, at: Date): Json =>
  JSON.parse(JSON.stringify(value), (key, inner) => {
    if (typeof inner !== 'string') return inner
    if (key === 'valid_until' && inner.includes('T')) return new Date(at.getTime() + 7 * 86_400_000).toISOString()
    return /(^|_)at$/.test(key) ? at.toISOString() : inner
  })

const macOf = (secret: string, sentAt: string, raw: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(`${sentAt}\n`).update(raw).digest('hex')}`

export interface OutgoingRequest {
  body?: Json
  form?: Record<string, string>
  file?: { name: string; type: string; bytes: Buffer }
  query?: Record<string, string>
  /** Replaces headers; null leaves one out. */
  change?: Record<string, string | null>
  /** Time in the signature. */
  sentAt?: Date
  /** Overrides the operation's method. */
  method?: string
}

export interface HttpAnswer {
  status: number
  headers: Headers
  body: Json
}

/** Sends a request with the headers that the document requires; the answer must match the document. */
export async function sendRequest(
  document: PublishedDocument,
  operationId: string,
  credentials: Onboarding,
  { body, form, file, query, change = {}, sentAt = new Date(), method }: OutgoingRequest,
): Promise<HttpAnswer> {
  const operation = document.operation(operationId)
  const raw = Buffer.isBuffer(body) ? body : body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const seconds = String(Math.floor(sentAt.getTime() / 1000))
  const known: Record<string, string> = {
    'Idempotency-Key': body?.event_id ?? body?.request_id ?? form?.request_id ?? randomUUID(),
    'X-Request-Id': randomUUID(),
    'X-Key-Id': credentials.keyId,
    'X-Sent-At': seconds,
    'X-Signature': macOf(credentials.secret, seconds, raw ?? Buffer.alloc(0)),
  }
  const headers = new Headers({ authorization: `Bearer ${credentials.bearer}` })
  for (const parameter of operation.definition.parameters) {
    if (parameter.in !== 'header') continue
    assert.ok(known[parameter.name], `the document requires an unknown header ${parameter.name}`)
    headers.set(parameter.name, known[parameter.name]!)
  }
  if (raw) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(change)) value === null ? headers.delete(name) : headers.set(name, value)
  const answer = await fetch(`${operation.url}${query ? `?${new URLSearchParams(query)}` : ''}`, {
    method: method ?? operation.method,
    headers,
    ...(raw && { body: new Uint8Array(raw) }),
    ...(form && { body: formOf(form, file) }),
  })
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  const received = { status: answer.status, headers: answer.headers, body: await answer.json() }
  const { responses } = operation.definition
  const statusKey = responses[received.status] ? received.status : 'default'
  assert.ok(statusKey !== 'default' || received.status >= 400, `${operationId} was answered ${received.status}`)
  const where = `${operation.pointer}/responses/${statusKey}/content/application~1json/schema`
  document.assertMatches(where, received.body, `${received.status} of ${operationId}`)
  return received
}

function formOf(fields: Record<string, string>, file: OutgoingRequest['file']): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (file) form.set('file', new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name)
  return form
}

export interface ReceivedRequest extends ListenerRequest {
  operationId: string
  /** The JSON of an event or a dedupe. */
  body: Json
  form: FormData | null
}
export interface Answer {
  status: number
  body: Json
}

/** Starts a server of the counterpart for these paths; deviations from the document are collected in `faults`. */
export async function serveOperations(
  operations: Record<string, string>,
  counterpart: Onboarding,
  handle: (received: ReceivedRequest) => Answer | Promise<Answer>,
): Promise<{ url: string; faults: string[]; read(document: PublishedDocument): void }> {
  const faults: string[] = []
  let document: PublishedDocument | undefined
  const url = await serve(async (request) => {
    const route = `${request.method} ${request.path}`
    try {
      const operationId = operations[route]
      assert.ok(operationId && document, `${route} is not in the document`)
      const { status, body } = await handle(await validateRequest(document, operationId, counterpart, request))
      const { pointer, definition } = document.operation(operationId)
      const known = definition.responses[status] ? status : 'default'
      document.assertMatches(
        `${pointer}/responses/${known}/content/application~1json/schema`,
        body,
        `our ${operationId}`,
      )
      return { status, body }
    } catch (error) {
      faults.push((error as Error).message)
      return { status: 500 }
    }
  })
  return {
    url,
    faults,
    read(published) {
      document = published
    },
  }
}

/** Validates credential, headers, signature and content by the document. */
async function validateRequest(
  document: PublishedDocument,
  operationId: string,
  counterpart: Onboarding,
  request: ListenerRequest,
): Promise<ReceivedRequest> {
  const { headers, query, raw } = request
  const { definition, pointer } = document.operation(operationId)
  assert.equal(headers.authorization, `Bearer ${counterpart.bearer}`)
  for (const [i, { name, in: where, required }] of definition.parameters.entries()) {
    const value = where === 'query' ? query.get(name) : headers[name.toLowerCase()]
    if (required || value)
      document.assertMatches(`${pointer}/parameters/${i}/schema`, value, `${name} of ${operationId}`)
  }
  const multipart = definition.requestBody?.content['multipart/form-data']
  if (multipart) {
    const type = { 'content-type': headers['content-type']! }
    const form = await new Response(new Uint8Array(raw), { headers: type }).formData()
    const fields = Object.fromEntries(form.entries())
    document.assertMatches(`${pointer}/requestBody/content/multipart~1form-data/schema`, fields, operationId)
    assert.equal(headers['idempotency-key'], form.get('request_id'))
    return { ...request, operationId, body: null, form }
  }
  if (!definition.requestBody) return { ...request, operationId, body: null, form: null }
  if (headers['x-signature'] !== undefined) {
    const receivedSignature = Buffer.from(String(headers['x-signature']))
    const sentAt = String(headers['x-sent-at'])
    assert.equal(headers['x-key-id'], counterpart.keyId)
    assert.ok(Math.abs(Date.now() / 1000 - Number(sentAt)) <= 300, 'the request is more than 300 seconds old or early')
    const expectedSignature = Buffer.from(macOf(counterpart.secret, sentAt, raw))
    assert.ok(
      receivedSignature.length === expectedSignature.length && timingSafeEqual(receivedSignature, expectedSignature),
      'the signature does not match',
    )
  }
  const body = JSON.parse(raw.toString('utf8'))
  document.assertRequestBody(operationId, body)
  assert.equal(headers['idempotency-key'], body.event_id ?? body.request_id)
  if (body.event_id) assert.equal(body.sender, counterpart.sender)
  return { ...request, operationId, body, form: null }
}
