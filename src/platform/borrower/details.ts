// What is known of a borrower's person, in our own words; each field is absent until somebody says it.

export interface BorrowerDetails {
  personal: { mobile: string; pan?: string; panName?: string; dob?: string; gender?: string; personalEmail?: string }
  work: {
    employmentType?: 'salaried' | 'selfEmployed'
    officialEmail?: string
    income?: number
    companyName?: string
    udyamNumber?: string | null
  }
  address: { addressL1?: string; addressL2?: string; city?: string; state?: string; pincode?: string }
  /** The account the money may go to, as far as somebody has said. */
  bank?: {
    accountHolderName?: string
    accountNumber?: string
    ifsc?: string
    accountType?: 'saving' | 'current'
  }
  /** Only of a gold-loan journey. */
  gold: {
    userType?: string
    constitution?: string | null
    jewelleryWeightGrams?: number
    purity?: string
    aaId?: string
    requestedAmount?: string
    requestedTenureMonths?: number
  } | null
}

/**
 * Later words over earlier ones, field by field; the mobile number stays, since it says who the borrower is, and a Udyam
 * number goes with the self-employment it belongs to (D1 §7).
 */
export function merged(known: BorrowerDetails, said: BorrowerDetails): BorrowerDetails {
  return {
    personal: { ...known.personal, ...said.personal, mobile: known.personal.mobile },
    work: { ...known.work, ...said.work, ...(said.work.employmentType === 'salaried' && { udyamNumber: null }) },
    address: { ...known.address, ...said.address },
    ...((known.bank || said.bank) && { bank: { ...known.bank, ...said.bank } }),
    gold: known.gold || said.gold ? { ...known.gold, ...said.gold } : null,
  }
}

/** The place the sealed prefill of a borrower belongs to. */
export const prefillContext = (tenantId: string, borrowerId: string): string =>
  `borrower.prefill:${tenantId}:${borrowerId}`

/** The place a sealed person belongs to: its row. */
export const detailsContext = (tenantId: string, journeyId: string): string => `profile:${tenantId}:${journeyId}`
