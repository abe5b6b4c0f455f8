// All loan products by their id, and those among them that a call takes.
import { goldLoan } from './gold-loan.ts'
import { mutualFundLoan } from './mutual-fund-loan.ts'
import { personalLoan } from './personal-loan.ts'
import { type ProductContract, type ProductId, productIds } from './product.ts'

/** Does not compile while a product is missing. */
export const productContracts = {
  PERSONAL_LOAN: personalLoan,
  GOLD_LOAN: goldLoan,
  LAMF_LOAN: mutualFundLoan,
} as const satisfies { [Id in ProductId]: ProductContract & { id: Id } }

/** The rules and names of one product. */
export const contractOf = (id: ProductId): ProductContract => productContracts[id]

/** What a product may be or not. */
type Trait = {
  [Name in keyof ProductContract]: ProductContract[Name] extends boolean ? Name : never
}[keyof ProductContract]
/** The ids of the products that have a trait. */
export type ProductsThat<T extends Trait> = {
  [Id in ProductId]: (typeof productContracts)[Id][T] extends true ? Id : never
}[ProductId]

/** The ids of the products that have a trait, in their usual order. */
export const productsThat = <T extends Trait>(trait: T): ProductsThat<T>[] =>
  productIds.filter((id): id is ProductsThat<T> => contractOf(id)[trait])

/** Why a part of a body is refused that only products with a trait have. */
export const belongsTo = (trait: Trait): string =>
  `belongs to ${productsThat(trait)
    .map((id) => `a ${contractOf(id).name}`)
    .join(' or ')} alone`

/** What is meant where a body names no product (D1 §4). */
export const defaultProduct = personalLoan.id
