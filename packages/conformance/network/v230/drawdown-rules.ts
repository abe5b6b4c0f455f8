// The required content of each message of a drawdown from a credit line (FIS12 §27.5).

import { outgoingFaultsOf } from '@lendloom/wire/network/message-validators'
import {
  allowed,
  each,
  eachGroup,
  group,
  is,
  type MessageRule,
  present,
  requiredCode,
  when,
} from '@lendloom/wire/network/rule-combinators'
import type { Action } from '@lendloom/wire/network/sequence'
import { paymentStatuses } from '@lendloom/wire/network/v203/payments'
import { orderStatuses } from '@lendloom/wire/network/v203/write-order'
import { categoryIds } from '@lendloom/wire/network/v230/categories'
import { drawdownStopStates } from '@lendloom/wire/network/v230/drawdown'
import { quoteTitles } from '@lendloom/wire/network/v230/offer-terms'
import { schemaOf } from '@lendloom/wire/network/v230/schema'
import { lineInfoCodes, someValueIs } from './product-rules.ts'

const label = 'DRAWDOWN'
const stopTypes = ['DRAWDOWN_APPROVAL', 'CONSENT_REQUIRED']
const line = present('order.provider.id', 'order.ref_order_ids[*]')

const stops: MessageRule[] = [
  present('stops[*].id', 'stops[*].instructions.name'),
  requiredCode('stops[*].type', stopTypes),
  requiredCode('stops[*].instructions.code', drawdownStopStates),
]
const item: MessageRule[] = [
  present('id', 'parent_item_id', 'descriptor.name', 'category_ids[*]', 'fulfillment_ids[*]', 'price.value'),
  requiredCode('descriptor.code', ['LOAN']),
  allowed('category_ids[*]', categoryIds),
  requiredCode('price.currency', ['INR']),
  group('LOAN_INFO', { codes: [...lineInfoCodes, 'LTV_PERCENT'], required: ['INTEREST_RATE'] }),
]
const fulfillment: MessageRule[] = [
  present('id'),
  requiredCode('type', [label]),
  ...stops,
  ...stopTypes.map((type) => someValueIs('stops[*].type', type)),
  requiredCode('state.descriptor.code', ['INITIATED', 'DISBURSED']),
]
const quote: MessageRule[] = [
  present('id', 'price.value', 'ttl', 'breakup[*].price.value'),
  requiredCode('price.currency', ['INR']),
  requiredCode('breakup[*].title', quoteTitles),
  requiredCode('breakup[*].price.currency', ['INR']),
  someValueIs('breakup[*].title', 'PRINCIPAL_AMOUNT'),
  someValueIs('breakup[*].title', 'INTEREST_AMOUNT'),
]
const payout: MessageRule[] = [
  present('id', 'params.amount'),
  requiredCode('type', ['ON_FULFILLMENT']),
  requiredCode('collected_by', ['CONSUMER']),
  requiredCode('status', paymentStatuses),
  requiredCode('time.label', [label]),
  requiredCode('params.currency', ['INR']),
  when(is('status', 'PAID'), present('params.transaction_id')),
  eachGroup('ACCOUNT_DETAILS', { codes: ['ACCOUNT_TYPE', 'ACCOUNT_HOLDER_NAME', 'BANK_NAME'] }),
]

const order: MessageRule[] = [
  line,
  present('order.provider.descriptor.name', 'order.fulfillments', 'order.quote', 'order.payments'),
  each('order.items[*]', ...item),
  each('order.fulfillments[*]', ...fulfillment),
  each('order.quote', ...quote),
  each('order.payments[*]', ...payout),
]
const placed: MessageRule[] = [
  ...order,
  present('order.id', 'order.created_at', 'order.updated_at'),
  requiredCode('order.status', orderStatuses),
]
/** A drawdown ends with its payout. */
const completed = each(
  'order',
  when(
    is('status', 'COMPLETED'),
    requiredCode('fulfillments[*].state.descriptor.code', ['DISBURSED']),
    requiredCode('payments[*].status', ['PAID']),
  ),
)

const rules: Record<Action, MessageRule[]> = {
  search: [],
  on_search: [],
  select: [],
  on_select: [],
  init: [
    line,
    each(
      'order.payments[*]',
      present('params.amount'),
      requiredCode('params.currency', ['INR']),
      requiredCode('time.label', [label]),
    ),
  ],
  on_init: [...order, requiredCode('order.fulfillments[*].state.descriptor.code', ['INITIATED'])],
  confirm: [
    line,
    present('order.items[*].id', 'order.items[*].parent_item_id'),
    each(
      'order.fulfillments[*]',
      present('id', 'stops'),
      requiredCode('type', [label]),
      ...stops,
      requiredCode('stops[*].type', ['CONSENT_REQUIRED']),
      requiredCode('stops[*].instructions.code', ['APPROVED']),
    ),
  ],
  on_confirm: [
    ...placed,
    requiredCode('order.fulfillments[*].stops[*].instructions.code', ['APPROVED']),
    requiredCode('order.status', ['ACTIVE', 'COMPLETED']),
  ],
  status: [],
  on_status: [...order, completed],
  update: [],
  on_update: [...placed, completed],
  on_cancel: [present('order.id')],
}

/** The faults of an outgoing `message` of a drawdown, by these rules and the strict schema of §3.3. */
export const drawdownMessageFaults = outgoingFaultsOf('FIS12 §27.5', rules, schemaOf)
