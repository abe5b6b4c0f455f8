// What secures a loan against mutual funds as the page shows it: each scheme under the name that the borrower knows it by; pure.
import type { EmbedHolding, EmbedPledge, EmbedScheme } from '#contract/hosted/embed-lender.ts'
import { eligibleUnits, type Holding, worthOf } from '#contract/hosted/portfolio.ts'
import type { Pledge, Scheme } from '#contract/network/v230/pledge.ts'
import { rupees } from '#kit/money/money.ts'

type Fund = Pick<EmbedScheme, 'schemeCode' | 'name' | 'registrar' | 'folio'>

export const schemeParts = (schemes: readonly Scheme[], holdings: readonly Holding[]): EmbedScheme[] =>
  schemes.map((scheme) => ({
    ...fundPart(scheme, holdings),
    unitsRequired: scheme.unitsRequired,
    ltv: scheme.ltv,
    nav: only(heldOf(scheme, holdings), ({ nav }) => nav),
  }))

/** All that is held, and what of it may be pledged on the day `on`, `YYYY-MM-DD`. */
export const holdingParts = (holdings: readonly Holding[], on: string): EmbedHolding[] =>
  holdings.map((holding) => ({
    name: holding.schemeName ?? holding.schemeCode,
    kind: holding.kind,
    worth: rupees(worthOf([{ holding, units: holding.units }])),
    free: rupees(worthOf([{ holding, units: eligibleUnits(holding, on) }])),
  }))

/** Each with the scheme that it was made for. Of schemes with the same code, in several folios, they are in the same order. */
export function pledgeParts(
  pledges: readonly Pledge[],
  schemes: readonly Scheme[],
  holdings: readonly Holding[],
): EmbedPledge[] {
  const left = schemes.filter(({ unitsRequired }) => Number(unitsRequired) > 0)
  return pledges.map(({ schemeCode, units }) => {
    const at = left.findIndex((scheme) => scheme.schemeCode === schemeCode)
    const [scheme] = at === -1 ? [] : left.splice(at, 1)
    return { ...fundPart(scheme ?? { schemeCode, rta: null, folioId: null }, holdings), units }
  })
}

const fundPart = (scheme: Pick<Scheme, 'schemeCode' | 'rta' | 'folioId'>, holdings: readonly Holding[]): Fund => ({
  schemeCode: scheme.schemeCode,
  name: only(heldOf(scheme, holdings), ({ schemeName }) => schemeName) ?? scheme.schemeCode,
  registrar: scheme.rta,
  folio: scheme.folioId,
})

/** Two fund houses may use the same code: the folio tells them apart. */
function heldOf({ schemeCode, folioId }: Pick<Scheme, 'schemeCode' | 'folioId'>, holdings: readonly Holding[]) {
  const held = holdings.filter((holding) => holding.schemeCode === schemeCode)
  const inFolio = held.filter(({ folio }) => folio === folioId)
  return inFolio.length > 0 ? inFolio : held
}

/** The value that all holdings with one agree on; null where they do not, for it would be a guess. */
function only(holdings: readonly Holding[], read: (holding: Holding) => string | null): string | null {
  const [first, ...others] = new Set(holdings.flatMap((holding) => read(holding) ?? []))
  return first !== undefined && others.length === 0 ? first : null
}
