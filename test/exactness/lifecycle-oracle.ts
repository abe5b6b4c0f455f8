// D1 §2.4 to §2.6 and §6 said a second time, by hand and without our schemas: judges updates as their receiver would.
import { installmentFields, journeyFields, type Kind, lenderFields, offerFields, profileFields } from './d1-fields.ts'
import { stages } from './d1-stages.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
type Json = any

/** Everything in one update that D1 does not allow; empty when it is as the document lays it out. */
export function updateFaults(update: Json): string[] {
  const faults = shaped(update, { tenant_id: 'string', application_id: 'string', borrower: 'object' }, '$')
  const { borrower } = update ?? {}
  faults.push(
    ...shaped(borrower, { id: 'uuid', provider_id: 'string', profile: 'object', journey: 'object' }, 'borrower'),
  )
  if (faults.length > 0) return faults
  const { profile, journey } = borrower
  const { gold_loan, ...always } = profileFields
  const parts = journey.type === 'GOLD_LOAN' ? { ...always, gold_loan } : always
  faults.push(...shaped(profile, Object.fromEntries(Object.keys(parts).map((part) => [part, 'object'])), 'profile'))
  for (const [part, fields] of Object.entries(parts)) faults.push(...shaped(profile[part], fields, `profile.${part}`))
  faults.push(...shaped(journey, journeyFields, 'journey'))
  if (faults.length > 0) return faults
  faults.push(...listed(journey.lenders, lenderFields, 'lenders'), ...listed(journey.offers, offerFields, 'offers'))
  if (faults.length > 0) return faults
  for (const offer of journey.offers)
    faults.push(...listed(offer.installments, installmentFields, 'installments'), ...sums(offer))
  return [...faults, ...stageFaults(journey)]
}

/** D1 §6.2: every update of a journey that reaches the money. */
export const canonical = [
  'STARTED',
  'PROFILED',
  'OFFERED',
  'OFFER_SELECTED',
  'OFFER_ACCEPTED',
  'LENDER_REDIRECTED',
  'DISBURSED',
]

/** D1 §6: what holds over all updates of one journey, in the order in which they were received, repetitions left out. */
export function sequenceFaults(updates: Json[]): string[] {
  const statuses = updates.map(({ borrower }) => borrower.journey.status)
  const faults: string[] = []
  if (updates.length > 7) faults.push(`${updates.length} updates`)
  const ends = statuses.findIndex((status) => ['NOT_OFFERED', 'REJECTED', 'DISBURSED'].includes(status))
  if (ends !== -1 && ends < statuses.length - 1) faults.push(`${statuses[ends]} is followed by ${statuses[ends + 1]}`)
  for (const [i, status] of statuses.entries()) {
    const isEarlyEnd = status === 'REJECTED' || (status === 'NOT_OFFERED' && i === 2)
    if (!isEarlyEnd && status !== canonical[i]) faults.push(`update ${i + 1} is ${status}`)
  }
  for (const [i, update] of updates.entries()) if (i > 0) faults.push(...keptFaults(updates[i - 1], update))
  return faults
}

/** What two successive updates of a journey have in common. */
function keptFaults(before: Json, after: Json): string[] {
  const faults: string[] = []
  const same = (what: string, of: (update: Json) => unknown) => {
    if (JSON.stringify(of(before)) !== JSON.stringify(of(after))) faults.push(`${what} has changed`)
  }
  for (const field of ['tenant_id', 'application_id']) same(field, (update) => update[field])
  for (const field of ['id', 'provider_id']) same(`borrower.${field}`, ({ borrower }) => borrower[field])
  for (const field of ['id', 'network_transaction_id', 'created', 'type'])
    same(`journey.${field}`, ({ borrower }) => borrower.journey[field])
  const [was, is] = [before.borrower.journey, after.borrower.journey]
  if (is.updated < was.updated) faults.push('updated goes back')
  if (is.status === 'OFFER_ACCEPTED' && JSON.stringify(shapeOf(before)) !== JSON.stringify(shapeOf(after)))
    faults.push('OFFER_ACCEPTED has another shape than OFFER_SELECTED')
  if (is.status !== 'REJECTED') return faults
  same('lender_mode at REJECTED', ({ borrower }) => borrower.journey.lender_mode)
  const kept = ({ borrower }: Json) => borrower.journey.offers.map(({ id, accepted }: Json) => [id, accepted])
  const all = new Set(kept(after).map(String))
  if (!kept(before).every((offer: Json) => all.has(String(offer)))) faults.push('offers at REJECTED are not as before')
  return faults
}

/** The keys and the kinds of values, without the values; of a list its first element, as all have one shape. */
function shapeOf(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
}

