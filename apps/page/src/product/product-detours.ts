// The detours of every product, separate from the forms, which later screens do not need.
import type { ProductId } from '@lendloom/lending/product/products'
import { goldLoanDetour } from './gold-loan.ts'
import { mutualFundLoanDetour } from './mutual-fund-loan.ts'
import { personalLoanDetour } from './personal-loan.ts'
import type { ProductDetour } from './product.ts'

export const productDetours: Record<ProductId, ProductDetour> = {
  PERSONAL_LOAN: personalLoanDetour,
  GOLD_LOAN: goldLoanDetour,
  LAMF_LOAN: mutualFundLoanDetour,
}
