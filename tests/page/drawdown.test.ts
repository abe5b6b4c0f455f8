// The hosted page of an open credit line that is drawn and repaid there (FIS12 §27.5).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { askedDrawdown as asked, lamfViewAt, statedDrawdown as stated } from '#test/setup/embed-lamf-views.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'

const pages = embedPages()
const { open } = pages

let version = 1
const lineView = (change: Partial<EmbedView> = {}) =>
  lamfViewAt('LINE_OPEN', { drawsHere: true, paysHere: true, version: version++, ...change })

const paid = { amount: '25000.00', at: '2026-11-30T10:00:00.000Z', reference: 'UTR0000001', accountEnding: '4471' }

describe('FIS12 §27.5: a credit line on the hosted page', () => {
  test('the borrower asks for an amount, agrees to what the lender charges, and sees the payout', async () => {
    const hosted = await open(lineView())
    const { frame } = hosted
    const draw = frame.getByRole('region', { name: 'Draw money' })
    const amount = draw.getByLabel('How much do you need, in rupees?')
    await draw.getByText('Up to ₹3,80,000').waitFor()
    await assertFrameAccessible(hosted, 'the form')
    const send = () => draw.getByRole('button', { name: 'See what it costs' }).click()
    await amount.fill('3,80,001')
    await send()
    await draw.getByText('Enter at most ₹3,80,000, which is left to draw').waitFor()
    await amount.fill('')
    await send()
    await draw.getByText('Enter a whole amount in rupees').waitFor()
    pages.platform.on('POST /drawdowns', ({ body }) => {
      assert.deepEqual(body, { amount: '25000' })
      return lineView({ drawdowns: [asked] })
    })
    await amount.fill('25,000')
    await send()
    const drawing = frame.getByRole('region', { name: 'Drawing ₹25,000' })
    await drawing.getByText('Kaveri Bank is working out what it costs…').waitFor()
    await drawing.getByRole('button', { name: 'Not now' }).waitFor()
    pages.platform.show(lineView({ drawdowns: [stated] }))
    await hosted.pollAgain()
    await drawing.getByText('Interest at 12% a year').waitFor()
    await drawing.getByText('₹26,000').waitFor()
    await drawing.getByText('To your account ending 4471').waitFor()
    await assertFrameAccessible(hosted, 'the terms')
    pages.platform.on(`POST /drawdowns/${asked.drawdownId}/agree`, ({ body }) => {
      const consent = { purpose: 'drawdown', textVersion: currentConsentVersion, language: 'en' }
      assert.deepEqual(body, { quote: stated.terms!.quote, consents: [consent] }, 'what the page has shown')
      return lineView({ drawdowns: [{ ...stated, status: 'AGREED' }] })
    })
    await drawing.getByRole('button', { name: 'Agree and draw ₹25,000' }).click()
    await drawing.getByText('Kaveri Bank is sending ₹25,000 to your account…').waitFor()
    pages.platform.show(lineView({ drawdowns: [{ ...stated, status: 'AGREED', isLate: true }] }))
    await hosted.pollAgain()
    await drawing.getByText('This takes longer than usual: you can ask it directly.').waitFor()
    await frame.getByRole('region', { name: 'Repay' }).waitFor()
    pages.platform.show(lineView({ drawdowns: [{ ...stated, status: 'PAID_OUT', paid }] }))
    await hosted.pollAgain()
    await frame.getByRole('table', { name: 'Drawn so far' }).getByText('UTR0000001').waitFor()
    await draw.waitFor()
    await assertFrameAccessible(hosted, 'the line after a drawdown')
  })

  test('terms that have expired are asked for again, and what came to nothing says why', async () => {
    const hosted = await open(lineView({ drawdowns: [{ ...stated, terms: { ...stated.terms!, isOver: true } }] }))
    const { frame } = hosted
    await frame.getByText('These terms have expired.').waitFor()
    assert.equal(await frame.getByRole('button', { name: /^Agree/ }).count(), 0)
    pages.platform.on('POST /drawdowns', ({ body }) => {
      assert.deepEqual(body, { amount: '25000' })
      return lineView({ drawdowns: [stated] })
    })
    await frame.getByRole('button', { name: 'Ask again' }).click()
    await frame.getByRole('button', { name: 'Agree and draw ₹25,000' }).waitFor()
    pages.platform.on(`POST /drawdowns/${asked.drawdownId}/cancel`, () => lineView())
    await frame.getByRole('button', { name: 'Not now' }).click()
    await frame.getByRole('heading', { name: 'Draw money' }).waitFor()
    const problem = { code: 'DRAWDOWN_REFUSED', en: 'The lender does not pay out this amount.' }
    pages.platform.show(lineView({ drawdowns: [{ ...stated, status: 'FAILED', problem }] }))
    await hosted.pollAgain()
    await frame.getByText('₹25,000 was not drawn. The lender does not pay out this amount.').waitFor()
    await assertFrameAccessible(hosted, 'a failed drawdown')
  })

  test('D2 §4: what is drawn is repaid in part, up to all of it, or with the line', async () => {
    const hosted = await open(lineView())
    const { frame } = hosted
    const repay = frame.getByRole('region', { name: 'Repay' })
    await repay.getByRole('button', { name: 'Repay an amount' }).click()
    await repay.getByText('Up to ₹1,20,000').waitFor()
    pages.platform.on('POST /servicing/pre-part-payment', ({ body }) => {
      assert.deepEqual(body, { amount: '120000' })
      return lineView()
    })
    await repay.getByLabel('How much do you want to repay early, in rupees?').fill('1,20,000')
    await repay.getByRole('button', { name: 'Continue to payment' }).click()
    pages.platform.on('POST /servicing/foreclosure', () => lineView())
    await repay.getByRole('button', { name: 'Repay all and close the line' }).click()
    const creditLine = { limit: '500000.00', used: '0.00', free: '500000.00', changedAt: '2026-11-21T09:30:00.000Z' }
    pages.platform.show(lineView({ creditLine }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Close the line' }).waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Repay an amount' }).count(), 0)
    await assertFrameAccessible(hosted, 'a line of which nothing is drawn')
  })
})
