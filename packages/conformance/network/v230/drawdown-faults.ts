// What must hold over the conversation of a drawdown: its ids, its sums, and what the borrower has agreed to (FIS12 §27.5).

import { faultsOf } from '@lendloom/foundation/refusal'
import { moneyOf } from '@lendloom/lending/money'
import type { Fault } from '@lendloom/wire/network/context'
import type { OrderCallback } from '@lendloom/wire/network/sequence'
import { tagsOf } from '@lendloom/wire/network/tags'
import { type DrawdownTerms, isDrawdown, readDrawdown } from '@lendloom/wire/network/v230/drawdown'
import { lineIn, quoteIn203 } from '@lendloom/wire/network/v230/offer-terms'
import { type DrawdownRequest, isDrawdownRequest, type Order } from '@lendloom/wire/network/v230/schema'
import { holdsOrder } from '#conformance/network/invariants.ts'
import { issueOf, type Mention, referenceFaultsBy, referenceTo } from '#conformance/network/v203/references.ts'
import { readLine } from './line-faults.ts'
import type { ValidMessage230 } from './references.ts'

const section = 'FIS12 §27.5'

/** Whether the conversation is of a drawdown: the buyer has asked for one, in a transaction of its own. */
export const isOfDrawdown = (messages: readonly ValidMessage230[]): boolean =>
  messages.some(({ action, message }) => action === 'init' && isDrawdownRequest(message))

/** Checks the well-formed messages of one drawdown. */
export const drawdownFaults = (messages: readonly ValidMessage230[]): Fault[] => [
  ...referenceFaultsBy(mentionsIn, messages),
  ...agreementFaults(messages),
  ...messages.flatMap((each) => (holdsOrder(each) && !isDrawdown(each.message.order) ? lineFaults(each) : [])),
]

type OrderMessage = Extract<ValidMessage230, { action: OrderCallback }>

/** The line's ids stem from another conversation. The buyer's `init` issues those of the provider and of the line. */
function mentionsIn(message: ValidMessage230): Mention[] {
  if (message.action === 'status') {
    const { order_id: orderId, ref_id: refId } = message.message
    return [referenceTo('order', orderId, 'order_id'), referenceTo('reference', refId, 'ref_id')]
  }
  if (holdsOrder(message)) {
    const { order } = message.message
    return isDrawdown(order) ? inOrder(message.action, order) : [referenceTo('order', order.id, 'order.id')]
  }
  const request: unknown = message.message
  return isDrawdownRequest(request) ? inRequest(request) : []
}

function inRequest({ order }: DrawdownRequest): Mention[] {
  if (!('items' in order))
    return [
      issueOf('provider', order.provider.id, 'order.provider.id'),
      issueOf('order', order.ref_order_ids[0], 'order.ref_order_ids[0]'),
    ]
  return [
    referenceTo('provider', order.provider.id, 'order.provider.id'),
    referenceTo('order', order.ref_order_ids[0], 'order.ref_order_ids[0]'),
    ...order.items.map(({ id }, i) => referenceTo('item', id, `order.items[${i}].id`)),
    ...order.fulfillments.map(({ id }, i) => referenceTo('fulfillment', id, `order.fulfillments[${i}].id`)),
  ]
}

function inOrder(action: OrderCallback, order: Order): Mention[] {
  const { id, provider, ref_order_ids: lines = [], items, fulfillments = [], quote, payments = [] } = order
  // The terms issue the ids that the order repeats.
  const ofTerms = action === 'on_init' ? issueOf : referenceTo
  return [
    (action === 'on_confirm' ? issueOf : referenceTo)('order', id, 'order.id'),
    referenceTo('provider', provider.id, 'order.provider.id'),
    ...lines.map((line, i) => referenceTo('order', line, `order.ref_order_ids[${i}]`)),
    ...items.map((item, i) => ofTerms('item', item.id, `order.items[${i}].id`)),
    ...fulfillments.map((fulfillment, i) => ofTerms('fulfillment', fulfillment.id, `order.fulfillments[${i}].id`)),
    ofTerms('quote', quote?.id, 'order.quote.id'),
    ...payments.map((payment, i) => ofTerms('payment', payment.id, `order.payments[${i}].id`)),
  ]
}

/** The sums of each order, the amount that was asked for, and the terms to which the borrower has agreed. */
function agreementFaults(messages: readonly ValidMessage230[]): Fault[] {
  const faults: Fault[] = []
  let asked: bigint | null = null
  let terms: DrawdownTerms | null = null
  let isAgreed = false
  for (const received of messages) {
    const { path, action } = received
    const request: unknown = received.message
    const say = (where: string, text: string) =>
      faults.push({ path: `${path}.message.${where}`, message: text, section: `${section} ${action}` })
    if (action === 'init' && isDrawdownRequest(request) && 'payments' in request.order) {
      asked = moneyOf(request.order.payments[0].params?.amount ?? '')
      if (isAgreed) say('order', 'asks for other terms after the agreement')
    }
    if (action === 'confirm') isAgreed = true
    if (!holdsOrder(received) || !isDrawdown(received.message.order)) continue
    const { order } = received.message
    const unreadable = faultsOf(() => readDrawdown(order))
    for (const fault of unreadable) say(fault.path.replace(/^message\./, ''), fault.message)
    if (unreadable.length > 0) continue
    const read = readDrawdown(order)
    for (const fault of read.faults) say(fault.path.replace(/^message\./, ''), fault.message)
    if (read.terms && asked !== null && action === 'on_init' && read.terms.principal !== asked)
      say('order.quote', 'has another principal than the amount that was asked for')
    if (isAgreed && terms && read.terms && !isSameSum(terms, read.terms))
      say('order.quote', 'changes the terms to which the borrower has agreed')
    if (!isAgreed && read.payout?.paid) say('order.payments', 'is paid out before the borrower has agreed')
    if (!isAgreed) terms = read.terms ?? terms
  }
  return faults
}

const isSameSum = (agreed: DrawdownTerms, now: DrawdownTerms): boolean =>
  (['principal', 'interest', 'charges', 'total'] as const).every((part) => agreed[part] === now[part])

/** The line's order tells one drawn amount, which is within the limit. */
function lineFaults({ path, action, message: { order } }: OrderMessage): Fault[] {
  const { quote, tags } = order
  const say = (where: string, message: string): Fault => ({
    path: `${path}.message.order.${where}`,
    message,
    section: `${section} ${action}`,
  })
  const line = quote ? readLine(() => lineIn(quoteIn203(quote), 'quote')) : null
  if (line === null) return [say('quote', 'must state the limit of the line and what is drawn')]
  const { limit, utilization } = line
  const { UTILISED_AMOUNT: utilised, AVAILABLE_LIMIT: available } = tagsOf(tags, 'ACCOUNT_SUMMARY') ?? {}
  return [
    ...(utilization > limit ? [say('quote', 'has more drawn than the limit')] : []),
    ...(utilised !== undefined && moneyOf(utilised) !== utilization
      ? [say('tags', `says UTILISED_AMOUNT ${utilised}, and the quote another CURRENT_UTILIZATION`)]
      : []),
    ...(available !== undefined && moneyOf(available) !== limit - utilization
      ? [say('tags', `says AVAILABLE_LIMIT ${available}, which is not what is left of the limit`)]
      : []),
  ]
}
