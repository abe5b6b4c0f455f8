// The units that a borrower enters fund by fund, and the most that may be lent on them; pure.
import type { EmbedScheme } from '#contract/hosted/embed-lender.ts'
import { unitsFor } from '#contract/hosted/pledge.ts'
import { drawingPower, loanToValueByOffer, partsOf, unitsText } from '#contract/hosted/portfolio.ts'
import type { PledgeEntries } from '../page/here.ts'

/** The schemes of which something is asked for. */
export const pledgedOf = (schemes: readonly EmbedScheme[]): EmbedScheme[] =>
  schemes.filter(({ unitsRequired }) => Number(unitsRequired) > 0)

/**
 * Whether units may be entered: the value of each fund must be known, and no two fields may have the same scheme,
 * because the lender only gets its code.
 */
export const mayEnter = (schemes: readonly EmbedScheme[]): boolean =>
  schemes.every(({ nav, ltv }) => nav !== null && ltv !== null) &&
  new Set(schemes.map(({ schemeCode }) => schemeCode)).size === schemes.length

/** The loan value of units of one scheme, in whole rupees; null for an invalid number or an unknown value. */
export function carriedBy(scheme: EmbedScheme, units: string): string | null {
  const { nav, schemeCode } = scheme
  const text = units.replace(/\s/g, '') || '0'
  if (nav === null || scheme.ltv === null || partsOf(text) === null) return null
  return String(
    drawingPower([{ holding: { schemeCode, kind: null, nav }, units: text }], loanToValueByOffer([scheme])) / 100n,
  )
}

/** The units of each fund for an amount; null for an amount outside this offer. In paise, like the principal. */
export const shareOf = (schemes: readonly EmbedScheme[], amount: bigint | null, principal: bigint): (string | null)[] =>
  schemes.map(({ unitsRequired }) => (amount === null ? null : unitsFor(unitsRequired, amount, principal)))

export const nameOf = (place: number): string => `units${place}`

/** The input by field, with faults; an empty field pledges nothing. `principal` is the maximum loan, in paise. */
export function enteredOf(
  schemes: readonly EmbedScheme[],
  texts: readonly string[],
  principal: bigint,
  words: (scheme: EmbedScheme) => string,
): PledgeEntries {
  const parts = schemes.map(({ unitsRequired }, i) => {
    const text = texts[i]?.replace(/\s/g, '') || '0'
    const entered = partsOf(text)
    return entered === null || entered > (partsOf(unitsRequired) ?? 0n) ? null : entered
  })
  const wrong = Object.fromEntries(
    schemes.flatMap((scheme, i) => (parts[i] === null ? [[nameOf(i), words(scheme)]] : [])),
  )
  const chosen = schemes.flatMap(({ schemeCode, nav }, i) =>
    parts[i] && nav ? [{ schemeCode, nav, units: unitsText(parts[i]) }] : [],
  )
  const carried = drawingPower(
    chosen.map(({ schemeCode, nav, units }) => ({ holding: { schemeCode, kind: null, nav }, units })),
    loanToValueByOffer(schemes),
  )
  return {
    texts,
    wrong,
    pledges: chosen.map(({ schemeCode, units }) => ({ schemeCode, units })),
    rupees: Object.keys(wrong).length > 0 ? null : String((carried < principal ? carried : principal) / 100n),
  }
}
