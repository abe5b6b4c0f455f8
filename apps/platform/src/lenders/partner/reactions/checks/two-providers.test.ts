// Tests two e-sign providers in use at once. Each application has its own provider, and a session keeps its provider.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { sentEvents } from '@lendloom/event-log/outbox'
import { configFrom } from '@lendloom/foundation/config'
import { bucketOf } from '@lendloom/seal/id'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import { startReplay } from '@lendloom/tests/setup/replay'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { uploadWorker } from '#platform/lenders/partner/reactions/upload-files.ts'
import { newestCheck } from '#platform/lenders/partner/store.ts'
import { detailsContext } from '#platform/lending/borrower/borrower.ts'
import { updateProfile } from '#platform/lending/profile/store.ts'
import { markStepReady } from '#platform/lending/step/move-step.ts'
import { findStep } from '#platform/lending/step/store.ts'
import recordings from '#platform/providers/esign/cashfree.recordings.json' with { type: 'json' }
import { providerSettings } from '#platform/providers/settings.ts'
import { urlOfCheck } from './check-link.ts'
import { fetchCheckReport } from './poll-check.ts'

const { requests, answers, webhook } = recordings
const uploaded = { request: requests.upload, response: answers.uploaded }
const created = { request: requests.create, response: answers.created }
const inProgress = { request: requests.status, response: answers['in progress'] }
const signed = [
  { request: requests.status, response: answers.success },
  { request: requests['signed file'], response: answers['signed file'] },
]

/** The id of the second sandbox tenant's application, for which the settings choose Cashfree. */
const application = '01930000-0000-7000-8000-000000000022'
const lender = await startLenderExchange()
const providers = await startProviders(0)
const cashfree = await startReplay()
const platform = await testPlatform({
  ...lender.env,
  ...sandboxProviders(providers.url),
  CASHFREE_URL: `${cashfree.origin}/verification`,
  CASHFREE_CLIENT_ID: 'client-id',
  CASHFREE_CLIENT_SECRET: 'client-secret',
  PROVIDER_SECONDS: '1',
  PROVIDER_CHOICES: JSON.stringify([{ kind: 'esign', application, lender: 'CELESTIUM', use: 'cashfree' }]),
})
const { ctx } = platform
const worker = uploadWorker(ctx)
after(() => worker.stop())

/** Creates a tenant's case whose next step is the signature of the agreement. */
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
    await markStepReady({ ...ctx, tx }, await partnerCase.journey(), {
      name: 'loanAgreement',
      page: { url: pageUrl(), formId: 'esign' },
      at,
    })
  })
  const caseKey = { tenantId, caseRef: partnerCase.ids.caseRef }
  function pageUrl() {
    return urlOfCheck(ctx, { tenantId, caseRef: partnerCase.ids.caseRef }, 'esign')
  }
  return {
    ...partnerCase,
    visit: (query = '') => fetch(`${pageUrl()}${query}`, { redirect: 'manual' }),
    check: async () => (await newestCheck(ctx.db, caseKey, 'esign'))!,
    step: async () => (await findStep(ctx.db, partnerCase, 'loanAgreement')).status,
    reports: async () =>
      (await sentEvents(ctx.db, ctx.seal, { tenantId, partitionKey: partnerCase.ids.caseRef })).map(({ raw }) => {
        const { data } = JSON.parse(raw.toString('utf8'))
        return `${data.provider} ${data.status} ${data.verified}`
      }),
  }
}

/** Sends Cashfree's recorded webhook with a signature as Cashfree makes it. */
function sendWebhook(path: string, verificationId: string, secret = 'client-secret'): Promise<Response> {
  const body = JSON.stringify(webhook).replace('{{verification_id}}', verificationId)
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', secret)
    .update(timestamp + body)
    .digest('base64')
  const headers = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature }
  return fetch(`${platform.url}/api/provider/${path}/callback`, { method: 'POST', body, headers })
}

