// The borrower's account, as the form for it was filled in.
import type { BankAccount } from '#contract/hosted/embed.ts'
import type { Run } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import { type Applicant, accountOf } from '#platform/exchange/applicant.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import { bankContext } from '#platform/step/step.ts'
import { findStep } from '#platform/step/store.ts'

/** Null when nobody has asked for it yet. */
export async function accountFor(
  db: Run,
  { seal }: Pick<Context, 'seal'>,
  { tenantId, journeyId }: PartnerCase,
): Promise<Applicant['account']> {
  const { bankSealed } = await findStep(db, { tenantId, journeyId }, 'bankMandate')
  return bankSealed && accountOf(seal.openJson<BankAccount>(bankSealed, bankContext(tenantId, journeyId)))
}
