// Whose a reference is: asked for every event that comes in, so looked up together and remembered, since it never changes.
import { isUuid } from '#kit/id.ts'
import { loader } from '#kit/loader.ts'
import type { Db } from '#kit/sql.ts'
import { placesOf } from '#platform/exchange/store.ts'

/** Where a case of ours belongs. */
export interface Place {
  tenantId: string
  caseRef: string
  journeyId: string
}

interface Memory {
  known: Map<string, Place>
  load(caseRef: string): Promise<Place | undefined>
}
const memories = new WeakMap<Db, Memory>()
const mostKnown = 20_000

/** Undefined for a reference that we never gave. */
export async function placeOfCase(db: Db, caseRef: string): Promise<Place | undefined> {
  if (!isUuid(caseRef)) return undefined
  const memory = memories.get(db) ?? { known: new Map(), load: loader((refs: string[]) => lookUp(db, refs)) }
  memories.set(db, memory)
  const known = memory.known.get(caseRef)
  if (known) return known
  const found = await memory.load(caseRef)
  if (found) {
    if (memory.known.size >= mostKnown) memory.known.delete(memory.known.keys().next().value!)
    memory.known.set(caseRef, found)
  }
  return found
}

async function lookUp(db: Db, refs: string[]): Promise<(Place | undefined)[]> {
  const found = new Map((await placesOf(db, refs)).map((place) => [place.caseRef, place]))
  return refs.map((ref) => found.get(ref.toLowerCase()))
}
