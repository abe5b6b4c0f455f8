// The loan products: their names on the wire, their rules and purposes, and which calls accept them.

/** The products, as D1 and D2 name them in `journeyType` and `type`. */
export const productIds = ['PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF_LOAN'] as const
export type ProductId = (typeof productIds)[number]

export interface ProductContract {
  id: ProductId
  /** The English name, as in "a personal loan". */
  name: string
  /** `{product}` in the paths of the hybrid calls (D1 §4). */
  hybridName: string
  /** Whether `POST /api/lab/sessions` opens its journeys; otherwise a hybrid call does (D1 §4). */
  opensBySession: boolean
  /** Whether D2 §2.2 has a name for it: journeys of another product look absent in the headless API. */
  isHeadless: boolean
  /** Whether only a person may borrow; then a company's PAN is rejected (D1 §2.1). */
  needsPersonPan: boolean
  /** An income with fewer digits is a typing error (D1 §2.1). */
  minIncomeDigits: number
  /** Whether gold secures it: the profile has a part `goldLoan` (D1 §2.1). */
  pledgesGold: boolean
  /** Whether units of mutual funds secure it: there is a portfolio, and schemes are pledged (D1 §4, FIS12 §10.1). */
  pledgesFunds: boolean
  /** Whether the borrower is identified, and signs, at a branch of the lender (FIS12 §9.1). */
  visitsBranch: boolean
  /** Whether the account is sent to the lender before it identifies the borrower (FIS12 §10.2 row 5). */
  isAccountFirst: boolean
  /** Whether the borrower repays early at the lender, because the network has no message for it (FIS12 §10.3). */
  isRepaidAtLender: boolean
}

/** The personal loan, on every wire. */
export const personalLoan = {
  id: 'PERSONAL_LOAN',
  name: 'personal loan',
  hybridName: 'personal-loan',
  opensBySession: true,
  isHeadless: true,
  needsPersonPan: true,
  minIncomeDigits: 4,
  pledgesGold: false,
  pledgesFunds: false,
  visitsBranch: false,
  isAccountFirst: false,
  isRepaidAtLender: false,
} as const satisfies ProductContract

/** The gold loan, on every wire. */
export const goldLoan = {
  id: 'GOLD_LOAN',
  name: 'gold loan',
  hybridName: 'gold-loan',
  opensBySession: true,
  isHeadless: true,
  // Companies may apply too (D1 §2.1 `constitution`).
  needsPersonPan: false,
  minIncomeDigits: 1,
  pledgesGold: true,
  pledgesFunds: false,
  visitsBranch: true,
  isAccountFirst: false,
  isRepaidAtLender: false,
} as const satisfies ProductContract

/** The loan against mutual funds, on every wire. */
export const mutualFundLoan = {
  id: 'LAMF_LOAN',
  name: 'loan against mutual funds',
  hybridName: 'lamf',
  opensBySession: false,
  isHeadless: false,
  needsPersonPan: false,
  minIncomeDigits: 1,
  pledgesGold: false,
  pledgesFunds: true,
  visitsBranch: false,
  isAccountFirst: true,
  isRepaidAtLender: true,
} as const satisfies ProductContract

/** The contract of each product. A missing product does not compile. */
export const productContracts = {
  PERSONAL_LOAN: personalLoan,
  GOLD_LOAN: goldLoan,
  LAMF_LOAN: mutualFundLoan,
} as const satisfies { [Id in ProductId]: ProductContract & { id: Id } }

/** The rules and names of one product. */
export const contractOf = (id: ProductId): ProductContract => productContracts[id]

/** A product's yes-or-no traits. */
type Trait = {
  [Name in keyof ProductContract]: ProductContract[Name] extends boolean ? Name : never
}[keyof ProductContract]
export type ProductsThat<T extends Trait> = {
  [Id in ProductId]: (typeof productContracts)[Id][T] extends true ? Id : never
}[ProductId]

/** The ids of the products that have a trait, in their usual order. */
export const productsThat = <T extends Trait>(trait: T): ProductsThat<T>[] =>
  productIds.filter((id): id is ProductsThat<T> => contractOf(id)[trait])

/** The message for a field that only products with this trait accept. */
export const belongsTo = (trait: Trait): string =>
  `belongs to ${productsThat(trait)
    .map((id) => `a ${contractOf(id).name}`)
    .join(' or ')} alone`

/** The default when a body names no product (D1 §4). */
export const defaultProduct = personalLoan.id

/** The purposes that every lender of personal loans accepts (FIS12 §7.7, profile form). */
export const personalLoanUses = ['consumerDurablePurchase', 'education', 'travel', 'health', 'other'] as const

/** Further purposes, which lenders of other loans accept (FIS12 §7.7). */
export const otherLoanUses = [
  'marriage',
  'familyFunctions',
  'medicalTreatmentAndEmergencies',
  'travelEducationExpenses',
  'businessExpansion',
  'agricultureAndFarmRelatedNeeds',
  'purchaseOfEquipment',
] as const

export const endUses = [...otherLoanUses, ...personalLoanUses] as const
