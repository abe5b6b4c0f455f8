// How many fund units an amount requires as security; shared by platform and page.

import { decimalFrom, decimalText, type Paise } from '@lendloom/lending/money'
import type { Pledge, Scheme } from '@lendloom/lending/pledge'

/** Registrars count units in thousandths, some in ten-thousandths. */
const decimals = 4

/**
 * The units for an amount, from the units for the whole principal, both in paise: in proportion, rounded up to a
 * thousandth, because the units must cover the amount, and never more than requested. Null without requested units.
 */
export function unitsFor(unitsRequired: string, amount: Paise, principal: Paise): string | null {
  const allUnits = decimalFrom(unitsRequired, decimals)
  if (allUnits === null || allUnits <= 0n) return null
  const share = (allUnits * amount + principal - 1n) / principal
  const rounded = ((share + 9n) / 10n) * 10n
  const units = amount >= principal || rounded > allUnits ? allUnits : rounded
  return decimalText(units, decimals, 3)
}

export const pledgesFor = (schemes: readonly Scheme[], amount: Paise, principal: Paise): Pledge[] =>
  schemes.flatMap(({ schemeCode, unitsRequired }) => {
    const units = unitsFor(unitsRequired, amount, principal)
    return units === null ? [] : [{ schemeCode, units }]
  })
