// Reads what the borrower entered for a lead: the details with the times of the consents, and the bank account.

import { required } from '@lendloom/foundation/required'
import type { Run } from '@lendloom/postgres/sql'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import type { Context } from '#platform/context.ts'
import { type ApplicantDetails, accountOf, applicantOf } from '#platform/lenders/partner/applicant.ts'
import type { ConsentTimes } from '#platform/lenders/partner/lead.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { readApplicant } from '#platform/lenders/partner/store.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { bankContext, findStep } from '#platform/lending/step/store.ts'

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

/** Returns null until the borrower has entered the account. */
export async function readBankAccount(
  db: Run,
  { seal }: Pick<Context, 'seal'>,
  { tenantId, journeyId }: PartnerCase,
): Promise<ApplicantDetails['account']> {
  const { bankSealed } = await findStep(db, { tenantId, journeyId }, 'bankMandate')
  return bankSealed && accountOf(seal.openJson<BankAccount>(bankSealed, bankContext(tenantId, journeyId)))
}

interface AccountReader extends Pick<Context, 'seal'> {
  db: Run
}

/** Reads the applicant and the bank account for a lead. Throws when the borrower has entered no account. */
export async function readApplicantAndAccount(ctx: AccountReader, loanCase: PartnerCase) {
  const { applicant } = await readApplicantAndConsents(ctx, loanCase)
  const account = required(
    applicant.account ?? (await readBankAccount(ctx.db, ctx, loanCase)),
    `the account of case ${loanCase.caseRef}`,
  )
  return { applicant, account }
}
