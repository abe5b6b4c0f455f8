// A loan product as data: all differences between products on the platform.

import type { JourneyView as HeadlessJourney } from '#contract/headless/journey.ts'
import type { Address, GoldProfile, PersonalProfile, WorkProfile } from '#contract/hosted/profile.ts'
import type { Dialect } from '#contract/network/context.ts'
import type { CatalogProduct as Category } from '#contract/network/v203/search.ts'
import type { BuyerTerms, FinderFee } from '#contract/network/v203/settlement.ts'
import type { ProductContract } from '#contract/product/products.ts'
import type { StepReason } from '#contract/reason/reason.ts'

/** Profile data that lenders may require before the search, by the paths of D1 §2.1. */
export type RequiredField =
  | `profile.${keyof PersonalProfile}`
  | `workProfile.${keyof WorkProfile}`
  | `address.${keyof Address}`
  | `goldLoan.${keyof GoldProfile}`
  | 'endUse'

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

/** A product's network messages (FIS12 §8, §9, §10). */
export interface NetworkProduct {
  dialect: Dialect
  /** Returns the `message` of the search for its lenders. */
  search(content: { fee: FinderFee; terms: BuyerTerms }): object
  /** The category of its items in a 2.0.3 catalogue; null for 2.3.0, which its codec parses. */
  category: Category | null
  /** Set of field names for a lender's form about the borrower (FIS12 §7.7). */
  profileForm: 'personal' | 'gold'
  /**
   * Whether the account is sent in `init` and `confirm`; otherwise a lender's form requests it (FIS12 §10.2 row
   * 5).
   */
  isAccountInOrder: boolean
  /** Whether the borrower can choose a term; a 2.3.0 `select` only contains units, so the offer's term applies (FIS12 §12.2). */
  isTermChosen: boolean
  /** Whether lenders accept complaints over the network (FIS12 §20). */
  acceptsGrievances: boolean
}
