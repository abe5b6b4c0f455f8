// The journey of a request, if it is the caller's: another borrower's, application's or tenant's looks absent (D2 §7).
import { Refusal } from '#kit/refusal.ts'
import type { Run, Tx } from '#kit/sql.ts'
import type { HeadlessBorrower } from '#platform/access/headless/caller.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { findJourney, lockJourney } from '#platform/journey/store.ts'

/** The journey, locked until the transaction ends; `absent` when it is not one of this borrower. */
export const journeyOf = async (tx: Tx, who: HeadlessBorrower, journeyId: string): Promise<Journey> =>
  own(who, await lockJourney(tx, who.tenantId, journeyId))

/** The same, only to look at. */
export const journeySeen = async (db: Run, who: HeadlessBorrower, journeyId: string): Promise<Journey> =>
  own(who, await findJourney(db, who.tenantId, journeyId))

/** The journey, locked, where something can still be done: `wrong-state` when it has ended or expired. */
export async function activeJourneyOf(tx: Tx, who: HeadlessBorrower, journeyId: string): Promise<Journey> {
  const journey = await journeyOf(tx, who, journeyId)
  if (!journey.active) throw new Refusal('wrong-state', 'this application has ended', { status: journey.status })
  return journey
}

function own(who: HeadlessBorrower, journey: Journey | undefined): Journey {
  if (!journey || journey.borrowerId !== who.borrowerId || journey.applicationId !== who.applicationId)
    throw new Refusal('absent', 'there is no such journey')
  return journey
}
