// Tests bank statements with the sandbox analyser over real HTTP: callbacks, failed analyses and declined statements.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { callbackBody, signCallback } from '@lendloom/wire/provider/common-interface'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { endCase } from '#platform/lenders/partner/decide-case.ts'
import { statementContext } from '#platform/lenders/partner/partner-statement.ts'
import { findCase, newestStatement } from '#platform/lenders/partner/store.ts'
import { detailsContext } from '#platform/lending/borrower/borrower.ts'
import { updateProfile } from '#platform/lending/profile/store.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { lendloomStatement } from '#platform/providers/bank-statement/lendloom.ts'
import { statementPollWorker } from './poll-statement.ts'
import { askForStatement } from './request-statement.ts'
import { statementUrl } from './statement-link.ts'

const lender = await startLenderExchange()
const providers = await startProviders(0)
const env = { ...lender.env, ...sandboxProviders(providers.url) }
const optional = await testPlatform({ ...env, PARTNER_BANK_STATEMENT: 'OPTIONAL' })
const required = await testPlatform({ ...env, PARTNER_BANK_STATEMENT: 'REQUIRED' })
for (const { ctx } of [optional, required]) {
  const worker = statementPollWorker(ctx)
  after(() => worker.stop())
}

/**
 * Creates a case that asks for a statement. The PAN's digits select the analyser's behaviour: `9141` and `9142` fail the
 * analysis, `9153` sends no callback.
 */
async function caseWithStatementDue(platform: typeof optional, digits: string) {
  const { ctx } = platform
  const partnerCase = await caseAt(platform, 'CHOSEN')
  const at = ctx.clock()
  const person = {
    personal: { mobile: '9876543210', pan: `ABCPE${digits}F`, panName: 'Asha Kulkarni', dob: '1992-02-29' },
    work: { employmentType: 'selfEmployed', companyName: 'Asha Stores', income: 85_000 },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
    bank: { accountHolderName: 'Asha Kulkarni', accountNumber: '50100123456789', ifsc: 'HDFC0000001' },
    gold: null,
  }
  const profileSealed = ctx.seal.json(person, detailsContext(partnerCase.tenantId, partnerCase.journeyId))
  const digests = { panDigest: null, emailDigest: null, officialEmailDigest: null }
  const caseKey = { tenantId: partnerCase.tenantId, caseRef: partnerCase.ids.caseRef }
  const loanCase = async () => (await findCase(ctx.db, caseKey))!
  await ctx.db.tx(async (tx) => {
    await updateProfile(tx, {
      tenantId: partnerCase.tenantId,
      journeyId: partnerCase.journeyId,
      profileSealed,
      ...digests,
      updatedAt: at,
    })
    await askForStatement({ ...ctx, tx, at }, { loanCase: await loanCase(), journey: await partnerCase.journey() })
  })
  const url = statementUrl(ctx, caseKey)
  const fields = { textVersion: currentConsentVersion, language: 'en' }
  return {
    ...partnerCase,
    url,
    loanCase,
    post: (form: Record<string, string>) =>
      fetch(url, { method: 'POST', body: new URLSearchParams({ ...fields, ...form }), redirect: 'manual' }),
    statement: () => newestStatement(ctx.db, caseKey),
    step: () => findStep(ctx.db, partnerCase, 'bankMandate'),
  }
}

test('D3 §2.3: several clicks on the consent button request one analysis', async () => {
  const partnerCase = await caseWithStatementDue(optional, '1234')
  const page = await fetch(partnerCase.url)
  assert.match(await page.text(), /By sharing a statement I agree/)
  assert.match(page.headers.get('cache-control') ?? '', /no-store/)
  assert.equal(await partnerCase.statement(), undefined)
  assert.equal((await partnerCase.post({ act: 'share', textVersion: 'never' })).status, 422)
  assert.equal(await partnerCase.statement(), undefined, 'a consent to an unknown text version does not count')
  const clicks = await Promise.all(Array.from({ length: 4 }, () => partnerCase.post({ act: 'share' })))
  assert.deepEqual(new Set(clicks.map(({ status }) => status)), new Set([303]))
  assert.equal(new Set(clicks.map(({ headers }) => headers.get('location'))).size, 1)
  assert.equal((await partnerCase.statement())?.attempt, 1)
  assert.equal((await fetch(`${optional.url}/statement/${'A'.repeat(60)}`)).status, 404)
})

test('D3 §2.3: an analysis whose start our database lost is found at the analyser', async () => {
  for (const digits of ['1234', '9156']) {
    const partnerCase = await caseWithStatementDue(optional, digits)
    const { caseRef } = partnerCase.ids
    const first = await partnerCase.post({ act: 'share' })
    assert.equal(first.status, 303, digits)
    // Sets the database back to the instant before the start. The link of the step is lost with it.
    await optional.ctx.db`delete from partner_statement where case_ref = ${caseRef}`
    await optional.ctx.db`delete from provider_reference where case_ref = ${caseRef}`
    await optional.ctx.db`update step set resource_url = null, resource_url_sealed = null
      where journey_id = ${partnerCase.journeyId} and name = 'bankMandate'`
    const again = await partnerCase.post({ act: 'share' })
    assert.equal(again.status, 303, digits)
    assert.equal(again.headers.get('location'), first.headers.get('location'), digits)
    assert.equal((await partnerCase.statement())?.attempt, 1, digits)
  }
})

