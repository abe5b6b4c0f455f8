// Validators of outgoing messages and received bodies, for all dialects.

import { memoizePerOwner } from '@lendloom/foundation/cache'
import { fieldsOf, isObject } from '@lendloom/foundation/record'
import type { FieldError } from '@lendloom/foundation/refusal'
import { faults, type TSchema, Type } from '@lendloom/foundation/schema'
import { contextFaults, type Dialect, type Fault, NetworkError } from './context.ts'
import type { MessageRule } from './rule-combinators.ts'
import type { Action } from './sequence.ts'

export type MessageSchemas<A extends string = Action> = Record<A, TSchema>

/** Chooses the schema of a message. An action has several in some dialects, by what the message is about. */
export type SchemaChoice<A extends string = Action> = (action: A, message: unknown) => TSchema

/** The choice where each action has one schema. */
export const oneSchemaEach =
  <A extends string>(schemas: MessageSchemas<A>): SchemaChoice<A> =>
  (action) =>
    schemas[action]

/** The message schemas of a dialect by action. Several actions have the same schema. */
export const schemasOf = <
  Search extends TSchema,
  OnSearch extends TSchema,
  Buyer extends TSchema,
  Lender extends TSchema,
  Placed extends TSchema,
  Status extends TSchema,
  Update extends TSchema,
>(shape: {
  SearchMessage: Search
  OnSearchMessage: OnSearch
  BuyerMessage: Buyer
  LenderMessage: Lender
  PlacedMessage: Placed
  StatusMessage: Status
  UpdateMessage: Update
}) => ({
  search: shape.SearchMessage,
  on_search: shape.OnSearchMessage,
  select: shape.BuyerMessage,
  on_select: shape.LenderMessage,
  init: shape.BuyerMessage,
  on_init: shape.LenderMessage,
  confirm: shape.BuyerMessage,
  on_confirm: shape.PlacedMessage,
  status: shape.StatusMessage,
  on_status: shape.LenderMessage,
  update: shape.UpdateMessage,
  on_update: shape.PlacedMessage,
  on_cancel: shape.PlacedMessage,
})

/**
 * Returns the validator of outgoing messages. `section` names the source of the rules. Unknown keys, and numbers
 * instead of strings, are also faults (FIS12 §3.3).
 */
export function outgoingFaultsOf<A extends string = Action>(
  section: string,
  rules: Record<A, MessageRule[]>,
  schemaOf: SchemaChoice<A>,
) {
  return (action: A, message: unknown): Fault[] => {
    const ruleFindings = rules[action].flatMap((rule) => rule({ path: '$.message', value: message }))
    const schemaFaults = faults(strictMessage(schemaOf(action, message)), message).map((fault) => ({
      ...fault,
      path: jsonPath(fault.path),
    }))
    const reportedPaths = new Set(ruleFindings.map(({ path }) => path))
    const isAmbiguous = action === 'status' && !hasOneReference(message)
    return [
      ...ruleFindings.map((finding) => ({ ...finding, section: `${section} ${action}` })),
      ...schemaFaults
        .filter(({ path }) => !reportedPaths.has(path))
        .map((fault) => ({ ...fault, section: 'FIS12 §3.3' })),
      ...(isAmbiguous
        ? [{ path: '$.message', message: 'must have exactly one of order_id, ref_id', section: `${section} status` }]
        : []),
    ]
  }
}

/** Converts `order.items.0.id` to `$.message.order.items[0].id`. */
const jsonPath = (path: string): string => `$.message${path && `.${path}`}`.replace(/\.(\d+)(?=\.|$)/g, '[$1]')

/** FIS12 §11.2: a status request has either `order_id` or `ref_id`. */
function hasOneReference(message: unknown): boolean {
  const { order_id, ref_id } = fieldsOf(message)
  return (order_id === undefined) !== (ref_id === undefined)
}

interface SchemaParts {
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  items?: TSchema
  type?: unknown
}

/** The strict schema of a message, made once: actions and variants share schemas, and compiling one takes long. */
const strictMessage = memoizePerOwner((schema: TSchema) => schema, strictSchema)

/** Makes a schema strict for outgoing messages: objects are closed, and numbers must be strings. */
function strictSchema(schema: TSchema): TSchema {
  if (!schema || typeof schema !== 'object') return schema
  const { properties, patternProperties, items: item, type }: SchemaParts = schema
  if (properties)
    return Type.Unsafe({
      ...schema,
      type: Array.isArray(type) ? type : 'object',
      properties: allStrict(properties),
      additionalProperties: false,
    })
  if (patternProperties) return Type.Unsafe({ ...schema, patternProperties: allStrict(patternProperties) })
  if (item) return Type.Unsafe({ ...schema, items: strictSchema(item) })
  return Array.isArray(type) ? Type.Unsafe({ ...schema, type: 'string' }) : schema
}

const allStrict = (properties: Record<string, TSchema>): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, strictSchema(inner)]))

/** An error without a code, or of zeros as software writes success, tells of no error and must end no loan (FIS12 §3.2). */
function faultsOfError(error: unknown): FieldError[] {
  const found = faults(NetworkError, error, 'error')
  const namesNone = found.length === 0 && /^[\s0]*$/.test(String(fieldsOf(error).code))
  return namesNone ? [{ path: 'error.code', message: 'must name an error' }] : found
}

/**
 * Returns the validator of received bodies. A body with faults gets a NACK. The context must name the action of the
 * endpoint. A callback may have an `error` instead of a `message` (FIS12 §3.2); null is none.
 */
export function bodyFaultsOf<A extends string = Action>(dialect: Dialect, schemaOf: SchemaChoice<A>) {
  return (action: A, body: unknown): FieldError[] => {
    if (!isObject(body)) return [{ path: '', message: 'must be an object' }]
    const { context, message, error } = body
    const foundInContext = contextFaults(context, 'context', dialect)
    if (foundInContext.length > 0) return foundInContext
    if (fieldsOf(context).action !== action)
      return [{ path: 'context.action', message: `must be ${action}, like the endpoint` }]
    const errorFaults = action.startsWith('on_') && error != null ? faultsOfError(error) : []
    if (errorFaults.length > 0) return errorFaults
    if (action.startsWith('on_') && error != null && message === undefined) return []
    if (message === undefined) return [{ path: 'message', message: 'is required' }]
    const isAmbiguous = action === 'status' && !hasOneReference(message)
    return [
      ...faults(schemaOf(action, message), message, 'message'),
      ...(isAmbiguous ? [{ path: 'message', message: 'must have exactly one of order_id and ref_id' }] : []),
    ]
  }
}
