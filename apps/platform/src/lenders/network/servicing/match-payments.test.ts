// The payments in a lender's message settle the operations that requested them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServicingPayment } from '@lendloom/wire/network/v203/payments'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'
import { matchPayments } from './match-payments.ts'

const at = new Date('2026-11-20T06:00:00Z')
const operation = (change: Partial<ServicingRow> = {}): ServicingRow => ({
  tenantId: 't',
  journeyId: 'j',
  operationId: 'o-1',
  kind: 'FORECLOSURE',
  status: 'REQUESTED',
  serialNumber: null,
  requestedPaise: null,
  amountPaise: null,
  interestPaise: null,
  chargesPaise: null,
  paidPaise: null,
  savedPaise: null,
  paymentId: null,
  url: null,
  urlSealed: null,
  transactionId: null,
  claimedOn: null,
  reason: null,
  asks: 1,
  requestedAt: at,
  updatedAt: at,
  ...change,
})
const payment = (change: Partial<ServicingPayment> = {}): ServicingPayment => ({
  id: 'p-1',
  label: 'FORECLOSURE',
  status: 'NOT-PAID',
  amount: 1n,
  url: 'https://lender.example/pay',
  transactionId: null,
  month: null,
  ...change,
})

/** Returns the operation that matches the only payment of a message. */
const operationOf = (onlyPayment: ServicingPayment, operations: ServicingRow[], isUnsolicited = true) =>
  matchPayments([onlyPayment], operations, isUnsolicited)[0]?.operation

test('FIS12 §11.1: a payment matches the operation that requested it, and a settled payment matches none', () => {
  const requested = operation()
  assert.equal(operationOf(payment(), [requested]), requested)
  assert.equal(operationOf(payment({ label: 'PRE_PART_PAYMENT' }), [requested]), undefined)
  assert.equal(operationOf(payment(), [operation({ asks: 0 })]), undefined, 'the operation was not sent yet')
  const linked = operation({ status: 'LINK_READY', paymentId: 'p-1' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [linked]), linked)
  const settled = operation({ status: 'PAID', paymentId: 'p-1', paidPaise: 1n })
  assert.equal(operationOf(payment({ status: 'PAID' }), [settled, requested]), undefined, 'a repeated report')
  assert.equal(operationOf(payment({ id: 'p-2', status: 'PAID' }), [settled, requested]), requested)
  const failed = operation({ status: 'FAILED', paymentId: 'p-1' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [failed]), failed, 'a late payment settles a failed operation')
  assert.equal(operationOf(payment(), [failed]), undefined)
  const failedWithoutPage = operation({ status: 'FAILED' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [failedWithoutPage]), failedWithoutPage)
})

test('FIS12 §18.1: a PAID payment with another id and amount matches the open operation with its label', () => {
  const kind = 'PRE_PART_PAYMENT'
  const first = operation({ kind, status: 'PAID', paymentId: 'SHARED', amountPaise: 200_000n, paidPaise: 9_272_000n })
  const open = operation({
    operationId: 'o-2',
    kind,
    status: 'LINK_READY',
    paymentId: 'pre_part_2',
    amountPaise: 300_000n,
  })
  const paid = payment({ id: 'SHARED', label: kind, status: 'PAID', amount: 9_272_000n, url: null })
  assert.equal(
    operationOf({ ...paid, amount: 1n }, [first, open], false),
    open,
    'a different amount is a different payment',
  )
  assert.equal(
    operationOf(paid, [first, open]),
    open,
    'an unsolicited message reports a new payment, although the payment looks like the first',
  )
  assert.equal(operationOf(paid, [first, open], false), undefined, 'a status answer repeats the first payment')
  const paidBefore = operation({ kind, status: 'PAID', paymentId: 'a', paidPaise: 5n, transactionId: 'UTR1' })
  assert.equal(
    operationOf(payment({ id: 'b', label: kind, status: 'PAID', transactionId: 'UTR1' }), [paidBefore, open]),
    open,
  )
  assert.equal(
    matchPayments(
      [
        payment({ id: 'a', label: kind, status: 'PAID', amount: 5n, transactionId: 'UTR1' }),
        payment({ id: 'm', label: 'MISSED_EMI_PAYMENT', status: 'PAID' }),
      ],
      [paidBefore, open, operation({ kind: 'MISSED_EMI_PAYMENT', status: 'LINK_READY', paymentId: 'm' })],
      true,
    ).length,
    1,
    'the payment with another label explains the message',
  )
  const unpaid = payment({ id: 'fresh', label: kind, status: 'NOT-PAID' })
  const requested = operation({ operationId: 'o-3', kind })
  assert.deepEqual(
    matchPayments([{ ...paid, id: 'other' }, unpaid], [first, requested], true).map(({ payment: { id } }) => id),
    ['fresh'],
    'the unpaid payment matches the open operation',
  )
})

/** A part payment whose amount the borrower has changed. */
const changedAmount = (paymentId: string) =>
  operation({
    kind: 'PRE_PART_PAYMENT',
    status: 'EXPIRED',
    reason: 'PAYMENT_AMOUNT_CHANGED',
    paymentId,
    amountPaise: 20n,
  })

test('D2 §4: the page whose amount the borrower has changed is not taken for the page of the new request', () => {
  const kind = 'PRE_PART_PAYMENT'
  const changed = changedAmount('old')
  const asked = operation({ operationId: 'o-2', kind })
  const linked = operation({ operationId: 'o-2', kind, status: 'LINK_READY', paymentId: 'new', amountPaise: 30n })
  const old = payment({ id: 'old', label: kind, amount: 20n })
  const fresh = payment({ id: 'new', label: kind, amount: 30n })
  for (const status of ['NOT-PAID', 'DEFERRED', 'FAILED'] as const) {
    assert.deepEqual(
      matchPayments([{ ...old, status }, fresh], [changed, asked], false),
      [{ payment: fresh, operation: asked }],
      status,
    )
    assert.equal(operationOf({ ...old, status }, [changed, asked]), undefined, status)
    assert.equal(operationOf({ ...old, status }, [changed, linked]), undefined, status)
  }
  assert.equal(operationOf({ ...old, status: 'PAID' }, [changed, linked]), changed, 'paid all the same')
  assert.equal(operationOf({ ...fresh, id: 'old' }, [changed, asked]), asked, 'a lender with one id for all')
})

test('FIS12 §18.1: of a lender with one id for all payments, one payment settles one of two operations', () => {
  const kind = 'PRE_PART_PAYMENT'
  const changed = changedAmount('SHARED')
  const linked = { operationId: 'o-2', kind, paymentId: 'SHARED', amountPaise: 30n } as const
  const report = payment({ id: 'SHARED', label: kind, status: 'PAID', amount: 30n, url: null })
  assert.equal(operationOf(report, [changed, operation({ ...linked, status: 'LINK_READY' })])?.operationId, 'o-2')
  const paid = operation({ ...linked, status: 'PAID', paidPaise: 30n })
  for (const isUnsolicited of [true, false])
    assert.equal(operationOf(report, [changed, paid], isUnsolicited), undefined, 'a repetition')
  assert.equal(operationOf({ ...report, amount: 20n }, [changed, paid]), changed, 'the old page is paid too')
})
