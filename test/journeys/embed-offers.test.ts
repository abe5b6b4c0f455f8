// The hosted page from the first question to the choice, in a real browser: what is shown stays where it is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedLender, EmbedOffer, EmbedView } from '#contract/hosted/embed.ts'
import type { Opened } from '#test/setup/embed-page.ts'
import { accessible, embedPages } from '#test/setup/embed-pages.ts'
import { kaveri, meridian, viewAt } from '#test/setup/embed-views.ts'
import { catalogues } from '../../src/web/embed/text/catalogues.ts'

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

/** What each lender has said, by its number; one that has said nothing is awaited. */
function lendersWith(count: number, answers: Record<number, EmbedLender['status']>): EmbedLender[] {
  return names.slice(0, count).map((name, i) => {
    const status = answers[i] ?? 'OFFER_AWAITED'
    return {
      ...template!,
      id: `lender-${i}`,
      name,
      status,
      reason: status === 'NO_OFFER_AVAILABLE' ? { outside: reason } : null,
      waitedSeconds: status === 'OFFER_AWAITED' ? 75 : null,
    }
  })
}

const offersFrom = (...numbers: number[]) =>
  numbers.map((i) => offers[i]!).sort((one, other) => (one.annualPercentageRate < other.annualPercentageRate ? -1 : 1))

/** Three offers beside each other: one of a smaller lender, and two that can be had for the same amount and time. */
async function openComparison() {
  const small: EmbedOffer = {
    ...kaveri,
    id: kaveri.id.replace(/.$/, '3'),
    lenderName: 'Sahyadri Capital',
    annualPercentageRate: '11.00%',
    most: { amount: '220000.00', tenureMonths: 60 },
  }
  const view = viewAt('OFFERS')
  const one = await open({ ...view, offers: [small, kaveri, meridian] })
  const { inside } = one
  const names = () => inside.locator('.card h2').allInnerTexts()
  const figures = (name: string) =>
    inside
      .getByRole('listitem')
      .filter({ has: inside.getByRole('heading', { name }) })
      .locator('.compared dd')
  const amount = inside.getByLabel('Amount, in rupees')
  await amount.waitFor()
  return { one, inside, names, figures, amount }
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
const [made, none] = ['OFFER_RECEIVED', 'NO_OFFER_AVAILABLE'] as const

/** Everything that moved by itself, added up as browsers do (Layout Instability); nothing that follows a tap counts. */
async function watchShifts({ page }: Opened): Promise<() => Promise<number>> {
  const frame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
  await frame.evaluate(`window.shifts = []; new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifts.push(each.value)
  }).observe({ type: 'layout-shift', buffered: false })`)
  // What is drawn in a frame is reported after it.
  const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))'
  return async () => {
    await frame.evaluate(drawn)
    return (await frame.evaluate('window.shifts.reduce((sum, each) => sum + each, 0)')) as number
  }
}

