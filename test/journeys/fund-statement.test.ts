// A borrower without a statement of mutual funds fetches one from the registrars, on real programs: to the page, and to the offers.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readForm } from '#contract/network/forms.ts'
import { mostTries } from '#platform/fund-statement/fund-statement.ts'
import { findFundStatement } from '#platform/fund-statement/store.ts'
import { portfolioOf } from '#platform/portfolio/store.ts'
import { application, type Borrower, call, consents, enter, newApplicant, readView } from '#test/setup/borrower.ts'
import { ask } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()

interface Given {
  mfc?: object
}

/** A borrower on the hosted page of a loan against mutual funds, before the lenders are asked. */
async function onPage({ mfc }: Given = {}): Promise<Borrower> {
  const { borrowerProviderID, profile } = newApplicant()
  const { profile: person, workProfile: work, address } = application('ABCPE1234F')
  const path = `/api/v1/hybrid/lamf/borrowers/${borrowerProviderID}/journey`
  const body = { personal: { ...profile, ...person }, work, address, ...(mfc && { mfc }) }
  const started = await ask(`${programs.platformUrl}${path}`, { method: 'POST', key: programs.tenant.apiKey, body })
  assert.equal(started.status, 201, JSON.stringify(started.body))
  return enter(programs.platformUrl, started.body.data.embed_url, 'ABCPE1234F')
}

const begin = (borrower: Borrower, body: object = {}) => call(borrower, 'POST', '/funds', body)

interface Page {
  text: string
  url: string
}

async function pageAt(response: Response): Promise<Page> {
  return { text: await response.text(), url: response.url }
}

/** Presses a button of a page of MF Central; fields may be filled in otherwise. Where it leads, not followed. */
async function press({ text, url }: Page, outcome: string, filled: Record<string, string> = {}): Promise<Response> {
  const form = readForm(text, url)
  const body = new URLSearchParams()
  for (const { name, value } of form.fields) if (name !== 'outcome') body.append(name, filled[name] ?? value ?? '')
  // A reader of forms knows no check boxes: what is ticked is sent as a browser sends it.
  for (const [, amc = ''] of text.matchAll(/name="amc" value="([^"]+)" checked/g)) body.append('amc', amc)
  body.append('outcome', outcome)
  return fetch(form.action, { method: 'POST', body, redirect: 'manual' })
}

/** Walks through the pages of MF Central to their end; where the browser is sent back to. */
async function visit(url: string, outcome: 'share' | 'decline' | 'nothing'): Promise<string> {
  const proven = await press(await pageAt(await fetch(url)), 'prove')
  const back = await press(await pageAt(proven), outcome)
  return back.headers.get('location') ?? assert.fail(`the visit ended with ${back.status}`)
}

const standing = (borrower: Borrower, wanted: string) =>
  until(`the statement to be ${wanted}`, async () => {
    const { funds } = await readView(borrower)
    return funds?.standing === wanted && funds
  })

