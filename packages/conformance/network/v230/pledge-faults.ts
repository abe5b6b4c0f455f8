// A loan against mutual funds has the offered terms and the selected pledges (FIS12 §10.2, §12.4.3).

import { Refusal } from '@lendloom/foundation/refusal'
import { moneyOf } from '@lendloom/lending/money'
import type { Pledge, Scheme } from '@lendloom/lending/pledge'
import type { Fault } from '@lendloom/wire/network/context'
import { type Quote, quoteIn203, quoteOfOffer } from '@lendloom/wire/network/v230/offer-terms'
import { pledgesOf, schemesOf } from '@lendloom/wire/network/v230/pledge'
import type { Catalog, Item } from '@lendloom/wire/network/v230/schema'
import { orderIn } from '#conformance/network/v203/loan-message.ts'
import type { ValidMessage230 } from './references.ts'

const section = 'FIS12 §12.4.3'

interface OfferTerms {
  quote: Quote | null
  schemes: Scheme[]
}

/**
 * Checks one conversation: only requested schemes are pledged, init and confirm repeat the pledges of select, and the
 * quote for a full pledge has the terms of the offer.
 */
export function pledgeFaults(messages: readonly ValidMessage230[]): Fault[] {
  const faults: Fault[] = []
  const offers = new Map<string, OfferTerms>()
  let pledged: Pledge[] = []
  for (const message of messages) {
    const { path, action } = message
    const say = (where: string, text: string) =>
      faults.push({ path: `${path}.message.${where}`, message: text, section })
    if (message.action === 'on_search')
      for (const item of offersIn(message.message.catalog)) offers.set(item.id, termsOf(item))
    const order = orderIn(message)
    const item = order?.items?.[0]
    const offer = item && offers.get(item.id)
    if (!offer) continue
    if (action === 'select' || action === 'init' || action === 'confirm') {
      const now = readOrEmpty(() => pledgesOf(item.tags, ''))
      for (const { schemeCode } of now)
        if (!offer.schemes.some((scheme) => scheme.schemeCode === schemeCode))
          say('order.items[0].tags', `pledges ${schemeCode}, which was not requested`)
      if (action === 'select') pledged = now
      else if (textOf(now) !== textOf(pledged)) say('order.items[0].tags', 'pledges other units than select did')
    } else if (message.action === 'on_select' && isFullPledge(pledged, offer.schemes)) {
      const { quote } = message.message.order
      for (const title of ['PRINCIPAL', 'INTEREST', 'OVERDRAFT_LIMIT'])
        if (quote && offer.quote && amountOf(quoteIn203(quote), title) !== amountOf(offer.quote, title))
          say('order.quote', `changes ${title} of the offer, although all requested units are pledged`)
    }
  }
  return faults
}

const offersIn = ({ providers }: Catalog): Item[] =>
  providers.flatMap(({ items }) => items.filter((item) => item.parent_item_id))

const termsOf = (item: Item): OfferTerms => ({
  quote: quoteOfOffer(item),
  schemes: readOrEmpty(() => schemesOf(item.tags, '')),
})

/** Empty if the tags are unreadable, which the rules of the message report. */
function readOrEmpty<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

const textOf = (pledges: readonly Pledge[]): string =>
  pledges
    .map(({ schemeCode, units }) => `${schemeCode} ${units}`)
    .sort()
    .join()

const isFullPledge = (pledges: readonly Pledge[], schemes: readonly Scheme[]): boolean =>
  textOf(pledges) === textOf(schemes.map(({ schemeCode, unitsRequired: units }) => ({ schemeCode, units })))

function amountOf({ breakup }: Quote, title: string): bigint | null {
  const row = breakup.find((each) => each.title === title)
  return row ? moneyOf(row.price.value) : null
}
