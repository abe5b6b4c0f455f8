// Navigation of the hosted page in a real browser: Back, a second window, endings, and a browser without scripts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { goldViewAt, meridianGold } from '#test/setup/embed-gold-views.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import { kaveri, meridian, viewAt } from '#test/setup/embed-views.ts'
import { until } from '#test/setup/programs.ts'

const pages = embedPages()
const { open } = pages
const address = (language = 'en') => `${pages.platform.url}/lab/embed?lang=${language}#token=bt_test_single-use`

describe('D1 §1: navigation of the hosted page', () => {
  test('Back of the browser moves through the profile and closes inner screens, but never leaves the application', async () => {
    const { page, pollAgain } = await open(viewAt('PROFILE'))
    await page.goto('about:blank')
    await page.goto(address())
    const heading = (name: string) => page.getByRole('heading', { name }).waitFor()
    await page.getByText('+91 9876543210').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await heading('Your work and home')
    await page.getByRole('button', { name: 'Continue' }).click()
    await heading('Your loan and your consent')
    await page.goBack()
    await heading('Your work and home')
    await page.goBack()
    await heading('Let’s start with you')
    await page.goForward()
    await heading('Your work and home')
    pages.platform.show(viewAt('OFFERS', { offers: [{ ...kaveri, submits: true }, meridian] }))
    await pollAgain()
    await page.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await heading('₹2,50,000 over 24 months from Kaveri Bank')
    await page.goBack()
    await heading('You have 2 offers')
    await page.getByRole('button', { name: 'Withdraw your consent' }).click()
    await heading('Withdraw your consent?')
    await page.goBack()
    await heading('You have 2 offers')
    pages.platform.show(viewAt('FINAL_OFFER'))
    await pollAgain()
    await heading('Your final offer from Kaveri Bank')
    await page.getByRole('button', { name: 'Decline' }).click()
    await heading('Decline ₹2,00,000 from Kaveri Bank?')
    await page.goBack()
    await heading('Your final offer from Kaveri Bank')
    await page.goBack()
    await page.getByText('You cannot go back to that step.').waitFor()
    await heading('Your final offer from Kaveri Bank')
    assert.ok(page.url().startsWith(pages.platform.url))
    await page.reload()
    await heading('Your final offer from Kaveri Bank')
  })

  for (const [button, back] of [
    ['of the browser', (page: Page) => page.goBack()],
    ['of the form', (page: Page) => page.getByRole('button', { name: 'Back', exact: true }).click()],
  ] as const)
    test(`D2 §2: the Back button ${button} saves the valid fields of a part`, async () => {
      const { page } = await open(viewAt('PROFILE'))
      await page.goto('about:blank')
      await page.goto(address())
      const heading = (name: string) => page.getByRole('heading', { name }).waitFor()
      await page.getByText('+91 9876543210').waitFor()
      await page.getByRole('button', { name: 'Continue' }).click()
      await heading('Your work and home')
      pages.platform.acts.length = 0
      const { workProfile } = viewAt('PROFILE')
      const saved = viewAt('PROFILE', { workProfile: { ...workProfile, income: '91000' } })
      pages.platform.on('PUT /profile', () => {
        pages.platform.show(saved)
        return saved
      })
      await page.getByLabel('Monthly take-home income', { exact: false }).fill('91000')
      await page.getByLabel('PIN code', { exact: true }).fill('12')
      await back(page)
      await heading('Let’s start with you')
      await until('the part is saved', () => pages.platform.acts.length > 0)
      const acts = pages.platform.acts.map(({ method, path, body }) => ({ method, path, body }))
      assert.deepEqual(acts, [{ method: 'PUT', path: '/profile', body: { workProfile: { income: '91000' } } }])
      await page.getByRole('button', { name: 'Continue' }).click()
      await heading('Your work and home')
      assert.equal(
        await page.getByLabel('PIN code', { exact: true }).inputValue(),
        '12',
        'the invalid input stays on screen',
      )
      await page.reload()
      await heading('Your work and home')
      assert.equal(await page.getByLabel('Monthly take-home income', { exact: false }).inputValue(), '91,000')
    })

  test('a page whose journey another window has taken over stops, and continues on request', async () => {
    const hosted = await open(viewAt('PROFILE'))
    const { frame } = hosted
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByLabel('PAN', { exact: true }).fill('ABCPE9999F')
    pages.platform.refuseAsStale('PUT /profile', viewAt('PROFILE', { elsewhere: true }))
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'This application is open in another window' }).waitFor()
    assert.equal(await frame.getByLabel('PAN', { exact: true }).count(), 0, 'the form is hidden')
    await assertFrameAccessible(hosted, 'open elsewhere')
    assert.equal((await hosted.messages()).filter(({ type }) => type === 'lab.session_expired').length, 0)
    await frame.locator('header select').selectOption('हिन्दी')
    await frame.getByRole('heading', { name: 'यह आवेदन किसी दूसरी विंडो में खुला है' }).waitFor()
    pages.platform.show(viewAt('OFFERS'))
    await frame.getByRole('button', { name: 'यहाँ आगे बढ़ें' }).click()
    await frame.getByRole('heading', { name: 'आपके लिए 3 ऑफ़र हैं' }).waitFor()
    assert.match(pages.platform.polls.at(-1)!.query, /claim=1/)
  })

  test('in a separate window an ending links to the return URL, or tells the borrower to close the window', async () => {
    const { page, pollAgain } = await open(viewAt('PROFILE'))
    pages.platform.show(viewAt('REJECTED', { returnUrl: `${pages.platform.url}/lender` }))
    await page.goto(address())
    const back = page.getByRole('link', { name: 'Back to Saathi' })
    await back.waitFor()
    pages.platform.show(viewAt('DISBURSED', { returnUrl: `${pages.platform.url}/lender` }))
    await pollAgain()
    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'The lender' }).waitFor()
    pages.platform.show(viewAt('NOT_OFFERED'))
    await page.goto('about:blank')
    await page.goto(address())
    await page.getByText('You can close this page now.').waitFor()
    assert.equal(await back.count(), 0)
  })

  test('D1 §2.3: a new application links to the borrower’s closed loan, which links back to it', async () => {
    const application = viewAt('PROFILE', { earlierLoan: { lender: 'Kaveri Bank', creditLine: false } })
    const loan = { ...viewAt('CLOSED'), journeyId: '0192e0a4-0000-7000-8000-0000000000c1' }
    const hosted = await open(application)
    const { frame, page } = hosted
    const name = frame.getByLabel('Full name, as on your PAN card')
    await name.fill('Asha')
    pages.platform.on('POST /journey/earlier-loan', () => loan)
    await frame.getByRole('button', { name: 'Your earlier loan from Kaveri Bank' }).click()
    await frame.getByRole('heading', { name: 'Your loan is closed' }).waitFor()
    await frame.getByRole('heading', { name: 'Your documents' }).waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Your earlier loan from Kaveri Bank' }).count(), 0)
    await assertFrameAccessible(hosted, 'an earlier loan')
    await hosted.pollAgain()
    assert.match(pages.platform.polls.at(-1)!.query, /after=4/, 'no update of the loan is forwarded again')
    const pageFrame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    const kept = () => pageFrame.evaluate<object | null>('history.state.lendloom.application')
    assert.deepEqual(Object.keys((await kept()) ?? {}), ['session', 'relayed'])
    pages.platform.show(application)
    await frame.getByRole('button', { name: 'Back to my new application' }).click()
    await frame.getByRole('heading', { name: 'Let’s start with you' }).waitFor()
    assert.equal(await name.inputValue(), 'Asha', 'what was typed is still there')
    assert.equal(await kept(), null)
    await frame.getByRole('button', { name: 'Your earlier loan from Kaveri Bank' }).waitFor()
    pages.platform.show({ ...application, earlierLoan: { lender: 'Kaveri Bank', creditLine: true } })
    await hosted.pollAgain()
    await frame.getByRole('button', { name: 'Your earlier credit line from Kaveri Bank' }).waitFor()
  })

  test('without JavaScript the page shows a notice and no form', async () => {
    await open(viewAt('PROFILE'))
    const context = await openContext(await sharedBrowser(), { javaScriptEnabled: false })
    for (const [language, text] of [
      ['en', 'This page needs JavaScript.'],
      ['hi', 'JavaScript'],
    ] as const) {
      const pageWithoutScripts = await context.newPage()
      await pageWithoutScripts.goto(address(language))
      assert.equal(await pageWithoutScripts.locator('#noscript').isVisible(), true)
      assert.ok((await pageWithoutScripts.locator('#noscript').innerText()).includes(text))
      assert.equal(await pageWithoutScripts.locator('#app').isVisible(), false)
    }
    await context.close()
  })

  test('FIS12 §9.1: a distant branch is not preselected', async () => {
    const distantOffer = { ...meridianGold, branches: [{ ...meridianGold.branches[0]!, aboutKm: 690 }] }
    const { frame } = await open(goldViewAt('OFFERS', { offers: [distantOffer] }))
    await frame.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    const radio = frame.getByRole('radio', { name: /about 690 km away/ })
    await radio.waitFor()
    assert.equal(await radio.isChecked(), false)
    pages.platform.acts.length = 0
    await frame.getByRole('button', { name: 'Get the final offer' }).click()
    await frame.getByText('Choose a branch').waitFor()
    assert.equal(pages.platform.acts.length, 0)
  })
})
