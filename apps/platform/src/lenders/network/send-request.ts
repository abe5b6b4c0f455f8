// Sends recorded requests with a new signature per attempt, and records the synchronous answer (FIS12 §3, §5).

import { jsonIn } from '@lendloom/foundation/json'
import { required } from '@lendloom/foundation/required'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { fits } from '@lendloom/foundation/schema'
import { call, type HttpAnswer, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import {
  Acknowledgement,
  actionUrl,
  dialectIn,
  domainIn,
  type NetworkError,
  usualDomain,
} from '@lendloom/wire/network/context'
import { isAnyRequest, isIgmAction } from '@lendloom/wire/network/igm/actions'
import { type AwaitedRequest, isExtraAction, requests } from '@lendloom/wire/network/sequence'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findJourney, lockJourney } from '#platform/lending/journey/store.ts'
import { noAwaitedAnswer } from './conversation.ts'
import { dialectOf } from './dialect.ts'
import { recordInternalEvent } from './inbound/store.ts'
import { markSending, type OutgoingMessage, readOutgoing, recordOutcome } from './messages/store.ts'
import { requestCounter } from './metrics.ts'
import { authorizationHeader, endpointOf } from './own-identity.ts'
import { type CallJob, callKind } from './queue-request.ts'
import { addressInRegistry } from './registry.ts'
import { changeConversation, readConversation } from './store.ts'

export const requestSchedule = doublingPauses(0.5, 8)

export const sendWorker = (ctx: Context): Worker =>
  work<CallJob>({
    kind: callKind,
    ...ctx,
    // Only slightly longer than an attempt. After a crash another process can still send before the ttl ends.
    leaseSeconds: 10,
    concurrency: 32,
    handle: (job) => send(ctx, job),
  })

/** Retries a request with the same bytes until the receiver acknowledges it or its ttl ends. */
async function send(ctx: Context, job: Job<CallJob>): Promise<void> {
  const { db, seal, clock, config, log } = ctx
  const message = await readOutgoing(db, seal, { tenantId: job.tenantId, ...job.payload })
  if (!message) throw new Error('the message is missing from the archive')
  const at = clock()
  const { answer } = message
  if (message.expiresAt <= at)
    return recordOutcome(db, seal, message, { outcome: message.outcome ?? 'EXPIRED', answer })
  if (await isWithdrawn(ctx, message))
    return recordOutcome(db, seal, message, { outcome: message.outcome ?? 'WITHDRAWN', answer })
  const headers = { 'content-type': 'application/json', authorization: authorizationHeader(config, message.body, at) }
  await markSending(db, seal, message, { headers, at })

  const result = await post(ctx, message, headers)
  requestCounter.inc({ action: message.action, outcome: result.outcome })
  if (result.outcome === 'UNREACHED') {
    await recordOutcome(db, seal, message, { outcome: 'UNREACHED', answer: result.answer })
    log.warn({ party: message.party, action: message.action, why: result.why }, 'a request was not delivered')
    throw new RetryLater(pauseSeconds(requestSchedule, job.attempt), result.why)
  }
  await db.tx(async (tx) => {
    if (result.outcome === 'NACK') await onRejected({ ...ctx, tx, at: clock() }, message, result.error)
    const outcome = result.outcome === 'ACK' ? 'ACK' : `NACK ${result.error.code}`
    await Promise.all([recordOutcome(tx, seal, message, { outcome, answer: result.answer }), finish(tx, job)])
  })
}

/** Whether its conversation or, for a search, the journey has ended; not for grievances and ratings (FIS12 §13.2). */
async function isWithdrawn(
  { db }: Context,
  { tenantId, journeyId, conversationId, action }: OutgoingMessage,
): Promise<boolean> {
  if (isIgmAction(action) || action === 'rating') return false
  if (conversationId === null) return (await findJourney(db, tenantId, journeyId))?.active === false
  return (await readConversation(db, tenantId, journeyId, conversationId))?.stage === 'ENDED'
}

