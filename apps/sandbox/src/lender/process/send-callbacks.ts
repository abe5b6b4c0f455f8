// Sends callbacks from the outbox: signed when sent, in order within a conversation, retried until acknowledged.

import { jsonIn } from '@lendloom/foundation/json'
import { counter } from '@lendloom/foundation/metrics'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { fits } from '@lendloom/foundation/schema'
import { call, UnreachableError } from '@lendloom/http/client'
import { type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { Acknowledgement, actionUrl } from '@lendloom/wire/network/context'
import { signatureHeader } from '@lendloom/wire/network/signing'
import { type Context, partyOf } from '#sandbox/core/context.ts'
import { subscriberId } from '#sandbox/lender/core/lender-policies.ts'
import { sendKind } from '#sandbox/lender/core/send-callback.ts'
import { hasEarlierUnsent, markGivenUp, markSent, messageOf, requireConversation } from '#sandbox/lender/core/store.ts'

/** Names a message in the outbox. */
interface SendJob {
  conversationId: string
  number: string
}

export const lenderCallbackSchedule = doublingPauses(1, 30)
/** Age in seconds at which a callback is given up; its row stays. */
const maxAgeSeconds = 3600

const callbacks = counter('lender_callbacks_total', 'Callbacks to buyer apps', ['action', 'outcome'])

/** Starts the worker that sends callbacks. */
export const sendWorker = (ctx: Context): Worker =>
  work<SendJob>({ kind: sendKind, ...ctx, concurrency: 32, handle: (job) => send(ctx, job) })

/**
 * Sends one callback, unless it is sent already; throws `RetryLater` until its turn comes and the buyer app
 * acknowledges it.
 */
async function send(ctx: Context, { payload, attempt }: Job<SendJob>): Promise<void> {
  const { db, seal, clock } = ctx
  const { conversationId } = payload
  const number = BigInt(payload.number)
  const message = await messageOf(db, seal, conversationId, number)
  if (message.sentAt !== null) return
  if (await hasEarlierUnsent(db, conversationId, number))
    throw new RetryLater(0.2, 'an earlier callback is not sent yet')
  const { lender, bapUri, bapAddress } = await requireConversation(db, conversationId)
  const outcome = await post(
    ctx,
    subscriberId({ slug: lender }),
    actionUrl(bapAddress ?? bapUri, message.action),
    message.body,
  )
  callbacks.inc({ action: message.action, outcome: outcome.answer?.split(' ')[0] ?? 'unreached' })
  if (outcome.answer !== null) return markSent(db, { conversationId, number }, outcome.answer, clock())
  const age = (clock().getTime() - message.at.getTime()) / 1000
  if (age > maxAgeSeconds) return markGivenUp(db, { conversationId, number }, outcome.reason, clock())
  throw new RetryLater(pauseSeconds(lenderCallbackSchedule, attempt), outcome.reason)
}

type SendOutcome = { answer: string } | { answer: null; reason: string }

/** A NACK ends the retries as an ACK does, because it would be repeated. Only a NACK with 5xx is retried. */
async function post({ parties, clock }: Context, subscriber: string, url: string, body: Buffer): Promise<SendOutcome> {
  const { uniqueKeyId, signing } = partyOf(parties, subscriber)
  const signer = { subscriberId: subscriber, uniqueKeyId, privateKey: signing.privateKey, at: clock() }
  const headers = { 'content-type': 'application/json', authorization: signatureHeader(body, signer) }
  try {
    const response = await call({ method: 'POST', url, headers, body })
    const answer = acknowledgement(response.body)
    if (answer === null) return { answer: null, reason: `answered ${response.status} without ACK or NACK` }
    const { error, message } = answer
    if (message.ack.status === 'NACK' && response.status >= 500)
      return { answer: null, reason: `NACK ${response.status}` }
    return { answer: message.ack.status === 'ACK' ? 'ACK' : `NACK ${error?.code ?? ''}`.trim() }
  } catch (error) {
    if (error instanceof UnreachableError) return { answer: null, reason: error.message }
    throw error
  }
}

function acknowledgement(body: Buffer): Acknowledgement | null {
  const value = jsonIn(body)
  return fits(Acknowledgement, value) ? value : null
}
