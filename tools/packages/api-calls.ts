// The operations of the OpenAPI document as the packages for integrators call them.

import { required } from '@lendloom/foundation/required'
import { type JsonSchema, schemaName } from '@lendloom/foundation/schema-fields'
import { methods, type Operation, type Parameter } from '@lendloom/http/openapi-document'
import { platformDocument } from '../docs/openapi.ts'

export const document = platformDocument()

/** The named schemas as plain JSON. */
export const schemas: Record<string, JsonSchema> = JSON.parse(JSON.stringify(document.components?.schemas))

export interface ApiCall {
  name: string
  /** In upper case. */
  method: string
  path: string
  /** What it does, with the section that it obeys. */
  meaning: string
  /** When it was deprecated and what replaces it; undefined if it is not deprecated. */
  deprecation: string | undefined
  /** The name of the security scheme. */
  credential: string
  inPath: Parameter[]
  inQuery: Parameter[]
  /** The name of the body's schema; undefined without a body. */
  body: string | undefined
  isBodyOptional: boolean
  /** The name of the schema of a success; undefined if it has no body. */
  answer: string | undefined
}

export const calls: ApiCall[] = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method]
    return operation ? [callOf(method, path, operation)] : []
  }),
)

function callOf(method: string, path: string, operation: Operation): ApiCall {
  const { operationId, summary, 'x-section': section, security = [], parameters = [], responses } = operation
  const { deprecated, 'x-sunset': sunset, 'x-replacement': replacement } = operation
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const body = bodyName(operation.requestBody)
  return {
    name: required(operationId, `the name of ${method} ${path}`),
    method: method.toUpperCase(),
    path,
    meaning: `${summary} (${section}).`,
    deprecation: deprecated && `Removed no earlier than ${sunset}: use ${replacement}.`,
    credential: Object.keys(security[0] ?? {})[0] ?? '',
    inPath: parameters.filter((each) => each.in === 'path'),
    inQuery: parameters.filter((each) => each.in === 'query'),
    body,
    isBodyOptional: body !== undefined && (schemas[body]?.required ?? []).length === 0,
    answer: bodyName(success),
  }
}

function bodyName(body: Operation['requestBody']): string | undefined {
  const schema: JsonSchema | undefined = body?.content?.['application/json']?.schema
  return schema?.$ref === undefined ? undefined : schemaName(schema.$ref)
}
