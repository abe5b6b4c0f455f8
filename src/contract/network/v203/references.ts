// Whatever is referred to was issued before: providers, items, forms, submissions, payments, quotes, orders (FIS12 §12.4.2).
import type { Fault } from '#contract/network/fault.ts'
import { type Action, isCallback } from '#contract/network/sequence.ts'
import type { TranscriptMessage } from '#contract/network/transcript.ts'
import type { Static } from '#kit/http/schema.ts'
import type { BuyerMessage, OnSearchMessage, Order, StatusMessage, UpdateMessage } from './schema.ts'

/** The ids a conversation has brought forth so far, by their kind; a reference is any by which `status` may ask. */
const kinds = [
  'provider',
  'item',
  'category',
  'location',
  'fulfillment',
  'form',
  'submission',
  'payment',
  'quote',
  'order',
  'reference',
] as const
type Kind = (typeof kinds)[number]

export interface Mention {
  kind: Kind
  id: string | undefined
  path: string
  /** `mints` brings the id forth; `refers` needs it to be there. */
  does: 'mints' | 'refers'
}

/** Faults of one conversation. `heard` holds only messages whose shape was found good. */
export const referenceFaults = (messages: readonly TranscriptMessage[]): Fault[] =>
  referenceFaultsBy(mentionsIn, messages)

/** The same for any dialect: `mentions` tells which ids a message of it brings forth and needs. */
export function referenceFaultsBy(
  mentions: (action: Action, message: unknown) => Mention[],
  messages: readonly TranscriptMessage[],
): Fault[] {
  const issued = new Map<Kind, Set<string>>(kinds.map((kind) => [kind, new Set()]))
  const faults: Fault[] = []
  for (const { path, action, message, context } of messages) {
    issued.get('order')!.add(context.transaction_id)
    issued.get('reference')!.add(context.transaction_id)
    const found = mentions(action, message).filter(({ id }) => id)
    for (const { kind, id } of found.filter(({ does }) => does === 'mints')) {
      issued.get(kind)!.add(id!)
      if (kind === 'order' || kind === 'submission') issued.get('reference')!.add(id!)
    }
    for (const { kind, id, path: where } of found.filter(({ does }) => does === 'refers'))
      if (!issued.get(kind)!.has(id!))
        faults.push({
          path: `${path}.message.${where}`,
          message: `names a ${kind} ${id} that was never issued`,
          section: 'FIS12 §12.4.2',
        })
  }
  return faults
}

function mentionsIn(action: Action, message: unknown): Mention[] {
  if (action === 'search') return []
  if (action === 'on_search') return inCatalog(message as Static<typeof OnSearchMessage>)
  if (action === 'status') return inStatus(message as Static<typeof StatusMessage>)
  if (action === 'update') return inUpdate(message as Static<typeof UpdateMessage>)
  if (isCallback(action)) return inLenderOrder(action, (message as { order: Order }).order)
  return inBuyerOrder((message as Static<typeof BuyerMessage>).order)
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

function inLenderOrder(action: Action, order: Order): Mention[] {
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
      // The settlement is made in on_init, the schedule there or in on_confirm, later payments in on_update, which may name all
      // of them anew (FIS12 §18.1).
      const isNew = action === 'on_update' || (type === 'ON_ORDER' ? action === 'on_init' : action !== 'on_status')
      return (isNew ? mints : refers)('payment', id, `order.payments[${p}].id`)
    }),
  ]
}

const inStatus = ({ order_id: orderId, ref_id: refId }: Static<typeof StatusMessage>): Mention[] => [
  refers('order', orderId, 'order_id'),
  // Before there is an order, the transaction stands for it, or a form that was handed in (FIS12 §11.2, §18.4).
  refers('reference', refId, 'ref_id'),
]

const inUpdate = ({ order }: Static<typeof UpdateMessage>): Mention[] => [refers('order', order.id, 'order.id')]
