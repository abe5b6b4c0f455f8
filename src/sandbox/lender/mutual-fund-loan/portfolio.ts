// How many units of a portfolio an amount needs, and what was chosen of those that were asked for.

import { drawingPower, type LoanToValueOf, partsOf, type UnitShare, unitsText } from '#contract/hosted/portfolio.ts'
import type { Pledge } from '#contract/network/v230/pledge.ts'
import type { Paise } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import type { Denial } from '#sandbox/lender/core/decide.ts'

/** Millionths of a unit × millionths of a rupee × hundredths of a percent, in one paisa. */
const perPaisa = 10n ** 14n
/** Registrars mark thousandths of a unit. */
const perThousandth = 1_000n

const countOf = ({ units }: Pick<UnitShare, 'units'>): bigint => required(partsOf(units), 'number of units')

/**
 * The units that an amount needs: of every scheme the same share, rounded up to a thousandth of a unit, so that they
 * carry it and no scheme is singled out. Null when all of them do not.
 */
export function unitsFor(
  amount: Paise,
  available: readonly UnitShare[],
  loanToValueOf: LoanToValueOf,
): UnitShare[] | null {
  if (amount <= 0n || amount > drawingPower(available, loanToValueOf)) return null
  const navOf = ({ holding }: UnitShare) => required(partsOf(holding.nav), 'NAV of a unit')
  const carried = (part: UnitShare) => countOf(part) * navOf(part) * loanToValueOf(part.holding)
  const whole = available.reduce((all, part) => all + carried(part), 0n)
  return available.map((part) => {
    const share = ceiling(countOf(part) * amount * perPaisa, whole * perThousandth) * perThousandth
    return { ...part, units: share < countOf(part) ? unitsText(share) : part.units }
  })
}

const ceiling = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator

const denied = (code: string, message: string): { denial: Denial } => ({ denial: { code, message } })

/** A pledge names a scheme only: where it lies in several folios, the units are taken from them in the offer's order. */
export function chosenFrom(offered: readonly UnitShare[], pledges: readonly Pledge[]) {
  if (pledges.length === 0) return denied('80217', 'the units are missing: PLEDGE_REQUIREMENTS must name some')
  const left = new Map<string, bigint>()
  for (const pledge of pledges) left.set(pledge.schemeCode, (left.get(pledge.schemeCode) ?? 0n) + countOf(pledge))
  const units = offered.flatMap((part) => {
    const wanted = left.get(part.holding.schemeCode) ?? 0n
    const taken = wanted < countOf(part) ? wanted : countOf(part)
    left.set(part.holding.schemeCode, wanted - taken)
    return taken > 0n ? [{ ...part, units: unitsText(taken) }] : []
  })
  for (const [schemeCode, over] of left)
    if (over > 0n) return denied('80216', `${schemeCode} has fewer units to pledge, by ${unitsText(over)}`)
  return { units }
}

/** Whether a later request repeats the choice. */
export function isSameChoice(chosen: readonly UnitShare[], pledges: readonly Pledge[]): boolean {
  const again = chosenFrom(chosen, pledges)
  return 'units' in again && totalOf(again.units) === totalOf(chosen)
}

const totalOf = (parts: readonly UnitShare[]): bigint => parts.reduce((all, part) => all + countOf(part), 0n)