test('D3 §6: callbacks, polls and files use the e-sign provider that is stored with the session', async () => {
  const sandboxCase = await caseToSign(platform.tenant)
  const cashfreeCase = await caseToSign(platform.secondTenant)
  const sandboxPage = (await sandboxCase.visit()).headers.get('location')!
  assert.ok(sandboxPage.startsWith(providers.url))
  cashfree.expect(uploaded, created, inProgress)
  const cashfreePage = (await cashfreeCase.visit()).headers.get('location')!
  assert.ok(cashfreePage.startsWith('https://forms.cashfree.com/verification/'))
  assert.equal(
    (await cashfreeCase.visit()).headers.get('location'),
    cashfreePage,
    'a repeated visit opens the same request',
  )
  cashfree.check()
  const sandboxCheck = await sandboxCase.check()
  const cashfreeCheck = await cashfreeCase.check()
  assert.equal(sandboxCheck.adapter, 'lendloom')
  assert.equal(sandboxCheck.provider, 'SANDBOX_ESIGN')
  assert.equal(cashfreeCheck.adapter, 'cashfree')
  assert.equal(cashfreeCheck.provider, 'CASHFREE')

  const { PROVIDER_CHOICES } = configFrom({ PROVIDER_CHOICES: providerSettings.PROVIDER_CHOICES }, {})
  const changedContext = { ...ctx, config: { ...ctx.config, PROVIDER_CHOICES } }
  cashfree.expect(inProgress)
  assert.equal(
    (await fetchCheckReport(changedContext, cashfreeCheck)).status,
    'REQUESTED',
    'a changed choice does not affect a started session',
  )
  cashfree.check()

  await providers.choose(sandboxPage, 'approve')
  await until('the sandbox agreement is signed', async () => (await sandboxCase.step()) === 'SUCCESS')
  assert.equal(await cashfreeCase.step(), 'READY')
  assert.equal((await sendWebhook('esign/cashfree', cashfreeCheck.providerReference, 'another')).status, 401)
  assert.equal(
    (await sendWebhook('esign', cashfreeCheck.providerReference)).status,
    401,
    'a signature in the other provider’s scheme',
  )
  cashfree.expect(inProgress)
  assert.equal(
    (await sendWebhook('esign/cashfree', sandboxCheck.providerReference)).status,
    404,
    'a session of the other provider',
  )
  cashfree.expect('silence')
  assert.equal(
    (await sendWebhook('esign/cashfree', cashfreeCheck.providerReference)).status,
    503,
    'answers 503 while Cashfree is silent, so that the webhook is sent again',
  )
  assert.equal(await cashfreeCase.step(), 'READY')

  cashfree.expect(...signed, ...signed)
  assert.equal((await sendWebhook('esign/cashfree', cashfreeCheck.providerReference)).status, 200)
  assert.equal(await cashfreeCase.step(), 'SUCCESS')
  const reports = await cashfreeCase.reports()
  assert.deepEqual(reports, ['CASHFREE REQUESTED false', 'CASHFREE COMPLETED true'])
  assert.deepEqual(await sandboxCase.reports(), ['SANDBOX_ESIGN REQUESTED false', 'SANDBOX_ESIGN COMPLETED true'])
  const files = () => lender.requests.filter(({ raw }) => raw.includes(answers['signed file'].body))
  await until('the signed file is uploaded', () => files().length > 0)
  cashfree.check()
  cashfree.expect(...signed)
  assert.equal((await sendWebhook('esign/cashfree', cashfreeCheck.providerReference)).status, 200)
  assert.deepEqual(await cashfreeCase.reports(), reports, 'a repeated webhook reports nothing new')
  assert.match(await (await cashfreeCase.visit('?back=1&verification_id=1')).text(), /This step is done/)
  // Cashfree appends its query with a question mark, even to a URL that already has a query.
  assert.match(await (await cashfreeCase.visit('?back=1?verification_id=1')).text(), /This step is done/)
  cashfree.check()
})
