// Tells the events of loans: looks at a loan after each report of its lender, and at the beginning of each day, and tells
// endpoints what has changed since the last look.

import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { isTransient, type Run } from '@lendloom/postgres/sql'
import { enqueue, noTenantId, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { enqueueRecurring } from '@lendloom/queue/recurring-job'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { LoanEvent } from '@lendloom/wire/hosted/loan-event'
import { firstLoanSequence } from '@lendloom/wire/hosted/loan-event-types'
import type { LoanState } from '@lendloom/wire/hosted/loan-state'
import type { Context, TxContext } from '#platform/context.ts'
import { deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import {
  type BeginJob,
  findWatch,
  type LookJob,
  listWatched,
  loanBeginKind,
  loanLookKind,
  lookAtLoans,
  storeWatch,
  type WatchedLoan,
} from '#platform/integrators/webhook/loan-watch.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { changesBetween, isEnded, type LoanChange } from './loan-changes.ts'
import { loanStateOf } from './loan-state.ts'

/**
 * Tells what has changed in a loan since it was last told, in one transaction. The first look tells nothing: it is where
 * the events begin.
 */
export async function tellLoanEvents(ctx: Context, { tenantId, journeyId }: WatchedLoan): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = await lockJourney(tx, tenantId, journeyId)
    const state = journey ? await loanStateOf(tx, ctx, journey, at) : null
    if (!journey || !state) return
    const watch = await findWatch(tx, ctx.seal, journey)
    const changes = watch ? changesBetween(watch.state, state) : []
    let sequence = watch?.sequence ?? 0
    for (const change of changes) {
      sequence += 1
      await tell({ ...ctx, tx, at }, journey, { sequence, change, state })
    }
    await storeWatch(tx, ctx.seal, journey, { sequence, state, isEnded: isEnded(state) })
  })
}

interface ToldChange {
  sequence: number
  change: LoanChange
  state: LoanState
}

async function tell(ctx: TxContext, journey: Journey, { sequence, change, state }: ToldChange): Promise<void> {
  const { tx, at } = ctx
  const { tenantId, applicationId, journeyId } = journey
  const event: LoanEvent = {
    type: change.type,
    sequence,
    at: at.toISOString(),
    instalments: change.instalments,
    operationID: change.operationID,
    loan: state,
  }
  const update = {
    tenantId,
    applicationId,
    journeyId,
    sequence: firstLoanSequence + sequence,
    status: change.type,
    eventId: uuidv7(at.getTime(), bucketOf(journeyId)),
  }
  await insertDeliveries(tx, deliveryOf(ctx, update, Buffer.from(JSON.stringify(event)), null), at)
}

export const loanLookWorker = (ctx: Context): Worker =>
  work<LookJob>({
    kind: loanLookKind,
    ...ctx,
    handle: ({ tenantId, payload: { journeyId } }) => tellLoanEvents(ctx, { tenantId, journeyId }),
  })

/** Loans of one job. The job of the next ones is added when these are done, so that no job runs for long. */
const pageSize = 100

/** Looks at loans one by one. One that cannot be read is logged, and keeps no other from being told. */
async function lookAtEach(ctx: Context, loans: WatchedLoan[]): Promise<void> {
  for (const loan of loans)
    try {
      await tellLoanEvents(ctx, loan)
    } catch (error) {
      if (isTransient(error)) throw error
      ctx.log.error({ err: error, ...loan }, 'a loan could not be looked at')
    }
}

/** Begins with the loans that were running when an endpoint for their events was registered. */
export const loanBeginWorker = (ctx: Context): Worker =>
  work<BeginJob>({
    kind: loanBeginKind,
    ...ctx,
    async handle({ tenantId, payload: { applicationId, after } }) {
      const journeyIds = await listRunning(ctx.db, { tenantId, applicationId }, after)
      await lookAtEach(
        ctx,
        journeyIds.map((journeyId) => ({ tenantId, journeyId })),
      )
      const last = journeyIds.at(-1)
      if (last === undefined || journeyIds.length < pageSize) return
      await ctx.db.tx((tx) => lookAtLoans(tx, { tenantId, applicationId }, ctx.clock(), last))
    },
  })

const listRunning = async (
  db: Run,
  { tenantId, applicationId }: { tenantId: string; applicationId: string },
  after: string | null,
): Promise<string[]> => {
  const rows = await db<{ journeyId: string }>`
    select journey_id from journey
    where tenant_id = ${tenantId} and application_id = ${applicationId} and status in ('DISBURSED', 'LENDER_REDIRECTED')
      and closed_at is null and erased_at is null and (${after}::uuid is null or journey_id > ${after}::uuid)
    order by journey_id limit ${pageSize}`
  return rows.map(({ journeyId }) => journeyId)
}

const dayKind = 'loan-look-day'
const pageKind = 'loan-look-page'

interface PageJob {
  after: WatchedLoan | null
}

const addPage = (ctx: Context, after: WatchedLoan | null): Promise<void> =>
  ctx.db.tx((tx) => {
    const payload: PageJob = { after }
    return enqueue(tx, { tenantId: noTenantId, kind: pageKind, payload, dueAt: ctx.clock() })
  })

/** Looks at a part of the watched loans that have not ended, and adds the next part. */
export const loanPageWorker = (ctx: Context): Worker =>
  work<PageJob>({
    kind: pageKind,
    ...ctx,
    async handle({ payload: { after } }) {
      const loans = await listWatched(ctx.db, after, pageSize)
      await lookAtEach(ctx, loans)
      const last = loans.at(-1)
      if (last && loans.length === pageSize) await addPage(ctx, last)
    },
  })

/** Looks at every watched loan at the beginning of each day in India, when instalments become due and overdue. */
export function loanDayWorker(ctx: Context): Worker {
  enqueueRecurring(ctx, dayKind, 'the daily look at loans could not be scheduled')
  return work<Record<string, never>>({
    kind: dayKind,
    ...ctx,
    async handle() {
      await addPage(ctx, null)
      const at = ctx.clock()
      const tomorrow = startOf(plusDays(businessDate(at), 1))
      throw new RetryLater((tomorrow.getTime() - at.getTime()) / 1000, 'the next day has not begun')
    },
  })
}
