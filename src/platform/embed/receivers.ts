// The names of the lenders that would receive the application now, shown before the consents.

import type { EmbedView, Screen } from '#contract/hosted/embed.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'
import type { Context } from '#platform/context.ts'
import { mayGoToPartner } from '#platform/exchange/applicant.ts'
import { lenderNameOf, type Partner, partnerProvider } from '#platform/exchange/partner/store.ts'
import { knownLendersOf } from '#platform/figures/read/known-lenders.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { productOf } from '#platform/product/products.ts'

interface ConsentRequest {
  person: BorrowerDetails
  /** Partners that offer the product. */
  partners: Partner[]
  at: Date
}

/** Returns whether a lending partner needs business fields, and the recipients of the application. */
export const sendingParts = async (
  ctx: Pick<Context, 'db'>,
  journey: Pick<Journey, 'tenantId' | 'type'>,
  screen: Screen,
  sending: ConsentRequest,
): Promise<Pick<EmbedView, 'asksBusiness' | 'receivers'>> => ({
  asksBusiness: sending.partners.length > 0 && productOf(journey).partnerLendsTo.includes('selfEmployed'),
  receivers: screen === 'PROFILE' ? await receiversOf(ctx, journey, sending) : [],
})

/**
 * Alphabetical, so that no lender is preferred. Other lenders that answer the network search receive the application
 * too, but are unknown before it.
 */
async function receiversOf(
  ctx: Pick<Context, 'db'>,
  journey: Pick<Journey, 'tenantId' | 'type'>,
  { person, partners, at }: ConsentRequest,
): Promise<string[]> {
  const { lenders, isOff } = await knownLendersOf(ctx)(journey.tenantId, journey.type, at)
  const onNetwork = lenders.filter((lender) => lender.providerId !== partnerProvider && !isOff(lender))
  const lendingPartners = mayGoToPartner(journey, person)
    ? partners.filter((partner) => !isOff(lenderNameOf(partner)))
    : []
  const names = new Set([...onNetwork, ...lendingPartners].map(({ name }) => name))
  return [...names].sort((a, b) => a.localeCompare(b, 'en'))
}
