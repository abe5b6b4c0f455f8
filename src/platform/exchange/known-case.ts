// Whose a reference is: asked for every event that comes in, so looked up together and remembered, since it never changes.
import { isUuid } from '#kit/crypto/id.ts'
import { loader, remembering } from '#kit/db/loader.ts'
import type { Db } from '#kit/db/sql.ts'
import { placesOf } from './store.ts'

/** Where a case of ours belongs. */
export interface Place {
  tenantId: string
  caseRef: string
  journeyId: string
}

type FindCase = (caseRef: string) => Promise<Place | undefined>

const finders = new WeakMap<Db, FindCase>()

/** Undefined for a reference that we never gave. */
export async function placeOfCase(db: Db, caseRef: string): Promise<Place | undefined> {
  return isUuid(caseRef) ? placeIn(db)(caseRef) : undefined
}

function placeIn(db: Db): FindCase {
  const known = finders.get(db)
  if (known) return known
  const find = remembering(
    loader((refs: string[]) => findCases(db, refs)),
    { name: 'known-cases' },
  )
  finders.set(db, find)
  return find
}

async function findCases(db: Db, refs: string[]): Promise<(Place | undefined)[]> {
  const found = new Map((await placesOf(db, refs)).map((place) => [place.caseRef, place]))
  return refs.map((ref) => found.get(ref.toLowerCase()))
}
