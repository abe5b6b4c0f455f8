// Reads recorded messages, and checks what every dialect requires of a conversation: ids, order, signatures.

import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf, isObject } from '@lendloom/foundation/record'
import type { Static } from '@lendloom/foundation/schema'
import {
  contextFaults,
  dialectIn,
  expiresAt,
  type Fault,
  isContext,
  isLate,
  type MessageContext,
} from '@lendloom/wire/network/context'
import { type AnyAction, type IgmAction, isAnyAction, isIgmAction } from '@lendloom/wire/network/igm/actions'
import type { MessageSchemas } from '@lendloom/wire/network/message-validators'
import { valueAt } from '@lendloom/wire/network/rule-combinators'
import type { ExtraAction } from '@lendloom/wire/network/sequence'
import {
  type Action,
  type Callback,
  callbackOf,
  isAction,
  isCallback,
  type Request,
  type Sequence,
  sequence203,
} from '@lendloom/wire/network/sequence'
import { type ClaimedKey, claimedKeyOf, verifySignature } from '@lendloom/wire/network/signing'
import { isDrawdownRequest } from '@lendloom/wire/network/v230/schema'

/** `body` is raw, `at` the time of sending or receipt, `outcome` is `ACK` or `NACK` with a code, `skewSeconds` is allowed. */
export interface RecordedMessage {
  at: Date | string
  direction: 'sent' | 'received'
  party: string
  action: string
  headers: Record<string, string | undefined>
  body: string
  outcome?: string | null
  skewSeconds?: number
}

/** Returns the base64 signing key that the registry has for a claimed key; null if it has none. */
export type PublicKeyOf = (claimed: ClaimedKey) => string | null

/** A recorded message with a valid context. The paths of its faults start with `path`, such as `#3 on_select $`. */
export interface TranscriptMessage<A extends AnyAction = Action> {
  path: string
  at: Date
  direction: 'sent' | 'received'
  action: A
  context: MessageContext
  message: unknown
  /** A lender's error in place of the message (FIS12 §3.2). */
  error: unknown
  headers: Record<string, string | undefined>
  raw: string
  skewSeconds?: number | undefined
  /** Whether a NACK answered the message, which then has no effect (FIS12 §3.1). */
  isRejected: boolean
}

/** A message of any action that passed schema validation. */
export type ValidMessage<Schemas extends Partial<MessageSchemas<AnyAction>>> = {
  [A in keyof Schemas & AnyAction]: TranscriptMessage<A> & { message: Static<NonNullable<Schemas[A]>> }
}[keyof Schemas & AnyAction]

export interface Conversation {
  bppId: string
  messages: TranscriptMessage[]
}

interface ReadTranscript {
  messages: TranscriptMessage[]
  /** The messages about grievances, and the extra ones, have their own order (FIS12 §20, §25). */
  grievances: TranscriptMessage<IgmAction>[]
  extras: TranscriptMessage<ExtraAction>[]
  faults: Fault[]
}

