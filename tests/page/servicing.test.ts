// The hosted page after disbursal, in a real browser: dues, payments and requests.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsOf } from '@lendloom/lending/reason/reason'
import type {
  EmbedDues,
  EmbedLeave,
  EmbedPayment,
  EmbedReceipt,
  InstallmentStatus,
} from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import type { Request } from 'playwright-core'
import type { OpenHostedPage } from '#test/setup/embed-page.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import { viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()
const { open } = pages

const payment = (change: Partial<EmbedPayment> = {}): EmbedPayment => ({
  operationId: '0192e0a4-0000-7000-8000-0000000000f1',
  askedAt: '2026-11-30T10:00:00.000Z',
  unpaidUntil: null,
  kind: 'FORECLOSURE',
  status: 'REQUESTED',
  amount: null,
  parts: [],
  keptFees: null,
  redirectUrl: null,
  payTo: null,
  claim: null,
  check: null,
  saved: null,
  problem: null,
  ...change,
})
const readyPayment = payment({
  status: 'LINK_READY',
  amount: '190214.48',
  parts: [
    { part: 'principal', amount: '184375.91' },
    { part: 'interest', amount: '2151.05' },
    { part: 'charges', amount: '3687.52' },
  ],
  redirectUrl: 'https://lender.example/pay/1',
})
const unknownExit = { today: '2026-11-21', account: null, payBy: null, cost: null }
const unpaid = { missedOn: null as string | null, paidLate: null }
let version = 1
const loanView = (...servicing: EmbedPayment[]) => viewAt('DISBURSED', { servicing, version: version++ })

const officer = { name: 'Neha Joshi', email: 'grievance@platform.example', phone: '+912240001234' }

/** The help and complaints section. */
const complaints = { officer, nodal: officer, lender: 'Kaveri Bank', items: [] }

/** Answers the page's complaint request with the view, and returns the request. */
async function answerComplaint({ page }: OpenHostedPage, view: EmbedView): Promise<Request> {
  // Waits from the start: the request may come before the route is confirmed.
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/complaints'))
  await page.route('**/api/embed/complaints', (route) => {
    if (route.request().method() === 'POST') pages.platform.show(view)
    return route.fulfill({ json: { view: pages.platform.shown(), complaints } })
  })
  return sent
}

