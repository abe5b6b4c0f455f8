// The required content of each action in dialect 2.3.0, for a loan against mutual funds (FIS12 §12.2).

import { fieldsOf } from '@lendloom/foundation/record'
import type { Fault } from '@lendloom/wire/network/context'
import { formStatuses } from '@lendloom/wire/network/form-status'
import { outgoingFaultsOf } from '@lendloom/wire/network/message-validators'
import {
  allowed,
  type Condition,
  each,
  eachGroup,
  group,
  has,
  is,
  type MessageRule,
  not,
  present,
  requiredCode,
  valueAt,
  when,
} from '@lendloom/wire/network/rule-combinators'
import type { Action } from '@lendloom/wire/network/sequence'
import { breakupCodes, paymentStatuses, servicingLabels } from '@lendloom/wire/network/v203/payments'
import { stopsOf } from '@lendloom/wire/network/v203/stops'
import { orderStatuses } from '@lendloom/wire/network/v203/write-order'
import { categoryCodes, categoryIds } from '@lendloom/wire/network/v230/categories'
import { requiredFields } from '@lendloom/wire/network/v230/form-data'
import { checklistStates, fulfillmentStates, fulfillmentTypes } from '@lendloom/wire/network/v230/fulfillment'
import { disbursalLabel } from '@lendloom/wire/network/v230/payments'
import { isDrawdownRequest, schemaOf } from '@lendloom/wire/network/v230/schema'
import { headings } from '@lendloom/wire/network/v230/xinput'
import { lender, objectsIn } from '#conformance/network/v203/rules.ts'
import { drawdownMessageFaults } from './drawdown-rules.ts'
import { amounts, amountsWithStops, loanInfo, loanInfoWithStops, quote, schemeCodes } from './product-rules.ts'

const pledgeCodes = ['SCHEME_CODE', 'UNITS_PLEDGED']
const termsCodes = ['STATIC_TERMS', 'OFFLINE_CONTRACT']
const accountCodes = ['ACCOUNT_TYPE', 'ACCOUNT_HOLDER_NAME', 'BANK_NAME']
const summaryCodes = [
  'OVERDRAFT_LIMIT',
  'UTILISED_AMOUNT',
  'AVAILABLE_LIMIT',
  'OVERDUE_AMOUNT',
  'SHORTFALL_AMOUNT',
  'LTV_PERCENT',
]
const labels = ['INSTALLMENT', disbursalLabel, ...servicingLabels]

const requiredPaths = (attribute: 'type' | 'value'): string[] =>
  requiredFields.map((name) => `form.data.${name}.${attribute}`)

const hasLabel = (...labels: string[]): Condition => is('time.label', ...labels)
const codeIs = (code: string): Condition => is('head.descriptor.code', code)

const terms = (code: 'BAP_TERMS' | 'BPP_TERMS'): MessageRule => group(code, { codes: termsCodes, required: termsCodes })
const shop: MessageRule[] = [...lender, present('descriptor.images[*].url', 'descriptor.images[*].size_type')]
const pledgeGroup = eachGroup('PLEDGE_REQUIREMENTS', { codes: pledgeCodes, required: pledgeCodes })
const onlyTags = (...codes: string[]): MessageRule => allowed('tags[*].descriptor.code', codes)

const loan: MessageRule[] = [
  present('id', 'category_ids[*]', 'fulfillment_ids[*]', 'descriptor.name'),
  requiredCode('descriptor.code', ['LOAN']),
  allowed('category_ids[*]', categoryIds),
]
const fulfillment: MessageRule[] = [present('id'), requiredCode('type', fulfillmentTypes)]

/** What differs between lenders with a page per step and those with stops (FIS12 §27.3). */
interface ShapeRules {
  progress: MessageRule[]
  schemeCodes: readonly string[]
  info: MessageRule[]
  offer: MessageRule[]
  /** The tags of an order that is placed. */
  placedTags: MessageRule[]
  /** The catalogue announces the payments, and each order has the account of the disbursal from the first `init`. */
  hasAnnouncedPayments: boolean
}

const pagePerStep: ShapeRules = {
  progress: [group('CHECKLISTS', { codes: headings }), allowed('tags[*].list[*].value', checklistStates)],
  schemeCodes,
  info: loanInfo,
  offer: amounts,
  placedTags: [],
  hasAnnouncedPayments: true,
}
const withStops: ShapeRules = {
  progress: [present('stops[*].id', 'stops[*].type', 'stops[*].instructions.code', 'stops[*].instructions.name')],
  schemeCodes: schemeCodes.filter((code) => code !== 'LTV_PERCENT'),
  info: loanInfoWithStops,
  offer: amountsWithStops,
  placedTags: [terms('BAP_TERMS'), eachGroup('ACCOUNT_SUMMARY', { codes: summaryCodes, required: summaryCodes })],
  hasAnnouncedPayments: false,
}

