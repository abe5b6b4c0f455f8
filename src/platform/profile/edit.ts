// The borrower's own words into the profile: a draft until it is submitted, locked after.

import type { Run } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { without } from '#kit/runtime/record.ts'
import { type BorrowerDetails, detailsContext, digestsOf, merged } from '#platform/borrower/borrower.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey, JourneyChange } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { findProfile, updateProfile } from './store.ts'

export interface KnownProfile {
  person: BorrowerDetails
  submittedAt: Date | null
}

export async function readProfile(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
): Promise<KnownProfile> {
  const { tenantId, journeyId } = journey
  const row = await findProfile(db, tenantId, journeyId)
  if (!row) throw new Error(`journey ${journeyId} has no profile`)
  return {
    person: ctx.seal.openJson<BorrowerDetails>(row.profileSealed, detailsContext(tenantId, journeyId)),
    submittedAt: row.submittedAt,
  }
}

interface ProfileEdit {
  details: BorrowerDetails
  change: JourneyChange
}

/** Merges the given details into the draft; a field given as null is emptied. Refused once the profile was submitted. */
export async function editProfile(ctx: TxContext, journey: Journey, { details, change }: ProfileEdit): Promise<void> {
  const { tx, at } = ctx
  if (isLocked(journey))
    throw new Refusal('wrong-state', 'the profile was sent to the lenders and cannot be changed any more', {
      status: journey.status,
    })
  const { person } = await readProfile(tx, ctx, journey)
  await keep(ctx, journey, emptied(merged(person, details)))
  await updateJourney(tx, journey, { ...change, lastBorrowerActAt: at }, at)
}

/** Merges an integrator's new prefill: while the journey is STARTED and the borrower has not sent the profile, and silently not after. */
export async function mergePrefill(ctx: TxContext, journey: Journey, details: BorrowerDetails): Promise<boolean> {
  if (!takesPrefill(journey)) return false
  const { person } = await readProfile(ctx.tx, ctx, journey)
  await keep(ctx, journey, merged(person, details))
  return true
}

export const takesPrefill = (journey: Pick<Journey, 'status' | 'search'>): boolean =>
  journey.status === 'STARTED' && !isLocked(journey)

/** As above for a journey whose profile was already read and locked. */
export function mergeIntoProfile(
  ctx: TxContext,
  journey: Journey & { profileSealed: Buffer },
  details: BorrowerDetails,
): Promise<void> {
  const context = detailsContext(journey.tenantId, journey.journeyId)
  return keep(ctx, journey, merged(ctx.seal.openJson<BorrowerDetails>(journey.profileSealed, context), details))
}

/** Lenders are being asked, or were. A search that reached none reopens the profile. */
const isLocked = ({ search }: Pick<Journey, 'search'>): boolean => search === 'OPEN' || search === 'CLOSED'

const keep = (ctx: TxContext, { tenantId, journeyId }: Journey, person: BorrowerDetails): Promise<void> => {
  const { tx, at } = ctx
  return updateProfile(tx, {
    tenantId,
    journeyId,
    profileSealed: ctx.seal.json(person, detailsContext(tenantId, journeyId)),
    ...digestsOf(ctx, person),
    updatedAt: at,
  })
}

function emptied(person: BorrowerDetails): BorrowerDetails {
  const filled = <Part extends object>(part: Part) => without(part, null)
  const { personal, work, address, gold } = person
  return {
    ...person,
    personal: { ...filled(personal), mobile: personal.mobile },
    work: filled(work),
    address: filled(address),
    gold: gold && filled(gold),
  }
}
