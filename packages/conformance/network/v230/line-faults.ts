// A credit line keeps its offered price and limit, and is not drawn before it is open (FIS12 §17.2, §17.5).

import { holdsOrder } from '#conformance/network/invariants.ts'
import type { Fault } from '#contract/network/context.ts'
import { categoryCodesOf, type OwnCategories, ownCategories, productOf } from '#contract/network/v230/categories.ts'
import type { Item, Order } from '#contract/network/v230/schema.ts'
import { type CreditLine, isLine, lineIn, quoteIn203 } from '#contract/network/v230/terms.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { moneyOf, type Paise, rupees } from '#kit/money/money.ts'
import type { Sound } from './references.ts'

/** The lenders' own categories in a conversation. */
export const ownCategoriesIn = (messages: readonly Sound[]): OwnCategories =>
  Object.assign(
    {},
    ...messages
      .flatMap((message) => (message.action === 'on_search' ? message.message.catalog.providers : []))
      .map(({ categories }) => ownCategories(categories)),
  )

/** Whether an item, with the quote that goes with it, is a line. */
export const isLineItem = (
  { category_ids: ids }: Pick<Item, 'category_ids'>,
  quote: Order['quote'],
  own: OwnCategories,
) => isLine(productOf(categoryCodesOf(ids, own)), quote ? quoteIn203(quote).breakup.map(({ title }) => title) : [])

/** Over the orders of one conversation: the price of a line is not the sum of its quote, and is not judged so. */
export function lineFaults(messages: readonly Sound[]): Fault[] {
  const own = ownCategoriesIn(messages)
  const faults: Fault[] = []
  let accepted: Paise | null = null
  let confirmed = false
  for (const { path, action, message } of messages.filter(holdsOrder)) {
    const { quote, items } = message.order
    const [item] = items
    if (!quote || !isLineItem(item, quote, own)) continue
    const say = (text: string) =>
      faults.push({ path: `${path}.message.order.quote`, message: text, section: 'FIS12 §17.2' })
    const line = readable(() => lineIn(quoteIn203(quote), 'quote'))
    if (!line) continue
    const { limit, utilization } = line
    const { price } = item
    if (!confirmed && price && moneyOf(price.value) !== moneyOf(quote.price.value))
      say(`says ${quote.price.value}, the item's price ${price.value}`)
    if (action === 'on_select') accepted = limit
    else if (!confirmed && accepted !== null && limit !== accepted)
      say(`changes OVERDRAFT_LIMIT of the accepted offer, ${rupees(accepted)}`)
    if (utilization > limit) say(`says ${rupees(utilization)} is drawn of a limit of ${rupees(limit)}`)
    if (!confirmed && utilization > 0n) say('is drawn before the line is open')
    if (action === 'on_confirm') confirmed = true
  }
  return faults
}

/** What cannot be read is named by the rules of the message. */
function readable(read: () => CreditLine): CreditLine | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
