// After a rejection for credit reasons, the view names the bureau that the lender reported or that we queried.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { statementsOf } from '@lendloom/tests/setup/round-trips'
import { EmbedView } from '@lendloom/wire/hosted/embed-view'
import type { Evidence } from '#platform/lenders/partner/lead.ts'
import { caseContext } from '#platform/lenders/partner/loan-case.ts'
import { endBeforeLead, endRejectedCase } from '#platform/lenders/partner/reactions/end-application.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { pageViewOf } from './page-view.ts'

const platform = await testPlatform()
const { ctx } = platform
type PartnerCase = Awaited<ReturnType<typeof caseAt>>
type EndReason = Parameters<typeof endBeforeLead>[3] & Parameters<typeof endRejectedCase>[3]

const readView = ({ tenantId, journeyId }: { tenantId: string; journeyId: string }) =>
  pageViewOf(ctx, { tenantId, journeyId } as Parameters<typeof pageViewOf>[1], null, ctx.clock())

async function screenAndAdvice(partnerCase: { tenantId: string; journeyId: string }) {
  const view = await readView(partnerCase)
  assert.deepEqual(faults(EmbedView, view), [])
  return { screen: view.screen, advice: view.advice, bureau: view.bureau }
}

/** Stores the result of a bureau query at this provider. */
async function storeReport(
  partnerCase: PartnerCase,
  provider: string,
  status: Evidence['bureau']['status'] = 'AVAILABLE',
) {
  const report = { reference: 'R-1', pulledAt: '2026-11-20T06:00:00.000Z', score: 540, reportData: {} }
  const evidence: Evidence = {
    bureau: { provider, status, ...report, unavailableReason: null, documents: [] },
    recommendation: { referenceId: 'r', ruleReference: 'r', decision: 'INELIGIBLE' },
  }
  const sealed = ctx.seal.json(evidence, caseContext(await partnerCase.loanCase(), 'evidence'))
  await ctx.db`update partner_case set evidence_sealed = ${sealed} where case_ref = ${partnerCase.ids.caseRef}`
}

async function endCase(
  partnerCase: PartnerCase,
  end: typeof endBeforeLead | typeof endRejectedCase,
  internalReason: string,
  reasonCode: string,
) {
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, partnerCase.tenantId, partnerCase.journeyId))!
    const caseAndJourney = { loanCase: await partnerCase.loanCase(), journey }
    await end({ ...ctx, tx, at: ctx.clock() }, caseAndJourney, internalReason, reasonCode as EndReason)
  })
}

test('D3 §2.3: after a low credit score the view names the bureau that was queried', async () => {
  const partnerCase = await caseAt(platform, 'WEIGHING')
  await storeReport(partnerCase, 'TRANSUNION_CIBIL')
  await endCase(partnerCase, endBeforeLead, 'INELIGIBLE', 'CREDIT_SCORE_TOO_LOW')
  assert.deepEqual(await screenAndAdvice(partnerCase), { screen: 'NOT_OFFERED', advice: ['CREDIT'], bureau: 'CIBIL' })
})

test('D3 §2.3: the view names no bureau unless the report of a known bureau was the reason', async () => {
  const lowIncome = await caseAt(platform, 'WEIGHING')
  await storeReport(lowIncome, 'CRIF')
  await endCase(lowIncome, endBeforeLead, 'INELIGIBLE', 'INCOME_TOO_LOW')
  assert.deepEqual(await screenAndAdvice(lowIncome), { screen: 'NOT_OFFERED', advice: ['INCOME'], bureau: null })
  const withoutReport = await caseAt(platform, 'WEIGHING')
  await endCase(withoutReport, endBeforeLead, 'the bureau is unavailable', 'CREDIT_REPORT_MISSING')
  assert.deepEqual(await screenAndAdvice(withoutReport), { screen: 'NOT_OFFERED', advice: ['CREDIT'], bureau: null })
  const failedReport = await caseAt(platform, 'WEIGHING')
  await storeReport(failedReport, 'CRIF', 'FAILED')
  await endCase(failedReport, endBeforeLead, 'REVIEW_REQUIRED', 'CREDIT_REPORT_MISSING')
  assert.deepEqual(
    await screenAndAdvice(failedReport),
    { screen: 'NOT_OFFERED', advice: ['CREDIT'], bureau: null },
    'a missing report was not the basis of the decision',
  )
  const sandboxCase = await caseAt(platform, 'WEIGHING')
  await storeReport(sandboxCase, 'SANDBOX_BUREAU')
  await endCase(sandboxCase, endBeforeLead, 'INELIGIBLE', 'CREDIT_SCORE_TOO_LOW')
  assert.deepEqual(await screenAndAdvice(sandboxCase), { screen: 'NOT_OFFERED', advice: ['CREDIT'], bureau: null })
})

test('D3 §2.4: after a rejection on credit the view names the partner’s or the queried bureau', async () => {
  const withoutBureau = await caseAt(platform, 'REGISTERED')
  await storeReport(withoutBureau, 'EQUIFAX')
  await endCase(withoutBureau, endRejectedCase, 'rejected: BUREAU_HISTORY', 'REJECTED_ON_CREDIT_REPORT')
  assert.deepEqual(await screenAndAdvice(withoutBureau), { screen: 'REJECTED', advice: ['CREDIT'], bureau: 'EQUIFAX' })
  const withBureau = await caseAt(platform, 'REGISTERED')
  await storeReport(withBureau, 'EQUIFAX')
  await endCase(withBureau, endRejectedCase, 'rejected: OTHER, by EXPERIAN', 'REJECTED_ON_CREDIT_REPORT')
  assert.deepEqual(await screenAndAdvice(withBureau), { screen: 'REJECTED', advice: ['CREDIT'], bureau: 'EXPERIAN' })
  const otherReason = await caseAt(platform, 'REGISTERED')
  await storeReport(otherReason, 'EQUIFAX')
  await endCase(otherReason, endRejectedCase, 'rejected: OTHER', 'APPLICATION_REJECTED')
  assert.deepEqual(await screenAndAdvice(otherReason), { screen: 'REJECTED', advice: ['POLICY'], bureau: null })
})

test('the view reads the bureau with one more statement, and only after a rejection on credit', async () => {
  const lowScore = await caseAt(platform, 'WEIGHING')
  const lowIncome = await caseAt(platform, 'WEIGHING')
  await endCase(lowScore, endBeforeLead, 'INELIGIBLE', 'CREDIT_SCORE_TOO_LOW')
  await endCase(lowIncome, endBeforeLead, 'INELIGIBLE', 'INCOME_TOO_LOW')
  const countStatements = (partnerCase: PartnerCase) => statementsOf(ctx.db, () => readView(partnerCase))
  assert.equal(await countStatements(lowScore), (await countStatements(lowIncome)) + 1)
})
