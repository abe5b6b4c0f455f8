// After a refusal by credit the view names the bureau: as the lender said it, or as the report was pulled for a lending partner.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmbedView } from '#contract/hosted/embed.ts'
import { faults } from '#kit/http/schema.ts'
import { reject, stop } from '#platform/application/partner/take-status.ts'
import { caseContext } from '#platform/exchange/case.ts'
import type { Evidence } from '#platform/exchange/lead.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { statementsOf } from '#test/setup/round-trips.ts'
import { viewOf } from './view.ts'

const platform = await testPlatform()
const { ctx } = platform
type Case = Awaited<ReturnType<typeof caseAt>>
type Ending = Parameters<typeof stop>[3] & Parameters<typeof reject>[3]

const look = ({ tenantId, journeyId }: { tenantId: string; journeyId: string }) =>
  viewOf(ctx, { tenantId, journeyId } as Parameters<typeof viewOf>[1], null, ctx.clock())

async function advised(of: { tenantId: string; journeyId: string }) {
  const view = await look(of)
  assert.deepEqual(faults(EmbedView, view), [])
  return [view.screen, view.advice, view.bureau]
}

/** What a pull brought, from a provider of this name. */
async function pulled(of: Case, provider: string, status: Evidence['bureau']['status'] = 'AVAILABLE') {
  const report = { reference: 'R-1', pulledAt: '2026-11-20T06:00:00.000Z', score: 540, reportData: {} }
  const evidence: Evidence = {
    bureau: { provider, status, ...report, unavailableReason: null, documents: [] },
    recommendation: { referenceId: 'r', ruleReference: 'r', decision: 'INELIGIBLE' },
  }
  const sealed = ctx.seal.json(evidence, caseContext(await of.application(), 'evidence'))
  await ctx.db`update partner_case set evidence_sealed = ${sealed} where case_ref = ${of.ids.caseRef}`
}

async function ended(of: Case, how: typeof stop | typeof reject, because: string, reason: string) {
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, of.tenantId, of.journeyId))!
    const concerned = { application: await of.application(), journey }
    await how({ ...ctx, tx, at: ctx.clock() }, concerned, because, reason as Ending)
  })
}

test('D3 §2.3: no offer because of the score: the bureau is the one that the report was pulled from', async () => {
  const of = await caseAt(platform, 'WEIGHING')
  await pulled(of, 'TRANSUNION_CIBIL')
  await ended(of, stop, 'INELIGIBLE', 'CREDIT_SCORE_TOO_LOW')
  assert.deepEqual(await advised(of), ['NOT_OFFERED', ['CREDIT'], 'CIBIL'])
})

test('D3 §2.3: no bureau is named where another thing was the reason, where none was asked, or where it is none of the four', async () => {
  const byIncome = await caseAt(platform, 'WEIGHING')
  await pulled(byIncome, 'CRIF')
  await ended(byIncome, stop, 'INELIGIBLE', 'INCOME_TOO_LOW')
  assert.deepEqual(await advised(byIncome), ['NOT_OFFERED', ['INCOME'], null])
  const notPulled = await caseAt(platform, 'WEIGHING')
  await ended(notPulled, stop, 'the bureau is away', 'CREDIT_REPORT_MISSING')
  assert.deepEqual(await advised(notPulled), ['NOT_OFFERED', ['CREDIT'], null])
  const failed = await caseAt(platform, 'WEIGHING')
  await pulled(failed, 'CRIF', 'FAILED')
  await ended(failed, stop, 'REVIEW_REQUIRED', 'CREDIT_REPORT_MISSING')
  assert.deepEqual(
    await advised(failed),
    ['NOT_OFFERED', ['CREDIT'], null],
    'a report that was not there decided nothing',
  )
  const played = await caseAt(platform, 'WEIGHING')
  await pulled(played, 'SANDBOX_BUREAU')
  await ended(played, stop, 'INELIGIBLE', 'CREDIT_SCORE_TOO_LOW')
  assert.deepEqual(await advised(played), ['NOT_OFFERED', ['CREDIT'], null])
})

test('D3 §2.4: the partner rejects by the credit report: the bureau that it names, else the one that was pulled', async () => {
  const silent = await caseAt(platform, 'REGISTERED')
  await pulled(silent, 'EQUIFAX')
  await ended(silent, reject, 'rejected: BUREAU_HISTORY', 'REJECTED_ON_CREDIT_REPORT')
  assert.deepEqual(await advised(silent), ['REJECTED', ['CREDIT'], 'EQUIFAX'])
  const named = await caseAt(platform, 'REGISTERED')
  await pulled(named, 'EQUIFAX')
  await ended(named, reject, 'rejected: OTHER, by EXPERIAN', 'REJECTED_ON_CREDIT_REPORT')
  assert.deepEqual(await advised(named), ['REJECTED', ['CREDIT'], 'EXPERIAN'])
  const other = await caseAt(platform, 'REGISTERED')
  await pulled(other, 'EQUIFAX')
  await ended(other, reject, 'rejected: OTHER', 'APPLICATION_REJECTED')
  assert.deepEqual(await advised(other), ['REJECTED', ['POLICY'], null])
})

test('a bureau is looked up by one statement, and only after a refusal by credit', async () => {
  const [byCredit, byIncome] = [await caseAt(platform, 'WEIGHING'), await caseAt(platform, 'WEIGHING')]
  await ended(byCredit, stop, 'INELIGIBLE', 'CREDIT_SCORE_TOO_LOW')
  await ended(byIncome, stop, 'INELIGIBLE', 'INCOME_TOO_LOW')
  const cost = (of: Case) => statementsOf(ctx.db, () => look(of))
  assert.equal(await cost(byCredit), (await cost(byIncome)) + 1)
})