/** Reads a transcript in wire order. Unreadable messages become faults; identical repeats, which are retries, are skipped. */
export function readTranscript(transcript: readonly RecordedMessage[], dialectOf = dialectIn): ReadTranscript {
  const found: ReadTranscript = { messages: [], grievances: [], extras: [], faults: [] }
  const { messages, grievances, extras, faults } = found
  const bodies = new Map<string, string>()
  for (const [i, recorded] of transcript.entries()) {
    const { action, direction, headers, body: raw, outcome, skewSeconds } = recorded
    const path = `#${i + 1} ${action} $`
    const body = jsonIn(raw)
    const dialect = dialectOf(body)
    const wrong = isObject(body)
      ? contextFaults(body.context, 'context', dialect)
      : [{ path: '', message: 'is not a JSON object' }]
    faults.push(
      ...wrong.map((fault) => ({ path: below(path, fault.path), message: fault.message, section: 'FIS12 §4' })),
    )
    const { context, message, error } = fieldsOf(body)
    if (!isContext(context, dialect) || wrong.length > 0) continue
    if (!isAnyAction(action) || action !== context.action) {
      faults.push({ path: `${path}.context.action`, message: `is ${context.action}`, section: 'FIS12 §4' })
      continue
    }
    const key = [context.transaction_id, context.message_id, context.action, context.bpp_id].join(' ')
    const before = bodies.get(key)
    if (before === undefined) {
      bodies.set(key, raw)
      const isRejected = outcome?.startsWith('NACK') ?? false
      const at = new Date(recorded.at)
      const read = { path, at, direction, context, message, error, headers, raw, skewSeconds, isRejected }
      if (isIgmAction(action)) grievances.push({ ...read, action })
      else if (isAction(action)) messages.push({ ...read, action })
      else extras.push({ ...read, action })
    } else if (before !== recorded.body)
      faults.push({ path, message: 'repeats a message_id with another body', section: 'FIS12 §3.3' })
  }
  return found
}

const below = (path: string, field: string): string => (field === '' ? path : `${path}.${field}`)

/**
 * Splits messages by lender (FIS12 §4.1), and those of each drawdown from the loan's: a drawdown has a transaction of its own
 * (§27.5).
 */
export function conversationsOf(messages: readonly TranscriptMessage[]): Conversation[] {
  const drawdowns = new Set(messages.filter(startsDrawdown).map(({ context }) => context.transaction_id))
  const isOfLoan = ({ context }: TranscriptMessage) => !drawdowns.has(context.transaction_id)
  const ofDrawdowns = [...drawdowns].flatMap((id) =>
    loansOf(messages.filter(({ context }) => context.transaction_id === id)),
  )
  return [...loansOf(messages.filter(isOfLoan)), ...ofDrawdowns]
}

const startsDrawdown = ({ action, context, message }: TranscriptMessage): boolean =>
  action === 'init' && context.version === '2.3.0' && isDrawdownRequest(message)

/** Splits messages by lender. Of several searches, it has those in the version and domain that the lender answered. */
function loansOf(messages: readonly TranscriptMessage[]): Conversation[] {
  const bppIds = [...new Set(messages.flatMap(({ context }) => context.bpp_id ?? []))]
  return bppIds.map((bppId) => {
    const own = messages.filter(({ context }) => context.bpp_id === bppId)
    const broadcasts = messages.filter(({ context }) => context.bpp_id === undefined)
    const isAnswered = ({ context }: TranscriptMessage) =>
      own.some((each) => each.context.message_id === context.message_id)
    const { version, domain } = (broadcasts.find(isAnswered) ?? own[0])?.context ?? {}
    const isHeard = (each: TranscriptMessage) =>
      broadcasts.includes(each) && each.context.version === version && each.context.domain === domain
    return { bppId, messages: messages.filter((each) => own.includes(each) || isHeard(each)) }
  })
}

/**
 * Removes late answers that the receiver ignores, because it has repeated the request or asked for the state (FIS12
 * §3.3, error 80214). A late answer to a request that is still open counts.
 */
export function withoutLate({ bppId, messages }: Conversation): Conversation {
  const requests = messages.filter(({ action }) => !isCallback(action))
  const isIgnored = ({ action, context, at }: TranscriptMessage, place: number): boolean => {
    const request = requests.find(({ context: { message_id } }) => message_id === context.message_id)
    // A late on_search still counts: its catalogue is usable.
    if (!isCallback(action) || action === 'on_search' || !request || !isLate(request.context, at)) return false
    return messages.slice(messages.indexOf(request) + 1, place).some((later) => !isCallback(later.action))
  }
  return { bppId, messages: messages.filter((each, place) => !isIgnored(each, place)) }
}

