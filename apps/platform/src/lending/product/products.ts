// All loan products by id.
import type { ProductId } from '@lendloom/lending/product/products'
import { goldLoan } from './gold-loan.ts'
import { mutualFundLoan } from './mutual-fund-loan.ts'
import { personalLoan } from './personal-loan.ts'
import type { PlatformProduct } from './product.ts'

export const products: Record<ProductId, PlatformProduct> = {
  PERSONAL_LOAN: personalLoan,
  GOLD_LOAN: goldLoan,
  LAMF_LOAN: mutualFundLoan,
}

/** The products that lending partners offer. */
export const partnerProducts: ProductId[] = Object.values(products)
  .filter(({ partnerLendsTo }) => partnerLendsTo.length > 0)
  .map(({ id }) => id)

export const productOf = ({ type }: { type: ProductId }): PlatformProduct => products[type]