describe('D1 §3: offers come in, and one is chosen', () => {
  for (const width of [390, 1280])
    test(`choosing waits until the search is over; nothing moves meanwhile, at ${width} pixels`, async () => {
      const one = await open(viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(2, {}) }), { width })
      const { page } = one
      // In a window of its own, as on a phone: a frame is as high as its content.
      await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
      await page.getByText('0 of 2 lenders have answered').waitFor()
      const shifted = await watchShifts(one)
      const steps: [view: EmbedView, shows: string][] = [
        [viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(4, { 3: none }) }), '1 of 4 lenders'],
        [
          viewAt('OFFERS', { ...searching, offers: offersFrom(0), lenders: lendersWith(5, { 0: made, 3: none }) }),
          '2 of 5',
        ],
        [
          viewAt('OFFERS', {
            ...searching,
            offers: offersFrom(0, 1),
            lenders: lendersWith(6, { 0: made, 1: made, 3: none }),
            accountAggregator: [consent],
          }),
          '4 of 6 lenders',
        ],
      ]
      for (const [view, shows] of steps) {
        pages.platform.show(view)
        await one.askAgain()
        await page.getByText(shows).waitFor()
        assert.equal(await page.getByRole('button', { name: /^Choose/ }).count(), 0, shows)
      }
      await page.getByRole('button', { name: 'See the 2 offers so far' }).waitFor()
      const asking = page.getByText('Narmada Finance asks for your consent')
      await asking.waitFor()
      assert.equal(
        await page.getByRole('listitem').filter({ hasText: 'Narmada Finance' }).count(),
        1,
        'it is listed once',
      )
      assert.ok((await shifted()) < 0.01, `layout shift ${await shifted()}`)
      await asking.click()
      await page.getByRole('button', { name: 'Go to the account aggregator' }).waitFor()

      const answers = { 0: made, 1: made, 2: none, 3: none, 4: none, 5: none }
      pages.platform.show(viewAt('OFFERS', { offers: offersFrom(0, 1), lenders: lendersWith(6, answers) }))
      await one.askAgain()
      await page.locator('h1:focus, h1', { hasText: 'You have 2 offers' }).waitFor()
      await page.getByText('All lenders have answered').waitFor()
      assert.equal(await page.getByRole('button', { name: /^Choose/ }).count(), 2)
      assert.ok((await shifted()) < 0.01, `layout shift ${await shifted()} with the end of the search`)
    })

  for (const language of ['en', 'hi'] as const)
    test(`while the search is open, it no longer says that lenders are asked once all have answered (${language})`, async () => {
      const { later, offers: texts } = catalogues[language]
      const waiting = viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(2, { 1: none }) })
      const one = await open(waiting)
      const { page } = one
      const heading = (name: string) => page.getByRole('heading', { name, exact: true })
      await page.goto(`${pages.platform.url}/lab/embed?lang=${language}#token=bt_test_single-use`)
      await heading(later['searching.title']).waitFor()
      const shifted = await watchShifts(one)
      const answered = lendersWith(2, { 0: made, 1: none })
      pages.platform.show(viewAt('OFFERS', { ...searching, offers: offersFrom(0), lenders: answered }))
      await one.askAgain()
      await heading(texts['searching.done']).waitFor()
      await page.getByText(texts['searching.late']).waitFor()
      assert.equal(await heading(later['searching.title']).count(), 0)
      assert.ok((await shifted()) < 0.01, `layout shift ${await shifted()}`)
      const another = lendersWith(3, { 0: made, 1: none })
      pages.platform.show(viewAt('OFFERS', { ...searching, offers: offersFrom(0), lenders: another }))
      await one.askAgain()
      await heading(later['searching.title']).waitFor()
    })

  for (const { language, waits, apart, refused, asks } of [
    {
      language: 'en',
      waits: 'One lender is waiting for your consent',
      apart: 'Lenders that need your consent',
      refused: 'Lenders that made no offer',
      asks: 'Narmada Finance asks for your consent',
    },
    {
      language: 'hi',
      waits: 'एक ऋणदाता को आपकी सहमति का इंतज़ार है',
      apart: 'जिन ऋणदाताओं को आपकी सहमति चाहिए',
      refused: 'जिन ऋणदाताओं ने ऑफ़र नहीं दिया',
      asks: 'Narmada Finance आपकी सहमति माँगता है',
    },
  ] as const)
    test(`a lender that needs a consent is no lender without an answer or an offer (${language})`, async () => {
      const lenders = lendersWith(5, { 0: made, 1: made, 2: none, 3: none })
      const view = { offers: offersFrom(0, 1), lenders, accountAggregator: [consent] }
      const { inside } = await open(viewAt('OFFERS', view), { language })
      await inside.getByText(waits).waitFor()
      const headings = await inside.locator('section > h2').allInnerTexts()
      assert.deepEqual(headings, [apart, refused])
      const lists = inside.locator('ul.answers')
      assert.equal(await lists.nth(0).getByText(asks).count(), 1)
      assert.equal(await lists.nth(1).locator(':scope > li').count(), 2)
    })

  test('the box that a consent is waited for leads by keyboard to its lender, whose row opens', async () => {
    const checking = { ...consent, offerId: '0192e0a4-0000-7000-8000-0000000000ab', lenderId: 'lender-2' }
    const lenders = lendersWith(5, { 0: made, 1: made, 2: made, 3: none })
    const accountAggregator = [{ ...checking, lenderName: names[2]!, standing: 'CHECKING' as const }, consent]
    const view = viewAt('OFFERS', { offers: offersFrom(0, 1), lenders })
    const one = await open(view)
    const { inside, page } = one
    const box = inside.locator('.more')
    await box.getByText('One lender has not answered yet').waitFor()
    const height = (await box.boundingBox())!.height
    pages.platform.show(viewAt('OFFERS', { offers: offersFrom(0, 1), lenders, accountAggregator }))
    await one.askAgain()
    await box.getByText('One lender is waiting for your consent').waitFor()
    assert.equal((await box.boundingBox())!.height, height, 'what is below the box stays where it is')
    const row = inside.locator('.asks', { hasText: 'Narmada Finance asks' })
    assert.equal(await row.getByRole('button').isVisible(), false)
    await accessible(one, 'a consent is waited for')
    await box.getByRole('button', { name: 'Show' }).focus()
    await page.keyboard.press('Enter')
    await row.locator('summary:focus').waitFor()
    await row.getByRole('button', { name: 'Go to the account aggregator' }).waitFor()
    await page.keyboard.press('Tab')
    await row.locator('button:focus').waitFor()
    await accessible(one, 'the row of a consent')
  })

  test('before the first lender is known there are rows without a name, and the first ones take their place', async () => {
    const one = await open(viewAt('SEARCHING', { ...searching, offers: [], lenders: [] }))
    const { page } = one
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByText('Looking for offers').waitFor()
    const rows = () => page.evaluate('getComputedStyle(document.querySelector(".asked"), "::before").height')
    assert.equal(await rows(), '172px', 'as high as three lenders')
    const shifted = await watchShifts(one)
    pages.platform.show(viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(2, {}) }))
    await one.askAgain()
    await page.getByText('0 of 2 lenders have answered').waitFor()
    assert.equal(await rows(), 'auto', 'the rows are those of lenders now')
    assert.ok((await shifted()) < 0.01, `layout shift ${await shifted()} with the first lenders`)
  })

  test('the kind of a lender is said in the language of the page, and as it came where it is none that is known', async () => {
    const offers = offersFrom(0, 1)
    const lenders = lendersWith(2, { 0: made, 1: made }).map((lender, i) => ({
      ...lender,
      ...(i === 0 ? { about: 'BANK', kind: 'bank' as const } : { about: 'Gramin Vikas Nidhi', kind: null }),
    }))
    const { inside } = await open(viewAt('OFFERS', { offers, lenders }), { language: 'hi' })
    const kind = (name: string) => inside.locator('.offer .who', { hasText: name }).locator('small').innerText()
    assert.match(await kind('Kaveri Bank'), /^बैंक · /)
    assert.match(await kind('Meridian Finance'), /^Gramin Vikas Nidhi · /)
  })

  test('FIS12 §3.4: another handle is named where a lender does not know the borrower by the first one', async () => {
    const handle = { refused: '9876543210@sandbox-aa', at: 'sandbox-aa' }
    const wanting = { offers: offersFrom(0), lenders: lendersWith(5, { 0: made, 1: none, 2: none, 3: none }) }
    const view = viewAt('OFFERS', { ...wanting, searching: false, pollAfterMs: null })
    const one = await open({ ...view, accountAggregator: [{ ...consent, standing: 'HANDLE', handle }] })
    const { inside } = one
    const field = inside.getByLabel('Your account aggregator handle')
    await field.waitFor()
    await accessible(one, 'another handle')
    pages.platform.on(`POST /aa/${consent.offerId}/handle`, () => ({
      ...view,
      accountAggregator: [{ ...consent, standing: 'CHECKING' }],
    }))
    for (const wrong of ['', '9876543210', 'no spaces']) {
      await field.fill(wrong)
      await inside.getByRole('button', { name: 'Ask again' }).click()
      await inside.getByText('Enter a different handle').first().waitFor()
    }
    assert.equal(pages.platform.acts.filter(({ path }) => path.endsWith('/handle')).length, 0)
    await field.fill('asha@sandbox-aa')
    await inside.getByRole('button', { name: 'Ask again' }).click()
    await inside.getByText('We are checking with the account aggregator').waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, { aaID: 'asha@sandbox-aa' })
  })

  test('FIS12 §19.1: of two offers of one lender each says what it was made by', async () => {
    const [first] = offers
    const two = (['account-aggregator', 'bureau'] as const).map((basis, i) => ({ ...first!, id: offers[i]!.id, basis }))
    const view = { offers: two, lenders: lendersWith(1, { 0: made }), searching: false, pollAfterMs: null }
    const { inside } = await open(viewAt('OFFERS', view))
    await inside.getByRole('heading', { name: 'You have 2 offers' }).waitFor()
    assert.deepEqual(await inside.getByText(/^Based on/).allInnerTexts(), [
      'Based on your bank statement',
      'Based on your credit report',
    ])
  })

  test('nothing moves by itself from the form to the search, nor when the page is loaded again', async () => {
    const one = await open(viewAt('PROFILE'))
    const { page } = one
    const seen = `new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
      let sum = 0
      new PerformanceObserver((list) => {
        for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value
      }).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => done(sum), 100)
    }, 100)))`
    const shift = async () => (await page.evaluate(seen)) as number
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByText('9876543210').first().waitFor()
    assert.ok((await shift()) < 0.02, `layout shift ${await shift()} of the form`)
    pages.platform.show(viewAt('SEARCHING', { ...searching, offers: [], lenders: lendersWith(2, {}) }))
    await one.askAgain()
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

  test('a borrower who asks sees what there is, and later offers wait behind a bar that says how many', async () => {
    const early = lendersWith(6, { 0: made })
    const one = await open(viewAt('OFFERS', { ...searching, offers: offersFrom(0), lenders: early }))
    const { inside } = one
    await inside.getByRole('button', { name: 'See the first offer' }).click()
    await inside.getByRole('heading', { name: 'You have one offer' }).waitFor()
    await inside.getByText('5 lenders have not answered yet').waitFor()
    assert.equal(await inside.getByText('Asked 1 minute ago, no answer yet').count(), 5)
    const cards = () => inside.locator('.card h2').allInnerTexts()
    const [first] = await cards()
    const choose = inside.getByRole('button', { name: 'Choose Kaveri Bank' })
    // Within the frame: the app around it scrolls to where a screen begins.
    const place = () => choose.evaluate((button) => button.getBoundingClientRect().top)
    const before = await place()
    const shifted = await watchShifts(one)

    for (const [numbers, text] of [
      [[0, 1], 'One new offer has arrived'],
      [[0, 1, 2], '2 new offers have arrived'],
    ] as const) {
      const answers = Object.fromEntries([...numbers.map((i) => [i, made] as const), [5, none]])
      pages.platform.show(
        viewAt('OFFERS', { ...searching, offers: offersFrom(...numbers), lenders: lendersWith(6, answers) }),
      )
      await one.askAgain()
      await inside.getByText(text).waitFor()
      assert.deepEqual(await cards(), [first], 'no card is added by itself')
      assert.equal(await place(), before)
    }
    const all = { 0: made, 1: made, 2: made, 3: none, 4: none, 5: none }
    pages.platform.show(viewAt('OFFERS', { offers: offersFrom(0, 1, 2), lenders: lendersWith(6, all) }))
    await one.askAgain()
    await inside.getByText(reason).nth(2).waitFor()
    assert.ok((await shifted()) < 0.01, `layout shift ${await shifted()}`)
    await accessible(one, 'new offers behind the bar')

    await inside.getByRole('button', { name: 'Show' }).click()
    await inside.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    assert.deepEqual(
      (await cards()).map((name) => name.split('\n').at(-1)),
      ['Sahyadri Capital', 'Meridian Finance', 'Kaveri Bank'],
    )
    await inside.getByText('All lenders have answered').waitFor()
    await inside.getByRole('heading', { name: 'Lenders that made no offer' }).waitFor()
  })

  test('one offer is not said to be compared with any other', async () => {
    const { inside } = await open({ ...viewAt('OFFERS'), offers: [kaveri] })
    await inside.getByRole('heading', { name: 'You have one offer' }).waitFor()
    assert.equal(await inside.getByText('We do not favour any lender').count(), 0)
  })

  test('later offers that are shown change neither the amount nor the time that the first ones were compared at', async () => {
    const [first, other] = offers
    const early = { offers: [first!], lenders: lendersWith(2, { 0: made }) }
    const one = await open(viewAt('OFFERS', { ...searching, ...early }))
    const { inside } = one
    await inside.getByRole('button', { name: 'See the first offer' }).click()
    const at = async () => [
      await inside.getByLabel('Amount, in rupees').inputValue(),
      await inside.getByRole('radio', { checked: true }).getAttribute('aria-label'),
    ]
    assert.deepEqual(await at(), ['2,00,000', '24 months'])
    const larger: EmbedOffer = { ...other!, start: { amount: '350000.00', tenureMonths: 48 } }
    const all = lendersWith(2, { 0: made, 1: made })
    pages.platform.show(viewAt('OFFERS', { offers: [first!, larger], lenders: all }))
    await one.askAgain()
    await inside.getByText('One new offer has arrived').waitFor()
    await inside.getByRole('button', { name: 'Show' }).click()
    await inside.getByRole('heading', { name: 'You have 2 offers' }).waitFor()
    assert.deepEqual(await at(), ['2,00,000', '24 months'])
  })

  test('all offers are compared for one amount and time: figures follow at once, places when it is chosen', async () => {
    const { one, inside, names, figures, amount } = await openComparison()
    assert.equal(await amount.inputValue(), '2,50,000')
    await inside.getByText('For: Travel').waitFor()
    await inside.getByText('All for the same amount and term where the lender offers it').waitFor()
    assert.equal(
      await inside.getByText('Money usually arrives 2 hours after you accept').count(),
      2,
      'of the lender of whom it is known',
    )
    await inside
      .getByText('With an income of ₹85,000 a month, you can usually afford total EMIs of about ₹34,000')
      .waitFor()
    assert.deepEqual(await names(), ['Kaveri Bank', 'Meridian Finance', 'Sahyadri Capital'])
    await inside.getByText('This offer is for ₹2,20,000 over 24 months.').waitFor()
    assert.deepEqual(await figures('Meridian Finance').allInnerTexts(), ['₹12,122', '17.34%', '₹2,90,928'])
    assert.deepEqual(await figures('Kaveri Bank').allTextContents(), [
      '≈about ₹11,710',
      '≈about 12.58%',
      '≈about ₹2,81,040',
    ])
    await accessible(one, 'the comparison')

    const watched = await watchShifts(one)
    await amount.fill('')
    for (const key of '200000') await amount.press(key)
    assert.equal(await amount.inputValue(), '2,00,000')
    await figures('Kaveri Bank').getByText('₹9,368').waitFor()
    assert.deepEqual(await names(), ['Kaveri Bank', 'Meridian Finance', 'Sahyadri Capital'], 'while it is typed')
    await amount.blur()
    await inside.getByText('This offer is for').waitFor({ state: 'detached' })
    assert.deepEqual(await names(), ['Sahyadri Capital', 'Kaveri Bank', 'Meridian Finance'])
    assert.ok((await watched()) < 0.01, `layout shift ${await watched()}`)
    await amount.fill('9,00,000')
    await amount.press('Enter')
    await inside.getByText('Enter an amount in whole rupees, from ₹50,000 to ₹4,00,000').waitFor()
    assert.deepEqual(await figures('Kaveri Bank').first().innerText(), '₹9,368', 'what is wrong changes nothing')

    await inside.getByLabel('Amount slider').fill('300000')
    await inside.getByText('36', { exact: true }).click()
    await inside.getByLabel('Sort by').selectOption('Total to repay')
    await inside.getByRole('heading', { name: 'Offers for other amounts or terms' }).waitFor()
    assert.equal(await inside.getByText('Lowest total').count(), 1)
    await inside.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    await inside.getByRole('button', { name: 'Get the final offer' }).waitFor()
    await inside.getByRole('heading', { name: '₹3,00,000 over 36 months from Meridian Finance' }).waitFor()
    assert.equal(await inside.getByLabel('Amount, in rupees').isVisible(), false, 'it is not asked again')
    await inside.getByRole('button', { name: 'Back to all offers' }).click()
    assert.equal(await inside.getByLabel('Amount, in rupees').inputValue(), '3,00,000', 'it is kept')
  })

  test('where a chosen lender refuses, the other offers are told at what was chosen, and a line by its limit', async () => {
    const line: EmbedOffer = {
      ...{ ...kaveri, id: kaveri.id.replace(/.$/, '4'), lenderId: 'tulsi', lenderName: 'Tulsi Credit' },
      ...{ creditLine: true, interestRate: '13%', numberOfInstallments: 0, installmentAmount: '0.00' },
    }
    const { inside } = await open(viewAt('REJECTED', { offers: [kaveri, meridian, line] }))
    await inside.getByRole('heading', { name: 'Other offers you had' }).waitFor()
    assert.deepEqual(await inside.locator('.answers p').allInnerTexts(), [
      '₹2,00,000 over 24 months: ≈₹9,697 × 24, APR ≈17.86%',
      'Credit limit ₹2,00,000, 13% a year',
    ])
  })

  test('an amount that is half typed is no error; what is wrong is said once the field is left, and moves nothing', async () => {
    for (const language of ['en', 'ta'] as const) {
      const one = await open(viewAt('OFFERS'), { language })
      const { inside, page } = one
      await inside.locator('.offer').first().waitFor()
      const amount = inside.locator('#field-amount')
      const wrong = inside.locator('#field-amount-wrong')
      const top = () =>
        inside
          .locator('.offer')
          .first()
          .evaluate((card) => card.getBoundingClientRect().top)
      const before = await top()
      await amount.fill('')
      for (const key of '20') await amount.press(key)
      assert.equal(await amount.inputValue(), '20')
      assert.equal(await wrong.count(), 0)
      await page.keyboard.press('Tab')
      await wrong.waitFor()
      assert.equal(await amount.getAttribute('aria-invalid'), 'true')
      assert.match((await amount.getAttribute('aria-describedby'))!, /field-amount-wrong/)
      assert.equal(await top(), before, language)
      await accessible(one, `a wrong amount (${language})`)
      await amount.press('End')
      for (const key of '0000') await amount.press(key)
      assert.equal(await wrong.count(), 0, 'it goes as soon as the field is touched')
      assert.equal(await top(), before, language)
    }
  })

  for (const language of ['en', 'hi'] as const)
    test(`a phone shows the first offer without scrolling, and the amount and the time stay in sight (${language})`, async () => {
      const one = await open(viewAt('OFFERS'), { width: 390 })
      const { page } = one
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${pages.platform.url}/lab/embed?lang=${language}#token=bt_test_single-use`)
      const card = page.locator('.offer').first()
      await card.waitFor()
      const bottom = async (part: string) => {
        const { y, height } = (await card.locator(part).boundingBox())!
        return y + height
      }
      assert.ok((await bottom('h2')) <= 844, `its lender ends at ${await bottom('h2')}`)
      assert.ok((await bottom('.compared')) <= 844, `its figures end at ${await bottom('.compared')}`)
      const tops = await page
        .locator('.chips .choice')
        .evaluateAll((terms) => terms.map((term) => term.getBoundingClientRect().top))
      assert.equal(new Set(tops).size, 1, 'the terms are one row')
      const shifted = await watchShifts(one)
      await page.locator('.answers').last().scrollIntoViewIfNeeded()
      const bar = page.locator('.sorting')
      assert.equal((await bar.boundingBox())!.y, 0)
      assert.match(await bar.innerText(), /^₹2,50,000 · 24/)
      assert.equal(await shifted(), 0)
    })

  test('an EMI above what is usually affordable says so, on its card and once it is chosen', async () => {
    const one = await open(viewAt('OFFERS', { offers: [kaveri] }))
    const { inside } = one
    const above = inside.getByText('More than the ₹34,000 a month that is usually affordable')
    await inside.getByText('Usually affordable: total EMIs up to ₹34,000').waitFor()
    assert.equal(await above.count(), 0, '₹9,368 is below')
    await inside.getByLabel('Amount slider').fill('400000')
    await inside.getByText('12', { exact: true }).click()
    await inside.locator('.offer .compared').getByText('₹35,446').waitFor()
    await above.waitFor()
    await accessible(one, 'an EMI that is much')
    await inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await inside.getByRole('button', { name: 'Get the final offer' }).waitFor()
    await above.waitFor()
  })

  test('the details of an offer have the figures of its card: one lender has one APR for one amount and time', async () => {
    const one = await open(viewAt('OFFERS', { offers: [kaveri] }))
    const { inside } = one
    const card = inside.locator('.offer')
    await card.getByText('All details').click()
    const aprs = async () => [...new Set((await card.innerText()).match(/\d+(?:\.\d+)?%(?! a year)/g))]
    assert.deepEqual(await aprs(), ['12.61%'], 'the lender’s own')
    await inside.getByLabel('Amount slider').fill('100000')
    await card.getByText('₹1,00,000', { exact: true }).waitFor()
    await accessible(one, 'estimated details')
    const figure = async (name: string) =>
      (await card.locator('.figures > div', { hasText: name }).locator('dd').innerText()).replaceAll('\n', ' ')
    const shown = await Promise.all(['EMI', 'Total interest', 'You receive'].map(figure))
    assert.deepEqual(shown, ['≈ about ₹4,684 ×\u00a024', '≈ about ₹12,416', '≈ about ₹98,570'])
    const compared = await card.locator('.compared').innerText()
    const found = await aprs()
    assert.equal(found.length, 1, `${found}`)
    assert.ok(compared.includes(`${found[0]}`), compared)
    assert.equal(await figure('APR (yearly cost)'), `≈ about ${found[0]}`)
    await card.getByText('Kaveri Bank gives you the exact figure').waitFor()
  })

  test('the details of an offer tell the legal name of its lender, and nothing where none is told; so does the final offer', async () => {
    const one = await open(viewAt('OFFERS'))
    const { inside } = one
    const legal = inside.getByText(/^Legal name/)
    for (const name of ['Kaveri Bank', 'Meridian Finance'])
      await inside.locator('.offer', { hasText: name }).getByText('All details').click()
    assert.deepEqual(await legal.allInnerTexts(), ['Legal name of the lender: Kaveri Bank Limited'])
    await accessible(one, 'the legal name')
    pages.platform.show(viewAt('FINAL_OFFER'))
    await one.askAgain()
    await inside.getByRole('button', { name: 'Accept this loan' }).waitFor()
    assert.deepEqual(await legal.allInnerTexts(), ['Legal name of the lender: Kaveri Bank Limited'])
  })

  test('on a wide screen the columns are named once to the eye, and with each figure to who does not see them', async () => {
    const weekly = {
      ...meridian,
      repaymentFrequency: 'WEEKLY',
      numberOfInstallments: 104,
      installmentAmount: '2797.00',
    }
    const { inside } = await open(viewAt('OFFERS', { offers: [kaveri, weekly, offers[2]!] }), { width: 1280 })
    await inside.locator('.offer').nth(2).waitFor()
    const seen = (name: string) =>
      inside
        .locator('.compared dt', { hasText: name })
        .evaluateAll((terms) => terms.filter((term) => `${term.computedStyleMap().get('clip-path')}` === 'none').length)
    for (const name of ['EMI', 'APR', 'Total to repay']) assert.equal(await seen(name), 1, name)
    assert.equal(await seen('Weekly instalment'), 1, 'what another row has instead has its own name')
    assert.equal(await inside.getByRole('term').filter({ hasText: 'APR' }).count(), 3)
  })

  test('the consent can be withdrawn, on second thought, and the page says when it was; in Hindi too', async () => {
    const one = await open(viewAt('OFFERS'))
    const { inside } = one
    const ended = viewAt('REJECTED', {
      selected: null,
      withdrawnAt: '2026-11-20T10:00:00.000Z',
      endReason: { outside: 'You withdrew.' },
    })
    pages.platform.on('POST /consents/withdraw', () => ended)
    const withdraw = inside.getByRole('button', { name: 'Withdraw your consent' })
    await withdraw.click()
    await inside.getByRole('heading', { name: 'Withdraw your consent?' }).waitFor()
    await accessible(one, 'whether to withdraw')
    pages.platform.acts.length = 0
    await inside.getByRole('button', { name: 'No, go back' }).click()
    await inside.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    assert.equal(pages.platform.acts.length, 0)
    await withdraw.click()
    await inside.getByRole('button', { name: 'Yes, withdraw' }).click()
    await inside.getByText('You withdrew your consent on 20 Nov, 3:30 pm.').waitFor()
    assert.equal(await inside.getByText('You withdrew.').count(), 0)
    assert.deepEqual(
      pages.platform.acts.map(({ path, body }) => [path, body]),
      [['/consents/withdraw', {}]],
    )
    await inside.locator('header select').selectOption('हिन्दी')
    await inside.getByText('को अपनी सहमति वापस ली').waitFor()
    pages.platform.show(viewAt('KYC'))
    await one.askAgain()
    await inside.getByRole('heading', { name: 'अपनी पहचान की पुष्टि करें' }).waitFor()
    assert.equal(await inside.getByRole('button', { name: 'अपनी सहमति वापस लें' }).count(), 0, 'accepted')
  })

  test('an offer that lapses keeps the place of its button, and the bar is there in Hindi', async () => {
    const one = await open(viewAt('OFFERS', { ...searching }), { language: 'hi' })
    const { inside } = one
    await inside.getByRole('button', { name: 'अब तक के 3 ऑफ़र देखें' }).click()
    await inside.getByRole('button', { name: 'Meridian Finance को चुनें' }).waitFor()
    const shifted = await watchShifts(one)
    const [, , lapsed] = viewAt('OFFERS').offers
    const other = { ...meridian, id: kaveri.id.replace(/.$/, '7') }
    pages.platform.show(
      viewAt('OFFERS', { ...searching, offers: [{ ...kaveri, expired: true }, meridian, lapsed!, other] }),
    )
    await one.askAgain()
    await inside.getByText('एक नया ऑफ़र आया है').waitFor()
    await inside.getByText('इस ऑफ़र की अवधि समाप्त हो गई है।').first().waitFor()
    assert.ok((await shifted()) < 0.01, `layout shift ${await shifted()}`)
  })
})
