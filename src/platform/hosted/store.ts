// No table of its own: the statement that opens a journey, composed of the pieces that the rooms below write.
import { type Fragment, type Run, sql } from '#kit/sql.ts'
import { type NewEmbedToken, newEmbedToken } from '#platform/access/store.ts'
import { type NewBorrower, newBorrower } from '#platform/borrower/store.ts'
import { type NewEvent, type NewJourney, newEvent, newJourney } from '#platform/journey/store.ts'
import { newProfile } from '#platform/profile/store.ts'
import type { LifecycleDelivery } from '#platform/webhook/delivery.ts'
import { newDeliveries } from '#platform/webhook/store.ts'

export interface Opening {
  journey: NewJourney
  profileSealed: Buffer
  event: NewEvent
  delivery: LifecycleDelivery
  token: NewEmbedToken
}

/**
 * Borrower, journey, profile, event, deliveries and token in one statement and so one round trip and one commit.
 * Gives false, and has written nothing, when the borrower is known already.
 */
export async function openForNewBorrower(db: Run, borrower: NewBorrower, opening: Opening): Promise<boolean> {
  const rows = await db`with someone as (${newBorrower(borrower)}), ${rowsOf(opening)} select 1 from begun`
  return rows.length > 0
}

/** The same for a borrower who is known. */
export async function openForBorrower(tx: Run, borrowerId: string, opening: Opening): Promise<void> {
  await tx`with someone as (select ${borrowerId}::uuid as borrower_id), ${rowsOf(opening)} select 1 from begun`
}

const rowsOf = ({ journey, profileSealed, event, delivery, token }: Opening): Fragment => sql`
  begun as (${newJourney(journey, sql`someone`)}),
  profiled as (${newProfile(journey.tenantId, journey.journeyId, profileSealed, journey.at, sql`begun`)}),
  told as (${newEvent(event, sql`begun`)}),
  sent as (${newDeliveries(delivery, journey.at, sql`begun`)}),
  let_in as (${newEmbedToken(token, sql`begun`)})`

/** One more token for a journey that exists. */
export async function addToken(tx: Run, journeyId: string, token: NewEmbedToken): Promise<void> {
  await tx`${newEmbedToken(token, sql`(select ${journeyId}::uuid as journey_id)`)}`
}
