// Computes the units needed for an amount, and applies the borrower's choice to the offered units.

import { required } from '@lendloom/foundation/required'
import type { Paise } from '@lendloom/lending/money'
import type { Pledge } from '@lendloom/lending/pledge'
import {
  drawingPower,
  type LoanToValueOf,
  millionthsOf,
  type UnitShare,
  unitsText,
} from '@lendloom/wire/hosted/portfolio'
import type { Denial } from '#sandbox/lender/core/lending-decision.ts'

/** Millionths of a unit × millionths of a rupee × hundredths of a percent, in one paisa. */
const perPaisa = 10n ** 14n
/** Registrars mark thousandths of a unit. */
const perThousandth = 1_000n

const countOf = ({ units }: Pick<UnitShare, 'units'>): bigint => required(millionthsOf(units), 'number of units')

/**
 * The units needed for an amount: the same share of every scheme, rounded up to a thousandth of a unit. Null when all
 * units together do not suffice.
 */
export function unitsFor(
  amount: Paise,
  available: readonly UnitShare[],
  loanToValueOf: LoanToValueOf,
): UnitShare[] | null {
  if (amount <= 0n || amount > drawingPower(available, loanToValueOf)) return null
  const navOf = ({ holding }: UnitShare) => required(millionthsOf(holding.nav), 'NAV of a unit')
  const weightOf = (item: UnitShare) => countOf(item) * navOf(item) * loanToValueOf(item.holding)
  const total = available.reduce((all, item) => all + weightOf(item), 0n)
  return available.map((item) => {
    const share = ceiling(countOf(item) * amount * perPaisa, total * perThousandth) * perThousandth
    return { ...item, units: share < countOf(item) ? unitsText(share) : item.units }
  })
}

const ceiling = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator

const denialResult = (code: string, message: string): { denial: Denial } => ({ denial: { code, message } })

/** A pledge names only a scheme. If the scheme is in several folios, units are taken in the order of the offer. */
export function chosenFrom(offered: readonly UnitShare[], pledges: readonly Pledge[]) {
  if (pledges.length === 0) return denialResult('80217', 'the units are missing: PLEDGE_REQUIREMENTS must name some')
  const remaining = new Map<string, bigint>()
  for (const pledge of pledges)
    remaining.set(pledge.schemeCode, (remaining.get(pledge.schemeCode) ?? 0n) + countOf(pledge))
  const units = offered.flatMap((item) => {
    const requested = remaining.get(item.holding.schemeCode) ?? 0n
    const used = requested < countOf(item) ? requested : countOf(item)
    remaining.set(item.holding.schemeCode, requested - used)
    return used > 0n ? [{ ...item, units: unitsText(used) }] : []
  })
  for (const [schemeCode, excess] of remaining)
    if (excess > 0n) return denialResult('80216', `${schemeCode} has too few units to pledge, by ${unitsText(excess)}`)
  return { units }
}

/** Whether a later request repeats the choice. */
export function isSameChoice(chosen: readonly UnitShare[], pledges: readonly Pledge[]): boolean {
  const repeated = chosenFrom(chosen, pledges)
  return 'units' in repeated && totalOf(repeated.units) === totalOf(chosen)
}

const totalOf = (parts: readonly UnitShare[]): bigint => parts.reduce((all, item) => all + countOf(item), 0n)
