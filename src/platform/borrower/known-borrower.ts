// The borrower behind an integrator's identifier, as long as it still belongs to the same mobile number (D1 §2.3).

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#platform/context.ts'
import { lockBorrower } from './store.ts'

/** A mobile number for look-up: nobody without our key can compute it. */
export const mobileDigest = (ctx: Context, mobile: string): Buffer => ctx.seal.digest(mobile, 'mobile')

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
  ctx: Context,
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
