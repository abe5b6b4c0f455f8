// Tests lenders' messages about a disbursed loan over real HTTP, among them incomplete, premature and missing messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Json } from '@lendloom/tests/network-messages/personal-loan'
import { disbursedLoans } from '@lendloom/tests/setup/disbursed-loan'
import { exampleOf } from '@lendloom/tests/setup/network'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import { findJourney } from '#platform/lending/journey/store.ts'
import { paymentUrlOf } from '#platform/lending/servicing/operation.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'

const { network, platform, ...loans } = await disbursedLoans()
const { installmentsOfExample, disbursedLoan, requestPayment, requestRefresh, lenderSends } = loans
const { requestStates, storedInstallments, isClosed, conversationAt, nextRequest } = loans
const { ctx } = platform
const { db } = ctx

test('FIS12 §11.1: a foreclosure changes the instalments and closes the loan only when the lender reports it as PAID', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'FORECLOSURE')
  const sent = await nextRequest(journey, 'update')
  assert.deepEqual(sent.body.message, exampleOf('update_foreclosure', network))
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure' }, sent)
  const [linked] = await listServicing(db, journey)
  assert.equal(linked!.status, 'LINK_READY')
  assert.equal(linked!.amountPaise, 19_021_448n)
  assert.equal(paymentUrlOf(ctx.seal, linked!), 'https://sahyadri.example/pay/7')
  assert.equal((await storedInstallments(journey)).filter(({ status }) => status === 'NOT-PAID').length, 11)
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure_paid' })
  const [paid] = await listServicing(db, journey)
  assert.equal(paid!.status, 'PAID')
  assert.equal(paid!.transactionId, 'UTR2027010600042')
  assert.equal(paymentUrlOf(ctx.seal, paid!), null)
  assert.deepEqual(await storedInstallments(journey), installmentsOfExample('on_update_foreclosure_paid'))
  assert.ok(await isClosed(journey))
  await assert.rejects(requestPayment(journey, 'FORECLOSURE'), { kind: 'wrong-state' })
  await assert.rejects(requestRefresh(journey), { kind: 'wrong-state' })
})

test('FIS12 §11.1: accepts a part payment that the lender reports as PAID without having sent a payment page', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'PRE_PART_PAYMENT', { amount: 2_000_000n })
  const sent = await nextRequest(journey, 'update')
  assert.deepEqual(sent.body.message, exampleOf('update_pre_part', network))
  await lenderSends(journey, 'on_update', { step: 'on_update_pre_part_paid' }, sent)
  assert.equal(await requestStates(journey), 'PRE_PART_PAYMENT PAID')
  assert.deepEqual(await storedInstallments(journey), installmentsOfExample('on_update_pre_part_paid'))
  assert.ok(!(await isClosed(journey)))
})

test('FIS12 §12.4.5: ignores a schedule change that the lender sends before the payment is PAID', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'PRE_PART_PAYMENT', { amount: 2_000_000n })
  const premature = {
    step: 'on_update_pre_part',
    change: (order: Json) => {
      order.payments.at(-1).status = 'DEFERRED'
    },
  }
  await lenderSends(journey, 'on_update', premature, await nextRequest(journey, 'update'))
  assert.equal(await requestStates(journey), 'PRE_PART_PAYMENT LINK_READY')
  assert.ok((await storedInstallments(journey)).every(({ status }) => status !== 'DEFERRED'))
})

