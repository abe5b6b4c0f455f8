// Every id in a message must have been issued by an earlier message or by the message itself (FIS12 §12.4.2).

import type { Static } from '@lendloom/foundation/schema'
import type { Fault } from '@lendloom/wire/network/context'
import type { OrderCallback } from '@lendloom/wire/network/sequence'
import type {
  BuyerMessage,
  messageSchemas,
  OnSearchMessage,
  Order,
  StatusMessage,
  UpdateMessage,
} from '@lendloom/wire/network/v203/schema'
import { holdsOrder } from '#conformance/network/invariants.ts'
import type { TranscriptMessage, ValidMessage } from '#conformance/network/transcript.ts'

export type ValidMessage203 = ValidMessage<typeof messageSchemas>

/** The issued ids of a conversation by kind; `reference` has all ids that a status request may use. */
const noIssuedIds = () => ({
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
type Kind = keyof ReturnType<typeof noIssuedIds>

export interface Mention {
  kind: Kind
  /** Undefined if the message lacks this optional id. */
  id: string | undefined
  path: string
  /** Whether the message issues the id; otherwise an earlier message must have issued it. */
  isIssue: boolean
}

/** The faults of one conversation, of which `messages` has only those that passed schema validation. */
export const referenceFaults = (messages: readonly ValidMessage203[]): Fault[] =>
  referenceFaultsBy(mentionsIn, messages)

/** As above for any dialect, whose `mentions` lists the ids that a message issues or refers to. */
export function referenceFaultsBy<Message extends TranscriptMessage>(
  mentions: (message: Message) => Mention[],
  messages: readonly Message[],
): Fault[] {
  const issued = noIssuedIds()
  const faults: Fault[] = []
  for (const message of messages) {
    const { transaction_id: transactionId } = message.context
    issued.order.add(transactionId)
    issued.reference.add(transactionId)
    const found = mentions(message).flatMap(({ id, ...mention }) => (id ? [{ id, ...mention }] : []))
    for (const { kind, id } of found.filter(({ isIssue }) => isIssue)) {
      issued[kind].add(id)
      if (kind === 'order' || kind === 'submission') issued.reference.add(id)
    }
    for (const { kind, id, path: where } of found.filter(({ isIssue }) => !isIssue))
      if (!issued[kind].has(id))
        faults.push({
          path: `${message.path}.message.${where}`,
          message: `names a ${kind} ${id} that was never issued`,
          section: 'FIS12 §12.4.2',
        })
  }
  return faults
}

function mentionsIn(message: ValidMessage203): Mention[] {
  if (message.action === 'search') return []
  if (message.action === 'on_search') return inCatalog(message.message)
  if (message.action === 'status') return inStatus(message.message)
  if (message.action === 'update') return inUpdate(message.message)
  if (holdsOrder(message)) return inLenderOrder(message.action, message.message.order)
  return inBuyerOrder(message.message.order)
}

export const issueOf = (kind: Kind, id: string | undefined, path: string): Mention => ({
  kind,
  id,
  path,
  isIssue: true,
})
export const referenceTo = (kind: Kind, id: string | undefined, path: string): Mention => ({
  kind,
  id,
  path,
  isIssue: false,
})

const inCatalog = ({ catalog }: Static<typeof OnSearchMessage>): Mention[] =>
  catalog.providers.flatMap((provider, p) => {
    const at = `catalog.providers[${p}]`
    return [
      issueOf('provider', provider.id, `${at}.id`),
      ...(provider.categories ?? []).map(({ id }, c) => issueOf('category', id, `${at}.categories[${c}].id`)),
      ...(provider.categories ?? []).map(({ parent_category_id: id }, c) =>
        referenceTo('category', id, `${at}.categories[${c}].parent_category_id`),
      ),
      ...provider.items.flatMap((item, i) => [
        issueOf('item', item.id, `${at}.items[${i}].id`),
        issueOf('form', item.xinput?.form?.id, `${at}.items[${i}].xinput.form.id`),
        ...(item.category_ids ?? []).map((id, c) =>
          referenceTo('category', id, `${at}.items[${i}].category_ids[${c}]`),
        ),
      ]),
    ]
  })

const inBuyerOrder = ({ provider, items, payments = [] }: Static<typeof BuyerMessage>['order']): Mention[] => [
  referenceTo('provider', provider.id, 'order.provider.id'),
  ...items.flatMap((item, i) => [
    referenceTo('item', item.id, `order.items[${i}].id`),
    referenceTo('form', item.xinput?.form?.id, `order.items[${i}].xinput.form.id`),
    // The buyer's own form returned this submission id only to the buyer, so the buyer's message issues it.
    issueOf('submission', item.xinput?.form_response?.submission_id, `order.items[${i}].xinput.form_response`),
    ...(item.location_ids ?? []).map((id, l) => referenceTo('location', id, `order.items[${i}].location_ids[${l}]`)),
  ]),
  ...payments.map(({ id }, p) => referenceTo('payment', id, `order.payments[${p}].id`)),
]

function inLenderOrder(action: OrderCallback, order: Order): Mention[] {
  const { id, provider, items, quote, payments = [] } = order
  const quoteMention = action === 'on_select' ? issueOf : referenceTo
  const orderMention = action === 'on_confirm' ? issueOf : referenceTo
  return [
    orderMention('order', id, 'order.id'),
    referenceTo('provider', provider.id, 'order.provider.id'),
    ...(provider.locations ?? []).map((place, l) => issueOf('location', place.id, `order.provider.locations[${l}].id`)),
    ...items.flatMap((item, i) => {
      const { form, form_response: response } = item.xinput ?? {}
      const submissionMention = action === 'on_status' ? issueOf : referenceTo
      return [
        referenceTo('item', item.id, `order.items[${i}].id`),
        (form?.url ? issueOf : referenceTo)('form', form?.id, `order.items[${i}].xinput.form.id`),
        submissionMention(
          'submission',
          response?.submission_id,
          `order.items[${i}].xinput.form_response.submission_id`,
        ),
        ...(item.category_ids ?? []).map((category, c) =>
          referenceTo('category', category, `order.items[${i}].category_ids[${c}]`),
        ),
        ...(item.location_ids ?? []).map((place, l) =>
          referenceTo('location', place, `order.items[${i}].location_ids[${l}]`),
        ),
      ]
    }),
    quoteMention('quote', quote?.id, 'order.quote.id'),
    ...payments.map(({ id, type }, p) => {
      // on_init issues the settlement, on_init or on_confirm the schedule, on_update later payments; on_update may also
      // change all ids (FIS12 §18.1).
      const isNew = action === 'on_update' || (type === 'ON_ORDER' ? action === 'on_init' : action !== 'on_status')
      return (isNew ? issueOf : referenceTo)('payment', id, `order.payments[${p}].id`)
    }),
  ]
}

const inStatus = ({ order_id: orderId, ref_id: refId }: Static<typeof StatusMessage>): Mention[] => [
  referenceTo('order', orderId, 'order_id'),
  // Before an order exists, the transaction or a submitted form is its reference (FIS12 §11.2, §18.4).
  referenceTo('reference', refId, 'ref_id'),
]

const inUpdate = ({ order }: Static<typeof UpdateMessage>): Mention[] => [referenceTo('order', order.id, 'order.id')]