describe('D2 §4: after disbursal, on the hosted page', () => {
  test('the repayment plan marks overdue rows, and foreclosure leads to the lender’s page and closes the loan', async () => {
    const hosted = await open(loanView())
    const { frame } = hosted
    const overdue = frame.getByRole('row', { name: /1 .*overdue/ }).locator('.overdue')
    await overdue.locator('.icon').waitFor()
    const colourOf = (words: string) =>
      frame
        .getByText(words)
        .first()
        .evaluate((each) => `${each.computedStyleMap().get('color')}`)
    assert.notEqual(
      await overdue.evaluate((each) => `${each.computedStyleMap().get('color')}`),
      await colourOf('Due on'),
    )
    await frame.getByText('since 5 Jan 2027').waitFor()
    pages.platform.on('POST /servicing/foreclosure', () => loanView(payment()))
    await frame.getByRole('button', { name: 'Ask for the amount to close' }).click()
    await frame.getByText('Kaveri Bank is preparing a payment page.').waitFor()
    assert.equal(
      await frame.getByRole('button', { name: 'Ask for the amount to close' }).count(),
      0,
      'a request is open',
    )
    assert.deepEqual(pages.platform.acts.at(-1)!.body, {})

    pages.platform.show(loanView(readyPayment))
    await hosted.pollAgain()
    const link = frame.getByRole('link', { name: /^Pay ₹1,90,214\.48/ })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), readyPayment.redirectUrl)
    assert.equal(await link.getAttribute('target'), '_blank')
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
    await assertFrameAccessible(hosted, 'a payment page is ready')
    for (const words of ['₹1,84,375.91', '₹2,151.05', '₹3,687.52', 'Total to pay'])
      await frame.getByText(words, { exact: true }).waitFor()
    const { colour, height } = await link.evaluate((a) => ({
      colour: `${a.computedStyleMap().get('background-color')}`,
      height: a.getBoundingClientRect().height,
    }))
    assert.doesNotMatch(colour, /transparent|, 0\)$/, 'the button is filled')
    assert.ok(height >= 48, `${height}`)
    assert.equal(await frame.locator('.notice').count(), 0, 'only a failed payment is styled as an error')
    const check = { until: '2027-01-06T10:00:00.000Z', isOver: false }
    pages.platform.on('POST /servicing/status', () => loanView({ ...readyPayment, check }))
    await frame.getByRole('button', { name: 'I have paid' }).click()
    await frame.getByText('Checking with Kaveri Bank…').waitFor()
    await frame.getByText('Do not pay again.').waitFor()
    assert.equal(await link.count(), 0, 'nobody pays twice while the lender is asked')
    await assertFrameAccessible(hosted, 'a payment is checked')
    await frame.getByRole('button', { name: 'I have not paid yet' }).click()
    await link.waitFor()
    pages.platform.show(loanView({ ...readyPayment, check: { ...check, until: '2027-01-06T10:01:00.000Z' } }))
    await hosted.pollAgain()
    await frame.getByText('Checking with Kaveri Bank…').waitFor()
    pages.platform.show(loanView({ ...readyPayment, check: { until: '2027-01-06T10:01:00.000Z', isOver: true } }))
    await hosted.pollAgain()
    await frame.getByText('Kaveri Bank has not confirmed a payment yet. If you have paid, do not pay again').waitFor()
    assert.equal(await link.count(), 0, 'nobody pays twice because the lender is slow')
    await frame.getByRole('button', { name: 'Check again' }).waitFor()
    pages.platform.show(loanView({ ...readyPayment, status: 'PAID', redirectUrl: null }))
    await hosted.pollAgain()
    await frame.getByText('₹1,90,214.48 received.').waitFor()
    const problem = { code: 'UNKNOWN_REASON', en: 'The payment page has closed.' }
    pages.platform.show(loanView({ ...readyPayment, status: 'FAILED', redirectUrl: null, problem }))
    await hosted.pollAgain()
    await frame.locator('.notice').getByText('The payment page has closed.').waitFor()
    await frame.getByText('Closing the loan · failed').locator('.icon').waitFor()

    pages.platform.show(
      viewAt('CLOSED', { servicing: [{ ...readyPayment, status: 'PAID', redirectUrl: null }], version: version++ }),
    )
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your loan is closed' }).waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Repay part early' }).count(), 0)
    await frame.getByText('Closed on 4 Dec 2026. You no longer owe Kaveri Bank anything.').waitFor()
    await frame.getByRole('heading', { name: 'Your documents' }).waitFor()
    assert.equal(await frame.getByText('Repayment schedule').count(), 0, 'a plan that nobody pays any more')
    assert.equal(await frame.getByText('How to cancel the loan').count(), 0)
    await assertFrameAccessible(hosted, 'repaid')
  })

  test('from the day after the payout the next instalment is the main figure, and the payout is a detail', async () => {
    const installments = viewAt('DISBURSED').installments.map((each) => ({ ...each, status: 'NOT-DUE' as const }))
    const hosted = await open({ ...loanView(), installments })
    const { frame } = hosted
    await frame.getByRole('heading', { name: 'Your loan is paid out' }).waitFor()
    const main = frame.locator('.deal .first dt')
    assert.equal(await main.innerText(), 'Paid to you')
    const dueAt = '2026-12-04T09:45:00.000Z'
    const request = { category: 'CLOSING_AMOUNT', at: '2026-12-03T09:45:00.000Z', dueAt, answered: false } as const
    pages.platform.show({ ...loanView(), installments, requested: [request] })
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your loan', exact: true }).waitFor()
    assert.equal(await frame.locator('.tick').count(), 0, 'a request is more recent than the payout')
    pages.platform.show({ ...loanView(), installments, justPaidOut: false })
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your loan', exact: true }).waitFor()
    assert.equal(await main.innerText(), 'Next instalment')
    assert.equal(await frame.locator('.tick').count(), 0)
    await frame.locator('.numbers', { hasText: 'Paid to you' }).getByText('₹1,98,570').waitFor()
  })

  test('a received payment says its parts, and a sum of one part is said once', async () => {
    const parts = [
      { part: 'principal' as const, amount: '40000.00' },
      { part: 'charges' as const, amount: '800.00' },
    ]
    const paid = payment({ kind: 'PRE_PART_PAYMENT', status: 'PAID', amount: '40800.00', parts })
    const installments = viewAt('DISBURSED').installments.map((each) => ({ ...each, status: 'NOT-DUE' as const }))
    const owed: EmbedDues[] = [
      { part: 'principal', amount: '160000.00' },
      { part: 'outstanding', amount: '160000.00' },
    ]
    const hosted = await open({ ...loanView(paid), installments, owed })
    const { frame } = hosted
    await frame.getByText('₹40,800 received. You still owe ₹1,60,000.').waitFor()
    for (const words of ['₹40,000', '₹800', 'Total paid']) await frame.getByText(words, { exact: true }).waitFor()
    await frame.getByRole('heading', { name: 'Repay early' }).waitFor()
    assert.equal(await frame.getByText('You still owe', { exact: true }).count(), 1)
    const interest: EmbedDues = { part: 'interest', amount: '900.00' }
    pages.platform.show({ ...loanView(paid), installments, owed: [...owed, interest] })
    await hosted.pollAgain()
    await frame.getByRole('region', { name: 'Repay early' }).getByText('₹900', { exact: true }).waitFor()
    await assertFrameAccessible(hosted, 'a received payment')
  })

  test('the next instalment says how it is paid: by autopay, of one page too, or as agreed with the lender', async () => {
    const view = viewAt('DISBURSED')
    const installments = view.installments.map((each) => ({ ...each, status: 'NOT-DUE' as const }))
    const waitForText = async (isOnline: boolean | null, text: RegExp) => {
      const stops = [{ step: 'eMandate' as const, state: 'done' as const }]
      const lenderPage = isOnline === null ? null : { isOnline, isDone: true, stops }
      const selected = { ...view.selected!, lenderPage }
      const steps = { ...view.steps, eMandate: { ...view.steps.eMandate, status: 'NOT_REQUIRED' as const } }
      pages.platform.show({ ...loanView(), installments, selected, steps })
      await hosted.pollAgain()
      await hosted.frame.locator('.deal dd', { hasText: text }).waitFor()
    }
    const hosted = await open({ ...loanView(), installments })
    await hosted.frame.locator('.deal dd', { hasText: /due .*, by autopay/ }).waitFor()
    await waitForText(null, /Due .*\. You pay it as agreed with Kaveri Bank\./)
    await waitForText(true, /due .*, by autopay/)
    await waitForText(false, /Due .*\. You pay it as agreed with Kaveri Bank\./)
  })

  test('asking for an amount binds nobody, and once its card is folded another can be asked for', async () => {
    const { selected } = viewAt('DISBURSED')
    const charge = [{ kind: 'FORECLOSURE' as const, text: '2%' }]
    const withCharge = selected && { ...selected, terms: { ...selected.terms, penalCharges: charge } }
    const hosted = await open({ ...loanView(), selected: withCharge })
    const { frame } = hosted
    await frame.getByText('Closing the loan early costs 2% of the principal that is left.').waitFor()
    await frame.getByRole('button', { name: 'Ask for the amount to close' }).waitFor()
    pages.platform.show({ ...loanView(readyPayment), selected: withCharge })
    await hosted.pollAgain()
    await frame.getByText('Charge for closing early (2%)').waitFor()
    await frame.getByText('Interest to today').waitFor()
    await frame.getByText('You do not have to pay. The loan goes on as before if you do not.').waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Repay part early' }).count(), 0)
    await frame.getByRole('button', { name: 'Keep the loan' }).click()
    await frame.getByText('You asked for this on 30 Nov 2026').waitFor()
    assert.equal(await frame.getByRole('link', { name: /^Pay ₹1,90,214\.48/ }).count(), 0)
    await frame.getByText('since 5 Jan 2027').waitFor()
    await assertFrameAccessible(hosted, 'a folded payment')
    await frame.getByRole('button', { name: 'Show: Closing the loan' }).click()
    await frame.getByRole('link', { name: /^Pay ₹1,90,214\.48/ }).waitFor()

    const part = { ...readyPayment, kind: 'PRE_PART_PAYMENT' as const, amount: '50000.00', parts: [] }
    const plan = viewAt('DISBURSED').installments.map((each) => ({ ...each, status: 'NOT-DUE' as const }))
    pages.platform.show({ ...loanView(part), installments: plan })
    await hosted.pollAgain()
    await frame.getByText(/^Saves about ₹[\d,]+ of interest and \d instalments/).waitFor()
    assert.equal(await frame.getByRole('button', { name: /^Ask for the amount to close/ }).count(), 0)
    await frame.getByRole('button', { name: 'Not now' }).click()
    await frame.getByRole('button', { name: 'Show: Repaying part early' }).waitFor()
    await frame.getByRole('button', { name: /^Ask for the amount to close/ }).waitFor()
    await frame.getByRole('button', { name: 'Repay part early' }).click()
    await frame.getByRole('button', { name: 'Continue to payment' }).waitFor()
  })

  test('of two amounts that were asked for one can be paid at a time, and a part payment outdates the amount to close', async () => {
    const closing = { ...readyPayment, askedAt: '2026-11-30T10:00:00.000Z' }
    const part = {
      ...readyPayment,
      operationId: '0192e0a4-0000-7000-8000-00000000009a',
      kind: 'PRE_PART_PAYMENT' as const,
      amount: '50000.00',
      parts: [],
      askedAt: '2026-11-30T11:00:00.000Z',
    }
    const viewWith = (...servicing: EmbedPayment[]) => ({ ...loanView(readyPayment), servicing, version: version++ })
    const hosted = await open(viewWith(closing, part))
    const { frame } = hosted
    await frame.getByRole('link', { name: /^Pay ₹50,000/ }).waitFor()
    assert.equal(await frame.getByRole('link', { name: /^Pay / }).count(), 1)
    await frame.getByText('Closing the loan · ₹1,90,214.48').waitFor()
    await frame.getByRole('button', { name: 'Show: Closing the loan' }).click()
    await frame.getByRole('link', { name: /^Pay ₹1,90,214\.48/ }).waitFor()
    assert.equal(await frame.getByRole('link', { name: /^Pay / }).count(), 1)
    const problem = { code: 'PAYMENT_PAGE_EXPIRED', en: 'The payment page is no longer valid.' }
    pages.platform.show(
      viewWith(
        { ...closing, status: 'EXPIRED', redirectUrl: null, problem },
        { ...part, status: 'PAID', redirectUrl: null },
      ),
    )
    await hosted.pollAgain()
    await frame.getByText('Your payment has changed the amount to close.').waitFor()
    assert.equal(await frame.getByText('failed').count(), 0)
  })

  test('whoever pays in a window beside the page is not offered to pay again', async () => {
    const hosted = await open(loanView(readyPayment))
    const { frame, page } = hosted
    const link = frame.getByRole('link', { name: /^Pay ₹1,90,214\.48/ })
    await link.evaluate('(link) => link.addEventListener("click", (event) => event.preventDefault())')
    const inner = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    const check = { until: '2027-01-06T10:00:00.000Z', isOver: false }
    pages.platform.on('POST /servicing/status', () => loanView({ ...readyPayment, check }))
    pages.platform.acts.length = 0
    await inner.evaluate('void dispatchEvent(new Event("focus"))')
    assert.equal(pages.platform.acts.length, 0, 'nobody has gone to pay')
    await link.click()
    assert.equal(await link.getAttribute('class'), 'button plain', 'from now on, paying is not the next act')
    await inner.evaluate('void dispatchEvent(new Event("focus"))')
    await frame.getByText('Checking with Kaveri Bank…').waitFor()
    assert.equal(await link.count(), 0)
    await frame.getByRole('button', { name: 'I have not paid yet' }).click()
    const later = { ...check, until: '2027-01-06T10:01:00.000Z' }
    pages.platform.on('POST /servicing/status', () => loanView({ ...readyPayment, check: later }))
    await link.click()
    await inner.evaluate('void dispatchEvent(new Event("focus"))')
    await frame.getByText('Checking with Kaveri Bank…').waitFor()
  })

  test('whoever comes back from paying to a page that was loaded anew, or without an event, is not offered to pay again', async () => {
    const hosted = await open(loanView(readyPayment))
    const { frame, page } = hosted
    const link = frame.getByRole('link', { name: /^Pay ₹1,90,214\.48/ })
    await link.evaluate('(link) => link.addEventListener("click", (event) => event.preventDefault())')
    const check = { until: '2027-01-06T10:00:00.000Z', isOver: false }
    pages.platform.on('POST /servicing/status', () => loanView({ ...readyPayment, check }))
    await link.click()
    await frame.getByText('Checking with Kaveri Bank…').waitFor()
    const inner = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    assert.equal(await inner.evaluate('history.state.lendloom.leftToPay'), readyPayment.operationId)
  })

  test('an instalment that its lender counts as missed before its day is not overdue since a day to come', async () => {
    const { frame } = await open({ ...loanView(), today: '2026-11-30' })
    await frame.getByText('due on 5 Jan 2027', { exact: true }).waitFor()
    assert.equal(await frame.getByText(/since/).count(), 0)
  })

  test('the loan home says how far the loan is repaid, also after payments outside the plan', async () => {
    const planWith = (statuses: InstallmentStatus[]) =>
      viewAt('DISBURSED').installments.map((each, i) => ({ ...each, status: statuses[i] ?? ('NOT-DUE' as const) }))
    const hosted = await open(
      viewAt('DISBURSED', { installments: planWith(['PAID', 'PAID', 'PAID']), version: version++ }),
    )
    const { frame } = hosted
    const progress = frame.locator('.progress')
    await progress.getByText('3 of 24 instalments paid').waitFor()
    await progress.getByText('₹28,104 paid so far: about ₹22,570 principal, ₹5,534 interest').waitFor()
    await frame.getByText(/^due 5\sApr\s2027, by autopay$/).waitFor()
    const prepaid = planWith(['CLOSED'])
    for (const each of prepaid.slice(-3)) each.status = 'CLOSED'
    const receipts: EmbedReceipt[] = [
      {
        id: 'r',
        kind: 'PRE_PART_PAYMENT',
        serialNumber: null,
        amount: '25000.00',
        paidOn: '2026-11-30',
        status: 'PAID',
        reference: null,
        problem: null,
        url: null,
      },
    ]
    pages.platform.show(viewAt('DISBURSED', { installments: prepaid, receipts, version: version++ }))
    await hosted.pollAgain()
    await progress.getByText('1 of 21 instalments paid').waitFor()
    await progress.getByText('₹25,000 paid so far', { exact: true }).waitFor()
    const late: EmbedReceipt = { ...receipts[0]!, id: 'late', kind: 'MISSED_EMI_PAYMENT', amount: '10380.00' }
    pages.platform.show(
      viewAt('DISBURSED', { installments: planWith(['CLOSED']), receipts: [late], version: version++ }),
    )
    await hosted.pollAgain()
    await progress.getByText('₹10,380 paid so far', { exact: true }).waitFor()
    pages.platform.show(viewAt('DISBURSED', { installments: prepaid, receipts, version: version++ }))
    await hosted.pollAgain()
    await progress.getByText('₹25,000 paid so far', { exact: true }).waitFor()
    await frame
      .getByText('Kaveri Bank states the exact amount to close the loan when you ask.', { exact: true })
      .waitFor()
    assert.equal(await progress.getByText('principal').count(), 0, 'no part is told that the plan only implies')
    const owed: EmbedDues[] = [{ part: 'principal', amount: '175200.00' }]
    pages.platform.show(viewAt('DISBURSED', { installments: prepaid, receipts, owed, version: version++ }))
    await hosted.pollAgain()
    await progress.getByText('₹24,800 of ₹2,00,000 of principal repaid').waitFor()
    await frame.getByRole('button', { name: 'Show all 21' }).click()
    const rows = frame.getByRole('table', { name: 'Repayment schedule' })
    await rows.getByRole('row', { name: /^21 / }).waitFor()
    assert.equal(await rows.getByRole('row').count(), 22, 'the head and the instalments that are left')
    await frame.getByRole('button', { name: 'Show fewer' }).click()
    assert.equal(await rows.getByRole('row').count(), 4, 'the head and three instalments')
    await frame.getByRole('button', { name: 'Show all 21' }).click()
    const needless = '3 instalments are no longer due'
    await frame.locator('summary', { hasText: needless }).click()
    const dropped = frame.getByRole('table', { name: needless })
    await dropped.getByRole('row', { name: /^24 / }).waitFor()
    assert.equal(await dropped.getByRole('row').count(), 4)
    await assertFrameAccessible(hosted, 'the progress of a loan')
  })

  test('the page shows outstanding, overdue and penal amounts that the lender reports', async () => {
    const viewWithDues = (...owed: EmbedDues[]) => viewAt('DISBURSED', { owed, version: version++ })
    const all: EmbedDues = { part: 'outstanding', amount: '81250.00' }
    const overdueDues: EmbedDues[] = [
      { part: 'overdue', amount: '9312.00' },
      { part: 'penalCharges', amount: '450.00' },
    ]
    const hosted = await open(viewWithDues(all, ...overdueDues))
    const { frame } = hosted
    const figures = frame.locator('.deal dl')
    const labels = async () => await figures.locator('dt').allInnerTexts()
    await figures.getByText('₹81,250').waitFor()
    for (const amount of ['₹9,312', '₹450']) await figures.getByText(amount).waitFor()
    assert.deepEqual((await labels()).slice(-3), ['Overdue', 'You still owe', 'Penal charges'])
    assert.equal(await figures.locator('dt .icon').count(), 1, 'what is overdue has a sign')
    await assertFrameAccessible(hosted, 'the amounts owed')
    if (process.env.PICTURES) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await hosted.page.emulateMedia({ colorScheme })
        await hosted.page.screenshot({ path: `${process.env.PICTURES}/owed-${colorScheme}.png` })
      }
      await hosted.page.setViewportSize({ width: 1280, height: 900 })
      await hosted.page.screenshot({ path: `${process.env.PICTURES}/owed-wide.png` })
    }
    pages.platform.show(viewWithDues(all))
    await hosted.pollAgain()
    await figures.getByText('Penal charges').waitFor({ state: 'detached' })
    assert.deepEqual((await labels()).slice(-2), ['Overdue', 'You still owe'])
    pages.platform.show(viewWithDues({ part: 'late', amount: '8862.00' }, all, ...overdueDues))
    await hosted.pollAgain()
    await frame.locator('.deal .sums').getByText('₹8,862').waitFor()
    assert.deepEqual(await labels(), ['Overdue', 'Overdue instalments', 'Penal charges'], 'the parts of the sum')
    pages.platform.show(viewWithDues())
    await hosted.pollAgain()
    await figures.getByText('You still owe', { exact: true }).waitFor({ state: 'detached' })
  })

  test('an overdue instalment is paid by the main button, which names the amount', async () => {
    const late = { payNow: '9312.00', loanNumber: '2026110004521', payoutReference: 'HDFCN52026112000017' }
    const hosted = await open(viewAt('DISBURSED', { ...late, version: version++ }))
    const { frame } = hosted
    const pay = frame.getByRole('button', { name: 'Pay ₹9,312 now' })
    await pay.waitFor()
    const mainButtons = await frame.locator('.main').allTextContents()
    assert.deepEqual(mainButtons, ['Pay ₹9,312 now'], 'no other button competes with it')
    for (const words of ['Kaveri Bank', '2026110004521', 'HDFCN52026112000017'])
      await frame.locator('.numbers dd').getByText(words, { exact: true }).first().waitFor()
    await assertFrameAccessible(hosted, 'an instalment to pay')
    const missed = payment({ kind: 'MISSED_EMI_PAYMENT' })
    pages.platform.on('POST /servicing/missed-emi-payment', () => loanView(missed))
    await pay.click()
    await frame.getByText('Kaveri Bank is preparing a payment page.').waitFor()
    assert.equal(await pay.count(), 0)
    pages.platform.show(loanView({ ...missed, status: 'LINK_READY', redirectUrl: 'https://lender.example/pay/2' }))
    await hosted.pollAgain()
    await frame.getByRole('link', { name: /^Go to Kaveri Bank/ }).waitFor()
    assert.equal(await frame.getByText('counts when').count(), 0, 'the lender has not stated an amount')
  })

  test('FIS12 §18.5: if the lender says that nothing is overdue, the page says so and asks again on demand', async () => {
    const problem = { code: 'NO_INSTALMENT_OVERDUE', en: 'The lender says that no EMI is overdue.' }
    const denied = payment({ kind: 'MISSED_EMI_PAYMENT', status: 'FAILED', problem })
    const installments = viewAt('DISBURSED').installments.map((each) => ({ ...each, status: 'NOT-DUE' as const }))
    const hosted = await open(viewAt('DISBURSED', { servicing: [denied], installments, version: version++ }))
    const { frame } = hosted
    await frame.getByRole('heading', { name: 'Nothing to pay now, says Kaveri Bank' }).waitFor()
    await frame.getByText(/^due 5\sJan\s2027, by autopay$/).waitFor()
    await frame.getByRole('button', { name: 'Check again' }).waitFor()
    for (const text of ['failed', /^Pay ₹/]) assert.equal(await frame.getByText(text).count(), 0)
    assert.equal(await frame.locator('.icon').count(), 0)
    await assertFrameAccessible(hosted, 'nothing overdue')
    pages.platform.on('POST /servicing/missed-emi-payment', () =>
      loanView({ ...denied, status: 'REQUESTED', problem: null }),
    )
    await frame.getByRole('button', { name: 'Check again' }).click()
    await frame.getByText('Kaveri Bank is preparing a payment page.').waitFor()
  })

  test('D2 §4: an open payment shows the overdue sum once, above the way out of the loan', async () => {
    const open = payment({
      kind: 'MISSED_EMI_PAYMENT',
      status: 'LINK_READY',
      amount: '9312.00',
      redirectUrl: 'https://platform.example/repay/1',
      payTo: 'Kaveri Bank, account 000123456789',
    })
    const owed: EmbedDues[] = [
      { part: 'outstanding', amount: '81250.00' },
      { part: 'overdue', amount: '9312.00' },
      { part: 'penalCharges', amount: '450.00' },
      { part: 'late', amount: '8862.00' },
    ]
    const leave: EmbedLeave = { ...unknownExit, until: '2026-11-28' }
    const installments = viewAt('DISBURSED').installments.map((each, i) =>
      i < 5 ? { ...each, status: 'OVERDUE' as const } : each,
    )
    const hosted = await pages.open(
      viewAt('DISBURSED', { servicing: [open], owed, leave, installments, version: version++ }),
    )
    const { frame } = hosted
    await frame.getByText('Overdue since 5 Jan 2027', { exact: true }).waitFor()
    await frame.getByRole('heading', { name: '5 payments are overdue' }).waitFor()
    const plan = frame.getByRole('table', { name: 'Repayment schedule' })
    assert.equal(await plan.getByRole('row', { name: /overdue/ }).count(), 5, 'all overdue instalments are visible')
    const card = frame.locator('.card.late')
    assert.equal(await frame.getByText('Instalment payment').count(), 0, 'the heading says it')
    assert.match(await card.locator('.first dd').innerText(), /^₹9,312/)
    assert.deepEqual(await card.locator('.sums').first().locator('dd').allTextContents(), ['₹8,862', '₹450'])
    assert.equal(await frame.locator('.deal').count(), 0)
    await frame.locator('summary').getByText('You can cancel until 28 Nov 2026').waitFor()
    const headings = await frame.locator('h2, summary').allInnerTexts()
    const [payments, exit] = ['Repay early', 'You can cancel'].map((name) =>
      headings.findIndex((heading) => heading.startsWith(name)),
    )
    assert.ok(payments! >= 0 && exit! > payments!, headings.join())
    await assertFrameAccessible(hosted, 'an overdue instalment that can be paid')
  })

  test('D2 §4: a long loan number is shortened and copied whole, and long lists open on demand', async () => {
    const loanNumber = 'ORDER-01a21d81-9dee-7730-85b9-4ccee32bea92'
    const papers = ['statement', 'schedule'].map((name, i) => ({ name, url: `https://platform.example/paper/${i}` }))
    const documents = ['LOAN_AGREEMENT', 'SANCTION_LETTER'].map((code, i) => ({
      code,
      name: code,
      url: `https://lender.example/${i}`,
    }))
    const hosted = await pages.open(
      viewAt('DISBURSED', { loanNumber, papers, documents, version: version++ } as Partial<EmbedView>),
    )
    const { frame } = hosted
    await frame.getByText('ORDER-…2bea92', { exact: true }).waitFor()
    assert.equal(await frame.getByTitle(loanNumber).count(), 1)
    await frame.getByRole('button', { name: `Copy ${loanNumber}` }).waitFor()
    const rows = frame.getByRole('table', { name: 'Repayment schedule' }).getByRole('row')
    assert.equal(await rows.count(), 4)
    assert.equal(await frame.locator('.papers li').count(), 3)
    await frame.getByRole('button', { name: 'Show all 6' }).click()
    assert.equal(await frame.locator('.papers li').count(), 6)
    await assertFrameAccessible(hosted, 'a long loan number')
  })

  test('the documents say how to cancel the loan until its cooling-off period ends', async () => {
    const documents = [{ code: 'LOAN_CANCELLATION', name: 'x', url: 'https://lender.example/cancel' }] as const
    const viewWith = (leave: EmbedLeave | null) =>
      viewAt('DISBURSED', { leave, documents: [...documents], version: version++ })
    const hosted = await open(viewWith({ ...unknownExit, until: '2026-11-28' }))
    const { frame } = hosted
    await frame.getByRole('link', { name: 'How to cancel the loan' }).waitFor()
    pages.platform.show(viewWith(null))
    await hosted.pollAgain()
    await frame.getByRole('link', { name: 'How to cancel the loan' }).waitFor({ state: 'detached' })
  })

  test('D3 §2.5: on the due day the page says why the debit failed, and offers to pay', async () => {
    const problem = { code: 'DEBIT_UNFUNDED', en: 'Your account did not have enough money.' }
    const plan = viewAt('DISBURSED').installments.map((each, i) => ({
      ...each,
      status: i ? each.status : ('DUE' as const),
    }))
    const failed = { installments: plan, payNow: '9312.00', debitFailed: problem }
    const hosted = await open(viewAt('DISBURSED', { ...failed, version: version++ }))
    const { frame } = hosted
    await frame.getByRole('heading', { name: 'Your autopay failed' }).waitFor()
    await frame.getByText('Your account did not have enough money for autopay. Pay it today').waitFor()
    await frame.getByRole('button', { name: 'Pay ₹9,312 now' }).waitFor()
    assert.equal(await frame.getByText('paid out').count(), 0)
    await assertFrameAccessible(hosted, 'a failed debit')
    const overdue = plan.map((each, i) => ({ ...each, status: i ? each.status : ('OVERDUE' as const) }))
    pages.platform.show(viewAt('DISBURSED', { ...failed, installments: overdue, version: version++ }))
    await hosted.pollAgain()
    await frame.getByText('for autopay. Pay it now').waitFor()
  })

  test('D3 §6.4: a partner without a payment page is paid by transfer, which the borrower then reports', async () => {
    const missed = payment({
      kind: 'MISSED_EMI_PAYMENT',
      status: 'LINK_READY',
      amount: '9312.00',
      redirectUrl: 'https://platform.example/repay/1',
      payTo: 'Kaveri Bank, account 000123456789, IFSC KVRB0000123',
    })
    const viewWith = (change: Partial<EmbedPayment>) =>
      viewAt('DISBURSED', { loanNumber: 'CFL-42', servicing: [{ ...missed, ...change }], version: version++ })
    const hosted = await open(viewWith({}))
    const { frame } = hosted
    await frame.getByText('Send the amount to this account').waitFor()
    for (const text of ['9312', '000123456789', 'KVRB0000123', 'CFL-42'])
      await frame
        .getByRole('button', { name: `Copy ${text}` })
        .first()
        .waitFor()
    const report = frame.getByRole('link', { name: /^I have paid/ })
    assert.equal(await report.getAttribute('href'), `${missed.redirectUrl}?lang=en`)
    assert.equal(await frame.getByText('page; the payment counts').count(), 0)
    await assertFrameAccessible(hosted, 'a payment by transfer')
    if (process.env.PICTURES)
      await hosted.page.screenshot({ path: `${process.env.PICTURES}/transfer.png`, fullPage: true })
    const claim = { reference: '418812345678', paidOn: '2026-11-26', resultBy: '2026-11-29' }
    pages.platform.show(viewWith({ claim, redirectUrl: null }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your payment is being verified' }).waitFor()
    await frame.getByText(/need not pay the ₹9,312 again. Kaveri Bank usually answers by 29\sNov\s2026/).waitFor()
    await frame.locator('.deal .first').getByText('₹9,312').waitFor()
    await frame
      .locator('.deal')
      .getByText(/^UTR 418812345678, paid on 26\sNov\s2026/)
      .waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Copy 9312' }).count(), 0)
    assert.equal(await frame.getByText('Instalment payment').count(), 0, 'the head says it')
    const owed = [{ part: 'overdue' as const, amount: '18624.00' }]
    pages.platform.show({ ...viewWith({ claim, redirectUrl: null }), owed })
    await hosted.pollAgain()
    await frame.locator('.deal').getByText('₹18,624').waitFor()
    const problem = { code: 'PAYMENT_NOT_FOUND', en: 'The lender could not find this payment.' }
    const servicing = [{ ...missed, claim, status: 'FAILED' as const, problem }]
    pages.platform.show(viewAt('DISBURSED', { servicing, payNow: '9312.00', version: version++ }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your payment was not found' }).waitFor()
    await frame
      .getByText(/Kaveri Bank has not found the ₹9,312 that you reported, paid on 26\sNov\s2026 with UTR 418812345678/)
      .waitFor()
    const again = frame.getByRole('link', { name: /^Report it again/ })
    assert.equal(await again.getAttribute('href'), `${missed.redirectUrl}?lang=en`)
    assert.equal(await again.getAttribute('class'), 'button main')
    assert.equal(await frame.getByRole('button', { name: 'Pay ₹9,312 now' }).getAttribute('class'), 'plain')
    assert.equal(await frame.locator('.notice').count(), 0, 'one message')
    await assertFrameAccessible(hosted, 'a payment that the lender has not found')
    const receipt = { id: 'r', kind: 'MISSED_EMI_PAYMENT', serialNumber: null, amount: '9312.00', problem } as const
    const receipts = [{ ...receipt, paidOn: claim.paidOn, status: 'MISSING', reference: null, url: null } as const]
    pages.platform.show({ ...viewWith({}), receipts })
    await hosted.pollAgain()
    await frame.getByText('If your payment of ₹9,312 is found').waitFor()
  })

  test('payments are listed with day, status, reference and receipt, a few at first', async () => {
    const receipt = (change: Partial<EmbedReceipt>): EmbedReceipt => ({
      id: 'r',
      kind: 'INSTALLMENT',
      serialNumber: null,
      amount: '9368.00',
      paidOn: '2026-11-05',
      status: 'PAID',
      reference: null,
      problem: null,
      url: null,
      ...change,
    })
    const receipts = [
      receipt({ id: 'a', status: 'PENDING', serialNumber: 3 }),
      receipt({ id: 'b', kind: 'PRE_PART_PAYMENT', reference: 'HDFCN52026110500001', url: 'https://x.example/r/1' }),
      receipt({ id: 'c', status: 'FAILED' }),
      receipt({ id: 'd', status: 'REVERSED' }),
      ...Array.from({ length: 46 }, (_, i) => receipt({ id: `e${i}`, serialNumber: 2, paidOn: null })),
    ]
    const hosted = await open(viewAt('DISBURSED', { receipts, version: version++ }))
    const { frame } = hosted
    const table = frame.getByRole('table', { name: 'Your payments' })
    await table.getByRole('row', { name: /^Instalment 3 5 Nov 2026 · being verified ₹9,368/ }).waitFor()
    await table.getByRole('row', { name: /^Part repaid 5 Nov 2026 · received HDFCN52026110500001 Receipt/ }).waitFor()
    assert.equal(
      await table.getByRole('link', { name: /^Receipt \(PDF\)/ }).getAttribute('href'),
      'https://x.example/r/1?lang=en',
    )
    assert.equal(await table.getByRole('row').count(), 4)
    await assertFrameAccessible(hosted, 'the payments')
    await frame.getByRole('button', { name: 'Show all 50' }).click()
    assert.equal(await table.getByRole('row').count(), 51)
  })

  test('D3 §1: a requested cooling-off exit shows when and how it was requested, and does not offer another', async () => {
    const leave: EmbedLeave = { ...unknownExit, until: '2026-11-28' }
    const exitRequest = {
      number: 'LL-7K4P',
      at: '2026-11-26T06:30:00.000Z',
      origin: 'EMAIL' as const,
      answered: false,
      ...unpaid,
    }
    const viewWith = (change: Partial<EmbedView>) =>
      viewAt('DISBURSED', { leave, exitRequest, cancellation: 'OPEN', version: version++, ...change })
    const hosted = await open(viewWith({}))
    const { frame } = hosted
    await frame.getByRole('heading', { name: 'Cancelling the loan', level: 1 }).waitFor()
    const card = frame.getByRole('region', { name: 'You asked to cancel the loan' })
    await card.getByText('By e-mail, 26 Nov, 12:00 pm. Request number: LL-7K4P.').waitFor()
    await frame.getByText('The loan ends when Kaveri Bank has your payment.').waitFor()
    assert.equal(await frame.locator('.deal').count(), 0, 'no payout, no next EMI')
    await card.getByText('Next, Kaveri Bank tells you how much to pay').waitFor()
    await card.getByText('If you do not pay, it continues.').waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Ask to cancel the loan' }).count(), 0)
    assert.equal(await frame.locator('.tick').count(), 0, 'nothing to celebrate')
    assert.equal(await frame.getByRole('heading', { name: 'Repay early' }).count(), 0, 'no early payment')
    await assertFrameAccessible(hosted, 'a requested exit')
    const missed = { ...exitRequest, missedOn: '2026-11-29' }
    pages.platform.show(viewWith({ leave: null, cancellation: null, exitRequest: missed }))
    await hosted.pollAgain()
    const lead = frame.locator('.lead')
    const missedText = 'The loan was not cancelled by 29 Nov 2026, so it continues.'
    await lead.getByText(`${missedText} If you paid by then, your payment appears here`).waitFor()
    assert.equal(await card.getByText('tells you how much to pay').count(), 0)
    assert.equal(await frame.getByText(/after the last day|paid out|close this page/).count(), 0)
    assert.equal(await frame.locator('.tick').count(), 0)
    const paidLate = { amount: '195280.00', on: '2026-11-30' }
    pages.platform.show(viewWith({ leave: null, cancellation: null, exitRequest: { ...missed, paidLate } }))
    await hosted.pollAgain()
    await lead.getByText('Kaveri Bank received ₹1,95,280 on 30 Nov 2026, after the last day. It counts as').waitFor()
    assert.ok((await frame.locator('.deal').count()) > 0, 'the next EMI is shown again')
    await assertFrameAccessible(hosted, 'an exit that was not paid in time')
    pages.platform.show(viewWith({ leave: null, cancellation: null, exitRequest: { ...exitRequest, answered: true } }))
    await hosted.pollAgain()
    await lead.getByText('There is an answer to your request.').waitFor()
    await hosted.page.route('**/api/embed/complaints', (route) => route.fulfill({ json: { complaints } }))
    await card.getByRole('button', { name: 'Go to the request' }).click()
    await frame.getByRole('heading', { name: 'Help and complaints' }).waitFor()
    await frame.getByRole('button', { name: 'Back to my loan' }).click()
    pages.platform.show(viewWith({ cancellation: null, exitRequest: null }))
    await hosted.pollAgain()
    await frame.locator('summary').getByText('You can cancel until 28 Nov 2026').click()
    await frame.getByRole('button', { name: 'Ask to cancel the loan' }).waitFor()
  })

  test('D3 §1: once the lender has the payment of a cancellation, the page asks for no other and calls it no EMI', async () => {
    const account = 'Kaveri Bank, account 000123456789, IFSC KVRB0000123'
    const cost = {
      days: 1,
      principal: '200000.00',
      interest: '66.00',
      feeReturned: '4786.00',
      paid: null,
      total: '195280.00',
    }
    const receipt = {
      id: 'p',
      kind: 'FORECLOSURE' as const,
      serialNumber: null,
      amount: '195280.00',
      url: null,
      problem: null,
    }
    const exitRequest = {
      number: 'LL-7K4P',
      at: '2026-11-26T06:30:00.000Z',
      origin: 'PAGE' as const,
      answered: false,
      ...unpaid,
    }
    const leave = { today: '2026-11-27', until: '2026-11-29', payBy: '2026-11-29', account, cost }
    const viewWith = (change: Partial<EmbedView>) =>
      viewAt('DISBURSED', {
        leave,
        cancellation: 'OPEN',
        loanNumber: 'CFL-000042',
        ...change,
        version: version++,
      })
    const hosted = await open(viewWith({ exitRequest }))
    const { frame } = hosted
    const card = frame.getByRole('region', { name: 'You asked to cancel the loan' })
    await frame.getByText('Pay ₹1,95,280 to Kaveri Bank today to end the loan. You can pay until 29 Nov 2026').waitFor()
    assert.equal(await card.getByText('three days').count(), 0, 'the last day is named')
    for (const row of ['Kaveri Bank', '000123456789', 'KVRB0000123'])
      await card.getByRole('definition').getByText(row, { exact: true }).first().waitFor()
    const order = (await card.innerText()).match(/Request number|Total to pay|Pay to|Pay by|How this amount/g)
    assert.deepEqual(order, ['Request number', 'Total to pay', 'Pay to', 'Pay by', 'How this amount'])
    await hosted.page.context().grantPermissions(['clipboard-read'], { origin: new URL(hosted.page.url()).origin })
    for (const text of ['195280', '000123456789', 'KVRB0000123', 'CFL-000042']) {
      await card.getByRole('button', { name: `Copy ${text}` }).click()
      await card.getByRole('button', { name: `Copied ${text}` }).waitFor()
      await card
        .getByRole('status')
        .filter({ hasText: `Copied ${text}` })
        .waitFor({ state: 'attached' })
      assert.equal(await hosted.page.evaluate('navigator.clipboard.readText()'), text)
    }
    await assertFrameAccessible(hosted, 'a payment with details to copy')
    pages.platform.show(viewWith({ exitRequest, leave: { ...leave, today: '2026-11-29' } }))
    await hosted.pollAgain()
    await frame.getByText('Pay ₹1,95,280 to Kaveri Bank today, by 11:59 pm, to end the loan.').waitFor()
    await card.getByText('today, 11:59 pm').waitFor()
    const posted = { leave: { ...leave, cost: null }, exitRequest, exitBooked: '195280.00' }
    pages.platform.show(viewWith(posted))
    await hosted.pollAgain()
    await frame.getByText('Kaveri Bank has booked your payment of ₹1,95,280 as a repayment.').waitFor()
    assert.equal(await card.getByText(/Pay to|Pay within|three days|tells you/).count(), 0, 'it asks for no money')
    await card.getByRole('button', { name: 'Go to the request' }).waitFor()
    await card.getByText('Or contact Kaveri Bank directly').waitFor()
    await assertFrameAccessible(hosted, 'a payment booked as a repayment')
    const held = { exitRequest, exitHeld: '195280.00', installments: [] }
    const receipts = [{ ...receipt, paidOn: '2026-11-27', status: 'PENDING' as const, reference: 'UTR1' }]
    pages.platform.show(viewWith({ ...held, receipts }))
    await hosted.pollAgain()
    await frame.getByText('Kaveri Bank has your payment of ₹1,95,280 and is ending the loan.').waitFor()
    await frame.getByRole('row', { name: /^Cancelling the loan 27 Nov 2026 · being verified UTR1/ }).waitFor()
    assert.equal(await frame.locator('.deal').count(), 0)
    assert.equal(await frame.getByText(/Instalment|Pay to|Pay within|three days|calendar/).count(), 0)
    await assertFrameAccessible(hosted, 'a held payment')
    const done: Partial<EmbedView> = {
      screen: 'CLOSED',
      cancellation: 'DONE',
      leave: null,
      exitRequest: null,
      installments: [],
    }
    pages.platform.show(viewWith({ ...done, receipts: receipts.map((each) => ({ ...each, status: 'PAID' as const })) }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your loan is cancelled' }).waitFor()
    await frame.getByRole('row', { name: /^Paid to cancel 27 Nov 2026 · received UTR1/ }).waitFor()
    assert.equal(await frame.getByText(/Instalment/).count(), 0)
  })

  test('the page shows the cost of a cooling-off exit and sends the exit request to the lender', async () => {
    const cost = {
      days: 1,
      principal: '100000.00',
      interest: '66.00',
      feeReturned: '2360.00',
      paid: null,
      total: '97706.00',
    }
    const account = 'Kaveri Bank, account 000123456789, IFSC KVRB0000123'
    const leave = { today: '2026-11-21', until: '2026-11-23', payBy: '2026-11-26', account, cost }
    const viewWithExit = (leave: EmbedLeave | null, more: Partial<EmbedView> = {}) =>
      viewAt('DISBURSED', { leave, closesHere: false, version: version++, ...more })
    const hosted = await open(viewWithExit(leave))
    const { frame } = hosted
    const card = frame.locator('details').filter({ hasText: 'You can cancel until 23 Nov 2026' })
    const openCancelling = () => card.locator('summary').click()
    await openCancelling()
    for (const words of ['Interest for one day', '₹66', '−₹2,360', '₹97,706'])
      await card.getByText(words).first().waitFor()
    assert.equal(
      await frame.getByRole('button', { name: 'Ask for the amount to close' }).count(),
      0,
      'foreclosure is requested from the lender',
    )
    assert.equal(await card.getByText('Pay to').count(), 0, 'it is no bill')
    await assertFrameAccessible(hosted, 'the cooling-off exit')
    await card.getByRole('button', { name: 'Ask to cancel the loan' }).click()
    await frame.getByRole('heading', { name: 'Cancel this loan?' }).waitFor()
    for (const text of ['₹97,706', '•••• 6789', '23 Nov 2026']) await frame.getByText(text, { exact: true }).waitFor()
    await assertFrameAccessible(hosted, 'the confirmation of a cooling-off exit')
    await frame.getByRole('button', { name: 'Keep the loan' }).click()
    await openCancelling()
    await card.getByRole('button', { name: 'Ask to cancel the loan' }).click()
    const sent = answerComplaint(hosted, viewWithExit(leave))
    await frame.getByRole('button', { name: 'Ask Kaveri Bank to cancel the loan' }).click()
    const { category, text } = (await sent).postDataJSON()
    assert.equal(category, 'COOLING_OFF')
    assert.equal(text.slice(0, 26), 'I cancel this loan within ')
    await card.waitFor()
    assert.equal(await frame.getByRole('heading', { name: 'Help and complaints' }).count(), 0, 'the loan shows it')
    const early = frame.getByRole('region', { name: 'Repay early' })
    const at = '2026-12-03T09:45:00.000Z'
    const waiting = { category: 'CLOSING_AMOUNT', at, dueAt: '2026-12-04T09:45:00.000Z', answered: false } as const
    const asked = answerComplaint(hosted, viewWithExit(leave, { requested: [waiting] }))
    await frame.getByRole('button', { name: 'Ask for the amount' }).click()
    const question = (await asked).postDataJSON()
    assert.equal(question.category, 'CLOSING_AMOUNT')
    assert.match(question.text, /^I want to repay the whole loan early\./)
    await early.getByText('Asked on 3 Dec 2026. Kaveri Bank answers by 4 Dec').waitFor()
    assert.equal(await frame.getByRole('heading', { name: 'Help and complaints' }).count(), 0, 'the loan shows it')
    assert.equal(await early.getByRole('button', { name: 'Ask for the amount' }).count(), 0, 'it is asked for')
    await assertFrameAccessible(hosted, 'a request that waits for its answer')
    await early.getByRole('button', { name: 'Show: The amount to repay the whole loan' }).click()
    await frame.getByRole('heading', { name: 'Help and complaints' }).waitFor()
    await frame.getByRole('button', { name: 'Back to my loan' }).click()
    pages.platform.show(viewWithExit(leave, { requested: [{ ...waiting, dueAt: null, answered: true }] }))
    await hosted.pollAgain()
    await early.getByText('There is an answer to your request.').waitFor()
    await early.getByRole('button', { name: 'Ask for the amount' }).waitFor()
    await frame.locator('.news').getByText('There is an answer to your request.').waitFor()
    await frame.getByRole('button', { name: 'Go to the request' }).click()
    await frame.getByRole('button', { name: 'Back to my loan' }).click()

    pages.platform.show(viewWithExit(leave, { exitHeld: '97706.00' }))
    await hosted.pollAgain()
    const checking = 'Kaveri Bank has your payment of ₹97,706 and is checking it.'
    await frame.locator('.lead').getByText(checking).waitFor()
    await openCancelling()
    await card
      .getByText('If you ask to cancel by 23 Nov 2026, Kaveri Bank uses this payment to end the loan.')
      .waitFor()
    assert.equal(await card.getByText(/Pay to|three days/).count(), 0, 'it asks for no other money')
    await card.getByRole('button', { name: 'Ask to cancel the loan' }).click()
    await frame.getByText(checking).waitFor()
    assert.equal(await frame.getByText(account).count(), 0)
    await assertFrameAccessible(hosted, 'a payment before the request')
    await frame.getByRole('button', { name: 'Keep the loan' }).click()
    pages.platform.show(viewWithExit({ ...leave, cost: null }, { exitBooked: '97706.00' }))
    await hosted.pollAgain()
    await openCancelling()
    const booked = 'Kaveri Bank has booked your payment of ₹97,706 as a repayment. If you ask to cancel by 23 Nov 2026'
    await card.getByText(booked).waitFor()
    assert.equal(await card.getByText('tells you how much to pay').count(), 0)
    pages.platform.show(viewWithExit({ ...leave, cost: null }))
    await hosted.pollAgain()
    await card.getByText('Kaveri Bank then tells you how much to pay').waitFor()
    assert.equal(await card.getByText(account).count(), 0, 'no account without an amount')
    pages.platform.show(viewWithExit({ ...leave, cost: { ...cost, paid: '9580.00', total: '88126.00' } }))
    await hosted.pollAgain()
    await card.getByText('Already paid').waitFor()
    for (const sum of ['−₹9,580', '₹88,126']) await card.getByText(sum).first().waitFor()
    pages.platform.show(viewWithExit(null, { exitHeld: '97706.00' }))
    await hosted.pollAgain()
    await card.waitFor({ state: 'detached' })
    await frame.locator('.lead').getByText('You did not ask to cancel the loan in time').waitFor()
    const repaid = {
      number: 'LL-7K4P',
      at: '2026-11-26T06:30:00.000Z',
      origin: 'PAGE' as const,
      answered: false,
      ...unpaid,
    }
    const closed = { exitRequest: repaid, exitBooked: '100066.00', leave: null }
    pages.platform.show(viewAt('CLOSED', { ...closed, version: version++ }))
    await hosted.pollAgain()
    const requested = frame.getByRole('region', { name: 'You asked to cancel the loan' })
    await requested.getByText('Request number: LL-7K4P.').waitFor()
    await frame.locator('.lead').getByText('If it cancels the loan, it returns what you paid too much.').waitFor()
    assert.equal(await frame.getByText(/Your loan is cancelled|close this page|pay nothing|how much to pay/).count(), 0)
    await assertFrameAccessible(hosted, 'a repaid loan with an open request')
  })

  test('D3 §3: a loan whose payout came back is cancelled with the reason, and not closed as repaid', async () => {
    const hosted = await pages.open(viewAt('CLOSED', { endReason: wordsOf('PAYOUT_RETURNED') }))
    const { frame } = hosted
    await frame.getByRole('heading', { name: 'Your loan is cancelled' }).waitFor()
    await frame.locator('.lead').getByText('The bank sent the money back to the lender').waitFor()
    assert.equal(await frame.getByText('Your loan is closed').count(), 0)
    await assertFrameAccessible(hosted, 'a loan whose payout came back')
  })

  test('FIS12 §25: the borrower sees the price before leaving, pays to an account, follows the payout, and rates once', async () => {
    const leave: EmbedLeave = { ...unknownExit, until: '2026-11-23' }
    const account = '012345678901, IFSC LEND0000001'
    const unstated = { amount: null, parts: [], account: null, keptFees: null }
    const stated = { state: 'STATED' as const, amount: '200066.00', parts: [], account, keptFees: '1430.00' }
    const viewWith = (exitPrice: EmbedView['exitPrice'], change: Partial<EmbedView> = {}) =>
      viewAt('DISBURSED', {
        leave,
        closesHere: true,
        exitPrice,
        version: version++,
        rating: { given: null },
        ...change,
      })
    const hosted = await open(viewAt('DISBURSAL', { tracking: 'https://x.example/payout', version: version++ }))
    const { frame } = hosted
    const follow = frame.getByRole('link', { name: /^Follow it at Kaveri Bank/ })
    assert.equal(await follow.getAttribute('href'), 'https://x.example/payout')
    await assertFrameAccessible(hosted, 'the link to follow the payout')

    pages.platform.show(viewWith({ state: 'ASKABLE', ...unstated }))
    await hosted.pollAgain()
    const order = await frame.locator('section summary').allInnerTexts()
    assert.deepEqual(order.slice(-2), ['Contact Kaveri Bank', 'Rate Kaveri Bank'], 'a rating comes last')
    await frame.getByText('Rate Kaveri Bank').click()
    await frame.getByRole('button', { name: 'Send the rating' }).click()
    await frame.locator('#field-rating:focus').waitFor()
    await frame.getByRole('radio', { name: '4 of 5' }).click()
    await assertFrameAccessible(hosted, 'a rating')
    pages.platform.on('POST /rating', () => viewWith({ state: 'ASKABLE', ...unstated }, { rating: { given: 4 } }))
    await frame.getByRole('button', { name: 'Send the rating' }).click()
    await frame.getByText('You rated Kaveri Bank: 4 of 5').waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, { value: 4 })

    pages.platform.on('POST /servicing/exit-price', () => viewWith({ state: 'ASKED', ...unstated }))
    await frame.locator('summary').getByText('You can cancel until').click()
    await frame.getByRole('button', { name: 'Ask to cancel the loan' }).click()
    await frame.getByText('Kaveri Bank is working out what you pay if you cancel today.').waitFor()
    const yes = frame.getByRole('button', { name: 'Ask Kaveri Bank to cancel the loan' })
    assert.equal(await yes.count(), 0, 'the price comes before the decision')
    pages.platform.show(viewWith(stated))
    await hosted.pollAgain()
    await frame.getByText('₹2,00,066').waitFor()
    await frame.getByText('Kaveri Bank deducted fees of ₹1,430 from your payout and does not refund them.').waitFor()
    await assertFrameAccessible(hosted, 'the price of leaving')
    const linked = payment({ status: 'LINK_READY', amount: '200066.00' })
    const leaving = viewWith(stated, { cancellation: 'OPEN', servicing: [linked] })
    pages.platform.on('POST /servicing/foreclosure', () => leaving)
    await yes.click()
    await frame.getByText('LEND0000001', { exact: true }).waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, { exitPrice: '200066.00' }, 'the decision names the price')
  })

  test('FIS12 §7.4: in the cooling-off period a lender of the network is asked for the price of closing the loan', async () => {
    const leave: EmbedLeave = { ...unknownExit, until: '2026-11-23' }
    const viewWith = (status: 'REQUESTED' | 'FAILED' | null, change: Partial<EmbedView> = {}) =>
      viewAt('DISBURSED', {
        leave,
        closesHere: true,
        version: version++,
        cancellation: status === 'REQUESTED' ? 'OPEN' : null,
        servicing: status === null ? [] : [payment({ status })],
        ...change,
      })
    const hosted = await open(viewWith(null))
    const { frame } = hosted
    const card = frame.locator('details').filter({ hasText: 'You can cancel until 23 Nov 2026' })
    const openCancelling = () => card.locator('summary').click()
    await openCancelling()
    await card.getByText('whether it keeps the fees it deducted from your payout').waitFor()
    const ask = frame.getByRole('button', { name: 'Ask Kaveri Bank to cancel the loan' })
    await card.getByRole('button', { name: 'Ask to cancel the loan' }).click()
    await frame.getByText('The loan ends when your payment arrives.').waitFor()
    pages.platform.on('POST /servicing/foreclosure', () => viewWith('REQUESTED'))
    await ask.click()
    await frame.getByText('Cancelling the loan').waitFor()
    await frame.getByText('If you do not pay by 23 Nov 2026, the loan continues.').waitFor()
    await frame.getByRole('heading', { name: 'You asked to cancel the loan' }).waitFor()
    assert.equal(await frame.locator('.tick').count(), 0, 'nothing to celebrate')
    assert.equal(await card.count(), 0, 'it is asked once')
    assert.equal(await frame.getByRole('button', { name: 'Repay part early' }).count(), 0)
    const price = { ...readyPayment, amount: '201000.00', parts: [], keptFees: '1430.00' }
    const instalment = { ...readyPayment, operationId: 'o-2', kind: 'MISSED_EMI_PAYMENT' as const }
    pages.platform.show(viewWith('REQUESTED', { servicing: [price, instalment] }))
    await hosted.pollAgain()
    await frame.getByText('Kaveri Bank deducted fees of ₹1,430 from your payout and does not refund them.').waitFor()
    await frame.getByText('Interest to today').waitFor()
    await frame.getByText('₹1,000', { exact: true }).waitFor()
    await frame.getByText('Instalment payment', { exact: true }).waitFor()
    assert.equal(await frame.getByText('the loan continues').count(), 1, 'an instalment does not end the loan')
    await assertFrameAccessible(hosted, 'the price of a cancellation')
    const problem = { code: 'UNKNOWN_REASON', en: 'The payment page has closed.' }
    pages.platform.show(viewWith('FAILED', { servicing: [payment({ status: 'FAILED', problem })] }))
    await hosted.pollAgain()
    await frame.getByText('Cancelling the loan · failed').locator('.icon').waitFor()
    await openCancelling()
    await card.getByRole('button', { name: 'Ask to cancel the loan' }).click()
    const sent = answerComplaint(hosted, viewWith(null))
    await ask.click()
    assert.equal((await sent).postDataJSON().category, 'COOLING_OFF', 'then in writing')
    const servicing = [payment({ status: 'PAID', amount: '190214.48' })]
    pages.platform.show(viewWith(null, { screen: 'CLOSED', leave: null, cancellation: 'DONE', servicing }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your loan is cancelled' }).waitFor()
    await frame.getByText('Paid to cancel', { exact: true }).waitFor()
    assert.equal(await frame.getByText(/repaid|Closing the loan/).count(), 0)
  })

  test('the page estimates a part payment’s effect and sends the request to the lender', async () => {
    const weekly = {
      amountPrincipal: '100000.00',
      repaymentFrequency: 'WEEKLY',
      numberOfInstallments: 22,
      tenureMonths: 5,
      interestRate: '24.00%',
    }
    const installments = Array.from({ length: 22 }, (_, i) => ({
      serialNumber: i + 1,
      amount: i < 21 ? '4790.00' : '4789.00',
      status: 'NOT-DUE' as const,
      dueOn: new Date(Date.UTC(2026, 10, 27 + 7 * i)).toISOString().slice(0, 10),
    }))
    const { selected } = viewAt('DISBURSED')
    const loan = selected && { ...selected, terms: { ...selected.terms, ...weekly } }
    const requestOptions = { requests: ['PART_PAYMENT' as const], selected: loan, installments, closesHere: false }
    const hosted = await open(viewAt('DISBURSED', { ...requestOptions, version: version++ }))
    const { frame } = hosted
    await frame.getByRole('button', { name: 'Repay part early' }).click()
    const card = frame.getByRole('region', { name: 'Repay early' })
    await card.getByText('The number of instalments stays the same, and each is smaller.').waitFor()
    const amount = card.getByLabel('How much will you repay early, in rupees?')
    const send = card.getByRole('button', { name: 'Ask Kaveri Bank for this' })
    await amount.fill('1,00,000')
    await send.click()
    await card.getByText(/^You can repay up to ₹99,999/).waitFor()
    await amount.fill('50,000')
    await card.getByText('About 11 instalments of ₹4,790 instead of 22, and ₹4,017 less interest.').waitFor()
    await card.getByText('22 instalments of about ₹2,395 instead of ₹4,790, and ₹2,691 less interest.').waitFor()
    await card.getByText('These are estimates').waitFor()
    await card.getByRole('radio', { name: /^The term/ }).check()
    await assertFrameAccessible(hosted, 'the effect of a part payment')
    assert.equal(await frame.getByRole('button', { name: 'Repay part early' }).count(), 0, 'there is one entry')
    const transfer = payment({
      kind: 'PRE_PART_PAYMENT',
      status: 'LINK_READY',
      amount: '50000.00',
      redirectUrl: 'https://platform.example/repay/2',
      payTo: 'Kaveri Bank, account 000123456789, IFSC KVRB0000123',
    })
    const viewToPay = () => viewAt('DISBURSED', { ...requestOptions, servicing: [transfer], version: version++ })
    pages.platform.on('POST /servicing/pre-part-payment', viewToPay)
    const sent = answerComplaint(hosted, viewToPay())
    await send.click()
    await frame.getByRole('button', { name: 'Copy 50000' }).waitFor()
    const { category, partPayment, text } = (await sent).postDataJSON()
    assert.equal(category, 'PART_PAYMENT')
    assert.deepEqual(partPayment, { amount: '50000', keep: 'TERM' })
    assert.match(text, /^I will repay ₹50,000 early\. Please keep the term/)
  })

  test('D3 §1: between acceptance and payout a confirmed cancellation request goes to the lender', async () => {
    const requestOptions = { requests: ['CANCELLATION' as const] }
    const hosted = await open(viewAt('LENDER_WORKING', { ...requestOptions, version: version++ }))
    const { frame } = hosted
    await frame.getByText('Your bank account is confirmed. Next: autopay.').waitFor()
    await frame.getByRole('button', { name: 'Cancel this loan' }).click()
    await frame.getByRole('heading', { name: 'Cancel this loan?' }).waitFor()
    await frame.getByRole('button', { name: 'Keep the loan' }).click()
    await frame.getByRole('button', { name: 'Cancel this loan' }).click()
    await assertFrameAccessible(hosted, 'the confirmation of a cancellation')
    const sent = answerComplaint(hosted, viewAt('LENDER_WORKING', { ...requestOptions, version: version++ }))
    await frame.getByRole('button', { name: 'Ask Kaveri Bank to cancel it' }).click()
    await frame.getByRole('heading', { name: 'Help and complaints' }).waitFor()
    assert.equal((await sent).postDataJSON().category, 'CANCELLATION')
    await frame.getByRole('button', { name: 'Back to my application' }).click()
    await frame
      .getByRole('heading', { name: /Kaveri Bank/ })
      .first()
      .waitFor()
  })

  test('a part payment must be whole rupees, and a failure is explained', async () => {
    const hosted = await open(loanView())
    const { frame } = hosted
    await frame.getByRole('button', { name: 'Repay part early' }).click()
    const amount = frame.getByLabel('How much do you want to repay early, in rupees?')
    await amount.fill('12.50')
    pages.platform.acts.length = 0
    await frame.getByRole('button', { name: 'Continue to payment' }).click()
    await frame.getByText('Enter a whole amount in rupees').waitFor()
    assert.equal(pages.platform.acts.length, 0)
    await assertFrameAccessible(hosted, 'an invalid amount')
    pages.platform.show({ ...loanView(), owed: [{ part: 'outstanding', amount: '243132.00' }] })
    await hosted.pollAgain()
    await amount.fill('999999999')
    await frame.getByRole('button', { name: 'Continue to payment' }).click()
    await frame.getByText('You can repay up to ₹2,43,131. Enter a smaller amount.').first().waitFor()
    assert.equal(pages.platform.acts.length, 0, 'the lender is not asked for what it must refuse')
    await amount.fill('')
    for (const key of '20000') await amount.press(key)
    assert.equal(await amount.inputValue(), '20,000')
    const problem = 'The lender cannot do this for your loan right now.'
    pages.platform.on('POST /servicing/pre-part-payment', () =>
      loanView(
        payment({ kind: 'PRE_PART_PAYMENT', status: 'FAILED', problem: { code: 'UNKNOWN_REASON', en: problem } }),
      ),
    )
    await frame.getByRole('button', { name: 'Continue to payment' }).click()
    await frame.getByText(problem).waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, { amount: '20000' })
    await frame.getByRole('button', { name: 'Repay part early' }).waitFor()
  })

  test('D2 §4: a payment that its lender could not prepare is asked for again where it failed', async () => {
    const problem = wordsOf('PAYMENT_LINK_NOT_PREPARED')
    const failed = { status: 'FAILED', problem } as const
    const hosted = await open(loanView(payment({ ...failed, kind: 'PRE_PART_PAYMENT', amount: '20000.00' })))
    const { frame } = hosted
    const again = frame.locator('.notice').getByRole('button', { name: 'Try again' })
    pages.platform.on('POST /servicing/pre-part-payment', () => loanView(payment(failed)))
    await again.click()
    await frame.getByText('Closing the loan').waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, { amount: '20000' })
    await assertFrameAccessible(hosted, 'a payment that failed')
    pages.platform.on('POST /servicing/foreclosure', () => loanView(payment({ kind: 'MISSED_EMI_PAYMENT', ...failed })))
    await again.click()
    await frame.getByText('Instalment payment').waitFor()
    const forGood = payment({ ...failed, problem: wordsOf('NOT_POSSIBLE_FOR_LOAN') })
    pages.platform.on('POST /servicing/missed-emi-payment', () => loanView(forGood))
    await again.click()
    await frame.getByText('The lender cannot do this for your loan right now.').waitFor()
    assert.equal(await again.count(), 0, 'it cannot help')
  })

  test('D2 §4: what is left in instalments is said to include interest', async () => {
    const owed: EmbedDues[] = [{ part: 'planned', amount: '243132.00' }]
    const hosted = await open({ ...loanView(), owed })
    const planned = hosted.frame.locator('.deal > dl > div', { hasText: 'Left in instalments' })
    await planned.getByText('with interest for the time ahead').waitFor()
  })

  test('the servicing section is in Hindi', async () => {
    const instalment = { ...readyPayment, kind: 'MISSED_EMI_PAYMENT' as const }
    const view = viewAt('DISBURSED', { servicing: [instalment], payNow: '9368.00', version: version++ })
    const { frame } = await open(view, { language: 'hi' })
    await frame.getByRole('heading', { name: 'समय से पहले चुकाएँ' }).waitFor()
    await frame.getByRole('button', { name: 'अभी ₹9,368 चुकाएँ' }).waitFor()
    await frame.getByRole('link', { name: /चुकाएँ/ }).waitFor()
    await frame.getByRole('cell', { name: /ओवरड्यू/ }).waitFor()
  })
})
