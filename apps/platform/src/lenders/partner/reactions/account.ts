// Reads the bank account that the borrower entered in the account form.

import { required } from '@lendloom/foundation/required'
import type { Run } from '@lendloom/postgres/sql'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import type { Context } from '#platform/context.ts'
import { type ApplicantDetails, accountOf } from '#platform/lenders/partner/applicant.ts'
import type { PartnerCase } from '#platform/lenders/partner/case.ts'
import { bankContext, findStep } from '#platform/lending/step/store.ts'
import { readApplicantAndConsents } from './case-job.ts'

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
