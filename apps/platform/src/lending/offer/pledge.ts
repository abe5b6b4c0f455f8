// Loans against mutual funds: the pledged units, and the state of a credit line.

import { invalid } from '@lendloom/foundation/refusal'
import type { Paise } from '@lendloom/lending/money'
import type { Pledge } from '@lendloom/lending/pledge'
import { belongsTo } from '@lendloom/lending/product/products'
import type { CreditLine } from '@lendloom/lending/terms'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { millionthsOf, unitsText } from '@lendloom/wire/hosted/portfolio'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import type { Offer } from './offer.ts'
import { findByConversation, findSelected, setLine, setSecurity } from './store.ts'

/** Stores the units that the lender requires, the kind of the loan, and whether the lender's own page has all steps. */
export async function storeSecurity(
  { tx, at }: Write,
  journey: Journey,
  conversationId: string,
  { schemes, ownPage, creditLine }: Pick<Offer, 'schemes' | 'ownPage' | 'creditLine'>,
): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (!offer) return
  const requestedSchemes = schemes.length > 0 ? schemes : offer.schemes
  await setSecurity(tx, offer, { schemes: requestedSchemes, ownPage, creditLine }, at)
}

/**
 * Returns the chosen units as pledges, in the lender's number format and in the order of the offer. An offer may list a
 * scheme once per folio; the units are then taken from the folios in that order. Throws `invalid` with the path of the
 * fault for another loan product, an unknown or repeated scheme, an invalid number, more units than the offer requires,
 * or no units at all.
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
    const chosenUnits = millionthsOf(units)
    if (chosenUnits === null) throw invalid({ path: `${path}.units`, message: 'must be a number of units' })
    const maxUnits = matching.reduce((all, { unitsRequired }) => all + requiredMillionths(unitsRequired), 0n)
    if (chosenUnits > maxUnits)
      throw invalid({ path: `${path}.units`, message: `must not be more than ${unitsText(maxUnits)}` })
    remaining.set(schemeCode, chosenUnits)
  }
  const pledges = schemes.flatMap(({ schemeCode, unitsRequired }) => {
    const unallocated = remaining.get(schemeCode) ?? 0n
    const required = requiredMillionths(unitsRequired)
    const units = unallocated < required ? unallocated : required
    remaining.set(schemeCode, unallocated - units)
    return units > 0n ? [{ schemeCode, units: unitsText(units) }] : []
  })
  if (pledges.length === 0) throw invalid({ path: 'pledges', message: 'must name units of at least one scheme' })
  return pledges
}

const requiredMillionths = (unitsRequired: string): bigint => millionthsOf(unitsRequired) ?? 0n

/** An open credit line, in paise. `available` is 0 when the limit is below the drawn amount. */
export interface OpenLine {
  limit: Paise
  utilised: Paise
  available: Paise
  openedAt: Date
  changedAt: Date
}

/** Returns the open credit line of an offer; null for a term loan, and before the lender opened the line. */
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
