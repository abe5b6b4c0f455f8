// Parses a portfolio from free-form mutual-fund data; reports and skips unreadable parts (D1 §4).

import { isObject } from '@lendloom/foundation/record'
import { calendarDate, panPattern, upper } from '#wire/identifier.ts'
import {
  type FieldName,
  type Fields,
  fieldsOf,
  type Holding,
  inheritedFrom,
  isFlagSet,
  isTrade,
  type Kind,
  kindText,
  millionthsOf,
  navText,
  type Registrar,
  registrarTexts,
  textAt,
  unitsText,
  withInherited,
} from './portfolio.ts'

export interface Portfolio {
  pan: string | null
  holdings: Holding[]
  notUnderstood: NotUnderstood[]
}

/** An unusable part, by its position in the request, and the first missing field. */
export interface NotUnderstood {
  path: string
  why: UnclearField | PortfolioFault
}

/**
 * `nothing`: no holding · `other-pan`: another person's holding · `twice`: the same holding with different units ·
 * `too-many`, `too-deep`: a limit is exceeded.
 */
type PortfolioFault = 'nothing' | 'other-pan' | 'twice' | 'too-many' | 'too-deep'

/** The number of holdings that a lender reads from one statement. */
const maxHoldings = 500
const maxDepth = 16

/** Finds holdings at any depth in the formats of MF Central, aggregators, PDF statements and ours. Never throws. */
export function readPortfolio(input: unknown): Portfolio {
  const portfolio: Portfolio = { pan: null, holdings: [], notUnderstood: [] }
  walk(input, { portfolio, path: '', above: new Map(), depth: 0 })
  const { holdings, notUnderstood } = portfolio
  if (holdings.length === 0 && notUnderstood.length === 0) notUnderstood.push({ path: '', why: 'nothing' })
  return portfolio
}

interface ReadPosition {
  portfolio: Portfolio
  path: string
  /** Fields inherited from outer objects, such as the folio of several schemes. */
  above: Fields
  depth: number
}

/** Returns whether the value contains anything that looks like a holding. */
function walk(value: unknown, position: ReadPosition): boolean {
  const { portfolio, path, depth } = position
  if (typeof value === 'string') {
    const inner = jsonInText(value)
    return inner !== undefined && walk(inner, { ...position, depth: depth + 1 })
  }
  if (typeof value !== 'object' || value === null) return false
  if (depth === maxDepth) {
    portfolio.notUnderstood.push({ path, why: 'too-deep' })
    return true
  }
  return isObject(value) ? walkObject(value, position) : walkInside(value, position)
}

/** Parses a statement that was sent as JSON text. */
function jsonInText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function walkInside(value: object, position: ReadPosition): boolean {
  let found = false
  for (const [key, inner] of Object.entries(value)) {
    if (isTransactionList(key)) continue
    const path = position.path === '' ? key : `${position.path}.${key}`
    if (walk(inner, { ...position, path, depth: position.depth + 1 })) found = true
  }
  return found
}

/** Lists of purchases and sales have units but no holdings; their summaries have holdings. */
const isTransactionList = (key: string): boolean => /trxn|transaction/i.test(key) && !/summary|statement/i.test(key)

function walkObject(value: object, position: ReadPosition): boolean {
  const { portfolio, path, above } = position
  const own = fieldsOf(value)
  const pan = textAt(own, 'pan')
  if (portfolio.pan === null && isPan(pan)) portfolio.pan = upper(pan)
  if (walkInside(value, { ...position, above: withInherited(above, inheritedFrom(value)) })) return true
  if (isTrade(value) || !isHolding(own)) return false
  const why = addHolding(portfolio, withInherited(above, own))
  if (why) portfolio.notUnderstood.push({ path, why })
  return true
}

const isPan = (text: string | null): text is string => text !== null && new RegExp(panPattern).test(text)

/** Whether an object has units and names a scheme. */
const isHolding = (own: Fields): boolean =>
  (textAt(own, 'units') ?? textAt(own, 'freeUnits')) !== null &&
  (['folio', 'isin', 'schemeCode', 'schemeName', 'scheme'] as const).some((name) => textAt(own, name) !== null)

/** Adds a holding. Returns the fault if it cannot be added; null if added or a duplicate. */
function addHolding({ holdings, pan: ownerPan }: Portfolio, fields: Fields): NotUnderstood['why'] | null {
  const pan = textAt(fields, 'pan')
  if (isPan(pan) && upper(pan) !== ownerPan) return 'other-pan'
  const holding = holdingFrom(fields, calendarDay)
  if (typeof holding === 'string') return holding
  const duplicate = holdings.find((second) => isSameHolding(second, holding))
  if (duplicate) return hasSameUnits(duplicate, holding) ? null : 'twice'
  if (holdings.length === maxHoldings) return 'too-many'
  holdings.push(holding)
  return null
}

