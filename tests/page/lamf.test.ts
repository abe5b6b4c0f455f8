// The hosted page of a loan against mutual funds: statement, units, offers and pledge.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedFundStatement } from '@lendloom/wire/hosted/embed-funds'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import type { FrameLocator } from 'playwright-core'
import { holdings, kaveriFunds, lamfViewAt, meridianFunds } from '#test/setup/embed-lamf-views.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import { viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()
const { open } = pages

/** Opens the fields that change amount and term of a chosen offer. */
const openAmountFields = (frame: FrameLocator) => frame.getByText('Change amount or term').click()

describe('FIS12 §10.2: a loan against mutual funds on the hosted page', () => {
  test('an offer shows its security, the amount determines the units, and the final offer lists the pledged units', async () => {
    const hosted = await open(lamfViewAt('OFFERS'))
    const { frame } = hosted
    await frame.getByText(/^Term loan · \d+ months · Secured by units of 2 funds$/).waitFor()
    await frame.getByText(/^Credit line · \d+ months · Secured by units of one fund.*own page\.$/).waitFor()
    await assertFrameAccessible(hosted, 'offers')
    await frame.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    const requiredUnits = frame.getByRole('table', { name: 'Units you would pledge for this amount' })
    const row = (name: string) => requiredUnits.getByRole('row', { name })
    await openAmountFields(frame)
    const amount = frame.getByLabel('Amount, in rupees')
    await amount.fill('5,93,107')
    await row('Shakti Flexi Cap Fund CAMS · Folio 4410077 · You can borrow 50% of their value 6,249.000').waitFor()
    await row('Nidhi Corporate Bond Fund KFIN · Folio 8820131 · You can borrow 80% of their value 10,201.250').waitFor()
    await frame.getByText('The units stay yours. While they are pledged you cannot sell them.').waitFor()
    await amount.fill('3,00,000')
    await requiredUnits.getByRole('cell', { name: '3,160.813', exact: true }).waitFor()
    await requiredUnits.getByRole('cell', { name: '5,159.904', exact: true }).waitFor()
    await assertFrameAccessible(hosted, 'the units of an amount')
    await amount.fill('7,00,000')
    await requiredUnits.getByRole('cell', { name: '–', exact: true }).first().waitFor()
    await amount.fill('3,00,000')
    pages.platform.on(`POST /offers/${kaveriFunds.id}/select`, () => lamfViewAt('FINAL_OFFER'))
    await frame.getByRole('button', { name: 'Get the final offer' }).click()
    const pledged = frame.getByRole('table', { name: 'Units you pledge' })
    await pledged.getByRole('row', { name: 'Shakti Flexi Cap Fund CAMS · Folio 4410077 3,160.813' }).waitFor()
    await frame.getByText('The units stay yours.').waitFor()
    await assertFrameAccessible(hosted, 'the final offer')
    await assertFrameAccessible(hosted, 'the headings of the final offer', ['heading-order'])
  })

  test('FIS12 §12.2: the borrower cannot choose a term, because `select` of 2.3.0 has no term', async () => {
    const hosted = await open(lamfViewAt('OFFERS'))
    const { frame } = hosted
    await frame.getByText(/^Term loan · \d+ months · Secured by units of 2 funds$/).waitFor()
    assert.equal(await frame.getByRole('group', { name: 'Loan term, in months' }).count(), 0)
    assert.equal(
      await frame.getByText('Offers for other amounts or terms').count(),
      0,
      'every offer matches the request',
    )
    assert.equal(await frame.getByText(/^This offer is for/).count(), 0)
    let sent: unknown
    pages.platform.on(`POST /offers/${meridianFunds.id}/select`, ({ body }) => {
      sent = body
      return lamfViewAt('FINAL_OFFER')
    })
    await frame.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    await frame.getByRole('button', { name: 'Get the final offer' }).waitFor()
    assert.equal(await frame.getByRole('combobox', { name: 'Loan term' }).count(), 0)
    await frame.getByRole('button', { name: 'Get the final offer' }).click()
    await frame.getByRole('table', { name: 'Units you pledge' }).waitFor()
    assert.equal((sent as { tenureMonths: number }).tenureMonths, 36)
  })

  test('units chosen by fund determine the amount, and an invalid number is reported at its field', async () => {
    const hosted = await open(lamfViewAt('OFFERS'))
    const { frame } = hosted
    await frame.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await openAmountFields(frame)
    const amount = frame.getByLabel('Amount, in rupees')
    await amount.fill('3,00,000')
    await frame.getByRole('button', { name: 'Choose the funds yourself' }).click()
    const flexi = frame.getByLabel('Shakti Flexi Cap Fund')
    const bond = frame.getByLabel('Nidhi Corporate Bond Fund')
    assert.equal(await flexi.inputValue(), '3160.813')
    assert.equal(await bond.inputValue(), '5159.904')
    await flexi.fill('6,249.000')
    await bond.fill('')
    const waitForSum = (text: string) => frame.getByRole('status').getByText(text, { exact: true }).waitFor()
    await waitForSum('₹2,65,660')
    assert.equal(await amount.inputValue(), '2,65,660')
    await frame.getByText('You can borrow ₹2,65,660 against these.').waitFor()
    assert.equal(await frame.getByRole('region', { name: 'Your mutual funds' }).count(), 0, 'the details showed them')
    await frame.getByText('What pledging means').click()
    await frame.getByText('the lender makes a margin call').waitFor()
    await assertFrameAccessible(hosted, 'the units of each fund')
    await bond.fill('10,202')
    await frame.getByRole('button', { name: 'Get the final offer' }).click()
    await frame.getByText('Enter a number of units, from 0 to 10,201.250').waitFor()
    assert.ok(await bond.evaluate((field) => field.matches(':focus')))
    assert.equal(await bond.getAttribute('aria-invalid'), 'true')
    await assertFrameAccessible(hosted, 'more units than the fund has')
    await amount.fill('3,00,000')
    assert.equal(await flexi.inputValue(), '3160.813', 'the amount determines the units again')
    assert.equal(await bond.inputValue(), '5159.904', 'the amount determines the units again')
    await flexi.fill('6249')
    await bond.fill('0')
    let sent: unknown
    pages.platform.on(`POST /offers/${kaveriFunds.id}/select`, ({ body }) => {
      sent = body
      return lamfViewAt('FINAL_OFFER')
    })
    await frame.getByRole('button', { name: 'Get the final offer' }).click()
    await frame.getByRole('table', { name: 'Units you pledge' }).waitFor()
    const pledges = [{ schemeCode: 'SHK-FLEX-G', units: '6249.000' }]
    assert.deepEqual(sent, { amount: '265660', tenureMonths: 24, pledges, language: 'en' })
  })

  test('after the fund fields are closed, the amount determines the units again, in Hindi', async () => {
    const { frame } = await open(lamfViewAt('OFFERS', { offers: [kaveriFunds] }), { language: 'hi' })
    await frame.getByRole('button', { name: /Kaveri Bank/ }).click()
    await frame.getByRole('button', { name: 'फ़ंड खुद चुनें' }).click()
    await frame.getByLabel('Nidhi Corporate Bond Fund').fill('0')
    await frame.getByText('₹2,65,660', { exact: true }).last().waitFor()
    await frame.getByRole('button', { name: 'इसके बजाय हर फ़ंड का एक हिस्सा गिरवी रखें' }).click()
    const requiredUnits = frame.getByRole('table', { name: 'इस राशि के लिए गिरवी रखी जाने वाली यूनिट' })
    await requiredUnits.getByRole('cell', { name: '2,799.005', exact: true }).waitFor()
  })

  const noStatement = { registrar: 'MF Central', standing: 'NONE', fault: null } as const
  const profileView = (funds: EmbedFundStatement, changes: Partial<EmbedView> = {}) =>
    lamfViewAt('PROFILE', { funds, ...changes })
  async function openReview(funds: EmbedFundStatement, changes: Partial<EmbedView> = {}) {
    const hosted = await open(profileView(funds, changes))
    pages.platform.on('PUT /profile', () => profileView(funds, changes))
    for (const heading of ['Start with you', 'Your work and home']) {
      await hosted.frame.getByRole('heading', { name: heading }).waitFor()
      await hosted.frame.getByRole('button', { name: 'Continue' }).click()
    }
    return { hosted, statement: hosted.frame.getByRole('region', { name: 'Your mutual fund statement' }) }
  }

  test('D1 §4: a borrower without a statement fetches one from the registrar and sees its holdings', async () => {
    const { hosted, statement } = await openReview(noStatement)
    await statement.getByText('Lenders base their decision on a statement of your funds.').waitFor()
    await statement.getByText('The one-time password goes to ••••••3210.').waitFor()
    await assertFrameAccessible(hosted, 'the form that requests a statement')
    pages.platform.on('POST /funds', () => profileView({ ...noStatement, standing: 'PENDING' }))
    const popup = hosted.page.waitForEvent('popup')
    await statement.getByRole('button', { name: 'Get my statement' }).click()
    await (await popup).waitForURL('**/lender')
    await statement.getByText('Finish on MF Central’s page.').waitFor()
    await assertFrameAccessible(hosted, 'waiting for the registrar')
    pages.platform.on('POST /funds/look', () => profileView({ ...noStatement, standing: 'READY' }, { holdings }))
    await statement.getByRole('button', { name: 'I am back' }).click()
    await statement.getByRole('heading', { name: 'Your mutual funds' }).waitFor()
    await statement.getByText('₹10,48,630').waitFor()
    await assertFrameAccessible(hosted, 'a statement')
    await statement.getByRole('button', { name: 'Get a newer statement' }).click()
    await statement.getByRole('button', { name: 'Get my statement' }).waitFor()
    const acts = pages.platform.acts.filter(({ path }) => path.startsWith('/funds'))
    assert.deepEqual(
      acts.map(({ path, body }) => ({ path, body })),
      [
        { path: '/funds', body: {} },
        { path: '/funds/look', body: {} },
      ],
    )
  })

  test('D1 §4: an unknown mobile number can be corrected, and the page explains a failed statement', async () => {
    const { statement } = await openReview({ ...noStatement, standing: 'FAILED', fault: 'DECLINED' })
    await statement.getByText('You did not share your statement at MF Central.').waitFor()
    const fields = [{ path: 'contactNumber', message: 'is not the number' }]
    pages.platform.refuse('POST /funds', 400, 'VALIDATION_FAILED', { fields })
    await statement.getByRole('button', { name: 'Get my statement' }).click()
    const number = statement.getByLabel('Mobile number registered with your funds')
    await statement.getByText('MF Central finds no investor with your PAN and this number.').waitFor()
    assert.equal(await number.getAttribute('aria-invalid'), 'true')
    await number.fill('9876543211')
    pages.platform.on('POST /funds', () => profileView({ ...noStatement, standing: 'PENDING' }))
    await statement.getByRole('button', { name: 'Get my statement' }).click()
    await statement.getByText('Finish on MF Central’s page.').waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)?.body, { contactNumber: '9876543211' })
  })

  test('without a NAV the borrower cannot choose units by fund', async () => {
    const schemes = kaveriFunds.schemes.map((scheme) => ({ ...scheme, nav: null }))
    const { frame } = await open(lamfViewAt('OFFERS', { offers: [{ ...kaveriFunds, schemes }] }))
    await frame.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await frame.getByRole('table', { name: 'Units you would pledge for this amount' }).waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Choose the funds yourself' }).count(), 0)
  })

  test('a reopened final offer is in Hindi, and the language can be switched', async () => {
    const { frame } = await open(lamfViewAt('FINAL_OFFER'), { language: 'hi' })
    await frame.getByRole('table', { name: 'आपकी गिरवी रखी जाने वाली यूनिट' }).getByText('5,159.904').waitFor()
    await frame.getByText('यूनिट आपकी ही रहती हैं।').waitFor()
    await frame.locator('header select').selectOption('English')
    await frame.getByRole('table', { name: 'Units you pledge' }).getByText('फ़ोलियो').waitFor({ state: 'detached' })
  })

  test('FIS12 §10.2: the progress bar counts the final offer under offers, and the pledge as a separate step', async () => {
    const { steps } = lamfViewAt('BANK')
    const hosted = await open(lamfViewAt('FINAL_OFFER', { steps }))
    const { frame } = hosted
    await frame.getByText('Step 2 of 8: Offers').waitFor()
    pages.platform.show(lamfViewAt('BANK'))
    await hosted.pollAgain()
    await frame.getByText('Step 3 of 8: Bank').waitFor()
    pages.platform.show(lamfViewAt('LIEN'))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Pledge your fund units' }).waitFor()
    await frame.getByText('Step 5 of 8: Pledge').waitFor()
  })

  test('a lender with a combined page has one step, which lists its contents', async () => {
    const { steps } = lamfViewAt('KYC')
    const notRequired = { ...steps.eMandate, status: 'NOT_REQUIRED' } as const
    const hosted = await open(
      lamfViewAt('KYC', { steps: { ...steps, eMandate: notRequired, loanAgreement: notRequired } }),
    )
    await hosted.frame.getByRole('heading', { name: 'Finish on the lender’s page' }).waitFor()
    await hosted.frame.getByText('Step 4 of 5: Sign').waitFor()
    await assertFrameAccessible(hosted, 'the one page')
    const stepNames = async () =>
      (await hosted.frame.locator('.step-list li').allInnerTexts()).map((text) => text.split('\n')[0])
    pages.platform.show(
      lamfViewAt('LENDER_WORKING', { steps: { ...steps, eMandate: notRequired, loanAgreement: notRequired } }),
    )
    await hosted.pollAgain()
    await hosted.frame.getByRole('heading', { name: 'is checking' }).waitFor()
    assert.deepEqual(await stepNames(), ['Bank account', 'The lender’s page', 'Payout'])
    pages.platform.show(lamfViewAt('LENDER_WORKING'))
    await hosted.pollAgain()
    await hosted.frame.getByText('Pledge · Autopay', { exact: true }).waitFor()
    assert.deepEqual((await stepNames()).slice(0, 2), ['Bank account', 'Your identity'], 'the bank account comes first')
    pages.platform.show(lamfViewAt('KYC', { steps: { ...steps, eMandate: notRequired, loanAgreement: notRequired } }))
    await hosted.pollAgain()
    await hosted.frame.locator('header select').selectOption('हिन्दी')
    await hosted.frame.getByRole('heading', { name: 'ऋणदाता के पेज पर पूरा करें' }).waitFor()
  })

  test('an offer without a minimum amount shows only its maximum, and expired offers are explained', async () => {
    const offers = [{ ...kaveriFunds, least: { ...kaveriFunds.least, amount: '1.00' } }]
    const hosted = await open(lamfViewAt('OFFERS', { offers }))
    const { frame } = hosted
    await frame.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await openAmountFields(frame)
    await frame.getByText('₹10,000', { exact: true }).waitFor()
    assert.equal(await frame.getByText('₹1', { exact: true }).count(), 0)
    await frame.getByLabel('Amount, in rupees').fill('0')
    await frame.getByRole('button', { name: 'Get the final offer' }).click()
    await frame.getByText(/^Enter up to ₹.*, in whole rupees$/).waitFor()
    pages.platform.show(
      lamfViewAt('EXPIRED', {
        expiredFor: 'OFFERS',
        endReason: { code: 'UNKNOWN_REASON', en: 'The offers have expired.' },
      }),
    )
    await hosted.pollAgain()
    await frame.getByText('Offers are valid for a limited time, and yours have expired.').waitFor()
    assert.equal(
      await frame.getByText('The offers have expired.').count(),
      0,
      'the reason is shown once, in one language',
    )
    pages.platform.show(lamfViewAt('EXPIRED', { expiredFor: 'TIME' }))
    await hosted.pollAgain()
    await frame.getByText('You did not continue it for a long time').waitFor()
  })

  test('a lender that needs the folios asks for consent, and a page without offers gives advice', async () => {
    const [template] = lamfViewAt('SEARCHING').lenders
    const lenders = [{ ...template!, id: 'narmada', name: 'Narmada Finserv', status: 'OFFER_AWAITED' as const }]
    const lender = { lenderId: 'narmada', lenderName: 'Narmada Finserv' }
    const consent = { offerId: kaveriFunds.id, ...lender, handle: null, problem: null } as const
    const accountAggregator = [{ ...consent, purpose: 'UNDERWRITING', standing: 'DUE' } as const]
    const hosted = await open(lamfViewAt('SEARCHING', { lenders, accountAggregator, pollAfterMs: null }))
    await hosted.frame.getByText('Narmada Finserv asks for your consent').waitFor()
    await hosted.frame.getByText('Narmada Finserv needs to see your mutual fund units to decide.').waitFor()
    pages.platform.show(lamfViewAt('NOT_OFFERED'))
    await hosted.pollAgain()
    await hosted.frame.getByText('More units, free of any lien or lock-in, can help').waitFor()
  })

  test('FIS12 §17.5: an offer of a credit line shows its limit, and an open line what is owed on it until it is closed', async () => {
    const line = { ...meridianFunds, numberOfInstallments: 0, installmentAmount: '0.00', netDisbursed: '0.00' }
    const hosted = await open(lamfViewAt('OFFERS', { offers: [line] }))
    const { frame } = hosted
    await frame.getByText('Credit limit', { exact: true }).waitFor()
    await frame.getByRole('listitem').filter({ hasText: 'Meridian Finance' }).getByText('All details').click()
    await frame.getByText('15% a year, only on what you draw').waitFor()
    assert.equal(await frame.getByText('EMI', { exact: true }).count(), 0)
    await frame.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    await frame.locator('.estimate').getByText('Credit limit').waitFor()
    await frame.getByRole('heading', { name: /^Credit line of ₹.* from Meridian Finance$/ }).waitFor()
    await frame.getByText('Change the limit').waitFor()
    assert.equal(await frame.locator('.estimate').getByText('EMI', { exact: true }).count(), 0)
    pages.platform.show(lamfViewAt('LINE_OPEN', { loanNumber: 'LINE-1' }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your credit line', level: 1 }).waitFor()
    const figures = async () => (await frame.locator('.deal dd').allInnerTexts()).join(' ')
    assert.equal(await figures(), '₹3,80,000\nof\u00a0₹5,00,000 ₹1,20,000')
    await frame.locator('.deal').getByText('You still owe', { exact: true }).waitFor()
    await frame.getByRole('heading', { name: 'Credit line details' }).waitFor()
    await frame.getByText('Credit line number').waitFor()
    await frame.getByRole('button', { name: 'Your consents' }).click()
    await frame.getByRole('button', { name: 'Back to my credit line' }).click()
    await assertFrameAccessible(hosted, 'the open line')
    const creditLine = {
      limit: '500000.00',
      used: '60000.00',
      free: '440000.00',
      changedAt: '2026-11-21T09:30:00.000Z',
    }
    pages.platform.show(lamfViewAt('LINE_OPEN', { creditLine: { ...creditLine, used: '0.00' } }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your credit line is open' }).waitFor()
    pages.platform.on('POST /servicing/status', () => lamfViewAt('LINE_OPEN', { version: 2 }))
    await frame.getByRole('button', { name: 'Ask for the latest figures' }).click()
    await frame.getByText('We have asked Kaveri Bank.').waitFor()
    pages.platform.show(lamfViewAt('CLOSED', { version: 3, creditLine }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your credit line is closed' }).waitFor()
    assert.equal(await figures(), '')
  })

  test('after disbursal the page shows pledged units, margin calls, release of the lien, and complaints', async () => {
    // Before the lender takes complaints over the network (FIS12 §20), they go to the platform.
    const grievances = { possible: false, items: [] }
    const hosted = await open(lamfViewAt('DISBURSED', { grievances }))
    const { frame } = hosted
    for (const screen of ['DISBURSED', 'LINE_OPEN'] as const) {
      pages.platform.show(lamfViewAt(screen, { grievances }))
      await hosted.pollAgain()
      const pledged = frame.getByRole('table', { name: 'Your pledged units' })
      await pledged.getByRole('row', { name: 'Shakti Flexi Cap Fund CAMS · Folio 4410077 3,160.813' }).waitFor()
      await frame.getByText('What pledging means').click()
      await frame.getByText('the lender makes a margin call').waitFor()
      await frame.getByText('Once you have repaid, the lender removes the lien.').waitFor()
      await assertFrameAccessible(hosted, screen)
    }
    pages.platform.show(lamfViewAt('DISBURSED', { grievances, paysHere: false }))
    await hosted.pollAgain()
    const early = frame.getByRole('region', { name: 'Repay early' })
    await early.getByText('To pay early or to release your units, contact Kaveri Bank directly.').waitFor()
    await early.getByRole('link', { name: /^Go to Kaveri Bank/ }).waitFor()
    const officer = { name: 'Neha Joshi', email: 'grievance@platform.example', phone: '+912240001234' }
    const complaints = { officer, nodal: officer, lender: 'Kaveri Bank', items: [] }
    await hosted.page.route('**/api/embed/complaints', (route) => route.fulfill({ json: { complaints } }))
    await frame.getByRole('button', { name: 'Make a complaint' }).click()
    await frame.getByRole('heading', { name: 'Help and complaints' }).waitFor()
  })

  test('the final offer and the steps use the words of a credit line', async () => {
    const { selected } = lamfViewAt('FINAL_OFFER')
    const asked = `${Number(selected!.terms.amountPrincipal) + 50_000}.00`
    const line = { ...selected!, amount: asked, terms: { ...selected!.terms, creditLine: true } }
    const hosted = await open(lamfViewAt('FINAL_OFFER', { selected: line }))
    const { frame } = hosted
    await frame.getByRole('button', { name: 'Accept credit line' }).waitFor()
    await frame.getByText('Its EMIs are an illustration: they apply if you draw the whole limit').waitFor()
    await frame.getByText('accept this offer on these terms').waitFor()
    await frame.getByRole('rowheader', { name: 'Credit limit' }).waitFor()
    await assertFrameAccessible(hosted, 'the final offer of a line')
    await frame.locator('header select').selectOption('हिन्दी')
    await frame.getByRole('button', { name: 'क्रेडिट लाइन स्वीकार करें' }).waitFor()
    await frame.getByText('उसमें दी गई EMI केवल उदाहरण हैं').waitFor()
    await frame.getByRole('button', { name: 'मना करें' }).click()
    await frame.getByRole('heading', { name: /की क्रेडिट लाइन के लिए मना करें\?$/ }).waitFor()
    for (const [screen, text] of [
      ['KYC', 'क्रेडिट लाइन खोलने से पहले'],
      ['LOAN_AGREEMENT', 'क्रेडिट लाइन का एग्रीमेंट'],
    ] as const) {
      pages.platform.show(lamfViewAt(screen, { selected: line }))
      await hosted.pollAgain()
      await frame.getByText(text).waitFor()
    }
    await frame.locator('header select').selectOption('English')
    for (const [screen, text] of [
      ['LIEN', 'the units that secure your credit line'],
      ['E_MANDATE', 'what is due on your credit line'],
      ['BANK', 'What you draw on your credit line goes to this account.'],
      ['KYC', 'before it opens a credit line'],
    ] as const) {
      pages.platform.show(lamfViewAt(screen, { selected: line }))
      await hosted.pollAgain()
      await frame.getByText(text).waitFor()
      assert.equal(
        await frame
          .locator('section')
          .getByText(/\bloan\b/i)
          .count(),
        0,
        screen,
      )
    }
  })

  test('the page of another loan does not load the script for funds', async () => {
    const { page, frame } = await open(viewAt('OFFERS'))
    await frame.getByRole('button', { name: 'Choose Meridian Finance' }).waitFor()
    const pageFrame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    const names = `performance.getEntriesByType('resource').map(({ name }) => name)`
    const resources = await pageFrame.evaluate<string[]>(names)
    assert.ok(resources.some((url) => url.includes('/screens.')))
    assert.ok(!resources.some((url) => url.includes('/funds.')))
  })

  test('when the script for funds does not load, it can be loaded again, and the amount stays', async () => {
    const hosted = await open(viewAt('OFFERS'))
    const { page, frame } = hosted
    let isBlocked = true
    await page.route('**/assets/funds.*', (route) => (isBlocked ? route.abort() : route.continue()))
    pages.platform.show(lamfViewAt('OFFERS'))
    await hosted.pollAgain()
    await frame.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await openAmountFields(frame)
    await frame.getByLabel('Amount, in rupees').fill('3,00,000')
    isBlocked = false
    await frame.getByRole('button', { name: 'Try again' }).click()
    await frame.getByRole('table', { name: 'Units you would pledge' }).getByText('3,160.813').waitFor()
    const otherComplaints = hosted.complaints.filter((text) => !text.includes('Failed to load resource'))
    hosted.complaints.splice(0, hosted.complaints.length, ...otherComplaints)
  })
})
