// What becomes of a request when its ttl has passed: asked once more, given up, or the search is over (FIS12 §3.3).
import type { Request } from '#contract/network/sequence.ts'
import type { Tx } from '#kit/db/sql.ts'
import { finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { isAnswered, readRequest } from './archive/store.ts'
import { askLender, type TimerJob, timerKind } from './ask.ts'
import { whereIs } from './ask-lender.ts'
import { awaitsNothing, type Conversation } from './conversation.ts'
import { note } from './inbound/note.ts'
import { changeConversation, readConversation } from './store.ts'

export const timing = (ctx: Context): Worker =>
  work<TimerJob>({
    kind: timerKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) =>
      ctx.db.tx(async (tx) => {
        const journey = await lockJourney(tx, job.tenantId, job.payload.journeyId)
        if (journey) await timeIsUp(tx, ctx, journey, job.payload)
        await finish(tx, job as Job)
      }),
  })

async function timeIsUp(tx: Tx, ctx: Context, journey: Journey, due: TimerJob): Promise<void> {
  if (due.conversationId === null) return closeSearch(tx, ctx, journey, due)
  const conversation = await readConversation(tx, journey.tenantId, journey.journeyId, due.conversationId)
  if (conversation?.awaitedMessageId !== due.messageId) return
  const at = ctx.clock()
  const action = conversation.awaitedAction!
  ctx.log.warn({ party: conversation.bppId, action, try: conversation.awaitedTry, code: '80214' }, 'no answer in time')
  if (conversation.awaitedTry < 2) return askAgain({ ...ctx, tx, at }, conversation, action)
  await changeConversation(tx, conversation, awaitsNothing, at)
  const unanswered = { type: 'unanswered', action, purpose: null } as const
  await note({ ...ctx, tx, at }, journey, due.conversationId, unanswered, `unanswered:${due.messageId}`)
}

/**
 * The same request with a new message id. A `confirm` is not repeated, it could be taken for a second loan, nor is the wish
 * to pay something, it could be taken for a second payment: the lender is asked where the first one stands.
 */
async function askAgain(ctx: TxContext, conversation: Conversation, action: Request): Promise<void> {
  const { tx } = ctx
  const again =
    action === 'confirm' || (action === 'update' && conversation.stage === 'DISBURSED')
      ? { action: 'status' as const, message: whereIs(conversation) }
      : { action, message: await sameMessage(tx, ctx, conversation, action) }
  await askLender(ctx, conversation, again, {
    awaitedAction: action,
    awaitedTry: conversation.awaitedTry + 1,
  })
}

async function sameMessage(tx: Tx, ctx: Context, conversation: Conversation, action: Request): Promise<object> {
  const first = await readRequest(tx, ctx.seal, conversation, conversation.awaitedMessageId!, action)
  return JSON.parse(first!.body.toString('utf8')).message
}

/**
 * A search that the gateway turned away was noted then; one that never reached it had no answer. Lenders that answered
 * prove that it was passed on, also when the gateway's own answer is late or lost.
 */
async function closeSearch(tx: Tx, ctx: Context, journey: Journey, { messageId }: TimerJob): Promise<void> {
  const at = ctx.clock()
  const search = await readRequest(tx, ctx.seal, journey, messageId, 'search')
  if (search?.outcome?.startsWith('NACK')) return
  const isPassedOn = search?.outcome === 'ACK' || (await isAnswered(tx, journey, messageId, 'on_search'))
  const over = isPassedOn
    ? ({ type: 'search_closed' } as const)
    : ({ type: 'unanswered', action: 'search', purpose: null } as const)
  await note({ ...ctx, tx, at }, journey, null, over, `search_closed:${messageId}`)
}
