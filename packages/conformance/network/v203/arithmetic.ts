// Money on the wire adds up: the quote, what is disbursed, the schedule, from the accepted offer on (FIS12 §12.4.3).

import type { TranscriptMessage } from '#conformance/network/transcript.ts'
import type { Fault } from '#contract/network/context.ts'
import { installmentsOf } from '#contract/network/v203/order.ts'
import type { Order } from '#contract/network/v203/schema.ts'
import { amountsOf, netDisbursedOf } from '#contract/network/v203/terms.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { moneyOf, type Paise, rupees } from '#kit/money/money.ts'

/** A lender's order with its place in the transcript. */
export type OrderMessage = TranscriptMessage & { order: Order }

const section = 'FIS12 §12.4.3'
type Amounts = Map<string, Paise>

/** `orders` are the lender's orders of one conversation, in wire order. */
export function arithmeticFaults(orders: readonly OrderMessage[]): Fault[] {
  const acceptedAt = orders.findLastIndex(({ action, order }) => action === 'on_select' && order.quote)
  const accepted = orders[acceptedAt]?.order.quote
  const confirmedAt = orders.findIndex(({ action }) => action === 'on_confirm')
  // The item keeps its price while the quote moves after disbursal, and a first quote may be above it (FIS12 §18.2).
  const isPriced = (i: number) => i >= acceptedAt && (confirmedAt < 0 || i <= confirmedAt)
  return orders.flatMap(({ path, order }, i) => {
    const { quote } = order
    if (!quote) return []
    const at = `${path}.message.order`
    try {
      const warnings: string[] = []
      const amounts = amountsOf(quote, `${at}.quote`, warnings)
      // The total may stay as at confirmation, whatever the servicing rows are (FIS12 §18.2).
      const found = [...(isServicing(quote) ? [] : warnings), ...netFaults(amounts)]
      if (isPriced(i)) found.push(...priceFaults(quote.price.value, order.items))
      if (!isServicing(quote)) found.push(...scheduleFaults(order, amounts, `${at}.payments`))
      if (!isServicing(quote) && accepted && i > acceptedAt)
        found.push(...changes(amounts, amountsOf(accepted, at, [])))
      return found.map((message) => ({ path: `${at}.quote`, message, section }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return [{ path: error.details.field ?? at, message: error.message, section }]
    }
  })
}

/** After disbursal a quote splits what is repaid from what is owed, and charges are added (FIS12 §7.4). */
const isServicing = (quote: NonNullable<Order['quote']>): boolean =>
  quote.breakup.some(({ title }) => title.startsWith('OUTSTANDING_'))

function netFaults(amounts: Amounts): string[] {
  const of = (title: string) => amounts.get(title) ?? 0n
  const stated = amounts.get('NET_DISBURSED_AMOUNT')
  const computed = netDisbursedOf({
    principal: of('PRINCIPAL') + of('OUTSTANDING_PRINCIPAL'),
    processingFee: of('PROCESSING_FEE'),
    otherUpfront: of('OTHER_UPFRONT_CHARGES'),
    insurance: of('INSURANCE_CHARGES'),
  })
  if (stated === undefined) return ['carries no NET_DISBURSED_AMOUNT']
  return stated === computed ? [] : [`says ${rupees(stated)} is disbursed, must be ${rupees(computed)}`]
}

function priceFaults(total: string | number, items: Order['items']): string[] {
  return items.flatMap(({ price }) =>
    price && moneyOf(price.value) !== moneyOf(total) ? [`says ${total}, the item's price ${price.value}`] : [],
  )
}

function scheduleFaults(order: Order, amounts: Amounts, path: string): string[] {
  const owed = (amounts.get('PRINCIPAL') ?? 0n) + (amounts.get('INTEREST') ?? 0n)
  const installments = installmentsOf(order.payments, path)
  const sum = installments.reduce((all, { amount }) => all + amount, 0n)
  return installments.length === 0 || sum === owed
    ? []
    : [`owes ${rupees(owed)} of principal and interest, the instalments add up to ${rupees(sum)}`]
}

const changes = (amounts: Amounts, accepted: Amounts): string[] =>
  ['PRINCIPAL', 'INTEREST']
    .filter((title) => amounts.get(title) !== accepted.get(title))
    .map((title) => `changes ${title} of the accepted offer, ${rupees(accepted.get(title) ?? 0n)}`)
