// The units that a borrower enters per fund, and the maximum loan on them. Pure.
import type { EmbedScheme } from '@lendloom/wire/hosted/embed-lender'
import { drawingPower, loanToValueByOffer, millionthsOf, unitsText } from '@lendloom/wire/hosted/portfolio'
import { unitsFor } from '@lendloom/wire/hosted/units-to-pledge'
import type { PledgeEntries } from '../page/page-state.ts'

/** The funds that are pledged for the whole loan. */
export const requiredSchemes = (schemes: readonly EmbedScheme[]): EmbedScheme[] =>
  schemes.filter(({ unitsRequired }) => Number(unitsRequired) > 0)

/**
 * Whether units may be entered: the value of each fund must be known, and no two fields may have the same scheme,
 * because the lender receives only the scheme's code.
 */
export const canEnterUnits = (schemes: readonly EmbedScheme[]): boolean =>
  schemes.every(({ nav, ltv }) => nav !== null && ltv !== null) &&
  new Set(schemes.map(({ schemeCode }) => schemeCode)).size === schemes.length

/** The loan value of units of one scheme, in whole rupees; null for an invalid number or an unknown value. */
export function loanValueOf(scheme: EmbedScheme, units: string): string | null {
  const { nav, schemeCode } = scheme
  const text = units.replace(/\s/g, '') || '0'
  if (nav === null || scheme.ltv === null || millionthsOf(text) === null) return null
  return String(
    drawingPower([{ holding: { schemeCode, kind: null, nav }, units: text }], loanToValueByOffer([scheme])) / 100n,
  )
}

/** The units of each fund that an amount requires; null for an amount outside this offer. Amounts are in paise. */
export const unitsPerFund = (
  schemes: readonly EmbedScheme[],
  amount: bigint | null,
  principal: bigint,
): (string | null)[] =>
  schemes.map(({ unitsRequired }) => (amount === null ? null : unitsFor(unitsRequired, amount, principal)))

/** The name of the field of a fund. */
export const unitsFieldName = (index: number): string => `units${index}`

/** Validates the input and computes its loan value. An empty field pledges nothing. `principal`: maximum in paise. */
export function pledgeEntriesFrom(
  schemes: readonly EmbedScheme[],
  texts: readonly string[],
  principal: bigint,
  errorTextFor: (scheme: EmbedScheme) => string,
): PledgeEntries {
  const quantities = schemes.map(({ unitsRequired }, i) => {
    const text = texts[i]?.replace(/\s/g, '') || '0'
    const entered = millionthsOf(text)
    return entered === null || entered > (millionthsOf(unitsRequired) ?? 0n) ? null : entered
  })
  const errors = Object.fromEntries(
    schemes.flatMap((scheme, i) => (quantities[i] === null ? [[unitsFieldName(i), errorTextFor(scheme)]] : [])),
  )
  const pledged = schemes.flatMap(({ schemeCode, nav }, i) =>
    quantities[i] && nav ? [{ schemeCode, nav, units: unitsText(quantities[i]) }] : [],
  )
  const loanValue = drawingPower(
    pledged.map(({ schemeCode, nav, units }) => ({ holding: { schemeCode, kind: null, nav }, units })),
    loanToValueByOffer(schemes),
  )
  return {
    texts,
    errors,
    pledges: pledged.map(({ schemeCode, units }) => ({ schemeCode, units })),
    rupees: Object.keys(errors).length > 0 ? null : String((loanValue < principal ? loanValue : principal) / 100n),
  }
}
