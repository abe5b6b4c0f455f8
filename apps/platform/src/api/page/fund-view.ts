// What the page shows of fund units: schemes, holdings and pledges.

import { rupees } from '@lendloom/lending/money'
import type { Pledge, Scheme } from '@lendloom/lending/pledge'
import type { EmbedHolding, EmbedPledge, EmbedScheme } from '@lendloom/wire/hosted/embed-lender'
import { eligibleUnits, type Holding, worthOf } from '@lendloom/wire/hosted/portfolio'

type Fund = Pick<EmbedScheme, 'schemeCode' | 'name' | 'registrar' | 'folio'>

export const schemeViews = (schemes: readonly Scheme[], holdings: readonly Holding[]): EmbedScheme[] =>
  schemes.map((scheme) => ({
    ...fundView(scheme, holdings),
    unitsRequired: scheme.unitsRequired,
    ltv: scheme.ltv,
    nav: commonValue(holdingsIn(scheme, holdings), ({ nav }) => nav),
  }))

/** Returns the value of each holding, and the value of its units that may be pledged on the day `on` (`YYYY-MM-DD`). */
export const holdingViews = (holdings: readonly Holding[], on: string): EmbedHolding[] =>
  holdings.map((holding) => ({
    name: holding.schemeName ?? holding.schemeCode,
    kind: holding.kind,
    worth: rupees(worthOf([{ holding, units: holding.units }])),
    free: rupees(worthOf([{ holding, units: eligibleUnits(holding, on) }])),
  }))

/** Pairs each pledge with its scheme. If a scheme occurs once per folio, its pledges have the order of its folios. */
export function pledgeViews(
  pledges: readonly Pledge[],
  schemes: readonly Scheme[],
  holdings: readonly Holding[],
): EmbedPledge[] {
  const unpaired = schemes.filter(({ unitsRequired }) => Number(unitsRequired) > 0)
  return pledges.map(({ schemeCode, units }) => {
    const index = unpaired.findIndex((scheme) => scheme.schemeCode === schemeCode)
    const [scheme] = index === -1 ? [] : unpaired.splice(index, 1)
    return { ...fundView(scheme ?? { schemeCode, rta: null, folioId: null }, holdings), units }
  })
}

const fundView = (scheme: Pick<Scheme, 'schemeCode' | 'rta' | 'folioId'>, holdings: readonly Holding[]): Fund => ({
  schemeCode: scheme.schemeCode,
  name: commonValue(holdingsIn(scheme, holdings), ({ schemeName }) => schemeName) ?? scheme.schemeCode,
  registrar: scheme.rta,
  folio: scheme.folioId,
})

/** Returns a scheme's holdings. If two fund houses use the same code, the folio distinguishes them. */
function holdingsIn({ schemeCode, folioId }: Pick<Scheme, 'schemeCode' | 'folioId'>, holdings: readonly Holding[]) {
  const sameCode = holdings.filter((holding) => holding.schemeCode === schemeCode)
  const inFolio = sameCode.filter(({ folio }) => folio === folioId)
  return inFolio.length > 0 ? inFolio : sameCode
}

/** Returns the value that all holdings share; null when they differ. */
function commonValue(holdings: readonly Holding[], read: (holding: Holding) => string | null): string | null {
  const [first, ...others] = new Set(holdings.flatMap((holding) => read(holding) ?? []))
  return first !== undefined && others.length === 0 ? first : null
}
