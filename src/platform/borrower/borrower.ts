// The borrower: what is known of the person, and who is behind an integrator's identifier.

import type { Seal } from '#kit/crypto/seal.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { lockBorrower } from './store.ts'

/** A borrower's person in our own words; each field is absent until somebody says it. */
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
export function merged(known: BorrowerDetails, update: BorrowerDetails): BorrowerDetails {
  return {
    personal: { ...known.personal, ...update.personal, mobile: known.personal.mobile },
    work: { ...known.work, ...update.work, ...(update.work.employmentType === 'salaried' && { udyamNumber: null }) },
    address: { ...known.address, ...update.address },
    ...((known.bank || update.bank) && { bank: { ...known.bank, ...update.bank } }),
    gold: known.gold || update.gold ? { ...known.gold, ...update.gold } : null,
  }
}

/** The place the sealed prefill of a borrower belongs to. */
export const prefillContext = (tenantId: string, borrowerId: string): string =>
  `borrower.prefill:${tenantId}:${borrowerId}`

/** The place a sealed person belongs to: its row. */
export const detailsContext = (tenantId: string, journeyId: string): string => `profile:${tenantId}:${journeyId}`

/** A mobile number for look-up: nobody without our key can compute it. */
export const mobileDigest = ({ seal }: { seal: Seal }, mobile: string): Buffer => seal.digest(mobile, 'mobile')

interface BorrowerIdentity {
  tenantId: string
  externalId: string
  mobile: string
  /** Where the number was sent. */
  path?: string
}

/**
 * Gives the borrower's id, or null when the identifier is unknown. A known identifier with another mobile number is
 * refused as `wrong-state` at `path`, where the number was sent: another person's journey must not open (D1 §2.3.2, §2.3.4).
 */
export async function knownBorrower(
  tx: Tx,
  ctx: { seal: Seal },
  { tenantId, externalId, mobile, path = 'profile.contactNumber' }: BorrowerIdentity,
): Promise<string | null> {
  const row = await lockBorrower(tx, tenantId, externalId)
  if (!row) return null
  if (!row.mobileDigest.equals(mobileDigest(ctx, mobile)))
    throw new Refusal('wrong-state', 'this identifier of a borrower belongs to another mobile number', {
      field: path,
    })
  return row.borrowerId
}
