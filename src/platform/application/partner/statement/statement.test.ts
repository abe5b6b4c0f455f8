// Bank statements over real HTTP, at both sides of the analyser: whose word counts, what stops it, and what may be declined.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import { callbackBody, signCallback } from '#contract/provider/request.ts'
import { bucketOf, uuidv4 } from '#kit/crypto/id.ts'
import { detailsContext } from '#platform/borrower/borrower.ts'
import { statementContext } from '#platform/exchange/case.ts'
import { endCase } from '#platform/exchange/channel.ts'
import { findCase, newestStatement } from '#platform/exchange/store.ts'
import { updateProfile } from '#platform/profile/store.ts'
import { lendloomStatement } from '#platform/provider/bank-statement/lendloom.ts'
import { sandboxProviders } from '#platform/provider/settings.ts'
import { findStep } from '#platform/step/store.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { until } from '#test/setup/programs.ts'
import { startProviders } from '#test/setup/providers.ts'
import { askForStatement, statementUrl } from './ask.ts'
import { pollingStatements } from './poll.ts'

const lender = await startLenderExchange()
const providers = await startProviders(0)
const env = { ...lender.env, ...sandboxProviders(providers.url) }
const optional = await testPlatform({ ...env, PARTNER_BANK_STATEMENT: 'OPTIONAL' })
const required = await testPlatform({ ...env, PARTNER_BANK_STATEMENT: 'REQUIRED' })
for (const { ctx } of [optional, required]) {
  const worker = pollingStatements(ctx)
  after(() => worker.stop())
}

/** Somebody with that PAN who took the recommendation and is asked for a statement. */
async function applicant(platform: typeof optional, digits: string) {
  const { ctx } = platform
  const of = await caseAt(platform, 'CHOSEN')
  const at = ctx.clock()
  const person = {
    personal: { mobile: '9876543210', pan: `ABCPE${digits}F`, panName: 'Asha Kulkarni', dob: '1992-02-29' },
    work: { employmentType: 'selfEmployed', companyName: 'Asha Stores', income: 85_000 },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
    bank: { accountHolderName: 'Asha Kulkarni', accountNumber: '50100123456789', ifsc: 'HDFC0000001' },
    gold: null,
  }
  const profileSealed = ctx.seal.json(person, detailsContext(of.tenantId, of.journeyId))
  const digests = { panDigest: null, emailDigest: null, officialEmailDigest: null }
  const place = { tenantId: of.tenantId, caseRef: of.ids.caseRef }
  const application = async () => (await findCase(ctx.db, place))!
  await ctx.db.tx(async (tx) => {
    await updateProfile(tx, {
      tenantId: of.tenantId,
      journeyId: of.journeyId,
      profileSealed,
      ...digests,
      updatedAt: at,
    })
    await askForStatement({ ...ctx, tx, at }, { application: await application(), journey: await of.journey() })
  })
  const url = statementUrl(ctx, place)
  const fields = { textVersion: currentConsentVersion, language: 'en' }
  return {
    ...of,
    url,
    application,
    post: (form: Record<string, string>) =>
      fetch(url, { method: 'POST', body: new URLSearchParams({ ...fields, ...form }), redirect: 'manual' }),
    statement: () => newestStatement(ctx.db, place),
    step: () => findStep(ctx.db, of, 'bankMandate'),
  }
}

test('D3 §2.3: nothing is asked of the analyser before the borrower has agreed, and two clicks begin one request', async () => {
  const of = await applicant(optional, '1234')
  const page = await fetch(of.url)
  assert.match(await page.text(), /By sharing a statement I agree/)
  assert.match(page.headers.get('cache-control') ?? '', /no-store/)
  assert.equal(await of.statement(), undefined)
  assert.equal((await of.post({ act: 'share', textVersion: 'never' })).status, 422)
  assert.equal(await of.statement(), undefined, 'a text that nobody was shown is no consent')
  const clicks = await Promise.all(Array.from({ length: 4 }, () => of.post({ act: 'share' })))
  assert.deepEqual(new Set(clicks.map(({ status }) => status)), new Set([303]))
  assert.equal(new Set(clicks.map(({ headers }) => headers.get('location'))).size, 1)
  assert.equal((await of.statement())?.attempt, 1)
  assert.equal((await fetch(`${optional.url}/statement/${'A'.repeat(60)}`)).status, 404)
})

