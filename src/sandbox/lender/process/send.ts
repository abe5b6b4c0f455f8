// Sends what lies in the outbox: signed at the moment of sending, in order within a conversation, tried again when not taken.

import { Acknowledgement, endpoint } from '#contract/network/context.ts'
import { signatureHeader } from '#contract/network/signing.ts'
import { call, UnreachableError } from '#kit/http/client.ts'
import { fits } from '#kit/http/schema.ts'
import { type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { counter } from '#kit/runtime/metrics.ts'
import { jsonIn } from '#kit/runtime/record.ts'
import { type Context, partyOf } from '#sandbox/core/context.ts'
import { subscriberId } from '#sandbox/lender/core/policy.ts'
import { sendKind } from '#sandbox/lender/core/send-callback.ts'
import { hasEarlierUnsent, markGivenUp, markSent, messageOf, requireConversation } from '#sandbox/lender/core/store.ts'

interface Send {
  conversationId: string
  /** Of the message; a bigint as text. */
  number: string
}

/** Tries are as far apart as the callback is old, within these bounds; one this old is given up and stays in the record. */
const soonest = 1
const latest = 30
const oldest = 3600

const callbacks = counter('lender_callbacks_total', 'Callbacks to buyer apps', ['action', 'outcome'])

export const sending = (ctx: Context): Worker =>
  work<Send>({
    kind: sendKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    concurrency: 32,
    handle: (job) => send(ctx, job),
  })

async function send(ctx: Context, { payload }: Job<Send>): Promise<void> {
  const { db, seal, clock } = ctx
  const { conversationId } = payload
  const number = BigInt(payload.number)
  const message = await messageOf(db, seal, conversationId, number)
  if (message.sentAt !== null) return
  if (await hasEarlierUnsent(db, conversationId, number)) throw new RetryLater(0.2, 'an earlier callback goes first')
  const { lender, bapUri, bapAddress } = await requireConversation(db, conversationId)
  const taken = await post(
    ctx,
    subscriberId({ slug: lender }),
    endpoint(bapAddress ?? bapUri, message.action),
    message.body,
  )
  callbacks.inc({ action: message.action, outcome: taken.answer?.split(' ')[0] ?? 'unreached' })
  if (taken.answer !== null) return markSent(db, { conversationId, number }, taken.answer, clock())
  const age = (clock().getTime() - message.at.getTime()) / 1000
  if (age > oldest) return markGivenUp(db, { conversationId, number }, taken.why, clock())
  throw new RetryLater(Math.min(Math.max(age, soonest), latest), taken.why)
}

type SendOutcome = { answer: string } | { answer: null; why: string }

/** A NACK is an answer too: the receiver has judged the message, and would judge it the same again. */
async function post({ parties, clock }: Context, as: string, url: string, body: Buffer): Promise<SendOutcome> {
  const { uniqueKeyId, signing } = partyOf(parties, as)
  const signer = { subscriberId: as, uniqueKeyId, privateKey: signing.privateKey, at: clock() }
  const headers = { 'content-type': 'application/json', authorization: signatureHeader(body, signer) }
  try {
    const incoming = await call({ method: 'POST', url, headers, body })
    const answer = acknowledgement(incoming.body)
    if (answer === null) return { answer: null, why: `answered ${incoming.status} without ACK or NACK` }
    const { error, message } = answer
    if (message.ack.status === 'NACK' && incoming.status >= 500) return { answer: null, why: `NACK ${incoming.status}` }
    return { answer: message.ack.status === 'ACK' ? 'ACK' : `NACK ${error?.code ?? ''}`.trim() }
  } catch (error) {
    if (error instanceof UnreachableError) return { answer: null, why: error.message }
    throw error
  }
}

function acknowledgement(body: Buffer): Acknowledgement | null {
  const value = jsonIn(body)
  return fits(Acknowledgement, value) ? value : null
}
