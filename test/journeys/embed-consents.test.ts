// The consents of a borrower on the hosted page: looked at before they are given, listed afterwards, and taken back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { currentConsentTexts, currentConsentVersion } from '#contract/hosted/consent-text.ts'
import type { GivenConsentView } from '#contract/hosted/embed-consents.ts'
import { accessible, embedPages } from '#test/setup/embed-pages.ts'
import { viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()

const given = (
  id: string,
  purpose: 'bureau' | 'data_sharing',
  more: Partial<GivenConsentView> = {},
): GivenConsentView => ({
  ...{ id, purpose, textVersion: currentConsentVersion, language: 'en', text: currentConsentTexts.en[purpose] },
  ...{ givenAt: '2026-11-20T10:00:00.000Z', lenders: ['Kaveri Bank', 'Tulsi Credit'] },
  ...{ until: '2026-12-20T10:00:00.000Z', withdrawnAt: null, standing: 'ENDS', ...more },
})
const both = (more: Partial<GivenConsentView> = {}) => [
  given('two', 'data_sharing', more),
  given('one', 'bureau', more),
]

/** Opens the profile, which is filled in, and goes on to the review of what is sent. */
async function atReview(receivers: string[], language: 'en' | 'hi' = 'en') {
  const view = viewAt('PROFILE', { receivers })
  const one = await pages.open(view, { language })
  pages.platform.on('PUT /profile', () => view)
  const { titles, on, title } = reviewWords[language]
  for (const name of titles) {
    await one.inside.getByRole('heading', { name }).waitFor()
    await one.inside.getByRole('button', { name: on, exact: true }).click()
  }
  return { one, review: one.inside.getByRole('region', { name: title }) }
}

const reviewWords = {
  en: { titles: ['start with you', 'Your work and home'], on: 'Continue', title: 'What we send' },
  hi: { titles: ['शुरुआत आपसे', 'आपका काम और घर'], on: 'आगे बढ़ें', title: 'क्या भेजा जाता है' },
}

const known = ['Anjali Finance', 'Banyan Bank', 'Chetak Credit', 'Deccan Finance', 'Ekta Bank', 'Falguni Capital']
const alsoKnown = ['Ganga Bank', 'Himadri Finance', 'Indus Capital', 'Jamuna Bank']

describe('D1 §3: consents', () => {
  test('before they are given the page shows what is sent, to whom, what for and until when; nothing is ticked', async () => {
    const { one, review } = await atReview([])
    const { inside } = one
    await review.getByText('••••••234F').waitFor()
    const shown = await review.innerText()
    for (const part of ['Asha Rao', '••.••.1992', 'a•••@mail.example', 'Salary', '₹85,000', '400001', 'Reserve Bank'])
      assert.ok(shown.includes(part), part)
    for (const part of ['••••••3210', 'What is the loan for?', 'Travel']) assert.ok(shown.includes(part), part)
    assert.ok(!shown.includes('9876543210'), 'nor is the whole number shown')
    assert.ok(!shown.includes('ABCPE1234F') && !shown.includes('asha@mail.example'), 'what is sensitive is masked')
    assert.match(
      (await review.getByRole('link', { name: 'Privacy policy' }).getAttribute('href'))!,
      /\/lab\/privacy\?lang=en$/,
    )
    assert.equal(await inside.locator('input[type=checkbox]:checked').count(), 0)
    await accessible(one, 'the review')
    await review.getByRole('button', { name: 'Change: Your work and home' }).click()
    await inside.getByLabel('Employer or business name').waitFor()
  })

  test('the review names the lenders that are known, eight at a glance, and says that others may receive it; in Hindi too', async () => {
    const all = [...known, ...alsoKnown]
    const { one, review } = await atReview(all)
    await review.getByText(all.slice(0, 8).join(' · ')).waitFor()
    await review.getByText('Other lenders on the open network (ONDC) that offer this loan may receive it too').waitFor()
    assert.equal(await review.getByText('Jamuna Bank').isVisible(), false)
    await accessible(one, 'the lenders by name')
    await review.getByText('and 2 more').click()
    await review.getByText('Indus Capital · Jamuna Bank').waitFor()
    await accessible(one, 'all of them')

    const hindi = await atReview(known, 'hi')
    await hindi.review.getByText(known.join(' · ')).waitFor()
    await hindi.review.getByText('हर एक का नाम “आपकी सहमतियाँ” में दिखता है').waitFor()
    assert.equal(await hindi.review.locator('details').count(), 0)
    await accessible(hindi.one, 'in Hindi')
  })

  test('each is listed with its words, and withdrawn on second thought; the application ends', async () => {
    const one = await pages.open(viewAt('OFFERS'))
    const { inside } = one
    pages.platform.consents({
      given: both(),
      atAggregator: [{ aggregator: 'aa.example', lender: 'Kaveri Bank', givenAt: '2026-11-20T10:05:00.000Z' }],
      atRegistrar: { registrar: 'MF Central', givenAt: '2026-11-20T10:01:00.000Z' },
    })
    await inside.getByRole('button', { name: 'Your consents' }).click()
    const card = inside.getByRole('article', { name: 'Credit report' })
    await card.getByText(currentConsentTexts.en.bureau).waitFor()
    for (const part of [currentConsentVersion, 'Kaveri Bank, Tulsi Credit', 'do nothing until 20 Dec'])
      assert.ok((await card.innerText()).includes(part), part)
    await inside.getByText('You withdraw it there: in the aggregator’s app').waitFor()
    await inside.getByText('We got your mutual fund statement from MF Central once').waitFor()
    await card.getByRole('button', { name: 'Withdraw this consent' }).click()
    await card.getByText('We cannot take back what these lenders have received: Kaveri Bank, Tulsi Credit.').waitFor()
    await accessible(one, 'the consents')
    await card.getByRole('button', { name: 'No, keep it' }).click()
    assert.deepEqual(pages.platform.acts.slice(1), [])

    const withdrawnAt = '2026-11-21T10:00:00.000Z'
    pages.platform.on('POST /consents/withdraw', () => {
      pages.platform.consents({
        given: both({ withdrawnAt, standing: 'WITHDRAWN' }),
        atAggregator: [],
        atRegistrar: null,
      })
      return viewAt('REJECTED', { selected: null, withdrawnAt, endReason: null })
    })
    await card.getByRole('button', { name: 'Withdraw this consent' }).click()
    await card.getByRole('button', { name: 'Yes, withdraw and end it' }).click()
    await inside.getByText('You withdrew your consent on 21 Nov').waitFor()
    await inside.getByText('These lenders had already received your details').waitFor()
    await card.getByText('Withdrawn on 21 Nov').waitFor()
    assert.deepEqual(
      pages.platform.acts.slice(1).map(({ path, body }) => [path, body]),
      [['/consents/withdraw', {}]],
    )
    await inside.getByRole('button', { name: 'Back to my application' }).click()
    await inside.getByRole('button', { name: 'Your consents' }).waitFor()
  })

  test('after an acceptance the page says what cannot be undone, and without any that there is none; in Hindi too', async () => {
    const { inside } = await pages.open(viewAt('DISBURSED'), { language: 'hi' })
    pages.platform.consents({ given: both({ standing: 'BINDING', until: null }), atAggregator: [], atRegistrar: null })
    await inside.getByRole('button', { name: 'आपकी सहमतियाँ' }).click()
    await inside.getByRole('article', { name: 'क्रेडिट रिपोर्ट' }).getByText('इसे यहाँ वापस नहीं लिया जा सकता').waitFor()
    assert.equal(await inside.getByRole('button', { name: 'यह सहमति वापस लें' }).count(), 0)
    pages.platform.consents({ given: [], atAggregator: [], atRegistrar: null })
    await inside.getByRole('button', { name: 'मेरे आवेदन पर वापस' }).click()
    await inside.getByRole('button', { name: 'आपकी सहमतियाँ' }).click()
    await inside.getByText('आपने अभी किसी बात पर सहमति नहीं दी है').waitFor()
  })
})
