// The borrower's own words into the profile: a draft until it is submitted, locked after.
import { Refusal } from '#kit/refusal.ts'
import type { Run, Tx } from '#kit/sql.ts'
import { merged, type Person, personContext } from '#platform/borrower/person.ts'
import type { Journey, JourneyChange } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { World } from '#platform/world.ts'
import { findProfile, updateProfile } from './store.ts'

export interface KnownProfile {
  person: Person
  submittedAt: Date | null
}

export async function readProfile(
  db: Run,
  world: Pick<World, 'seal'>,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
): Promise<KnownProfile> {
  const { tenantId, journeyId } = journey
  const row = await findProfile(db, tenantId, journeyId)
  if (!row) throw new Error(`journey ${journeyId} has no profile`)
  return {
    person: world.seal.openJson<Person>(row.profileSealed, personContext(tenantId, journeyId)),
    submittedAt: row.submittedAt,
  }
}

/** Merges what was said into the draft; a field said as null is emptied. Refused once the profile was submitted. */
export async function editProfile(
  tx: Tx,
  world: World,
  journey: Journey,
  said: Person,
  change: JourneyChange,
  at: Date,
): Promise<void> {
  if (isLocked(journey))
    throw new Refusal('wrong-state', 'the profile was sent to the lenders and cannot be changed any more', {
      status: journey.status,
    })
  const { person } = await readProfile(tx, world, journey)
  await keep(tx, world, journey, emptied(merged(person, said)), at)
  await updateJourney(tx, journey, { ...change, lastBorrowerActAt: at }, at)
}

/** Merges an integrator's new prefill: while the journey is STARTED and the borrower has not sent the profile, and silently not after. */
export async function mergePrefill(tx: Tx, world: World, journey: Journey, said: Person, at: Date): Promise<boolean> {
  if (journey.status !== 'STARTED' || isLocked(journey)) return false
  const { person } = await readProfile(tx, world, journey)
  await keep(tx, world, journey, merged(person, said), at)
  return true
}

/** Lenders are being asked, or were. A search that reached nobody opens the profile again. */
const isLocked = ({ search }: Journey): boolean => search === 'OPEN' || search === 'CLOSED'

const keep = (tx: Tx, world: World, { tenantId, journeyId }: Journey, person: Person, at: Date): Promise<void> =>
  updateProfile(tx, tenantId, journeyId, world.seal.json(person, personContext(tenantId, journeyId)), at)

function emptied(person: Person): Person {
  const filled = <T extends object>(part: T): T =>
    Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null)) as T
  const { personal, work, address, gold } = person
  return {
    ...person,
    personal: filled(personal),
    work: filled(work),
    address: filled(address),
    gold: gold && filled(gold),
  }
}
