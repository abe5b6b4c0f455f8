// A journey with a case of the lending partner, placed where a test wants it by the acts of the modules alone.
import { randomUUID } from 'node:crypto'
import type { CaseIds } from '#contract/exchange/envelope.ts'
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { type CaseChange, type CaseStage, type PartnerCase, stageNames } from '#platform/exchange/case.ts'
import { firstPartnerId } from '#platform/exchange/partner/store.ts'
import { changeCase, findCaseOf, insertCase } from '#platform/exchange/store.ts'
import { advance } from '#platform/journey/advance.ts'
import type { Terms } from '#platform/journey/journey.ts'
import { findJourney, lockJourney, updateJourney } from '#platform/journey/store.ts'
import { awaitOffer, receiveTerms } from '#platform/offer/receive.ts'
import { findSelected, setSelected } from '#platform/offer/store.ts'
import { enter, newApplicant, openSession } from './borrower.ts'
import { terms as usual } from './offered.ts'
import type { TestPlatform } from './platform.ts'

/** The final terms, and before them the recommendation, of every case made here. */
export const partnerTerms: Terms = {
  ...usual,
  quoteId: 'F-1',
  term: '22 weeks',
  termMonths: 5,
  repaymentFrequency: 'WEEKLY',
  installmentsCount: 22,
}

let loans = 700_000

/** A case at a stage, its journey at the status that goes with it. */
export async function caseAt(
  { url, ctx, tenant }: TestPlatform,
  stage: CaseStage,
  change: CaseChange = {},
  partnerId = firstPartnerId,
) {
  const { body } = await openSession(url, tenant, newApplicant())
  const { journeyId, sessionToken } = await enter(url, body.embedUrl)
  const { tenantId } = tenant
  const at = ctx.clock()
  const caseRef = uuidv7(at.getTime(), bucketOf(journeyId))
  const lenderId = uuidv7(at.getTime())
  const isPast = (other: CaseStage) => stageNames.indexOf(stage) >= stageNames.indexOf(other) && stage !== 'ENDED'
  const ids: CaseIds = {
    caseRef,
    leadId: isPast('REGISTERED') ? String(++loans) : null,
    loanId: isPast('REGISTERED') ? String(++loans) : null,
  }
  await ctx.db.tx(async (tx) => {
    let journey = (await lockJourney(tx, tenantId, journeyId))!
    await insertCase(tx, { tenantId, caseRef, journeyId, partnerId, dedupeRequestId: uuidv4(bucketOf(journeyId)) }, at)
    const application = (await findCaseOf(tx, journey))!
    const identity = JSON.stringify({ name: 'Celestium Finance Limited', logoUrl: null, contact: {} })
    await tx`insert into lender ${tx({ tenantId, lenderId, bppId: lenderId, providerId: 'partner', identity, updatedAt: at })}`
    await changeCase(
      tx,
      application,
      {
        stage,
        lenderId,
        leadId: ids.leadId,
        loanId: ids.loanId,
        ...(isPast('SUBMITTED') && { leadEventId: uuidv4(bucketOf(journeyId)) }),
        ...(isPast('OFFERED') && { offerId: 'F-1' }),
        ...(isPast('DECIDED') && { decision: 'ACCEPT', decisionEventId: randomUUID() }),
        ...change,
      },
      at,
    )
    const source = { conversationId: caseRef, lenderId, channel: 'PARTNER' } as const
    const ranges = { minInterestRate: null, maxInterestRate: null, minTenureMonths: 5, maxTenureMonths: 5 }
    await updateJourney(tx, journey, { search: 'CLOSED' }, at)
    await awaitOffer({ tx, at }, journey, source, { ...ranges, minAmount: null, maxAmount: null })
    if (!isPast('RECOMMENDED')) return
    journey = await advance({ ...ctx, tx, at }, { ...journey, search: 'CLOSED' }, 'profiled')
    journey = await receiveTerms({ ...ctx, tx, at }, journey, source, partnerTerms)
    if (!isPast('CHOSEN')) return
    const [offer] = await tx<{
      offerId: string
    }>`select offer_id from offer where tenant_id = ${tenantId} and journey_id = ${journeyId}`
    await setSelected(tx, journey, { offerId: offer!.offerId, lockSource: 'headless', branchId: null, pledges: [] }, at)
    await updateJourney(tx, journey, { preferredAmountPaise: partnerTerms.principal, lenderMode: 'ONLINE' }, at)
    journey = await advance({ ...ctx, tx, at }, { ...journey, lenderMode: 'ONLINE' }, 'selected')
    if (isPast('OFFERED')) journey = await receiveTerms({ ...ctx, tx, at }, journey, source, partnerTerms)
    if (isPast('DECIDED')) journey = await advance({ ...ctx, tx, at }, journey, 'accepted')
    if (isPast('ACCEPTED')) await advance({ ...ctx, tx, at }, journey, 'redirected')
  })
  const of = { tenantId, journeyId }
  return {
    ...of,
    ids,
    sessionToken,
    application: async (): Promise<PartnerCase> => (await findCaseOf(ctx.db, of))!,
    journey: async () => (await findJourney(ctx.db, tenantId, journeyId))!,
    offer: async () => (await findSelected(ctx.db, of))!,
  }
}
