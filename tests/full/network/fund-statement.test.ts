// A borrower fetches a statement of mutual funds from the registrars, between real programs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maxAttempts } from '@lendloom/platform/src/lending/fund-statement/fund-statement.ts'
import { findFundStatement } from '@lendloom/platform/src/lending/fund-statement/store.ts'
import { portfolioOf } from '@lendloom/platform/src/lending/portfolio/store.ts'
import { readForm } from '@lendloom/wire/network/html-form'
import { application, type Borrower, call, consents, enter, newApplicant, readView } from '#test/setup/borrower.ts'
import { ask } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()

interface PageOptions {
  mfc?: object
}

/** Opens the hosted page of a loan against mutual funds, before the search. */
async function openFundsPage({ mfc }: PageOptions = {}): Promise<Borrower> {
  const { borrowerProviderID, profile } = newApplicant()
  const { profile: person, workProfile: work, address } = application('ABCPE1234F')
  const path = `/api/v1/hybrid/lamf/borrowers/${borrowerProviderID}/journey`
  const body = { personal: { ...profile, ...person }, work, address, ...(mfc && { mfc }) }
  const started = await ask(`${programs.platformUrl}${path}`, { method: 'POST', key: programs.tenant.apiKey, body })
  assert.equal(started.status, 201, JSON.stringify(started.body))
  return enter(programs.platformUrl, started.body.data.embed_url, 'ABCPE1234F')
}

const startFetch = (borrower: Borrower, body: object = {}) => call(borrower, 'POST', '/funds', body)

interface Page {
  text: string
  url: string
}

async function pageAt(response: Response): Promise<Page> {
  return { text: await response.text(), url: response.url }
}

/** Submits a form of MF Central with some fields replaced. Does not follow the redirect. */
async function press({ text, url }: Page, outcome: string, values: Record<string, string> = {}): Promise<Response> {
  const form = readForm(text, url)
  const body = new URLSearchParams()
  for (const { name, value } of form.fields) if (name !== 'outcome') body.append(name, values[name] ?? value ?? '')
  // `readForm` ignores checkboxes, so the checked ones are added here.
  for (const [, amc = ''] of text.matchAll(/name="amc" value="([^"]+)" checked/g)) body.append('amc', amc)
  body.append('outcome', outcome)
  return fetch(form.action, { method: 'POST', body, redirect: 'manual' })
}

/** Completes the pages of MF Central and returns the URL of the redirect back. */
async function visit(url: string, outcome: 'share' | 'decline' | 'nothing'): Promise<string> {
  const afterOtp = await press(await pageAt(await fetch(url)), 'prove')
  const redirect = await press(await pageAt(afterOtp), outcome)
  return redirect.headers.get('location') ?? assert.fail(`the visit ended with ${redirect.status}`)
}

const waitForState = (borrower: Borrower, expected: string) =>
  until(`the statement to be ${expected}`, async () => {
    const { funds } = await readView(borrower)
    return funds?.standing === expected && funds
  })

