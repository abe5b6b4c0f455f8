// A loan product as data: everything that the platform does otherwise for one product than for another.

import type { JourneyView as HeadlessJourney } from '#contract/headless/journey.ts'
import type { Dialect } from '#contract/network/context.ts'
import type { CatalogProduct as Category } from '#contract/network/v203/search.ts'
import type { BuyerTerms, FinderFee } from '#contract/network/v203/settlement.ts'
import type { ProductContract } from '#contract/product/products.ts'
import type { StepReason } from '#contract/reason/reason.ts'

/** Data that lenders may require before they are asked, by the paths of D1 §2.1. */
export type RequiredField =
  | `profile.${'panName' | 'pan' | 'dob' | 'gender' | 'personalemail'}`
  | `workProfile.${'employmentType' | 'income' | 'companyName'}`
  | 'address.pincode'
  | 'endUse'
  | `goldLoan.${'jewelleryWeightGrams' | 'purity'}`

export interface PlatformProduct extends ProductContract {
  /** In the order of the form. */
  requiredFields: readonly RequiredField[]
  network: NetworkProduct
  /** The borrowers of this product that the lending partner accepts (D3 §1). */
  partnerLendsTo: readonly ('salaried' | 'selfEmployed')[]
  /** The capabilities of a journey in the headless API (D2 §2.3). */
  capabilities: HeadlessJourney['capabilities']
  /** Shown to the borrower after a failed visit; null without visits. */
  failedVisit: StepReason | null
}

/** How lenders of the network are spoken with about a product (FIS12 §8, §9, §10). */
export interface NetworkProduct {
  dialect: Dialect
  /** Writes the `message` of the search that finds its lenders. */
  search(content: { fee: FinderFee; terms: BuyerTerms }): object
  /** The category of its items in a 2.0.3 catalogue; null for 2.3.0, which its codec parses. */
  category: Category | null
  /** In whose field names a lender's form about the borrower is answered (FIS12 §7.7). */
  profileForm: 'personal' | 'gold'
  /**
   * Whether the account is sent in `init` and `confirm`; otherwise a form of the lender asks for it (FIS12 §10.2 row
   * 5).
   */
  isAccountInOrder: boolean
  /** Whether a term can be chosen: a `select` of 2.3.0 carries units only, and each offer has the term that it was made over (FIS12 §12.2). */
  isTermChosen: boolean
  /** Whether its lenders take complaints over the network (FIS12 §20). */
  takesGrievances: boolean
}
