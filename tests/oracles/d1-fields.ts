// The fields of D1 §2.4, each with the kind of its value, as the document's tables list them.

/** The kind of a value. `amount` is decimal digits, `term` such as `12 months`, `filled` a text that is not empty. */
export type Kind =
  | 'object'
  | 'array'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  | 'filled'
  | 'uuid'
  | 'instant'
  | 'amount'
  | 'term'
  | 'url'
  | 'mobile'

/** The kind of each field; a `?` after the kind allows null. */
type Fields = Record<string, string>

const stepStatuses = ['PENDING', 'SUCCESS', 'FAILURE', null] as const

export const profileFields: Record<'personal' | 'work' | 'address' | 'gold_loan', Fields> = {
  personal: {
    panName: 'filled?',
    dob: 'filled?',
    gender: 'filled?',
    personalemail: 'filled?',
    contactNumber: 'mobile',
  },
  work: {
    employmentType: 'filled?',
    officialemail: 'filled?',
    income: 'number?',
    companyName: 'filled?',
    udyamNumber: 'filled?',
  },
  address: { addressL1: 'filled?', addressL2: 'filled?', city: 'filled?', state: 'filled?', pincode: 'filled?' },
  gold_loan: { userType: 'filled?', constitution: 'filled?', jewelleryWeightGrams: 'number?', purity: 'filled?' },
}

export const journeyFields = {
  id: 'uuid',
  endUse: [
    'consumerDurablePurchase',
    'education',
    'travel',
    'health',
    'marriage',
    'familyFunctions',
    'medicalTreatmentAndEmergencies',
    'travelEducationExpenses',
    'businessExpansion',
    'agricultureAndFarmRelatedNeeds',
    'purchaseOfEquipment',
    'other',
    null,
  ],
  bureauConsent: 'boolean',
  network_transaction_id: 'uuid',
  created: 'instant',
  updated: 'instant',
  // §2.4 lists only two of the three journey types of §1.
  type: ['PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF_LOAN'],
  status: 'filled',
  activity_status: ['ACTIVE', 'INACTIVE'],
  decision_status: ['APPROVED', 'NOT_APPROVED', null],
  lender_mode: ['ONLINE', 'OFFLINE', null],
  kyc_status: stepStatuses,
  emandate_status: stepStatuses,
  esign_status: stepStatuses,
  kyc_attempts: 'integer?',
  emandate_attempts: 'integer?',
  esign_attempts: 'integer?',
  change_in_offer: 'boolean',
  borrower_preferred_amount: 'number?',
  borrower_preferred_tenure: 'number?',
  lenders: 'array',
  offers: 'array',
} satisfies Record<string, string | readonly (string | null)[]>

export const lenderFields: Fields = {
  id: 'uuid',
  lender_name: 'filled',
  lender_gro_name: 'string',
  lender_gro_email: 'string',
  lender_gro_contact_number: 'string',
  lender_gro_designation: 'string',
  lender_gro_address: 'string',
  lender_customer_support_link: 'string',
  lender_customer_support_contact_number: 'string',
  lender_customer_support_email: 'string',
}

export const offerFields: Fields = {
  id: 'uuid',
  accepted: 'boolean',
  expired: 'boolean',
  amount_principal: 'amount',
  amount_total_interest_payable: 'amount',
  amount_net_disbursed_amount: 'amount',
  offer_term: 'term',
  interest_rate: 'filled',
  annual_percentage_rate: 'filled',
  interest_type: 'filled',
  number_of_installments: 'integer',
  cool_off_period: 'filled',
  terms_and_conditions_link: 'url',
  key_facts_statement_link: 'url',
  application_fees: 'string',
  foreclosure_fees: 'string',
  delay_penalty_fees: 'string',
  processing_fees: 'string',
  interest_rate_conversion_charges: 'string?',
  other_penalty_fees: 'string?',
  other_upfront_charges: 'string?',
  insurance_charges: 'string?',
  other_charges: 'string?',
  installments: 'array',
}

export const installmentFields: Fields = {
  serial_number: 'integer',
  type: 'filled',
  amount: 'amount',
  status: 'filled',
  installment_due_date: 'instant',
}
