// Tests KYC, mandate and e-sign: their order, and that only the provider's server can complete them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bucketOf } from '@lendloom/seal/id'
import { caseWithKycDue as startCase } from '@lendloom/tests/setup/check-case'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { checkContext } from '#platform/lenders/partner/partner-check.ts'
import { withLockedCase } from '#platform/lenders/partner/reactions/lock-case.ts'
import { beginCheck } from './begin-check.ts'
import { checkResultOf } from './check-report.ts'
import { checkPollWorker } from './poll-check.ts'

const lender = await startLenderExchange()
const providers = await startProviders(0)
const platform = await testPlatform({ ...lender.env, ...sandboxProviders(providers.url) })
const { ctx } = platform
const worker = checkPollWorker(ctx)
after(() => worker.stop())

const caseWithKycDue = (stage: 'DECIDED' | 'ACCEPTED', digits: string) => startCase(platform, stage, digits)

test('D3 §1.1 rule 4, §6 rule 3: KYC does not start before the partner has confirmed the decision', async () => {
  const partnerCase = await caseWithKycDue('DECIDED', '1234')
  const page = await partnerCase.visit('kyc')
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('refresh'), '2')
  assert.match(await page.text(), /recording your acceptance/)
  assert.deepEqual(await partnerCase.checks(), [])
})

test('D3 §1.1: refuses a mandate or signature before KYC', async () => {
  const partnerCase = await caseWithKycDue('ACCEPTED', '1234')
  for (const kind of ['mandate', 'esign'] as const) assert.equal((await partnerCase.visit(kind)).status, 409)
  assert.deepEqual(await partnerCase.checks(), [])
  const badLink = await fetch(`${platform.url}/verify/${'A'.repeat(60)}`)
  assert.equal(badLink.status, 404)
  assert.match(await badLink.text(), /This link has expired or is incomplete/)
})

test('D3 §6 rule 1: only the provider’s server completes KYC', async () => {
  const partnerCase = await caseWithKycDue('ACCEPTED', '9153')
  const first = await partnerCase.visit('kyc')
  assert.equal(first.status, 302)
  assert.equal(
    (await partnerCase.visit('kyc')).headers.get('location'),
    first.headers.get('location'),
    'a second visit opens the same session',
  )
  assert.equal((await partnerCase.checks()).length, 1)
  const back = await partnerCase.visit('kyc', '?back=1')
  assert.equal(back.status, 200)
  assert.equal(await partnerCase.step('kyc'), 'READY', 'the borrower’s return does not complete the step')
  await providers.choose(first.headers.get('location')!, 'approve')
  await until('KYC has succeeded', async () => {
    await partnerCase.visit('kyc', '?back=1')
    return (await partnerCase.step('kyc')) === 'SUCCESS'
  })
  assert.equal(await partnerCase.step('eMandate'), 'READY')
  assert.match(await (await partnerCase.visit('kyc')).text(), /This step is done/)
  const reports = await partnerCase.reports()
  assert.equal(reports[0], 'KYC_UPDATED REQUESTED false')
  assert.equal(reports.at(-1), 'KYC_UPDATED APPROVED true')
})

test('D3 §6: concurrent visits of the borrower start one session', async () => {
  const partnerCase = await caseWithKycDue('ACCEPTED', '1234')
  const pages = await Promise.all(Array.from({ length: 6 }, () => partnerCase.visit('kyc')))
  assert.equal(new Set(pages.map(({ headers }) => headers.get('location'))).size, 1)
  assert.equal((await partnerCase.checks()).length, 1)
  assert.equal((await partnerCase.reports()).length, 1)
})

test('D3 §6: a repeated start of the same attempt creates no second session', async () => {
  const partnerCase = await caseWithKycDue('ACCEPTED', '1234')
  const caseKey = { tenantId: partnerCase.tenantId, caseRef: partnerCase.ids.caseRef }
  const caseAndJourney = await withLockedCase(ctx, caseKey, async (_, locked) => locked)
  const checks = [
    await beginCheck(ctx, caseAndJourney, 'kyc', undefined),
    await beginCheck(ctx, caseAndJourney, 'kyc', undefined),
  ]
  assert.deepEqual(
    checks.map(({ attempt }) => attempt),
    [1, 1],
  )
  assert.equal((await partnerCase.checks()).length, 1)
})

test('D3 §6: an active mandate is reported with its number, limit, frequency and validity', async () => {
  const partnerCase = await caseWithKycDue('ACCEPTED', '1234')
  await ctx.db`insert into step (bucket, tenant_id, journey_id, name, status, updated_at) values (${bucketOf(partnerCase.journeyId)}, ${partnerCase.tenantId}, ${partnerCase.journeyId}, 'kyc', 'SUCCESS', now())
    on conflict (bucket, tenant_id, journey_id, name) do update set status = 'SUCCESS'`
  const page = await partnerCase.visit('mandate')
  await providers.choose(page.headers.get('location')!, 'approve')
  await until('the mandate is active', async () => {
    await partnerCase.visit('mandate', '?back=1')
    return (await partnerCase.step('eMandate')) === 'SUCCESS'
  })
  const [check] = await partnerCase.checks()
  const { data } = ctx.seal.openJson<{ data: Record<string, unknown> }>(
    check!.resultSealed!,
    checkContext('result', check!),
  )
  assert.equal(data.status, 'ACTIVE')
  for (const name of ['umrn', 'maximum_amount', 'frequency', 'valid_from', 'valid_until'])
    assert.notEqual(data[name], null, name)
  assert.equal(data.maximum_amount, '35914.84', 'twice an instalment')
  assert.equal(await partnerCase.step('loanAgreement'), 'READY')
})

test('D3 §6 rule 1: rejects a callback with a wrong signature and applies a correctly signed callback once', async () => {
  const partnerCase = await caseWithKycDue('ACCEPTED', '1234')
  const page = await partnerCase.visit('kyc')
  const [check] = await partnerCase.checks()
  const forged = { id: check!.providerReference, state: 'VERIFIED' }
  const callback = `${platform.url}/api/provider/kyc/callback`
  const headers = {
    'webhook-id': 'm-1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': 'v1,AAAA',
  }
  const refused = await ask(callback, { method: 'POST', body: { event_id: 'x', sent_at: 'x', data: forged }, headers })
  assert.equal(refused.status, 401)
  assert.equal(refused.body.error.code, 'UNAUTHORIZED')
  assert.equal((await ask(callback, { method: 'POST', body: forged })).status, 401)
  assert.equal(await partnerCase.step('kyc'), 'READY')
  await providers.choose(page.headers.get('location')!, 'approve')
  await until('the callback is applied', async () => (await partnerCase.step('kyc')) === 'SUCCESS')
  const reports = await partnerCase.reports()
  assert.equal(new Set(reports).size, reports.length, reports.join(', '))
})

test('D3 §6: an unverified success does not pass a check', () => {
  assert.equal(checkResultOf('kyc', { status: 'APPROVED', verified: false }), null)
  assert.equal(checkResultOf('mandate', { status: 'ACTIVE', verified: false }), null)
  assert.equal(checkResultOf('esign', { status: 'COMPLETED', verified: false }), null)
  assert.equal(checkResultOf('kyc', { status: 'REVIEW_READY', verified: false }), null, 'REVIEW_READY does not pass')
  assert.equal(checkResultOf('mandate', { status: 'PENDING', verified: false }), null)
})