test('FIS12 §3.4: after error 80212, 80213 or 40001 the request fails with a plain reason and can be repeated', async () => {
  const journey = await disbursedLoan()
  for (const code of ['80212', '40001']) {
    await requestPayment(journey, 'FORECLOSURE')
    await lenderSends(
      journey,
      'on_update',
      { error: { code, message: 'LINK_GEN_FAILED' } },
      await nextRequest(journey, 'update'),
    )
  }
  await requestPayment(journey, 'FORECLOSURE')
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure' }, await nextRequest(journey, 'update'))
  await lenderSends(journey, 'on_update', { error: { code: '80213' } })
  const operations = await listServicing(db, journey)
  assert.equal(await requestStates(journey), Array(3).fill('FORECLOSURE FAILED').join(', '))
  assert.ok(operations.every(({ reason }) => reason !== null && !/LINK_GEN|\d{5}/.test(reason)))
  const unchanged = await findJourney(db, journey.tenantId, journey.journeyId)
  assert.equal(unchanged!.status, 'DISBURSED')
  assert.equal(unchanged!.active, true)
})

test('FIS12 §4.1: a request made while an answer is awaited is sent after that answer', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'FORECLOSURE')
  const first = await nextRequest(journey, 'update')
  await requestPayment(journey, 'PRE_PART_PAYMENT', { amount: 100_000n })
  assert.deepEqual(
    (await listServicing(db, journey)).map(({ asks }) => asks),
    [1, 0],
  )
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure' }, first)
  const second = await nextRequest(journey, 'update')
  assert.equal(second.body.message.order.payments[0].time.label, 'PRE_PART_PAYMENT')
  assert.equal(await requestStates(journey), 'FORECLOSURE LINK_READY, PRE_PART_PAYMENT REQUESTED')
})

test('FIS12 §3.3: a status poll after the timeout finds a lost request, which is sent again', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'FORECLOSURE')
  await nextRequest(journey, 'update')
  platform.advanceClock(31)
  const sent = await nextRequest(journey, 'status')
  await lenderSends(journey, 'on_status', { step: 'on_update_disbursed' }, sent)
  const resent = await nextRequest(journey, 'update')
  assert.deepEqual(resent.body.message, exampleOf('update_foreclosure', network))
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure' }, resent)
  assert.equal(await requestStates(journey), 'FORECLOSURE LINK_READY')
  // The lender never reports the payment; the poll finds it.
  platform.advanceClock(120)
  await lenderSends(journey, 'on_status', { step: 'on_update_foreclosure_paid' }, await nextRequest(journey, 'status'))
  assert.equal(await requestStates(journey), 'FORECLOSURE PAID')
  assert.ok(await isClosed(journey))
})

test('FIS12 §4.1: of two requests that the lender never received, the older is sent again first', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'FORECLOSURE')
  await requestPayment(journey, 'PRE_PART_PAYMENT', { amount: 100_000n })
  await lenderSends(journey, 'on_update', { step: 'on_update_disbursed' }, await nextRequest(journey, 'update'))
  const unanswered = await nextRequest(journey, 'update')
  assert.equal(unanswered.body.message.order.payments[0].time.label, 'PRE_PART_PAYMENT')
  platform.advanceClock(31)
  await lenderSends(journey, 'on_status', { step: 'on_update_disbursed' }, await nextRequest(journey, 'status'))
  const resent = await nextRequest(journey, 'update')
  assert.deepEqual(resent.body.message, exampleOf('update_foreclosure', network))
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure' }, resent)
  const laterRequest = await nextRequest(journey, 'update')
  assert.deepEqual(laterRequest.body.message, unanswered.body.message)
  assert.equal(await requestStates(journey), 'FORECLOSURE LINK_READY, PRE_PART_PAYMENT REQUESTED')
})

test('D2 §4: a refresh expires the payment page that is missing from the lender’s answer', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'PRE_PART_PAYMENT', { amount: 2_000_000n })
  await lenderSends(journey, 'on_update', { step: 'on_update_pre_part' }, await nextRequest(journey, 'update'))
  const { operationId } = await requestRefresh(journey)
  assert.equal((await requestRefresh(journey)).operationId, operationId, 'the pending refresh is reused')
  await lenderSends(journey, 'on_status', { step: 'on_update_disbursed' }, await nextRequest(journey, 'status'))
  assert.equal(await requestStates(journey), 'PRE_PART_PAYMENT EXPIRED, STATUS_REFRESH DONE')
  await lenderSends(journey, 'on_update', { step: 'on_update_pre_part_paid' })
  assert.equal(
    await requestStates(journey),
    'PRE_PART_PAYMENT PAID, STATUS_REFRESH DONE',
    'the payment is PAID after its page expired',
  )
})

