// The security and limits of a loan: the pledged units, and the state of a credit line.
import { partsOf, unitsText } from '#contract/hosted/portfolio.ts'
import type { Pledge } from '#contract/network/v230/pledge.ts'
import type { Offer as Offered } from '#contract/network/v230/search.ts'
import type { CreditLine } from '#contract/network/v230/terms.ts'
import { belongsTo } from '#contract/product/products.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { invalid } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { productOf } from '#platform/product/products.ts'
import type { Offer } from './offer.ts'
import { findByConversation, findSelected, setLine, setSecured } from './store.ts'

/** Stores the requested pledge, whether the loan is a credit line, and whether the lender's page covers all steps. */
export async function storeSecurity(
  { tx, at }: Write,
  journey: Journey,
  conversationId: string,
  { schemes, offline: ownPage, product }: Pick<Offered, 'schemes' | 'offline' | 'product'>,
): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (!offer) return
  const requestedSchemes = schemes.length > 0 ? schemes : offer.schemes
  await setSecured(tx, offer, { schemes: requestedSchemes, ownPage, creditLine: product === 'CREDIT_LINE' }, at)
}

/**
 * The chosen units in the lender's format and the offer's order, in which the folios of a scheme are filled up.
 * Throws `invalid` with the path of the fault for another kind of loan, an unknown or repeated scheme, an invalid
 * number, more units than requested, or no units at all.
 */
export function chosenPledges(
  journey: Pick<Journey, 'type'>,
  { schemes }: Pick<Offer, 'schemes'>,
  chosen: readonly Pledge[],
): Pledge[] {
  if (!productOf(journey).pledgesFunds) throw invalid({ path: 'pledges', message: belongsTo('pledgesFunds') })
  const remaining = new Map<string, bigint>()
  for (const [i, { schemeCode, units }] of chosen.entries()) {
    const path = `pledges.${i}`
    const matching = schemes.filter((scheme) => scheme.schemeCode === schemeCode)
    if (matching.length === 0 || remaining.has(schemeCode))
      throw invalid({ path, message: 'must name a scheme of this offer, once' })
    const requestedUnits = partsOf(units)
    if (requestedUnits === null) throw invalid({ path: `${path}.units`, message: 'must be a number of units' })
    const maxUnits = matching.reduce((all, { unitsRequired }) => all + requiredMillionths(unitsRequired), 0n)
    if (requestedUnits > maxUnits)
      throw invalid({ path: `${path}.units`, message: `must not be more than ${unitsText(maxUnits)}` })
    remaining.set(schemeCode, requestedUnits)
  }
  const pledges = schemes.flatMap(({ schemeCode, unitsRequired }) => {
    const [unallocated, required] = [remaining.get(schemeCode) ?? 0n, requiredMillionths(unitsRequired)]
    const units = unallocated < required ? unallocated : required
    remaining.set(schemeCode, unallocated - units)
    return units > 0n ? [{ schemeCode, units: unitsText(units) }] : []
  })
  if (pledges.length === 0) throw invalid({ path: 'pledges', message: 'must name units of at least one scheme' })
  return pledges
}

const requiredMillionths = (unitsRequired: string): bigint => partsOf(unitsRequired) ?? 0n

/** An open credit line, in paise. `available` may still be drawn; 0 when the limit is below the drawn amount. */
export interface OpenLine {
  limit: Paise
  utilised: Paise
  available: Paise
  openedAt: Date
  changedAt: Date
}

/** The offer's open credit line; null before the lender has opened it, and for a term loan. */
export function openLine({ lineOpenedAt, lineLimitPaise, lineUtilisedPaise, lineChangedAt }: Offer): OpenLine | null {
  if (lineOpenedAt === null || lineLimitPaise === null) return null
  const utilised = lineUtilisedPaise ?? 0n
  return {
    limit: lineLimitPaise,
    utilised,
    available: utilised < lineLimitPaise ? lineLimitPaise - utilised : 0n,
    openedAt: lineOpenedAt,
    changedAt: lineChangedAt ?? lineOpenedAt,
  }
}

/** Stores the lender's report on the line. The first report opens the line; an unchanged report has no effect. */
export async function storeLine(tx: Tx, journey: Journey, { limit, utilization }: CreditLine, at: Date): Promise<void> {
  const offer = await findSelected(tx, journey)
  if (!offer) return
  if (offer.lineOpenedAt && offer.lineLimitPaise === limit && offer.lineUtilisedPaise === utilization) return
  const line = {
    lineOpenedAt: offer.lineOpenedAt ?? at,
    lineLimitPaise: limit,
    lineUtilisedPaise: utilization,
    lineChangedAt: at,
  }
  await setLine(tx, offer, line, at)
  await updateJourney(tx, journey, {}, at)
}
