// The required content of each action in dialect 2.0.3 (FIS12 §12.1, §3.3).

import { isObject, isOneOf } from '@lendloom/foundation/record'
import { oneSchemaEach, outgoingFaultsOf } from '@lendloom/wire/network/message-validators'
import {
  allowed,
  type Condition,
  each,
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
import { quoteTitles } from '@lendloom/wire/network/v203/offer-terms'
import { paymentStatuses } from '@lendloom/wire/network/v203/payments'
import { messageSchemas } from '@lendloom/wire/network/v203/schema'
import { feeTypeText } from '@lendloom/wire/network/v203/settlement'
import { dedupeType, stopsOf } from '@lendloom/wire/network/v203/stops'
import { headings, type Variant, variant203 } from '@lendloom/wire/network/v203/variant'
import { fulfillmentStates } from '@lendloom/wire/network/v203/write-order'
import { headingFrom } from '@lendloom/wire/network/v203/xinput'

const products = ['PERSONAL_LOAN', 'GOLD_LOAN', 'CREDIT_CARD']
const itemCodes = ['LOAN', 'PERSONAL_LOAN', 'CREDIT_CARD', 'PRE_QUALIFIER']
const paymentTypes = ['ON_ORDER', 'ON_FULFILLMENT', 'POST_FULFILLMENT']
/** LOAN in the shape with a page per step; the others in that with stops (FIS12 §26). */
const fulfillmentTypes = ['LOAN', dedupeType, 'SEMI_ONLINE', 'ONLINE']

const contactCodes = [
  'GRO_NAME',
  'GRO_EMAIL',
  'GRO_CONTACT_NUMBER',
  'GRO_DESIGNATION',
  'GRO_ADDRESS',
  'CUSTOMER_SUPPORT_LINK',
  'CUSTOMER_SUPPORT_CONTACT_NUMBER',
  'CUSTOMER_SUPPORT_EMAIL',
]
const lspCodes = ['LSP_NAME', 'LSP_EMAIL', 'LSP_CONTACT_NUMBER', 'LSP_ADDRESS']
const rangeCodes = [
  'MIN_INTEREST_RATE',
  'MAX_INTEREST_RATE',
  'MIN_TENURE',
  'MAX_TENURE',
  'MIN_LOAN_AMOUNT',
  'MAX_LOAN_AMOUNT',
]
const loanInfoCodes = [
  'INTEREST_RATE',
  'TERM',
  'INTEREST_RATE_TYPE',
  'APPLICATION_FEE',
  'FORECLOSURE_FEE',
  'INTEREST_RATE_CONVERSION_CHARGE',
  'DELAY_PENALTY_FEE',
  'OTHER_PENALTY_FEE',
  'ANNUAL_PERCENTAGE_RATE',
  'REPAYMENT_FREQUENCY',
  'NUMBER_OF_INSTALLMENTS_OF_REPAYMENT',
  'TNC_LINK',
  'COOL_OFF_PERIOD',
  'INSTALLMENT_AMOUNT',
  'KFS_LINK',
  'LTV_RATIO',
]
const termsCodes = ['STATIC_TERMS', 'OFFLINE_CONTRACT']
const feeCodes = ['BUYER_FINDER_FEES_TYPE', 'BUYER_FINDER_FEES_PERCENTAGE']
const buyerCodes = ['DELAY_INTEREST', 'STATIC_TERMS', 'OFFLINE_CONTRACT']
const lenderCodes = [
  'SETTLEMENT_WINDOW',
  'SETTLEMENT_BASIS',
  'MANDATORY_ARBITRATION',
  'COURT_JURISDICTION',
  'STATIC_TERMS',
  'OFFLINE_CONTRACT',
]

/** Rules for a payment's finder fee and settlement terms. Catalogues spell the fee type differently (FIS12 §21). */
const paymentTagRules = (
  settlement: { codes: string[]; required: string[] },
  messageKind: keyof typeof feeTypeText = 'order',
): MessageRule[] => [
  group('BUYER_FINDER_FEES', { codes: feeCodes, required: feeCodes }),
  each(
    'tags[*].list[*]',
    when(
      is('descriptor.code', 'BUYER_FINDER_FEES_TYPE'),
      requiredCode('value', Object.values(feeTypeText[messageKind])),
    ),
  ),
  group('SETTLEMENT_TERMS', settlement),
]
const buyerPaymentTags = paymentTagRules({ codes: buyerCodes, required: buyerCodes })
const lenderPaymentTags = paymentTagRules(
  { codes: [...lenderCodes, 'DELAY_INTEREST'], required: lenderCodes },
  'catalogue',
)
const agreedPaymentTags = paymentTagRules({
  codes: [...lenderCodes, 'DELAY_INTEREST', 'SETTLEMENT_AMOUNT'],
  required: lenderCodes,
})
const buyerOrderPaymentTags = paymentTagRules({
  codes: [...buyerCodes, 'SETTLEMENT_AMOUNT', 'SETTLEMENT_TYPE'],
  required: buyerCodes,
})

export const lender: MessageRule[] = [
  present('id', 'descriptor.name'),
  group('CONTACT_INFO', { codes: contactCodes }),
  group('LSP_INFO', { codes: lspCodes }),
]
const loanInfo = group('LOAN_INFO', { codes: loanInfoCodes })
const consentInfo = each(
  'tags[*]',
  when(
    is('descriptor.code', 'CONSENT_INFO'),
    present('list[*].value'),
    requiredCode('list[*].descriptor.code', ['CONSENT_HANDLER']),
  ),
)
const quote = present('id', 'price.value', 'price.currency', 'breakup[*].title', 'breakup[*].price.value')
/** The heading is known, regardless of case and separators (FIS12 §19.1). */
const knownHeading: MessageRule = ({ path, value }) =>
  isOneOf(headings, headingFrom(String(value)))
    ? []
    : [{ path, message: `is ${value}, must be one of ${headings.join(', ')}` }]
const headRules: MessageRule[] = [
  present('head.descriptor.name', 'head.index.min', 'head.index.cur', 'head.index.max', 'head.headings'),
  each('head', each('headings[*]', knownHeading)),
]
/** The objects in a list. Accepts any value, because the rules check messages of any shape. */
export const objectsIn = (list: unknown): Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter(isObject) : []
const hasPrice = has('price')
const isGold = is('descriptor.code', 'LOAN')
const isOnOrder = is('type', 'ON_ORDER')
const hasOnOrder: MessageRule = ({ path, value }) =>
  objectsIn(valueAt(value, 'payments')).some(isOnOrder)
    ? []
    : [{ path: `${path}.payments`, message: 'must have the ON_ORDER payment' }]

/** Whether the lender reports progress by stops: then one page comes after the offer, or after the branch (FIS12 §26). */
const hasStops: Condition = ({ fulfillments }) =>
  objectsIn(fulfillments).some((fulfillment) => stopsOf(fulfillment).length > 0)
const isDedupe: Condition = ({ fulfillments }) => objectsIn(fulfillments).some(is('type', dedupeType))

const bothTerms: MessageRule[] = [
  group('BAP_TERMS', { codes: termsCodes, required: termsCodes }),
  group('BPP_TERMS', { codes: termsCodes, required: termsCodes }),
]

const rules: Record<Action, MessageRule[]> = {
  search: [
    requiredCode('intent.category.descriptor.code', products),
    each(
      'intent',
      when(
        is('category.descriptor.code', 'PERSONAL_LOAN'),
        requiredCode('payment.collected_by', ['BAP', 'BPP']),
        each('payment', ...buyerPaymentTags),
      ),
    ),
  ],
  on_search: [
    present('catalog.descriptor.name'),
    each(
      'catalog.providers[*]',
      ...lender,
      present('descriptor.images[*].url', 'descriptor.images[*].size_type', 'items', 'payments'),
      present('categories[*].id', 'categories[*].descriptor.name', 'categories[*].descriptor.code'),
      each(
        'items[*]',
        present('id', 'descriptor.name', 'category_ids[*]'),
        when(
          not(is('descriptor.code', 'PRE_QUALIFIER')),
          present('xinput.required', 'xinput.form.url', 'xinput.head.headings'),
          group('GENERAL_INFO', { codes: rangeCodes }),
        ),
        each('xinput.head.headings[*]', knownHeading),
      ),
      each('payments[*]', present('collected_by')),
      when(not(hasStops), each('payments[*]', ...lenderPaymentTags)),
    ),
  ],
  select: [
    present('order.provider.id', 'order.items[*].id'),
    each(
      'order.items[*]',
      when(
        is('descriptor.code', 'PERSONAL_LOAN'),
        present('xinput.head.index.min', 'xinput.head.index.cur', 'xinput.head.index.max'),
      ),
    ),
  ],
  on_select: [
    each('order', when(not(isDedupe), each('provider', ...lender))),
    each('order.items[*]', present('id', 'descriptor.name'), requiredCode('descriptor.code', itemCodes), consentInfo),
    each(
      'order.items[*]',
      when(
        hasPrice,
        requiredCode('price.currency', ['INR']),
        present('price.value'),
        loanInfo,
        each('xinput', ...headRules),
        when(isGold, group('LOAN_INFO', { codes: loanInfoCodes, required: ['LTV_RATIO'] })),
      ),
    ),
    each(
      'order',
      when(
        not(hasStops),
        each('items[*]', when(hasPrice, present('xinput.required', 'xinput.form.id', 'xinput.form.url'))),
      ),
      when(isDedupe, requiredCode('fulfillments[*].state.descriptor.code', ['ACCEPTED', 'REJECTED'])),
      when(({ items }) => objectsIn(items).some(hasPrice), present('quote'), each('quote', quote, present('ttl'))),
    ),
    each('order.provider.locations[*]', present('gps', 'address')),
    each('order.fulfillments[*]', requiredCode('type', fulfillmentTypes)),
  ],
  init: [
    present('order.provider.id', 'order.items[*].id'),
    each('order.payments[*]', when(isOnOrder, ...buyerOrderPaymentTags)),
  ],
  on_init: [
    each('order.provider', ...lender),
    each('order.items[*]', present('id'), loanInfo, each('xinput', when(has('head'), ...headRules))),
    each('order', hasOnOrder),
    each('order.payments[*]', when(isOnOrder, present('collected_by'), ...agreedPaymentTags)),
    present('order.fulfillments[*].customer.person.name'),
    requiredCode('order.fulfillments[*].state.descriptor.code', fulfillmentStates),
  ],
  confirm: [
    present('order.provider.id', 'order.items[*].id'),
    each(
      'order',
      when(
        has('tags'),
        ...bothTerms,
        present('items[*].xinput.form.id', 'items[*].xinput.form_response.submission_id'),
        requiredCode('items[*].xinput.form_response.status', ['SUCCESS', 'COMPLETED', 'EXPIRED', 'OFFLINE_PENDING']),
      ),
    ),
    each(
      'order.payments[*]',
      when(
        isOnOrder,
        present('params.bank_code', 'params.bank_account_number', 'params.virtual_payment_address'),
        ...buyerOrderPaymentTags,
      ),
    ),
  ],
  on_confirm: [
    each('order.provider', ...lender),
    each('order.items[*]', present('id', 'price.value'), loanInfo),
    present('order.quote'),
    each('order.quote', quote),
    requiredCode('order.fulfillments[*].state.descriptor.code', ['SANCTIONED', 'DISBURSED', 'DISPATCHED']),
    requiredCode('order.payments[*].type', paymentTypes),
    requiredCode('order.payments[*].status', ['PAID', 'NOT-PAID']),
    present('order.documents[*].descriptor.code', 'order.documents[*].url'),
    requiredCode('order.documents[*].mime_type', ['application/pdf', 'text/html']),
    present('order.cancellation_terms'),
    each(
      'order.cancellation_terms[*]',
      when(
        not(has('external_ref')),
        requiredCode('fulfillment_state.descriptor.code', ['SANCTIONED', 'DISBURSED']),
        present('cancellation_fee.percentage'),
      ),
    ),
  ],
  status: [],
  on_status: [
    present('order.provider.id', 'order.items[*].id'),
    // REJECTED (a form) and EXPIRED (a missed visit) end the loan. The network's list lacks both (FIS12 §12.3, §19.3).
    each(
      'order.items[*].xinput',
      allowed('form_response.status', ['COMPLETED', 'OFFLINE_PENDING', 'APPROVED', 'SUCCESS', 'REJECTED', 'EXPIRED']),
    ),
    each('order.fulfillments[*]', allowed('state.descriptor.code', fulfillmentStates)),
    each('order.payments[*]', requiredCode('type', paymentTypes), requiredCode('status', paymentStatuses)),
    each('order.quote', requiredCode('breakup[*].title', quoteTitles)),
  ],
  update: [
    present('order.id', 'update_target'),
    when(is('update_target', 'fulfillment'), present('order.fulfillments[*].state.descriptor.code')),
    when(
      is('update_target', 'payments'),
      present('order.payments'),
      each('order.payments[*]', when(has('type'), present('time.label', 'params.amount'))),
    ),
  ],
  on_update: [
    present('order.id', 'order.provider.id', 'order.items[*].id'),
    each('order.items[*]', consentInfo),
    requiredCode('order.fulfillments[*].state.descriptor.code', fulfillmentStates),
    requiredCode('order.payments[*].type', paymentTypes),
    requiredCode('order.payments[*].status', paymentStatuses),
    each('order.quote', present('breakup[*].title', 'breakup[*].price.value', 'breakup[*].price.currency')),
  ],
  on_cancel: [present('order.id')],
}

const rootCodes = ({ categories }: Variant): string[] =>
  Object.values(categories).map(({ ancestors: [root], own }) => (root ?? own).descriptor.code)

/** Requires a parent of every category that is not a root in this version. */
const parentRule = (variant: Variant): MessageRule =>
  each(
    'catalog.providers[*].categories[*]',
    when(not(is('descriptor.code', ...rootCodes(variant))), present('parent_category_id')),
  )

const termsInIntent: MessageRule = each('intent', group('BAP_TERMS', { codes: termsCodes, required: termsCodes }))

export const outgoingFaultsIn = (variant: Variant) =>
  outgoingFaultsOf(
    'FIS12 §12.1',
    {
      ...rules,
      search: [...rules.search, ...(variant.hasTermsInIntent ? [termsInIntent] : [])],
      on_search: [...rules.on_search, parentRule(variant)],
    },
    oneSchemaEach(messageSchemas),
  )

/** Returns the faults of an outgoing `message` (FIS12 §12.1, strict schema of §3.3); empty if it may be sent. */
export const outgoingFaults = outgoingFaultsIn(variant203)
