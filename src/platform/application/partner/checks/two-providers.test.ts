// Two e-sign providers: each application uses its own, and a session finishes with the provider that started it.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { bucketOf } from '#kit/crypto/id.ts'
import { sentEvents } from '#kit/messaging/outbox.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { uploadWorker } from '#platform/application/partner/uploading.ts'
import { detailsContext } from '#platform/borrower/borrower.ts'
import { newestCheck } from '#platform/exchange/store.ts'
import { updateProfile } from '#platform/profile/store.ts'
import recordings from '#platform/provider/esign/cashfree.recordings.json' with { type: 'json' }
import { providerSettings, sandboxProviders } from '#platform/provider/settings.ts'
import { stepReady } from '#platform/step/move.ts'
import { findStep } from '#platform/step/store.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { until } from '#test/setup/programs.ts'
import { startProviders } from '#test/setup/providers.ts'
import { startReplay } from '#test/setup/replay.ts'
import { statusAt } from './poll.ts'
import { checkUrl } from './take.ts'

const { requests, answers, webhook } = recordings
const uploaded = { request: requests.upload, response: answers.uploaded }
const created = { request: requests.create, response: answers.created }
const inProgress = { request: requests.status, response: answers['in progress'] }
const signed = [
  { request: requests.status, response: answers.success },
  { request: requests['signed file'], response: answers['signed file'] },
]

/** Application of the second sandbox tenant. */
const application = '01930000-0000-7000-8000-000000000022'
const lender = await startLenderExchange()
const providers = await startProviders(0)
const vendor = await startReplay()
const platform = await testPlatform({
  ...lender.env,
  ...sandboxProviders(providers.url),
  CASHFREE_URL: `${vendor.origin}/verification`,
  CASHFREE_CLIENT_ID: 'client-id',
  CASHFREE_CLIENT_SECRET: 'client-secret',
  PROVIDER_SECONDS: '1',
  PROVIDER_CHOICES: JSON.stringify([{ kind: 'esign', application, lender: 'CELESTIUM', use: 'cashfree' }]),
})
const { ctx } = platform
const worker = uploadWorker(ctx)
after(() => worker.stop())

/** A tenant's case whose next step is to sign the agreement. */
async function caseToSign(tenant: typeof platform.tenant) {
  const partnerCase = await caseAt({ ...platform, tenant }, 'ACCEPTED')
  const at = ctx.clock()
  const person = {
    personal: {
      mobile: '9876543210',
      pan: 'ABCPE1234F',
      panName: 'Asha Kulkarni',
      dob: '1992-02-29',
      personalEmail: 'asha@example.com',
    },
    work: { employmentType: 'selfEmployed', companyName: 'Asha Stores', income: 85_000 },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
    bank: null,
    gold: null,
  }
  const { tenantId, journeyId } = partnerCase
  await ctx.db.tx(async (tx) => {
    await updateProfile(tx, {
      tenantId,
      journeyId,
      profileSealed: ctx.seal.json(person, detailsContext(tenantId, journeyId)),
      panDigest: null,
      emailDigest: null,
      officialEmailDigest: null,
      updatedAt: at,
    })
    for (const name of ['kyc', 'eMandate'])
      await tx`insert into step ${tx({ bucket: bucketOf(journeyId), tenantId, journeyId, name, status: 'SUCCESS', updatedAt: at })}
        on conflict (bucket, tenant_id, journey_id, name) do update set status = 'SUCCESS'`
    await stepReady(tx, await partnerCase.journey(), {
      name: 'loanAgreement',
      page: { url: url(), formId: 'esign' },
      at,
    })
  })
  const caseKey = { tenantId, caseRef: partnerCase.ids.caseRef }
  function url() {
    return checkUrl(ctx, { tenantId, caseRef: partnerCase.ids.caseRef }, 'esign')
  }
  return {
    ...partnerCase,
    visit: (more = '') => fetch(`${url()}${more}`, { redirect: 'manual' }),
    check: async () => (await newestCheck(ctx.db, caseKey, 'esign'))!,
    step: async () => (await findStep(ctx.db, partnerCase, 'loanAgreement')).status,
    reports: async () =>
      (await sentEvents(ctx.db, ctx.seal, { tenantId, partitionKey: partnerCase.ids.caseRef })).map(({ raw }) => {
        const { data } = JSON.parse(raw.toString('utf8'))
        return `${data.provider} ${data.status} ${data.verified}`
      }),
  }
}

