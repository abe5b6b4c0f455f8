// A journey with offers, created through the modules' own functions, without a network.

import { secondsAfter } from '@lendloom/foundation/clock'
import { advance } from '@lendloom/platform/src/lending/journey/advance.ts'
import type { Terms } from '@lendloom/platform/src/lending/journey/journey.ts'
import { findJourney, lockJourney, updateJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import { awaitOffer, recordTerms } from '@lendloom/platform/src/lending/offer/lender-answers.ts'
import { findByConversation, findOffer, listOffers } from '@lendloom/platform/src/lending/offer/store.ts'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { enter, newApplicant, openSession, type SessionRequest } from './borrower.ts'
import type { TestPlatform } from './platform.ts'

export const noRanges = {
  minInterestRate: null,
  maxInterestRate: null,
  minTenureMonths: null,
  maxTenureMonths: null,
  minAmount: null,
  maxAmount: null,
}

/** Two lakh rupees for a year at fourteen percent. */
export const terms: Terms = {
  quoteId: 'Q-1',
  quoteTtl: 'P7D',
  principal: 200_000_00n,
  interest: 15_489_04n,
  processingFee: 2_360_00n,
  otherUpfront: 0n,
  insurance: 0n,
  otherCharges: 0n,
  netDisbursed: 197_640_00n,
  interestRate: '14%',
  apr: '16.3%',
  interestType: 'FIXED',
  term: '12 months',
  termMonths: 12,
  repaymentFrequency: 'MONTHLY',
  installmentsCount: 12,
  installmentAmount: 17_957_42n,
  applicationFee: null,
  foreclosureFee: '2% of the outstanding principal',
  interestRateConversionCharge: null,
  delayPenaltyFee: '2% a month',
  otherPenaltyFee: null,
  tncLink: 'https://lender.example/terms',
  kfsLink: 'https://lender.example/kfs/1',
  coolOffPeriod: 'P3D',
  ltvRatio: null,
}

/** Creates a journey in OFFERED with these offers and with `awaited` lenders that have not answered. */
export async function journeyWithOffers(
  { url, ctx, tenant }: TestPlatform,
  all: Terms[],
  awaited = 0,
  person?: SessionRequest,
) {
  const { body } = await openSession(url, tenant, person ?? newApplicant())
  const { journeyId } = await enter(url, body.embedUrl)
  const { tenantId } = tenant
  const at = ctx.clock()
  const lenders = [...all, ...Array<null>(awaited).fill(null)].map((given, i) => ({
    given,
    conversationId: uuidv7(secondsAfter(at, i).getTime(), bucketOf(journeyId)),
    lenderId: uuidv7(secondsAfter(at, i).getTime()),
  }))
  await ctx.db.tx(async (tx) => {
    let journey = (await lockJourney(tx, tenantId, journeyId))!
    await updateJourney(tx, journey, { search: 'CLOSED' }, at)
    for (const source of lenders) {
      const identity = JSON.stringify({ name: `Lender ${source.lenderId.slice(-4)}`, logoUrl: null, contact: {} })
      await tx`insert into lender ${tx({ tenantId, lenderId: source.lenderId, bppId: source.lenderId, providerId: 'p', identity, updatedAt: at })}`
      await awaitOffer({ tx, at }, journey, source, noRanges)
    }
    journey = await advance({ ...ctx, tx, at }, { ...journey, search: 'CLOSED' }, 'profiled')
    for (const { given, ...source } of lenders)
      if (given) journey = await recordTerms({ ...ctx, tx, at }, journey, source, given)
  })
  const offers = await listOffers(ctx.db, { tenantId, journeyId })
  const offerOf = async (i: number) =>
    (await findByConversation(ctx.db, { tenantId, journeyId }, lenders[i]!.conversationId))!
  return {
    journeyId,
    /** In the order of `all`, then those of the awaited lenders. */
    offerIds: await Promise.all(lenders.map(async (_, i) => (await offerOf(i)).offerId)),
    offers,
    journey: async () => (await findJourney(ctx.db, tenantId, journeyId))!,
    offer: async (offerId: string) => (await findOffer(ctx.db, { tenantId, journeyId }, offerId))!,
    /** Delivers these final terms from the lender with this index. */
    async sendFinalTerms(lenderIndex: number, given: Terms) {
      await ctx.db.tx(async (tx) => {
        const journey = (await lockJourney(tx, tenantId, journeyId))!
        await recordTerms({ ...ctx, tx, at: ctx.clock() }, journey, lenders[lenderIndex]!, given)
      })
    },
  }
}
