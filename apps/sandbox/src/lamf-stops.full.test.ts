// Lenders of the sandbox that lend against mutual funds with stops: one page after the offer, and an order that they place by themselves (FIS12 §27).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moneyOf } from '@lendloom/lending/money'
import type { Json } from '@lendloom/tests/network-messages/lamf'
import { testDatabase } from '@lendloom/tests/setup/database'
import { entriesOf } from '@lendloom/tests/setup/official-lender/shape'
import { json, post, type ReceivedCallback } from '@lendloom/tests/setup/sandbox/buyer'
import { fundsOnOnePage, lendersWithStops } from '@lendloom/tests/setup/sandbox/funds-one-page'
import {
  accountIn,
  draftFor,
  offerIn,
  requestLamfStatus,
  searchLamf,
  sendOptions,
  terms,
} from '@lendloom/tests/setup/sandbox/lamf-journey'
import { codeIn, lamfSandbox, orderIn } from '@lendloom/tests/setup/sandbox/lamf-sandbox'
import { init, select } from '@lendloom/wire/network/v230/select-to-confirm'
import { update } from '@lendloom/wire/network/v230/update-and-status'

const sandbox = await lamfSandbox(() => testDatabase('sandbox'), lendersWithStops)
const { buyer, proceedToOffer, proceedToPledgedQuote, faultsOf } = sandbox
const { press, reportsOf, tellDone, completedPage } = fundsOnOnePage(sandbox)

const doneIn = (received: ReceivedCallback) =>
  orderIn(received)
    .stops.filter(({ state }) => state === 'COMPLETED')
    .map(({ type }) => type)
    .slice(1)