const kinds: Record<Kind, (value: Json) => boolean> = {
  object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: Number.isFinite,
  string: (value) => typeof value === 'string',
  filled: (value) => typeof value === 'string' && value !== '',
  uuid: (value) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  instant: (value) => typeof value === 'string' && new Date(value).toJSON() === value,
  amount: (value) => typeof value === 'string' && /^\d+(\.\d{1,2})?$/.test(value),
  term: (value) => typeof value === 'string' && /^\d+ (day|week|month|year)s?$/.test(value),
  url: (value) => typeof value === 'string' && URL.canParse(value),
  mobile: (value) => typeof value === 'string' && /^\+91[6-9]\d{9}$/.test(value),
}

/** Exactly these fields, each of its kind; a kind that ends in `?` may be null. */
function shaped(value: Json, fields: Record<string, string | readonly (string | null)[]>, path: string): string[] {
  if (!kinds.object(value)) return [`${path} is no object`]
  const unknown = Object.keys(value).filter((key) => !(key in fields))
  const wrong = Object.entries(fields).filter(([key, kind]) => !(key in value) || !isOf(value[key], kind))
  return [
    ...unknown.map((key) => `${path}.${key} is not in the document`),
    ...wrong.map(([key, kind]) => `${path}.${key} is ${JSON.stringify(value[key])}, not ${kind}`),
  ]
}

function isOf(value: Json, kind: string | readonly (string | null)[]): boolean {
  if (typeof kind !== 'string') return kind.includes(value)
  if (kind.endsWith('?')) return value === null || isOf(value, kind.slice(0, -1))
  return kinds[kind as Kind](value)
}

const listed = (list: Json[], fields: Record<string, string>, path: string): string[] =>
  list.flatMap((each, i) => shaped(each, fields, `${path}[${i}]`))

/** A credit line, which has no instalments: nothing is paid out before it is drawn (docs/decisions/0019-a-line-is-open.md). */
const isLine = ({ number_of_installments: count }: Json): boolean => count === 0

/** An offer's amounts agree with each other, and its instalments with the offer. */
function sums(offer: Json): string[] {
  if (isLine(offer))
    return offer.amount_net_disbursed_amount === '0.00' && offer.installments.length === 0
      ? []
      : [`offer ${offer.id}: a line is paid out or has instalments`]
  const paise = (text: string) => Math.round(Number(text) * 100)
  const deducted = ['processing_fees', 'other_upfront_charges', 'insurance_charges'].map((name) =>
    paise(offer[name] ?? '0'),
  )
  const net = paise(offer.amount_principal) - deducted.reduce((all, each) => all + each, 0)
  const faults =
    net === paise(offer.amount_net_disbursed_amount) ? [] : [`offer ${offer.id}: net disbursed is not ${net}`]
  const { installments } = offer
  if (installments.length === 0) return faults
  const due = paise(offer.amount_principal) + paise(offer.amount_total_interest_payable)
  const all = installments.reduce((sum: number, { amount }: Json) => sum + paise(amount), 0)
  if (all !== due) faults.push(`offer ${offer.id}: instalments add up to ${all}, not ${due}`)
  if (installments.length !== offer.number_of_installments) faults.push(`${installments.length} instalments`)
  for (const [i, { serial_number, installment_due_date }] of installments.entries()) {
    if (serial_number !== i + 1) faults.push(`instalment ${i + 1} has number ${serial_number}`)
    if (i > 0 && !(installments[i - 1].installment_due_date < installment_due_date))
      faults.push(`instalment ${i + 1} is not due after the one before`)
  }
  return faults
}

/** The row of §2.6 for this status. */
function stageFaults(journey: Json): string[] {
  const expected = stages[journey.status as string]
  if (!expected) return [`journey.status is ${journey.status}`]
  const facts: Record<string, unknown> = {
    ...journey,
    lenders: journey.lenders.length > 0 ? 'filled' : 'empty',
    offers: journey.offers.length > 0 ? 'filled' : 'empty',
    accepted: journey.offers.filter(({ accepted }: Json) => accepted).length,
    installments: journey.offers.filter(
      (offer: Json) =>
        offer.installments.length > 0 || (journey.status === 'DISBURSED' && offer.accepted && isLine(offer)),
    ).length,
    preferred: journey.borrower_preferred_amount !== null && journey.borrower_preferred_tenure !== null,
  }
  return Object.entries(expected)
    .filter(([name, allowed]) => !(allowed as readonly unknown[]).includes(facts[name]))
    .map(([name, allowed]) => `${journey.status}: ${name} is ${facts[name]}, not ${allowed.join(' or ')}`)
}
