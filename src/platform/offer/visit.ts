// The place where a gold loan is appraised and signed: a lender's branches, and the one that expects the borrower
// (FIS12 §9.1).

import type { Branch } from '#contract/network/v203/lender.ts'
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import { isSameDistrict, kilometres, pointOfPincode } from '#contract/pincode.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { productOf } from '#platform/product/products.ts'
import type { Offer } from './offer.ts'
import { clearVisitBooked, findByConversation, setBranches, setVisitBooked } from './store.ts'

/** Keeps where a lender takes gold in. One that names no branches any more has not closed them. */
export async function storeBranches(
  { tx, at }: Write,
  journey: Journey,
  conversationId: string,
  { branches, agent }: Pick<NetworkOrder, 'branches' | 'agent'>,
): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (!offer || !productOf(journey).visitsBranch || branches.length === 0) return
  await setBranches(tx, offer, { branches, agent: agent ?? offer.agent }, at)
}

/** The lender has a visit in its book. */
export async function visitBooked(tx: Tx, journey: Journey, conversationId: string, at: Date): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (offer) await setVisitBooked(tx, offer, at)
}

/** The visit failed: the booking is cancelled, and another one is possible. */
export async function visitFailed(tx: Tx, journey: Journey, conversationId: string, at: Date): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (offer?.visitBookedAt) await clearVisitBooked(tx, offer, at)
}

/** Kilometres, 0 in the same postal district, null when unknown. */
export type Near = Branch & { aboutKm: number | null }

/** Nearest first by PIN code, unknown ones last; in tens of kilometres, because PIN codes are no more precise. */
export function nearestFirst({ branches }: Pick<Offer, 'branches'>, pincode: string | undefined): Near[] {
  const home = pincode === undefined ? null : pointOfPincode(pincode)
  const away = ({ at, pincode: there }: Branch): number | null => {
    if (pincode !== undefined && there !== null && isSameDistrict(pincode, there)) return 0
    const place = at ?? (there === null ? null : pointOfPincode(there))
    return home && place ? Math.max(10, Math.round(kilometres(home, place) / 10) * 10) : null
  }
  return branches
    .map((branch) => ({ ...branch, aboutKm: away(branch) }))
    .sort((a, b) => (a.aboutKm ?? Number.POSITIVE_INFINITY) - (b.aboutKm ?? Number.POSITIVE_INFINITY))
}
