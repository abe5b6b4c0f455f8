// Runs work on a case while the journey of the case is locked.

import { required } from '@lendloom/foundation/required'
import type { Tx } from '@lendloom/postgres/sql'
import { finish, type Job } from '@lendloom/queue/queue'
import type { Context } from '#platform/context.ts'
import type { CaseJob } from '#platform/lenders/partner/lead-job.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { findCase, lockJourneyOfCase } from '#platform/lenders/partner/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'

export interface CaseAndJourney {
  loanCase: PartnerCase
  journey: Journey
}

/** Whether an offer of a partner still helps: the borrower has chosen none yet. */
export const canReceiveOffers = ({ active, status }: Pick<Journey, 'active' | 'status'>): boolean =>
  active && (status === 'STARTED' || status === 'PROFILED' || status === 'OFFERED')

/** Runs `work` on the locked case of a job, if the case exists, and finishes the job in the same transaction. */
export const runCaseJob = (
  ctx: Context,
  job: Job<CaseJob>,
  work: (tx: Tx, caseAndJourney: CaseAndJourney, at: Date) => Promise<unknown>,
): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const caseAndJourney = await lockCase(tx, job.tenantId, job.payload.caseRef)
    if (caseAndJourney) await work(tx, caseAndJourney, ctx.clock())
    await finish(tx, job)
  })

/** Runs `work` on a locked case outside a job. Throws when the case does not exist. */
export const withLockedCase = <T>(
  ctx: Context,
  { tenantId, caseRef }: Pick<PartnerCase, 'tenantId' | 'caseRef'>,
  work: (tx: Tx, caseAndJourney: CaseAndJourney, at: Date) => Promise<T>,
): Promise<T> =>
  ctx.db.tx(async (tx) => {
    const caseAndJourney = await lockCase(tx, tenantId, caseRef)
    if (!caseAndJourney) throw new Error(`the case ${caseRef} does not exist`)
    return work(tx, caseAndJourney, ctx.clock())
  })

/** Locks the journey of a case and reads both under the lock, by two statements that are sent together. */
export async function lockCase(tx: Tx, tenantId: string, caseRef: string): Promise<CaseAndJourney | undefined> {
  const [journey, loanCase] = await Promise.all([
    lockJourneyOfCase(tx, { tenantId, caseRef }),
    findCase(tx, { tenantId, caseRef }),
  ])
  return journey && { journey, loanCase: required(loanCase, 'the case of a locked journey') }
}