/** FIS12 §12.4.1: all messages have the same transaction and parties, and each callback has the id of its request. */
export function identityFaults({ messages }: Conversation, { mayBeUnsolicited }: Sequence = sequence203): Fault[] {
  const faults: Fault[] = []
  const [first] = messages
  if (!first) return []
  const lenderUri = messages.find(({ context }) => context.bpp_uri)?.context.bpp_uri
  const requests = new Map<string, Request>()
  const answered = new Map<string, Callback>()
  let waiting: Action | null = null
  for (const { path, action, context, message: content } of messages) {
    const say = (field: string, message: string) =>
      faults.push({ path: `${path}.context.${field}`, message, section: 'FIS12 §12.4.1' })
    for (const field of ['transaction_id', 'bap_id', 'bap_uri'] as const)
      if (context[field] !== first.context[field]) say(field, `is ${context[field]}, was ${first.context[field]}`)
    if (context.bpp_uri !== undefined && context.bpp_uri !== lenderUri)
      say('bpp_uri', `is ${context.bpp_uri}, was ${lenderUri}`)
    const { message_id: id } = context
    const request = requests.get(id)
    if (!isCallback(action)) {
      if (request || answered.has(id)) say('message_id', 'was used before')
      requests.set(id, action)
    } else if (request) {
      if (callbackOf(request) !== action) say('message_id', `is that of a ${request}`)
      if (answered.has(id)) say('message_id', 'was already answered')
      answered.set(id, action)
    } else {
      if (!mayBeUnsolicited(action, content)) say('message_id', 'answers no request')
      // While a select is pending, an on_select must answer it.
      else if (action === 'on_select' && waiting === 'select') say('message_id', 'is not that of the select before it')
      if (answered.has(id)) say('message_id', 'was used before')
      answered.set(id, action)
    }
    waiting = isCallback(action) ? null : action
  }
  return faults
}

/** Whether the message reports a booked branch visit, whose result will be unsolicited (FIS12 §9.1 row 5). */
const isVisitBooked = (message: unknown): boolean => {
  const items = valueAt(message, 'order', 'items')
  return Array.isArray(items) && valueAt(items[0], 'xinput', 'form_response', 'status') === 'OFFLINE_PENDING'
}

interface PendingRequest {
  context: MessageContext
  after: Action | 'start'
}

interface Progress {
  last: Action | 'start'
  pending: PendingRequest | null
  isVisitPending: boolean
  /** The action before the latest answered status requests; null after any other message. */
  actionBeforeStatus: Action | 'start' | null
}

/**
 * FIS12 §4.1: the allowed order of a conversation without late answers. A request without a timely answer may be
 * repeated or followed by a status request; a rejected request counts as not sent. An unsolicited message that crosses
 * a request follows the action before that request. Each of several pending selects or searches may be answered. An
 * unsolicited on_status may follow another one only after a booked visit, or after an error about a form that is then
 * repeated. After a status request and its answer, the actions that were allowed before them are allowed again.
 */
