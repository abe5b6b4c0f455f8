// What each lender lends, and the policy that holds for it: its own, with what differs for the product.
import type { Conversation, LoanProduct } from '#sandbox/lender/core/conversation.ts'
import { type Policy, policyOf } from '#sandbox/lender/core/policy.ts'
import { goldLendingOf } from '#sandbox/lender/gold-loan/lending.ts'
import { lamfLendingOf } from '#sandbox/lender/mutual-fund-loan/lending.ts'

const differences: Record<LoanProduct, (slug: string) => Partial<Policy> | null> = {
  PERSONAL_LOAN: () => ({}),
  GOLD_LOAN: goldLendingOf,
  LAMF: lamfLendingOf,
}

/** Whether the lender answers a search for this. */
export const lends = ({ slug }: Policy, product: LoanProduct): boolean => differences[product](slug) !== null

/** Whoever shows bank data pays two percent less a year. */
const bankDataBps = 200n

/** The policy that a conversation stands under; one that judges in the lender's second way is cheaper. */
export function policyFor({ lender, product, assessment = null }: PolicySubject): Policy {
  const policy = { ...policyOf(lender)!, ...differences[product](lender) }
  if (assessment === null) return policy
  const rates = policy.rates.map((band) => ({ ...band, annualBps: band.annualBps - bankDataBps }))
  return { ...policy, assessment, rates }
}

type PolicySubject = Pick<Conversation, 'lender' | 'product'> & Partial<Pick<Conversation, 'assessment'>>