test('D3 §2.3: neither the browser’s return nor a wrongly signed callback completes the step', async () => {
  const partnerCase = await caseWithStatementDue(optional, '9153')
  const shared = await partnerCase.post({ act: 'share' })
  const back = await fetch(`${partnerCase.url}?back=1`)
  assert.equal(back.headers.get('refresh'), '2')
  const { providerReference } = (await partnerCase.statement())!
  const callback = `${optional.url}/api/provider/bank-statement/callback`
  const body = Buffer.from(JSON.stringify({ event_id: 'x', data: { id: providerReference, state: 'INSIGHTS_READY' } }))
  const signed = signCallback('whsec_bm90IHRoZSBzZWNyZXQgb2YgdGhlIGFuYWx5c2Vy', 'e-1', new Date(), body)
  assert.equal((await fetch(callback, { method: 'POST', headers: signed, body: new Uint8Array(body) })).status, 401)
  assert.equal((await partnerCase.statement())?.status, 'PENDING')
  await providers.choose(shared.headers.get('location')!, 'approve')
  const done = await until('the analysis', async () => {
    await fetch(`${partnerCase.url}?back=1`)
    const statement = await partnerCase.statement()
    return statement?.status === 'COMPLETED' && statement
  })
  assert.equal((await partnerCase.step()).status, 'SUCCESS')
  const evidence = optional.ctx.seal.openJson<{ figures: object }>(done.reportSealed!, statementContext('report', done))
  assert.deepEqual(evidence.figures, { returnedDebits: 0, obligationsPercent: 18 })
  assert.equal((await partnerCase.post({ act: 'share' })).status, 409, 'no statement is due any more')
  // Imitates a page request that reads the attempt before a callback and the step after that callback.
  await optional.ctx.db`
    update partner_statement set status = 'PENDING' where bucket = ${bucketOf(done.caseRef)} and case_ref = ${done.caseRef}`
  assert.equal((await fetch(`${partnerCase.url}?back=1`)).status, 200, 'the step is done')
})

test('D3 §2.3: a repeated or outdated callback changes nothing', async () => {
  const partnerCase = await caseWithStatementDue(optional, '9142')
  const shared = await partnerCase.post({ act: 'share' })
  const first = (await partnerCase.statement())!
  await providers.choose(shared.headers.get('location')!, 'approve')
  await until('the first attempt failed', async () => (await partnerCase.statement())?.status === 'FAILED')
  const { STATEMENT_CREDENTIAL, STATEMENT_CALLBACK_SECRET } = optional.ctx.config
  const report = await fetch(`${providers.url}/verification/statement/requests/${first.providerReference}`, {
    headers: { authorization: `Bearer ${STATEMENT_CREDENTIAL}` },
  })
  const body = callbackBody(uuidv4(), new Date(), (await report.json()) as object)
  const sendCallback = async () => {
    const headers = signCallback(STATEMENT_CALLBACK_SECRET, 'e-1', new Date(), body)
    const callback = `${optional.url}/api/provider/bank-statement/callback`
    assert.equal((await fetch(callback, { method: 'POST', headers, body: new Uint8Array(body) })).status, 200)
  }
  await sendCallback()
  const failed = await partnerCase.statement()
  assert.equal(failed?.status, 'FAILED')
  assert.equal(failed?.reason, 'PDF_FRAUD_DETECTED')
  assert.deepEqual((await partnerCase.step()).diagnostics, { problem: 'STATEMENT_TRY_AGAIN', retryable: true })
  assert.equal((await partnerCase.post({ act: 'share' })).status, 303)
  await sendCallback()
  const secondAttempt = await partnerCase.statement()
  assert.equal(secondAttempt?.attempt, 2)
  assert.equal(secondAttempt?.status, 'PENDING')
})

test('D3 §2.3: an application continues without a statement only if the lender does not require one', async () => {
  const declined = await caseWithStatementDue(optional, '1234')
  assert.equal((await declined.post({ act: 'without' })).status, 200)
  assert.equal((await declined.statement())?.status, 'DECLINED')
  assert.equal((await declined.step()).status, 'SUCCESS')
  const partnerCase = await caseWithStatementDue(required, '9141')
  assert.doesNotMatch(await (await fetch(partnerCase.url)).text(), /Continue without a statement/)
  assert.equal((await partnerCase.post({ act: 'without' })).status, 409)
  assert.equal(await partnerCase.statement(), undefined)
  for (let attempt = 1; attempt <= 3; attempt++) {
    const shared = await partnerCase.post({ act: 'share' })
    await providers.choose(shared.headers.get('location')!, 'approve')
    await until(`attempt ${attempt} failed`, async () => {
      await fetch(`${partnerCase.url}?back=1`)
      const statement = await partnerCase.statement()
      return statement?.attempt === attempt && statement.status === 'FAILED'
    })
  }
  const { stage, endedBecause } = await partnerCase.loanCase()
  assert.equal(stage, 'ENDED')
  assert.equal(endedBecause, 'no usable statement: PDF_PARSE_FAILED')
  assert.equal((await partnerCase.journey()).endReason, 'STATEMENT_MISSING')
})

test('D1 §3: an ended application ignores a later analysis', async () => {
  const partnerCase = await caseWithStatementDue(optional, '1234')
  const shared = await partnerCase.post({ act: 'share' })
  const at = new Date()
  await optional.ctx.db.tx(async (tx) => endCase(tx, await partnerCase.loanCase(), 'the borrower withdrew', at))
  await providers.choose(shared.headers.get('location')!, 'approve')
  const { providerReference } = (await partnerCase.statement())!
  await until('the analyser is done', async () => {
    const { status } = await lendloomStatement.fetch(optional.ctx, providerReference!)
    return status === 'COMPLETED'
  })
  assert.equal((await fetch(`${partnerCase.url}?back=1`)).status, 409)
  const statement = await partnerCase.statement()
  assert.equal(statement?.status, 'PENDING')
  assert.equal(statement?.reportSealed, null)
})
