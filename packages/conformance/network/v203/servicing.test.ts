// Messages after disbursal: the request, its payment, and the quote.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Terms } from '@lendloom/lending/terms'
import { type Json, stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import type { Repayment } from '@lendloom/wire/network/v203/offer-terms'
import { chargeTitles } from '@lendloom/wire/network/v203/offer-terms'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { readUpdate, type UpdateRequest, update } from '@lendloom/wire/network/v203/update-and-status'
import { type OrderDraft, writeLenderOrder } from '@lendloom/wire/network/v203/write-order'
import { outgoingFaults } from './rules.ts'

const orderId = 'order-7'

test('FIS12 §11.1: the platform’s requests after disbursal equal the fixtures and are read back', () => {
  const requests: Record<string, UpdateRequest> = {
    update_fulfillment: { target: 'fulfillment', state: 'APPROVED' },
    update_missed_emi: { target: 'payments', label: 'MISSED_EMI_PAYMENT' },
    update_pre_part: { target: 'payments', label: 'PRE_PART_PAYMENT', amount: 2_000_000n },
    update_foreclosure: { target: 'payments', label: 'FORECLOSURE' },
  }
  for (const [step, request] of Object.entries(requests)) {
    const message = update({ orderId, ...request })
    assert.deepEqual(message, stepNamed(step).message, step)
    assert.deepEqual(outgoingFaults('update', message), [])
    assert.deepEqual(readUpdate(message), { orderId, ...request })
  }
})

test('FIS12 §11.1: an update with an unknown request is rejected at its path', () => {
  const invalidUpdates: [field: string, change: (message: Json) => unknown][] = [
    ['message.update_target', (message) => Object.assign(message, { update_target: 'items' })],
    ['message.order.payments.0.time.label', ({ order }) => Object.assign(order.payments[0].time, { label: 'GIFT' })],
    ['message.order.payments.0.params.amount', ({ order }) => Object.assign(order.payments[0].params, { amount: '0' })],
    ['message.order.payments.0.params.amount', ({ order }) => Reflect.deleteProperty(order.payments[0], 'params')],
  ]
  for (const [field, change] of invalidUpdates) {
    const { message } = stepNamed('update_pre_part')
    change(message)
    assert.throws(
      () => readUpdate(message),
      (error) => error instanceof Refusal && error.details.field === field,
    )
  }
})

test('FIS12 §11.1: an open payment is read with its page, and a paid one with its bank reference', () => {
  const month = { startsAt: new Date('2027-01-01T00:00:00.000Z'), endsAt: new Date('2027-01-31T23:59:59.999Z') }
  const missed = { id: 'PAY-MISSED_EMI_PAYMENT', label: 'MISSED_EMI_PAYMENT', amount: 1_831_657n, month } as const
  const open = { ...missed, status: 'NOT-PAID', url: 'https://sahyadri.example/pay/7', transactionId: null }
  const paid = { ...missed, status: 'PAID', url: null, transactionId: 'UTR2027010600042' }
  assert.deepEqual(readOrder(stepNamed('on_update_missed_emi').message).servicing, [open])
  assert.deepEqual(readOrder(stepNamed('on_update_missed_emi_paid').message).servicing, [paid])
  assert.deepEqual(readOrder(stepNamed('on_update_disbursed').message).servicing, [])
})

test('FIS12 §7.5: a payment without a readable amount is rejected', () => {
  for (const value of [undefined, 'a lot', '-1.00']) {
    const { message } = stepNamed('on_update_foreclosure')
    message.order.payments[0].params.amount = value
    assert.throws(() => readOrder(message), Refusal)
  }
})

test('FIS12 §7.4, §11.1: the three quotes after disbursal equal the fixtures', () => {
  const { terms, lender } = readOrder(stepNamed('on_update_disbursed').message) as {
    terms: Terms
    lender: OrderDraft['lender']
  }
  const repaidSoFar = { repaidPrincipal: 1_562_409n, repaidInterest: 233_333n, outstandingPrincipal: 18_437_591n }
  const repaymentWith = (kind: keyof typeof chargeTitles, amount: bigint, outstandingInterest: bigint): Repayment => ({
    ...repaidSoFar,
    outstandingInterest,
    charges: [{ title: chargeTitles[kind], amount }],
  })
  const quotes = {
    on_update_foreclosure: repaymentWith('FORECLOSURE', 368_752n, 215_105n),
    on_update_missed_emi: repaymentWith('MISSED_EMI_PAYMENT', 35_915n, 1_315_576n),
    on_update_pre_part: repaymentWith('PRE_PART_PAYMENT', 40_000n, 1_315_576n),
  }
  for (const [step, repayment] of Object.entries(quotes)) {
    const { order } = stepNamed(step).message
    const { id } = order.items[0]
    const name = 'Personal loan'
    const { servicing, outstanding } = readOrder({ order })
    const { outstandingPrincipal: principal, outstandingInterest: interest, charges } = repayment
    assert.equal(outstanding?.principal, principal, step)
    assert.equal(outstanding?.interest, interest, step)
    assert.equal(outstanding?.charges[servicing[0]!.label], charges[0]!.amount, step)
    const written = writeLenderOrder({
      lender,
      item: { id, name, product: 'PERSONAL_LOAN' },
      terms,
      servicing,
      repayment,
    })
    assert.deepEqual(written.quote, order.quote, step)
    assert.deepEqual(written.payments, [order.payments[0]], step)
  }
})

test('FIS12 §18.2: the reference of the payout is read from a paid payout, and outstanding amounts only if readable', () => {
  const { message } = stepNamed('on_update_disbursed')
  const payout = message.order.payments.find(({ type }: { type: string }) => type === 'ON_ORDER')
  const referenceWith = (status: string, transactionId?: string) => {
    Object.assign(payout, { status, params: { ...payout.params, transaction_id: transactionId } })
    return readOrder(message).payoutReference
  }
  assert.equal(referenceWith('PAID', 'HDFCN52026112000018'), 'HDFCN52026112000018')
  assert.equal(referenceWith('NOT-PAID', 'HDFCN52026112000018'), null)
  for (const text of [undefined, '', 'pay at https://x.example', 'N'.repeat(400)])
    assert.equal(referenceWith('PAID', text), null)
  assert.equal(readOrder(message).outstanding, null)
})
