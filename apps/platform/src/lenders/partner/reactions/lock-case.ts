// Runs work on a case while the journey of the case is locked.

import { required } from '@lendloom/foundation/required'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { finish, type Job } from '@lendloom/queue/queue'
import type { Context } from '#platform/context.ts'
import { type ApplicantDetails, applicantOf } from '#platform/lenders/partner/applicant.ts'
import type { CaseJob } from '#platform/lenders/partner/channel.ts'
import type { Partner } from '#platform/lenders/partner/directory/store.ts'
import type { ConsentTimes } from '#platform/lenders/partner/lead.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { findCase, lockJourneyOfCase, readApplicant } from '#platform/lenders/partner/store.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { AdapterScope } from '#platform/providers/settings.ts'

export interface CaseAndJourney {
  loanCase: PartnerCase
  journey: Journey
}

export const canReceiveOffers = ({ active, status }: Pick<Journey, 'active' | 'status'>): boolean =>
  active && (status === 'STARTED' || status === 'PROFILED' || status === 'OFFERED')

/** Returns what decides the provider of a case: the integrator's application, and the partner's sender name. */
export const adapterScopeOf = (
  { applicationId }: Pick<Journey, 'applicationId'>,
  { sender }: Pick<Partner, 'sender'>,
): AdapterScope => ({ application: applicationId, lender: sender })

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

/** Reads the borrower's details, and the times of the consents. Throws when the profile is incomplete. */
export async function readApplicantAndConsents(
  { db, seal }: { db: Run } & Pick<Context, 'seal'>,
  { tenantId, journeyId, caseRef }: PartnerCase,
): Promise<{ applicant: ApplicantDetails; consents: ConsentTimes }> {
  const { profileSealed, consents } = await readApplicant(db, { tenantId, journeyId })
  const applicant = applicantOf(seal.openJson<BorrowerDetails>(profileSealed, detailsContext(tenantId, journeyId)))
  if (!applicant) throw new Error(`the profile of case ${caseRef} is incomplete`)
  const consentedAt = (purpose: string): Date | null =>
    consents.find((each) => each.purpose === purpose)?.givenAt ?? null
  return {
    applicant,
    consents: {
      bureau: consentedAt('bureau'),
      bankAnalysis: consentedAt('bank_analysis'),
      dataSharing: consentedAt('data_sharing'),
      submission: consentedAt('submission'),
    },
  }
}
