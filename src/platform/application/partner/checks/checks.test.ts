// KYC, mandate and signature: what has to come first, whose word counts, and what a browser's return does not prove.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bucketOf } from '#kit/crypto/id.ts'
import { sentEvents } from '#kit/messaging/outbox.ts'
import { underLock } from '#platform/application/partner/case-job.ts'
import { detailsContext } from '#platform/borrower/borrower.ts'
import { checkContext } from '#platform/exchange/case.ts'
import { listChecks } from '#platform/exchange/store.ts'
import { updateProfile } from '#platform/profile/store.ts'
import { sandboxProviders } from '#platform/provider/settings.ts'
import { stepReady } from '#platform/step/move.ts'
import { findStep } from '#platform/step/store.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { until } from '#test/setup/programs.ts'
import { startProviders } from '#test/setup/providers.ts'
import { beginCheck } from './begin.ts'
import { pollingChecks } from './poll.ts'
import { endingOf } from './status-report.ts'
import { checkUrl } from './take.ts'

const lender = await startLenderExchange()
const providers = await startProviders(0)
const platform = await testPlatform({ ...lender.env, ...sandboxProviders(providers.url) })
const { ctx } = platform
const worker = pollingChecks(ctx)
after(() => worker.stop())

async function accepted(stage: 'DECIDED' | 'ACCEPTED', digits: string) {
  const of = await caseAt(platform, stage)
  const at = ctx.clock()
  const person = {
    personal: { mobile: '9876543210', pan: `ABCPE${digits}F`, panName: 'Asha Kulkarni', dob: '1992-02-29' },
    work: { employmentType: 'selfEmployed', companyName: 'Asha Stores', income: 85_000 },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
    bank: {
      accountHolderName: 'Asha Kulkarni',
      accountNumber: '50100123456789',
      ifsc: 'HDFC0000001',
      accountType: 'saving',
    },
    gold: null,
  }
  const sealed = ctx.seal.json(person, detailsContext(of.tenantId, of.journeyId))
  const digests = { panDigest: null, emailDigest: null, officialEmailDigest: null }
  await ctx.db.tx((tx) =>
    updateProfile(tx, {
      tenantId: of.tenantId,
      journeyId: of.journeyId,
      profileSealed: sealed,
      ...digests,
      updatedAt: at,
    }),
  )
  const place = { tenantId: of.tenantId, caseRef: of.ids.caseRef }
  const url = checkUrl(ctx, place, 'kyc')
  await ctx.db.tx(async (tx) => stepReady(tx, await of.journey(), { name: 'kyc', page: { url, formId: 'kyc' }, at }))
  return {
    ...of,
    visit: (kind: 'kyc' | 'mandate' | 'esign', more = '') =>
      fetch(`${checkUrl(ctx, place, kind)}${more}`, { redirect: 'manual' }),
    checks: () => listChecks(ctx.db, place),
    step: async (name: 'kyc' | 'eMandate' | 'loanAgreement') => (await findStep(ctx.db, of, name)).status,
    reports: async () =>
      (await sentEvents(ctx.db, ctx.seal, { ...place, partitionKey: place.caseRef })).map(({ raw }) => {
        const { event_type, data } = JSON.parse(raw.toString('utf8'))
        return `${event_type} ${data.status} ${data.verified}`
      }),
  }
}

test('D3 §1.1 rule 4, §6 rule 3: before the decision is recorded KYC only waits; nothing is begun at the provider', async () => {
  const of = await accepted('DECIDED', '1234')
  const page = await of.visit('kyc')
  assert.deepEqual([page.status, page.headers.get('refresh')], [200, '2'])
  assert.match(await page.text(), /recording your acceptance/)
  assert.deepEqual(await of.checks(), [])
})

test('D3 §1.1: no mandate before KYC, no signature before the mandate: each is a fact of its own', async () => {
  const of = await accepted('ACCEPTED', '1234')
  for (const kind of ['mandate', 'esign'] as const) assert.equal((await of.visit(kind)).status, 409)
  assert.deepEqual(await of.checks(), [])
  assert.equal((await fetch(`${platform.url}/verify/${'A'.repeat(60)}`)).status, 404)
})