const priceRules = ({ schemeCodes: required }: ShapeRules): MessageRule[] => [
  present('price.value'),
  requiredCode('price.currency', ['INR']),
  eachGroup('PLEDGE_REQUIREMENTS', { codes: schemeCodes, required }),
]
const payment: MessageRule[] = [
  present('id'),
  requiredCode('type', ['ON_FULFILLMENT', 'POST_FULFILLMENT']),
  requiredCode('status', paymentStatuses),
  requiredCode('time.label', labels),
]
const account = when(
  hasLabel(disbursalLabel),
  present('collected_by', 'params.bank_account_number', 'params.bank_code'),
  group('ACCOUNT_DETAILS', { codes: accountCodes, required: accountCodes.slice(0, 2) }),
)
const installment = when(
  hasLabel('INSTALLMENT'),
  present('params.amount', 'params.currency', 'time.range.start', 'time.range.end'),
)
/** A payment link states its validity, a completed payment its id (FIS12 §7.5). */
const servicingRules: MessageRule[] = [
  when(hasLabel(...servicingLabels), present('params.amount', 'params.currency')),
  when(has('url'), present('time.duration')),
  when(
    is('status', 'PAID'),
    when(
      hasLabel(disbursalLabel, ...servicingLabels),
      present('params.transaction_id', 'params.amount', 'params.currency'),
    ),
  ),
  eachGroup('BREAKUP', { codes: breakupCodes }),
]
const headRules: MessageRule[] = [
  requiredCode('head.descriptor.code', headings),
  present('head.descriptor.name', 'form.id'),
]
const listedSteps: MessageRule[] = [requiredCode('head.headings[*]', headings), present('form.mime_type', 'required')]
const handle = when(() => true, present('value'))
const isPage: Condition = ({ head, form }) => head !== undefined || valueAt(form, 'url') !== undefined
const page = when(isPage, ...headRules, ...listedSteps, present('form.url'))

const order = (shape: ShapeRules): MessageRule[] => [
  each('order.provider', ...shop),
  each(
    'order.items[*]',
    present('parent_item_id'),
    ...loan,
    ...priceRules(shape),
    onlyTags('LOAN_INFO', 'PLEDGE_REQUIREMENTS'),
  ),
  each('order.items[*].xinput', page, when(has('form_response'), present('form.id'))),
  allowed('order.items[*].xinput.form_response.status', formStatuses),
  present('order.fulfillments'),
  each('order.fulfillments[*]', ...fulfillment, ...shape.progress),
  each('order', ...quote),
  each('order.payments[*]', ...payment, account, installment, ...servicingRules),
]
const offerRules = ({ info }: ShapeRules): MessageRule => each('order.items[*]', ...info)
const initiatedRules = (shape: ShapeRules): MessageRule[] => [
  offerRules(shape),
  present('order.quote', 'order.fulfillments[*].customer.person.name'),
  ...(shape.hasAnnouncedPayments ? [present('order.payments')] : []),
  requiredCode('order.fulfillments[*].state.descriptor.code', fulfillmentStates),
  each('order', terms('BPP_TERMS')),
]

const buyerRules: MessageRule[] = [
  present('order.provider.id', 'order.items[*].id', 'order.items[*].parent_item_id'),
  present('order.fulfillments[*].id'),
  each('order.items[*]', pledgeGroup, onlyTags('PLEDGE_REQUIREMENTS')),
]
const placingRules: MessageRule[] = [
  ...buyerRules,
  present('order.payments'),
  each('order.payments[*]', ...payment, account),
  each('order.items[*].xinput', ...headRules, present('form_response.status')),
  each('order', terms('BAP_TERMS')),
]

/** Every form field has a type (in a request) or a value (in an answer); a file has all its attributes. */
const everyField =
  (attribute: 'type' | 'value'): MessageRule =>
  ({ path, value }) =>
    Object.entries(fieldsOf(valueAt(value, 'form', 'data'))).flatMap(([name, field]) => {
      const position = { path: `${path}.form.data.${name}`, value: field }
      return [
        ...present(attribute)(position),
        ...when(has('format', 'validity'), present('format', 'validity'))(position),
      ]
    })

/** An item without offers must have a form. */
const openItems: MessageRule = ({ path, value }) => {
  const items = objectsIn(valueAt(value, 'items'))
  const itemsWithOffers = new Set(items.map(({ parent_item_id }) => parent_item_id))
  return items.flatMap((item, i) =>
    item.parent_item_id !== undefined || item.xinput !== undefined || itemsWithOffers.has(item.id)
      ? []
      : [{ path: `${path}.items[${i}].xinput`, message: 'must be present' }],
  )
}
const bothPayments: MessageRule = ({ path, value }) => {
  const payments = objectsIn(valueAt(value, 'payments'))
  return ['INSTALLMENT', disbursalLabel]
    .filter((label) => !payments.some(hasLabel(label)))
    .map((label) => ({ path: `${path}.payments`, message: `must have the payment ${label}` }))
}
/** FIS12 §7.6: both timestamps of the order are equal. */
const oneInstant: MessageRule = ({ path, value }) => {
  const { created_at, updated_at } = fieldsOf(value)
  return created_at === updated_at ? [] : [{ path: `${path}.updated_at`, message: 'must equal created_at' }]
}

