// Money on the wire adds up: the quote, what is disbursed, the schedule, from the accepted offer on (FIS12 §12.4.3).
import type { Fault } from '#contract/network/fault.ts'
import { moneyOf } from '#contract/network/reading.ts'
import type { Heard } from '#contract/network/transcript.ts'
import { type Paise, rupees } from '#kit/money.ts'
import { Refusal } from '#kit/refusal.ts'
import { installmentsOf } from './installment.ts'
import type { Order } from './schema.ts'
import { amountsOf, netDisbursedOf } from './terms.ts'

/** A lender's order with its place in the transcript. */
export type HeardOrder = Heard & { order: Order }

const section = 'FIS12 §12.4.3'
type Amounts = Map<string, Paise>

/** `orders` are the lender's orders of one conversation, in wire order. */
export function arithmeticFaults(orders: readonly HeardOrder[]): Fault[] {
  const acceptedAt = orders.findLastIndex(({ action, order }) => action === 'on_select' && order.quote)
  const accepted = orders[acceptedAt]?.order.quote
  return orders.flatMap(({ path, order }, i) => {
    const { quote } = order
    if (!quote) return []
    const at = `${path}.message.order`
    try {
      const warnings: string[] = []
      const amounts = amountsOf(quote, `${at}.quote`, warnings)
      const found = [...warnings, ...netFaults(amounts)]
      if (!isServicing(quote)) found.push(...offerFaults(order, amounts, `${at}.payments`))
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

function offerFaults(order: Order, amounts: Amounts, path: string): string[] {
  const faults: string[] = []
  const total = order.quote!.price.value
  for (const { price } of order.items)
    if (price && moneyOf(price.value) !== moneyOf(total)) faults.push(`says ${total}, the item's price ${price.value}`)
  const owed = (amounts.get('PRINCIPAL') ?? 0n) + (amounts.get('INTEREST') ?? 0n)
  const installments = installmentsOf(order.payments, path)
  const sum = installments.reduce((all, { amount }) => all + amount, 0n)
  if (installments.length > 0 && sum !== owed)
    faults.push(`owes ${rupees(owed)} of principal and interest, the instalments add up to ${rupees(sum)}`)
  return faults
}

const changes = (amounts: Amounts, accepted: Amounts): string[] =>
  ['PRINCIPAL', 'INTEREST']
    .filter((title) => amounts.get(title) !== accepted.get(title))
    .map((title) => `changes ${title} of the accepted offer, ${rupees(accepted.get(title) ?? 0n)}`)
