// The context of a message (sender, receiver, conversation, validity) and its acknowledgement (FIS12 §3.1, §4).

import { durationMs } from '@lendloom/foundation/clock'
import { fieldsOf, isOneOf } from '@lendloom/foundation/record'
import type { FieldError } from '@lendloom/foundation/refusal'
import { faults, fits, markPersonal, OneOf, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { type AnyAction, igmActions } from './igm/actions.ts'
import { actions, extraActions } from './sequence.ts'

/** The supported versions of the protocol. All messages of a journey use the same version. */
export const olderDialects = ['2.0.1', '2.0.2'] as const
export type OlderDialect = (typeof olderDialects)[number]
const dialects = [...olderDialects, '2.0.3', '2.3.0'] as const
export type Dialect = (typeof dialects)[number]

/** The domains of the network that we speak in: credit, and loans against mutual funds with stops (FIS12 §27). */
export const networkDomains = ['ONDC:FIS12', 'ONDC:FIS12:SL'] as const
export type NetworkDomain = (typeof networkDomains)[number]

/** The domain of every message unless a lender's catalogue came in another. */
export const usualDomain: NetworkDomain = networkDomains[0]

/** Returns the dialect of an unvalidated message; 2.0.3 for an unknown version, which then fails validation. */
export const dialectIn = (body: unknown): Dialect => {
  const { version } = fieldsOf(fieldsOf(body).context)
  return dialects.find((dialect) => dialect === version) ?? '2.0.3'
}

/** Returns the domain of an unvalidated message; the usual one for an unknown one, which then fails validation. */
export const domainIn = (body: unknown): NetworkDomain => {
  const { domain } = fieldsOf(fieldsOf(body).context)
  return networkDomains.find((known) => known === domain) ?? usualDomain
}

const validationMessage = (text: string) => ({ 'x-says': text })
const SubscriberId = Type.String({
  pattern: '^(?!(?:.*\\.)?(?:https?|www)(?:\\.|$))[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+$',
  ...validationMessage('must be a bare domain name'),
})
const SubscriberUri = Type.String({
  pattern: '^https?://[^\\s/]+(?:/\\S*)?$',
  ...validationMessage('must be an http(s) URL'),
})
const PortlessUri = Type.String({
  pattern: '^https?://[^\\s/:]+(?:/\\S*)?$',
  ...validationMessage('must be an http(s) URL without a port'),
})

export const Rfc3339 = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2})$',
  ...validationMessage('must be an RFC 3339 timestamp'),
})

export const MessageContext = Type.Object({
  domain: OneOf<NetworkDomain>([usualDomain]),
  location: Type.Object({
    country: Type.Object({ code: Type.Literal('IND') }),
    city: Type.Object({ code: Type.Unsafe<string>(Type.Literal('*')) }),
  }),
  version: OneOf<Dialect>(['2.0.3']),
  action: OneOf<AnyAction>([...actions, ...igmActions, ...extraActions]),
  bap_id: SubscriberId,
  bap_uri: SubscriberUri,
  bpp_id: Type.Optional(SubscriberId),
  bpp_uri: Type.Optional(SubscriberUri),
  transaction_id: Type.String({ minLength: 1, maxLength: 128 }),
  message_id: Type.String({ minLength: 1, maxLength: 128 }),
  timestamp: Rfc3339,
  ttl: Type.String({
    pattern: '^P(?=.)(?:\\d+Y)?(?:\\d+M)?(?:\\d+W)?(?:\\d+D)?(?:T(?=.)(?:\\d+H)?(?:\\d+M)?(?:\\d+(?:\\.\\d+)?S)?)?$',
    ...validationMessage('must be an ISO 8601 duration'),
  }),
})
export type MessageContext = Static<typeof MessageContext>

/** The context of a message with a lender: every message except a broadcast `search`. */
export type LenderContext = MessageContext & { bpp_id: string; bpp_uri: string }

const { location, ...sharedFields } = MessageContext.properties
const cityOrAll = Type.String({
  pattern: '^(?:\\*|std:\\d{2,4})$',
  ...validationMessage('must be * or std: and a dialling code'),
})

const contextIn = (version: Dialect) =>
  Type.Object({ ...MessageContext.properties, version: OneOf<Dialect>([version]) })

/** Unlike 2.0.3, dialect 2.3.0 allows city codes and a second domain, but no ports in addresses. */
export const contexts: Record<Dialect, TSchema> = {
  '2.0.1': contextIn('2.0.1'),
  '2.0.2': contextIn('2.0.2'),
  '2.0.3': MessageContext,
  '2.3.0': Type.Object({
    ...sharedFields,
    domain: OneOf<NetworkDomain>([...networkDomains]),
    location: Type.Object({ ...location.properties, city: Type.Object({ code: cityOrAll }) }),
    version: OneOf(['2.3.0']),
    bap_uri: PortlessUri,
    bpp_uri: Type.Optional(PortlessUri),
  }),
}

