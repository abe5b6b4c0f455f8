// Sends recorded requests with a new signature per attempt, and records the synchronous answer (FIS12 §3, §5).

import { Acknowledgement, type NetworkError } from '#contract/network/context.ts'
import { isIgmAction } from '#contract/network/igm/actions.ts'
import { requests } from '#contract/network/sequence.ts'
import { call, type HttpAnswer, UnreachableError } from '#kit/http/client.ts'
import { fits } from '#kit/http/schema.ts'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { jsonIn, required } from '#kit/runtime/record.ts'
import { doublingPauses, pauseSeconds } from '#kit/runtime/schedule.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { findJourney, lockJourney } from '#platform/journey/store.ts'
import { markSending, type OutgoingMessage, readOutgoing, recordOutcome } from './archive/store.ts'
import { type CallJob, callKind } from './ask.ts'
import { awaitsNothing } from './conversation.ts'
import { calls } from './figures.ts'
import { authorizationHeader, egressPolicyOf } from './identity.ts'
import { recordInternalEvent } from './inbound/store.ts'
import { changeConversation, readConversation } from './store.ts'

/** Pauses between attempts of a request or a form. */
export const requestSchedule = doublingPauses(0.5, 8)

export const sendWorker = (ctx: Context): Worker =>
  work<CallJob>({
    kind: callKind,
    ...ctx,
    leaseSeconds: 10, // Little longer than an attempt, so that another process can send within the ttl after a crash.
    concurrency: 32,
    handle: (job) => send(ctx, job),
  })

/** Retries an unacknowledged request with the same bytes until its ttl ends; then the timer worker handles it. */
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
  calls.inc({ action: message.action, outcome: result.outcome })
  if (result.outcome === 'UNREACHED') {
    await recordOutcome(db, seal, message, { outcome: 'UNREACHED', answer: result.answer })
    log.warn({ party: message.party, action: message.action, why: result.why }, 'a request was not delivered')
    throw new RetryLater(pauseSeconds(requestSchedule, job.attempt), result.why)
  }
  await db.tx(async (tx) => {
    if (result.outcome === 'NACK') await onRejected({ ...ctx, tx, at: clock() }, message, result.error)
    const outcome = result.outcome === 'ACK' ? 'ACK' : `NACK ${result.error.code}`
    await recordOutcome(tx, seal, message, { outcome, answer: result.answer })
    await finish(tx, job)
  })
}

/**
 * Whether the request is obsolete: its conversation (of a search: its journey) has ended (FIS12 §13.2). Grievance
 * messages are sent even then.
 */
const isWithdrawn = async (
  { db }: Context,
  { tenantId, journeyId, conversationId, action }: OutgoingMessage,
): Promise<boolean> =>
  isIgmAction(action)
    ? false
    : conversationId === null
      ? (await findJourney(db, tenantId, journeyId))?.active === false
      : (await readConversation(db, tenantId, journeyId, conversationId))?.stage === 'ENDED'

/** After a NACK no callback follows (FIS12 §3.1). */
async function onRejected(ctx: TxContext, message: OutgoingMessage, error: NetworkError): Promise<void> {
  const { tenantId, journeyId, conversationId, messageId } = message
  const { tx, at } = ctx
  ctx.log.warn({ party: message.party, action: message.action, code: error.code }, 'a request was rejected')
  if (isIgmAction(message.action)) {
    const payload = { journeyId, messageId, code: error.code } satisfies RejectedRequest
    return enqueue(tx, { tenantId, kind: rejectedGrievanceKind, payload, dueAt: at })
  }
  const action = required(
    requests.find((request) => request === message.action),
    'the action of a request to a lender',
  )
  await lockJourney(tx, tenantId, journeyId)
  const conversation = conversationId && (await readConversation(tx, tenantId, journeyId, conversationId))
  if (conversation && conversation.awaitedMessageId === messageId)
    await changeConversation(tx, conversation, awaitsNothing, at)
  const nacked = { type: 'nacked', action, error } as const
  await recordInternalEvent(ctx, message, nacked, { conversationId, key: `nacked:${messageId}` })
}

/** Job of the grievance module: the lender rejected a message about a grievance. */
export const rejectedGrievanceKind = 'grievance-turned-away'

export interface RejectedRequest {
  journeyId: string
  messageId: string
  code: string
}

type ReceiverAnswer = { status: number; body: string }
type SendOutcome =
  | { outcome: 'ACK'; answer: ReceiverAnswer }
  | { outcome: 'NACK'; answer: ReceiverAnswer; error: NetworkError }
  | { outcome: 'UNREACHED'; answer: ReceiverAnswer | null; why: string }

async function post(
  ctx: Context,
  { url, body }: OutgoingMessage,
  headers: Record<string, string>,
): Promise<SendOutcome> {
  try {
    return outcomeOf(await call({ method: 'POST', url, headers, body, egress: egressPolicyOf(ctx.config) }))
  } catch (error) {
    if (error instanceof UnreachableError) return { outcome: 'UNREACHED', answer: null, why: error.message }
    throw error
  }
}

/** Retried: 429, 5xx, and answers below 400 with neither ACK nor NACK. Others are rejections, except a 2xx ACK. */
function outcomeOf({ status, body }: Pick<HttpAnswer, 'status' | 'body'>): SendOutcome {
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
