// The hosted page after disbursal, in a real browser: what is due, what can be paid, and what came of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedLeave, EmbedPayment } from '#contract/hosted/embed-servicing.ts'
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

describe('D2 §4: after disbursal, on the hosted page', () => {
  test('the plan says what is overdue, and closing the loan leads to the lender and to the end', async () => {
    const one = await open(repaying())
    const { inside } = one
    await inside.getByRole('row', { name: /1 .*overdue/ }).waitFor()
    await inside.getByText('₹9,368 on').waitFor()
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
    pages.platform.on('POST /servicing/status', () => repaying({ ...ready, status: 'PAID', redirectUrl: null }))
    await inside.getByRole('button', { name: 'I have paid' }).click()
    await inside.getByText('₹1,90,214.48 paid.').waitFor()

    pages.platform.show(
      viewAt('CLOSED', { servicing: [{ ...ready, status: 'PAID', redirectUrl: null }], version: version++ }),
    )
    await one.askAgain()
    await inside.getByRole('heading', { name: 'Your loan is repaid' }).waitFor()
    assert.equal(await inside.getByRole('button', { name: 'Pay part early' }).count(), 0)
    await accessible(one, 'repaid')
  })

  test('leaving within the cooling-off period has its price and its way to the lender; closing early is asked for there too', async () => {
    const cost = { days: 1, principal: '100000.00', interest: '66.00', feeReturned: '2360.00', total: '97706.00' }
    const leaving = (leave: EmbedLeave | null) => viewAt('DISBURSED', { leave, closesHere: false, version: version++ })
    const one = await open(leaving({ until: '2026-11-23', cost }))
    const { inside } = one
    const card = inside.getByRole('region', { name: 'Changed your mind?' })
    for (const words of ['Until 23 Nov 2026', 'Interest for one day', '₹66', '−₹2,360', '₹97,706'])
      await card.getByText(words).first().waitFor()
    assert.equal(await inside.getByRole('button', { name: 'Close the loan' }).count(), 0, 'the lender closes it')
    await accessible(one, 'leaving')
    const officer = { name: 'Neha Joshi', email: 'grievance@platform.example', phone: '+912240001234' }
    const complaints = { officer, nodal: officer, lender: 'Kaveri Bank', items: [] }
    await one.page.route('**/api/embed/complaints', (route) => route.fulfill({ json: { complaints } }))
    await card.getByRole('button', { name: 'Ask to leave the loan' }).click()
    await inside.getByRole('radio', { name: /leave the loan/, checked: true }).waitFor()
    await inside.getByRole('button', { name: 'Ask for the amount' }).click()
    await inside.getByRole('radio', { name: 'A payment of mine', checked: true }).waitFor()

    pages.platform.show(leaving({ until: '2026-11-23', cost: null }))
    await one.askAgain()
    await card.getByText('tells you what is left to pay').waitFor()
    pages.platform.show(leaving(null))
    await one.askAgain()
    await card.waitFor({ state: 'detached' })
  })

  test('a part is asked for in whole rupees only, and a failure is said in plain words', async () => {
    const one = await open(repaying())
    const { inside } = one
    await inside.getByRole('button', { name: 'Pay part early' }).click()
    const amount = inside.getByLabel('How much do you want to pay early, in rupees?')
    await amount.fill('12.50')
    pages.platform.acts.length = 0
    await inside.getByRole('button', { name: 'Ask for the payment page' }).click()
    await inside.getByRole('region', { name: 'Please check one thing' }).waitFor()
    assert.equal(pages.platform.acts.length, 0)
    await accessible(one, 'what is wrong with the amount')
    await amount.fill('₹20,000')
    const problem = 'The lender cannot do this for the loan at the moment.'
    pages.platform.on('POST /servicing/pre-part-payment', () =>
      repaying(payment({ kind: 'PRE_PART_PAYMENT', status: 'FAILED', problem: { outside: problem } })),
    )
    await inside.getByRole('button', { name: 'Ask for the payment page' }).click()
    await inside.getByText(problem).waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, { amount: '20000' })
    await inside.getByRole('button', { name: 'Pay part early' }).waitFor()
  })

  test('all of it is there in Hindi', async () => {
    const { inside } = await open(repaying(ready), { language: 'hi' })
    await inside.getByRole('heading', { name: 'योजना से अलग भुगतान' }).waitFor()
    await inside.getByRole('button', { name: 'छूटी हुई किस्त चुकाएँ' }).waitFor()
    await inside.getByRole('link', { name: /चुकाएँ/ }).waitFor()
    await inside.getByRole('cell', { name: /बकाया/ }).waitFor()
  })
})
