// The form of every product.
import type { ProductId } from '@lendloom/lending/product/products'
import { goldLoanForm } from './gold-loan.ts'
import { mutualFundLoanForm } from './mutual-fund-loan.ts'
import { personalLoanForm } from './personal-loan.ts'
import type { ProductForm } from './product.ts'

export const productForms: Record<ProductId, ProductForm> = {
  PERSONAL_LOAN: personalLoanForm,
  GOLD_LOAN: goldLoanForm,
  LAMF_LOAN: mutualFundLoanForm,
}