/** Sets payment ids as gold lenders do: all instalments share an id, and a paid payment has the settlement's id. */
const setGoldPaymentIds = (order: Json, change: (payment: Json) => unknown = () => undefined) => {
  for (const payment of order.payments) {
    if (payment.time?.label === 'INSTALLMENT') Object.assign(payment, { id: 'INSTALLMENTS' })
    else if (payment.type === 'ON_ORDER' || payment.status === 'PAID') payment.id = 'PAYMENT'
    if (payment.time?.label && payment.time.label !== 'INSTALLMENT') change(payment)
  }
}

test('FIS12 §18.1: a paid payment whose id differs from the request settles it with the paid amount', async () => {
  const journey = await disbursedLoan()
  for (const [amount, id] of [
    ['92720.00', 'first'],
    ['92720.00', 'second'],
  ] as const) {
    await requestPayment(journey, 'PRE_PART_PAYMENT', { amount: 200_000n })
    const link = (order: Json) =>
      setGoldPaymentIds(order, (payment) => Object.assign(payment, { id, params: { amount: '2000', currency: 'INR' } }))
    await lenderSends(
      journey,
      'on_update',
      { step: 'on_update_pre_part', change: link },
      await nextRequest(journey, 'update'),
    )
    const paid = (order: Json) =>
      setGoldPaymentIds(order, (payment) => Object.assign(payment, { params: { amount, currency: 'INR' } }))
    await lenderSends(journey, 'on_update', { step: 'on_update_pre_part_paid', change: paid })
  }
  assert.deepEqual(
    (await listServicing(db, journey)).map(({ status, amountPaise, paidPaise, paymentId, url, urlSealed }) => ({
      status,
      amountPaise,
      paidPaise,
      paymentId,
      url: url ?? urlSealed,
    })),
    Array(2).fill({
      status: 'PAID',
      amountPaise: 200_000n,
      paidPaise: 9_272_000n,
      paymentId: 'PAYMENT',
      url: null,
    }),
  )
  await requestPayment(journey, 'FORECLOSURE')
  await lenderSends(
    journey,
    'on_update',
    { step: 'on_update_foreclosure', change: (order) => setGoldPaymentIds(order) },
    await nextRequest(journey, 'update'),
  )
  const completed = (order: Json) => {
    setGoldPaymentIds(order)
    order.fulfillments[0].state.descriptor.code = 'COMPLETE'
    for (const payment of order.payments)
      if (payment.time?.label === 'INSTALLMENT') payment.time.range.start = '2023-07-01T00:00:00.000Z'
  }
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure_paid', change: completed })
  assert.match(await requestStates(journey), /FORECLOSURE PAID$/)
  assert.ok(await isClosed(journey))
  const agreedStarts = installmentsOfExample('on_update_disbursed').map(({ startsAt }) => startsAt)
  assert.deepEqual(
    (await storedInstallments(journey)).map(({ startsAt }) => startsAt),
    agreedStarts,
    'the changed months of the instalments are ignored',
  )
})

test('FIS12 §18.1: a completed order without a foreclosure payment still sets the requested foreclosure to PAID', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'FORECLOSURE')
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure' }, await nextRequest(journey, 'update'))
  const withoutForeclosure = (order: Json) => {
    order.payments = order.payments.filter(({ time }: Json) => time?.label !== 'FORECLOSURE')
  }
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure_paid', change: withoutForeclosure })
  assert.equal(await requestStates(journey), 'FORECLOSURE PAID')
  assert.ok(await isClosed(journey))
})