const onSearchRules = (shape: ShapeRules): MessageRule[] => [
  present('catalog.descriptor.name'),
  each('catalog', terms('BPP_TERMS')),
  each(
    'catalog.providers[*]',
    ...shop,
    openItems,
    ...(shape.hasAnnouncedPayments ? [bothPayments] : []),
    present('items', 'fulfillments'),
    each('categories[*]', present('id', 'descriptor.name'), requiredCode('descriptor.code', categoryCodes)),
    each('categories[*]', when(not(is('descriptor.code', 'LOAN')), present('parent_category_id'))),
    each(
      'items[*]',
      ...loan,
      when(has('parent_item_id', 'price'), present('parent_item_id'), ...priceRules(shape), ...shape.info),
    ),
    each('items[*]', when(has('parent_item_id'), ...shape.offer)),
    each(
      'items[*].xinput',
      ...headRules,
      ...listedSteps,
      when(codeIs('PERSONAL_INFORMATION_LAMF'), present(...requiredPaths('type')), everyField('type')),
      when(codeIs('CONSENT_APPROVAL'), present('form.data.consent_handler'), each('form.data.consent_handler', handle)),
    ),
    each('fulfillments[*]', ...fulfillment, ...shape.progress),
    each('payments[*]', ...payment, present('collected_by')),
  ),
]

const rulesOf = (shape: ShapeRules): Record<Action, MessageRule[]> => ({
  search: [
    requiredCode('intent.payment.collected_by', ['BAP', 'BPP']),
    each('intent', terms('BAP_TERMS')),
    each('intent', when(not(has('provider')), requiredCode('category.descriptor.code', categoryCodes))),
    each(
      'intent.provider',
      present('id', 'items[*].id', 'items[*].xinput'),
      each(
        'items[*].xinput',
        ...headRules,
        when(codeIs('PERSONAL_INFORMATION_LAMF'), present(...requiredPaths('value')), everyField('value')),
        when(codeIs('CONSENT_APPROVAL'), present('form_response.submission_id')),
      ),
    ),
  ],
  on_search: onSearchRules(shape),
  select: [...buyerRules, each('order.items[*].xinput', ...headRules, present('form_response.submission_id'))],
  on_select: [...order(shape), offerRules(shape), present('order.quote')],
  init: placingRules,
  on_init: [...order(shape), ...initiatedRules(shape)],
  confirm: [...placingRules, each('order', terms('BPP_TERMS'))],
  on_confirm: [
    ...order(shape),
    ...initiatedRules(shape),
    each('order', ...shape.placedTags),
    present('order.id', 'order.created_at', 'order.updated_at', 'order.documents'),
    each('order', oneInstant),
    requiredCode('order.status', orderStatuses),
    each(
      'order.documents[*]',
      requiredCode('descriptor.code', ['LOAN_AGREEMENT', 'LOAN_CANCELLATION']),
      present('descriptor.name', 'mime_type', 'url'),
    ),
  ],
  status: [],
  on_status: [
    ...order(shape),
    allowed('order.fulfillments[*].state.descriptor.code', fulfillmentStates),
    each('order', when(has('id'), oneInstant, requiredCode('status', orderStatuses))),
  ],
  update: [
    present('order.id'),
    requiredCode('update_target', ['payments']),
    requiredCode('order.payments[*].time.label', servicingLabels),
  ],
  on_update: [
    ...order(shape),
    present('order.id', 'order.created_at', 'order.updated_at'),
    requiredCode('order.status', orderStatuses),
    requiredCode('order.fulfillments[*].state.descriptor.code', fulfillmentStates),
  ],
  on_cancel: [present('order.id')],
})

const faultsOfShape = (shape: ShapeRules) => outgoingFaultsOf('FIS12 §12.2', rulesOf(shape), schemaOf)
const faultsOfPages = faultsOfShape(pagePerStep)
const faultsOfStops = faultsOfShape(withStops)

/** Whether a lender's message tells progress by stops. */
function hasStops(message: unknown): boolean {
  const providers = objectsIn(valueAt(message, 'catalog', 'providers'))
  const fulfillments = [valueAt(message, 'order'), ...providers].flatMap((holder) =>
    objectsIn(valueAt(holder, 'fulfillments')),
  )
  return fulfillments.some((each) => stopsOf(each).length > 0)
}

/** Whether the message is of a drawdown: a request that refers to a line, or an order whose fulfilment says so. */
const isOfDrawdown = (action: Action, message: unknown): boolean =>
  ((action === 'init' || action === 'confirm') && isDrawdownRequest(message)) ||
  objectsIn(valueAt(message, 'order', 'fulfillments')).some(is('type', 'DRAWDOWN'))

/** The faults of an outgoing `message` by FIS12 §12.2 or §27.5 and the strict schema of §3.3; empty if it may be sent. */
export function outgoingFaults(action: Action, message: unknown): Fault[] {
  if (isOfDrawdown(action, message)) return drawdownMessageFaults(action, message)
  return (hasStops(message) ? faultsOfStops : faultsOfPages)(action, message)
}