test('D3 §2.3: the browser’s return proves nothing; the analyser’s server and its signed callback do', async () => {
  const of = await applicant(optional, '9153')
  const shared = await of.post({ act: 'share' })
  const back = await fetch(`${of.url}?back=1`)
  assert.equal(back.headers.get('refresh'), '2')
  const { providerReference } = (await of.statement())!
  const callback = `${optional.url}/api/provider/bank-statement/callback`
  const body = Buffer.from(JSON.stringify({ event_id: 'x', data: { id: providerReference, state: 'INSIGHTS_READY' } }))
  const signed = signCallback('whsec_bm90IHRoZSBzZWNyZXQgb2YgdGhlIGFuYWx5c2Vy', 'e-1', new Date(), body)
  assert.equal((await fetch(callback, { method: 'POST', headers: signed, body: new Uint8Array(body) })).status, 401)
  assert.equal((await of.statement())?.status, 'PENDING')
  await providers.choose(shared.headers.get('location')!, 'approve')
  const done = await until('the analysis', async () => {
    await fetch(`${of.url}?back=1`)
    const now = await of.statement()
    return now?.status === 'COMPLETED' && now
  })
  assert.equal((await of.step()).status, 'SUCCESS')
  const kept = optional.ctx.seal.openJson<{ figures: object }>(done.reportSealed!, statementContext('report', done))
  assert.deepEqual(kept.figures, { returnedDebits: 0, obligationsPercent: 18 })
  assert.equal((await of.post({ act: 'share' })).status, 409, 'nothing more is asked for')
  // As it looks to who read the try before the analyser's callback, and the step after it.
  await optional.ctx.db`
    update partner_statement set status = 'PENDING' where bucket = ${bucketOf(done.caseRef)} and case_ref = ${done.caseRef}`
  assert.equal((await fetch(`${of.url}?back=1`)).status, 200, 'nothing is left to do')
})

test('D3 §2.3: a callback of the analyser is taken once, and what comes of an older try changes nothing', async () => {
  const of = await applicant(optional, '9142')
  const shared = await of.post({ act: 'share' })
  const first = (await of.statement())!
  await providers.choose(shared.headers.get('location')!, 'approve')
  await until('the first try failed', async () => (await of.statement())?.status === 'FAILED')
  const { STATEMENT_CREDENTIAL, STATEMENT_CALLBACK_SECRET } = optional.ctx.config
  const report = await fetch(`${providers.url}/verification/statement/requests/${first.providerReference}`, {
    headers: { authorization: `Bearer ${STATEMENT_CREDENTIAL}` },
  })
  const body = callbackBody(uuidv4(), new Date(), (await report.json()) as object)
  const take = async () => {
    const headers = signCallback(STATEMENT_CALLBACK_SECRET, 'e-1', new Date(), body)
    const callback = `${optional.url}/api/provider/bank-statement/callback`
    assert.equal((await fetch(callback, { method: 'POST', headers, body: new Uint8Array(body) })).status, 200)
  }
  await take()
  assert.deepEqual([(await of.statement())?.status, (await of.statement())?.reason], ['FAILED', 'PDF_FRAUD_DETECTED'])
  assert.deepEqual((await of.step()).diagnostics, { problem: 'STATEMENT_TRY_AGAIN', retryable: true })
  assert.equal((await of.post({ act: 'share' })).status, 303)
  await take()
  assert.deepEqual([(await of.statement())?.attempt, (await of.statement())?.status], [2, 'PENDING'])
})

test('D3 §2.3: where it is optional the borrower goes on without; where it is a condition three failures end the application', async () => {
  const without = await applicant(optional, '1234')
  assert.equal((await without.post({ act: 'without' })).status, 200)
  assert.deepEqual([(await without.statement())?.status, (await without.step()).status], ['DECLINED', 'SUCCESS'])
  const of = await applicant(required, '9141')
  assert.doesNotMatch(await (await fetch(of.url)).text(), /Continue without a statement/)
  assert.equal((await of.post({ act: 'without' })).status, 409)
  assert.equal(await of.statement(), undefined)
  for (let tries = 1; tries <= 3; tries++) {
    const shared = await of.post({ act: 'share' })
    await providers.choose(shared.headers.get('location')!, 'approve')
    await until(`try ${tries} failed`, async () => {
      await fetch(`${of.url}?back=1`)
      const now = await of.statement()
      return now?.attempt === tries && now.status === 'FAILED'
    })
  }
  const { stage, endedBecause } = await of.application()
  assert.deepEqual([stage, endedBecause], ['ENDED', 'no usable statement: PDF_PARSE_FAILED'])
  assert.equal((await of.journey()).endReason, 'STATEMENT_MISSING')
})

test('D1 §3: an application that has ended takes no analysis any more', async () => {
  const of = await applicant(optional, '1234')
  const shared = await of.post({ act: 'share' })
  const at = new Date()
  await optional.ctx.db.tx(async (tx) => endCase(tx, await of.application(), 'the borrower withdrew', at))
  await providers.choose(shared.headers.get('location')!, 'approve')
  const { providerReference } = (await of.statement())!
  await until('the analyser is done', async () => {
    const { status } = await lendloomStatement.fetch(optional.ctx, providerReference!)
    return status === 'COMPLETED'
  })
  assert.equal((await fetch(`${of.url}?back=1`)).status, 409)
  assert.deepEqual([(await of.statement())?.status, (await of.statement())?.reportSealed], ['PENDING', null])
})
