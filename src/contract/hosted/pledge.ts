// The units that secure a loan against mutual funds: how many an amount takes. One rule, for the platform and for the page.
import type { Pledge, Scheme } from '#contract/network/v230/pledge.ts'
import { decimalFrom, decimalText, type Paise } from '#kit/money/money.ts'

/** Registrars count units in thousandths, some in ten-thousandths. */
const places = 4

/**
 * Of the units that a whole principal takes, those for an amount, both in paise: the share that the amount is of the
 * principal, rounded up to a thousandth, for the units must be worth the amount, and never more than was asked for. Null
 * where none are asked for.
 */
export function unitsFor(unitsRequired: string, amount: Paise, principal: Paise): string | null {
  const whole = decimalFrom(unitsRequired, places)
  if (whole === null || whole <= 0n) return null
  const share = (whole * amount + principal - 1n) / principal
  const rounded = ((share + 9n) / 10n) * 10n
  const units = amount >= principal || rounded > whole ? whole : rounded
  return decimalText(units, places, 3)
}

/** The units to pledge of each scheme of an offer. */
export const pledgesFor = (schemes: readonly Scheme[], amount: Paise, principal: Paise): Pledge[] =>
  schemes.flatMap(({ schemeCode, unitsRequired }) => {
    const units = unitsFor(unitsRequired, amount, principal)
    return units === null ? [] : [{ schemeCode, units }]
  })
