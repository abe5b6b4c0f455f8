// The account that the money goes to: the borrower's own, as the lead gave it. Its owner is proven when the bank confirms it (D3 §2.3).
import type { LeadSubmitted } from '#contract/exchange/event/lead-submitted.ts'
import type { Run } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { leadContext } from '#partner/case/case.ts'
import { readLead } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import type { Payee } from './carry.ts'

/** The borrower's account with the borrower's name. Refused as `wrong-state` when the lead has none. */
export async function payeeOf(db: Run, { seal }: Pick<Context, 'seal'>, caseRef: string): Promise<Payee> {
  const sealed = await readLead(db, caseRef)
  if (!sealed) throw new Refusal('absent', 'this case has no lead')
  const { borrower, banking } = seal.openJson<Pick<LeadSubmitted, 'borrower' | 'banking'>>(sealed, leadContext(caseRef))
  if (!banking.account) throw new Refusal('wrong-state', 'no bank account of the borrower is known')
  const { holder_name, account_number, ifsc } = banking.account
  const names = [borrower.first_name, borrower.middle_name, borrower.last_name]
  return {
    account: { holder_name, account_number, ifsc },
    borrowerName: names.filter((name) => name !== null).join(' '),
    pan: borrower.pan,
  }
}
