// Loans whose events somebody receives: which are looked at, and what was last told of each.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { enqueue } from '@lendloom/queue/queue'
import { bucketOf } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { LoanState } from '@lendloom/wire/hosted/loan-state'
import type { Owner } from './store.ts'

export const loanLookKind = 'loan-look'
export const loanBeginKind = 'loan-look-begin'

export interface LookJob {
  journeyId: string
}

/** `after`: the last journey that was looked at; null at the beginning. */
export interface BeginJob {
  applicationId: string
  after: string | null
}

interface LoanKey extends Owner {
  journeyId: string
}

/**
 * Schedules a look at a loan after its lender has reported something, in the transaction of the report. The look tells
 * what has changed. Does nothing if the application has no endpoint for events of loans.
 */
export async function lookAtLoan(tx: Tx, { tenantId, applicationId, journeyId }: LoanKey, dueAt: Date): Promise<void> {
  const subscribed = await tx`
    select 1 from webhook_endpoint
    where tenant_id = ${tenantId} and application_id = ${applicationId} and loan_events is not null limit 1`
  if (subscribed.length === 0) return
  const payload: LookJob = { journeyId }
  // Without a key: a look that is running may have read the loan before this report.
  await enqueue(tx, { tenantId, kind: loanLookKind, payload, dueAt })
}

/**
 * Schedules a first look at the running loans of an application, after a journey or from the first one on. From the look
 * on, the changes of a loan are told.
 */
export async function lookAtLoans(
  tx: Tx,
  { tenantId, applicationId }: Owner,
  dueAt: Date,
  after: string | null = null,
): Promise<void> {
  const payload: BeginJob = { applicationId, after }
  await enqueue(tx, { tenantId, kind: loanBeginKind, payload, dueAt })
}

/** What was last told of a loan. */
export interface LoanWatch {
  /** The number of the last event; 0 before the first. */
  sequence: number
  state: LoanState
}

const stateContext = ({ tenantId, journeyId }: Pick<LoanKey, 'tenantId' | 'journeyId'>): string =>
  `watched_loan.state:${tenantId}:${journeyId}`

export async function findWatch(
  db: Run,
  seal: Seal,
  key: Pick<LoanKey, 'tenantId' | 'journeyId'>,
): Promise<LoanWatch | undefined> {
  const [row] = await db<{ sequence: number; stateSealed: Buffer }>`
    select sequence, state_sealed from watched_loan
    where bucket = ${bucketOf(key.journeyId)} and tenant_id = ${key.tenantId} and journey_id = ${key.journeyId}`
  return row && { sequence: row.sequence, state: seal.openJson<LoanState>(row.stateSealed, stateContext(key)) }
}

/** Stores what was told. The caller holds the journey's lock. */
export async function storeWatch(
  tx: Tx,
  seal: Seal,
  key: LoanKey,
  { sequence, state, isEnded }: LoanWatch & { isEnded: boolean },
): Promise<void> {
  const { tenantId, applicationId, journeyId } = key
  const row = { bucket: bucketOf(journeyId), tenantId, applicationId, journeyId, sequence, isEnded }
  await tx`
    insert into watched_loan ${tx({ ...row, stateSealed: seal.json(state, stateContext(key)) })}
    on conflict (tenant_id, journey_id, bucket) do update
    set sequence = excluded.sequence, state_sealed = excluded.state_sealed, is_ended = excluded.is_ended`
}

export interface WatchedLoan {
  tenantId: string
  journeyId: string
}

/** Lists watched loans that have not ended, in order of their keys. */
export const listWatched = (db: Run, after: WatchedLoan | null, limit: number): Promise<WatchedLoan[]> =>
  db<WatchedLoan>`
    select tenant_id, journey_id from watched_loan
    where not is_ended ${after ? sql`and (tenant_id, journey_id) > (${after.tenantId}::uuid, ${after.journeyId}::uuid)` : sql``}
    order by tenant_id, journey_id limit ${limit}`
