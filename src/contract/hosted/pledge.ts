// The units that secure a loan against mutual funds: how many an amount takes. One rule, for the platform and for the page.
import type { Pledge, Scheme } from '#contract/network/v230/pledge.ts'
import { decimalFrom, decimalText, type Paise } from '#kit/money/money.ts'

/** Registrars count units in thousandths, some in ten-thousandths. */
const places = 4

/**
 * The units for an amount, from the units for the whole principal, both in paise: in proportion, rounded up to a
 * thousandth, because the units must cover the amount, and never more than requested. Null without requested units.
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
