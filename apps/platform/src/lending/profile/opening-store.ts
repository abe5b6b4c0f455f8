// Inserts the rows with which a journey opens: journey, profile, first event, deliveries and token, for a new borrower also
// the borrower. One statement inserts them all, except in a distributed database.

import { type Db, type Fragment, join, oneRow, type Run, sendAll, sql, type Tx } from '@lendloom/postgres/sql'
import { type NewEmbedToken, newEmbedTokens } from '#platform/integrators/access/store.ts'
import type { LifecycleDelivery } from '#platform/integrators/webhook/delivery.ts'
import { newDeliveries, newDeliveriesOf } from '#platform/integrators/webhook/store.ts'
import { type NewBorrower, newBorrowers } from '#platform/lending/borrower/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { type NewEvent, newEvents, newJourneys } from '#platform/lending/journey/store.ts'
import { newProfiles, type ProfileRow } from './store.ts'

/** The rows of a new journey. The delivery becomes one row per destination; every other row is inserted as it is. */
export interface NewJourneyRows {
  journey: Journey
  profile: ProfileRow
  event: NewEvent
  delivery: LifecycleDelivery
  /** The token that opens the hosted page; null for a journey without this page. */
  token: NewEmbedToken | null
}

export interface NewBorrowerOpening extends NewJourneyRows {
  borrower: NewBorrower
}

/** Returns the inserts after the journeys', with CTE names. If `inserted` is given, only its journeys get rows. */
function insertsAfterJourney(
  openings: readonly NewJourneyRows[],
  inserted: Fragment | null,
): [name: Fragment, insert: Fragment][] {
  const profiles = openings.map(({ profile }) => profile)
  const events = openings.map(({ event }) => event)
  const tokens = openings.flatMap(({ token }) => token ?? [])
  const inserts: [Fragment, Fragment][] = [
    [sql`profile_row`, newProfiles(profiles, inserted)],
    [sql`event_row`, newEvents(events, inserted)],
    [sql`delivery_row`, deliveriesOf(openings, inserted)],
  ]
  return tokens.length > 0 ? [...inserts, [sql`token_row`, newEmbedTokens(tokens, inserted)]] : inserts
}

function deliveriesOf(openings: readonly NewJourneyRows[], inserted: Fragment | null): Fragment {
  const rows = openings.map(({ delivery, journey }) => ({ ...delivery, at: journey.createdAt }))
  const first = oneRow(rows)
  return rows.length > 1 && inserted
    ? newDeliveriesOf(first.tenantId, rows, inserted)
    : newDeliveries(first, first.at, inserted)
}

/** Returns all inserts as CTEs of one statement. If `borrowers` is given, only journeys of these borrowers get rows. */
function ctesOf(openings: readonly NewJourneyRows[], borrowers: Fragment | null): Fragment {
  const journeys = openings.map(({ journey }) => journey)
  const otherInserts = insertsAfterJourney(openings, sql`inserted`).map(([name, insert]) => sql`${name} as (${insert})`)
  return join([sql`inserted as (${newJourneys(journeys, borrowers)})`, ...otherInserts], ', ')
}

/** Sends each insert as a statement of its own, so that a distributed database needs only one server for each. */
const insertEach = (tx: Tx, opening: NewJourneyRows): Promise<void> =>
  sendAll(tx, [
    newJourneys([opening.journey], null),
    ...insertsAfterJourney([opening], null).map(([, insert]) => insert),
  ])

/** Opens a journey for an existing borrower. */
export async function insertOpening(tx: Tx, opening: NewJourneyRows): Promise<void> {
  if (tx.isDistributed) await insertEach(tx, opening)
  else await tx`with ${ctesOf([opening], null)} select 1 from inserted`
}

/**
 * Opens journeys for new borrowers of a tenant in one statement. Writes nothing for borrowers that already exist.
 * Returns the ids of the opened journeys.
 */
export async function openForNewBorrowers(db: Run, openings: readonly NewBorrowerOpening[]): Promise<Set<string>> {
  const borrowers = openings.map(({ borrower }) => borrower)
  const inserted = await db<{ journeyId: string }>`
    with new_borrower as (${newBorrowers(borrowers, null)}), ${ctesOf(openings, sql`new_borrower`)} select journey_id from inserted`
  return new Set(inserted.map(({ journeyId }) => journeyId))
}

/** Opens one journey for a new borrower, with one statement per row. Returns false if the borrower already exists. */
export const openForOneNewBorrower = (db: Db, opening: NewBorrowerOpening): Promise<boolean> =>
  db.tx(async (tx) => {
    const isNew = (await tx`${newBorrowers([opening.borrower], null)}`).length > 0
    if (isNew) await insertEach(tx, opening)
    return isNew
  })
