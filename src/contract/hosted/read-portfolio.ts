// Reads a portfolio from free-form mutual-fund data, patiently: what is not understood is reported, and harms nothing else (D1 §4).
import { calendarDate, panPattern, upper } from '#contract/identifier.ts'
import { isObject } from '#kit/runtime/narrow.ts'
import type { Holding } from './portfolio.ts'
import { type Fields, fieldsOf, inheritedFrom, isTrade, textAt, within } from './portfolio-fields.ts'
import { holdingFrom, type Unclear } from './read-holding.ts'

export interface Portfolio {
  /** The PAN that the statement is made out to, where it says so. */
  pan: string | null
  holdings: Holding[]
  notUnderstood: NotUnderstood[]
}

/** What could not be used, by its place in what was sent, and the first thing that it lacks. */
export interface NotUnderstood {
  path: string
  why: Unclear | Whole
}

/**
 * `nothing`: no holding anywhere; `other-pan`: it belongs to somebody else; `twice`: the same units again, but otherwise;
 * `too-many` and `too-deep`: more than anybody holds, or nests.
 */
type Whole = 'nothing' | 'other-pan' | 'twice' | 'too-many' | 'too-deep'

/** As many as a lender reads of one statement. */
const mostHoldings = 500
const deepest = 16

/**
 * Finds the holdings wherever they are nested: in the shape of MF Central, of the account aggregator, of statements that
 * were read from a PDF, and in our own. Never throws.
 */
export function readPortfolio(input: unknown): Portfolio {
  const portfolio: Portfolio = { pan: null, holdings: [], notUnderstood: [] }
  walk(input, { portfolio, path: '', above: new Map(), depth: 0 })
  const { holdings, notUnderstood } = portfolio
  if (holdings.length === 0 && notUnderstood.length === 0) notUnderstood.push({ path: '', why: 'nothing' })
  return portfolio
}

interface Place {
  portfolio: Portfolio
  path: string
  /** What outer objects say of the inner ones, as the folio of several schemes. */
  above: Fields
  depth: number
}

/** Whether there was anything that looks like a holding. */
function walk(value: unknown, place: Place): boolean {
  const { portfolio, path, depth } = place
  if (typeof value === 'string') {
    const inner = embedded(value)
    return inner !== undefined && walk(inner, { ...place, depth: depth + 1 })
  }
  if (typeof value !== 'object' || value === null) return false
  if (depth === deepest) {
    portfolio.notUnderstood.push({ path, why: 'too-deep' })
    return true
  }
  return isObject(value) ? walkObject(value, place) : walkInside(value, place)
}

/** A statement is sometimes handed on as the text that it came in. */
function embedded(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function walkInside(value: object, place: Place): boolean {
  let found = false
  for (const [key, inner] of Object.entries(value)) {
    if (isOfTransactions(key)) continue
    const path = place.path === '' ? key : `${place.path}.${key}`
    if (walk(inner, { ...place, path, depth: place.depth + 1 })) found = true
  }
  return found
}

/** Lists of purchases and sales have units too; their summaries are what is held. */
const isOfTransactions = (key: string): boolean => /trxn|transaction/i.test(key) && !/summary|statement/i.test(key)

function walkObject(value: object, place: Place): boolean {
  const { portfolio, path, above } = place
  const own = fieldsOf(value)
  const pan = textAt(own, 'pan')
  if (portfolio.pan === null && isPan(pan)) portfolio.pan = upper(pan)
  if (walkInside(value, { ...place, above: within(above, inheritedFrom(value)) })) return true
  if (isTrade(value) || !isHolding(own)) return false
  const why = keep(portfolio, within(above, own))
  if (why) portfolio.notUnderstood.push({ path, why })
  return true
}

const isPan = (text: string | null): text is string => text !== null && new RegExp(panPattern).test(text)

/** It has units, and says of what. */
const isHolding = (own: Fields): boolean =>
  (textAt(own, 'units') ?? textAt(own, 'freeUnits')) !== null &&
  (['folio', 'isin', 'schemeCode', 'schemeName', 'scheme'] as const).some((name) => textAt(own, name) !== null)

/** Null when it is kept, or is there already. */
function keep({ holdings, pan: whose }: Portfolio, fields: Fields): NotUnderstood['why'] | null {
  const pan = textAt(fields, 'pan')
  if (isPan(pan) && upper(pan) !== whose) return 'other-pan'
  const holding = holdingFrom(fields, calendarDay)
  if (typeof holding === 'string') return holding
  const twin = holdings.find((other) => isSame(other, holding))
  if (twin) return isRepeated(twin, holding) ? null : 'twice'
  if (holdings.length === mostHoldings) return 'too-many'
  holdings.push(holding)
  return null
}

/** A statement may list the same units in two places; they are there once. */
const isSame = (one: Holding, other: Holding): boolean =>
  one.folio === other.folio &&
  one.registrar === other.registrar &&
  (one.isin !== null && other.isin !== null ? one.isin === other.isin : one.schemeCode === other.schemeCode)

const isRepeated = (one: Holding, other: Holding): boolean =>
  one.units === other.units && one.lienUnits === other.lienUnits && one.lockedUnits === other.lockedUnits

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Also `18-Nov-2026`, as registrars print it. */
function calendarDay(text: string): string | null {
  const [, day, name, year] = /^\s*(\d{1,2})[- /]([A-Za-z]{3})[a-z]*[- /,]+(\d{4})/.exec(text) ?? []
  if (!day || !name) return calendarDate(text.replace(/^(\d{4}-\d{2}-\d{2}) [\d:.]+$/, '$1'))
  const month = months.indexOf(name.toLowerCase()) + 1
  return calendarDate(`${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`)
}