test('D3 §6 rule 1: a redirect proves nothing; the provider’s server does, and each step opens the next', async () => {
  const of = await accepted('ACCEPTED', '9153')
  const first = await of.visit('kyc')
  assert.equal(first.status, 302)
  assert.equal((await of.visit('kyc')).headers.get('location'), first.headers.get('location'), 'the same session again')
  assert.equal((await of.checks()).length, 1)
  const back = await of.visit('kyc', '?back=1')
  assert.equal(back.status, 200)
  assert.equal(await of.step('kyc'), 'READY', 'nothing was done at the provider')
  await providers.choose(first.headers.get('location')!, 'approve')
  await until('KYC', async () => {
    await of.visit('kyc', '?back=1')
    return (await of.step('kyc')) === 'SUCCESS'
  })
  assert.equal(await of.step('eMandate'), 'READY')
  assert.match(await (await of.visit('kyc')).text(), /This step is done/)
  const reports = await of.reports()
  assert.deepEqual([reports[0], reports.at(-1)], ['KYC_UPDATED REQUESTED false', 'KYC_UPDATED APPROVED true'])
})

test('D3 §6: two visits at once begin one session', async () => {
  const of = await accepted('ACCEPTED', '1234')
  const pages = await Promise.all(Array.from({ length: 6 }, () => of.visit('kyc')))
  assert.equal(new Set(pages.map(({ headers }) => headers.get('location'))).size, 1)
  assert.equal((await of.checks()).length, 1)
  assert.equal((await of.reports()).length, 1)
})

test('D3 §6: a visit that saw no session begins the one that another visit has begun meanwhile', async () => {
  const of = await accepted('ACCEPTED', '1234')
  const place = { tenantId: of.tenantId, caseRef: of.ids.caseRef }
  const concerned = await underLock(ctx, place, async (_, found) => found)
  const begun = [await beginCheck(ctx, concerned, 'kyc', undefined), await beginCheck(ctx, concerned, 'kyc', undefined)]
  assert.deepEqual(
    begun.map(({ attempt }) => attempt),
    [1, 1],
  )
  assert.equal((await of.checks()).length, 1)
})

test('D3 §6: a mandate is told with its number, limit, frequency and validity, and only then it is active', async () => {
  const of = await accepted('ACCEPTED', '1234')
  await ctx.db`insert into step (bucket, tenant_id, journey_id, name, status, updated_at) values (${bucketOf(of.journeyId)}, ${of.tenantId}, ${of.journeyId}, 'kyc', 'SUCCESS', now())
    on conflict (bucket, tenant_id, journey_id, name) do update set status = 'SUCCESS'`
  const page = await of.visit('mandate')
  await providers.choose(page.headers.get('location')!, 'approve')
  await until('the mandate', async () => {
    await of.visit('mandate', '?back=1')
    return (await of.step('eMandate')) === 'SUCCESS'
  })
  const [check] = await of.checks()
  const { data } = ctx.seal.openJson<{ data: Record<string, unknown> }>(
    check!.resultSealed!,
    checkContext('result', check!),
  )
  assert.equal(data.status, 'ACTIVE')
  for (const name of ['umrn', 'maximum_amount', 'frequency', 'valid_from', 'valid_until'])
    assert.notEqual(data[name], null, name)
  assert.equal(data.maximum_amount, '35914.84', 'twice an instalment')
  assert.equal(await of.step('loanAgreement'), 'READY')
})

test('D3 §6 rule 1: a callback counts by its signature alone, once, and never backwards', async () => {
  const of = await accepted('ACCEPTED', '1234')
  const page = await of.visit('kyc')
  const [check] = await of.checks()
  const forged = { id: check!.providerReference, state: 'VERIFIED' }
  const callback = `${platform.url}/api/provider/kyc/callback`
  const headers = {
    'webhook-id': 'm-1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': 'v1,AAAA',
  }
  const refused = await ask(callback, { method: 'POST', body: { event_id: 'x', sent_at: 'x', data: forged }, headers })
  assert.deepEqual([refused.status, refused.body.error.code], [401, 'UNAUTHORIZED'])
  assert.equal((await ask(callback, { method: 'POST', body: forged })).status, 401)
  assert.equal(await of.step('kyc'), 'READY')
  await providers.choose(page.headers.get('location')!, 'approve')
  await until('the callback', async () => (await of.step('kyc')) === 'SUCCESS')
  const reports = await of.reports()
  assert.equal(new Set(reports).size, reports.length, reports.join(', '))
})

test('D3 §6: success that is not verified is none', () => {
  assert.equal(endingOf('kyc', { status: 'APPROVED', verified: false }), null)
  assert.equal(endingOf('mandate', { status: 'ACTIVE', verified: false }), null)
  assert.equal(endingOf('esign', { status: 'COMPLETED', verified: false }), null)
  assert.equal(endingOf('kyc', { status: 'REVIEW_READY', verified: false }), null, 'ready for review opens nothing')
  assert.equal(endingOf('mandate', { status: 'PENDING', verified: false }), null)
})
