// The units that a borrower chose of an offer: found among what was asked for, folio by folio.
import type { Pledge } from '#contract/network/v230/pledge.ts'
import type { Denial } from '#sandbox/lender/decide.ts'
import { type Pledged, unitsFrom, unitsText } from './portfolio.ts'

const denied = (code: string, message: string): { denial: Denial } => ({ denial: { code, message } })

/** A pledge names a scheme only: where it lies in several folios, the units are taken from them in the offer's order. */
export function chosenFrom(offered: readonly Pledged[], pledges: readonly Pledge[]) {
  if (pledges.length === 0) return denied('80217', 'the units are missing: PLEDGE_REQUIREMENTS must name some')
  const left = new Map<string, bigint>()
  for (const { schemeCode, units } of pledges) {
    const counted = unitsFrom(units)
    if (counted === null) return denied('80216', `units of ${schemeCode} must have at most three decimals`)
    left.set(schemeCode, (left.get(schemeCode) ?? 0n) + counted)
  }
  const units = offered.flatMap((each) => {
    const wanted = left.get(each.holding.schemeCode) ?? 0n
    const taken = wanted < each.units ? wanted : each.units
    left.set(each.holding.schemeCode, wanted - taken)
    return taken > 0n ? [{ ...each, units: taken }] : []
  })
  for (const [schemeCode, over] of left)
    if (over > 0n) return denied('80216', `${schemeCode} has fewer units to pledge, by ${unitsText(over)}`)
  return { units }
}

/** Whether a later request repeats the choice. */
export function isSameChoice(chosen: readonly Pledged[], pledges: readonly Pledge[]): boolean {
  const again = chosenFrom(chosen, pledges)
  return 'units' in again && totalOf(again.units) === totalOf(chosen)
}

const totalOf = (pledged: readonly Pledged[]): bigint => pledged.reduce((all, { units }) => all + units, 0n)