describe('D1 §4, FIS12 §10.1: a statement of mutual funds is fetched from the registrars', { concurrency: 3 }, () => {
  test('the borrower agrees at MF Central: what is held is shown, lenders get it, and their offers rest on it', async () => {
    const borrower = await onPage()
    assert.deepEqual(borrower.view.funds, { registrar: 'MF Central', standing: 'NONE', fault: null })
    assert.deepEqual(borrower.view.holdings, [])
    const begun = await begin(borrower)
    assert.deepEqual([begun.status, borrower.view.funds?.standing], [200, 'PENDING'], JSON.stringify(begun.body))
    // What the address carries is for MF Central alone.
    assert.doesNotMatch(begun.body.url, /ABCPE1234F|\+91/)
    const back = await visit(begun.body.url, 'share')
    assert.match(back, /\?status=success&reqId=\d+&type=SUMMARY$/)
    assert.match(await (await fetch(back)).text(), /We are getting your statement from the registrar now/)
    assert.deepEqual(await standing(borrower, 'READY'), { registrar: 'MF Central', standing: 'READY', fault: null })
    const { holdings } = borrower.view
    assert.deepEqual(
      holdings.map(({ name, kind, free }) => [name, kind, Number(free) > 0]),
      [
        ['Shakti Flexi Cap Fund, growth', 'equity', true],
        ['Shakti ELSS Tax Saver, growth', 'elss', false],
        ['Nidhi Corporate Bond Fund, growth', 'debt', true],
      ],
    )
    const place = { tenantId: programs.tenant.tenantId, journeyId: borrower.journeyId }
    const kept = await portfolioOf(programs.db, programs, place)
    assert.deepEqual([kept?.pan, kept?.notUnderstood], ['ABCPE1234F', []])
    const bond = kept?.holdings.find(({ schemeCode }) => schemeCode === 'NDH-DEBT-G')
    assert.deepEqual([bond?.registrar, bond?.nav], ['KFIN', '40.1234'])
    await call(borrower, 'PUT', '/profile', { endUse: 'education' })
    await call(borrower, 'POST', '/profile/submit', consents('bureau', 'data_sharing'))
    await until('the offer of a lender that reads statements', async () => {
      const { offers } = await readView(borrower)
      return offers.some(({ lenderName, schemes }) => lenderName === 'Meridian Finance' && schemes.length === 2)
    })
    assert.equal(borrower.view.funds, null)
    const { consents: given } = (await call(borrower, 'GET', '/consents')).body
    assert.equal(given.atRegistrar.registrar, 'MF Central')
    assert.equal((await begin(borrower)).body.error.code, 'STATE_PRECONDITION_FAILED')
  })

  for (const [outcome, fault] of [
    ['decline', 'DECLINED'],
    ['nothing', 'NO_FUNDS'],
  ] as const)
    test(`who ends with ${outcome} there reads why there is no statement, and may try again`, async () => {
      const borrower = await onPage()
      const { url } = (await begin(borrower)).body
      assert.match(await visit(url, outcome), /status=failure/)
      assert.equal((await standing(borrower, 'FAILED')).fault, fault)
      const again = await begin(borrower)
      assert.deepEqual([again.status, again.body.view.funds.standing], [200, 'PENDING'])
      await visit(again.body.url, 'share')
      await call(borrower, 'POST', '/funds/look', {})
      await standing(borrower, 'READY')
    })

  test('a wrong one-time password is told at its page, and a second decision changes nothing', async () => {
    const borrower = await onPage()
    const { url } = (await begin(borrower)).body
    const first = await pageAt(await fetch(url))
    const wrong = await press(first, 'prove', { otp: '000000' })
    assert.deepEqual([wrong.status, /Entered OTP appears to be incorrect/.test(await wrong.text())], [400, true])
    const choose = await pageAt(await press(first, 'prove'))
    await press(choose, 'share')
    assert.match((await press(choose, 'decline')).headers.get('location') ?? '', /status=success/)
    await standing(borrower, 'READY')
    assert.equal((await fetch(`${url.split('data=')[0]}data=00:11`)).status, 400)
  })

  test('a number that no fund house has is refused at its field, and nothing is begun', async () => {
    const borrower = await onPage()
    const refused = await begin(borrower, { contactNumber: '9876540000' })
    assert.deepEqual(
      [refused.status, refused.body.error.details.fields],
      [400, [{ path: 'contactNumber', message: 'is not the number that MF Central knows for this PAN' }]],
    )
    const malformed = await begin(borrower, { contactNumber: '12' })
    assert.equal(malformed.body.error.details.fields[0].path, 'contactNumber')
    assert.equal((await readView(borrower)).funds?.standing, 'NONE')
    assert.equal((await begin(borrower, { contactNumber: '98765 43210' })).status, 200)
  })

  test('the newest try alone counts, and there are so many and no more', async () => {
    const borrower = await onPage()
    const { url: older } = (await begin(borrower)).body
    const { url: newer } = (await begin(borrower)).body
    await visit(older, 'decline')
    await visit(newer, 'share')
    await standing(borrower, 'READY')
    const place = { tenantId: programs.tenant.tenantId, journeyId: borrower.journeyId }
    for (let attempt = 3; attempt <= mostTries; attempt++) assert.equal((await begin(borrower)).status, 200)
    assert.equal((await begin(borrower)).status, 409)
    assert.equal((await findFundStatement(programs.db, place))?.attempt, mostTries)
  })

  test('what the app has said of the funds is known from the beginning, and may be fetched anew', async () => {
    const holding = { isin: 'INF000A01011', folio: '1', rtaCode: 'CAMS', amc: 'S', nav: '10', closingBalance: '5.000' }
    const borrower = await onPage({ mfc: { data: [{ dtSummary: [holding] }] } })
    assert.deepEqual([borrower.view.funds?.standing, borrower.view.holdings.length], ['READY', 1])
    await visit((await begin(borrower)).body.url, 'share')
    await until('the new statement', async () => (await readView(borrower)).holdings.length === 3)
  })

  test('another kind of loan knows of no statement, and nobody else’s journey is reached', async () => {
    const borrower = await onPage()
    const { url } = (await begin(borrower)).body
    const forged = new URL(await visit(url, 'share'))
    forged.pathname = forged.pathname.replace(/.{5}$/, 'AAAAA')
    assert.equal((await fetch(forged)).status, 404)
  })
})
