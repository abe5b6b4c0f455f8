// Judges an answer by the published OpenAPI schemas with a validator of its own; the programs' checks are not used.

import { openapi } from '@lendloom/http/openapi'
import { ErrorBody } from '@lendloom/wire/exchange/error'
import { ErrorEnvelope } from '@lendloom/wire/headless/envelope'
import { HybridError } from '@lendloom/wire/hosted/hybrid'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type ApiOperation, operations } from '../api/operations.ts'
import { bodyBytes, type Draft } from './draft.ts'
import type { WireReply } from './wire.ts'

const slowMs = 2000

interface Published {
  body?: ValidateFunction
  /** Whether `""` in an optional field counts as absent. */
  blankIsAbsent: boolean
  parameters: { name: string; in: string; validate: ValidateFunction }[]
  replies: Map<number, ValidateFunction>
  error?: ValidateFunction
}

const ajv = new Ajv2020({ strict: false, allErrors: false })

/** The error format of an API; undefined for APIs of pages. */
function errorSchemaOf({ program, prefix }: ApiOperation): object | undefined {
  if (program === 'partner') return prefix === '/' ? ErrorBody : undefined
  if (program === 'sandbox') return undefined
  if (['/api/partner', '/api/provider'].includes(prefix)) return ErrorBody
  if (prefix === '/api/v1/hybrid') return HybridError
  return ['/api/lab', '/api/v1/headless', '/api/embed', '/api/console', '/api/sandbox'].includes(prefix)
    ? ErrorEnvelope
    : undefined
}

/** Compiles what the OpenAPI document says; hidden operations are published for this purpose. */
function publish(operation: ApiOperation): Published {
  const { api, route } = operation
  const single = { ...api, routes: [{ ...route, hidden: false, operationId: 'call' }] }
  const about = { title: 't', version: '1', description: '', serverUrl: 'http://x', securitySchemes: {} }
  const document = openapi([single], { ...about, groups: [{ name: 'all', description: '', paths: ['/'] }] })
  // Through JSON, as an integrator reads it.
  const item = JSON.parse(JSON.stringify(document)).paths[route.path][route.method.toLowerCase()]
  const schemaIn = (content: { content?: Record<string, { schema?: object }> } | undefined) =>
    content?.content?.['application/json']?.schema
  const body = schemaIn(item.requestBody)
  const error = errorSchemaOf(operation)
  const replies = Object.entries(item.responses as Record<string, object>).flatMap(([status, response]) => {
    const schema = schemaIn(response)
    return schema ? [[Number(status), ajv.compile(schema)] as const] : []
  })
  return {
    ...(body && { body: ajv.compile(body) }),
    ...(error && { error: ajv.compile(JSON.parse(JSON.stringify(error))) }),
    blankIsAbsent: api.blankIsAbsent === true,
    parameters: ((item.parameters ?? []) as { name: string; in: string; schema: object }[])
      .filter((parameter) => parameter.in !== 'header')
      .map((parameter) => ({ ...parameter, validate: ajv.compile(parameter.schema) })),
    replies: new Map(replies),
  }
}

const published = new Map<string, Published>()

export function publishedOf(operation: ApiOperation): Published {
  const known = published.get(operation.name) ?? publish(operation)
  published.set(operation.name, known)
  return known
}

/** Compiles everything; throws for an operation whose schemas an integrator could not compile. */
export const publishAll = (): void => operations.forEach(publishedOf)

export interface Fault {
  kind: string
  detail: string
}

/** Why the answer is wrong; null for a correct one. */
export function faultOf(draft: Draft, reply: WireReply): Fault | null {
  const { status } = reply
  const text = () => reply.body.toString('utf8').slice(0, 300)
  if (status === 0) return draft.isBroken ? null : { kind: 'no answer', detail: `after ${Math.round(reply.ms)} ms` }
  if (status >= 500) return { kind: `status ${status}`, detail: text() }
  if (reply.ms > slowMs) return { kind: 'slow', detail: `${Math.round(reply.ms)} ms` }
  if (draft.rawPath !== undefined || draft.method !== draft.operation.route.method) return null
  // The network acknowledges with status 200 what it refuses (FIS12 §3.1).
  if (reply.body.includes('"status":"NACK"')) return null
  if (status >= 200 && status < 300) return acceptedFault(draft, reply)
  return status >= 400 ? refusalFault(draft, reply) : null
}

function acceptedFault(draft: Draft, reply: WireReply): Fault | null {
  const known = publishedOf(draft.operation)
  const wrong = inputFault(draft, known)
  if (wrong) return { kind: 'accepted although invalid', detail: wrong }
  if (known.replies.size === 0) return null
  const validate = known.replies.get(reply.status)
  if (!validate) return { kind: `undocumented status ${reply.status}`, detail: '' }
  const answer = jsonOf(reply.body)
  return validate(answer) ? null : { kind: 'answer breaks its schema', detail: ajv.errorsText(validate.errors) }
}

/** What the schemas of body, path and query forbid in an accepted request; null when nothing. */
function inputFault(draft: Draft, { body, blankIsAbsent, parameters }: Published): string | null {
  for (const { name, in: place, validate } of parameters) {
    const values =
      place === 'path' ? [draft.params[name]] : draft.query.filter(([key]) => key === name).map(([, value]) => value)
    if (values.length > 1) return `${name} came ${values.length} times`
    const [value] = values
    const isAbsent = value === undefined || (value === '' && blankIsAbsent)
    if (!isAbsent && !validate(value)) return `${name} ${ajv.errorsText(validate.errors)}`
  }
  if (!body) return null
  const bytes = bodyBytes(draft) ?? Buffer.alloc(0)
  const value = bytes.length === 0 ? {} : jsonOf(bytes)
  if (value === undefined) return 'the body is not JSON'
  if (body(value) || (blankIsAbsent && body(withoutBlanks(value)))) return null
  return `body ${ajv.errorsText(body.errors)}`
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function withoutBlanks(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== '')
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutBlanks(inner)]))
}

function refusalFault(draft: Draft, reply: WireReply): Fault | null {
  const { error } = publishedOf(draft.operation)
  if (draft.isBroken) return null
  const type = reply.headers['content-type'] ?? ''
  if (!error)
    return reply.body.length > 0 || draft.method === 'HEAD'
      ? null
      : { kind: 'empty refusal', detail: String(reply.status) }
  const answer = jsonOf(reply.body)
  if (!type.includes('json') || answer === undefined) return { kind: 'refusal is not JSON', detail: type }
  const hasError = typeof answer === 'object' && answer !== null && 'error' in answer && answer.error !== null
  if (!error(answer) || !hasError) return { kind: 'refusal breaks its schema', detail: ajv.errorsText(error.errors) }
  return null
}
