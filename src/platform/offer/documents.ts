// What a lender has given a borrower to keep of a loan. Whoever has the address of an agreement reads it, so they are sealed.
import type { LoanDocument } from '#contract/network/v203/order.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Offer } from './offer.ts'
import { findSelected, setDocuments } from './store.ts'

export type KeptDocument = Pick<LoanDocument, 'code' | 'name' | 'url'>

type Place = Pick<Offer, 'tenantId' | 'journeyId' | 'offerId'>

const contextOf = ({ tenantId, journeyId, offerId }: Place): string =>
  `offer.documents:${tenantId}:${journeyId}:${offerId}`

/** Keeps what the lender named last, of addresses that a browser may follow; a message that names none changes nothing. */
export async function keepDocuments(
  { tx, seal, at }: Pick<Context, 'seal'> & { tx: Tx; at: Date },
  journey: Journey,
  documents: readonly LoanDocument[],
): Promise<void> {
  const kept = documents
    .filter(({ url }) => /^https?:\/\//.test(url))
    .map(({ code, name, url }): KeptDocument => ({ code, name, url }))
  const offer = kept.length > 0 && (await findSelected(tx, journey))
  if (offer) await setDocuments(tx, offer, seal.json(kept, contextOf(offer)), at)
}

export const documentsOf = (
  { seal }: Pick<Context, 'seal'>,
  offer: Place & Pick<Offer, 'documentsSealed'>,
): KeptDocument[] => (offer.documentsSealed ? seal.openJson(offer.documentsSealed, contextOf(offer)) : [])
