// What ends a disbursed loan that the borrower leaves by `cancel`, and which lenders agreed to it (FIS12 §25).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { type Cancellation, type Conversation, hasAgreedTo, lendersByExtra } from './conversation.ts'
import { type LenderCallback, moveOfCallback } from './inbound/move-of-callback.ts'

const at = '2026-11-26T06:00:00.000Z'
const price = { amount: '10000000', interest: null, charges: null, account: null }
const conversationWith = (extras: Conversation['extras'], stage: Conversation['stage'] = 'DISBURSED') =>
  ({
    journeyType: 'PERSONAL_LOAN',
    stage,
    formId: 'f',
    submissionId: null,
    answeredSubmissions: [],
    paymentId: null,
    orderId: null,
    extras,
  }) as unknown as Conversation
const leaving = (status: Cancellation['status']) =>
  conversationWith({ cancellation: { status, at, price, confirmedAt: at } })

const cancelledWith = (payments: Json[]) => {
  const message: Json = structuredClone(stepNamed('on_update_disbursed').message)
  message.order.status = 'CANCELLED'
  message.order.payments = payments
  return readOrder(message)
}
const unpaid = {
  id: 'p-9',
  type: 'POST_FULFILLMENT',
  status: 'NOT-PAID',
  url: 'https://l.example/pay',
  params: { amount: '100000.00', currency: 'INR' },
}
const paid = { ...unpaid, status: 'PAID' }

function moveOf(conversation: Conversation, payments: Json[], type: LenderCallback['type'] = 'on_cancel') {
  const effect = moveOfCallback(conversation, { type, order: cancelledWith(payments), solicited: false })
  return 'move' in effect ? effect.move : effect.outOfSequence
}

test('FIS12 §25: CANCELLED ends the loan only with a paid return, however the payment is written', () => {
  const { type: _, ...untyped } = unpaid
  const time = { range: { start: '2026-11-26T00:00:00Z', end: '2026-11-27T00:00:00Z' } }
  const dollars = { ...paid, params: { amount: '1.00', currency: 'USD' } }
  const instalment = { ...paid, time: { label: 'MISSED_EMI_PAYMENT' } }
  for (const payments of [
    [],
    [unpaid],
    [untyped],
    [{ ...unpaid, time }],
    [{ ...unpaid, type: 'ON_FULFILLMENT' }],
    [{ ...unpaid, params: { currency: 'INR' } }],
    [dollars],
    [instalment],
  ])
    assert.equal(moveOf(leaving('CONFIRMED'), payments), 'refreshed', JSON.stringify(payments))
  for (const status of ['CONFIRMED', 'REFUSED', 'ASKED'] as const)
    for (const type of ['on_cancel', 'on_update', 'on_status'] as const)
      assert.equal(moveOf(leaving(status), [paid], type), 'completed', 'also after a refusal, which may be a timeout')
})

test('FIS12 §11.3: CANCELLED of a disbursed loan that the borrower did not leave changes nothing', () => {
  for (const type of ['on_cancel', 'on_status', 'on_update'] as const)
    for (const payments of [[], [unpaid], [paid]]) {
      assert.match(moveOf(conversationWith({}), payments, type), /\(cancelled\) at DISBURSED/)
      for (const status of ['ASKED', 'QUOTED', 'REFUSED'] as const)
        assert.match(moveOf(conversationWith({ cancellation: { status, at, price } }), payments, type), /nothing new/)
    }
})

test('FIS12 §11.3: a lender without `cancel` cancels a sanctioned loan with any payments', () => {
  const { status: _, ...plain } = unpaid
  assert.equal(moveOf(conversationWith({}, 'CONFIRMED'), [plain]), 'cancelled')
})

test('FIS12 §25: negative and unreadable amounts are refused', () => {
  for (const amount of ['-1.00', 'abc', '1e9', '1.005'])
    assert.throws(() => cancelledWith([{ ...unpaid, params: { amount } }]), amount)
})

test('FIS12 §25: the setting names each lender once, in any case', () => {
  assert.ok(hasAgreedTo({ NETWORK_EXTRA_ACTIONS: 'Lender.Example:cancel+rating' }, 'lender.example', 'cancel'))
  assert.equal(lendersByExtra('')?.size, 0)
  for (const wrong of [
    'a.example:cancel,A.example:support',
    '__proto__:cancel',
    'constructor:cancel',
    'a.example:constructor',
    'a.example:__proto__',
    'a.example:cancel ',
    ' a.example:cancel',
    ',',
    'a.example:+',
    'a.example:cancel+',
    'a..example:cancel',
    'a.example',
    'a.example:',
    'a.example:cancel:support',
  ])
    assert.equal(lendersByExtra(wrong), null, wrong)
})
