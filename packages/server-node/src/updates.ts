// Types of the lifecycle update; generated from the schemas by packages/contract-types.ts; do not edit.
// biome-ignore-all format: generated

/** The status that a journey has reached (D1 §3). */
export type LifecycleStatus =
  | 'STARTED'
  | 'PROFILED'
  | 'OFFERED'
  | 'NOT_OFFERED'
  | 'OFFER_SELECTED'
  | 'OFFER_ACCEPTED'
  | 'LENDER_REDIRECTED'
  | 'REJECTED'
  | 'DISBURSED'

/** An instalment of a disbursed loan (D1 §2.4). */
export interface LifecycleInstallment {
  serial_number: number
  type: string
  amount: string
  status: string
  installment_due_date: string
}

/** An offer of a lender; amounts are decimal strings in rupees (D1 §2.4). */
export interface LifecycleOffer {
  id: string
  accepted: boolean
  expired: boolean
  amount_principal: string
  amount_total_interest_payable: string
  amount_net_disbursed_amount: string
  offer_term: string
  interest_rate: string
  annual_percentage_rate: string
  interest_type: string
  number_of_installments: number
  cool_off_period: string
  terms_and_conditions_link: string
  key_facts_statement_link: string
  application_fees: string
  foreclosure_fees: string
  delay_penalty_fees: string
  processing_fees: string
  interest_rate_conversion_charges: string | null
  other_penalty_fees: string | null
  other_upfront_charges: string | null
  insurance_charges: string | null
  other_charges: string | null
  installments: LifecycleInstallment[]
}

/** A lender that was asked for offers, with its contacts (D1 §2.4). */
export interface LifecycleLender {
  id: string
  lender_name: string
  lender_gro_name: string
  lender_gro_email: string
  lender_gro_contact_number: string
  lender_gro_designation: string
  lender_gro_address: string
  lender_customer_support_link: string
  lender_customer_support_contact_number: string
  lender_customer_support_email: string
}

/** The known data of the borrower (D1 §2.4). */
export interface LifecycleProfile {
  personal: {
    panName: string | null
    dob: string | null
    gender: string | null
    personalemail: string | null
    contactNumber: string
  }
  work: {
    employmentType: string | null
    officialemail: string | null
    income: number | null
    companyName: string | null
    udyamNumber: string | null
  }
  address: {
    addressL1: string | null
    addressL2: string | null
    city: string | null
    state: string | null
    pincode: string | null
  }
  gold_loan?: {
    userType: string | null
    constitution: string | null
    jewelleryWeightGrams: number | null
    purity: string | null
  }
}

/** The journey that the update is about (D1 §2.4). */
export interface LifecycleJourney {
  id: string
  endUse: string | null
  bureauConsent: boolean
  network_transaction_id: string
  created: string
  updated: string
  type: 'PERSONAL_LOAN' | 'GOLD_LOAN' | 'LAMF_LOAN'
  status: LifecycleStatus
  activity_status: 'ACTIVE' | 'INACTIVE'
  decision_status: 'APPROVED' | 'NOT_APPROVED' | null
  lender_mode: 'ONLINE' | 'OFFLINE' | null
  kyc_status: 'PENDING' | 'SUCCESS' | 'FAILURE' | null
  emandate_status: 'PENDING' | 'SUCCESS' | 'FAILURE' | null
  esign_status: 'PENDING' | 'SUCCESS' | 'FAILURE' | null
  kyc_attempts: number | null
  emandate_attempts: number | null
  esign_attempts: number | null
  change_in_offer: boolean
  borrower_preferred_amount: number | null
  borrower_preferred_tenure: number | null
  lenders: LifecycleLender[]
  offers: LifecycleOffer[]
}

/** The payload of webhooks, callbacks and browser messages (D1 §2.4). */
export interface LifecycleUpdate {
  tenant_id: string
  application_id: string
  borrower: {
    id: string
    provider_id: string
    profile: LifecycleProfile
    journey: LifecycleJourney
  }
}
