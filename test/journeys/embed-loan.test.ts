// The hosted page after disbursal, in a real browser: what is due, what can be paid, and what came of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Request } from 'playwright-core'
import type { EmbedView } from '#contract/hosted/embed.ts'
import type { EmbedDues, EmbedLeave, EmbedPayment } from '#contract/hosted/embed-servicing.ts'
import type { Opened } from '#test/setup/embed-page.ts'
import { accessible, embedPages } from '#test/setup/embed-pages.ts'
import { viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()
const { open } = pages

const payment = (change: Partial<EmbedPayment> = {}): EmbedPayment => ({
  operationId: '0192e0a4-0000-7000-8000-0000000000f1',
  kind: 'FORECLOSURE',
  status: 'REQUESTED',
  amount: null,
  redirectUrl: null,
  problem: null,
  ...change,
})
const ready = payment({ status: 'LINK_READY', amount: '190214.48', redirectUrl: 'https://lender.example/pay/1' })
let version = 1
const repaying = (...servicing: EmbedPayment[]) => viewAt('DISBURSED', { servicing, version: version++ })

const officer = { name: 'Neha Joshi', email: 'grievance@platform.example', phone: '+912240001234' }

/** Help and complaints as they are before and after a request. */
const complaints = { officer, nodal: officer, lender: 'Kaveri Bank', items: [] }

/** Takes the request that the page sends, and answers it with the view. Gives what was sent. */
async function answering({ page }: Opened, view: EmbedView): Promise<Request> {
  await page.route('**/api/embed/complaints', (route) => route.fulfill({ json: { view, complaints } }))
  return page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/complaints'))
}

describe('D2 §4: after disbursal, on the hosted page', () => {
  test('the plan says what is overdue, and closing the loan leads to the lender and to the end', async () => {
    const one = await open(repaying())
    const { inside } = one
    await inside.getByRole('row', { name: /1 .*overdue/ }).waitFor()
    await inside.getByText('on 5 Jan 2027').waitFor()
    pages.platform.on('POST /servicing/foreclosure', () => repaying(payment()))
    await inside.getByRole('button', { name: 'Close the loan' }).click()
    await inside.getByText('Kaveri Bank is preparing a payment page.').waitFor()
    assert.equal(await inside.getByRole('button', { name: 'Close the loan' }).count(), 0, 'one is open already')
    assert.deepEqual(pages.platform.acts.at(-1)!.body, {})

    pages.platform.show(repaying(ready))
    await one.askAgain()
    const link = inside.getByRole('link', { name: /^Pay ₹1,90,214\.48/ })
    await link.waitFor()
    assert.deepEqual(
      [await link.getAttribute('href'), await link.getAttribute('target'), await link.getAttribute('rel')],
      [ready.redirectUrl, '_blank', 'noopener noreferrer'],
    )
    await accessible(one, 'a payment page is ready')
    const edge = () => inside.locator('.notice').evaluate((box) => `${box.computedStyleMap().get('border-left-color')}`)
    const quoted = await edge()
    pages.platform.on('POST /servicing/status', () => repaying({ ...ready, status: 'PAID', redirectUrl: null }))
    await inside.getByRole('button', { name: 'I have paid' }).click()
    await inside.getByText('You paid ₹1,90,214.48.').waitFor()
    const problem = { outside: 'The payment page has closed.' }
    pages.platform.show(repaying({ ...ready, status: 'FAILED', redirectUrl: null, problem }))
    await one.askAgain()
    await inside.getByText('The payment page has closed.').waitFor()
    assert.notEqual(await edge(), quoted, 'a failed payment alone has the colours of an error')

    pages.platform.show(
      viewAt('CLOSED', { servicing: [{ ...ready, status: 'PAID', redirectUrl: null }], version: version++ }),
    )
    await one.askAgain()
    await inside.getByRole('heading', { name: 'Your loan is repaid' }).waitFor()
    assert.equal(await inside.getByRole('button', { name: 'Repay part early' }).count(), 0)
    await accessible(one, 'repaid')
  })

  test('what is owed stands on the page where the lender tells it: outstanding, and of it overdue and penal charges', async () => {
    const owing = (...owed: EmbedDues[]) => viewAt('DISBURSED', { owed, version: version++ })
    const all: EmbedDues = { part: 'outstanding', amount: '81250.00' }
    const late: EmbedDues[] = [
      { part: 'overdue', amount: '9312.00' },
      { part: 'penalCharges', amount: '450.00' },
    ]
    const one = await open(owing(all, ...late))
    const { inside } = one
    const figures = inside.locator('.deal dl')
    const labels = async () => (await figures.locator('dt').allTextContents()).slice(1, -1)
    await figures.getByText('₹81,250').waitFor()
    for (const amount of ['₹9,312', '₹450']) await figures.getByText(amount).waitFor()
    assert.deepEqual(await labels(), ['Outstanding', 'Overdue', 'Penal charges'])
    await accessible(one, 'what is owed')
    if (process.env.PICTURES) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await one.page.emulateMedia({ colorScheme })
        await one.page.screenshot({ path: `${process.env.PICTURES}/owed-${colorScheme}.png` })
      }
      await one.page.setViewportSize({ width: 1280, height: 900 })
      await one.page.screenshot({ path: `${process.env.PICTURES}/owed-wide.png` })
    }
    pages.platform.show(owing(all))
    await one.askAgain()
    await figures.getByText('Overdue', { exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual(await labels(), ['Outstanding'])
    pages.platform.show(owing())
    await one.askAgain()
    await figures.getByText('Outstanding', { exact: true }).waitFor({ state: 'detached' })
  })

  test('leaving within the cooling-off period has its price and its way to the lender; closing early is asked for there too', async () => {
    const cost = { days: 1, principal: '100000.00', interest: '66.00', feeReturned: '2360.00', total: '97706.00' }
    const leaving = (leave: EmbedLeave | null) => viewAt('DISBURSED', { leave, closesHere: false, version: version++ })
    const one = await open(leaving({ until: '2026-11-23', agreed: true, cost }))
    const { inside } = one
    const card = inside.getByRole('region', { name: 'You can cancel the loan until 23 Nov 2026' })
    for (const words of ['Interest for one day', '₹66', '−₹2,360', '₹97,706'])
      await card.getByText(words).first().waitFor()
    assert.equal(await inside.getByRole('button', { name: 'Close the loan' }).count(), 0, 'the lender closes it')
    await accessible(one, 'leaving')
    await card.getByRole('button', { name: 'Ask to cancel the loan' }).click()
    await inside.getByRole('heading', { name: 'Cancel this loan?' }).waitFor()
    await inside.getByText('₹97,706').waitFor()
    await accessible(one, 'whether to leave')
    await inside.getByRole('button', { name: 'Keep the loan' }).click()
    await card.getByRole('button', { name: 'Ask to cancel the loan' }).click()
    const sent = answering(one, leaving({ until: '2026-11-23', agreed: true, cost }))
    await inside.getByRole('button', { name: 'Ask Kaveri Bank to cancel the loan' }).click()
    const { category, text } = (await sent).postDataJSON()
    assert.deepEqual([category, text.slice(0, 26)], ['COOLING_OFF', 'I want to cancel this loan'])
    await inside.getByRole('heading', { name: 'Help and complaints' }).waitFor()
    assert.equal(await inside.getByRole('radio').count(), 0, 'no form is to be filled in')
    await card.waitFor()
    await inside.getByRole('button', { name: 'Ask for the amount' }).click()
    await inside.getByRole('radio', { name: 'A payment I made', checked: true }).waitFor()

    pages.platform.show(leaving({ until: '2026-11-23', agreed: true, cost: null }))
    await one.askAgain()
    await card.getByText('tells you how much to pay').waitFor()
    pages.platform.show(leaving(null))
    await one.askAgain()
    await card.waitFor({ state: 'detached' })
  })

  test('what a part payment changes is shown for an amount, and asked of the lender with one tap', async () => {
    const weekly = { repaymentFrequency: 'WEEKLY', numberOfInstallments: 22, tenureMonths: 5, interestRate: '24.00%' }
    const installments = Array.from({ length: 22 }, (_, i) => ({
      ...{ serialNumber: i + 1, amount: i < 21 ? '4790.00' : '4789.00', status: 'NOT-DUE' as const },
      dueOn: new Date(Date.UTC(2026, 10, 27 + 7 * i)).toISOString().slice(0, 10),
    }))
    const { selected } = viewAt('DISBURSED')
    const loan = selected && { ...selected, terms: { ...selected.terms, ...weekly } }
    const asking = { requests: ['PART_PAYMENT' as const], selected: loan, installments, closesHere: false }
    const one = await open(viewAt('DISBURSED', { ...asking, version: version++ }))
    const { inside } = one
    const card = inside.getByRole('region', { name: 'Repay part early: what should it change?' })
    await card.getByText('The number of instalments stays the same, and each is smaller.').waitFor()
    const amount = card.getByLabel('How much will you repay early, in rupees?')
    const send = card.getByRole('button', { name: 'Ask Kaveri Bank for this' })
    await amount.fill('1,00,000')
    await send.click()
    await card.getByRole('link', { name: /^Enter less than ₹1,00,000/ }).waitFor()
    await amount.fill('50,000')
    await card.getByText('About 11 instalments of ₹4,790 instead of 22, and ₹4,017 less interest.').waitFor()
    await card.getByText('22 instalments of about ₹2,395 instead of ₹4,790, and ₹2,691 less interest.').waitFor()
    await card.getByText('These are estimates').waitFor()
    await card.getByRole('radio', { name: /^The term/ }).check()
    await accessible(one, 'what a part payment changes')
    const sent = answering(one, viewAt('DISBURSED', { ...asking, version: version++ }))
    await send.click()
    await inside.getByRole('heading', { name: 'Help and complaints' }).waitFor()
    const { category, partPayment, text } = (await sent).postDataJSON()
    assert.deepEqual([category, partPayment], ['PART_PAYMENT', { amount: '50000', keep: 'TERM' }])
    assert.match(text, /^I will repay ₹50,000 early\. Please keep the term/)
  })

  test('D3 §1: between acceptance and payout the borrower asks the lender to stop, after a second thought', async () => {
    const asking = { requests: ['CANCELLATION' as const] }
    const one = await open(viewAt('LENDER_WORKING', { ...asking, version: version++ }))
    const { inside } = one
    await inside.getByRole('button', { name: 'Cancel this loan' }).click()
    await inside.getByRole('heading', { name: 'Cancel this loan?' }).waitFor()
    await inside.getByRole('button', { name: 'Keep the loan' }).click()
    await inside.getByRole('button', { name: 'Cancel this loan' }).click()
    await accessible(one, 'asking to stop')
    const sent = answering(one, viewAt('LENDER_WORKING', { ...asking, version: version++ }))
    await inside.getByRole('button', { name: 'Ask Kaveri Bank to cancel it' }).click()
    await inside.getByRole('heading', { name: 'Help and complaints' }).waitFor()
    assert.equal((await sent).postDataJSON().category, 'CANCELLATION')
    await inside
      .getByRole('heading', { name: /Kaveri Bank/ })
      .first()
      .waitFor()
  })

  test('a part is asked for in whole rupees only, and a failure is said in plain words', async () => {
    const one = await open(repaying())
    const { inside } = one
    await inside.getByRole('button', { name: 'Repay part early' }).click()
    const amount = inside.getByLabel('How much do you want to repay early, in rupees?')
    await amount.fill('12.50')
    pages.platform.acts.length = 0
    await inside.getByRole('button', { name: 'Ask for the payment page' }).click()
    await inside.getByRole('region', { name: 'Please check one thing' }).waitFor()
    assert.equal(pages.platform.acts.length, 0)
    await accessible(one, 'what is wrong with the amount')
    await amount.fill('')
    for (const key of '20000') await amount.press(key)
    assert.equal(await amount.inputValue(), '20,000')
    const problem = 'The lender cannot do this for your loan right now.'
    pages.platform.on('POST /servicing/pre-part-payment', () =>
      repaying(payment({ kind: 'PRE_PART_PAYMENT', status: 'FAILED', problem: { outside: problem } })),
    )
    await inside.getByRole('button', { name: 'Ask for the payment page' }).click()
    await inside.getByText(problem).waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, { amount: '20000' })
    await inside.getByRole('button', { name: 'Repay part early' }).waitFor()
  })

  test('all of it is there in Hindi', async () => {
    const { inside } = await open(repaying(ready), { language: 'hi' })
    await inside.getByRole('heading', { name: 'योजना से अलग भुगतान' }).waitFor()
    await inside.getByRole('button', { name: 'बकाया किस्त चुकाएँ' }).waitFor()
    await inside.getByRole('link', { name: /चुकाएँ/ }).waitFor()
    await inside.getByRole('cell', { name: /बकाया/ }).waitFor()
  })
})