/** Whether two entries are the same holding; a statement may list one twice. */
const isSameHolding = (first: Holding, second: Holding): boolean =>
  first.folio === second.folio &&
  first.registrar === second.registrar &&
  (first.isin !== null && second.isin !== null ? first.isin === second.isin : first.schemeCode === second.schemeCode)

const hasSameUnits = (first: Holding, second: Holding): boolean =>
  first.units === second.units && first.lienUnits === second.lienUnits && first.lockedUnits === second.lockedUnits

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Accepts `18-Nov-2026` too, the registrars' format. */
function calendarDay(text: string): string | null {
  const [, day, name, year] = /^\s*(\d{1,2})[- /]([A-Za-z]{3})[a-z]*[- /,]+(\d{4})/.exec(text) ?? []
  if (!day || !name) return calendarDate(text.replace(/^(\d{4}-\d{2}-\d{2}) [\d:.]+$/, '$1'))
  const month = months.indexOf(name.toLowerCase()) + 1
  return calendarDate(`${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`)
}

/**
 * The required field that is missing. `lien`, `locked`: present but unreadable, or flagged without a number · `demat`:
 * units in a depository, on which the registrar cannot mark a lien.
 */
type UnclearField = 'folio' | 'scheme' | 'amc' | 'registrar' | 'units' | 'nav' | 'lien' | 'locked' | 'demat'

/** Returns the holding, or its first unclear field. `day` converts a date to `YYYY-MM-DD`. */
function holdingFrom(fields: Fields, day: (text: string) => string | null): Holding | UnclearField {
  const text = (name: FieldName) => textAt(fields, name)
  if (isFlagSet(fields, 'demat')) return 'demat'
  const folio = text('folio')?.replace(/(?<!\s)\s*\/\s*/g, '/')
  if (!folio) return 'folio'
  const isin = isinFrom(text('isin'))
  const explicitName = text('schemeName')
  const scheme = text('scheme')
  const schemeName = explicitName ?? scheme
  const schemeCode = text('schemeCode') ?? (explicitName && scheme) ?? isin ?? scheme
  if (schemeCode === null) return 'scheme'
  const amcCode = text('amcCode') ?? text('amcName')
  if (amcCode === null) return 'amc'
  const registrar = registrarFrom(registrarTexts(fields))
  if (registrar === null) return 'registrar'
  const unitCounts = unitsFrom(fields)
  if (typeof unitCounts === 'string') return unitCounts
  const nav = millionthsOf(text('nav') ?? '')
  if (nav === null || nav === 0n) return 'nav'
  const until = text('lockedUntil')
  const navDay = text('navOn')
  const lockedUntil = until && day(until)
  if (until !== null && lockedUntil === null) return 'locked'
  return {
    registrar,
    amcCode,
    amcName: text('amcName'),
    schemeCode,
    schemeName,
    isin,
    folio,
    kind: kindFrom(kindText(fields), schemeName ?? ''),
    ...unitCounts,
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

type UnitCounts = Pick<Holding, 'units' | 'lienUnits' | 'lockedUnits'>

/** Reads units, lien and locked units. The stated free units are an upper limit, so the difference counts as locked. */
function unitsFrom(fields: Fields): UnitCounts | UnclearField {
  const amountOf = (name: FieldName): bigint | null | undefined => {
    const text = textAt(fields, name)
    return text === null ? undefined : millionthsOf(text)
  }
  const lien = amountOf('lienUnits')
  const locked = amountOf('lockedUnits')
  const free = amountOf('freeUnits')
  const total = amountOf('units')
  if (lien === null) return 'lien'
  if (locked === null) return 'locked'
  if (free === null || total === null) return 'units'
  if (lien === undefined && free === undefined && isFlagSet(fields, 'lienFlag')) return 'lien'
  const lienParts = lien ?? 0n
  const lockedParts = locked ?? 0n
  const units = total ?? (free === undefined ? undefined : free + lienParts + lockedParts)
  if (units === undefined) return 'units'
  const otherwiseLocked = free === undefined ? 0n : units - lienParts - lockedParts - free
  return {
    units: unitsText(units),
    lienUnits: unitsText(lienParts),
    lockedUnits: unitsText(lockedParts + (otherwiseLocked > 0n ? otherwiseLocked : 0n)),
  }
}

/** The fund's name is used only to detect ELSS, which lowers the value. */
function kindFrom(type: string, name: string): Kind | null {
  if (/elss|tax ?sav/i.test(`${type} ${name}`)) return 'elss'
  const isDebt = /debt|liquid|gilt|overnight|money ?market|cash|bond/i.test(type)
  const isEquity = /equity/i.test(type)
  if (/hybrid|balanced/i.test(type) || (isDebt && isEquity)) return 'hybrid'
  if (isDebt) return 'debt'
  return isEquity ? 'equity' : null
}
