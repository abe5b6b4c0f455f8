// The hosted page of a loan against mutual funds as a borrower meets it: what secures it, for the amount at hand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FrameLocator } from 'playwright-core'
import type { EmbedView } from '#contract/hosted/embed.ts'
import type { EmbedFunds } from '#contract/hosted/embed-consents.ts'
import { holdings, kaveriFunds, lamfViewAt, meridianFunds } from '#test/setup/embed-lamf-views.ts'
import { accessible, embedPages } from '#test/setup/embed-pages.ts'
import { viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()
const { open } = pages

/** Once an offer is chosen: its amount and time can be changed. */
const change = (inside: FrameLocator) => inside.getByText('Change', { exact: true }).click()

describe('FIS12 §10.2: a loan against mutual funds on the hosted page', () => {
  test('an offer says what secures it, the units follow the amount, and the final offer lists what is pledged', async () => {
    const one = await open(lamfViewAt('OFFERS'))
    const { inside } = one
    await inside.getByText('Term loan · Secured by units of 2 funds').waitFor()
    await inside.getByText(/^Credit line · Secured by units of one fund.*own page\.$/).waitFor()
    await accessible(one, 'offers')
    await inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    const needed = inside.getByRole('table', { name: 'Units you would pledge for this amount' })
    const row = (name: string) => needed.getByRole('row', { name })
    await change(inside)
    const amount = inside.getByLabel('Amount, in rupees')
    await amount.fill('5,93,107')
    await row('Shakti Flexi Cap Fund CAMS · Folio 4410077 · You can borrow 50% of their value 6,249.000').waitFor()
    await row('Nidhi Corporate Bond Fund KFIN · Folio 8820131 · You can borrow 80% of their value 10,201.250').waitFor()
    await inside.getByText('The units stay yours. While they are pledged you cannot sell them.').waitFor()
    await amount.fill('3,00,000')
    await needed.getByRole('cell', { name: '3,160.813', exact: true }).waitFor()
    await needed.getByRole('cell', { name: '5,159.904', exact: true }).waitFor()
    await accessible(one, 'the units of an amount')
    await amount.fill('7,00,000')
    await needed.getByRole('cell', { name: '–', exact: true }).first().waitFor()
    await amount.fill('3,00,000')
    pages.platform.on(`POST /offers/${kaveriFunds.id}/select`, () => lamfViewAt('FINAL_OFFER'))
    await inside.getByRole('button', { name: 'Get the final offer' }).click()
    const pledged = inside.getByRole('table', { name: 'Units you pledge' })
    await pledged.getByRole('row', { name: 'Shakti Flexi Cap Fund CAMS · Folio 4410077 3,160.813' }).waitFor()
    await inside.getByText('The units stay yours.').waitFor()
    await accessible(one, 'the final offer')
    await accessible(one, 'its headings', ['heading-order'])
  })

  test('FIS12 §12.2: no term is chosen, since a lender is told of none: each offer is listed over its own', async () => {
    const one = await open(lamfViewAt('OFFERS'))
    const { inside } = one
    await inside.getByText('Term loan · Secured by units of 2 funds').waitFor()
    assert.equal(await inside.getByRole('group', { name: 'Loan term, in months' }).count(), 0)
    assert.equal(
      await inside.getByText('Offers for other amounts or terms').count(),
      0,
      'every offer is what was wanted',
    )
    assert.equal(await inside.getByText(/^This offer is for/).count(), 0)
    let sent: unknown
    pages.platform.on(`POST /offers/${meridianFunds.id}/select`, ({ body }) => {
      sent = body
      return lamfViewAt('FINAL_OFFER')
    })
    await inside.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    await inside.getByRole('button', { name: 'Get the final offer' }).waitFor()
    assert.equal(await inside.getByRole('combobox', { name: 'Loan term' }).count(), 0)
    await inside.getByRole('button', { name: 'Get the final offer' }).click()
    await inside.getByRole('table', { name: 'Units you pledge' }).waitFor()
    assert.equal((sent as { tenureMonths: number }).tenureMonths, 36)
  })

  test('units are chosen fund by fund: what they carry is the amount, and what is wrong says so at its field', async () => {
    const one = await open(lamfViewAt('OFFERS'))
    const { inside } = one
    await inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await change(inside)
    const amount = inside.getByLabel('Amount, in rupees')
    await amount.fill('3,00,000')
    await inside.getByRole('button', { name: 'Choose the funds yourself' }).click()
    const [flexi, bond] = [inside.getByLabel('Shakti Flexi Cap Fund'), inside.getByLabel('Nidhi Corporate Bond Fund')]
    assert.deepEqual([await flexi.inputValue(), await bond.inputValue()], ['3160.813', '5159.904'])
    await flexi.fill('6,249.000')
    await bond.fill('')
    const carried = (text: string) => inside.getByRole('status').getByText(text, { exact: true }).waitFor()
    await carried('₹2,65,660')
    assert.equal(await amount.inputValue(), '2,65,660')
    await inside.getByText('You can borrow ₹2,65,660 against these.').waitFor()
    const held = inside.getByRole('region', { name: 'Your mutual funds' })
    await held.getByText('₹10,48,630').waitFor()
    await held.getByText('₹9,40,630').waitFor()
    await held.getByText('₹6,39,321 · 61%').waitFor()
    await held.getByText('₹4,09,308 · 39%').waitFor()
    await inside.getByText('What pledging means').click()
    await inside.getByText('the lender makes a margin call').waitFor()
    await accessible(one, 'the units of each fund')
    await bond.fill('10,202')
    await inside.getByRole('button', { name: 'Get the final offer' }).click()
    await inside.getByRole('link', { name: 'Enter a number of units, from 0 to 10,201.250' }).click()
    assert.ok(await bond.evaluate((field) => field.matches(':focus')))
    assert.equal(await bond.getAttribute('aria-invalid'), 'true')
    await accessible(one, 'units that are too many')
    await amount.fill('3,00,000')
    assert.deepEqual([await flexi.inputValue(), await bond.inputValue()], ['3160.813', '5159.904'], 'units again')
    await flexi.fill('6249')
    await bond.fill('0')
    let sent: unknown
    pages.platform.on(`POST /offers/${kaveriFunds.id}/select`, ({ body }) => {
      sent = body
      return lamfViewAt('FINAL_OFFER')
    })
    await inside.getByRole('button', { name: 'Get the final offer' }).click()
    await inside.getByRole('table', { name: 'Units you pledge' }).waitFor()
    const pledges = [{ schemeCode: 'SHK-FLEX-G', units: '6249.000' }]
    assert.deepEqual(sent, { amount: '265660', tenureMonths: 24, pledges, language: 'en' })
  })

  test('the units follow the amount again when the fields are closed; in Hindi as well', async () => {
    const { inside } = await open(lamfViewAt('OFFERS', { offers: [kaveriFunds] }), { language: 'hi' })
    await inside.getByRole('button', { name: /Kaveri Bank/ }).click()
    await inside.getByRole('button', { name: 'फ़ंड खुद चुनें' }).click()
    await inside.getByLabel('Nidhi Corporate Bond Fund').fill('0')
    await inside.getByText('₹2,65,660', { exact: true }).last().waitFor()
    await inside.getByRole('button', { name: 'इसके बजाय हर फ़ंड का एक हिस्सा गिरवी रखें' }).click()
    const needed = inside.getByRole('table', { name: 'इस रकम के लिए गिरवी रखी जाने वाली यूनिट' })
    await needed.getByRole('cell', { name: '2,799.005', exact: true }).waitFor()
  })

  const none = { registrar: 'MF Central', standing: 'NONE', fault: null } as const
  const profiled = (funds: EmbedFunds, more: Partial<EmbedView> = {}) => lamfViewAt('PROFILE', { funds, ...more })
  async function atReview(funds: EmbedFunds, more: Partial<EmbedView> = {}) {
    const one = await open(profiled(funds, more))
    pages.platform.on('PUT /profile', () => profiled(funds, more))
    for (const heading of ['Start with you', 'Your work and home']) {
      await one.inside.getByRole('heading', { name: heading }).waitFor()
      await one.inside.getByRole('button', { name: 'Continue' }).click()
    }
    return { one, statement: one.inside.getByRole('region', { name: 'Your mutual fund statement' }) }
  }

  test('D1 §4: who has no statement fetches one from the registrar, on a page of its own, and sees what it lists', async () => {
    const { one, statement } = await atReview(none)
    await statement.getByText('Lenders base their decision on a statement of your funds.').waitFor()
    await statement.getByText('The one-time password goes to +91\u00a09876543210.').waitFor()
    await accessible(one, 'the way to a statement')
    pages.platform.on('POST /funds', () => profiled({ ...none, standing: 'PENDING' }))
    const popup = one.page.waitForEvent('popup')
    await statement.getByRole('button', { name: 'Get my statement' }).click()
    await (await popup).waitForURL('**/lender')
    await statement.getByText('Finish on MF Central’s page.').waitFor()
    await accessible(one, 'while the registrar is waited for')
    pages.platform.on('POST /funds/look', () => profiled({ ...none, standing: 'READY' }, { holdings }))
    await statement.getByRole('button', { name: 'I am back' }).click()
    await statement.getByRole('heading', { name: 'Your mutual funds' }).waitFor()
    await statement.getByText('₹10,48,630').waitFor()
    await accessible(one, 'a statement')
    await statement.getByRole('button', { name: 'Get a newer statement' }).click()
    await statement.getByRole('button', { name: 'Get my statement' }).waitFor()
    const acts = pages.platform.acts.filter(({ path }) => path.startsWith('/funds'))
    assert.deepEqual(
      acts.map(({ path, body }) => [path, body]),
      [
        ['/funds', {}],
        ['/funds/look', {}],
      ],
    )
  })

  test('D1 §4: a number that the registrar does not know is typed anew; why there was no statement is said', async () => {
    const { statement } = await atReview({ ...none, standing: 'FAILED', fault: 'DECLINED' })
    await statement.getByText('You did not share your statement at MF Central.').waitFor()
    const fields = [{ path: 'contactNumber', message: 'is not the number' }]
    pages.platform.refuse('POST /funds', 400, 'VALIDATION_FAILED', { fields })
    await statement.getByRole('button', { name: 'Get my statement' }).click()
    const number = statement.getByLabel('Mobile number registered with your funds')
    await statement.getByText('MF Central finds no investor with your PAN and this number.').waitFor()
    assert.equal(await number.getAttribute('aria-invalid'), 'true')
    await number.fill('9876543211')
    pages.platform.on('POST /funds', () => profiled({ ...none, standing: 'PENDING' }))
    await statement.getByRole('button', { name: 'Get my statement' }).click()
    await statement.getByText('Finish on MF Central’s page.').waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)?.body, { contactNumber: '9876543211' })
  })

  test('where no statement tells a NAV there is nothing to choose', async () => {
    const schemes = kaveriFunds.schemes.map((scheme) => ({ ...scheme, nav: null }))
    const { inside } = await open(lamfViewAt('OFFERS', { offers: [{ ...kaveriFunds, schemes }] }))
    await inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await inside.getByRole('table', { name: 'Units you would pledge for this amount' }).waitFor()
    assert.equal(await inside.getByRole('button', { name: 'Choose the funds yourself' }).count(), 0)
  })

  test('a final offer that is opened again says so in Hindi too', async () => {
    const { inside } = await open(lamfViewAt('FINAL_OFFER'), { language: 'hi' })
    await inside.getByRole('table', { name: 'आपकी गिरवी रखी जाने वाली यूनिट' }).getByText('5,159.904').waitFor()
    await inside.getByText('यूनिट आपकी ही रहती हैं।').waitFor()
    await inside.locator('header select').selectOption('English')
    await inside.getByRole('table', { name: 'Units you pledge' }).getByText('फ़ोलियो').waitFor({ state: 'detached' })
  })

  test('FIS12 §10.2: the final offer stands among the offers, the pledge is a step of its own', async () => {
    const { steps } = lamfViewAt('BANK')
    const one = await open(lamfViewAt('FINAL_OFFER', { steps }))
    const { inside } = one
    await inside.getByText('Step 2 of 8: Offers').waitFor()
    pages.platform.show(lamfViewAt('BANK'))
    await one.askAgain()
    await inside.getByText('Step 3 of 8: Bank').waitFor()
    pages.platform.show(lamfViewAt('LIEN'))
    await one.askAgain()
    await inside.getByRole('heading', { name: 'Pledge your fund units' }).waitFor()
    await inside.getByText('Step 5 of 8: Pledge').waitFor()
  })

  test('where the lender has one page for everything, there is one step, and it says what is done there', async () => {
    const { steps } = lamfViewAt('KYC')
    const spared = { ...steps.eMandate, status: 'NOT_REQUIRED' } as const
    const one = await open(lamfViewAt('KYC', { steps: { ...steps, eMandate: spared, loanAgreement: spared } }))
    await one.inside.getByRole('heading', { name: 'Finish on the lender’s page' }).waitFor()
    await one.inside.getByText('Step 4 of 5: Sign').waitFor()
    await accessible(one, 'the one page')
    const parts = async () => (await one.inside.locator('.parts li').allInnerTexts()).map((text) => text.split('\n')[0])
    pages.platform.show(lamfViewAt('LENDER_WORKING', { steps: { ...steps, eMandate: spared, loanAgreement: spared } }))
    await one.askAgain()
    await one.inside.getByRole('heading', { name: 'is checking' }).waitFor()
    assert.deepEqual(await parts(), ['Bank account', 'The lender’s page', 'Payout'])
    pages.platform.show(lamfViewAt('LENDER_WORKING'))
    await one.askAgain()
    await one.inside.getByText('Automatic repayment').waitFor()
    assert.deepEqual((await parts()).slice(0, 2), ['Bank account', 'Your identity'], 'the account comes first')
    pages.platform.show(lamfViewAt('KYC', { steps: { ...steps, eMandate: spared, loanAgreement: spared } }))
    await one.askAgain()
    await one.inside.locator('header select').selectOption('हिन्दी')
    await one.inside.getByRole('heading', { name: 'ऋणदाता के पेज पर पूरा करें' }).waitFor()
  })

  test('a lender that names no least amount lends up to its most, and offers that ran out are said to have', async () => {
    const offers = [{ ...kaveriFunds, least: { ...kaveriFunds.least, amount: '1.00' } }]
    const one = await open(lamfViewAt('OFFERS', { offers }))
    const { inside } = one
    await inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await change(inside)
    await inside.getByText('₹10,000', { exact: true }).waitFor()
    assert.equal(await inside.getByText('₹1', { exact: true }).count(), 0)
    await inside.getByLabel('Amount, in rupees').fill('0')
    await inside.getByRole('button', { name: 'Get the final offer' }).click()
    await inside.getByRole('link', { name: /^Enter an amount in whole rupees, up to ₹/ }).waitFor()
    pages.platform.show(
      lamfViewAt('EXPIRED', { expiredFor: 'OFFERS', endReason: { outside: 'The offers have expired.' } }),
    )
    await one.askAgain()
    await inside.getByText('Offers are valid for a limited time, and yours have expired.').waitFor()
    assert.equal(await inside.getByText('The offers have expired.').count(), 0, 'it is said once, in one language')
    pages.platform.show(lamfViewAt('EXPIRED', { expiredFor: 'TIME' }))
    await one.askAgain()
    await inside.getByText('You did not continue it for a long time').waitFor()
  })

  test('a lender that wants to see the folios says so, and what can help where nobody offers', async () => {
    const [asking] = lamfViewAt('SEARCHING').lenders
    const lenders = [{ ...asking!, id: 'narmada', name: 'Narmada Finserv', status: 'OFFER_AWAITED' as const }]
    const lender = { lenderId: 'narmada', lenderName: 'Narmada Finserv' }
    const consent = { offerId: kaveriFunds.id, ...lender, handle: null, problem: null } as const
    const accountAggregator = [{ ...consent, purpose: 'UNDERWRITING', standing: 'DUE' } as const]
    const one = await open(lamfViewAt('SEARCHING', { lenders, accountAggregator, pollAfterMs: null }))
    await one.inside.getByText('Narmada Finserv asks for your consent').waitFor()
    await one.inside.getByText('Narmada Finserv needs to see your mutual fund units to decide.').waitFor()
    pages.platform.show(lamfViewAt('NOT_OFFERED'))
    await one.askAgain()
    await one.inside.getByText('More units, free of any lien or lock-in, can help').waitFor()
  })

  test('FIS12 §17.5: a line is offered by its limit, and shows what of it is drawn until it is closed', async () => {
    const line = { ...meridianFunds, numberOfInstallments: 0, installmentAmount: '0.00', netDisbursed: '0.00' }
    const one = await open(lamfViewAt('OFFERS', { offers: [line] }))
    const { inside } = one
    await inside.getByText('Credit limit', { exact: true }).waitFor()
    await inside.getByRole('listitem').filter({ hasText: 'Meridian Finance' }).getByText('All details').click()
    await inside.getByText('15% a year, only on what you draw').waitFor()
    assert.equal(await inside.getByText('EMI', { exact: true }).count(), 0)
    await inside.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    await inside.locator('.estimate').getByText('Credit limit').waitFor()
    assert.equal(await inside.locator('.estimate').getByText('EMI', { exact: true }).count(), 0)
    pages.platform.show(lamfViewAt('LINE_OPEN'))
    await one.askAgain()
    await inside.getByRole('heading', { name: 'Your credit line is open' }).waitFor()
    const figures = async () => (await inside.locator('.figures dd').allInnerTexts()).join(' ')
    assert.equal(await figures(), '₹3,80,000 ₹1,20,000 of\u00a0₹5,00,000')
    await accessible(one, 'the open line')
    const creditLine = {
      limit: '500000.00',
      used: '60000.00',
      free: '440000.00',
      changedAt: '2026-11-21T09:30:00.000Z',
    }
    pages.platform.on('POST /servicing/status', () => lamfViewAt('LINE_OPEN', { version: 2 }))
    await inside.getByRole('button', { name: 'Ask for the latest figures' }).click()
    await inside.getByText('We have asked Kaveri Bank.').waitFor()
    pages.platform.show(lamfViewAt('CLOSED', { version: 3, creditLine }))
    await one.askAgain()
    await inside.getByRole('heading', { name: 'Your credit line is closed' }).waitFor()
    assert.equal(await figures(), '')
  })

  test('after the payout: which units are pledged, what a margin call is, when they are free, and a complaint in one tap', async () => {
    // Lenders of 2.3.0 take no complaints over the network (FIS12 §20): the platform takes them.
    const grievances = { possible: false, items: [] }
    const one = await open(lamfViewAt('DISBURSED', { grievances }))
    const { inside } = one
    for (const screen of ['DISBURSED', 'LINE_OPEN'] as const) {
      pages.platform.show(lamfViewAt(screen, { grievances }))
      await one.askAgain()
      const pledged = inside.getByRole('table', { name: 'Your pledged units' })
      await pledged.getByRole('row', { name: 'Shakti Flexi Cap Fund CAMS · Folio 4410077 3,160.813' }).waitFor()
      await inside.getByText('What pledging means').click()
      await inside.getByText('the lender makes a margin call').waitFor()
      await inside.getByText('Once you have repaid, the lender removes the lien.').waitFor()
      await accessible(one, screen)
    }
    const officer = { name: 'Neha Joshi', email: 'grievance@platform.example', phone: '+912240001234' }
    const complaints = { officer, nodal: officer, lender: 'Kaveri Bank', items: [] }
    await one.page.route('**/api/embed/complaints', (route) => route.fulfill({ json: { complaints } }))
    await inside.getByRole('button', { name: 'Make a complaint' }).click()
    await inside.getByRole('heading', { name: 'Help and complaints' }).waitFor()
  })

  test('what is accepted, and why the borrower goes to the lender, is said of a credit line; in Hindi too', async () => {
    const { selected } = lamfViewAt('FINAL_OFFER')
    const line = { ...selected!, terms: { ...selected!.terms, creditLine: true } }
    const one = await open(lamfViewAt('FINAL_OFFER', { selected: line }))
    const { inside } = one
    await inside.getByRole('button', { name: 'Accept this credit line' }).waitFor()
    await inside.getByText('Its EMIs are an illustration: they apply if you draw the whole limit').waitFor()
    await inside.getByText('accept this offer on these terms').waitFor()
    await accessible(one, 'the final offer of a line')
    await inside.locator('header select').selectOption('हिन्दी')
    await inside.getByRole('button', { name: 'यह क्रेडिट लाइन स्वीकार करें' }).waitFor()
    await inside.getByText('उसमें दी गई किस्तें केवल उदाहरण हैं').waitFor()
    await inside.getByRole('button', { name: 'मना करें' }).click()
    await inside.getByRole('heading', { name: 'इस क्रेडिट लाइन को मना करें?' }).waitFor()
    for (const [screen, text] of [
      ['KYC', 'क्रेडिट लाइन खोलने से पहले'],
      ['LOAN_AGREEMENT', 'क्रेडिट लाइन का समझौता'],
    ] as const) {
      pages.platform.show(lamfViewAt(screen, { selected: line }))
      await one.askAgain()
      await inside.getByText(text).waitFor()
    }
    await inside.locator('header select').selectOption('English')
    for (const [screen, text] of [
      ['LIEN', 'the units that secure your credit line'],
      ['E_MANDATE', 'what is due on your credit line'],
      ['BANK', 'What you draw on your credit line goes to this account.'],
      ['KYC', 'before it opens a credit line'],
    ] as const) {
      pages.platform.show(lamfViewAt(screen, { selected: line }))
      await one.askAgain()
      await inside.getByText(text).waitFor()
      assert.equal(
        await inside
          .locator('section')
          .getByText(/\bloan\b/i)
          .count(),
        0,
        screen,
      )
    }
  })

  test('for another loan the chunk of the funds is never fetched', async () => {
    const { page, inside } = await open(viewAt('OFFERS'))
    await inside.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    await inside.getByRole('button', { name: 'Get the final offer' }).waitFor()
    const frame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    const names = `performance.getEntriesByType('resource').map(({ name }) => name)`
    const fetched = await frame.evaluate<string[]>(names)
    assert.ok(fetched.some((url) => url.includes('/screens.')))
    assert.ok(!fetched.some((url) => url.includes('/funds.')))
  })

  test('units that did not come are asked for again, and the amount stays', async () => {
    const one = await open(viewAt('OFFERS'))
    const { page, inside } = one
    let fails = true
    await page.route('**/assets/funds.*', (route) => (fails ? route.abort() : route.continue()))
    pages.platform.show(lamfViewAt('OFFERS'))
    await one.askAgain()
    await inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await change(inside)
    await inside.getByLabel('Amount, in rupees').fill('3,00,000')
    fails = false
    await inside.getByRole('button', { name: 'Try again' }).click()
    await inside.getByRole('table', { name: 'Units you would pledge' }).getByText('3,160.813').waitFor()
    const others = one.complaints.filter((text) => !text.includes('Failed to load resource'))
    one.complaints.splice(0, one.complaints.length, ...others)
  })
})
