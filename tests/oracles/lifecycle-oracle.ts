// Checks lifecycle updates against D1 §2.4 to §2.6 and §6, independently of the platform's own schemas.
import { installmentFields, journeyFields, type Kind, lenderFields, offerFields, profileFields } from './d1-fields.ts'
import { stages } from './d1-stages.ts'

// biome-ignore lint/suspicious/noExplicitAny: a received update is not validated
type Json = any

/** The violations of D1 in one update. */
export function updateFaults(update: Json): string[] {
  const faults = fieldFaults(update, { tenant_id: 'string', application_id: 'string', borrower: 'object' }, '$')
  const { borrower } = update ?? {}
  faults.push(
    ...fieldFaults(borrower, { id: 'uuid', provider_id: 'string', profile: 'object', journey: 'object' }, 'borrower'),
  )
  if (faults.length > 0) return faults
  const { profile, journey } = borrower
  const { gold_loan, ...commonParts } = profileFields
  const parts = journey.type === 'GOLD_LOAN' ? { ...commonParts, gold_loan } : commonParts
  faults.push(
    ...fieldFaults(profile, Object.fromEntries(Object.keys(parts).map((part) => [part, 'object'])), 'profile'),
  )
  for (const [part, fields] of Object.entries(parts))
    faults.push(...fieldFaults(profile[part], fields, `profile.${part}`))
  faults.push(...fieldFaults(journey, journeyFields, 'journey'))
  if (faults.length > 0) return faults
  faults.push(
    ...listFaults(journey.lenders, lenderFields, 'lenders'),
    ...listFaults(journey.offers, offerFields, 'offers'),
  )
  if (faults.length > 0) return faults
  for (const offer of journey.offers)
    faults.push(...listFaults(offer.installments, installmentFields, 'installments'), ...amountFaults(offer))
  return [...faults, ...stageFaults(journey)]
}

/** The statuses of a journey that end with the disbursal, in order (D1 §6.2). */
export const disbursedStatuses = [
  'STARTED',
  'PROFILED',
  'OFFERED',
  'OFFER_SELECTED',
  'OFFER_ACCEPTED',
  'LENDER_REDIRECTED',
  'DISBURSED',
]

/** The violations of D1 §6 by the updates of one journey, in the order of receipt and without retries. */
export function sequenceFaults(updates: Json[]): string[] {
  const statuses = updates.map(({ borrower }) => borrower.journey.status)
  const faults: string[] = []
  if (updates.length > disbursedStatuses.length) faults.push(`${updates.length} updates`)
  const endIndex = statuses.findIndex((status) => ['NOT_OFFERED', 'REJECTED', 'DISBURSED'].includes(status))
  if (endIndex !== -1 && endIndex < statuses.length - 1)
    faults.push(`${statuses[endIndex]} is followed by ${statuses[endIndex + 1]}`)
  for (const [i, status] of statuses.entries()) {
    const isEarlyEnd = status === 'REJECTED' || (status === 'NOT_OFFERED' && i === 2)
    if (!isEarlyEnd && status !== disbursedStatuses[i]) faults.push(`update ${i + 1} is ${status}`)
  }
  for (const [i, update] of updates.entries()) if (i > 0) faults.push(...changeFaults(updates[i - 1], update))
  return faults
}

/** The violations by an update that changes what the previous update has fixed. */
function changeFaults(before: Json, after: Json): string[] {
  const faults: string[] = []
  const compare = (name: string, valueIn: (update: Json) => unknown) => {
    if (JSON.stringify(valueIn(before)) !== JSON.stringify(valueIn(after))) faults.push(`${name} has changed`)
  }
  for (const field of ['tenant_id', 'application_id']) compare(field, (update) => update[field])
  for (const field of ['id', 'provider_id']) compare(`borrower.${field}`, ({ borrower }) => borrower[field])
  for (const field of ['id', 'network_transaction_id', 'created', 'type'])
    compare(`journey.${field}`, ({ borrower }) => borrower.journey[field])
  const previous = before.borrower.journey
  const current = after.borrower.journey
  if (current.updated < previous.updated) faults.push('updated goes back')
  if (current.status === 'OFFER_ACCEPTED' && JSON.stringify(shapeOf(before)) !== JSON.stringify(shapeOf(after)))
    faults.push('OFFER_ACCEPTED does not have the fields of OFFER_SELECTED')
  if (current.status !== 'REJECTED') return faults
  compare('lender_mode at REJECTED', ({ borrower }) => borrower.journey.lender_mode)
  const offersIn = ({ borrower }: Json) => borrower.journey.offers.map(({ id, accepted }: Json) => [id, accepted])
  const offersAfter = new Set(offersIn(after).map(String))
  if (!offersIn(before).every((offer: Json) => offersAfter.has(String(offer))))
    faults.push('offers at REJECTED are not as before')
  return faults
}

/** The keys and types of a value. A list stands for its first element, because all its elements have the same keys. */
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

/** The faults of an object that must have exactly these fields, each of its kind. */
function fieldFaults(value: Json, fields: Record<string, string | readonly (string | null)[]>, path: string): string[] {
  if (!kinds.object(value)) return [`${path} is not an object`]
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

const listFaults = (list: Json[], fields: Record<string, string>, path: string): string[] =>
  list.flatMap((each, i) => fieldFaults(each, fields, `${path}[${i}]`))

/** Whether an offer is a credit line, which has no instalments (docs/decisions/0019-a-line-is-open.md). */
const isLine = ({ number_of_installments: count }: Json): boolean => count === 0

/** The faults of an offer whose amounts or instalments do not add up. */
function amountFaults(offer: Json): string[] {
  if (isLine(offer))
    return offer.amount_net_disbursed_amount === '0.00' && offer.installments.length === 0
      ? []
      : [`offer ${offer.id}: a line is paid out or has instalments`]
  const paise = (text: string) => Math.round(Number(text) * 100)
  const deducted = ['processing_fees', 'other_upfront_charges', 'insurance_charges'].map((name) =>
    paise(offer[name] ?? '0'),
  )
  const net = paise(offer.amount_principal) - deducted.reduce((sum, each) => sum + each, 0)
  const faults =
    net === paise(offer.amount_net_disbursed_amount) ? [] : [`offer ${offer.id}: net disbursed is not ${net}`]
  const { installments } = offer
  if (installments.length === 0) return faults
  const due = paise(offer.amount_principal) + paise(offer.amount_total_interest_payable)
  const total = installments.reduce((sum: number, { amount }: Json) => sum + paise(amount), 0)
  if (total !== due) faults.push(`offer ${offer.id}: instalments add up to ${total}, not ${due}`)
  if (installments.length !== offer.number_of_installments) faults.push(`${installments.length} instalments`)
  for (const [i, { serial_number, installment_due_date }] of installments.entries()) {
    if (serial_number !== i + 1) faults.push(`instalment ${i + 1} has number ${serial_number}`)
    if (i > 0 && !(installments[i - 1].installment_due_date < installment_due_date))
      faults.push(`instalment ${i + 1} is not due after the one before`)
  }
  return faults
}

/** The fields that violate the row of §2.6 for the journey's status. */
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
