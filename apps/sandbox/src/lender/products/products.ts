// All products of the sandbox's lenders.
import type { Conversation, LoanProduct } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { type LendingProduct, type ProductPolicy, policyUnder } from '#sandbox/lender/core/product.ts'
import { goldLoan } from '#sandbox/lender/gold-loan/gold-loan.ts'
import { mutualFundLoan } from '#sandbox/lender/mutual-fund-loan/mutual-fund-loan.ts'
import { personalLoan } from '#sandbox/lender/personal-loan/personal-loan.ts'

export const products: Record<LoanProduct, LendingProduct> = {
  PERSONAL_LOAN: personalLoan,
  GOLD_LOAN: goldLoan,
  LAMF: mutualFundLoan,
}

export const lends = ({ slug }: LenderPolicy, product: LoanProduct): boolean => products[product].lending(slug) !== null

export const policyFor = (
  conversation: Pick<Conversation, 'lender' | 'product'> & Partial<Pick<Conversation, 'assessment' | 'version'>>,
): ProductPolicy => policyUnder(products[conversation.product], conversation)
