// The units that secure a loan against mutual funds: what the lender wants pledged is kept with its offer.
import type { Scheme } from '#contract/network/v230/pledge.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { findByConversation, setSchemes } from './store.ts'

/** Keeps what a lender wants pledged. */
export async function keepSchemes(
  tx: Tx,
  journey: Journey,
  conversationId: string,
  schemes: Scheme[],
  at: Date,
): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (offer && schemes.length > 0) await setSchemes(tx, offer, schemes, at)
}
