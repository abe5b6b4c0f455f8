// Changes to the profile of a journey. The profile is a draft until its submission, and locked afterwards.

import { omitValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import type { Context, TxContext } from '#platform/context.ts'
import { type BorrowerDetails, detailsContext, mergeDetails } from '#platform/lending/borrower/borrower.ts'
import { digestsOf } from '#platform/lending/borrower/digests.ts'
import type { Journey, JourneyChange } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { findProfile, updateProfile } from './store.ts'

export interface KnownProfile {
  person: BorrowerDetails
  submittedAt: Date | null
}

/** Reads the borrower's details as this journey has them, and when they were submitted. */
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

/** Merges details into the draft. A null clears its field. Throws `wrong-state` while the profile is locked. */
export async function editProfile(ctx: TxContext, journey: Journey, { details, change }: ProfileEdit): Promise<void> {
  const { tx, at } = ctx
  if (isLocked(journey))
    throw new Refusal('wrong-state', 'the profile was sent to the lenders and can no longer be changed', {
      status: journey.status,
    })
  const { person } = await readProfile(tx, ctx, journey)
  await saveProfile(ctx, journey, withoutNulls(mergeDetails(person, details)))
  await updateJourney(tx, journey, { ...change, lastBorrowerActAt: at }, at)
}

/** Merges an integrator's prefill and returns true. Does nothing and returns false once the profile is submitted. */
export async function mergePrefill(ctx: TxContext, journey: Journey, details: BorrowerDetails): Promise<boolean> {
  if (!acceptsPrefill(journey)) return false
  const { person } = await readProfile(ctx.tx, ctx, journey)
  await saveProfile(ctx, journey, mergeDetails(person, details))
  return true
}

/** Whether an integrator may still change the profile: before its submission, or after a search without an answer. */
export const acceptsPrefill = (journey: Pick<Journey, 'status' | 'search'>): boolean =>
  journey.status === 'STARTED' && !isLocked(journey)

/** Merges a prefill into a profile that the caller has already read and locked. */
export function mergeIntoProfile(
  ctx: TxContext,
  journey: Journey & { profileSealed: Buffer },
  details: BorrowerDetails,
): Promise<void> {
  const context = detailsContext(journey.tenantId, journey.journeyId)
  return saveProfile(
    ctx,
    journey,
    mergeDetails(ctx.seal.openJson<BorrowerDetails>(journey.profileSealed, context), details),
  )
}

/** Whether the profile was sent to lenders. An unanswered search unlocks the profile. */
const isLocked = ({ search }: Pick<Journey, 'search'>): boolean => search === 'OPEN' || search === 'CLOSED'

const saveProfile = (ctx: TxContext, { tenantId, journeyId }: Journey, person: BorrowerDetails): Promise<void> => {
  const { tx, at } = ctx
  return updateProfile(tx, {
    tenantId,
    journeyId,
    profileSealed: ctx.seal.json(person, detailsContext(tenantId, journeyId)),
    ...digestsOf(ctx, person),
    updatedAt: at,
  })
}

function withoutNulls(person: BorrowerDetails): BorrowerDetails {
  const withoutNull = <Group extends object>(group: Group) => omitValue(group, null)
  const { personal, work, address, gold } = person
  return {
    ...person,
    personal: { ...withoutNull(personal), mobile: personal.mobile },
    work: withoutNull(work),
    address: withoutNull(address),
    gold: gold && withoutNull(gold),
  }
}
