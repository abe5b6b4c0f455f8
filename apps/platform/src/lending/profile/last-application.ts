// The borrower's last application that ended without a loan: what the next one begins with (D1 §2.3.4, §2.6).

import { adviceOn } from '@lendloom/lending/reason/advice'
import type { Run } from '@lendloom/postgres/sql'
import type { Context } from '#platform/context.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import { findWithdrawal } from '#platform/lending/borrower/store.ts'
import { endsJourney, isExpired, type Journey } from '#platform/lending/journey/journey.ts'
import { readProfile } from './edit-profile.ts'

/** Older details are more often wrong than helpful: people move, and change their employer. */
const reuseForMs = 90 * 86_400_000

/** Whether the application expired, or lenders ended it: none made an offer, or one rejected it. Not if the borrower ended it. */
export const endedInvoluntarily = async (db: Run, journey: Journey): Promise<boolean> =>
  (endsJourney(journey.status) || isExpired(journey)) &&
  !isOwnDecision(journey) &&
  (await findWithdrawal(db, journey)) === null

const isOwnDecision = ({ endReason }: Pick<Journey, 'endReason'>): boolean =>
  endReason !== null && adviceOn([endReason]).includes('OWN')

/**
 * Returns what the borrower entered in an application that expired or that lenders ended at most 90 days ago, without the
 * bank account; undefined for any other application. It stays with the platform and the app, which both have it, and no lender gets
 * it before the borrower consents again. An erased application has no details left.
 */
export async function reusableDetails(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  journey: Journey,
  at: Date,
): Promise<BorrowerDetails | undefined> {
  const isRecent = at.getTime() - journey.updatedAt.getTime() <= reuseForMs
  if (!isRecent || !(await endedInvoluntarily(db, journey))) return
  const { bank: _, ...details } = (await readProfile(db, ctx, journey)).person
  return details
}
