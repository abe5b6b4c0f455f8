// The borrower's bank account from the account form.
import type { BankAccount } from '#contract/hosted/embed.ts'
import type { Run } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'
import type { Context } from '#platform/context.ts'
import { type ApplicantDetails, accountOf } from '#platform/exchange/applicant.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import { bankContext, findStep } from '#platform/step/store.ts'
import { readApplicantAndConsents } from './case-job.ts'

/** Returns the account; null until the borrower has entered it. */
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

/** The applicant and the bank account of a lead. Throws when there is no account. */
export async function readApplicantAndAccount(ctx: AccountReader, application: PartnerCase) {
  const { applicant } = await readApplicantAndConsents(ctx, application)
  const account = required(
    applicant.account ?? (await readBankAccount(ctx.db, ctx, application)),
    `the account of case ${application.caseRef}`,
  )
  return { applicant, account }
}