export function sequenceFaults({ messages }: Conversation, { mayFollow }: Sequence = sequence203): Fault[] {
  let progress: Progress = { last: 'start', pending: null, isVisitPending: false, actionBeforeStatus: null }
  const requests = new Map<string, Action>()
  const faults = timeFaults(messages)
  for (const { path, action, context, message, error, isRejected } of messages) {
    const { last, pending, actionBeforeStatus } = progress
    const isUnsolicited = isCallback(action) && !requests.has(context.message_id)
    const hasExpired = pending !== null && !isCallback(action) && expiresAt(pending.context) <= sentAt(context)
    const after = hasExpired ? pending.after : last
    const isAllowedBeforeStatus = actionBeforeStatus !== null && mayFollow(actionBeforeStatus, action)
    const isCrossing = pending !== null && isUnsolicited && mayFollow(pending.after, action)
    const isExpected = (hasExpired && action === 'status') || (progress.isVisitPending && action === 'on_status')
    const answers = isCallback(action) ? requests.get(context.message_id) : undefined
    const answersEarlierSelect =
      pending === null ? last === 'on_select' : pending.context.message_id !== context.message_id
    const isOneOfSelects =
      answers === 'select' && answersEarlierSelect && (pending?.context.action ?? 'select') === 'select'
    const isOneOfSearches = answers === 'search' && countOf(messages, 'search') > 1 && last !== 'search'
    const isOneOfSeveral = isOneOfSelects || isOneOfSearches
    if (!mayFollow(after, action) && !isAllowedBeforeStatus && !isCrossing && !isExpected && !isOneOfSeveral)
      faults.push({ path, message: `may not follow ${after}`, section: 'FIS12 §4.1' })
    if (isRejected || isOneOfSeveral) continue
    // A form that failed and may be repeated does not end its step: the next on_status replaces the error.
    const isRepeatableError = error !== undefined && action === 'on_status'
    const isVisitPending = action === 'on_status' && isVisitBooked(message)
    if (isCrossing)
      progress = { ...progress, pending: isRepeatableError ? pending : { ...pending, after: action }, isVisitPending }
    else {
      if (!isCallback(action)) requests.set(context.message_id, action)
      progress = {
        last: isRepeatableError ? last : action,
        pending: isCallback(action)
          ? null
          : { context, after: action === 'status' ? (actionBeforeStatus ?? after) : after },
        isVisitPending,
        actionBeforeStatus: answers === 'status' ? (pending?.after ?? actionBeforeStatus) : null,
      }
    }
  }
  return faults
}

const sentAt = ({ timestamp }: MessageContext): Date => new Date(timestamp)

const countOf = (messages: TranscriptMessage[], action: Action): number =>
  messages.filter((each) => each.action === action).length

/** FIS12 §3.3: each message is later than its sender's previous message and than the request that it answers. */
export function timeFaults(messages: readonly TranscriptMessage<AnyAction>[]): Fault[] {
  const latest = new Map<string, MessageContext>()
  return messages.flatMap(({ path, action, context }) => {
    const isAnswer = action.startsWith('on_')
    const sender = isAnswer ? 'lender' : 'buyer'
    const before = [latest.get(sender), isAnswer ? latest.get(context.message_id) : undefined]
    latest.set(sender, context)
    if (!isAnswer) latest.set(context.message_id, context)
    if (before.every((each) => each === undefined || sentAt(each) < sentAt(context))) return []
    const message = 'is not later than the message before'
    return [{ path: `${path}.context.timestamp`, message, section: 'FIS12 §3.3' }]
  })
}

/** FIS12 §12.4.6: every message is signed by its sender, and a received broadcast search also by the gateway. */
export function signatureFaults(messages: readonly TranscriptMessage<AnyAction>[], publicKeyOf: PublicKeyOf): Fault[] {
  return messages.flatMap((message) => {
    const { action, context, direction } = message
    const sender = action.startsWith('on_') ? context.bpp_id : context.bap_id
    const senderFaults = headerFault(message, 'authorization', publicKeyOf, sender)
    const isBroadcast = action === 'search' && context.bpp_id === undefined && direction === 'received'
    return [...senderFaults, ...(isBroadcast ? headerFault(message, 'x-gateway-authorization', publicKeyOf) : [])]
  })
}

function headerFault(
  { path, headers, raw, at, skewSeconds }: TranscriptMessage<AnyAction>,
  name: string,
  keyOf: PublicKeyOf,
  sender?: string,
): Fault[] {
  const header = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const claimed = claimedKeyOf(header)
  const publicKey = claimed && keyOf(claimed)
  const place = { path: `${path.slice(0, -1)}header ${name}`, section: 'FIS12 §12.4.6' }
  if (claimed && publicKey === null)
    return [{ ...place, message: `is signed by an unknown key ${claimed.subscriberId}|${claimed.uniqueKeyId}` }]
  const result = verifySignature(raw, publicKey ?? '', { header, at, sender, skewSeconds })
  return result.ok ? [] : [{ ...place, message: `does not verify: ${result.fault}` }]
}
