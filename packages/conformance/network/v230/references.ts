// Which ids a message of 2.3.0 brings forth and which it needs (FIS12 §12.4.2).
import { holdsOrder } from '#conformance/network/invariants.ts'
import type { ValidMessage } from '#conformance/network/transcript.ts'
import { type Mention, mints, refers } from '#conformance/network/v203/references.ts'
import type { OrderCallback } from '#contract/network/sequence.ts'
import { disbursalLabel } from '#contract/network/v230/order.ts'
import type { messageSchemas } from '#contract/network/v230/receive.ts'
import type { BuyerMessage, Catalog, Item, Order, SearchMessage } from '#contract/network/v230/schema.ts'
import type { Static } from '#kit/http/schema.ts'

/** A message of 2.3.0 whose shape was found good. */
export type Sound = ValidMessage<typeof messageSchemas>

export function mentionsIn(message: Sound): Mention[] {
  if (message.action === 'search') return inSearch(message.message)
  if (message.action === 'on_search') return inCatalog(message.message.catalog)
  if (message.action === 'status') {
    const { order_id, ref_id } = message.message
    return [refers('order', order_id, 'order_id'), refers('reference', ref_id, 'ref_id')]
  }
  if (message.action === 'update') return [refers('order', message.message.order.id, 'order.id')]
  if (holdsOrder(message)) return inLenderOrder(message.action, message.message.order)
  return inBuyerOrder(message.message.order)
}

const each = <T>(list: T[] | undefined, path: string, find: (one: T, path: string) => Mention[]): Mention[] =>
  (list ?? []).flatMap((one, i) => find(one, `${path}[${i}]`))

/** What an item of any message refers to beside itself. */
const around = (item: Item, path: string): Mention[] => [
  refers('item', item.parent_item_id, `${path}.parent_item_id`),
  ...each(item.category_ids, `${path}.category_ids`, (id, at) => [refers('category', id.trim(), at)]),
  ...each(item.fulfillment_ids, `${path}.fulfillment_ids`, (id, at) => [refers('fulfillment', id, at)]),
]

const inSearch = ({ intent: { provider } }: Static<typeof SearchMessage>): Mention[] => [
  refers('provider', provider?.id, 'intent.provider.id'),
  ...each(provider?.items, 'intent.provider.items', ({ id, xinput }, at) => [
    refers('item', id, `${at}.id`),
    refers('form', xinput?.form?.id, `${at}.xinput.form.id`),
    mints('submission', xinput?.form_response?.submission_id, `${at}.xinput.form_response.submission_id`),
  ]),
]

const inCatalog = ({ providers }: Catalog): Mention[] =>
  each(providers, 'catalog.providers', (provider, at) => [
    mints('provider', provider.id, `${at}.id`),
    ...each(provider.categories, `${at}.categories`, ({ id, parent_category_id: parent }, here) => [
      mints('category', id.trim(), `${here}.id`),
      refers('category', parent?.trim(), `${here}.parent_category_id`),
    ]),
    ...each(provider.fulfillments, `${at}.fulfillments`, ({ id }, here) => [mints('fulfillment', id, `${here}.id`)]),
    ...each(provider.payments, `${at}.payments`, ({ id }, here) => [mints('payment', id, `${here}.id`)]),
    ...each(provider.items, `${at}.items`, (item, here) => [
      mints('item', item.id, `${here}.id`),
      mints('form', item.xinput?.form?.id, `${here}.xinput.form.id`),
      ...around(item, here),
    ]),
  ])

const inBuyerOrder = ({ provider, items, fulfillments, payments }: Static<typeof BuyerMessage>['order']): Mention[] => [
  refers('provider', provider.id, 'order.provider.id'),
  ...each(items, 'order.items', (item, at) => [
    refers('item', item.id, `${at}.id`),
    refers('form', item.xinput?.form?.id, `${at}.xinput.form.id`),
    // Every page of an order is the lender's: so is the submission that answers it.
    refers('submission', item.xinput?.form_response?.submission_id, `${at}.xinput.form_response.submission_id`),
    ...around(item, at),
  ]),
  ...each(fulfillments, 'order.fulfillments', ({ id }, at) => [refers('fulfillment', id, `${at}.id`)]),
  ...each(payments, 'order.payments', ({ id }, at) => [refers('payment', id, `${at}.id`)]),
]

function inLenderOrder(
  action: OrderCallback,
  { id, provider, items, fulfillments, quote, payments }: Order,
): Mention[] {
  return [
    (action === 'on_confirm' ? mints : refers)('order', id, 'order.id'),
    refers('provider', provider.id, 'order.provider.id'),
    ...each(items, 'order.items', (item, at) => [
      refers('item', item.id, `${at}.id`),
      (item.xinput?.form?.url ? mints : refers)('form', item.xinput?.form?.id, `${at}.xinput.form.id`),
      mints('submission', item.xinput?.form_response?.submission_id, `${at}.xinput.form_response`),
      ...around(item, at),
    ]),
    ...each(fulfillments, 'order.fulfillments', ({ id }, at) => [refers('fulfillment', id, `${at}.id`)]),
    (action === 'on_select' ? mints : refers)('quote', quote?.id, 'order.quote.id'),
    // The disbursal has its place in the catalogue, the schedule begins with on_init, later payments come in on_update.
    ...each(payments, 'order.payments', ({ id, time }, at) => [
      (time?.label === disbursalLabel || action === 'on_status' ? refers : mints)('payment', id, `${at}.id`),
    ]),
  ]
}
