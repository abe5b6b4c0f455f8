// The hosted page from search to choice, in a real browser: offers, comparison and layout stability.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { englishOf, wordsOf } from '@lendloom/lending/reason/reason'
import { catalogues } from '@lendloom/page/text/catalogues'
import type { EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { assertAccessible } from '#test/setup/accessibility.ts'
import type { OpenHostedPage } from '#test/setup/embed-page.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import { kaveri, meridian, viewAt } from '#test/setup/embed-views.ts'
import { until } from '#test/setup/programs.ts'

const pages = embedPages()
const { open } = pages

const names = ['Kaveri Bank', 'Meridian Finance', 'Sahyadri Capital', 'Tulsi Credit', 'Narmada Finance', 'Girnar Bank']
const [template] = viewAt('OFFERS').lenders
const offers: EmbedOffer[] = names.slice(0, 4).map((lenderName, i) => ({
  ...kaveri,
  id: kaveri.id.replace(/.$/, String(i)),
  lenderId: `lender-${i}`,
  lenderName,
  annualPercentageRate: `${20 - i}.00%`,
}))
const reason = 'The income that was shared is below what this lender asks for when a loan of this size is to be repaid.'

/** Lenders with these statuses, by index; all other lenders have not answered. */
function lendersWith(count: number, answers: Record<number, EmbedLender['status']>): EmbedLender[] {
  return names.slice(0, count).map((name, i) => {
    const status = answers[i] ?? 'OFFER_AWAITED'
    return {
      ...template!,
      id: `lender-${i}`,
      name,
      status,
      reason: status === 'NO_OFFER_AVAILABLE' ? { code: 'UNKNOWN_REASON', en: reason } : null,
      waitedSeconds: status === 'OFFER_AWAITED' ? 75 : null,
    }
  })
}

const offersFrom = (...indexes: number[]) =>
  indexes.map((i) => offers[i]!).sort((one, other) => (one.annualPercentageRate < other.annualPercentageRate ? -1 : 1))

/** Opens the panel in which the borrower changes amount and term. */
const changeTerms = (frame: OpenHostedPage['frame']) =>
  frame.getByRole('button', { name: 'Change amount or term' }).click()

/** Opens a comparison of three offers: one with a smaller maximum, two for the same amount and term. */
async function openComparison() {
  const small: EmbedOffer = {
    ...kaveri,
    id: kaveri.id.replace(/.$/, '3'),
    lenderName: 'Sahyadri Capital',
    annualPercentageRate: '11.00%',
    most: { amount: '220000.00', tenureMonths: 60 },
  }
  const view = viewAt('OFFERS')
  const hosted = await open({ ...view, offers: [small, kaveri, meridian] })
  const { frame } = hosted
  const names = () => frame.locator('.card h2').allInnerTexts()
  const figures = (name: string) =>
    frame
      .getByRole('listitem')
      .filter({ has: frame.getByRole('heading', { name }) })
      .locator('.compared dd')
  await changeTerms(frame)
  const amount = frame.getByLabel('Amount, in rupees')
  await amount.waitFor()
  return { hosted, frame, names, figures, amount }
}

const consent: EmbedView['accountAggregator'][number] = {
  offerId: '0192e0a4-0000-7000-8000-0000000000aa',
  lenderId: 'lender-4',
  lenderName: 'Narmada Finance',
  purpose: 'UNDERWRITING',
  standing: 'DUE',
  handle: null,
  problem: null,
}
const searching = { searching: true, pollAfterMs: null }
const offerMade = 'OFFER_RECEIVED' as const
const noOffer = 'NO_OFFER_AVAILABLE' as const

/** Moves the slider to an amount. Its values are positions. */
async function slideTo(frame: OpenHostedPage['frame'], amount: number): Promise<void> {
  const slider = frame.getByLabel('Amount slider')
  const text = `₹${amount.toLocaleString('en-IN')}`
  await slider.press('Home')
  await until(`the slider is at ${text}`, async () => {
    if ((await slider.getAttribute('aria-valuetext')) === text) return true
    await slider.press('ArrowRight')
    return false
  })
}

/** Measures the cumulative layout shift without user input (Layout Instability). */
async function watchShifts({ page }: OpenHostedPage): Promise<() => Promise<number>> {
  const frame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
  await frame.evaluate(`window.shifts = []; new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifts.push(each.value)
  }).observe({ type: 'layout-shift', buffered: false })`)
  // Layout shifts are reported only after the drawing of a frame.
  const waitUntilDrawn =
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))'
  return async () => {
    await frame.evaluate(waitUntilDrawn)
    return (await frame.evaluate('window.shifts.reduce((sum, each) => sum + each, 0)')) as number
  }
}

