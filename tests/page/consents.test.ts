// Consents on the hosted page: review of the data to be sent, list of consents, and withdrawal.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { currentConsentTexts, currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import type { EmbedGivenConsent } from '@lendloom/wire/hosted/embed-consents'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import { viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()

const consentView = (
  id: string,
  purpose: 'bureau' | 'data_sharing',
  changes: Partial<EmbedGivenConsent> = {},
): EmbedGivenConsent => ({
  id,
  purpose,
  textVersion: currentConsentVersion,
  language: 'en',
  text: currentConsentTexts.en[purpose],
  givenAt: '2026-11-20T10:00:00.000Z',
  lenders: ['Kaveri Bank', 'Tulsi Credit'],
  ended: null,
  until: '2026-12-20T10:00:00.000Z',
  withdrawnAt: null,
  standing: 'ENDS',
  ...changes,
})
const bothConsents = (changes: Partial<EmbedGivenConsent> = {}) => [
  consentView('two', 'data_sharing', changes),
  consentView('one', 'bureau', changes),
]

/** Opens a complete profile and continues to the review of the data to be sent. */
async function openReview(receivers: string[], language: 'en' | 'hi' = 'en') {
  const view = viewAt('PROFILE', { receivers })
  const hosted = await pages.open(view, { language })
  pages.platform.on('PUT /profile', () => view)
  const { titles, next, title } = reviewWords[language]
  for (const name of titles) {
    await hosted.frame.getByRole('heading', { name }).waitFor()
    await hosted.frame.getByRole('button', { name: next, exact: true }).click()
  }
  return { hosted, review: hosted.frame.getByRole('region', { name: title }) }
}

const reviewWords = {
  en: { titles: ['start with you', 'Your work and home'], next: 'Continue', title: 'What we send' },
  hi: { titles: ['पहले अपने बारे में बताएँ', 'आपका काम और घर'], next: 'आगे बढ़ें', title: 'हम क्या भेजते हैं' },
}

const sixLenders = ['Anjali Finance', 'Banyan Bank', 'Chetak Credit', 'Deccan Finance', 'Ekta Bank', 'Falguni Capital']
const fourMoreLenders = ['Ganga Bank', 'Himadri Finance', 'Indus Capital', 'Jamuna Bank']

