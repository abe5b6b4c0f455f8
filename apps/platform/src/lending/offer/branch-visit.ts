// The branch visit of a gold loan, at which the lender appraises the gold and the borrower signs (FIS12 §9.1).

import type { Branch } from '@lendloom/lending/lender'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { isSameDistrict, kilometres, pointOfPincode } from '@lendloom/wire/pincode-location'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { productOf } from '#platform/lending/product/products.ts'
import type { Offer } from './offer.ts'
import { clearVisitBooked, findByConversation, setBranches, setVisitBooked } from './store.ts'

/** Stores the branches at which a lender accepts gold. A message without branches changes nothing. */
export async function storeBranches(
  { tx, at }: Write,
  journey: Journey,
  conversationId: string,
  { branches, agent }: Pick<Offer, 'branches' | 'agent'>,
): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (!offer || !productOf(journey).visitsBranch || branches.length === 0) return
  await setBranches(tx, offer, { branches, agent: agent ?? offer.agent }, at)
}

/** A time that is further away is a mistake of the lender, for example a wrong year. */
const maxVisitMs = 366 * 86_400_000

/** Records that a visit is booked. An implausible time is stored as unknown. */
export async function recordVisitBooked(
  { tx, at }: Write,
  journey: Journey,
  conversationId: string,
  visitAt: Date | null,
): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  const isPlausible = visitAt !== null && Math.abs(visitAt.getTime() - at.getTime()) < maxVisitMs
  if (offer) await setVisitBooked(tx, offer, isPlausible ? visitAt : null, at)
}

/** Clears the booking of a failed visit, so that the lender can book another visit. */
export async function recordVisitFailed(tx: Tx, journey: Journey, conversationId: string, at: Date): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (offer?.visitBookedAt) await clearVisitBooked(tx, offer, at)
}

/** A branch with its distance in kilometres: 0 in the same postal district, null when unknown. */
export type NearbyBranch = Branch & { aboutKm: number | null }

/** Sorts branches by distance from the PIN code, in steps of 10 km. Branches of unknown distance come last. */
export function sortByDistance({ branches }: Pick<Offer, 'branches'>, pincode: string | undefined): NearbyBranch[] {
  const home = pincode === undefined ? null : pointOfPincode(pincode)
  const distanceTo = ({ at, pincode: branchPincode }: Branch): number | null => {
    if (pincode !== undefined && branchPincode !== null && isSameDistrict(pincode, branchPincode)) return 0
    const point = at ?? (branchPincode === null ? null : pointOfPincode(branchPincode))
    return home && point ? Math.max(10, Math.round(kilometres(home, point) / 10) * 10) : null
  }
  return branches
    .map((branch) => ({ ...branch, aboutKm: distanceTo(branch) }))
    .sort((a, b) => (a.aboutKm ?? Number.POSITIVE_INFINITY) - (b.aboutKm ?? Number.POSITIVE_INFINITY))
}
