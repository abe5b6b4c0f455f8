// The journey of a request, if it is the caller's: another borrower's, application's or tenant's looks absent (D2 §7), and so
// does one of a kind that D2 has no word for.

import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { BorrowerOfApplication } from '#platform/access/headless/caller.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { findJourney, lockJourney } from '#platform/journey/store.ts'
import { productOf } from '#platform/product/products.ts'

/** The journey, locked until the transaction ends; `absent` when it is not one of this borrower. */
export const journeyOf = async (tx: Tx, who: BorrowerOfApplication, journeyId: string): Promise<Journey> =>
  own(who, await lockJourney(tx, who.tenantId, journeyId))

/** The same, only to look at. */
export const journeySeen = async (db: Run, who: BorrowerOfApplication, journeyId: string): Promise<Journey> =>
  own(who, await findJourney(db, who.tenantId, journeyId))

/** The journey, locked, where something can still be done: `wrong-state` when it has ended or expired. */
export async function activeJourneyOf(tx: Tx, who: BorrowerOfApplication, journeyId: string): Promise<Journey> {
  const journey = await journeyOf(tx, who, journeyId)
  if (!journey.active) throw new Refusal('wrong-state', 'this application has ended', { status: journey.status })
  return journey
}

function own(who: BorrowerOfApplication, journey: Journey | undefined): Journey {
  const isOwn = journey?.borrowerId === who.borrowerId && journey.applicationId === who.applicationId
  if (!journey || !isOwn || !productOf(journey).isHeadless) throw new Refusal('absent', 'there is no such journey')
  return journey
}
