// The names of the lenders that would receive the application now. The page shows them above the consents.

import type { EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import type { Context } from '#platform/context.ts'
import { canApplyToPartner } from '#platform/lenders/partner/applicant.ts'
import { lenderKeyOf, type Partner, partnerProvider } from '#platform/lenders/partner/directory/lending-partner.ts'
import { lendingFor } from '#platform/lenders/partner/partner-look-ups.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lenderKeyText, type NamedLender } from '#platform/lending/lender/switch/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { knownLendersOf } from '#platform/records/figures/read/known-lenders.ts'
import type { SearchedLender } from './store.ts'

interface ReceiverQuery {
  person: BorrowerDetails
  partners: Partner[]
  at: Date
}

/** Returns whether a lending partner needs business fields, and the receivers of the application. */
export const receiverFields = async (
  ctx: Pick<Context, 'db'>,
  journey: Pick<Journey, 'tenantId' | 'type'>,
  screen: Screen,
  { partners: all, ...query }: ReceiverQuery,
): Promise<Pick<EmbedView, 'asksBusiness' | 'receivers'>> => {
  const partners = lendingFor(all, journey.type)
  return {
    asksBusiness: partners.length > 0 && productOf(journey).partnerLendsTo.includes('selfEmployed'),
    receivers: screen === 'PROFILE' ? await receiversOf(ctx, journey, { ...query, partners }) : [],
  }
}

/** Returns lender names in alphabetical order, so that no lender is preferred. */
async function receiversOf(
  ctx: Pick<Context, 'db'>,
  journey: Pick<Journey, 'tenantId' | 'type'>,
  query: ReceiverQuery,
): Promise<string[]> {
  const names = new Set((await lendersToAsk(ctx, journey, query)).map(({ name }) => name))
  return [...names].sort((a, b) => a.localeCompare(b, 'en'))
}

/** Further lenders may answer the network search and receive the application, but are not known in advance. */
async function lendersToAsk(
  ctx: Pick<Context, 'db'>,
  journey: Pick<Journey, 'tenantId' | 'type'>,
  { person, partners, at }: ReceiverQuery,
): Promise<NamedLender[]> {
  const { lenders, isOff } = await knownLendersOf(ctx)(journey.tenantId, journey.type, at)
  const onNetwork = lenders.filter(({ providerId }) => providerId !== partnerProvider)
  const lendingPartners = canApplyToPartner(journey, person)
    ? partners.map((partner) => ({ ...lenderKeyOf(partner), name: partner.name }))
    : []
  return [...onNetwork, ...lendingPartners].filter((lender) => !isOff(lender))
}

/** Whether all known lenders have refused the borrower before, or are among these. */
export async function isEveryLenderIn(
  ctx: Pick<Context, 'db'>,
  journey: Pick<Journey, 'tenantId' | 'type' | 'refusedLenders'>,
  searched: SearchedLender[],
  query: ReceiverQuery,
): Promise<boolean> {
  const keys = [...journey.refusedLenders, ...searched.map(lenderKeyText)]
  const lenders = await lendersToAsk(ctx, journey, { ...query, partners: lendingFor(query.partners, journey.type) })
  return lenders.length > 0 && lenders.every((lender) => keys.includes(lenderKeyText(lender)))
}
