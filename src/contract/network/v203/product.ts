// The two products of dialect 2.0.3: how a search names them, what an item is called, under which categories it stands (FIS12 §8.3, §9.2).

/** A gold loan is appraised at a branch, where the borrower signs as well; a personal loan needs no visit. */
export const products = ['PERSONAL_LOAN', 'GOLD_LOAN'] as const
export type Product = (typeof products)[number]

/** How the lender judges an application: by the credit bureau, or by bank data through an account aggregator. */
export type Assessment = 'bureau' | 'account-aggregator'

/** `descriptor.code` of an item; LOAN switches on the rules of gold (FIS12 §9.1). */
export const itemCode: Record<Product, string> = { PERSONAL_LOAN: 'PERSONAL_LOAN', GOLD_LOAN: 'LOAN' }

interface Category {
  id: string
  parent_category_id?: string
  descriptor: { code: string; name: string }
}

interface CatalogueCategories {
  /** Those that contain it, from the widest on. */
  above: readonly Category[]
  own: Category
  assessed: Record<Assessment, Category>
}

const under = (id: string, parent: string, code: string, name: string): Category => ({
  id,
  parent_category_id: parent,
  descriptor: { code, name },
})

/** Where the items of a product stand in a catalogue. */
export const catalogueCategories: Record<Product, CatalogueCategories> = {
  PERSONAL_LOAN: {
    above: [{ id: 'C1', descriptor: { code: 'LOAN', name: 'Loan' } }],
    own: under('C2', 'C1', 'PERSONAL_LOAN', 'Personal loan'),
    assessed: {
      bureau: under('C3', 'C2', 'BUREAU_LOAN', 'Bureau based'),
      'account-aggregator': under('C4', 'C2', 'AA_PERSONAL_LOAN', 'Account aggregator based'),
    },
  },
  GOLD_LOAN: {
    above: [],
    own: { id: 'G1', descriptor: { code: 'GOLD_LOAN', name: 'Gold loan' } },
    assessed: {
      bureau: under('G2', 'G1', 'BUREAU_LOAN', 'Bureau based'),
      'account-aggregator': under('G3', 'G1', 'AA_LOAN', 'Account aggregator based'),
    },
  },
}
