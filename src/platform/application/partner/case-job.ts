// How work on a case ends: its journey is locked, the effect written, the job finished, all in one transaction.

import type { Run, Tx } from '#kit/db/sql.ts'
import { finish, type Job } from '#kit/messaging/queue.ts'
import { required } from '#kit/runtime/record.ts'
import { type BorrowerDetails, detailsContext } from '#platform/borrower/borrower.ts'
import type { Context } from '#platform/context.ts'
import { type ApplicantDetails, applicantOf } from '#platform/exchange/applicant.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import type { CaseJob } from '#platform/exchange/channel.ts'
import type { Consents } from '#platform/exchange/lead.ts'
import type { Partner } from '#platform/exchange/partner/store.ts'
import { findCase, readApplicant } from '#platform/exchange/store.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import type { ChosenFor } from '#platform/provider/adapters.ts'

/** A case with its journey, which is locked. */
export interface CaseAndJourney {
  application: PartnerCase
  journey: Journey
}

/** Whether the borrower may still be shown another offer. */
export const isChoosing = ({ active, status }: Pick<Journey, 'active' | 'status'>): boolean =>
  active && (status === 'STARTED' || status === 'PROFILED' || status === 'OFFERED')

/** The scope for choosing a provider: the journey's application, and the partner by its sender name. */
export const chosenFor = (
  { applicationId }: Pick<Journey, 'applicationId'>,
  { sender }: Pick<Partner, 'sender'>,
): ChosenFor => ({ application: applicationId, lender: sender })

/** Runs the effect of a job on its case; skipped when the case is gone. */
export const underCase = (
  ctx: Context,
  job: Job<CaseJob>,
  act: (tx: Tx, concerned: CaseAndJourney, at: Date) => Promise<unknown>,
): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const concerned = await lockCase(tx, job.tenantId, job.payload.caseRef)
    if (concerned) await act(tx, concerned, ctx.clock())
    await finish(tx, job)
  })

/** As above, outside a job, to save data between two external calls. Throws when the case is gone. */
export const underLock = <T>(
  ctx: Context,
  { tenantId, caseRef }: Pick<PartnerCase, 'tenantId' | 'caseRef'>,
  act: (tx: Tx, concerned: CaseAndJourney, at: Date) => Promise<T>,
): Promise<T> =>
  ctx.db.tx(async (tx) => {
    const concerned = await lockCase(tx, tenantId, caseRef)
    if (!concerned) throw new Error(`the case ${caseRef} is gone`)
    return act(tx, concerned, ctx.clock())
  })

/** Locks the journey of a case and reads both under the lock. */
export async function lockCase(tx: Tx, tenantId: string, caseRef: string): Promise<CaseAndJourney | undefined> {
  const place = await findCase(tx, { tenantId, caseRef })
  const journey = place && (await lockJourney(tx, tenantId, place.journeyId))
  return journey && { journey, application: required(await findCase(tx, place), 'the case of a locked journey') }
}

/** The borrower as the profile has them, and when they agreed to what. */
export async function applicantFor(
  { db, seal }: { db: Run } & Pick<Context, 'seal'>,
  { tenantId, journeyId, caseRef }: PartnerCase,
): Promise<{ applicant: ApplicantDetails; consents: Consents }> {
  const { profileSealed, consents } = await readApplicant(db, { tenantId, journeyId })
  const applicant = applicantOf(seal.openJson<BorrowerDetails>(profileSealed, detailsContext(tenantId, journeyId)))
  if (!applicant) throw new Error(`the profile behind case ${caseRef} is not whole`)
  const givenTo = (purpose: string): Date | null => consents.find((each) => each.purpose === purpose)?.givenAt ?? null
  return {
    applicant,
    consents: {
      bureau: givenTo('bureau'),
      bankAnalysis: givenTo('bank_analysis'),
      dataSharing: givenTo('data_sharing'),
      submission: givenTo('submission'),
    },
  }
}
