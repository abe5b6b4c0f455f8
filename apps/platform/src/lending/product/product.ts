// A loan product as data. It states every difference between the products on the platform.

import type { ProductContract } from '@lendloom/lending/product/products'
import type { StepReason } from '@lendloom/lending/reason/reason'
import type { JourneyView as HeadlessJourney } from '@lendloom/wire/headless/journey'
import type { Address, GoldProfile, PersonalProfile, WorkProfile } from '@lendloom/wire/hosted/profile'
import type { Dialect, NetworkDomain, OlderDialect } from '@lendloom/wire/network/context'

/** Profile data that lenders may require before the search, by the paths of D1 §2.1. */
export type RequiredField =
  | `profile.${keyof PersonalProfile}`
  | `workProfile.${keyof WorkProfile}`
  | `address.${keyof Address}`
  | `goldLoan.${keyof GoldProfile}`
  | 'endUse'

export interface PlatformProduct extends ProductContract {
  /** The fields that the borrower must fill in, in the order of the form. */
  requiredFields: readonly RequiredField[]
  network: NetworkProduct
  /** The borrowers of this product that the lending partner accepts (D3 §1). */
  partnerLendsTo: readonly ('salaried' | 'selfEmployed')[]
  /** The capabilities of a journey in the headless API (D2 §2.3). */
  capabilities: HeadlessJourney['capabilities']
  /** The reason that the borrower sees after a failed branch visit; null for a product without visits. */
  failedVisitReason: StepReason | null
}

/** A product's network messages (FIS12 §8, §9, §10). */
export interface NetworkProduct {
  dialect: Dialect
  /** Older versions in which lenders of the product may answer. */
  olderDialects: readonly OlderDialect[]
  /** The domains in which lenders of the product may answer. */
  domains: readonly NetworkDomain[]
  /** The category of the product's search and of its items in a 2.0.3 catalogue; null for dialect 2.3.0. */
  category: 'PERSONAL_LOAN' | 'GOLD_LOAN' | null
  /** The set of field names in a lender's profile form (FIS12 §7.7). */
  profileForm: 'personal' | 'gold'
  /** Whether `init` and `confirm` contain the bank account. If not, a lender's form requests it (FIS12 §10.2 row 5). */
  orderContainsAccount: boolean
  /** Whether the borrower chooses a term. A 2.3.0 `select` has no term, so the offered term applies (FIS12 §12.2). */
  borrowerChoosesTerm: boolean
}
