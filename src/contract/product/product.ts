// A loan product as every program that meets it over the wire has to know it: its names, and the rules that hold for its data.

/** The products, as D1 and D2 name them in `journeyType` and `type`. */
export const productIds = ['PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF_LOAN'] as const
export type ProductId = (typeof productIds)[number]

export interface ProductContract {
  id: ProductId
  /** In the middle of a sentence, after "a". */
  name: string
  /** `{product}` in the paths of the hybrid calls (D1 §4). */
  hybridName: string
  /** Whether `POST /api/lab/sessions` opens journeys of it; one that it does not begins with a hybrid call (D1 §4). */
  opensBySession: boolean
  /** Whether D2 §2.2 has a name for it: journeys of another product look absent in the headless API. */
  isHeadless: boolean
  /** Whether only a person may borrow, so that a company's PAN is refused (D1 §2.1). */
  needsPersonPan: boolean
  /** An income of fewer digits is taken for a slip (D1 §2.1). */
  leastIncomeDigits: number
  /** Whether gold secures it: the profile has a part `goldLoan` (D1 §2.1). */
  pledgesGold: boolean
  /** Whether units of mutual funds secure it: there is a portfolio, and schemes are pledged (D1 §4, FIS12 §10.1). */
  pledgesFunds: boolean
  /** Whether the borrower is identified, and signs, at a branch of the lender (FIS12 §9.1). */
  visitsBranch: boolean
  /** Whether the lender is told the account before it asks who the borrower is (FIS12 §10.2 row 5). */
  isAccountFirst: boolean
  /** Whether it is repaid early at the lender itself, since the network has no message for it (FIS12 §10.3). */
  isRepaidAtLender: boolean
}
