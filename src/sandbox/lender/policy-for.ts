// What each lender lends, and the policy that holds for it: its own, with what differs for the product.
import type { LoanProduct } from './conversation.ts'
import { goldLendingOf } from './gold/lending.ts'
import { lamfLendingOf } from './lamf/lending.ts'
import { type Policy, policyOf } from './policy.ts'

const differences: Record<LoanProduct, (slug: string) => Partial<Policy> | null> = {
  PERSONAL_LOAN: () => ({}),
  GOLD_LOAN: goldLendingOf,
  LAMF: lamfLendingOf,
}

/** Whether the lender answers a search for this. */
export const lends = ({ slug }: Policy, product: LoanProduct): boolean => differences[product](slug) !== null

/** The policy that a conversation stands under. */
export const policyFor = ({ lender, product }: { lender: string; product: LoanProduct }): Policy => ({
  ...policyOf(lender)!,
  ...differences[product](lender),
})