describe('D1 §3: consents', () => {
  test('the review shows data, receivers, purpose and duration, and no box is ticked', async () => {
    const { hosted, review } = await openReview([])
    const { frame } = hosted
    await review.getByText('••••••234F').waitFor()
    await review.getByText('Salary · ₹85,000').click()
    const text = await review.innerText()
    for (const part of ['Asha Rao', '••.••.1992', 'a•••@mail.example', 'Salary', '₹85,000', '400001', 'Reserve Bank'])
      assert.ok(text.includes(part), part)
    assert.ok(text.includes('••••••3210'))
    assert.ok(!text.includes('9876543210'), 'the mobile number is masked')
    assert.ok(!text.includes('ABCPE1234F') && !text.includes('asha@mail.example'), 'sensitive data is masked')
    assert.match(
      (await review.getByRole('link', { name: 'Privacy policy' }).getAttribute('href'))!,
      /\/lab\/privacy\?lang=en$/,
    )
    assert.equal(await frame.locator('input[type=checkbox]:checked').count(), 0)
    await assertFrameAccessible(hosted, 'the review')
    await review.getByRole('button', { name: 'Change: Your work and home' }).click()
    await frame.getByLabel('Employer or business name').waitFor()
  })

  test('the review names up to four known lenders, folds the others, and says that others may receive the data', async () => {
    const all = [...sixLenders, ...fourMoreLenders]
    const { hosted, review } = await openReview(all)
    await review.getByText(all.slice(0, 4).join(' · ')).waitFor()
    await review.getByText('And other lenders on the open network (ONDC) that offer this loan').waitFor()
    assert.equal(await review.getByText('Jamuna Bank').isVisible(), false)
    await assertFrameAccessible(hosted, 'the lenders by name')
    await review.getByText('and 6 more').click()
    await review
      .getByText('Ekta Bank · Falguni Capital · Ganga Bank · Himadri Finance · Indus Capital · Jamuna Bank')
      .waitFor()
    await assertFrameAccessible(hosted, 'all lenders')

    const one = await openReview(sixLenders.slice(0, 5))
    await one.review.getByText(sixLenders.slice(0, 5).join(' · ')).waitFor()
    assert.equal(await one.review.getByText('more', { exact: true }).count(), 0, 'one name is not folded')

    const hindi = await openReview(sixLenders, 'hi')
    await hindi.review.getByText(sixLenders.slice(0, 4).join(' · ')).waitFor()
    await hindi.review.getByText('हर एक का नाम “आपकी सहमतियाँ” में मिलेगा').waitFor()
    await assertFrameAccessible(hindi.hosted, 'in Hindi')
  })

  test('each consent is listed with its text, and a confirmed withdrawal ends the application', async () => {
    const hosted = await pages.open(viewAt('OFFERS'))
    const { frame } = hosted
    pages.platform.setConsents({
      given: bothConsents(),
      atAggregator: [{ aggregator: 'aa.example', lender: 'Kaveri Bank', givenAt: '2026-11-20T10:05:00.000Z' }],
      atRegistrar: { registrar: 'MF Central', givenAt: '2026-11-20T10:01:00.000Z' },
    })
    await frame.getByRole('button', { name: 'Your consents' }).click()
    const card = frame.getByRole('article', { name: 'Credit report' })
    await card.getByText(currentConsentTexts.en.bureau).waitFor()
    for (const part of ['22\u00a0Nov', 'Kaveri Bank, Tulsi Credit', 'do nothing until 20\u00a0Dec'])
      assert.ok((await card.innerText()).includes(part), part)
    await frame.getByText('You withdraw it there: in the aggregator’s app').waitFor()
    await frame.getByText('We got your mutual fund statement from MF Central once').waitFor()
    await card.getByRole('button', { name: 'Withdraw this consent' }).click()
    await card.getByText('We cannot take back what these lenders have received: Kaveri Bank, Tulsi Credit.').waitFor()
    await assertFrameAccessible(hosted, 'the consents')
    await card.getByRole('button', { name: 'No, keep it' }).click()
    assert.deepEqual(pages.platform.acts.slice(1), [])

    const withdrawnAt = '2026-11-21T10:00:00.000Z'
    pages.platform.on('POST /consents/withdraw', () => {
      pages.platform.setConsents({
        given: bothConsents({ withdrawnAt, standing: 'WITHDRAWN' }),
        atAggregator: [],
        atRegistrar: null,
      })
      return viewAt('REJECTED', { selected: null, withdrawnAt, endReason: null })
    })
    await card.getByRole('button', { name: 'Withdraw this consent' }).click()
    await card.getByRole('button', { name: 'Yes, withdraw and end it' }).click()
    await card.getByText('Withdrawn on 21 Nov').waitFor()
    assert.deepEqual(
      pages.platform.acts.slice(1).map(({ path, body }) => ({ path, body })),
      [{ path: '/consents/withdraw', body: {} }],
    )
    await frame.getByRole('button', { name: 'Back to my application' }).click()
    await frame.getByRole('button', { name: 'Your consents' }).waitFor()
    await frame.getByText('You withdrew your consent on 21 Nov').waitFor()
    await frame.getByText('These lenders had already received your details').waitFor()
  })

  test('from the consents of a paid-out loan one goes back to the loan', async () => {
    const { frame } = await pages.open(viewAt('DISBURSED'))
    await frame.getByRole('button', { name: 'Your consents' }).click()
    await frame.getByRole('button', { name: 'Back to my loan' }).click()
    await frame.getByRole('heading', { name: 'Your consents' }).waitFor({ state: 'detached' })
  })

  test('the consents are a screen of their own, which the browser closes with Back, and input stays', async () => {
    const { frame, page } = await pages.open(viewAt('PROFILE'))
    const name = frame.getByLabel('Full name')
    await frame.getByText('+91 9876543210').waitFor()
    await name.fill('Asha K Rao')
    await frame.getByRole('button', { name: 'Your consents' }).click()
    await frame.locator('h1:focus', { hasText: 'Your consents' }).waitFor()
    await name.waitFor({ state: 'hidden' })
    await frame.getByRole('navigation').waitFor({ state: 'hidden' })
    await page.evaluate('history.back()')
    await name.waitFor()
    assert.equal(await name.inputValue(), 'Asha K Rao')
    await frame.getByRole('button', { name: 'Your consents' }).click()
    await frame.getByRole('button', { name: 'Back to my application' }).click()
    await frame.locator('h1:focus', { hasText: 'start with you' }).waitFor()
  })

  test('after the acceptance, the consent holds for the chosen lender and has ended for the others', async () => {
    const hosted = await pages.open(viewAt('DISBURSED'))
    const { frame } = hosted
    const ended = { lenders: ['Meridian Finance', 'Tulsi Credit'], at: '2026-11-30T10:00:00.000Z' }
    pages.platform.setConsents({
      given: bothConsents({
        standing: 'BINDING',
        until: null,
        lenders: ['Meridian Finance', 'Kaveri Bank', 'Tulsi Credit'],
        ended,
      }),
      atAggregator: [],
      atRegistrar: null,
    })
    await frame.getByRole('button', { name: 'Your consents' }).click()
    const card = frame.getByRole('article', { name: 'Sharing your details' })
    await card.waitFor()
    assert.deepEqual(await card.locator('dt').allTextContents(), ['Kaveri Bank', 'Meridian Finance, Tulsi Credit'])
    assert.deepEqual(await card.locator('dd').allTextContents(), [
      'Until the loan is repaid',
      'Ended on 30\u00a0Nov\u00a02026, when you accepted an offer',
    ])
    await card.getByText(/^Given on .* Version of the text: /).waitFor()
    await assertFrameAccessible(hosted, 'consents with two ends')
  })

  test('in Hindi, the page explains binding consents and an empty list', async () => {
    const { frame } = await pages.open(viewAt('DISBURSED'), { language: 'hi' })
    pages.platform.setConsents({
      given: bothConsents({ standing: 'BINDING', until: null }),
      atAggregator: [],
      atRegistrar: null,
    })
    await frame.getByRole('button', { name: 'आपकी सहमतियाँ' }).click()
    await frame.getByRole('article', { name: 'क्रेडिट रिपोर्ट' }).waitFor()
    assert.equal(await frame.getByText('इन्हें यहाँ वापस नहीं लिया जा सकता').count(), 1, 'said once for all')
    assert.equal(await frame.getByRole('button', { name: 'यह सहमति वापस लें' }).count(), 0)
    pages.platform.setConsents({ given: [], atAggregator: [], atRegistrar: null })
    await frame.getByRole('button', { name: 'मेरे लोन पर वापस' }).click()
    await frame.getByRole('button', { name: 'आपकी सहमतियाँ' }).click()
    await frame.getByText('आपने इस आवेदन में अभी किसी बात पर सहमति नहीं दी है').waitFor()
  })
})
