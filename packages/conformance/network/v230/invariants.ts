// Everything that must hold over a recorded loan of dialect 2.3.0 (FIS12 §12.4), mostly by the checks of 2.0.3.

import type { Fault } from '@lendloom/wire/network/context'
import { bodyFaultsIn } from '@lendloom/wire/network/received-body-faults'
import { sequence230 } from '@lendloom/wire/network/v230/categories'
import { quoteIn203, quoteOfOffer } from '@lendloom/wire/network/v230/offer-terms'
import { headingOf } from '@lendloom/wire/network/v230/xinput'
import { holdsOrder, invariantsBy } from '#conformance/network/invariants.ts'
import { arithmeticFaults, type OrderMessage } from '#conformance/network/v203/arithmetic.ts'
import type { LoanMessage } from '#conformance/network/v203/loan-message.ts'
import { progressFaults } from '#conformance/network/v203/progress.ts'
import { referenceFaultsBy } from '#conformance/network/v203/references.ts'
import { servicingFaults } from '#conformance/network/v203/repayment-faults.ts'
import { outgoingFaults } from '#conformance/network/v230/rules.ts'
import { drawdownFaults, isOfDrawdown } from './drawdown-faults.ts'
import { isLineItem, lineFaults, ownCategoriesIn } from './line-faults.ts'
import { pledgeFaults } from './pledge-faults.ts'
import { mentionsIn, type ValidMessage230 } from './references.ts'

/** Returns the faults of one journey's transcript, in wire order. */
export const invariantsOf = invariantsBy<ValidMessage230>({
  dialectsOf: () => () => '2.3.0',
  sequence: sequence230,
  outgoingFaults,
  bodyFaults: bodyFaultsIn['2.3.0'],
  conversationFaults: (messages) => (isOfDrawdown(messages) ? drawdownFaults(messages) : loanFaults(messages)),
})

/** Only a drawdown starts at `init`, which the sequence of the actions cannot tell. */
function startFaults([first]: readonly ValidMessage230[]): Fault[] {
  return first?.action === 'init' ? [{ path: first.path, message: 'may not follow start', section: 'FIS12 §4.1' }] : []
}

function loanFaults(messages: readonly ValidMessage230[]): Fault[] {
  return [
    ...startFaults(messages),
    ...referenceFaultsBy(mentionsIn, messages),
    ...arithmeticFaults(termLoans(messages, offersOf)),
    ...arithmeticFaults(termLoans(messages, orderOf)),
    ...lineFaults(messages),
    ...pledgeFaults(messages),
    ...progressFaults(messages.map(to203)),
    ...servicingFaults(messages),
  ]
}

/** The offers or orders of term loans, whose prices, unlike those of lines, are the sum of their quotes. */
function termLoans(
  messages: readonly ValidMessage230[],
  ordersIn: (message: ValidMessage230) => OrderMessage[],
): OrderMessage[] {
  const own = ownCategoriesIn(messages)
  return messages.flatMap(ordersIn).filter(({ order }) => !isLineItem(order.items[0], order.quote, own))
}

/** The order of a message, with its quote in the terms of 2.0.3. */
const orderOf = (message: ValidMessage230): OrderMessage[] => {
  if (!holdsOrder(message)) return []
  const { quote, ...order } = message.message.order
  return [{ ...message, order: { ...order, ...(quote && { quote: quoteIn203(quote) }) } }]
}

/** Each offer of an on_search, in the form of an order. */
const offersOf = (message: ValidMessage230): OrderMessage[] => {
  if (message.action !== 'on_search') return []
  return message.message.catalog.providers.flatMap((provider, p) =>
    provider.items.flatMap((item, i) => {
      const quote = item.parent_item_id ? quoteOfOffer(item) : null
      const path = `${message.path}.message.catalog.providers[${p}].items[${i}] as`
      return quote ? [{ ...message, path, order: { provider, items: [item], quote } }] : []
    }),
  )
}

/** Converts pages to 2.0.3, which numbers a page's position among the steps, while 2.3.0 names it. */
const to203 = (message: ValidMessage230): LoanMessage => {
  if (!holdsOrder(message)) return message
  const { items, ...order } = message.message.order
  const placed = items.map(({ xinput, ...item }) => {
    const head = xinput?.head && {
      ...xinput.head,
      index: placeOf(xinput.head.headings ?? [], headingOf(xinput)),
    }
    return { ...item, ...(xinput && { xinput: { ...xinput, ...(head && { head }) } }) }
  })
  return { path: message.path, action: message.action, message: { order: { ...order, items: placed } } }
}

const placeOf = (headings: readonly string[], heading: string | null) => ({
  min: 0,
  cur: headings.indexOf(heading ?? ''),
  max: headings.length - 1,
})
