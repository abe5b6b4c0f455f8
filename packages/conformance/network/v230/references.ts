// The ids that a message of 2.3.0 issues or refers to (FIS12 §12.4.2).

import type { Static } from '@lendloom/foundation/schema'
import type { OrderCallback } from '@lendloom/wire/network/sequence'
import { stopsOf } from '@lendloom/wire/network/v203/stops'
import { disbursalLabel } from '@lendloom/wire/network/v230/payments'
import type {
  BuyerMessage,
  Catalog,
  Item,
  messageSchemas,
  Order,
  SearchMessage,
} from '@lendloom/wire/network/v230/schema'
import { holdsOrder } from '#conformance/network/invariants.ts'
import type { ValidMessage } from '#conformance/network/transcript.ts'
import { issueOf, type Mention, referenceTo } from '#conformance/network/v203/references.ts'

export type ValidMessage230 = ValidMessage<typeof messageSchemas>

export function mentionsIn(message: ValidMessage230): Mention[] {
  if (message.action === 'search') return inSearch(message.message)
  if (message.action === 'on_search') return inCatalog(message.message.catalog)
  if (message.action === 'status') {
    const { order_id, ref_id } = message.message
    return [referenceTo('order', order_id, 'order_id'), referenceTo('reference', ref_id, 'ref_id')]
  }
  if (message.action === 'update') return [referenceTo('order', message.message.order.id, 'order.id')]
  if (holdsOrder(message)) return inLenderOrder(message.action, message.message.order)
  return inBuyerOrder(message.message.order)
}

const inEach = <T>(list: T[] | undefined, path: string, find: (element: T, path: string) => Mention[]): Mention[] =>
  (list ?? []).flatMap((element, i) => find(element, `${path}[${i}]`))

const itemReferences = (item: Item, path: string): Mention[] => [
  referenceTo('item', item.parent_item_id, `${path}.parent_item_id`),
  ...inEach(item.category_ids, `${path}.category_ids`, (id, at) => [referenceTo('category', id.trim(), at)]),
  ...inEach(item.fulfillment_ids, `${path}.fulfillment_ids`, (id, at) => [referenceTo('fulfillment', id, at)]),
]

const inSearch = ({ intent: { provider } }: Static<typeof SearchMessage>): Mention[] => [
  referenceTo('provider', provider?.id, 'intent.provider.id'),
  ...inEach(provider?.items, 'intent.provider.items', ({ id, xinput }, at) => [
    referenceTo('item', id, `${at}.id`),
    referenceTo('form', xinput?.form?.id, `${at}.xinput.form.id`),
    issueOf('submission', xinput?.form_response?.submission_id, `${at}.xinput.form_response.submission_id`),
  ]),
]

const inCatalog = ({ providers }: Catalog): Mention[] =>
  inEach(providers, 'catalog.providers', (provider, at) => [
    issueOf('provider', provider.id, `${at}.id`),
    ...inEach(provider.categories, `${at}.categories`, ({ id, parent_category_id: parent }, here) => [
      issueOf('category', id.trim(), `${here}.id`),
      referenceTo('category', parent?.trim(), `${here}.parent_category_id`),
    ]),
    ...inEach(provider.fulfillments, `${at}.fulfillments`, ({ id }, here) => [
      issueOf('fulfillment', id, `${here}.id`),
    ]),
    ...inEach(provider.payments, `${at}.payments`, ({ id }, here) => [issueOf('payment', id, `${here}.id`)]),
    ...inEach(provider.items, `${at}.items`, (item, here) => [
      issueOf('item', item.id, `${here}.id`),
      issueOf('form', item.xinput?.form?.id, `${here}.xinput.form.id`),
      ...itemReferences(item, here),
    ]),
  ])

const inBuyerOrder = ({ provider, items, fulfillments, payments }: Static<typeof BuyerMessage>['order']): Mention[] => [
  referenceTo('provider', provider.id, 'order.provider.id'),
  ...inEach(items, 'order.items', (item, at) => [
    referenceTo('item', item.id, `${at}.id`),
    referenceTo('form', item.xinput?.form?.id, `${at}.xinput.form.id`),
    // All pages of an order are the lender's, which therefore issues their submissions.
    referenceTo('submission', item.xinput?.form_response?.submission_id, `${at}.xinput.form_response.submission_id`),
    ...itemReferences(item, at),
  ]),
  ...inEach(fulfillments, 'order.fulfillments', ({ id }, at) => [referenceTo('fulfillment', id, `${at}.id`)]),
  ...inEach(payments, 'order.payments', ({ id }, at) => [referenceTo('payment', id, `${at}.id`)]),
]

function inLenderOrder(
  action: OrderCallback,
  { id, provider, items, fulfillments, quote, payments }: Order,
): Mention[] {
  // A lender with stops announces no payment in its catalogue (FIS12 §27.3).
  const hasStops = fulfillments?.some((each) => stopsOf(each).length > 0) ?? false
  return [
    (action === 'on_confirm' ? issueOf : referenceTo)('order', id, 'order.id'),
    referenceTo('provider', provider.id, 'order.provider.id'),
    ...inEach(items, 'order.items', (item, at) => [
      referenceTo('item', item.id, `${at}.id`),
      (item.xinput?.form?.url ? issueOf : referenceTo)('form', item.xinput?.form?.id, `${at}.xinput.form.id`),
      issueOf('submission', item.xinput?.form_response?.submission_id, `${at}.xinput.form_response`),
      ...itemReferences(item, at),
    ]),
    ...inEach(fulfillments, 'order.fulfillments', ({ id }, at) => [referenceTo('fulfillment', id, `${at}.id`)]),
    (action === 'on_select' ? issueOf : referenceTo)('quote', quote?.id, 'order.quote.id'),
    // The catalogue issues the disbursal, on_init the schedule, and on_update later payments.
    ...inEach(payments, 'order.payments', ({ id, time }, at) => [
      ((time?.label === disbursalLabel && !hasStops) || action === 'on_status' ? referenceTo : issueOf)(
        'payment',
        id,
        `${at}.id`,
      ),
    ]),
  ]
}
