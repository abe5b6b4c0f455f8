// The hosted page of an open credit line that is drawn and repaid there (FIS12 §27.5).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import type { EmbedPayment, EmbedReceipt } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { askedDrawdown as asked, lamfViewAt, statedDrawdown as stated } from '#test/setup/embed-lamf-views.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'

const pages = embedPages()
const { open } = pages

let version = 1
const lineView = (change: Partial<EmbedView> = {}) =>
  lamfViewAt('LINE_OPEN', { drawsHere: true, paysHere: true, version: version++, ...change })

const paid = { amount: '25000.00', at: '2026-11-30T10:00:00.000Z', reference: 'UTR0000001', accountEnding: '4471' }

const closing: EmbedPayment = {
  operationId: 'cl1b7c8e-0000-4000-8000-000000000001',
  kind: 'FORECLOSURE',
  askedAt: '2026-11-30T09:00:00.000Z',
  unpaidUntil: '2026-12-01T08:50:10.000Z',
  status: 'LINK_READY',
  amount: '120000.00',
  parts: [],
  keptFees: null,
  redirectUrl: 'https://lender.example/pay/1',
  payTo: null,
  claim: null,
  check: null,
  saved: null,
  problem: null,
}

const receipt = (kind: EmbedReceipt['kind'], amount: string, paidOn: string): EmbedReceipt => ({
  id: kind,
  kind,
  serialNumber: null,
  amount,
  paidOn,
  status: 'PAID',
  reference: `UTR-${kind}`,
  problem: null,
  url: null,
})

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
    assert.equal(await frame.getByText('Please check one thing').count(), 0, 'the form has one field')
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
    await drawing.getByText('Quoted in all').waitFor()
    const rows = await drawing.locator('dl div').allInnerTexts()
    assert.deepEqual(
      rows.map((row) => row.replaceAll(/\s+/g, ' ')),
      [
        'You receive ₹25,000',
        'Your account •••• 4471',
        'Interest rate 12% a year',
        'Interest for each day about ₹8.22',
        'Interest that Kaveri Bank quotes ₹1,000',
        'Quoted in all ₹26,000',
      ],
    )
    await drawing.getByText('Kaveri Bank does not say for how many days it quotes ₹1,000.').waitFor()
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
    const paidOut = { ...stated, status: 'PAID_OUT' as const, paid }
    pages.platform.show(lineView({ drawdowns: [paidOut], today: '2026-11-30' }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your credit line', level: 1 }).waitFor()
    const news = frame.getByText('₹25,000 sent to •••• 4471.')
    await news.waitFor()
    await frame.getByText('Reference UTR0000001').waitFor()
    const figures = frame.getByText('You can still draw')
    assert.ok((await news.boundingBox())!.y < (await figures.boundingBox())!.y, 'what has happened is at the top')
    const history = frame.getByRole('table', { name: 'Drawn and repaid' })
    await history.getByText('UTR0000001').waitFor()
    await history.getByText('₹25,000', { exact: true }).waitFor()
    await draw.waitFor()
    await assertFrameAccessible(hosted, 'the line after a drawdown')
    pages.platform.show(lineView({ drawdowns: [paidOut], today: '2026-12-01' }))
    await hosted.pollAgain()
    await news.waitFor({ state: 'detached' })
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
    assert.equal(
      await frame.getByLabel('How much do you need, in rupees?').inputValue(),
      '25,000',
      'to be made smaller',
    )
    const draw = frame.getByRole('region', { name: 'Draw money' })
    await draw.getByText('Kaveri Bank:').waitFor()
    assert.equal(await draw.getByRole('link').count(), 2, 'its telephone and its e-mail')
    await assertFrameAccessible(hosted, 'a failed drawdown')
  })

  test('D2 §4: what is drawn is repaid in part, up to all of it, or with the line', async () => {
    const hosted = await open(lineView())
    const { frame } = hosted
    const repay = frame.getByRole('region', { name: 'Repay' })
    await repay.getByRole('button', { name: 'Repay an amount' }).click()
    await repay.getByText('Up to ₹1,20,000, what you still owe.').waitFor()
    pages.platform.on('POST /servicing/pre-part-payment', ({ body }) => {
      assert.deepEqual(body, { amount: '120000' })
      return lineView()
    })
    await repay.getByLabel('How much do you want to repay, in rupees?').fill('1,20,000')
    await repay.getByRole('button', { name: 'Continue to payment' }).click()
    const part = { ...closing, kind: 'PRE_PART_PAYMENT', status: 'PAID', amount: '5000.00' } as const
    pages.platform.show(lineView({ servicing: [part] }))
    await hosted.pollAgain()
    await frame.getByRole('status').getByText('Repaid', { exact: true }).waitFor()
    await frame.getByText('₹5,000 received.').waitFor()
    const creditLine = { limit: '500000.00', used: '0.00', free: '500000.00', changedAt: '2026-11-21T09:30:00.000Z' }
    pages.platform.show(lineView({ creditLine }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Closing the credit line' }).waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Repay an amount' }).count(), 0)
    await assertFrameAccessible(hosted, 'a line of which nothing is drawn')
  })

  test('D2 §4: before the line is closed, the page says what that ends, and the borrower may keep it', async () => {
    const hosted = await open(lineView())
    const { frame } = hosted
    const ask = frame.getByRole('button', { name: 'Repay all and close the credit line' })
    const acts = pages.platform.acts.length
    await ask.click()
    const question = frame.getByRole('heading', { name: 'Close this credit line?', level: 1 })
    await question.waitFor()
    await frame.getByText('Once you ask, you cannot draw, and you cannot take the request back.').waitFor()
    await frame.getByText('Kaveri Bank releases them once the credit line is closed.').waitFor()
    await frame.getByText('₹1,20,000', { exact: true }).waitFor()
    await assertFrameAccessible(hosted, 'the question before a line is closed')
    await frame.getByRole('button', { name: 'Keep the credit line' }).click()
    await frame.getByRole('heading', { name: 'Your credit line', level: 1 }).waitFor()
    assert.equal(pages.platform.acts.length, acts, 'nothing was sent')
    await ask.click()
    pages.platform.refuse('POST /servicing/foreclosure', 409, 'ASYNC_OPERATION_PENDING')
    await frame.getByRole('button', { name: 'Close the credit line' }).click()
    await frame.getByText('An earlier request is not settled yet, so this one was not sent.').waitFor()
    await question.waitFor()
    pages.platform.on('POST /servicing/foreclosure', () => lineView({ servicing: [closing] }))
    await frame.getByRole('button', { name: 'Close the credit line' }).click()
    await frame.getByRole('heading', { name: 'You asked to close your credit line', level: 1 }).waitFor()
  })

  test('D2 §4: a line of which nothing is drawn is confirmed as closed, and the request alone is no success', async () => {
    const creditLine = { limit: '500000.00', used: '0.00', free: '500000.00', changedAt: '2026-11-21T09:30:00.000Z' }
    const hosted = await open(lineView({ creditLine }))
    const { frame } = hosted
    const tick = frame.locator('.tick')
    await tick.waitFor()
    await frame.getByRole('button', { name: 'Close the credit line' }).click()
    await frame.getByText('You confirm on Kaveri Bank’s page that the credit line is closed.').waitFor()
    pages.platform.on('POST /servicing/foreclosure', () => lineView({ creditLine, servicing: [closing] }))
    await frame.getByRole('button', { name: 'Close the credit line' }).click()
    await frame.getByRole('heading', { name: 'You asked to close your credit line', level: 1 }).waitFor()
    assert.equal(await tick.count(), 0)
  })

  test('D2 §4: while the line is being closed, nothing is drawn, and a failure is told once, where it happened', async () => {
    const hosted = await open(lineView({ servicing: [closing] }))
    const { frame } = hosted
    const draw = frame.getByRole('region', { name: 'Draw money' })
    await frame.getByRole('heading', { name: 'You asked to close your credit line', level: 1 }).waitFor()
    await draw.getByText('You cannot draw while the credit line is being closed').waitFor()
    assert.equal(await draw.getByRole('textbox').count(), 0)
    const headings = await frame.getByRole('heading', { level: 2 }).allInnerTexts()
    assert.deepEqual(headings.slice(0, 2), ['Closing the credit line', 'Draw money'], 'the closing comes first')
    await frame.getByText('You asked for this on 30 Nov 2026').waitFor()
    await frame.getByText('Kaveri Bank’s page shows interest and charges before you pay.').waitFor()
    await frame.getByText('“Not now” only hides this card. The request stays open until 1 Dec, 2:20 pm.').waitFor()
    assert.equal(await frame.getByText(/You can still draw|Draw money whenever|goes on as before/).count(), 0)
    await assertFrameAccessible(hosted, 'a line that is being closed')
    pages.platform.refuse('POST /servicing/status', 409, 'ASYNC_OPERATION_PENDING')
    await frame.getByRole('button', { name: 'I have paid' }).click()
    const notice = frame.getByText('An earlier request is not settled yet, so this one was not sent.')
    await notice.waitFor()
    assert.equal(await notice.count(), 1)
    assert.equal(await frame.getByRole('button', { name: 'Try again' }).count(), 0, 'it cannot help')
    await frame.getByRole('button', { name: 'Not now' }).click()
    await frame.getByRole('button', { name: 'Repay an amount' }).waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Repay all and close the credit line' }).count(), 0)
    await draw.getByText('If you do nothing, it ends by 1 Dec, 2:20 pm, and you can draw again.').waitFor()
    const part = { ...closing, operationId: 'p1', kind: 'PRE_PART_PAYMENT', status: 'PAID', amount: '500.00' } as const
    pages.platform.show(lineView({ servicing: [{ ...closing, status: 'EXPIRED', unpaidUntil: null }, part] }))
    await hosted.pollAgain()
    await frame.getByText('Your payment has changed the amount to close the credit line.').waitFor()
  })

  test('a refusal of the drawing is told in its form alone', async () => {
    const hosted = await open(lineView())
    const { frame } = hosted
    await frame.getByRole('button', { name: 'Repay an amount' }).click()
    pages.platform.refuse('POST /drawdowns', 409, 'ASYNC_OPERATION_PENDING')
    await frame.getByLabel('How much do you need, in rupees?').fill('5000')
    await frame.getByRole('button', { name: 'See what it costs' }).click()
    const draw = frame.getByRole('region', { name: 'Draw money' })
    await draw.getByText('An earlier request is not settled yet, so this one was not sent.').waitFor()
    assert.equal(await frame.locator('.notice').count(), 1)
  })

  test('D2 §4: closing with nothing owed is confirmed, not paid', async () => {
    const creditLine = { limit: '500000.00', used: '0.00', free: '500000.00', changedAt: '2026-11-21T09:30:00.000Z' }
    const hosted = await open(lineView({ creditLine, servicing: [{ ...closing, amount: '0.00' }] }))
    const { frame } = hosted
    await frame.getByText('Closing costs nothing. You confirm it on Kaveri Bank’s page.').waitFor()
    await frame.getByRole('link', { name: /^Close the credit line at Kaveri Bank/ }).waitFor()
    assert.equal(await frame.getByText('I have paid').count(), 0)
    assert.equal(await frame.getByText('₹0', { exact: true }).count(), 1, 'what is owed')
    await assertFrameAccessible(hosted, 'closing a line free of charge')
  })

  test('a closed line shows when it was closed, what was drawn and repaid, and its units', async () => {
    const drawdowns = [{ ...stated, status: 'PAID_OUT' as const, paid }]
    const receipts = [
      receipt('FORECLOSURE', '5000.00', '2026-12-03'),
      receipt('PRE_PART_PAYMENT', '20000.00', '2026-11-30'),
    ]
    const view = lineView({ drawdowns, receipts, screen: 'CLOSED', closedOn: '2026-12-03' })
    const hosted = await open(view)
    const { frame } = hosted
    await frame.getByText('Closed on 3 Dec 2026.').waitFor()
    const rows = frame.getByRole('table', { name: 'Drawn and repaid' }).getByRole('row')
    await rows.nth(3).waitFor()
    assert.deepEqual(
      (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      [
        'Payment Amount',
        'Closing the credit line 3 Dec 2026 UTR-FORECLOSURE ₹5,000',
        'Repaid 30 Nov 2026 UTR-PRE_PART_PAYMENT ₹20,000',
        'Drawn To your account ending 4471 30 Nov 2026 UTR0000001 ₹25,000',
      ],
    )
    await frame.getByRole('table', { name: 'Your units, which Kaveri Bank releases' }).waitFor()
    await assertFrameAccessible(hosted, 'a closed line')
  })
})
