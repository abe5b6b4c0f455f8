// The payload of lifecycle updates, as an integrator receives it (D1 §2.4, §2.5, §6).

import { Closed, Nullable, OneOf, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { productIds } from '@lendloom/lending/product/products'
import { statuses } from './lifecycle-status.ts'
import type { Address, GoldProfile, PersonalProfile, WorkProfile } from './profile.ts'

/** The version of the update's body. An incompatible change needs a new one. */
export const eventVersion = '2026-11-01'

export type LifecycleStatus = (typeof statuses)[number]
export const LifecycleStatus = OneOf([...statuses])

const text = Type.String()
const maybeText = Nullable(Type.String())
const maybeNumber = Nullable(Type.Number())
const maybeCount = Nullable(Type.Integer())
const stepStatus = Nullable(OneOf(['PENDING', 'SUCCESS', 'FAILURE']))

export const LifecycleLender = Closed({
  id: text,
  lender_name: text,
  lender_gro_name: text,
  lender_gro_email: text,
  lender_gro_contact_number: text,
  lender_gro_designation: text,
  lender_gro_address: text,
  lender_customer_support_link: text,
  lender_customer_support_contact_number: text,
  lender_customer_support_email: text,
})
export type LifecycleLender = Static<typeof LifecycleLender>

export const LifecycleInstallment = Closed({
  serial_number: Type.Integer(),
  type: text,
  amount: text,
  status: text,
  installment_due_date: text,
})
export type LifecycleInstallment = Static<typeof LifecycleInstallment>

export const LifecycleOffer = Closed({
  id: text,
  accepted: Type.Boolean(),
  expired: Type.Boolean(),
  amount_principal: text,
  amount_total_interest_payable: text,
  amount_net_disbursed_amount: text,
  offer_term: text,
  interest_rate: text,
  annual_percentage_rate: text,
  interest_type: text,
  number_of_installments: Type.Integer(),
  cool_off_period: text,
  terms_and_conditions_link: text,
  key_facts_statement_link: text,
  application_fees: text,
  foreclosure_fees: text,
  delay_penalty_fees: text,
  processing_fees: text,
  interest_rate_conversion_charges: maybeText,
  other_penalty_fees: maybeText,
  other_upfront_charges: maybeText,
  insurance_charges: maybeText,
  other_charges: maybeText,
  installments: Type.Array(LifecycleInstallment),
})
export type LifecycleOffer = Static<typeof LifecycleOffer>

export const LifecycleJourney = Closed({
  id: text,
  endUse: maybeText,
  bureauConsent: Type.Boolean(),
  network_transaction_id: text,
  created: text,
  updated: text,
  type: OneOf(productIds),
  status: LifecycleStatus,
  activity_status: OneOf(['ACTIVE', 'INACTIVE']),
  decision_status: Nullable(OneOf(['APPROVED', 'NOT_APPROVED'])),
  lender_mode: Nullable(OneOf(['ONLINE', 'OFFLINE'])),
  kyc_status: stepStatus,
  emandate_status: stepStatus,
  esign_status: stepStatus,
  kyc_attempts: maybeCount,
  emandate_attempts: maybeCount,
  esign_attempts: maybeCount,
  change_in_offer: Type.Boolean(),
  borrower_preferred_amount: maybeNumber,
  borrower_preferred_tenure: maybeNumber,
  lenders: Type.Array(LifecycleLender),
  offers: Type.Array(LifecycleOffer),
})

/** Profile fields that are not part of the lifecycle update (D1 §2.4). */
type NotInUpdates =
  | 'pan'
  | 'gstin'
  | 'annualTurnover'
  | 'industry'
  | `business${'Constitution' | 'AddressL1' | 'AddressL2' | 'City' | 'State' | 'Pincode'}`

/** Every field of a profile group that updates contain. */
type UpdateFields<Group> = Record<Exclude<keyof Group, NotInUpdates>, TSchema>

export const LifecyclePersonal = Closed({
  panName: maybeText,
  dob: maybeText,
  gender: maybeText,
  personalemail: maybeText,
  contactNumber: text,
} satisfies UpdateFields<PersonalProfile>)

export const LifecycleWork = Closed({
  employmentType: maybeText,
  officialemail: maybeText,
  income: maybeNumber,
  companyName: maybeText,
  udyamNumber: maybeText,
} satisfies UpdateFields<WorkProfile>)

export const LifecycleAddress = Closed({
  addressL1: maybeText,
  addressL2: maybeText,
  city: maybeText,
  state: maybeText,
  pincode: maybeText,
} satisfies UpdateFields<Address>)

export const LifecycleGoldLoan = Closed({
  userType: maybeText,
  constitution: maybeText,
  jewelleryWeightGrams: maybeNumber,
  purity: maybeText,
} satisfies UpdateFields<GoldProfile>)

export const LifecycleProfile = Closed({
  personal: LifecyclePersonal,
  work: LifecycleWork,
  address: LifecycleAddress,
  gold_loan: Type.Optional(LifecycleGoldLoan),
})

export const LifecycleBorrower = Closed({
  id: text,
  provider_id: text,
  profile: LifecycleProfile,
  journey: LifecycleJourney,
})

export const LifecycleUpdate = Closed({
  tenant_id: text,
  application_id: text,
  borrower: LifecycleBorrower,
})
export type LifecycleUpdate = Static<typeof LifecycleUpdate>
