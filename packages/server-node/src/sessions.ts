// Types of a session request; generated from the schemas by packages/contract-types.ts; do not edit.
// biome-ignore-all format: generated

/** The body of POST /api/lab/sessions (D1 §2.1). */
export interface SessionRequest {
  borrowerProviderID: string
  journeyType?: 'PERSONAL_LOAN' | 'GOLD_LOAN'
  profile: {
    contactNumber: string
    pan?: string
    panName?: string
    dob?: string
    gender?: string
    personalemail?: string
  }
  workProfile?: {
    officialemail?: string
    employmentType?: string
    income?: string | number
    companyName?: string
    udyamNumber?: string | null
    businessConstitution?: 'proprietorship' | 'partnership' | 'limitedLiabilityPartnership' | 'privateLimited' | 'hinduUndividedFamily' | 'profession' | 'other' | null
    industry?: 'retail' | 'wholesale' | 'manufacturing' | 'food' | 'transport' | 'construction' | 'agriculture' | 'health' | 'education' | 'professionalServices' | 'otherServices' | null
    gstin?: string | null
    annualTurnover?: string | number | null
    businessAddressL1?: string | null
    businessAddressL2?: string | null
    businessCity?: string | null
    businessState?: string | null
    businessPincode?: string | null
  }
  address?: {
    addressL1?: string
    addressL2?: string
    city?: string
    state?: string
    pincode?: string
  }
  goldLoan?: {
    userType?: 'individual' | 'non-individual'
    constitution?: string | null
    jewelleryWeightGrams?: string | number
    purity?: '24K' | '22K' | '21K' | '18K' | '14K' | '9K'
    endUse?: 'marriage' | 'familyFunctions' | 'medicalTreatmentAndEmergencies' | 'travelEducationExpenses' | 'businessExpansion' | 'agricultureAndFarmRelatedNeeds' | 'purchaseOfEquipment' | 'consumerDurablePurchase' | 'education' | 'travel' | 'health' | 'other'
    bureauConsent?: boolean
    aaID?: string
    requestedAmount?: string | number
    requestedTenureMonths?: string | number
  }
  callbackUrl?: string
  returnUrl?: string
}
