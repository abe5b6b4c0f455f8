// Every reference was issued before: providers, items, forms, submissions, payments, quotes, orders (FIS12 §12.4.2).

import { holdsOrder } from '#conformance/network/invariants.ts'
import type { TranscriptMessage, ValidMessage } from '#conformance/network/transcript.ts'
import type { Fault } from '#contract/network/context.ts'
import type { OrderCallback } from '#contract/network/sequence.ts'
import type { messageSchemas } from '#contract/network/v203/receive.ts'
import type {
  BuyerMessage,
  OnSearchMessage,
  Order,
  StatusMessage,
  UpdateMessage,
} from '#contract/network/v203/schema.ts'
import type { Static } from '#kit/http/schema.ts'

/** A message of 2.0.3 whose shape was found good. */
export type Sound = ValidMessage<typeof messageSchemas>

/** The ids a conversation has brought forth so far, by their kind; a reference is any by which `status` may ask. */
const noneIssued = () => ({
  provider: new Set<string>(),
  item: new Set<string>(),
  category: new Set<string>(),
  location: new Set<string>(),
  fulfillment: new Set<string>(),
  form: new Set<string>(),
  submission: new Set<string>(),
  payment: new Set<string>(),
  quote: new Set<string>(),
  order: new Set<string>(),
  reference: new Set<string>(),
})
type Kind = keyof ReturnType<typeof noneIssued>

export interface Mention {
  kind: Kind
  /** Nothing is referred to without an id. */
  id: string | undefined
  path: string
  /** `mints` brings the id forth; `refers` needs it to be there. */
  does: 'mints' | 'refers'
}

/** Faults of one conversation. `heard` has only messages with a valid shape. */
export const referenceFaults = (messages: readonly Sound[]): Fault[] => referenceFaultsBy(mentionsIn, messages)

/** The same for any dialect: `mentions` tells which ids a message of it brings forth and needs. */
export function referenceFaultsBy<Message extends TranscriptMessage>(
  mentions: (message: Message) => Mention[],
  messages: readonly Message[],
): Fault[] {
  const issued = noneIssued()
  const faults: Fault[] = []
  for (const message of messages) {
    const { transaction_id: transactionId } = message.context
    issued.order.add(transactionId)
    issued.reference.add(transactionId)
    const found = mentions(message).flatMap(({ id, ...mention }) => (id ? [{ id, ...mention }] : []))
    for (const { kind, id } of found.filter(({ does }) => does === 'mints')) {
      issued[kind].add(id)
      if (kind === 'order' || kind === 'submission') issued.reference.add(id)
    }
    for (const { kind, id, path: where } of found.filter(({ does }) => does === 'refers'))
      if (!issued[kind].has(id))
        faults.push({
          path: `${message.path}.message.${where}`,
          message: `names a ${kind} ${id} that was never issued`,
          section: 'FIS12 §12.4.2',
        })
  }
  return faults
}

function mentionsIn(message: Sound): Mention[] {
  if (message.action === 'search') return []
  if (message.action === 'on_search') return inCatalog(message.message)
  if (message.action === 'status') return inStatus(message.message)
  if (message.action === 'update') return inUpdate(message.message)
  if (holdsOrder(message)) return inLenderOrder(message.action, message.message.order)
  return inBuyerOrder(message.message.order)
}

export const mints = (kind: Kind, id: string | undefined, path: string): Mention => ({ kind, id, path, does: 'mints' })
export const refers = (kind: Kind, id: string | undefined, path: string): Mention => ({
  kind,
  id,
  path,
  does: 'refers',
})

const inCatalog = ({ catalog }: Static<typeof OnSearchMessage>): Mention[] =>
  catalog.providers.flatMap((provider, p) => {
    const at = `catalog.providers[${p}]`
    return [
      mints('provider', provider.id, `${at}.id`),
      ...(provider.categories ?? []).map(({ id }, c) => mints('category', id, `${at}.categories[${c}].id`)),
      ...(provider.categories ?? []).map(({ parent_category_id: id }, c) =>
        refers('category', id, `${at}.categories[${c}].parent_category_id`),
      ),
      ...provider.items.flatMap((item, i) => [
        mints('item', item.id, `${at}.items[${i}].id`),
        mints('form', item.xinput?.form?.id, `${at}.items[${i}].xinput.form.id`),
        ...(item.category_ids ?? []).map((id, c) => refers('category', id, `${at}.items[${i}].category_ids[${c}]`)),
      ]),
    ]
  })

const inBuyerOrder = ({ provider, items, payments = [] }: Static<typeof BuyerMessage>['order']): Mention[] => [
  refers('provider', provider.id, 'order.provider.id'),
  ...items.flatMap((item, i) => [
    refers('item', item.id, `order.items[${i}].id`),
    refers('form', item.xinput?.form?.id, `order.items[${i}].xinput.form.id`),
    // A form that we fill gives its submission to us alone: it enters the conversation here.
    mints('submission', item.xinput?.form_response?.submission_id, `order.items[${i}].xinput.form_response`),
    ...(item.location_ids ?? []).map((id, l) => refers('location', id, `order.items[${i}].location_ids[${l}]`)),
  ]),
  ...payments.map(({ id }, p) => refers('payment', id, `order.payments[${p}].id`)),
]

function inLenderOrder(action: OrderCallback, order: Order): Mention[] {
  const { id, provider, items, quote, payments = [] } = order
  const quoteMention = action === 'on_select' ? mints : refers
  const orderMention = action === 'on_confirm' ? mints : refers
  return [
    orderMention('order', id, 'order.id'),
    refers('provider', provider.id, 'order.provider.id'),
    ...(provider.locations ?? []).map((place, l) => mints('location', place.id, `order.provider.locations[${l}].id`)),
    ...items.flatMap((item, i) => {
      const { form, form_response: response } = item.xinput ?? {}
      const submissionMention = action === 'on_status' ? mints : refers
      return [
        refers('item', item.id, `order.items[${i}].id`),
        (form?.url ? mints : refers)('form', form?.id, `order.items[${i}].xinput.form.id`),
        submissionMention(
          'submission',
          response?.submission_id,
          `order.items[${i}].xinput.form_response.submission_id`,
        ),
        ...(item.category_ids ?? []).map((category, c) =>
          refers('category', category, `order.items[${i}].category_ids[${c}]`),
        ),
        ...(item.location_ids ?? []).map((place, l) =>
          refers('location', place, `order.items[${i}].location_ids[${l}]`),
        ),
      ]
    }),
    quoteMention('quote', quote?.id, 'order.quote.id'),
    ...payments.map(({ id, type }, p) => {
      // The settlement is created in on_init, the schedule there or in on_confirm, later payments in on_update, which
      // may rename all of them (FIS12 §18.1).
      const isNew = action === 'on_update' || (type === 'ON_ORDER' ? action === 'on_init' : action !== 'on_status')
      return (isNew ? mints : refers)('payment', id, `order.payments[${p}].id`)
    }),
  ]
}

const inStatus = ({ order_id: orderId, ref_id: refId }: Static<typeof StatusMessage>): Mention[] => [
  refers('order', orderId, 'order_id'),
  // Before an order exists, the transaction or a submitted form is its reference (FIS12 §11.2, §18.4).
  refers('reference', refId, 'ref_id'),
]

const inUpdate = ({ order }: Static<typeof UpdateMessage>): Mention[] => [refers('order', order.id, 'order.id')]