function call(path: string, verificationId: string, secret = 'client-secret'): Promise<Response> {
  const body = JSON.stringify(webhook).replace('{{verification_id}}', verificationId)
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', secret)
    .update(timestamp + body)
    .digest('base64')
  const headers = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature }
  return fetch(`${platform.url}/api/provider/${path}/callback`, { method: 'POST', body, headers })
}

test('D3 §6: callbacks, polls and files use the e-sign provider that is stored with the session', async () => {
  const [ours, theirs] = [await caseToSign(platform.tenant), await caseToSign(platform.secondTenant)]
  const own = (await ours.visit()).headers.get('location')!
  assert.ok(own.startsWith(providers.url))
  vendor.expect(uploaded, created, inProgress)
  const page = (await theirs.visit()).headers.get('location')!
  assert.ok(page.startsWith('https://forms.cashfree.com/verification/'))
  assert.equal((await theirs.visit()).headers.get('location'), page, 'a repeated visit opens the same request')
  vendor.check()
  const [first, second] = [await ours.check(), await theirs.check()]
  assert.deepEqual([first.adapter, first.provider], ['lendloom', 'SANDBOX_ESIGN'])
  assert.deepEqual([second.adapter, second.provider], ['cashfree', 'CASHFREE'])

  const { PROVIDER_CHOICES } = configFrom({ PROVIDER_CHOICES: providerSettings.PROVIDER_CHOICES }, {})
  const changed = { ...ctx, config: { ...ctx.config, PROVIDER_CHOICES } }
  vendor.expect(inProgress)
  assert.equal(
    (await statusAt(changed, second)).status,
    'REQUESTED',
    'a changed choice does not affect a started session',
  )
  vendor.check()

  await providers.choose(own, 'approve')
  await until('our agreement is signed', async () => (await ours.step()) === 'SUCCESS')
  assert.equal(await theirs.step(), 'READY')
  assert.equal((await call('esign/cashfree', second.providerReference, 'another')).status, 401)
  assert.equal((await call('esign', second.providerReference)).status, 401, 'signed in the other provider’s scheme')
  vendor.expect(inProgress)
  assert.equal((await call('esign/cashfree', first.providerReference)).status, 404, 'a request at the other provider')
  vendor.expect('silence')
  assert.equal((await call('esign/cashfree', second.providerReference)).status, 503, 'the provider may retry')
  assert.equal(await theirs.step(), 'READY')

  vendor.expect(...signed, ...signed)
  assert.equal((await call('esign/cashfree', second.providerReference)).status, 200)
  assert.equal(await theirs.step(), 'SUCCESS')
  const reports = await theirs.reports()
  assert.deepEqual(reports, ['CASHFREE REQUESTED false', 'CASHFREE COMPLETED true'])
  assert.deepEqual(await ours.reports(), ['SANDBOX_ESIGN REQUESTED false', 'SANDBOX_ESIGN COMPLETED true'])
  const files = () => lender.requests.filter(({ raw }) => raw.includes(answers['signed file'].body))
  await until('the signed file', () => files().length > 0)
  vendor.check()
  vendor.expect(...signed)
  assert.equal((await call('esign/cashfree', second.providerReference)).status, 200)
  assert.deepEqual(await theirs.reports(), reports, 'a repeated webhook reports nothing new')
  assert.match(await (await theirs.visit('?back=1&verification_id=1')).text(), /This step is done/)
  assert.match(await (await theirs.visit('?back=1?verification_id=1')).text(), /This step is done/)
  vendor.check()
})
