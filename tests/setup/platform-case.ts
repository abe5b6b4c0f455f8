// A journey with a lending partner's case at the stage that a test needs, created through the modules' own functions.
import { randomUUID } from 'node:crypto'
import { firstPartnerId } from '@lendloom/platform/src/lenders/partner/directory/lending-partner.ts'
import {
  type CaseChange,
  type CaseStage,
  caseStageNames,
  type PartnerCase,
} from '@lendloom/platform/src/lenders/partner/loan-case.ts'
import type { PartnerCheck } from '@lendloom/platform/src/lenders/partner/partner-check.ts'
import { changeCase, findMainCase, insertCase } from '@lendloom/platform/src/lenders/partner/store.ts'
import { advance } from '@lendloom/platform/src/lending/journey/advance.ts'
import type { Terms } from '@lendloom/platform/src/lending/journey/journey.ts'
import { findJourney, lockJourney, updateJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import { awaitOffer, recordTerms } from '@lendloom/platform/src/lending/offer/lender-answers.ts'
import { findSelected, setSelected } from '@lendloom/platform/src/lending/offer/store.ts'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import type { CaseIds } from '@lendloom/wire/exchange/envelope'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { enter, newApplicant, openSession } from './borrower.ts'
import { terms as usual } from './offered.ts'
import type { TestPlatform } from './platform.ts'

/** The recommended and final terms of every case from `caseAt`. */
export const partnerTerms: Terms = {
  ...usual,
  quoteId: 'F-1',
  term: '22 weeks',
  termMonths: 5,
  repaymentFrequency: 'WEEKLY',
  installmentsCount: 22,
}

let lastLoanNumber = 700_000

/** Creates a case at a stage, with its journey at the matching status. */
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
  const hasReached = (other: CaseStage) =>
    caseStageNames.indexOf(stage) >= caseStageNames.indexOf(other) && stage !== 'ENDED'
  const ids: CaseIds = {
    caseRef,
    leadId: hasReached('REGISTERED') ? String(++lastLoanNumber) : null,
    loanId: hasReached('REGISTERED') ? String(++lastLoanNumber) : null,
  }
  await ctx.db.tx(async (tx) => {
    let journey = (await lockJourney(tx, tenantId, journeyId))!
    await insertCase(tx, { tenantId, caseRef, journeyId, partnerId, dedupeRequestId: uuidv4(bucketOf(journeyId)) }, at)
    const loanCase = (await findMainCase(tx, journey))!
    const identity = JSON.stringify({ name: 'Celestium Finance Limited', logoUrl: null, contact: {} })
    await tx`insert into lender ${tx({ tenantId, lenderId, bppId: lenderId, providerId: 'partner', identity, updatedAt: at })}`
    await changeCase(
      tx,
      loanCase,
      {
        stage,
        lenderId,
        leadId: ids.leadId,
        loanId: ids.loanId,
        ...(hasReached('SUBMITTED') && { leadEventId: uuidv4(bucketOf(journeyId)) }),
        ...(hasReached('OFFERED') && { offerId: 'F-1' }),
        ...(hasReached('DECIDED') && { decision: 'ACCEPT', decisionEventId: randomUUID() }),
        ...change,
      },
      at,
    )
    const source = { conversationId: caseRef, lenderId, channel: 'PARTNER' } as const
    const ranges = { minInterestRate: null, maxInterestRate: null, minTenureMonths: 5, maxTenureMonths: 5 }
    await updateJourney(tx, journey, { search: 'CLOSED' }, at)
    await awaitOffer({ tx, at }, journey, source, { ...ranges, minAmount: null, maxAmount: null })
    if (!hasReached('RECOMMENDED')) return
    journey = await advance({ ...ctx, tx, at }, { ...journey, search: 'CLOSED' }, 'profiled')
    journey = await recordTerms({ ...ctx, tx, at }, journey, source, partnerTerms)
    if (!hasReached('CHOSEN')) return
    const [offer] = await tx<{
      offerId: string
    }>`select offer_id from offer where tenant_id = ${tenantId} and journey_id = ${journeyId}`
    await setSelected(tx, journey, { offerId: offer!.offerId, lockSource: 'headless', branchId: null, pledges: [] }, at)
    await updateJourney(tx, journey, { preferredAmountPaise: partnerTerms.principal, lenderMode: 'ONLINE' }, at)
    journey = await advance({ ...ctx, tx, at }, { ...journey, lenderMode: 'ONLINE' }, 'selected')
    if (hasReached('OFFERED')) journey = await recordTerms({ ...ctx, tx, at }, journey, source, partnerTerms)
    if (hasReached('DECIDED')) journey = await advance({ ...ctx, tx, at }, journey, 'accepted')
    if (hasReached('ACCEPTED')) await advance({ ...ctx, tx, at }, journey, 'redirected')
  })
  const journeyKey = { tenantId, journeyId }
  return {
    ...journeyKey,
    ids,
    sessionToken,
    loanCase: async (): Promise<PartnerCase> => (await findMainCase(ctx.db, journeyKey))!,
    journey: async () => (await findJourney(ctx.db, tenantId, journeyId))!,
    offer: async () => (await findSelected(ctx.db, journeyKey))!,
  }
}

/** A video KYC that the provider has approved, and the lender has not reviewed. */
export function approvedVideoKyc(
  { seal, clock }: Pick<TestPlatform['ctx'], 'seal' | 'clock'>,
  { tenantId, caseRef }: Pick<PartnerCase, 'tenantId' | 'caseRef'>,
): PartnerCheck {
  const at = clock()
  const result = { type: 'KYC_UPDATED', data: { ...exampleData('KYC_UPDATED'), mode: 'VIDEO_AND_MANUAL_REVIEW' } }
  return {
    tenantId,
    caseRef,
    kind: 'kyc',
    attempt: 1,
    adapter: 'lendloom',
    provider: 'SETU',
    providerReference: 'prov-ref-1',
    urlSealed: Buffer.from('x'),
    status: 'APPROVED',
    verified: true,
    resultSealed: seal.json(result, `partner_check.result:${tenantId}:${caseRef}:kyc:1`),
    lenderReview: null,
    lenderReviewedAt: null,
    providerUpdatedAt: at,
    createdAt: at,
    updatedAt: at,
  }
}