test('FIS12 §18.1: a payment that matches no request triggers a status request', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'FORECLOSURE')
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure' }, await nextRequest(journey, 'update'))
  await lenderSends(journey, 'on_update', { step: 'on_update_pre_part_paid' })
  await lenderSends(journey, 'on_status', { step: 'on_update_foreclosure_paid' }, await nextRequest(journey, 'status'))
  assert.equal(await requestStates(journey), 'FORECLOSURE PAID')
})

test('FIS12 §18.5: the payment of a missed instalment can be requested before the platform knows which one was missed', async () => {
  const journey = await disbursedLoan()
  await assert.rejects(requestPayment(journey, 'MISSED_EMI_PAYMENT', { installmentId: '3' }), { kind: 'wrong-state' })
  await requestPayment(journey, 'MISSED_EMI_PAYMENT')
  const refusal = { error: { code: '40001', message: 'nothing is overdue' } }
  await lenderSends(journey, 'on_update', refusal, await nextRequest(journey, 'update'))
  const [refused] = await listServicing(db, journey)
  assert.equal(refused!.status, 'FAILED')
  assert.equal(refused!.reason, 'NO_INSTALMENT_OVERDUE')
  await requestPayment(journey, 'MISSED_EMI_PAYMENT')
  await lenderSends(journey, 'on_update', { step: 'on_update_missed_emi' }, await nextRequest(journey, 'update'))
  assert.equal(await requestStates(journey), 'MISSED_EMI_PAYMENT FAILED, MISSED_EMI_PAYMENT LINK_READY')
  assert.equal((await storedInstallments(journey))[1]!.status, 'DELAYED')
})

test('FIS12 §18.5: an unsolicited page for a missed instalment is stored once and can be paid', async () => {
  const journey = await disbursedLoan()
  for (let copy = 0; copy < 2; copy++) await lenderSends(journey, 'on_update', { step: 'on_update_missed_emi' })
  const [unsolicited, ...others] = await listServicing(db, journey)
  assert.equal(unsolicited!.kind, 'MISSED_EMI_PAYMENT')
  assert.equal(unsolicited!.status, 'LINK_READY')
  assert.deepEqual(others, [])
  assert.ok(paymentUrlOf(ctx.seal, unsolicited!) && unsolicited!.amountPaise)
  assert.equal((await storedInstallments(journey))[1]!.status, 'DELAYED')
  await lenderSends(journey, 'on_update', { step: 'on_update_missed_emi_paid' })
  assert.equal(await requestStates(journey), 'MISSED_EMI_PAYMENT PAID')
})

test('D2 §4: rejects a payment before disbursal, a concurrent duplicate, and an instalment other than the oldest missed one', async () => {
  const { journey: undisbursed } = await conversationAt('CONFIRMED', { orderId: 'order-7' })
  await assert.rejects(requestPayment(undisbursed, 'FORECLOSURE'), { kind: 'wrong-state' })
  const journey = await disbursedLoan()
  await assert.rejects(requestPayment(journey, 'PRE_PART_PAYMENT', { amount: 0n }), { kind: 'invalid' })
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => requestPayment(journey, 'FORECLOSURE')))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof Refusal && outcome.reason.kind === 'pending')
  const withoutPage = (order: Json) => {
    order.payments = order.payments.filter(({ time }: Json) => time?.label !== 'MISSED_EMI_PAYMENT')
  }
  await lenderSends(
    journey,
    'on_update',
    { step: 'on_update_missed_emi', change: withoutPage },
    await nextRequest(journey, 'update'),
  )
  await assert.rejects(requestPayment(journey, 'MISSED_EMI_PAYMENT', { installmentId: '3' }), { kind: 'wrong-state' })
  await assert.rejects(requestPayment(journey, 'MISSED_EMI_PAYMENT', { installmentId: '99' }), { kind: 'invalid' })
  await requestPayment(journey, 'MISSED_EMI_PAYMENT', { installmentId: '2' })
  await waitFor(async () => (await requestStates(journey)).includes('MISSED_EMI_PAYMENT REQUESTED'))
})
