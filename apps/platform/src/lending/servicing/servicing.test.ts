// Tests the rules after disbursal: the statuses of operations, the matching of payments, and accepted schedule changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal, leadsTo } from '@lendloom/foundation/machine'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import { servicingStatuses } from '@lendloom/wire/headless/journey'
import { installmentsOf, type ServicingPayment } from '@lendloom/wire/network/v203/order'
import type { Installment } from '#platform/lending/journey/journey.ts'
import { matchPayments } from './receive.ts'
import {
  acceptedSchedule,
  deferUnpaid,
  isForeclosed,
  isPlausible,
  isRepaid,
  scheduleBeforePayment,
} from './schedule.ts'
import { componentsOf, isOpen, overdueInstalments, type ServicingRow, servicingMachine } from './store.ts'

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

test('D2 §4: PAID is final, and only the move `paid` leads to it', () => {
  for (const status of servicingStatuses) {
    assert.equal(isTerminal(servicingMachine, status), status === 'PAID' || status === 'DONE')
    if (status !== 'DONE' && status !== 'PAID') assert.ok(leadsTo(servicingMachine, status, 'PAID'), status)
    for (const [move, to] of Object.entries(servicingMachine[status])) assert.equal(to === 'PAID', move === 'paid')
    assert.equal(isOpen({ status }), status === 'REQUESTED' || status === 'LINK_READY')
  }
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

const scheduleOf = (step: string): Installment[] =>
  installmentsOf(stepNamed(step).message.order.payments, 'payments').map((each, i) => ({
    serialNumber: i + 1,
    amount: each.amount.toString(),
    status: each.status,
    startsAt: each.startsAt.toISOString(),
    dueAt: each.endsAt.toISOString(),
  }))

test('FIS12 §12.4.5: while a payment is requested, an instalment may only become DELAYED or PAID', () => {
  const schedule = scheduleOf('on_update_disbursed')
  assert.deepEqual(
    scheduleBeforePayment(schedule, scheduleOf('on_update_missed_emi')),
    scheduleOf('on_update_missed_emi'),
  )
  assert.deepEqual(
    scheduleBeforePayment(schedule, scheduleOf('on_update_foreclosure_paid')).slice(1),
    schedule.slice(1),
  )
  const cheaper = schedule.map((each) => ({ ...each, amount: '1' }))
  assert.deepEqual(scheduleBeforePayment(schedule, cheaper), schedule)
})

test('D1 §2.4: an instalment is not overdue while the lender says so after the due date, as on a day without debits', () => {
  const status = exampleStatus()
  const row = status.amortization_schedule!.installments[1]!
  const dueAt = startOf(row.due_date)
  const schedule: Installment[] = [
    {
      serialNumber: 2,
      amount: '479000',
      status: 'NOT-PAID',
      startsAt: dueAt.toISOString(),
      dueAt: dueAt.toISOString(),
    },
  ]
  const afterwards = startOf(plusDays(row.due_date, 1))
  const isOverdueWith = (said: Partial<typeof row>): boolean => {
    Object.assign(row, said)
    return overdueInstalments(schedule, status, afterwards).length === 1
  }
  assert.equal(isOverdueWith({ status: 'DUE', updated_at: dueAt.toISOString() }), true, 'said before the day ended')
  assert.equal(isOverdueWith({ status: 'DUE', updated_at: afterwards.toISOString() }), false)
  assert.equal(isOverdueWith({ status: 'OVERDUE', updated_at: afterwards.toISOString() }), true)
})

test('D1 §2.4: an instalment is overdue if the lender reports it as DELAYED or its due date has passed', () => {
  const missed = scheduleOf('on_update_missed_emi')
  assert.deepEqual(
    overdueInstalments(missed, null, at).map(({ serialNumber }) => serialNumber),
    [2],
  )
  const schedule = scheduleOf('on_update_disbursed')
  const dueAt = new Date(schedule[0]!.dueAt)
  assert.deepEqual(overdueInstalments(schedule, null, dueAt), [], 'not overdue on the due date')
  const dueAtMidnight = [{ ...schedule[0]!, dueAt: startOf(businessDate(dueAt)).toISOString() }]
  assert.deepEqual(
    overdueInstalments(dueAtMidnight, null, dueAt),
    [],
    'the time of day in the due date does not matter',
  )
  assert.equal(overdueInstalments(schedule, null, new Date('2027-02-02T00:00:00Z')).length, 2)
  assert.equal(isRepaid(schedule), false)
  assert.equal(isRepaid([]), false)
  assert.equal(isRepaid(scheduleOf('on_update_foreclosure_paid')), true)
})

test('FIS12 §18.1: an implausible schedule changes only the status of instalments, by position', () => {
  const schedule = scheduleOf('on_update_disbursed')
  const repeated = schedule.map((each, i) => ({
    ...each,
    status: i === 0 ? ('DEFERRED' as const) : each.status,
    amount: '1',
    startsAt: '2023-06-01T00:00:00.000Z',
  }))
  assert.equal(isPlausible(schedule, repeated, true), false)
  const accepted = acceptedSchedule(schedule, repeated, true)
  assert.deepEqual(accepted, [{ ...schedule[0], status: 'DEFERRED' }, ...schedule.slice(1)])
  const shorter = schedule.slice(0, 6).map((each) => ({ ...each, amount: '7' }))
  assert.deepEqual(acceptedSchedule(schedule, shorter, true), shorter, 'a payment may shorten the schedule')
  assert.deepEqual(
    acceptedSchedule(schedule, shorter, false),
    schedule,
    'without a payment, the number of instalments stays',
  )
  const earlierYears = schedule.map((each) => ({
    ...each,
    startsAt: each.startsAt.replace(/^\d{4}/, (y) => String(+y - 3)),
  }))
  assert.equal(isPlausible(schedule, earlierYears, true), false)
  assert.ok(isRepaid(deferUnpaid(schedule)) && isForeclosed(schedule, deferUnpaid(schedule)))
  assert.ok(
    !isForeclosed(
      schedule,
      schedule.map((each) => ({ ...each, status: 'PAID' as const })),
    ),
  )
})

test('FIS12 §18.2: the quote explains an amount only if its figures add up to the amount', () => {
  const charges = { FORECLOSURE: 3_687_52n, PRE_PART_PAYMENT: 100_00n, MISSED_EMI_PAYMENT: 500_00n }
  const outstanding = { principal: 184_375_91n, interest: 2_151_05n, charges }
  const installments = [{ serialNumber: 1, amount: '936800', status: 'DELAYED' as const, startsAt: '', dueAt: '' }]
  const componentsFor = (kind: ServicingRow['kind'], amount: bigint, requestedPaise: bigint | null = null) => {
    const { interestPaise, chargesPaise } = componentsOf({ kind, requestedPaise }, amount, {
      outstanding,
      installments,
    })
    return { interestPaise, chargesPaise }
  }
  const unknown = { interestPaise: null, chargesPaise: null }
  assert.deepEqual(componentsFor('FORECLOSURE', 190_214_48n), { interestPaise: 2_151_05n, chargesPaise: 3_687_52n })
  assert.deepEqual(componentsFor('FORECLOSURE', 190_214_49n), unknown)
  assert.deepEqual(componentsFor('PRE_PART_PAYMENT', 20_100_00n, 20_000_00n), {
    interestPaise: 0n,
    chargesPaise: 100_00n,
  })
  assert.deepEqual(componentsFor('PRE_PART_PAYMENT', 92_720_00n, 20_000_00n), unknown)
  assert.deepEqual(componentsFor('PRE_PART_PAYMENT', 20_100_00n), unknown)
  assert.deepEqual(componentsFor('MISSED_EMI_PAYMENT', 9_868_00n), { interestPaise: 0n, chargesPaise: 500_00n })
  assert.deepEqual(componentsFor('MISSED_EMI_PAYMENT', 9_869_00n), unknown)
  assert.deepEqual(componentsFor('STATUS_REFRESH', 0n), unknown)
  const foreclosure = operation({ kind: 'FORECLOSURE' })
  assert.equal(componentsOf(foreclosure, 190_214_48n, { outstanding: null, installments }).chargesPaise, null)
  const credited = { ...outstanding, interest: -2_151_05n }
  const withCredit = componentsOf(foreclosure, 185_912_38n, { outstanding: credited, installments })
  assert.equal(withCredit.interestPaise, null, 'the page shows no negative component, so the others would not add up')
})