describe('mutual fund loans with stops', { concurrency: 4 }, () => {
  test('FIS12 §27.2: a line has one page with four reports, and is open without init and confirm', async () => {
    const line = await completedPage('tulsi')
    assert.equal(orderIn(line.quote).form!.heading, 'SINGLE_REDIRECTION')
    const done = ['KYC', 'EMANDATE', 'LIEN_MARKING', 'ESIGN']
    const told = line.reports.map((each) => doneIn(each).sort())
    assert.deepEqual(
      told,
      [1, 2, 3, 4].map((count) => done.slice(0, count).sort()),
    )
    assert.match(line.ending, /tell-app\.js/, 'the page tells the app')
    const answer = orderIn(await tellDone(line, line.submissionId))
    assert.equal(answer.form, null)
    assert.equal(answer.orderId, null)
    assert.equal(doneIn(line.reports[3]!).length, 4)
    const order = await buyer.receive('on_confirm', line)
    const { orderId, state, line: opened } = orderIn(order)
    assert.ok(orderId)
    assert.equal(state, 'SANCTIONED')
    assert.equal(opened!.utilization, 0n)
    const codes = order.body.message.order.tags.map(
      ({ descriptor }: { descriptor: { code: string } }) => descriptor.code,
    )
    assert.deepEqual([...new Set(codes)], ['ACCOUNT_SUMMARY', 'PLEDGED_PORTFOLIO', 'BAP_TERMS', 'BPP_TERMS'])
    assert.equal(order.body.message.order.payments, undefined, 'nothing is paid before a drawdown')
    assert.deepEqual(faultsOf(line), [])
  })

  test('FIS12 §27.2: a repeated report that the page is done places no second order', async () => {
    const line = await completedPage('tulsi')
    await tellDone(line, line.submissionId)
    const first = orderIn(await buyer.receive('on_confirm', line)).orderId
    await tellDone(line, line.submissionId)
    assert.equal(orderIn(await requestLamfStatus(buyer, line)).orderId, first)
    const confirmations = buyer.transcript.filter(
      ({ action, body }) => action === 'on_confirm' && JSON.parse(body).context.transaction_id === line.transactionId,
    )
    assert.equal(confirmations.length, 1)
  })

  test('FIS12 §27.2: another page, another submission or an unfinished page is refused', async () => {
    const open = await proceedToPledgedQuote('tulsi', '1234')
    assert.equal(codeIn(await tellDone(open, 'S-1')), '80216')
    const line = await completedPage('tulsi')
    assert.equal(codeIn(await tellDone(line, 'S-1')), '80216')
    assert.equal(codeIn(await tellDone(line, line.submissionId, 'FORM-LIEN')), '30000')
    const draft = { ...draftFor(line, line.pledges), disbursal: accountIn('PAYOUT'), terms }
    await buyer.send('init', init(draft), sendOptions(line))
    assert.equal(codeIn(await buyer.receive('on_init', line)), '40001', 'there is no init')
  })

  test('FIS12 §27.2: a term loan is paid out after its order, with instalments that name their parts', async () => {
    const loan = await completedPage('sahyadri')
    await tellDone(loan, loan.submissionId)
    const order = orderIn(await buyer.receive('on_confirm', loan))
    assert.deepEqual(order.installments, [])
    const update = await buyer.receive('on_update', loan)
    const { state, payoutReference, installments } = orderIn(update)
    assert.equal(state, 'DISBURSED')
    assert.match(payoutReference!, /^UTR/)
    assert.ok(installments.length > 0)
    const [first] = update.body.message.order.payments.filter(({ time }: Json) => time.label === 'INSTALLMENT')
    const parts = entriesOf(first.tags, 'BREAKUP')
    assert.match(parts.PRINCIPAL_AMOUNT!, /^[\d.]+ INR$/)
    const sum = moneyOf(parts.PRINCIPAL_AMOUNT!)! + moneyOf(parts.INTEREST_AMOUNT!)!
    assert.equal(sum, installments[0]!.amount)
    assert.deepEqual(faultsOf(loan), [])
  })

  test('FIS12 §27.4: a missed instalment, a part and the rest of a term loan are paid, each with its parts', async () => {
    const loan = await completedPage('sahyadri', '9031')
    await tellDone(loan, loan.submissionId)
    const orderId = orderIn(await buyer.receive('on_confirm', loan)).orderId!
    const plan = orderIn(await buyer.receive('on_update', loan)).installments
    assert.equal(plan[0]!.status, 'DELAYED')
    const charges = []
    for (const request of [
      { label: 'MISSED_EMI_PAYMENT' },
      { label: 'PRE_PART_PAYMENT', amount: 20_000_00n },
      { label: 'FORECLOSURE' },
    ] as const) {
      await buyer.send('update', update({ orderId, ...request }), sendOptions(loan))
      const asked = orderIn(await buyer.receive('on_update', loan))
      const { amount, breakup, url } = asked.servicing.find(({ status }) => status === 'NOT-PAID')!
      const { PRINCIPAL_AMOUNT, INTEREST_AMOUNT, ...others } = breakup
      const sum = Object.values(breakup).reduce((all, part) => all + part, 0n)
      assert.equal(amount, sum, request.label)
      charges.push(...Object.keys(others))
      await post(url!, { outcome: 'approve' })
      const paid = orderIn(await buyer.receive('on_update', loan))
      assert.equal(paid.servicing.at(-1)!.status, 'PAID', request.label)
    }
    assert.deepEqual(charges, ['LATE_FEE_AMOUNT'], 'nothing is charged in the cooling-off period')
    const end = orderIn(await requestLamfStatus(buyer, loan))
    assert.equal(end.orderStatus, 'COMPLETED')
    const rest = end.installments.filter(({ status }) => status === 'DEFERRED')
    assert.equal(rest.length, plan.length)
    assert.deepEqual(faultsOf(loan), [])
  })

  test('FIS12 §27.2: a declined page ends the application, and PAN 9051 pledges at the second attempt', async () => {
    const declined = await proceedToPledgedQuote('tulsi', '1234')
    await press(declined, 'decline')
    const [refusal] = await reportsOf(declined, 1)
    assert.equal(orderIn(refusal!).formResponse!.outcome, 'failure')
    const again = await proceedToPledgedQuote('tulsi', '9051')
    await press(again, 'approve')
    assert.equal(codeIn(await buyer.receive('on_status', again)), '80215')
    await press(again, 'approve')
    assert.equal(doneIn((await reportsOf(again, 4)).at(-1)!).length, 4)
  })

  test('FIS12 §27.1: a lender answers in its own domain only, and a message in another is refused', async () => {
    const line = await proceedToOffer('tulsi', '1234')
    assert.equal(offerIn(line.answer).stops!.length, 6)
    const { domain: _, ...usual } = sendOptions(line)
    const refused = await buyer.send(
      'select',
      select(draftFor(line, [{ schemeCode: 'SHK-FLEX-G', units: '1' }])),
      usual,
    )
    assert.equal(json(refused).error.path, '$.context.domain')
    const meridian = await searchLamf(buyer, 'meridian')
    assert.equal(meridian.item.stops, null)
    const heard = (slug: string) =>
      buyer.transcript.filter(({ body, party }) => {
        const { context } = JSON.parse(body)
        return party === `${slug}.sandbox.example` && context.transaction_id === meridian.transactionId
      })
    assert.equal(heard('tulsi').length, 0)
  })
})
