// The terms of the offer that holds the journey: what `init` and `confirm` settle on.
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { type Terms, termsFrom } from '#platform/journey/terms.ts'
import { findSelected } from '#platform/offer/store.ts'

export async function chosenTerms(tx: Tx, journey: Journey): Promise<Terms> {
  const offer = await findSelected(tx, journey)
  if (!offer?.terms) throw new Error(`journey ${journey.journeyId} goes on with a lender, but no offer of it is chosen`)
  return termsFrom(offer.terms)
}
