// Amounts must agree: those of the quote, the disbursal, the schedule and the accepted offer (FIS12 §12.4.3).

import { Refusal } from '@lendloom/foundation/refusal'
import { moneyOf, type Paise, rupees } from '@lendloom/lending/money'
import { netDisbursedOf } from '@lendloom/lending/terms'
import type { Fault } from '@lendloom/wire/network/context'
import { amountsOf } from '@lendloom/wire/network/v203/offer-terms'
import { readInstallments } from '@lendloom/wire/network/v203/payments'
import type { Order } from '@lendloom/wire/network/v203/schema'
import type { TranscriptMessage } from '#conformance/network/transcript.ts'

/** A lender's order with its place in the transcript. */
export type OrderMessage = TranscriptMessage & { order: Order }

const section = 'FIS12 §12.4.3'
type Amounts = Map<string, Paise>

/** Checks the lender's orders of one conversation, in wire order. */
export function arithmeticFaults(orders: readonly OrderMessage[]): Fault[] {
  const acceptedAt = orders.findLastIndex(({ action, order }) => action === 'on_select' && order.quote)
  const accepted = orders[acceptedAt]?.order.quote
  const confirmedAt = orders.findIndex(({ action }) => action === 'on_confirm')
  // The item's price equals the quote only from the accepted offer to the confirmation (FIS12 §18.2).
  const hasComparablePrice = (i: number) => i >= acceptedAt && (confirmedAt < 0 || i <= confirmedAt)
  return orders.flatMap(({ path, order }, i) => {
    const { quote } = order
    if (!quote) return []
    const at = `${path}.message.order`
    try {
      const warnings: string[] = []
      const amounts = amountsOf(quote, `${at}.quote`, warnings)
      // In a servicing quote the total may still be that of the confirmation (FIS12 §18.2).
      const found = [...(isServicing(quote) ? [] : warnings), ...netFaults(amounts)]
      if (hasComparablePrice(i)) found.push(...priceFaults(quote.price.value, order.items))
      if (!isServicing(quote)) found.push(...scheduleFaults(order, amounts, `${at}.payments`))
      if (!isServicing(quote) && accepted && i > acceptedAt)
        found.push(...offerChanges(amounts, amountsOf(accepted, at, [])))
      return found.map((message) => ({ path: `${at}.quote`, message, section }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return [{ path: error.details.field ?? at, message: error.message, section }]
    }
  })
}

/** After the disbursal, a quote separates repaid from outstanding amounts and has further charges (FIS12 §7.4). */
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
  if (stated === undefined) return ['has no NET_DISBURSED_AMOUNT']
  return stated === computed ? [] : [`says ${rupees(stated)} is disbursed, must be ${rupees(computed)}`]
}

function priceFaults(total: string | number, items: Order['items']): string[] {
  return items.flatMap(({ price }) =>
    price && moneyOf(price.value) !== moneyOf(total) ? [`is ${total}, but the item's price is ${price.value}`] : [],
  )
}

function scheduleFaults(order: Order, amounts: Amounts, path: string): string[] {
  const owed = (amounts.get('PRINCIPAL') ?? 0n) + (amounts.get('INTEREST') ?? 0n)
  const installments = readInstallments(order.payments, path)
  const sum = installments.reduce((all, { amount }) => all + amount, 0n)
  return installments.length === 0 || sum === owed || (sum < owed && isPartRepaid(order))
    ? []
    : [`has ${rupees(owed)} of principal and interest, but the instalments add up to ${rupees(sum)}`]
}

/** Whether a part is repaid early: a quote of 2.3.0 stays as agreed, while fewer instalments are left (FIS12 §27.4). */
const isPartRepaid = ({ payments }: Order): boolean =>
  (payments ?? []).some(({ time, status }) => time?.label === 'PRE_PART_PAYMENT' && status === 'PAID')

const offerChanges = (amounts: Amounts, accepted: Amounts): string[] =>
  ['PRINCIPAL', 'INTEREST']
    .filter((title) => amounts.get(title) !== accepted.get(title))
    .map((title) => `changes ${title} of the accepted offer, ${rupees(accepted.get(title) ?? 0n)}`)
