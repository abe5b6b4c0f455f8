// The borrower that belongs to an integrator's identifier: its new row, and the check of its mobile number.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { BorrowerDetails } from './borrower.ts'
import { mobileDigest } from './digests.ts'
import { type BorrowerRow, borrowerBucket, type NewBorrower, upsertBorrower } from './store.ts'

/** The row of a borrower who is not stored yet. The id contains the bucket of the integrator's identifier. */
export const newBorrowerOf = (
  deps: { seal: Seal },
  { tenantId, externalId }: Pick<NewBorrower, 'tenantId' | 'externalId'>,
  { personal }: Pick<BorrowerDetails, 'personal'>,
  at: Date,
): NewBorrower => ({
  tenantId,
  externalId,
  borrowerId: uuidv7(at.getTime(), borrowerBucket(tenantId, externalId)),
  mobileDigest: mobileDigest(deps, personal.mobile),
  createdAt: at,
})

/**
 * Creates the borrower of an integrator's identifier unless the row exists, and locks the row. Throws `wrong-state` at
 * `path`, the path of the mobile number, if the borrower has another mobile number, because the identifier then belongs
 * to another person (D1 §2.3.2, §2.3.4).
 */
export async function ensureBorrower(
  tx: Tx,
  row: NewBorrower,
  path = 'profile.contactNumber',
): Promise<Omit<BorrowerRow, 'mobileDigest'>> {
  const { mobileDigest: known, ...borrower } = await upsertBorrower(tx, row)
  if (!known.equals(row.mobileDigest))
    throw new Refusal('wrong-state', 'this borrower identifier belongs to another mobile number', {
      field: path,
    })
  return borrower
}
