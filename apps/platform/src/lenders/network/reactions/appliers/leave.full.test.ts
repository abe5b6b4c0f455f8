// The borrower leaves a disbursed loan by `cancel`: what the lender's answers change, and what they must not (FIS12 §25).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { Json } from '@lendloom/tests/network-messages/personal-loan'
import { disbursedLoans } from '@lendloom/tests/setup/disbursed-loan'
import { exampleOf } from '@lendloom/tests/setup/network'
import { until } from '@lendloom/tests/setup/programs'
import { askToCancel } from '#platform/lenders/network/lender-requests.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { paymentUrlOf } from '#platform/lending/servicing/operation.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { eraseJourneyRows } from '#platform/records/privacy/erase/store.ts'
import { onUnanswered } from './rejected-or-unanswered.ts'

const { network, platform, ...loans } = await disbursedLoans({ NETWORK_EXTRA_ACTIONS: 'x.example:cancel' })
const { disbursedLoan, requestPayment, requestRefresh, lenderSends, requestStates, isClosed } = loans
const { currentConversation, nextRequest } = loans
const { ctx, url } = platform
const { db } = ctx

const askPrice = (journey: Journey) =>
  db.tx(async (tx) => {
    await lockJourney(tx, journey.tenantId, journey.journeyId)
    return askToCancel({ ...ctx, tx, at: ctx.clock() }, await currentConversation(journey), 'SOFT_CANCEL')
  })
const payment = (change: Json = {}) => ({
  id: 'exit-1',
  type: 'POST_FULFILLMENT',
  status: 'NOT-PAID',
  params: { amount: '100000.00', currency: 'INR' },
  time: { label: 'FORECLOSURE' },
  ...change,
})
const instalmentsOnly = (order: Json) => order.payments.filter((each: Json) => each.time?.label === 'INSTALLMENT')
/** The order of a disbursed loan, with the exit payment. */
const exit = (status: string, payments: Json[], edit: (order: Json) => unknown = () => {}) => ({
  step: 'on_update_disbursed',
  change: (order: Json) => {
    order.id = 'order-7'
    order.status = status
    order.payments = [...payments, ...instalmentsOnly(order)]
    edit(order)
  },
})
async function quoted(): Promise<Journey> {
  const journey = await disbursedLoan()
  await askPrice(journey)
  await lenderSends(journey, 'on_cancel', exit('SOFT_CANCEL', [payment()]), await nextRequest(journey, 'cancel'))
  assert.equal((await currentConversation(journey)).extras.cancellation?.status, 'QUOTED')
  return journey
}
async function confirmed(payments = [payment({ url: 'https://l.example/pay' })]): Promise<Journey> {
  const journey = await quoted()
  await requestPayment(journey, 'FORECLOSURE')
  const request = await nextRequest(journey, 'cancel')
  assert.equal(request.body.message.descriptor.code, 'CONFIRM_CANCEL')
  await lenderSends(journey, 'on_cancel', exit('CANCELLED', payments), request)
  return journey
}
const deferAll = (order: Json) => {
  for (const each of instalmentsOnly(order)) each.status = 'DEFERRED'
}
const report = async (journey: Journey) =>
  JSON.stringify({
    states: await requestStates(journey),
    closed: await isClosed(journey),
    stage: (await currentConversation(journey)).stage,
    extras: (await currentConversation(journey)).extras,
    ops: (await listServicing(db, journey)).map(({ paidPaise, amountPaise, reason }) => [
      String(paidPaise),
      String(amountPaise),
      reason,
    ]),
  })