/** Whether a context matches the schema of this dialect. `contextFaults` also requires the lender. */
export const isContext = (context: unknown, dialect: Dialect): context is MessageContext =>
  fits(contexts[dialect], context)

/** Returns the context of a validated body. Throws if the body has no valid context (a bug). */
export function requireContext(body: unknown): MessageContext {
  const { context } = fieldsOf(body)
  if (!isContext(context, dialectIn(body))) throw new Error('the message has no context')
  return context
}

/** Returns the context of a lender's validated message. Throws if the context names no lender (a bug). */
export function requireLenderContext(body: unknown): LenderContext {
  const context = requireContext(body)
  const { bpp_id, bpp_uri } = context
  if (bpp_id === undefined || bpp_uri === undefined) throw new Error('the message does not name its lender')
  return { ...context, bpp_id, bpp_uri }
}

/** Returns the faults of a context in this dialect. Only a broadcast `search` may omit the lender. */
export function contextFaults(context: unknown, prefix = 'context', dialect: Dialect = '2.0.3'): FieldError[] {
  if (!isContext(context, dialect)) {
    const isKnownVersion = isOneOf(dialects, fieldsOf(context).version)
    return faults(contexts[dialect], context, prefix).map((fault) =>
      fault.path === `${prefix}.version` && !isKnownVersion
        ? { ...fault, message: `must be one of ${dialects.join(', ')}` }
        : fault,
    )
  }
  const { action, bpp_id, bpp_uri } = context
  if (action === 'search') return []
  const missing = Object.entries({ bpp_id, bpp_uri }).filter(([, value]) => value === undefined)
  return missing.map(([name]) => ({ path: `${prefix}.${name}`, message: 'is required' }))
}

export interface Party {
  id: string
  uri: string
}

/** The fields of a new context. Only a broadcast `search` omits `bpp`. `ttl` limits the wait for the callback. */
export interface NewContext {
  action: AnyAction
  bap: Party
  bpp?: Party
  transactionId: string
  messageId: string
  at: Date
  ttl?: string
  version?: Dialect
  domain?: NetworkDomain
}

export function contextOf(fields: NewContext): MessageContext {
  const { action, bap, bpp, transactionId, messageId, at, ttl = 'PT30S' } = fields
  const { version = '2.0.3', domain = usualDomain } = fields
  return {
    domain,
    location: { country: { code: 'IND' }, city: { code: '*' } },
    version,
    action,
    bap_id: bap.id,
    bap_uri: bap.uri,
    ...(bpp && { bpp_id: bpp.id, bpp_uri: bpp.uri }),
    transaction_id: transactionId,
    message_id: messageId,
    timestamp: at.toISOString(),
    ttl,
  }
}

/** The instant after which the sender no longer accepts the callback; `P30M` means minutes, as published (FIS12 §3.3). */
export const expiresAt = ({ timestamp, ttl }: Pick<MessageContext, 'timestamp' | 'ttl'>): Date =>
  new Date(new Date(timestamp).getTime() + (durationMs(ttl.replace(/^P(?=\d+M$)/, 'PT')) ?? 0))

/** Whether a callback that arrives at `at` is too late for its request (error 80214). */
export const isLate = (request: Pick<MessageContext, 'timestamp' | 'ttl'>, at: Date): boolean => at > expiresAt(request)

/** The address for a message: the party's URI and the action, separated by one slash (FIS12 §2). */
export const actionUrl = (uri: string, action: AnyAction): string => `${uri.replace(/(?<!\/)\/+$/, '')}/${action}`

/** The `error` of a NACK and of an error callback (FIS12 §3.2). */
export const NetworkError = Type.Object({
  code: Type.String(),
  message: Type.Optional(markPersonal(Type.String())),
  type: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
})
export type NetworkError = Static<typeof NetworkError>

export const Acknowledgement = Type.Object({
  message: Type.Object({ ack: Type.Object({ status: OneOf(['ACK', 'NACK']) }) }),
  error: Type.Optional(NetworkError),
})
export type Acknowledgement = Static<typeof Acknowledgement>

export const ack: Acknowledgement = { message: { ack: { status: 'ACK' } } }

/** Rejects the message; no callback follows. */
export const nack = (error: NetworkError): Acknowledgement => ({ message: { ack: { status: 'NACK' } }, error })

/** A violation of the specification. */
export interface Fault {
  /** The JSON path, such as `$.message.order.items[0].id`; a transcript prepends the message's number and action. */
  path: string
  message: string
  /** The violated section, such as `FIS12 §12.1 on_select` or `FIS12 §12.4.3`. */
  section: string
}

export const faultText = ({ path, message, section }: Fault): string => `${path} ${message} (${section})`

/** The object without its undefined members. */
export const omitUndefined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