describe('D1 §3: receiving and choosing offers', () => {
  for (const width of [390, 1280])
    test(`offers cannot be chosen before the search ends, and the layout is stable, at ${width} pixels`, async () => {
      const hosted = await open(viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(2, {}) }), {
        width,
      })
      const { page } = hosted
      // In its own window, because an embedded page is as high as its content.
      await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
      await page.getByText('0 of 2 lenders have answered').waitFor()
      const layoutShift = await watchShifts(hosted)
      const steps: [view: EmbedView, expectedText: string][] = [
        [viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(4, { 3: noOffer }) }), '1 of 4 lenders'],
        [
          viewAt('OFFERS', {
            ...searching,
            offers: offersFrom(0),
            lenders: lendersWith(5, { 0: offerMade, 3: noOffer }),
          }),
          '2 of 5',
        ],
        [
          viewAt('OFFERS', {
            ...searching,
            offers: offersFrom(0, 1),
            lenders: lendersWith(6, { 0: offerMade, 1: offerMade, 3: noOffer }),
            accountAggregator: [consent],
          }),
          '3 of 6 lenders',
        ],
      ]
      for (const [view, expectedText] of steps) {
        pages.platform.show(view)
        await hosted.pollAgain()
        await page.getByText(expectedText).waitFor()
        assert.equal(await page.getByRole('button', { name: /^Choose/ }).count(), 0, expectedText)
      }
      await page.getByRole('button', { name: 'See the 2 offers' }).waitFor()
      const consentNote = page.getByText('Narmada Finance asks for your consent')
      await consentNote.waitFor()
      assert.equal(
        await page.getByRole('listitem').filter({ hasText: 'Narmada Finance' }).count(),
        1,
        'the lender is listed once',
      )
      assert.ok((await layoutShift()) < 0.01, `layout shift ${await layoutShift()}`)
      await consentNote.click()
      await page.getByRole('button', { name: 'Go to the account aggregator' }).waitFor()

      const answers = { 0: offerMade, 1: offerMade, 2: noOffer, 3: noOffer, 4: noOffer, 5: noOffer }
      pages.platform.show(viewAt('OFFERS', { offers: offersFrom(0, 1), lenders: lendersWith(6, answers) }))
      await hosted.pollAgain()
      await page.locator('h1:focus, h1', { hasText: 'You have 2 offers' }).waitFor()
      assert.equal(await page.getByRole('button', { name: /^Choose/ }).count(), 2)
      assert.equal(await page.locator('.more').count(), 0, 'no bar without news')
      assert.ok((await layoutShift()) < 0.01, `layout shift ${await layoutShift()} with the end of the search`)
    })

  for (const language of ['en', 'hi'] as const)
    test(`the heading changes once all lenders have answered, even while the search is open (${language})`, async () => {
      const { later, offers: texts } = catalogues[language]
      const waiting = viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(2, { 1: noOffer }) })
      const hosted = await open(waiting)
      const { page } = hosted
      const heading = (name: string) => page.getByRole('heading', { name, exact: true })
      await page.goto(`${pages.platform.url}/lab/embed?lang=${language}#token=bt_test_single-use`)
      await heading(later['searching.title']).waitFor()
      const layoutShift = await watchShifts(hosted)
      const answered = lendersWith(2, { 0: offerMade, 1: noOffer })
      pages.platform.show(viewAt('OFFERS', { ...searching, offers: offersFrom(0), lenders: answered }))
      await hosted.pollAgain()
      await heading(texts['searching.done']).waitFor()
      assert.equal(await page.getByText(later['searching.lead']).count(), 0, 'nothing else will come soon')
      assert.equal(await heading(later['searching.title']).count(), 0)
      assert.ok((await layoutShift()) < 0.01, `layout shift ${await layoutShift()}`)
      const another = lendersWith(3, { 0: offerMade, 1: noOffer })
      pages.platform.show(viewAt('OFFERS', { ...searching, offers: offersFrom(0), lenders: another }))
      await hosted.pollAgain()
      await heading(later['searching.title']).waitFor()
    })

  test('without an offer, the page says what it still waits for, and ends with each reason once', async () => {
    const refused = lendersWith(3, { 0: noOffer, 1: noOffer, 2: noOffer })
    const hosted = await open(
      viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(3, { 0: noOffer }) }),
    )
    const { page } = hosted
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByText('1 of 3 lenders have answered').waitFor()
    const layoutShift = await watchShifts(hosted)
    pages.platform.show(viewAt('SEARCHING', { ...searching, searching: false, offers: [], lenders: refused }))
    await hosted.pollAgain()
    await page.getByRole('status').getByText('No offers so far').waitFor()
    await page.getByText('All 3 lenders have said no. We still wait a little for late answers.').waitFor()
    assert.equal(await page.getByText('You can stay here or come back later').count(), 0)
    assert.equal(await page.locator('.NO_OFFER_AVAILABLE .icon').count(), 3)
    assert.equal(await page.getByText(/lenders have answered|All lenders/).count(), 0)
    assert.ok((await layoutShift()) < 0.02, `layout shift ${await layoutShift()}`)

    const [first, second, third] = refused.map((lender) => ({ ...lender, reason: wordsOf('CREDIT_SCORE_TOO_LOW') }))
    const lenders = [first!, second!, { ...third!, reason: wordsOf('INCOME_TOO_LOW') }]
    pages.platform.show(viewAt('NOT_OFFERED', { lenders }))
    await hosted.pollAgain()
    await page.getByRole('heading', { name: 'No lender made an offer this time' }).waitFor()
    assert.equal(await page.getByText('higher income').count(), 0, 'the reasons say what can help')
    assert.deepEqual(await page.locator('.reasons dt').allTextContents(), [
      englishOf('CREDIT_SCORE_TOO_LOW'),
      englishOf('INCOME_TOO_LOW'),
    ])
    assert.deepEqual(await page.locator('.reasons dd').allTextContents(), [
      `${first!.name} · ${second!.name}`,
      third!.name,
    ])
    await page.getByRole('heading', { name: 'When to come back' }).waitFor()
    assert.ok(await page.getByText('Try again one or two months after').isVisible())
    await assertAccessible(page, 'the reasons of all lenders')
  })

  for (const { language, consentHeading, refusedHeading, request } of [
    {
      language: 'en',
      consentHeading: 'Lenders that need your consent',
      refusedHeading: 'Lenders that made no offer',
      request: 'Narmada Finance asks for your consent',
    },
    {
      language: 'hi',
      consentHeading: 'जिन ऋणदाताओं को आपकी सहमति चाहिए',
      refusedHeading: 'जिन ऋणदाताओं ने ऑफ़र नहीं दिया',
      request: 'Narmada Finance आपकी सहमति माँगता है',
    },
  ] as const)
    test(`a lender that needs a consent is listed separately from lenders without an offer (${language})`, async () => {
      const lenders = lendersWith(5, { 0: offerMade, 1: offerMade, 2: noOffer, 3: noOffer })
      const view = { offers: offersFrom(0, 1), lenders, accountAggregator: [consent] }
      const { frame } = await open(viewAt('OFFERS', view), { language })
      await frame.getByRole('heading', { name: consentHeading }).waitFor()
      assert.equal(await frame.locator('.more').count(), 0, 'the list says it')
      const headings = await frame.locator('section > h2').allInnerTexts()
      assert.deepEqual(headings, [consentHeading, refusedHeading])
      const lists = frame.locator('ul.answers')
      assert.equal(await lists.nth(0).getByText(request).count(), 1)
      assert.equal(await lists.nth(1).locator(':scope > li').count(), 2)
    })

  test('the notice of a pending consent leads by keyboard to the lender’s opened row', async () => {
    const checkingConsent = { ...consent, offerId: '0192e0a4-0000-7000-8000-0000000000ab', lenderId: 'lender-2' }
    const lenders = lendersWith(5, { 0: offerMade, 1: offerMade, 2: offerMade, 3: noOffer })
    const accountAggregator = [{ ...checkingConsent, lenderName: names[2]!, standing: 'CHECKING' as const }, consent]
    const view = viewAt('OFFERS', { offers: offersFrom(0, 1), lenders })
    const hosted = await open(view)
    const { frame, page } = hosted
    const box = frame.locator('.more')
    await box.getByText('One lender has not answered yet').waitFor()
    const height = (await box.boundingBox())!.height
    pages.platform.show(viewAt('OFFERS', { offers: offersFrom(0, 1), lenders, accountAggregator }))
    await hosted.pollAgain()
    await box.getByText('One lender is waiting for your consent').waitFor()
    assert.equal((await box.boundingBox())!.height, height, 'the content below the box does not move')
    const row = frame.locator('.asks', { hasText: 'Narmada Finance asks' })
    assert.equal(await row.getByRole('button').isVisible(), false)
    await assertFrameAccessible(hosted, 'the notice of a pending consent')
    await box.getByRole('button', { name: 'Show' }).focus()
    await page.keyboard.press('Enter')
    await row.locator('summary:focus').waitFor()
    await row.getByRole('button', { name: 'Go to the account aggregator' }).waitFor()
    await page.keyboard.press('Tab')
    await row.locator('button:focus').waitFor()
    await assertFrameAccessible(hosted, 'the row of a consent')
  })

  test('during the search, the row of a consent is open once every other lender has answered', async () => {
    const waiting = { ...searching, offers: [], lenders: lendersWith(5, { 0: noOffer, 1: noOffer, 2: noOffer }) }
    const hosted = await open(viewAt('SEARCHING', waiting))
    // Requests that exist when the list is first shown are expanded.
    await hosted.frame.getByText('3 of 5 lenders').waitFor()
    pages.platform.show(viewAt('SEARCHING', { ...waiting, accountAggregator: [consent] }))
    await hosted.pollAgain()
    const button = hosted.frame.getByRole('button', { name: 'Go to the account aggregator' })
    await hosted.frame.getByText('Narmada Finance asks for your consent').waitFor()
    assert.equal(await button.isVisible(), false, 'another lender may still answer')
    const lenders = lendersWith(5, { 0: noOffer, 1: noOffer, 2: noOffer, 3: noOffer })
    pages.platform.show(viewAt('SEARCHING', { ...waiting, lenders, accountAggregator: [consent] }))
    await hosted.pollAgain()
    await button.waitFor()
  })

  test('a search that waits only for the borrower’s consent says how many offers are here', async () => {
    const made = { 0: offerMade, 1: offerMade, 2: offerMade, 3: noOffer }
    const view = { ...searching, offers: offersFrom(0, 1, 2), lenders: lendersWith(5, made) }
    const hosted = await open(viewAt('SEARCHING', { ...view, accountAggregator: [] }))
    await hosted.frame.getByRole('heading', { name: 'Looking for offers' }).waitFor()
    pages.platform.show(viewAt('SEARCHING', { ...view, accountAggregator: [consent] }))
    await hosted.pollAgain()
    await hosted.frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    await hosted.frame.getByText('One lender is waiting for your consent').waitFor()
  })

  test('placeholder rows are shown before the first lender, and lenders replace them', async () => {
    const hosted = await open(viewAt('SEARCHING', { ...searching, offers: [], lenders: [] }))
    const { page } = hosted
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByText('Looking for offers').waitFor()
    const placeholderHeight = () =>
      page.evaluate('getComputedStyle(document.querySelector(".asked"), "::before").height')
    assert.equal(await placeholderHeight(), '288px', 'as high as five lenders')
    await page.getByRole('status').getByText('Asking lenders…').waitFor()
    await page.getByText('This usually takes less than a minute.').waitFor()
    const layoutShift = await watchShifts(hosted)
    pages.platform.show(viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(2, {}) }))
    await hosted.pollAgain()
    await page.getByText('0 of 2 lenders have answered').waitFor()
    assert.equal(await placeholderHeight(), 'auto', 'lenders replace the placeholders')
    assert.ok((await layoutShift()) < 0.01, `layout shift ${await layoutShift()} with the first lenders`)
  })

  test('a known kind of lender is translated, and an unknown one is shown unchanged', async () => {
    const offers = offersFrom(0, 1)
    const lenders = lendersWith(2, { 0: offerMade, 1: offerMade }).map((lender, i) => ({
      ...lender,
      ...(i === 0 ? { about: 'BANK', kind: 'bank' as const } : { about: 'Gramin Vikas Nidhi', kind: null }),
    }))
    const { frame } = await open(viewAt('OFFERS', { offers, lenders }), { language: 'hi' })
    const kind = (name: string) => frame.locator('.offer .who', { hasText: name }).locator('small').innerText()
    assert.match(await kind('Kaveri Bank'), /^बैंक · /)
    assert.match(await kind('Meridian Finance'), /^Gramin Vikas Nidhi · /)
  })

  test('FIS12 §3.4: the borrower can enter another handle when the lender does not know the first one', async () => {
    const handle = { refused: '9876543210@sandbox-aa', at: 'sandbox-aa' }
    const searchState = {
      offers: offersFrom(0),
      lenders: lendersWith(5, { 0: offerMade, 1: noOffer, 2: noOffer, 3: noOffer }),
    }
    const view = viewAt('OFFERS', { ...searchState, searching: false, pollAfterMs: null })
    const hosted = await open({ ...view, accountAggregator: [{ ...consent, standing: 'HANDLE', handle }] })
    const { frame } = hosted
    const field = frame.getByLabel('Your account aggregator handle')
    await field.waitFor()
    await assertFrameAccessible(hosted, 'another handle')
    pages.platform.on(`POST /aa/${consent.offerId}/handle`, () => ({
      ...view,
      accountAggregator: [{ ...consent, standing: 'CHECKING' }],
    }))
    for (const wrong of ['', '9876543210', 'no spaces']) {
      await field.fill(wrong)
      await frame.getByRole('button', { name: 'Ask again' }).click()
      await frame.getByText('Enter a different handle').first().waitFor()
    }
    assert.equal(pages.platform.acts.filter(({ path }) => path.endsWith('/handle')).length, 0)
    await field.fill('asha@sandbox-aa')
    await frame.getByRole('button', { name: 'Ask again' }).click()
    await frame.getByText('We are checking with the account aggregator').waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, { aaID: 'asha@sandbox-aa' })
  })

  test('FIS12 §19.1: two offers of one lender each show their basis', async () => {
    const [first] = offers
    const twoOffers = (['account-aggregator', 'bureau'] as const).map((basis, i) => ({
      ...first!,
      id: offers[i]!.id,
      basis,
    }))
    const view = { offers: twoOffers, lenders: lendersWith(1, { 0: offerMade }), searching: false, pollAfterMs: null }
    const { frame } = await open(viewAt('OFFERS', view))
    await frame.getByRole('heading', { name: 'You have 2 offers' }).waitFor()
    assert.deepEqual(await frame.getByText(/^Based on/).allInnerTexts(), [
      'Based on your bank statement',
      'Based on your credit report',
    ])
  })

  test('the layout is stable from form to search and after a reload', async () => {
    const hosted = await open(viewAt('PROFILE'))
    const { page } = hosted
    const sumOfShifts = `new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
      let sum = 0
      new PerformanceObserver((list) => {
        for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value
      }).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => done(sum), 100)
    }, 100)))`
    const shift = async () => (await page.evaluate(sumOfShifts)) as number
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByText('9876543210').first().waitFor()
    assert.ok((await shift()) < 0.02, `layout shift ${await shift()} of the form`)
    pages.platform.show(viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(2, {}) }))
    await hosted.pollAgain()
    await page.getByText('0 of 2 lenders have answered').waitFor()
    assert.ok((await shift()) < 0.02, `layout shift ${await shift()} to the search`)
    await page.reload()
    await page.getByText('0 of 2 lenders have answered').waitFor()
    assert.equal(await page.locator('.bar div').evaluate((bar) => bar.getBoundingClientRect().width), 0)
    pages.platform.show(viewAt('OFFERS'))
    await page.reload()
    await page.getByText('You have 3 offers').waitFor()
    await page.getByRole('button', { name: 'Withdraw your consent' }).waitFor()
    assert.ok((await shift()) < 0.02, `layout shift ${await shift()} of a reload`)
  })

  test('the borrower can see the first offers early, and a bar announces later ones', async () => {
    const firstLenders = lendersWith(6, { 0: offerMade })
    const hosted = await open(viewAt('OFFERS', { ...searching, offers: offersFrom(0), lenders: firstLenders }))
    const { frame } = hosted
    await frame.getByRole('button', { name: 'See the first offer' }).click()
    await frame.getByRole('heading', { name: 'You have one offer' }).waitFor()
    await frame.getByText('5 lenders have not answered yet').waitFor()
    assert.equal(await frame.getByText('Asked 1 minute ago, no answer yet').count(), 5)
    const cards = () => frame.locator('.card h2').allInnerTexts()
    const [first] = await cards()
    const choose = frame.getByRole('button', { name: 'Choose Kaveri Bank' })
    // Measured within the frame, because the host app scrolls to the start of a screen.
    const topOfButton = () => choose.evaluate((button) => button.getBoundingClientRect().top)
    const before = await topOfButton()
    const layoutShift = await watchShifts(hosted)

    for (const [indexes, text] of [
      [[0, 1], 'One new offer has arrived'],
      [[0, 1, 2], '2 new offers have arrived'],
    ] as const) {
      const answers = Object.fromEntries([...indexes.map((i) => [i, offerMade] as const), [5, noOffer]])
      pages.platform.show(
        viewAt('OFFERS', { ...searching, offers: offersFrom(...indexes), lenders: lendersWith(6, answers) }),
      )
      await hosted.pollAgain()
      await frame.getByText(text).waitFor()
      assert.equal(await frame.locator('h1').innerText(), 'You have one offer', 'the title counts what is shown')
      assert.deepEqual(await cards(), [first], 'no card is added automatically')
      assert.equal(await topOfButton(), before)
    }
    const all = { 0: offerMade, 1: offerMade, 2: offerMade, 3: noOffer, 4: noOffer, 5: noOffer }
    pages.platform.show(viewAt('OFFERS', { offers: offersFrom(0, 1, 2), lenders: lendersWith(6, all) }))
    await hosted.pollAgain()
    await frame.getByText(reason).nth(2).waitFor()
    assert.ok((await layoutShift()) < 0.01, `layout shift ${await layoutShift()}`)
    await assertFrameAccessible(hosted, 'new offers behind the bar')

    await frame.getByRole('button', { name: 'Show' }).click()
    await frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    assert.deepEqual(
      (await cards()).map((name) => name.split('\n').at(-1)),
      ['Sahyadri Capital', 'Meridian Finance', 'Kaveri Bank'],
    )
    await frame.getByRole('heading', { name: 'Lenders that made no offer' }).waitFor()
  })

  test('a single offer has no note that offers are compared neutrally', async () => {
    const { frame } = await open({ ...viewAt('OFFERS'), offers: [kaveri] })
    await frame.getByRole('heading', { name: 'You have one offer' }).waitFor()
    assert.equal(await frame.getByText('We do not favour any lender').count(), 0)
  })

  test('later offers do not change the compared amount and term', async () => {
    const [first, other] = offers
    const firstLenders = { offers: [first!], lenders: lendersWith(2, { 0: offerMade }) }
    const hosted = await open(viewAt('OFFERS', { ...searching, ...firstLenders }))
    const { frame } = hosted
    await frame.getByRole('button', { name: 'See the first offer' }).click()
    const comparedTerms = () => frame.locator('.asked-for b').innerText()
    assert.equal(await comparedTerms(), '₹2,00,000 · 24 months')
    const larger: EmbedOffer = { ...other!, start: { amount: '350000.00', tenureMonths: 48 } }
    const all = lendersWith(2, { 0: offerMade, 1: offerMade })
    pages.platform.show(viewAt('OFFERS', { offers: [first!, larger], lenders: all }))
    await hosted.pollAgain()
    await frame.getByText('One new offer has arrived').waitFor()
    await frame.getByRole('button', { name: 'Show' }).click()
    await frame.getByRole('heading', { name: 'You have 2 offers' }).waitFor()
    assert.equal(await comparedTerms(), '₹2,00,000 · 24 months')
  })

  test('offers are compared for one amount and term: figures change while typing, the order after it', async () => {
    const { hosted, frame, names, figures, amount } = await openComparison()
    assert.equal(await amount.inputValue(), '2,50,000')
    await frame.getByText('We do not favour any lender').waitFor()
    assert.equal(
      await frame.getByText('Money usually arrives 2 hours after you accept').count(),
      2,
      'for lenders with a known payout time',
    )
    assert.deepEqual(await names(), ['Kaveri Bank', 'Meridian Finance', 'Sahyadri Capital'])
    await frame.getByText('This offer is for ₹2,20,000 over 24 months.').waitFor()
    assert.deepEqual(await figures('Meridian Finance').allInnerTexts(), [
      '₹12,122',
      '17.34%',
      '₹2,90,928',
      '₹4,675',
      '₹2,45,075',
    ])
    assert.deepEqual(await figures('Kaveri Bank').allTextContents(), [
      '≈about ₹11,710',
      'from 12.5%',
      '≈about ₹2,81,040',
      'from ₹1,725',
      'up to ₹2,48,275',
    ])
    await assertFrameAccessible(hosted, 'the comparison')

    const layoutShift = await watchShifts(hosted)
    await amount.fill('')
    for (const key of '200000') await amount.press(key)
    assert.equal(await amount.inputValue(), '2,00,000')
    await figures('Kaveri Bank').getByText('₹9,368').waitFor()
    assert.deepEqual(
      await names(),
      ['Kaveri Bank', 'Meridian Finance', 'Sahyadri Capital'],
      'the order stays while typing',
    )
    await amount.blur()
    await frame.getByText('This offer is for').waitFor({ state: 'detached' })
    assert.deepEqual(await names(), ['Sahyadri Capital', 'Kaveri Bank', 'Meridian Finance'])
    assert.ok((await layoutShift()) < 0.01, `layout shift ${await layoutShift()}`)
    await amount.fill('9,00,000')
    await amount.press('Enter')
    await frame.getByText('Enter ₹50,000 to ₹4,00,000, in whole rupees').waitFor()
    assert.equal(await figures('Kaveri Bank').first().innerText(), '₹9,368', 'an invalid amount changes nothing')
    const chooseKaveri = frame.getByRole('button', { name: 'Choose Kaveri Bank' })
    assert.equal(await chooseKaveri.getAttribute('aria-disabled'), 'true', 'its figures are of another amount')
    await frame.getByRole('button', { name: 'Done' }).click()
    await frame.locator('#field-amount:focus').waitFor()

    await slideTo(frame, 300000)
    assert.equal(await chooseKaveri.getAttribute('aria-disabled'), null)
    await frame.getByText('36', { exact: true }).click()
    await frame.getByRole('button', { name: 'Done' }).click()
    assert.equal(await amount.count(), 0)
    await frame.getByLabel('Sort by').selectOption('Lowest total')
    await frame.getByRole('heading', { name: 'Offers for other amounts or terms' }).waitFor()
    assert.deepEqual(await frame.locator('.badge').allInnerTexts(), ['Lowest total'])
    pages.platform.on(`POST /offers/${meridian.id}/select`, () => viewAt('FINALISING'))
    await frame.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    await frame.getByRole('heading', { name: 'is preparing your final offer' }).waitFor()
    assert.deepEqual(
      pages.platform.acts.at(-1)!.body,
      { amount: '300000', tenureMonths: 36, language: 'en' },
      'the amount is not asked again',
    )
  })

  test('D1 §2.6: after a refusal the page shows no ended offers, and says when no lender is left to ask', async () => {
    const hosted = await open(viewAt('REJECTED', { offers: [kaveri, meridian] }))
    const { frame } = hosted
    await frame.getByRole('button', { name: 'Agree and ask the others' }).waitFor()
    assert.equal(await frame.getByText(meridian.lenderName).count(), 0, 'its offer has ended with the application')
    pages.platform.show(viewAt('REJECTED', { mayAskOthers: false, allRefused: true, version: 99 }))
    await hosted.pollAgain()
    await frame.getByText('There is no other lender that we can ask now.').waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Agree and ask the others' }).count(), 0)
    await assertFrameAccessible(hosted, 'a refusal by the last lender')
    const endedAt = '2026-11-12T09:30:00.000Z'
    const { frame: next } = await open(
      viewAt('PROFILE', { lastApplication: { endedAt, lender: 'Kaveri Bank', expired: false } }),
    )
    await next.locator('.lead').getByText('Your last application, to Kaveri Bank, ended without a loan.').waitFor()
    const { frame: again } = await open(
      viewAt('PROFILE', { lastApplication: { endedAt, lender: null, expired: false } }),
    )
    await again.locator('.lead').getByText('Your application of 12 Nov 2026 got no offer.').waitFor()
    const { frame: late } = await open(viewAt('PROFILE', { lastApplication: { endedAt, lender: null, expired: true } }))
    await late.locator('.lead').getByText('Your last application expired on 12 Nov 2026.').waitFor()
  })

  test('an invalid amount is reported on blur, without moving the layout', async () => {
    for (const language of ['en', 'ta'] as const) {
      const hosted = await open(viewAt('OFFERS'), { language })
      const { frame, page } = hosted
      await frame.locator('.asked-for button').click()
      const amount = frame.locator('#field-amount')
      const error = frame.locator('#field-amount-wrong')
      const top = () =>
        frame
          .locator('.offer')
          .first()
          .evaluate((card) => card.getBoundingClientRect().top)
      const before = await top()
      await amount.fill('')
      for (const key of '20') await amount.press(key)
      assert.equal(await amount.inputValue(), '20')
      assert.equal(await error.count(), 0)
      await page.keyboard.press('Tab')
      await error.waitFor()
      assert.equal(await amount.getAttribute('aria-invalid'), 'true')
      assert.match((await amount.getAttribute('aria-describedby'))!, /field-amount-wrong/)
      assert.equal(await top(), before, language)
      const field = (await amount.boundingBox())!
      const gap = (await error.boundingBox())!.y - field.y - field.height
      assert.ok(gap >= 0 && gap < 24, `the error is directly below the field: ${gap}`)
      assert.equal(
        await frame.locator('.offer.off').count(),
        await frame.locator('.offer').count(),
        'old figures are dimmed',
      )
      await assertFrameAccessible(hosted, `a wrong amount (${language})`)
      await amount.press('End')
      for (const key of '0000') await amount.press(key)
      assert.equal(await error.count(), 0, 'the error disappears on input')
      assert.equal(await top(), before, language)
    }
  })

  for (const language of ['en', 'hi'] as const)
    test(`a phone shows the first offer without scrolling, and amount and term stay visible (${language})`, async () => {
      const hosted = await open(viewAt('OFFERS'), { width: 390 })
      const { page } = hosted
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${pages.platform.url}/lab/embed?lang=${language}#token=bt_test_single-use`)
      const card = page.locator('.offer').first()
      await card.waitFor()
      const bottom = async (part: string) => {
        const { y, height } = (await card.locator(part).boundingBox())!
        return y + height
      }
      assert.ok((await bottom('button')) <= 844, `the button ends at ${await bottom('button')}`)
      const filledButtons = page.locator('.offer .main')
      assert.equal(await filledButtons.count(), 1, 'one offer leads')
      const change = page.locator('.asked-for button')
      await change.click()
      await page.locator('.opened:focus').waitFor()
      const tops = await page
        .locator('.chips .choice')
        .evaluateAll((terms) => terms.map((term) => term.getBoundingClientRect().top))
      assert.equal(new Set(tops).size, 1, 'the terms are one row')
      await change.click()
      assert.equal(await page.locator('.opened').count(), 0)
      const layoutShift = await watchShifts(hosted)
      await page.locator('.answers').last().scrollIntoViewIfNeeded()
      const bar = page.locator('.asked-for')
      assert.equal((await bar.boundingBox())!.y, 0)
      assert.match(await bar.innerText(), /^₹2,50,000 · 24/)
      assert.equal(await layoutShift(), 0)
    })

  test('an EMI above the affordable amount is marked on the card', async () => {
    const hosted = await open(viewAt('OFFERS', { offers: [kaveri] }))
    const { frame } = hosted
    const warning = frame.getByText('More than the ₹34,000 a month that is usually affordable')
    await changeTerms(frame)
    await frame.getByText('keep all your EMIs together under ₹34,000 a month').waitFor()
    assert.equal(await warning.count(), 0, '₹9,368 is below')
    await slideTo(frame, 400000)
    await frame.getByText('12', { exact: true }).click()
    await frame.locator('.offer .compared').getByText('₹35,446').waitFor()
    await warning.waitFor()
    await assertFrameAccessible(hosted, 'an EMI above the affordable amount')
  })

  test('the details of an offer have the same figures as its card, and no second APR', async () => {
    const hosted = await open(viewAt('OFFERS', { offers: [kaveri] }))
    const { frame } = hosted
    const card = frame.locator('.offer')
    await card.getByText('All details').click()
    const aprs = async () => [...new Set((await card.innerText()).match(/\d+(?:\.\d+)?%(?! a year)/g))]
    assert.deepEqual(await aprs(), ['12.61%'], 'the lender’s APR')
    await changeTerms(frame)
    await slideTo(frame, 100000)
    await card.locator('.compared').getByText('₹4,684').waitFor()
    await assertFrameAccessible(hosted, 'estimated details')
    const compared = await card.locator('.compared').innerText()
    const details = await card.locator('details').first().innerText()
    assert.match(details, /Total interest\s+≈\s+about\s+₹12,416/)
    assert.doesNotMatch(details, /EMI|₹4,684/, 'what the card says is not said again')
    assert.match(details, /Processing fee\s+from ₹590/, 'the fees are open')
    const shownAprs = await aprs()
    assert.equal(shownAprs.length, 1, `${shownAprs}`)
    assert.ok(compared.includes(`${shownAprs[0]}`), compared)
  })

  test('the details of an offer and the final offer show the lender’s legal name, if known', async () => {
    const hosted = await open(viewAt('OFFERS'))
    const { frame } = hosted
    const legal = frame.getByText(/^Legal name/)
    for (const name of ['Kaveri Bank', 'Meridian Finance']) {
      const offer = frame.locator('.offer', { hasText: name })
      await offer.getByText('All details').click()
      await offer.getByText(`Contact ${name}`).click()
    }
    assert.deepEqual(await legal.allInnerTexts(), ['Legal name of the lender: Kaveri Bank Limited'])
    await assertFrameAccessible(hosted, 'the legal name')
    pages.platform.show(viewAt('FINAL_OFFER'))
    await hosted.pollAgain()
    await frame.getByRole('button', { name: 'Accept this loan' }).waitFor()
    await frame.getByText('Contact Kaveri Bank').click()
    assert.deepEqual(await legal.allInnerTexts(), ['Legal name of the lender: Kaveri Bank Limited'])
  })

  test('on a wide screen “All details” stands at one height in every row, whatever the row says', async () => {
    const weekly = {
      ...meridian,
      repaymentFrequency: 'WEEKLY',
      numberOfInstallments: 104,
      installmentAmount: '2797.00',
    }
    const fixed = { amount: '300000.00', tenureMonths: 12 }
    const other = { ...offers[2]!, expired: false, start: fixed, least: fixed, most: fixed }
    const { frame } = await open(viewAt('OFFERS', { offers: [kaveri, weekly, other] }), { width: 1280 })
    await frame.getByText('This offer is for ₹3,00,000 over 12 months.').waitFor()
    const heights = await frame.locator('.offer').evaluateAll((cards) =>
      cards.map((card) => {
        const topOf = (part: string) => card.querySelector(part)!.getBoundingClientRect().top
        return Math.round(topOf('summary') - topOf('button'))
      }),
    )
    assert.equal(heights.length, 3)
    assert.equal(new Set(heights).size, 1, heights.join())
  })

  test('an offer says what kind of lender makes it, and that it is regulated if its kind is unknown', async () => {
    const view = viewAt('OFFERS')
    const lenders = view.lenders.map((each) =>
      each.name === 'Kaveri Bank' ? { ...each, kind: null, about: null } : each,
    )
    const { frame } = await open({ ...view, lenders })
    await frame.locator('.offer', { hasText: 'Kaveri Bank' }).getByText('Regulated lender · Valid until').waitFor()
    await frame.locator('.offer', { hasText: 'Meridian Finance' }).getByText('NBFC · Valid until').waitFor()
  })

  test('a wide screen shows the figures in columns, each with its name, also those of a credit line', async () => {
    const weekly = {
      ...meridian,
      repaymentFrequency: 'WEEKLY',
      numberOfInstallments: 104,
      installmentAmount: '2797.00',
    }
    const line = { ...offers[2]!, creditLine: true }
    const { frame } = await open(viewAt('OFFERS', { offers: [kaveri, weekly, line] }), { width: 1280 })
    await frame.locator('.offer').nth(2).waitFor()
    const leftOf = (name: string) =>
      frame
        .locator('.compared dt', { hasText: name })
        .evaluateAll((terms) => terms.map((term) => Math.round(term.getBoundingClientRect().left)))
    const isVisible = (text: string, i: number) =>
      frame
        .locator('.offer')
        .nth(i)
        .locator('dt', { hasText: text })
        .evaluate((term) => term.getBoundingClientRect().width > 1)
    assert.equal(await isVisible('APR', 0), true)
    assert.equal(await isVisible('APR', 1), false, 'one row of headings stands for all rows')
    assert.equal(await isVisible('Weekly', 1), true)
    for (const [name, count] of [
      ['APR', 3],
      ['Total to repay', 2],
      ['Fees', 3],
      ['You receive', 2],
    ] as const) {
      const lefts = await leftOf(name)
      assert.deepEqual(lefts, Array(count).fill(lefts[0]), name)
    }
    assert.equal((await leftOf('Weekly')).length, 1, 'a different figure has its own name')
  })

  test('D1 §5: a choice without a connection is told in the card, and made by itself when the connection is back', async () => {
    const { page, frame } = await open(viewAt('OFFERS', { offers: offersFrom(0, 1, 2, 3) }))
    const last = frame.locator('.offer').last()
    // The last card is that of the highest APR.
    pages.platform.on(`POST /offers/${offers[0]!.id}/select`, () => viewAt('FINALISING'))
    await last.getByRole('button', { name: 'Choose Kaveri Bank' }).scrollIntoViewIfNeeded()
    await page.context().setOffline(true)
    try {
      await last.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
      await last.getByRole('alert').getByText('You are offline').waitFor()
      assert.equal(await frame.locator('.notice').count(), 1)
    } finally {
      await page.context().setOffline(false)
    }
    await frame.getByRole('heading', { name: 'is preparing your final offer' }).waitFor()
  })

  test('loans stand before credit lines, and the title says how many offers match', async () => {
    const line = { ...meridian, id: kaveri.id.replace(/.$/, '8'), lenderName: 'Girnar Bank', creditLine: true }
    const { frame } = await open(viewAt('OFFERS', { offers: [line, ...offersFrom(0, 1)] }))
    await frame.getByRole('heading', { name: 'Credit lines' }).waitFor()
    assert.equal(await frame.locator('.offer h2').last().innerText(), 'Girnar Bank')
    const { frame: split } = await openComparison()
    await slideTo(split, 300000)
    await split.getByRole('button', { name: 'Done' }).click()
    await split.getByText(/^2 for ₹3,00,000 · \d+ months, 1 for another amount or term$/).waitFor()
  })

  test('no offer is marked as lowest while one for another amount or term is lower', async () => {
    const most = { ...kaveri.most, tenureMonths: 24 }
    const [first, second] = offersFrom(0, 1).map((offer) => ({ ...offer, most }))
    const other: EmbedOffer = {
      ...kaveri,
      id: kaveri.id.replace(/.$/, '9'),
      lenderName: 'Narmada Finance',
      annualPercentageRate: '10.00%',
      least: { ...kaveri.least, tenureMonths: 36 },
      start: { ...kaveri.start, tenureMonths: 36 },
      tenureMonths: 36,
    }
    const hosted = await open(viewAt('OFFERS', { offers: [other, first!, second!] }))
    await hosted.frame.getByRole('heading', { name: 'Offers for other amounts or terms' }).waitFor()
    assert.equal(await hosted.frame.locator('.badge').count(), 0)
    const alone = await open(viewAt('OFFERS', { offers: [first!, second!] }))
    await alone.frame.locator('.badge', { hasText: 'Lowest APR' }).waitFor()
  })

  test('the consent can be withdrawn after confirmation, and the page shows the time', async () => {
    const hosted = await open(viewAt('OFFERS'))
    const { frame } = hosted
    const ended = viewAt('REJECTED', {
      selected: null,
      withdrawnAt: '2026-11-20T10:00:00.000Z',
      endReason: { code: 'UNKNOWN_REASON', en: 'You withdrew.' },
    })
    pages.platform.on('POST /consents/withdraw', () => ended)
    const withdraw = frame.getByRole('button', { name: 'Withdraw your consent' })
    await withdraw.click()
    await frame.getByRole('heading', { name: 'Withdraw your consent?' }).waitFor()
    await assertFrameAccessible(hosted, 'the confirmation of a withdrawal')
    pages.platform.acts.length = 0
    await frame.getByRole('button', { name: 'No, go back' }).click()
    await frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    assert.equal(pages.platform.acts.length, 0)
    await withdraw.click()
    await frame.getByRole('button', { name: 'Yes, withdraw' }).click()
    await frame.getByText('You withdrew your consent on 20 Nov, 3:30 pm.').waitFor()
    assert.equal(await frame.getByText('You withdrew.').count(), 0)
    assert.deepEqual(
      pages.platform.acts.map(({ path, body }) => ({ path, body })),
      [{ path: '/consents/withdraw', body: {} }],
    )
    await frame.locator('header select').selectOption('हिन्दी')
    await frame.getByText('को अपनी सहमति वापस ली').waitFor()
    pages.platform.show(viewAt('KYC'))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'अपनी पहचान की पुष्टि करें' }).waitFor()
    assert.equal(await frame.getByRole('button', { name: 'अपनी सहमति वापस लें' }).count(), 0, 'accepted')
  })

  test('an expired offer keeps its layout, and the bar is in Hindi', async () => {
    const hosted = await open(viewAt('OFFERS', { ...searching }), { language: 'hi' })
    const { frame } = hosted
    await frame.getByRole('button', { name: '3 ऑफ़र देखें' }).click()
    await frame.getByRole('button', { name: 'Meridian Finance को चुनें' }).waitFor()
    const layoutShift = await watchShifts(hosted)
    const [, , expiredOffer] = viewAt('OFFERS').offers
    const other = { ...meridian, id: kaveri.id.replace(/.$/, '7') }
    pages.platform.show(
      viewAt('OFFERS', { ...searching, offers: [{ ...kaveri, expired: true }, meridian, expiredOffer!, other] }),
    )
    await hosted.pollAgain()
    await frame.getByText('एक नया ऑफ़र आया है').waitFor()
    await frame.getByText('इस ऑफ़र की अवधि समाप्त हो गई है।').first().waitFor()
    assert.ok((await layoutShift()) < 0.01, `layout shift ${await layoutShift()}`)
    const card = frame.locator('.offer').first()
    await card.locator('.who').getByText('को समाप्त').waitFor()
    const weightOf = (each: string) => `getComputedStyle(document.querySelector('${each}')).fontWeight`
    const pageFrame = hosted.page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    assert.equal(await pageFrame.evaluate(weightOf('.offer dd')), '400', 'its figures no longer stand out')
  })

  test('the list warns of an EMI above what is affordable, and says why another APR may come first', async () => {
    const workProfile = { employmentType: 'salaried' as const, income: 20000, companyName: 'Example Industries' }
    const most = { amount: '100000.00', tenureMonths: 24 }
    const offers = [kaveri, { ...meridian, most, start: most }]
    const { frame } = await open(viewAt('OFFERS', { workProfile, offers }))
    const warning = frame.locator('.offer .far', { hasText: 'a month that is usually affordable' }).first()
    await warning.locator('svg').waitFor()
    await frame.getByText('Offers for your amount and term come first, then the others.').waitFor()
    assert.deepEqual(await frame.locator('.offer .logo').allInnerTexts(), ['KB', 'MF'])
  })
})
