// The rules of servicing, without a database: what an operation may become, whose payment is whose, what may change before it is paid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { servicingStatuses } from '#contract/headless/journey.ts'
import { installmentsOf, type ServicingPayment } from '#contract/network/v203/order.ts'
import { businessDate, startOf } from '#kit/money/calendar.ts'
import { isTerminal, leadsTo } from '#kit/runtime/machine.ts'
import type { Installment } from '#platform/journey/journey.ts'
import { stepNamed } from '#test/network-messages/personal-loan.ts'
import { correlate } from './receive.ts'
import { beforePayment, isForeclosed, isPlausible, isRepaid, paidOff, takenSchedule } from './schedule.ts'
import { isOpen, overdue, type ServicingRow, servicingMachine } from './store.ts'

const at = new Date('2026-11-20T06:00:00Z')
const operation = (change: Partial<ServicingRow> = {}): ServicingRow => ({
  tenantId: 't',
  journeyId: 'j',
  operationId: 'o-1',
  kind: 'FORECLOSURE',
  status: 'REQUESTED',
  requestedPaise: null,
  amountPaise: null,
  paidPaise: null,
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

/** The operation that one payment of a message belongs to. */
const operationOf = (one: ServicingPayment, operations: ServicingRow[], isUnsolicited = true) =>
  correlate([one], operations, isUnsolicited)[0]?.operation

test('FIS12 §11.1: a payment belongs to the operation that asked for it, and a settled one to none', () => {
  const requested = operation()
  assert.equal(operationOf(payment(), [requested]), requested)
  assert.equal(operationOf(payment({ label: 'PRE_PART_PAYMENT' }), [requested]), undefined)
  assert.equal(operationOf(payment(), [operation({ asks: 0 })]), undefined, 'it was not asked for yet')
  const linked = operation({ status: 'LINK_READY', paymentId: 'p-1' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [linked]), linked)
  const settled = operation({ status: 'PAID', paymentId: 'p-1', paidPaise: 1n })
  assert.equal(operationOf(payment({ status: 'PAID' }), [settled, requested]), undefined, 'it is only told again')
  assert.equal(operationOf(payment({ id: 'p-2', status: 'PAID' }), [settled, requested]), requested)
  const failed = operation({ status: 'FAILED', paymentId: 'p-1' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [failed]), failed, 'money that arrives after all is money')
  assert.equal(operationOf(payment(), [failed]), undefined)
  const unanswered = operation({ status: 'FAILED' })
  assert.equal(operationOf(payment({ status: 'PAID' }), [unanswered]), unanswered)
})

test('FIS12 §18.1: a paid payment under another id and with another amount is matched to the open action with the same label', () => {
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
  assert.equal(operationOf({ ...paid, amount: 1n }, [first, open], false), open, 'another amount is another payment')
  assert.equal(operationOf(paid, [first, open]), open, 'unasked: a payment was made, although it looks like the first')
  assert.equal(operationOf(paid, [first, open], false), undefined, 'asked how the loan stands, the first is told again')
  const kept = operation({ kind, status: 'PAID', paymentId: 'a', paidPaise: 5n, transactionId: 'UTR1' })
  assert.equal(
    operationOf(payment({ id: 'b', label: kind, status: 'PAID', transactionId: 'UTR1' }), [kept, open]),
    open,
  )
  assert.equal(
    correlate(
      [
        payment({ id: 'a', label: kind, status: 'PAID', amount: 5n, transactionId: 'UTR1' }),
        payment({ id: 'm', label: 'MISSED_EMI_PAYMENT', status: 'PAID' }),
      ],
      [kept, open, operation({ kind: 'MISSED_EMI_PAYMENT', status: 'LINK_READY', paymentId: 'm' })],
      true,
    ).length,
    1,
    'the payment of another label explains the message: the open page was dropped with it',
  )
  const again = payment({ id: 'fresh', label: kind, status: 'NOT-PAID' })
  const requested = operation({ operationId: 'o-3', kind })
  assert.deepEqual(
    correlate([{ ...paid, id: 'other' }, again], [first, requested], true).map(({ payment: { id } }) => id),
    ['fresh'],
    'what is still to be paid is the open one',
  )
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
  const dueAt = new Date(plan[0]!.dueAt)
  assert.deepEqual(overdue(plan, dueAt), [], 'it may still be paid today')
  const atBeginning = [{ ...plan[0]!, dueAt: startOf(businessDate(dueAt)).toISOString() }]
  assert.deepEqual(overdue(atBeginning, dueAt), [], 'whatever the hour at which its lender lets it fall due')
  assert.equal(overdue(plan, new Date('2027-02-02T00:00:00Z')).length, 2)
  assert.deepEqual([isRepaid(plan), isRepaid([]), isRepaid(planOf('on_update_foreclosure_paid'))], [false, false, true])
})

test('FIS12 §18.1: a schedule that cannot be that of the loan changes only how its instalments stand, by their place', () => {
  const plan = planOf('on_update_disbursed')
  const repeated = plan.map((each, i) => ({
    ...each,
    status: i === 0 ? ('DEFERRED' as const) : each.status,
    amount: '1',
    startsAt: '2023-06-01T00:00:00.000Z',
  }))
  assert.equal(isPlausible(plan, repeated, true), false)
  const taken = takenSchedule(plan, repeated, true)
  assert.deepEqual(taken, [{ ...plan[0], status: 'DEFERRED' }, ...plan.slice(1)])
  const shorter = plan.slice(0, 6).map((each) => ({ ...each, amount: '7' }))
  assert.deepEqual(takenSchedule(plan, shorter, true), shorter, 'a payment may shorten it')
  assert.deepEqual(takenSchedule(plan, shorter, false), plan, 'and nothing else does')
  const lastYear = plan.map((each) => ({ ...each, startsAt: each.startsAt.replace(/^\d{4}/, (y) => String(+y - 3)) }))
  assert.equal(isPlausible(plan, lastYear, true), false)
  assert.ok(isRepaid(paidOff(plan)) && isForeclosed(plan, paidOff(plan)))
  assert.ok(
    !isForeclosed(
      plan,
      plan.map((each) => ({ ...each, status: 'PAID' as const })),
    ),
  )
})
