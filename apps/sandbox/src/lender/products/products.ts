// All products of the sandbox's lenders.
import { fundsWithStops, withStops } from '#sandbox/core/lender-version.ts'
import type { Conversation, LoanProduct } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { type LendingProduct, type ProductPolicy, policyUnder } from '#sandbox/lender/core/product.ts'
import { goldLoan } from '#sandbox/lender/gold-loan/gold-loan.ts'
import { goldLoanWithStops } from '#sandbox/lender/gold-loan/with-stops.ts'
import { drawdown } from '#sandbox/lender/mutual-fund-loan/drawdown.ts'
import { mutualFundLoan } from '#sandbox/lender/mutual-fund-loan/mutual-fund-loan.ts'
import { mutualFundLoanWithStops } from '#sandbox/lender/mutual-fund-loan/with-stops.ts'
import { personalLoan } from '#sandbox/lender/personal-loan/personal-loan.ts'
import { personalLoanWithStops } from '#sandbox/lender/personal-loan/with-stops.ts'

export const products: Record<LoanProduct, LendingProduct> = {
  PERSONAL_LOAN: personalLoan,
  GOLD_LOAN: goldLoan,
  LAMF: mutualFundLoan,
}

/** The products of lenders that answer with stops. */
const productsWithStops: Partial<Record<LoanProduct, LendingProduct>> = {
  PERSONAL_LOAN: personalLoanWithStops,
  GOLD_LOAN: goldLoanWithStops,
  LAMF: mutualFundLoanWithStops,
}

/** Every product in every shape. */
export const allProducts: LendingProduct[] = [...Object.values(products), ...Object.values(productsWithStops)]

export const lends = ({ slug }: LenderPolicy, product: LoanProduct): boolean => products[product].lending(slug) !== null

export const policyFor = (
  conversation: Pick<Conversation, 'lender' | 'product'> &
    Partial<Pick<Conversation, 'assessment' | 'version' | 'lineId'>>,
): ProductPolicy => policyUnder(productIn(conversation), conversation)

const productIn = ({
  product,
  version,
  lineId = null,
}: Pick<Conversation, 'product'> & Partial<Pick<Conversation, 'version' | 'lineId'>>): LendingProduct =>
  (lineId === null ? null : drawdown) ??
  (version === withStops || version === fundsWithStops ? productsWithStops[product] : undefined) ??
  products[product]