test('FIS12 §25: a confirmed cancellation waits for the payment', async () => {
  const journey = await confirmed()
  assert.equal(await requestStates(journey), 'FORECLOSURE LINK_READY', await report(journey))
  assert.ok(!(await isClosed(journey)))
})
test('FIS12 §25: a failed return of a cancelled order with deferred instalments does not close the loan', async () => {
  const journey = await confirmed()
  await lenderSends(journey, 'on_status', exit('CANCELLED', [payment({ status: 'FAILED' })], deferAll))
  assert.ok(!(await isClosed(journey)), await report(journey))
})
test('FIS12 §25: after the page expired, CANCELLED with an unpaid return does not close the loan', async () => {
  const journey = await confirmed()
  await lenderSends(journey, 'on_status', exit('CANCELLED', [payment({ status: 'DEFERRED' })]))
  await lenderSends(journey, 'on_status', exit('CANCELLED', [payment()], deferAll))
  assert.ok(!(await isClosed(journey)), await report(journey))
})
test('FIS12 §25: CANCELLED without a payment does not settle an open one', async () => {
  const journey = await confirmed()
  await lenderSends(journey, 'on_status', {
    step: 'on_update_disbursed',
    change: (order: Json) => {
      order.id = 'order-7'
      order.status = 'CANCELLED'
      delete order.payments
    },
  })
  assert.notEqual(await requestStates(journey), 'FORECLOSURE PAID', await report(journey))
  assert.ok(!(await isClosed(journey)), await report(journey))
})
test('FIS12 §25: CANCELLED without a payment as the first answer does not close the loan', async () => {
  const journey = await confirmed([])
  assert.ok(!(await isClosed(journey)), await report(journey))
})
test('FIS12 §25: a confirmed cancellation whose answer has no payment goes on as a foreclosure', async () => {
  const journey = await quoted()
  await requestPayment(journey, 'FORECLOSURE')
  const request = await nextRequest(journey, 'cancel')
  await lenderSends(journey, 'on_cancel', exit('SOFT_CANCEL', []), request)
  await nextRequest(journey, 'update')
})
test('FIS12 §25: a foreclosure requested before the answer does not confirm a price that the borrower has not seen', async () => {
  const journey = await disbursedLoan()
  await askPrice(journey)
  const request = await nextRequest(journey, 'cancel')
  await requestPayment(journey, 'FORECLOSURE')
  await lenderSends(
    journey,
    'on_cancel',
    exit('SOFT_CANCEL', [payment({ params: { amount: '999999.00', currency: 'INR' } })]),
    request,
  )
  assert.notEqual((await currentConversation(journey)).extras.cancellation?.status, 'CONFIRMED', await report(journey))
})
test('FIS12 §25: a price does not change an open payment', async () => {
  const journey = await disbursedLoan()
  await requestPayment(journey, 'FORECLOSURE')
  await lenderSends(journey, 'on_update', { step: 'on_update_foreclosure' }, await nextRequest(journey, 'update'))
  const [before] = await listServicing(db, journey)
  await askPrice(journey)
  const account = {
    params: { amount: '1.00', currency: 'INR', bank_account_number: '123456789012', bank_code: 'HDFC0000001' },
  }
  await lenderSends(journey, 'on_cancel', exit('SOFT_CANCEL', [payment(account)]), await nextRequest(journey, 'cancel'))
  const [after] = await listServicing(db, journey)
  assert.equal(paymentUrlOf(ctx.seal, after!), paymentUrlOf(ctx.seal, before!), await report(journey))
  assert.equal(after!.amountPaise, before!.amountPaise, await report(journey))
})
test('FIS12 §25: an erasure deletes what the lender answered', async () => {
  const journey = await confirmed([
    payment({
      params: { amount: '1.00', currency: 'INR', bank_account_number: '123456789012', bank_code: 'HDFC0000001' },
    }),
  ])
  await db.tx((tx) =>
    eraseJourneyRows(tx, journey, {
      profileSealed: Buffer.from('x'),
      networkTransactionId: uuidv7(Date.now(), bucketOf(journey.journeyId)),
      erasedAt: ctx.clock(),
    }),
  )
  const [row] = await db<{ extras: object }>`select extras from conversation where journey_id = ${journey.journeyId}`
  assert.deepEqual(row!.extras, {})
})
test('FIS12 §25: a lender that did not answer may still report the loan as cancelled and paid', async () => {
  const journey = await quoted()
  await requestPayment(journey, 'FORECLOSURE')
  await nextRequest(journey, 'cancel')
  await db.tx(async (tx) => {
    const locked = (await lockJourney(tx, journey.tenantId, journey.journeyId))!
    const { changeConversation } = await import('#platform/lenders/network/store.ts')
    const { noAwaitedAnswer } = await import('#platform/lenders/network/conversation.ts')
    const conversation = await changeConversation(tx, await currentConversation(journey), noAwaitedAnswer, ctx.clock())
    await onUnanswered({ ...ctx, tx, at: ctx.clock() }, locked, conversation, {
      type: 'unanswered',
      action: 'cancel',
      purpose: null,
    } as never)
  })
  const update = await nextRequest(journey, 'update')
  assert.equal(update.body.message.order.payments[0].time.label, 'FORECLOSURE')
  const body = { message: exampleOf('on_update_disbursed', network) }
  exit('CANCELLED', [payment({ status: 'PAID' })]).change((body as Json).message.order)
  await network.postSigned(url, network.callback('on_status', { transactionId: journey.networkTransactionId, ...body }))
  await until('the loan to be closed', () => isClosed(journey))
})
test('FIS12 §25: a paid instalment of a cancelled order does not close the loan', async () => {
  const journey = await confirmed()
  const emi = payment({
    id: 'emi-1',
    status: 'PAID',
    params: { amount: '900.00', currency: 'INR' },
    time: { label: 'MISSED_EMI_PAYMENT' },
  })
  await lenderSends(journey, 'on_update', exit('CANCELLED', [emi]))
  assert.ok(!(await isClosed(journey)), await report(journey))
})
test('FIS12 §25: before the return the borrower may refresh the status and pay a part', async () => {
  const journey = await confirmed()
  await requestRefresh(journey)
  await lenderSends(
    journey,
    'on_status',
    exit('CANCELLED', [payment({ url: 'https://l.example/pay' })]),
    await nextRequest(journey, 'status'),
  )
  await requestPayment(journey, 'PRE_PART_PAYMENT', { amount: 100_000n })
  await nextRequest(journey, 'update')
  assert.equal(await requestStates(journey), 'FORECLOSURE LINK_READY, STATUS_REFRESH DONE, PRE_PART_PAYMENT REQUESTED')
})
test('FIS12 §25: after an error the foreclosure is requested once, and not cancelled again', async () => {
  const journey = await quoted()
  await requestPayment(journey, 'FORECLOSURE')
  await lenderSends(journey, 'on_cancel', { error: { code: '40001' } }, await nextRequest(journey, 'cancel'))
  await lenderSends(journey, 'on_update', { error: { code: '80212' } }, await nextRequest(journey, 'update'))
  assert.equal(await requestStates(journey), 'FORECLOSURE FAILED')
  await requestPayment(journey, 'FORECLOSURE')
  await nextRequest(journey, 'update')
})
test('FIS12 §25: the newest account for the return is kept', async () => {
  const account = {
    params: { amount: '100000.00', currency: 'INR', bank_account_number: '123456789012', bank_code: 'HDFC0000001' },
  }
  const journey = await confirmed([payment(account)])
  assert.equal(await requestStates(journey), 'FORECLOSURE LINK_READY')
  await lenderSends(journey, 'on_status', exit('CANCELLED', [payment()]))
  assert.match((await currentConversation(journey)).extras.cancellation!.price!.account!, /123456789012/)
  await lenderSends(
    journey,
    'on_status',
    exit('CANCELLED', [payment({ params: { ...account.params, bank_account_number: '999999999999' } })]),
  )
  assert.match(
    (await currentConversation(journey)).extras.cancellation!.price!.account!,
    /999999999999/,
    'the page shows an account that the lender replaced',
  )
})
