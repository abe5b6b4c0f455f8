// What registrars, MF Central, aggregators and readers of statements call the same things (D1 §4: the data is free-form).
import { isObject } from '#kit/runtime/record.ts'

/** The plain values of an object by their names, in small letters and without anything between the words. */
export type Fields = Map<string, string | number | boolean>

/** Names in the order in which they are trusted. */
const names = {
  pan: ['pan', 'panno', 'pannumber', 'investorpan', 'investordetailspan'],
  folio: ['folio', 'foliono', 'folionumber', 'folioid'],
  amcCode: ['amccode', 'amc', 'amcid', 'fundhousecode'],
  amcName: ['amcname', 'fundhouse'],
  schemeCode: ['schemecode', 'schemeid', 'rtaschemecode'],
  schemeName: ['schemename', 'schemedescription', 'fundname', 'isindescription', 'fund'],
  /** The code beside a name, the name alone. */
  scheme: ['scheme'],
  isin: ['isin', 'isinno', 'isincode', 'tradingsymbol'],
  units: [
    ...['units', 'closingbalance', 'closingunits', 'balanceunits', 'unitbalance', 'closingunitbalance', 'totalunits'],
    ...['currentunits', 'holdingunits', 'unitsheld', 'close', 'quantity'],
  ],
  freeUnits: ['lieneligibleunits', 'eligibleunits', 'availableunits', 'freeunits', 'redeemableunits'],
  lienUnits: ['lienunits', 'lienmarkedunits', 'pledgedunits', 'unitsunderlien', 'pledgedquantity'],
  lockedUnits: ['lockedunits', 'lockinunits', 'lockedinunits', 'blockedunits'],
  lienFlag: ['lienunitsflag', 'lienflag', 'islien', 'islienmarked'],
  demat: ['isdemat', 'demat', 'dematflag'],
  lockedUntil: ['lockinuntil', 'lockinenddate', 'lockinend', 'lockindate', 'lockedupto', 'lockeduntil', 'lockinupto'],
  nav: ['nav', 'latestnav', 'currentnav', 'navvalue', 'navperunit', 'lastprice'],
  navOn: ['navdate', 'navon', 'latestnavdate', 'navasof', 'navason', 'valuationdate', 'lastpricedate'],
} as const
export type Name = keyof typeof names

/** A registrar's name stands under these; `rtaCode` may also be its code for the scheme. */
const registrarNames = ['registrar', 'rta', 'rtacode', 'rtaname', 'registrarname', 'registrarcode']
const kindNames = [
  'assettype',
  'assetclass',
  'schemetype',
  'schemetypes',
  'schemecategory',
  'category',
  'fundtype',
  'type',
]

/** What an outer object says for the inner ones: whose the units are and of what, never how many. */
const inherited = new Set<string>([
  ...[names.pan, names.folio, names.amcCode, names.amcName, names.demat, registrarNames].flat(),
  ...[names.schemeCode, names.schemeName, names.scheme, names.isin, names.nav, names.navOn].flat(),
  ...kindNames.filter((name) => name !== 'type'),
])

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The values of an object, and of the objects in it: `{"nav": {"value": 1}}` has a `navvalue`. */
function named(value: object): Fields {
  const fields: Fields = new Map()
  for (const [name, inner] of Object.entries(value)) put(fields, name, inner)
  for (const [name, inner] of Object.entries(value))
    if (isObject(inner)) for (const [deeper, innermost] of Object.entries(inner)) put(fields, name + deeper, innermost)
  return fields
}

/** All that an object says of itself: `{"valuation": {"nav": 1}}` has a `nav` too. */
export function fieldsOf(value: object): Fields {
  const fields = named(value)
  for (const inner of Object.values(value))
    if (isObject(inner)) for (const [name, innermost] of Object.entries(inner)) put(fields, name, innermost)
  return fields
}

/** What an object says for the objects in it; never what one of them says, which is no word on its neighbours. */
export const inheritedFrom = (value: object): Fields =>
  new Map([...named(value)].filter(([name]) => inherited.has(name)))

const ofTrade = new Set(
  ['trxnType', 'transactionType', 'trxnDate', 'transactionDate', 'trxnNo', 'transactionId', 'orderType', 'orderId'].map(
    plain,
  ),
)

/** A purchase or a sale has units too. */
export const isTrade = (value: object): boolean =>
  Object.entries(value).some(([name, inner]) => isScalar(inner) && ofTrade.has(plain(name)))

const groups: readonly (readonly string[])[] = [...Object.values(names), registrarNames, kindNames]

/** What is said of an object outside it holds where the object itself says nothing of the same, under whatever name. */
export const within = (above: Fields, own: Fields): Fields =>
  new Map([
    ...[...above].filter(
      ([name]) => !groups.some((group) => group.includes(name) && group.some((other) => own.has(other))),
    ),
    ...own,
  ])

function put(fields: Fields, name: string, value: unknown): void {
  const short = plain(name)
  if (isScalar(value) && !fields.has(short)) fields.set(short, value)
}

/** Empty text and null say nothing, and hide nothing. */
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.trim() !== '')

/** As it was written. A whole number that does not fit into a double has lost digits on its way, and is not trusted. */
function written(value: string | number | boolean | undefined): string | null {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'number' || (Number.isInteger(value) && !Number.isSafeInteger(value))) return null
  return String(value)
}

const textUnder = (fields: Fields, known: readonly string[]): string | null => {
  for (const name of known) {
    const text = written(fields.get(name))
    if (text !== null) return text
  }
  return null
}

export const textAt = (fields: Fields, name: Name): string | null => textUnder(fields, names[name])

/** Whether a flag is up, however it is written. */
export const isUp = (fields: Fields, name: Name): boolean =>
  names[name].some((known) => /^(?:y|yes|true|1)$/i.test(String(fields.get(known) ?? '').trim()))

export const registrarTexts = (fields: Fields): string[] =>
  registrarNames.flatMap((name) => written(fields.get(name)) ?? [])

export const kindText = (fields: Fields): string =>
  kindNames.flatMap((name) => written(fields.get(name)) ?? []).join(' ')
