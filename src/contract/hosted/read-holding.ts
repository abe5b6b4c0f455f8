// One holding from its fields: every number exact, and whatever would let more be pledged than is free not understood (D1 §4).
import { type Holding, type Kind, navText, partsOf, type Registrar, unitsText } from './portfolio.ts'
import { type Fields, isUp, kindText, type Name, registrarTexts, textAt } from './portfolio-fields.ts'

/**
 * What a holding cannot do without; `lien` and `locked` are there but unreadable, or said to be there without a number;
 * `demat`: units in a depository have no registrar that could mark a lien.
 */
export type Unclear = 'folio' | 'scheme' | 'amc' | 'registrar' | 'units' | 'nav' | 'lien' | 'locked' | 'demat'

/** The holding, or the first thing that is unclear about it. `day` reads a date as `YYYY-MM-DD`. */
export function holdingFrom(fields: Fields, day: (text: string) => string | null): Holding | Unclear {
  const text = (name: Name) => textAt(fields, name)
  if (isUp(fields, 'demat')) return 'demat'
  const folio = text('folio')?.replace(/(?<!\s)\s*\/\s*/g, '/')
  if (!folio) return 'folio'
  const isin = isinFrom(text('isin'))
  const [named, scheme] = [text('schemeName'), text('scheme')]
  const schemeName = named ?? scheme
  const schemeCode = text('schemeCode') ?? (named && scheme) ?? isin ?? scheme
  if (schemeCode === null) return 'scheme'
  const amcCode = text('amcCode') ?? text('amcName')
  if (amcCode === null) return 'amc'
  const registrar = registrarFrom(registrarTexts(fields))
  if (registrar === null) return 'registrar'
  const counted = unitsFrom(fields)
  if (typeof counted === 'string') return counted
  const nav = partsOf(text('nav') ?? '')
  if (nav === null || nav === 0n) return 'nav'
  const [until, navDay] = [text('lockedUntil'), text('navOn')]
  const lockedUntil = until && day(until)
  if (until !== null && lockedUntil === null) return 'locked'
  return {
    ...{ registrar, amcCode, amcName: text('amcName'), schemeCode, schemeName, isin, folio },
    kind: kindFrom(kindText(fields), schemeName ?? ''),
    ...counted,
    lockedUntil,
    nav: navText(nav),
    navOn: navDay && day(navDay),
  }
}

const isinFrom = (text: string | null): string | null =>
  text !== null && /^[A-Za-z]{2}[A-Za-z0-9]{9}\d$/.test(text) ? text.toUpperCase() : null

function registrarFrom(texts: string[]): Registrar | null {
  if (texts.some((text) => /^cams\b|computer age/i.test(text))) return 'CAMS'
  return texts.some((text) => /^k-?fin|karvy/i.test(text)) ? 'KFIN' : null
}

type Counted = Pick<Holding, 'units' | 'lienUnits' | 'lockedUnits'>

/** Where a statement says how many units are free, no more of them are. */
function unitsFrom(fields: Fields): Counted | Unclear {
  const amountOf = (name: Name): bigint | null | undefined => {
    const text = textAt(fields, name)
    return text === null ? undefined : partsOf(text)
  }
  const [lien, locked, free, whole] = [
    amountOf('lienUnits'),
    amountOf('lockedUnits'),
    amountOf('freeUnits'),
    amountOf('units'),
  ]
  if (lien === null) return 'lien'
  if (locked === null) return 'locked'
  if (free === null || whole === null) return 'units'
  if (lien === undefined && free === undefined && isUp(fields, 'lienFlag')) return 'lien'
  const [lienParts, lockedParts] = [lien ?? 0n, locked ?? 0n]
  const units = whole ?? (free === undefined ? undefined : free + lienParts + lockedParts)
  if (units === undefined) return 'units'
  const held = free === undefined ? 0n : units - lienParts - lockedParts - free
  return {
    units: unitsText(units),
    lienUnits: unitsText(lienParts),
    lockedUnits: unitsText(lockedParts + (held > 0n ? held : 0n)),
  }
}

/** The name of a fund is believed only where it makes less of it: that it is locked in. */
function kindFrom(type: string, name: string): Kind | null {
  if (/elss|tax ?sav/i.test(`${type} ${name}`)) return 'elss'
  const [isDebt, isEquity] = [/debt|liquid|gilt|overnight|money ?market|cash|bond/i.test(type), /equity/i.test(type)]
  if (/hybrid|balanced/i.test(type) || (isDebt && isEquity)) return 'hybrid'
  if (isDebt) return 'debt'
  return isEquity ? 'equity' : null
}
