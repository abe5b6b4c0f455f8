// Handles the end of a request's ttl: repeats the request, records the timeout, or closes the search (FIS12 §3.3).

import { required } from '@lendloom/foundation/required'
import { finish, type Worker, work } from '@lendloom/queue/queue'
import type { AwaitedRequest } from '@lendloom/wire/network/sequence'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { type Conversation, isServiced, noAwaitedAnswer } from './conversation.ts'
import { recordInternalEvent } from './inbound/store.ts'
import { statusRequest } from './lender-requests.ts'
import { isAnswered, readRequest } from './messages/store.ts'
import { askLender, type TimerJob, timerKind } from './queue-request.ts'
import { changeConversation, readConversation } from './store.ts'

export const timerWorker = (ctx: Context): Worker =>
  work<TimerJob>({
    kind: timerKind,
    ...ctx,
    handle: (job) =>
      ctx.db.tx(async (tx) => {
        const journey = await lockJourney(tx, job.tenantId, job.payload.journeyId)
        if (journey) await expire({ ...ctx, tx, at: ctx.clock() }, journey, job.payload)
        await finish(tx, job)
      }),
  })

async function expire(ctx: TxContext, journey: Journey, due: TimerJob): Promise<void> {
  const { tx, at } = ctx
  if (due.conversationId === null) return closeSearch(ctx, journey, due)
  const conversation = await readConversation(tx, journey.tenantId, journey.journeyId, due.conversationId)
  if (conversation?.awaitedMessageId !== due.messageId) return
  const action = required(conversation.awaitedAction, 'the action whose answer is awaited')
  ctx.log.warn({ party: conversation.bppId, action, try: conversation.awaitedTry, code: '80214' }, 'no answer in time')
  if (conversation.awaitedTry < 2) return repeatRequest(ctx, conversation, { action, messageId: due.messageId })
  await changeConversation(tx, conversation, noAwaitedAnswer, at)
  const unanswered = { type: 'unanswered', action, purpose: null } as const
  await recordInternalEvent(ctx, journey, unanswered, {
    conversationId: due.conversationId,
    key: `unanswered:${due.messageId}`,
  })
}

interface UnansweredRequest {
  action: AwaitedRequest
  messageId: string
}

/**
 * Repeats the request with a new message id. For the request for the order or a payment, asks the lender for the status
 * instead: repeated, the one could create a second loan, and the other a second payment.
 */
async function repeatRequest(ctx: TxContext, conversation: Conversation, unanswered: UnansweredRequest): Promise<void> {
  const { action } = unanswered
  const request =
    conversation.stage === 'CONFIRM_SENT' || (action === 'update' && isServiced(conversation))
      ? { action: 'status' as const, message: statusRequest(conversation) }
      : { action, message: await sentMessage(ctx, conversation, unanswered) }
  await askLender(ctx, conversation, request, {
    awaitedAction: action,
    awaitedTry: conversation.awaitedTry + 1,
  })
}

async function sentMessage(
  { tx, seal }: TxContext,
  conversation: Conversation,
  unanswered: UnansweredRequest,
): Promise<object> {
  const sent = required(await readRequest(tx, seal, conversation, unanswered), 'the request to repeat')
  return JSON.parse(sent.body.toString('utf8')).message
}

/**
 * Records `search_closed`, or `unanswered` if the search did not reach the gateway. Does nothing after a NACK, because a
 * NACK is recorded when it arrives. A lender's answer proves that the gateway forwarded the search, even if the
 * gateway's own answer is late or lost.
 */
async function closeSearch(ctx: TxContext, journey: Journey, { messageId }: TimerJob): Promise<void> {
  const { tx } = ctx
  const search = await readRequest(tx, ctx.seal, journey, { messageId, action: 'search' })
  if (search?.outcome?.startsWith('NACK')) return
  const isForwarded = search?.outcome === 'ACK' || (await isAnswered(tx, journey, messageId, 'on_search'))
  const event = isForwarded
    ? ({ type: 'search_closed' } as const)
    : ({ type: 'unanswered', action: 'search', purpose: null } as const)
  await recordInternalEvent(ctx, journey, event, { conversationId: null, key: `search_closed:${messageId}` })
}
