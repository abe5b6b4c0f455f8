// The rules of servicing, without a database: what an operation may become, whose payment is whose, what may change before it is paid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { servicingStatuses } from '#contract/headless/servicing.ts'
import { stepNamed } from '#contract/network/fixtures/personal-loan.ts'
import { installmentsOf } from '#contract/network/v203/installment.ts'
import type { ServicingPayment } from '#contract/network/v203/servicing.ts'
import { isTerminal, leadsTo } from '#kit/machine.ts'
import type { Installment } from '#platform/journey/terms.ts'
import { beforePayment, isOpen, isRepaid, operationOf, overdue, type Servicing, servicingMachine } from './servicing.ts'

const at = new Date('2026-11-20T06:00:00Z')
const operation = (change: Partial<Servicing> = {}): Servicing => ({
  tenantId: 't',
  journeyId: 'j',
  operationId: 'o-1',
  kind: 'FORECLOSURE',
  status: 'REQUESTED',
  requestedPaise: null,
  amountPaise: null,
  paymentId: null,
  url: null,
  transactionId: null,
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

test('D2 §4: what is paid stays paid, and nothing but PAID leads there', () => {
  for (const status of servicingStatuses) {
    assert.equal(isTerminal(servicingMachine, status), status === 'PAID' || status === 'DONE')
    if (status !== 'DONE' && status !== 'PAID') assert.ok(leadsTo(servicingMachine, status, 'PAID'), status)
    for (const [move, to] of Object.entries(servicingMachine[status])) assert.equal(to === 'PAID', move === 'paid')
    assert.equal(isOpen({ status }), status === 'REQUESTED' || status === 'LINK_READY')
  }
})

test('FIS12 §11.1: a payment belongs to the operation that asked for it, and a settled one to none', () => {
  const asked = operation()
  assert.equal(operationOf(payment(), [asked]), asked)
  assert.equal(operationOf(payment({ label: 'PRE_PART_PAYMENT' }), [asked]), undefined)
  assert.equal(operationOf(payment(), [operation({ asks: 0 })]), undefined, 'it was not asked for yet')
  const linked = operation({ status: 'LINK_READY', paymentId: 'p-1' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [linked]), linked)
  const settled = operation({ status: 'PAID', paymentId: 'p-1' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [settled, asked]), undefined, 'it is only told again')
  assert.equal(operationOf(payment({ id: 'p-2', status: 'PAID' }), [settled, asked]), asked)
  const failed = operation({ status: 'FAILED', paymentId: 'p-1' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [failed]), failed, 'money that arrives after all is money')
  assert.equal(operationOf(payment(), [failed]), undefined)
  const unanswered = operation({ status: 'FAILED' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [unanswered]), unanswered)
})

const planOf = (step: string): Installment[] =>
  installmentsOf(stepNamed(step).message.order.payments, 'payments').map((each, i) => ({
    serialNumber: i + 1,
    amount: each.amount.toString(),
    status: each.status,
    startsAt: each.startsAt.toISOString(),
    dueAt: each.endsAt.toISOString(),
  }))

test('FIS12 §12.4.5: before it is paid an instalment may become overdue or be paid in its turn, and nothing else', () => {
  const plan = planOf('on_update_disbursed')
  assert.deepEqual(beforePayment(plan, planOf('on_update_missed_emi')), planOf('on_update_missed_emi'))
  assert.deepEqual(beforePayment(plan, planOf('on_update_foreclosure_paid')).slice(1), plan.slice(1))
  const cheaper = plan.map((each) => ({ ...each, amount: '1' }))
  assert.deepEqual(beforePayment(plan, cheaper), plan)
})

test('D1 §2.4: an instalment is overdue when its lender says so or its day has passed, and a loan is repaid when none is left', () => {
  const missed = planOf('on_update_missed_emi')
  assert.deepEqual(
    overdue(missed, at).map(({ serialNumber }) => serialNumber),
    [2],
  )
  const plan = planOf('on_update_disbursed')
  assert.deepEqual(overdue(plan, new Date(plan[0]!.dueAt)), [], 'it may still be paid today')
  assert.equal(overdue(plan, new Date('2027-02-01T00:00:00Z')).length, 2)
  assert.deepEqual([isRepaid(plan), isRepaid([]), isRepaid(planOf('on_update_foreclosure_paid'))], [false, false, true])
})
