// Everything that must hold over a recorded loan of dialect 2.3.0 (FIS12 §12.4); what is alike is judged as in 2.0.3.
import { holdsOrder, invariantsBy } from '#conformance/network/invariants.ts'
import { arithmeticFaults, type OrderMessage } from '#conformance/network/v203/arithmetic.ts'
import type { LoanMessage } from '#conformance/network/v203/loan-message.ts'
import { progressFaults } from '#conformance/network/v203/progress.ts'
import { referenceFaultsBy } from '#conformance/network/v203/references.ts'
import { servicingFaults } from '#conformance/network/v203/repaying.ts'
import { sequence230 } from '#contract/network/v230/categories.ts'
import { headingOf } from '#contract/network/v230/page.ts'
import { bodyFaults } from '#contract/network/v230/receive.ts'
import { rulesOf } from '#contract/network/v230/rules.ts'
import { quoteIn203, quoteOfOffer } from '#contract/network/v230/terms.ts'
import { isLineItem, lineFaults, ownCategoriesIn } from './line-faults.ts'
import { pledgeFaults } from './pledged.ts'
import { mentionsIn, type Sound } from './references.ts'

/** Judges one journey's transcript, in wire order; empty when all is well. */
export const invariantsOf = invariantsBy<Sound>({
  dialect: '2.3.0',
  sequence: sequence230,
  rulesOf,
  bodyFaults,
  conversationFaults: (sound) => [
    ...referenceFaultsBy(mentionsIn, sound),
    ...arithmeticFaults(termLoans(sound, offersOf)),
    ...arithmeticFaults(termLoans(sound, orderOf)),
    ...lineFaults(sound),
    ...pledgeFaults(sound),
    ...progressFaults(sound.map(in203)),
    ...servicingFaults(sound),
  ],
})

/** What is written of loans over a term, whose prices are the sum of their parts. */
function termLoans(sound: readonly Sound[], written: (message: Sound) => OrderMessage[]): OrderMessage[] {
  const own = ownCategoriesIn(sound)
  return sound.flatMap(written).filter(({ order }) => !isLineItem(order.items[0], order.quote, own))
}

/** The orders in the words of 2.0.3. */
const orderOf = (message: Sound): OrderMessage[] => {
  if (!holdsOrder(message)) return []
  const { quote, ...order } = message.message.order
  return [{ ...message, order: { ...order, ...(quote && { quote: quoteIn203(quote) }) } }]
}

/** Each offer of an answered search as if it were an order. */
const offersOf = (message: Sound): OrderMessage[] => {
  if (message.action !== 'on_search') return []
  return message.message.catalog.providers.flatMap((provider, p) =>
    provider.items.flatMap((item, i) => {
      const quote = item.parent_item_id ? quoteOfOffer(item) : null
      const path = `${message.path}.message.catalog.providers[${p}].items[${i}] as`
      return quote ? [{ ...message, path, order: { provider, items: [item], quote } }] : []
    }),
  )
}

/** A page names its position among the steps; in 2.0.3 its number does. */
const in203 = (message: Sound): LoanMessage => {
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
