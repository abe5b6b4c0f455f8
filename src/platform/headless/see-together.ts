// Journeys that many apps poll at once: their questions go to the database together.
import { loader } from '#kit/db/loader.ts'
import type { Db } from '#kit/db/sql.ts'
import { findJourneyRows, type JourneyLookup, type JourneyRow } from './store.ts'

/** One journey of a borrower; undefined when it is not theirs. */
export type SeeJourney = (lookup: JourneyLookup) => Promise<JourneyRow | undefined>

/** Made once in a program. */
export const seeingTogether = (db: Db): SeeJourney => loader((lookups: JourneyLookup[]) => findJourneyRows(db, lookups))
