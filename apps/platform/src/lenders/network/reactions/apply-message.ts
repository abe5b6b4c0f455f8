// Applies the inbound messages of each journey in order. Each message is applied exactly once, in one transaction.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { isTransient, type Tx } from '@lendloom/postgres/sql'
import { finish, type Job, LeaseLost, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import type { Context, TxContext } from '#platform/context.ts'
import { lookAtLoan } from '#platform/integrators/webhook/loan-watch.ts'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { onDrawdownMessage } from '#platform/lenders/network/drawdown/apply-drawdown.ts'
import { scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import {
  type InboundMessage,
  type InboundType,
  reportsPayout,
} from '#platform/lenders/network/inbound/inbound-message.ts'
import { interpretMessage } from '#platform/lenders/network/inbound/interpret-message.ts'
import {
  failInbound,
  type InboundJob,
  type InboundRow,
  inboundKind,
  readWaiting,
  recordResult,
} from '#platform/lenders/network/inbound/store.ts'
import type { ConversationStage } from '#platform/lenders/network/stage.ts'
import { readConversation } from '#platform/lenders/network/store.ts'
import { hasLoan, isExpired, isLive, type Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { onAgreementVisited } from './appliers/disbursed-loan.ts'
import { onLoanCallback } from './appliers/loan-callback.ts'
import { onPageLeft } from './appliers/page-progress.ts'
import { onNacked, onSearchClosed, onUnanswered } from './appliers/rejected-or-unanswered.ts'
import { onFormAccepted, onFormRefused, onProfileResent, onSearch } from './appliers/search-answer.ts'
import { onFormDue, onSelect } from './appliers/select-answer.ts'
import { schedulePageLookups } from './page-address-worker.ts'

/** Pauses after a message that could not be applied. */
export const applySchedule = doublingPauses(1, 8)

export const leaseSeconds = 5

/**
 * Applies an inbound message to its journey. `conversation` is already in its new stage, and is null if the message
 * concerns no single lender.
 */
export type MessageApplier<T extends InboundType> = (
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  inbound: InboundMessage<T>,
) => Promise<void>

export type Appliers = { readonly [T in InboundType]: MessageApplier<T> }

const networkAppliers: Appliers = {
  on_search: onSearch,
  on_select: onSelect,
  on_init: onLoanCallback,
  on_confirm: onLoanCallback,
  on_status: onLoanCallback,
  on_update: onLoanCallback,
  on_cancel: onLoanCallback,
  form_accepted: onFormAccepted,
  form_refused: onFormRefused,
  nacked: onNacked,
  unanswered: onUnanswered,
  search_closed: onSearchClosed,
  profile_resent: onProfileResent,
  form_due: onFormDue,
  agreement_visited: onAgreementVisited,
  page_left: onPageLeft,
}

/** A journey with waiting messages has one job. Its lease is short, because later messages wait for it too. */
export const inboundWorker = (ctx: Context, appliers: Appliers = networkAppliers): Worker =>
  work<InboundJob>({
    kind: inboundKind,
    ...ctx,
    leaseSeconds,
    schedule: applySchedule,
    // Each job occupies a connection while it waits for the journey's lock; leave some for the APIs.
    concurrency: 8,
    handle: (job) => applyWaiting(ctx, job, appliers),
  })

/** A journey with hundreds of waiting messages lets others have their turn, and ends before its lease does. */
const turnMs = 2000

/** Applies the waiting messages of a journey one by one, each in its own transaction. The last one finishes the job. */
async function applyWaiting(ctx: Context, job: Job<InboundJob>, appliers: Appliers): Promise<void> {
  const { tenantId, payload } = job
  const turnEnd = performance.now() + turnMs
  for (;;) {
    if (performance.now() > turnEnd) throw new RetryLater(0, 'the next turn, after other journeys')
    let row: InboundRow | undefined
    try {
      const isDone = await ctx.db.tx(async (tx) => {
        const at = ctx.clock()
        const [journey, waiting] = await Promise.all([
          lockJourney(tx, tenantId, payload.journeyId),
          readWaiting(tx, tenantId, payload.journeyId),
        ])
        row = waiting[0]
        // Only the job in which a message failed retries it. Another job waits until then with the later messages.
        if (row?.retryAt && row.retryAt > at) throw new RetryLater((+row.retryAt - +at) / 1000, row.note ?? '')
        if (journey && row) await applyMessage({ ...ctx, tx, at }, journey, row, appliers)
        const isLast = !journey || waiting.length < 2
        if (isLast) await finish(tx, job)
        return isLast
      })
      if (isDone) return
    } catch (error) {
      if (!row || isTransient(error) || error instanceof LeaseLost || error instanceof RetryLater) throw error
      await recordFailure(ctx, row, error)
    }
  }
}

async function applyMessage(ctx: TxContext, journey: Journey, row: InboundRow, appliers: Appliers): Promise<void> {
  const { tx, at } = ctx
  const interpreted = await interpretMessage(ctx, row)
  if ('ignored' in interpreted) {
    ctx.log.info(
      { journeyId: row.journeyId, type: row.type, number: row.number, why: interpreted.ignored },
      'not applied',
    )
    if (journey.active && row.conversationId) await followUpUnlessAwaiting(tx, journey, row.conversationId, at)
    return recordResult(tx, row, { state: 'IGNORED', note: interpreted.ignored }, at)
  }
  const { inbound, conversation, result } = interpreted
  const isLatePayout = isExpired(journey) && reportsPayout(inbound)
  // What a lender has paid out of a line counts although the line is closed.
  if (!isLive(journey) && !isLatePayout && !conversation?.isDrawdown)
    return recordResult(tx, row, { state: 'IGNORED', note: 'the journey has ended' }, at)
  if (conversation?.isDrawdown) await onDrawdownMessage(ctx, journey, conversation, inbound)
  else await applierOf(appliers, inbound.type)(ctx, journey, conversation, inbound)
  if ('order' in inbound && inbound.order) await schedulePageLookups(ctx, journey, inbound.order)
  await recordResult(tx, row, result, at)
  if (hasLoan(journey)) await lookAtLoan(tx, journey, at)
  if (result.state === 'NOT_UNDERSTOOD')
    ctx.log.warn({ journeyId: row.journeyId, type: row.type, why: result.note }, 'a message was not understood')
}

const applierOf = <T extends InboundType>(appliers: Appliers, type: T): MessageApplier<T> => appliers[type]

/**
 * Schedules another request after an answer that does not fit the stage, as after no answer. The lender is not asked
 * while the borrower must complete a page (FIS12 §4.1).
 */
async function followUpUnlessAwaiting(tx: Tx, journey: Journey, conversationId: string, at: Date): Promise<void> {
  const conversation = await readConversation(tx, journey.tenantId, journey.journeyId, conversationId)
  if (conversation?.awaitedMessageId === null && lenderStages.includes(conversation.stage))
    await scheduleFollowUp(tx, conversation, at)
}

/** The stages in which the lender acts next. */
const lenderStages: ConversationStage[] = [
  'SELECTED',
  'CONSENT_GIVEN',
  'RESELECTED',
  'INITIATED',
  'CONFIRM_SENT',
  'CONFIRMED',
  'MONITORING_GIVEN',
]

/** After so many attempts a message is set aside, because later messages of the journey wait for it. */
const maxAttempts = 5

/** Records a failed attempt. After a refusal or too many attempts, the journey continues without the message. */
async function recordFailure(ctx: Context, row: InboundRow, error: unknown): Promise<void> {
  const errorId = uuidv4()
  // The console shows this text next to the message.
  const why = error instanceof Refusal ? error.message : `an internal error; the log has it under ${errorId}`
  const details = { err: error, errorId, journeyId: row.journeyId, type: row.type, number: row.number }
  const attempt = row.attempt + 1
  const isFinal = attempt >= maxAttempts || error instanceof Refusal
  const seconds = pauseSeconds(applySchedule, attempt)
  const isRecorded = await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    await lockJourney(tx, row.tenantId, row.journeyId)
    return failInbound(tx, row, { note: why.slice(0, 300), retryAt: isFinal ? null : secondsAfter(at, seconds), at })
  })
  if (!isRecorded) return
  if (isFinal) return ctx.log.error(details, 'an inbound message could not be applied and was set aside')
  ctx.log.warn({ ...details, seconds }, 'an inbound message could not be applied and will be tried again')
  throw new RetryLater(seconds, why)
}
