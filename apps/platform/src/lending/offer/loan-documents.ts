// The documents of a loan. Their addresses are sealed, because anyone with an address can read the agreement.

import { isDeepStrictEqual } from 'node:util'
import type { LoanDocument } from '@lendloom/lending/terms'
import type { Tx } from '@lendloom/postgres/sql'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { Offer } from './offer.ts'
import { findSelected, setDocuments } from './store.ts'

export type LoanDocumentLink = Pick<LoanDocument, 'code' | 'name' | 'url'>

type OfferKey = Pick<Offer, 'tenantId' | 'journeyId' | 'offerId'>

const contextOf = ({ tenantId, journeyId, offerId }: OfferKey): string =>
  `offer.documents:${tenantId}:${journeyId}:${offerId}`

/**
 * Stores the lender's newest documents that have web addresses, outside the sandbox only encrypted ones. A message
 * without such documents changes nothing.
 */
export async function storeDocuments(
  { tx, seal, config, at }: Pick<Context, 'seal' | 'config'> & { tx: Tx; at: Date },
  journey: Journey,
  documents: readonly LoanDocument[],
): Promise<void> {
  const stored = documents
    .filter(({ url }) => (config.SANDBOX ? /^https?:\/\// : /^https:\/\//).test(url))
    .map(({ code, name, url }): LoanDocumentLink => ({ code, name, url }))
  const offer = stored.length > 0 && (await findSelected(tx, journey))
  if (offer && !isDeepStrictEqual(documentsOf({ seal }, offer), stored))
    await setDocuments(tx, offer, seal.json(stored, contextOf(offer)), at)
}

export const documentsOf = (
  { seal }: Pick<Context, 'seal'>,
  offer: OfferKey & Pick<Offer, 'documentsSealed'>,
): LoanDocumentLink[] => (offer.documentsSealed ? seal.openJson(offer.documentsSealed, contextOf(offer)) : [])
