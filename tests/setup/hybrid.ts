// The hybrid API as an integrator's server uses it, and a gold loan with an offer; for tests without workers.

import { advance } from '@lendloom/platform/src/lending/journey/advance.ts'
import { lockJourney, updateJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import { awaitOffer, recordTerms } from '@lendloom/platform/src/lending/offer/lender-answers.ts'
import { findByConversation, setBranches } from '@lendloom/platform/src/lending/offer/store.ts'
import { terms } from './offered.ts'
import { ask, type Reply, testPlatform } from './platform.ts'

/** Everything that lenders need from a personal loan's borrower, except the consent. */
export const completeHybridProfile = {
  personal: {
    contactNumber: '+919876500001',
    pan: 'abcpe1234f',
    panName: 'Asha Rao',
    dob: '1992-02-29',
    gender: 'Female',
  },
  work: { employmentType: 'salaried', income: '85000', companyName: 'Example Industries' },
  address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
}

const limits = {
  minInterestRate: null,
  maxInterestRate: null,
  minTenureMonths: 3,
  maxTenureMonths: 12,
  minAmount: 10_000_00n,
  maxAmount: null,
}

/** Starts a platform without workers and returns the calls of an integrator's server. */
export async function hybridApiUnderTest() {
  const platform = await testPlatform()
  const { url, ctx, tenant } = platform
  let applicantCount = 0
  const newApplicant = () => `hybrid-${++applicantCount}`
  const base = (product: string, externalId: string) =>
    `${url}/api/v1/hybrid/${product}/borrowers/${externalId}/journey`
  const start = (
    product: string,
    externalId: string,
    body: unknown,
    key = tenant.apiKey,
    headers: Record<string, string> = {},
  ): Promise<Reply> => ask(base(product, externalId), { method: 'POST', key, body, headers })

  return {
    platform,
    newApplicant,
    base,
    start,
    offers: (product: string, externalId: string, key = tenant.apiKey): Promise<Reply> =>
      ask(`${base(product, externalId)}/offers`, { key }),
    /** Creates a gold loan with one lender's offer and two branches. */
    async goldLoanWithOffer() {
      const externalId = newApplicant()
      const goldLoan = { jewelleryWeightGrams: 40, purity: '22K' }
      const { data } = (
        await start('gold-loan', externalId, { ...completeHybridProfile, journey: { bureauConsent: true }, goldLoan })
      ).body
      const id = data.journey_id
      await ctx.db.tx(async (tx) => {
        const at = ctx.clock()
        await tx`insert into lender ${tx({ tenantId: tenant.tenantId, lenderId: id, bppId: id, providerId: 'p', identity: JSON.stringify({ name: 'Kaveri', logoUrl: null, contact: {} }), updatedAt: at })}`
        let journey = (await lockJourney(tx, tenant.tenantId, id))!
        await updateJourney(tx, journey, { search: 'CLOSED' }, at)
        const source = { conversationId: id, lenderId: id }
        await awaitOffer({ tx, at }, journey, source, limits)
        journey = await advance({ ...ctx, tx, at }, { ...journey, search: 'CLOSED' }, 'profiled')
        await recordTerms({ ...ctx, tx, at }, journey, source, { ...terms, ltvRatio: '74.07%' })
        const branch = (name: string, pincode: string) => ({
          id: name,
          name,
          address: `${name} road`,
          pincode,
          at: null,
        })
        const branches = [branch('chennai', '600001'), branch('fort', '400001')]
        await setBranches(tx, (await findByConversation(tx, journey, id))!, { branches, agent: null }, at)
      })
      return { externalId, journeyId: id as string }
    },
  }
}
