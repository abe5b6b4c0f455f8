// Runs the effect of a job on a case: locks the journey, writes the effect and finishes the job in one transaction.

import type { Run, Tx } from '#kit/db/sql.ts'
import { finish, type Job } from '#kit/messaging/queue.ts'
import { required } from '#kit/runtime/record.ts'
import { type BorrowerDetails, detailsContext } from '#platform/borrower/borrower.ts'
import type { Context } from '#platform/context.ts'
import { type ApplicantDetails, applicantOf } from '#platform/exchange/applicant.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import type { CaseJob } from '#platform/exchange/channel.ts'
import type { ConsentTimes } from '#platform/exchange/lead.ts'
import type { Partner } from '#platform/exchange/partner/store.ts'
import { findCase, readApplicant } from '#platform/exchange/store.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import type { AdapterScope } from '#platform/provider/settings.ts'

/** A case and its locked journey. */
export interface CaseAndJourney {
  application: PartnerCase
  journey: Journey
}

/** Whether the borrower may still receive offers. */
export const canReceiveOffers = ({ active, status }: Pick<Journey, 'active' | 'status'>): boolean =>
  active && (status === 'STARTED' || status === 'PROFILED' || status === 'OFFERED')

/** What the choice of a provider depends on: the integrator's application, and the partner by its sender name. */
export const adapterScopeOf = (
  { applicationId }: Pick<Journey, 'applicationId'>,
  { sender }: Pick<Partner, 'sender'>,
): AdapterScope => ({ application: applicationId, lender: sender })

/** Runs the effect of a job on its locked case, if the case exists, and finishes the job. */
export const runCaseJob = (
  ctx: Context,
  job: Job<CaseJob>,
  act: (tx: Tx, caseAndJourney: CaseAndJourney, at: Date) => Promise<unknown>,
): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const caseAndJourney = await lockCase(tx, job.tenantId, job.payload.caseRef)
    if (caseAndJourney) await act(tx, caseAndJourney, ctx.clock())
    await finish(tx, job)
  })

/** Runs `act` on a locked case outside a job. Throws when the case does not exist. */
export const withLockedCase = <T>(
  ctx: Context,
  { tenantId, caseRef }: Pick<PartnerCase, 'tenantId' | 'caseRef'>,
  act: (tx: Tx, caseAndJourney: CaseAndJourney, at: Date) => Promise<T>,
): Promise<T> =>
  ctx.db.tx(async (tx) => {
    const caseAndJourney = await lockCase(tx, tenantId, caseRef)
    if (!caseAndJourney) throw new Error(`the case ${caseRef} does not exist`)
    return act(tx, caseAndJourney, ctx.clock())
  })

/** Locks the journey of a case and reads both under the lock. */
export async function lockCase(tx: Tx, tenantId: string, caseRef: string): Promise<CaseAndJourney | undefined> {
  const before = await findCase(tx, { tenantId, caseRef })
  const journey = before && (await lockJourney(tx, tenantId, before.journeyId))
  return journey && { journey, application: required(await findCase(tx, before), 'the case of a locked journey') }
}

/** The borrower's details from the profile, and the times of their consents. Throws when the profile is incomplete. */
export async function readApplicantAndConsents(
  { db, seal }: { db: Run } & Pick<Context, 'seal'>,
  { tenantId, journeyId, caseRef }: PartnerCase,
): Promise<{ applicant: ApplicantDetails; consents: ConsentTimes }> {
  const { profileSealed, consents } = await readApplicant(db, { tenantId, journeyId })
  const applicant = applicantOf(seal.openJson<BorrowerDetails>(profileSealed, detailsContext(tenantId, journeyId)))
  if (!applicant) throw new Error(`the profile of case ${caseRef} is incomplete`)
  const givenAtFor = (purpose: string): Date | null =>
    consents.find((each) => each.purpose === purpose)?.givenAt ?? null
  return {
    applicant,
    consents: {
      bureau: givenAtFor('bureau'),
      bankAnalysis: givenAtFor('bank_analysis'),
      dataSharing: givenAtFor('data_sharing'),
      submission: givenAtFor('submission'),
    },
  }
}