describe('D1 §4, FIS12 §10.1: a statement of mutual funds is fetched from the registrars', { concurrency: 3 }, () => {
  test('after consent at MF Central the holdings are shown and sent to lenders, who make offers on them', async () => {
    const borrower = await openFundsPage()
    assert.deepEqual(borrower.view.funds, { registrar: 'MF Central', standing: 'NONE', fault: null })
    assert.deepEqual(borrower.view.holdings, [])
    const started = await startFetch(borrower)
    assert.equal(started.status, 200, JSON.stringify(started.body))
    assert.equal(borrower.view.funds?.standing, 'PENDING', JSON.stringify(started.body))
    // The personal data in the URL is encrypted for MF Central.
    assert.doesNotMatch(started.body.url, /ABCPE1234F|\+91/)
    const returnUrl = await visit(started.body.url, 'share')
    assert.match(returnUrl, /\?status=success&reqId=\d+&type=SUMMARY$/)
    assert.match(await (await fetch(returnUrl)).text(), /We are getting your statement from the registrar now/)
    assert.deepEqual(await waitForState(borrower, 'READY'), {
      registrar: 'MF Central',
      standing: 'READY',
      fault: null,
    })
    const { holdings } = borrower.view
    assert.deepEqual(
      holdings.map(({ name, kind, free }) => ({ name, kind, hasFreeUnits: Number(free) > 0 })),
      [
        { name: 'Shakti Flexi Cap Fund, growth', kind: 'equity', hasFreeUnits: true },
        { name: 'Shakti ELSS Tax Saver, growth', kind: 'elss', hasFreeUnits: false },
        { name: 'Nidhi Corporate Bond Fund, growth', kind: 'debt', hasFreeUnits: true },
      ],
    )
    const key = { tenantId: programs.tenant.tenantId, journeyId: borrower.journeyId }
    const stored = await portfolioOf(programs.db, programs, key)
    assert.equal(stored?.pan, 'ABCPE1234F')
    assert.deepEqual(stored?.notUnderstood, [])
    const bond = stored?.holdings.find(({ schemeCode }) => schemeCode === 'NDH-DEBT-G')
    assert.equal(bond?.registrar, 'KFIN')
    assert.equal(bond?.nav, '40.1234')
    await call(borrower, 'PUT', '/profile', { endUse: 'education' })
    await call(borrower, 'POST', '/profile/submit', consents('bureau', 'data_sharing'))
    await until('the offer of a lender that reads statements', async () => {
      const { offers } = await readView(borrower)
      return offers.some(({ lenderName, schemes }) => lenderName === 'Meridian Finance' && schemes.length === 2)
    })
    assert.equal(borrower.view.funds, null)
    const { consents: consentList } = (await call(borrower, 'GET', '/consents')).body
    assert.equal(consentList.atRegistrar.registrar, 'MF Central')
    assert.equal((await startFetch(borrower)).body.error.code, 'STATE_PRECONDITION_FAILED')
  })

  for (const [outcome, fault] of [
    ['decline', 'DECLINED'],
    ['nothing', 'NO_FUNDS'],
  ] as const)
    test(`a visit to MF Central that ends with ${outcome} shows the reason and can be repeated`, async () => {
      const borrower = await openFundsPage()
      const { url } = (await startFetch(borrower)).body
      assert.match(await visit(url, outcome), /status=failure/)
      assert.equal((await waitForState(borrower, 'FAILED')).fault, fault)
      const again = await startFetch(borrower)
      assert.equal(again.status, 200)
      assert.equal(again.body.view.funds.standing, 'PENDING')
      await visit(again.body.url, 'share')
      await call(borrower, 'POST', '/funds/look', {})
      await waitForState(borrower, 'READY')
    })

  test('a wrong one-time password is reported on its page, and the first decision is final', async () => {
    const borrower = await openFundsPage()
    const { url } = (await startFetch(borrower)).body
    const first = await pageAt(await fetch(url))
    const wrong = await press(first, 'prove', { otp: '000000' })
    assert.equal(wrong.status, 400)
    assert.match(await wrong.text(), /Entered OTP appears to be incorrect/)
    const choose = await pageAt(await press(first, 'prove'))
    await press(choose, 'share')
    assert.match((await press(choose, 'decline')).headers.get('location') ?? '', /status=success/)
    await waitForState(borrower, 'READY')
    assert.equal((await fetch(`${url.split('data=')[0]}data=00:11`)).status, 400)
  })

  test('an unknown mobile number is reported at its field, and no fetch starts', async () => {
    const borrower = await openFundsPage()
    const refused = await startFetch(borrower, { contactNumber: '9876540000' })
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.error.details.fields, [
      { path: 'contactNumber', message: 'is not the number that MF Central has for this PAN' },
    ])
    const malformed = await startFetch(borrower, { contactNumber: '12' })
    assert.equal(malformed.body.error.details.fields[0].path, 'contactNumber')
    assert.equal((await readView(borrower)).funds?.standing, 'NONE')
    assert.equal((await startFetch(borrower, { contactNumber: '98765 43210' })).status, 200)
  })

  test('only the latest attempt counts, and attempts are limited', async () => {
    const borrower = await openFundsPage()
    const { url: older } = (await startFetch(borrower)).body
    const { url: newer } = (await startFetch(borrower)).body
    await visit(older, 'decline')
    await visit(newer, 'share')
    await waitForState(borrower, 'READY')
    const key = { tenantId: programs.tenant.tenantId, journeyId: borrower.journeyId }
    for (let attempt = 3; attempt <= maxAttempts; attempt++) assert.equal((await startFetch(borrower)).status, 200)
    assert.equal((await startFetch(borrower)).status, 409)
    assert.equal((await findFundStatement(programs.db, key))?.attempt, maxAttempts)
  })

  test('holdings from the app are shown at once and can be fetched again', async () => {
    const holding = { isin: 'INF000A01011', folio: '1', rtaCode: 'CAMS', amc: 'S', nav: '10', closingBalance: '5.000' }
    const borrower = await openFundsPage({ mfc: { data: [{ dtSummary: [holding] }] } })
    assert.equal(borrower.view.funds?.standing, 'READY')
    assert.equal(borrower.view.holdings.length, 1)
    await visit((await startFetch(borrower)).body.url, 'share')
    await until('the new statement', async () => (await readView(borrower)).holdings.length === 3)
  })

  test('a forged return URL is answered with 404', async () => {
    const borrower = await openFundsPage()
    const { url } = (await startFetch(borrower)).body
    const forged = new URL(await visit(url, 'share'))
    forged.pathname = forged.pathname.replace(/.{5}$/, 'AAAAA')
    assert.equal((await fetch(forged)).status, 404)
  })
})
