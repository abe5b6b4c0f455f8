// Journeys that many apps poll at once: their questions go to the database together.
import { loader } from '#kit/db/loader.ts'
import type { Db } from '#kit/db/sql.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import { findJourneyRows, type JourneyLookup, type JourneyRow } from './store.ts'

const journeyLoader = perDatabase(({ db }: { db: Db }) =>
  loader((lookups: JourneyLookup[]) => findJourneyRows(db, lookups)),
)

/** One journey of a borrower; undefined when it is not theirs. */
export const seeJourney = (ctx: { db: Db }, lookup: JourneyLookup): Promise<JourneyRow | undefined> =>
  journeyLoader(ctx)(lookup)
