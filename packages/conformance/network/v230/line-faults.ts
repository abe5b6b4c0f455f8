// A credit line keeps its offered price and limit, and is not drawn before it is open (FIS12 §17.2, §17.5).

import { Refusal } from '@lendloom/foundation/refusal'
import { moneyOf, type Paise, rupees } from '@lendloom/lending/money'
import type { CreditLine } from '@lendloom/lending/terms'
import type { Fault } from '@lendloom/wire/network/context'
import { categoryCodesOf, type OwnCategories, ownCategories, productOf } from '@lendloom/wire/network/v230/categories'
import { isLine, lineIn, quoteIn203 } from '@lendloom/wire/network/v230/offer-terms'
import type { Item, Order } from '@lendloom/wire/network/v230/schema'
import { holdsOrder } from '#conformance/network/invariants.ts'
import type { ValidMessage230 } from './references.ts'

/** The lenders' own categories in a conversation. */
export const ownCategoriesIn = (messages: readonly ValidMessage230[]): OwnCategories =>
  Object.assign(
    {},
    ...messages
      .flatMap((message) => (message.action === 'on_search' ? message.message.catalog.providers : []))
      .map(({ categories }) => ownCategories(categories)),
  )

/** Whether an item and its quote are those of a credit line. */
export const isLineItem = (
  { category_ids: ids }: Pick<Item, 'category_ids'>,
  quote: Order['quote'],
  own: OwnCategories,
) => isLine(productOf(categoryCodesOf(ids, own)), quote ? quoteIn203(quote).breakup.map(({ title }) => title) : [])

/** Checks the orders of one conversation. A line's price need not be the sum of its quote, so that is not checked. */
export function lineFaults(messages: readonly ValidMessage230[]): Fault[] {
  const own = ownCategoriesIn(messages)
  const faults: Fault[] = []
  let accepted: Paise | null = null
  let isConfirmed = false
  for (const { path, action, message } of messages.filter(holdsOrder)) {
    const { quote, items } = message.order
    const [item] = items
    if (!quote || !isLineItem(item, quote, own)) continue
    const say = (text: string) =>
      faults.push({ path: `${path}.message.order.quote`, message: text, section: 'FIS12 §17.2' })
    const line = readLine(() => lineIn(quoteIn203(quote), 'quote'))
    if (!line) continue
    const { limit, utilization } = line
    const { price } = item
    if (!isConfirmed && price && moneyOf(price.value) !== moneyOf(quote.price.value))
      say(`is ${quote.price.value}, but the item's price is ${price.value}`)
    if (action === 'on_select') accepted = limit
    else if (!isConfirmed && accepted !== null && limit !== accepted)
      say(`changes OVERDRAFT_LIMIT of the accepted offer, ${rupees(accepted)}`)
    if (utilization > limit) say(`says ${rupees(utilization)} is drawn of a limit of ${rupees(limit)}`)
    if (!isConfirmed && utilization > 0n) say('is drawn before the line is open')
    if (action === 'on_confirm') isConfirmed = true
  }
  return faults
}

/** Null if the line is unreadable, which the rules of the message report. */
export function readLine(read: () => CreditLine): CreditLine | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
