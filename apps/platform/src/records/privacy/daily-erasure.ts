// The daily deletion of personal data whose period is over, and of requested erasures that had to wait.

import { daysAfter } from '@lendloom/foundation/clock'
import { RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { enqueueRecurring } from '@lendloom/queue/recurring-job'
import type { Context, TxContext } from '#platform/context.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { repeatArchivedApprovals } from './archived-approvals.ts'
import { type BorrowerKey, eraseAnswers, eraseComplaints, eraseMails } from './erase/store.ts'
import { type ErasureResult, eraseBorrower, nothingErased, repeatErasure } from './erase.ts'
import { listWithoutJourney } from './identity-store.ts'
import { continueErasure } from './officer-acts.ts'
import { monthsBefore, periodOf } from './retention-period.ts'
import { listApproved, listErasedSince, listUnerased, type RecentErasure, type UnerasedJourney } from './store.ts'

const kind = 'erasure'
const batchSize = 200
const secondsBetweenSweeps = 86_400
/** A sweep of many borrowers takes longer than ten default leases, after which a second worker would start it too. */
const leaseSeconds = 3600

/** Schedules the sweep and runs it once a day; all processes share one job. */
export function erasureWorker(ctx: Context): Worker {
  const { db, clock, log } = ctx
  enqueueRecurring(ctx, kind, 'the erasure of old data could not be scheduled; the next start will')
  const stopping = new AbortController()
  // At once, because the database may have just been restored.
  const repeating = repeatArchivedApprovals(ctx, stopping.signal)
  const worker = work({
    kind,
    db,
    clock,
    log,
    leaseSeconds,
    async handle() {
      await sweepPersonalData(ctx)
      throw new RetryLater(secondsBetweenSweeps, 'the next erasure of old data')
    },
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all([repeating, worker.stop()])
    },
  }
}

/** Erases everything that is due, and records the counts in the platform's audit log. */
export async function sweepPersonalData(ctx: Context): Promise<void> {
  await repeatArchivedApprovals(ctx)
  await repeatRecent(ctx)
  const journeys = (await eraseApproved(ctx)) + (await eraseByPeriod(ctx))
  const borrowers = await eraseWithoutJourney(ctx)
  const { complaints, mails } = await eraseMailbox(ctx)
  if (journeys + borrowers + complaints + mails === 0) return
  const entry = { act: 'DATA_ERASED_BY_PERIOD', detail: { journeys, borrowers, complaints, mails } }
  await ctx.db.tx((tx) => noteStaffAct({ tx, at: ctx.clock() }, null, entry))
}

/** So long a repeated request gets the stored answer. */
const keptAnswerDays = 1

/** Deletes stored answers that no repeated request needs any more. */
export async function eraseOldAnswers({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await inBatches(() => eraseAnswers(db, daysAfter(clock(), -keptAnswerDays), batchSize))
}

/** Longer than any transaction that runs during an erasure, and than the time between two sweeps. */
const repeatDays = 2

async function repeatRecent(ctx: Context): Promise<void> {
  const since = daysAfter(ctx.clock(), -repeatDays)
  for (let after: RecentErasure | null = null; ; ) {
    const erasures: RecentErasure[] = await listErasedSince(ctx.db, since, after, batchSize)
    for (const erasure of erasures)
      await eraseOne(ctx, erasure, async (act) => {
        await repeatErasure(act, erasure)
        return nothingErased
      })
    after = erasures.at(-1) ?? null
    if (erasures.length < batchSize) return
  }
}

async function eraseApproved(ctx: Context): Promise<number> {
  let count = 0
  for (let after: string | null = null; ; ) {
    const erasures: Awaited<ReturnType<typeof listApproved>> = await listApproved(ctx.db, after, batchSize)
    for (const { erasureId, tenantId, borrowerId } of erasures)
      count += (await eraseOne(ctx, { tenantId, borrowerId }, (act) => continueErasure(act, erasureId))).erased
    after = erasures.at(-1)?.erasureId ?? null
    if (erasures.length < batchSize) return count
  }
}

/** Reads ended journeys from the oldest on; those with an obstacle are passed over. */
async function eraseByPeriod(ctx: Context): Promise<number> {
  const endOf = (kind: 'APPLICATION' | 'LOAN') => monthsBefore(ctx.clock(), periodOf(kind).months)
  const before = { APPLICATION: endOf('APPLICATION'), LOAN: endOf('LOAN') }
  let count = 0
  for (let after: UnerasedJourney | null = null; ; ) {
    const journeys: UnerasedJourney[] = await listUnerased(ctx.db, { before, after, limit: batchSize })
    for (const { tenantId, borrowerId } of journeys)
      count += (await eraseOneByPeriod(ctx, { tenantId, borrowerId })).erased
    after = journeys.at(-1) ?? null
    if (journeys.length < batchSize) return count
  }
}

/** Erases borrowers without a journey, whose last session is old; returns their number. */
async function eraseWithoutJourney(ctx: Context): Promise<number> {
  const before = monthsBefore(ctx.clock(), periodOf('APPLICATION').months)
  let count = 0
  for (let after: BorrowerKey | null = null; ; ) {
    const borrowers: BorrowerKey[] = await listWithoutJourney(ctx.db, before, after, batchSize)
    for (const key of borrowers) if ((await eraseOneByPeriod(ctx, key)).hasErasedIdentity) count++
    after = borrowers.at(-1) ?? null
    if (borrowers.length < batchSize) return count
  }
}

const eraseOneByPeriod = (ctx: Context, key: BorrowerKey): Promise<ErasureResult> =>
  eraseOne(ctx, key, (act) => eraseBorrower(act, key, { isRequested: false, openedUntil: act.at }))

/** Runs one erasure in its own transaction. A failure is logged, so that one borrower does not stop the others. */
async function eraseOne(
  ctx: Context,
  { tenantId, borrowerId }: BorrowerKey,
  erase: (act: TxContext) => Promise<ErasureResult>,
): Promise<ErasureResult> {
  try {
    return await ctx.db.tx((tx) => erase({ ...ctx, tx, at: ctx.clock() }))
  } catch (error) {
    ctx.log.error(
      { tenantId, borrowerId, err: error },
      'the data of a borrower could not be erased; the next sweep tries again',
    )
    return nothingErased
  }
}

async function eraseMailbox(ctx: Context): Promise<{ complaints: number; mails: number }> {
  const { db, clock } = ctx
  const complaintsBefore = monthsBefore(clock(), periodOf('COMPLAINT').months)
  const mailsBefore = monthsBefore(clock(), periodOf('MAIL').months)
  const complaints = await inBatches(() => db.tx((tx) => eraseComplaints(tx, complaintsBefore, batchSize)))
  const mails = await inBatches(() => db.tx((tx) => eraseMails(tx, mailsBefore, complaintsBefore, batchSize)))
  return { complaints, mails }
}

/** Repeats a deletion until it deletes less than a batch; returns the sum. */
async function inBatches(deleteBatch: () => Promise<number>): Promise<number> {
  let sum = 0
  for (;;) {
    const count = await deleteBatch()
    sum += count
    if (count < batchSize) return sum
  }
}