/** Stops waiting for the callback, because none follows a NACK (FIS12 §3.1). */
async function onRejected(ctx: TxContext, message: OutgoingMessage, error: NetworkError): Promise<void> {
  const { tenantId, journeyId, conversationId, messageId } = message
  const { tx, at } = ctx
  ctx.log.warn({ party: message.party, action: message.action, code: error.code }, 'a request was rejected')
  if (isIgmAction(message.action)) {
    const payload = { journeyId, messageId, code: error.code } satisfies RejectedRequest
    return enqueue(tx, { tenantId, kind: rejectedGrievanceKind, payload, dueAt: at })
  }
  // The loan does not depend on these answers.
  if (isExtraAction(message.action) && message.action !== 'cancel') return
  const action = required(
    loanRequests.find((request) => request === message.action),
    'the action of a request to a lender',
  )
  const journey = await lockJourney(tx, tenantId, journeyId)
  if (action === 'search' && journey && isFurtherSearch(journey, message)) return
  const conversation = conversationId && (await readConversation(tx, tenantId, journeyId, conversationId))
  if (conversation && conversation.awaitedMessageId === messageId)
    await changeConversation(tx, conversation, noAwaitedAnswer, at)
  const nacked = { type: 'nacked', action, error } as const
  await recordInternalEvent(ctx, message, nacked, { conversationId, key: `nacked:${messageId}` })
}

/** Whether the search is in an older version or another domain: its refusal leaves the journey's own search. */
function isFurtherSearch(journey: Journey, { body, conversationId }: OutgoingMessage): boolean {
  const sent = jsonIn(body.toString('utf8'))
  const isBroadcast = conversationId === null
  return dialectIn(sent) !== dialectOf(journey) || (isBroadcast && domainIn(sent) !== usualDomain)
}

const loanRequests: readonly AwaitedRequest[] = [...requests, 'cancel']

export const rejectedGrievanceKind = 'grievance-turned-away'

export interface RejectedRequest {
  journeyId: string
  messageId: string
  code: string
}

type ReceiverAnswer = { status: number; body: string }
/** UNREACHED: the receiver gave no usable answer, so the request is retried. */
type SendResult =
  | { outcome: 'ACK'; answer: ReceiverAnswer }
  | { outcome: 'NACK'; answer: ReceiverAnswer; error: NetworkError }
  | { outcome: 'UNREACHED'; answer: ReceiverAnswer | null; why: string }

async function post(ctx: Context, message: OutgoingMessage, headers: Record<string, string>): Promise<SendResult> {
  const { body } = message
  try {
    const url = await urlOf(ctx, message)
    return sendResultOf(await call({ method: 'POST', url, headers, body, egress: egressPolicyOf(ctx.config) }))
  } catch (error) {
    if (error instanceof UnreachableError) return { outcome: 'UNREACHED', answer: null, why: error.message }
    throw error
  }
}

/** In dialect 2.3.0 the address in a context has no port, so the registry's address of a lender counts (FIS12 §4). */
async function urlOf(ctx: Context, { url, body, conversationId, party, action }: OutgoingMessage): Promise<string> {
  const isToLender = conversationId !== null && isAnyRequest(action)
  const sent = jsonIn(body.toString('utf8'))
  if (!isToLender || dialectIn(sent) !== '2.3.0') return url
  const address = await addressInRegistry(ctx, party, domainIn(sent))
  return address === null ? url : actionUrl(endpointOf(ctx.config, address), action)
}

/**
 * Classifies the receiver's answer. A 429, a 5xx, and a status below 400 without ACK or NACK are UNREACHED. An ACK with
 * a 2xx is an ACK. Every other answer is a NACK.
 */
function sendResultOf({ status, body }: Pick<HttpAnswer, 'status' | 'body'>): SendResult {
  const answer = { status, body: body.toString('utf8') }
  const acknowledgement = acknowledgementIn(answer.body)
  if (status === 429 || status >= 500) return { outcome: 'UNREACHED', answer, why: `answered ${status}` }
  if (acknowledgement?.message.ack.status === 'ACK' && status < 300) return { outcome: 'ACK', answer }
  if (acknowledgement) return { outcome: 'NACK', answer, error: acknowledgement.error ?? { code: '30000' } }
  if (status < 400) return { outcome: 'UNREACHED', answer, why: `answered ${status} without ACK or NACK` }
  return { outcome: 'NACK', answer, error: { code: '30000', message: `answered ${status} without a NACK` } }
}

function acknowledgementIn(text: string): Acknowledgement | null {
  const value = jsonIn(text)
  return fits(Acknowledgement, value) ? value : null
}
