// The case of a reference. Every event that comes in needs it, so look-ups are made together and, as it never changes, remembered.
import { isUuid } from '#kit/crypto/id.ts'
import { loader, remembering } from '#kit/db/loader.ts'
import type { Db } from '#kit/db/sql.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import { type CasePlace, placesOf } from './store.ts'

const placeFinder = perDatabase(({ db }: { db: Db }) =>
  remembering(
    loader((refs: string[]) => findCases(db, refs)),
    { name: 'known-cases' },
  ),
)

/** Undefined for a reference that we never gave. */
export async function placeOfCase(ctx: { db: Db }, caseRef: string): Promise<CasePlace | undefined> {
  return isUuid(caseRef) ? placeFinder(ctx)(caseRef) : undefined
}

async function findCases(db: Db, refs: string[]): Promise<(CasePlace | undefined)[]> {
  const found = new Map((await placesOf(db, refs)).map((place) => [place.caseRef, place]))
  return refs.map((ref) => found.get(ref.toLowerCase()))
}
