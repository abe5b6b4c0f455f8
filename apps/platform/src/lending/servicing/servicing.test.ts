// Tests the rules after disbursal: the statuses of operations, overdue instalments, and accepted schedule changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal, leadsTo } from '@lendloom/foundation/machine'
import { businessDate, startOf } from '@lendloom/lending/calendar'
import { stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { servicingStatuses } from '@lendloom/wire/headless/journey'
import { readInstallments } from '@lendloom/wire/network/v203/payments'
import type { Installment } from '#platform/lending/journey/installment.ts'
import { isOpen, servicingMachine } from './operation.ts'
import {
  acceptedSchedule,
  deferUnpaid,
  interestSaved,
  isForeclosed,
  isPlausible,
  isRepaid,
  overdueInstalments,
  scheduleBeforePayment,
  unpaidSum,
} from './repayment-schedule.ts'

test('D2 §4: PAID is final, and only the move `paid` leads to it', () => {
  for (const status of servicingStatuses) {
    assert.equal(isTerminal(servicingMachine, status), status === 'PAID' || status === 'DONE')
    if (status !== 'DONE' && status !== 'PAID') assert.ok(leadsTo(servicingMachine, status, 'PAID'), status)
    for (const [move, to] of Object.entries(servicingMachine[status])) assert.equal(to === 'PAID', move === 'paid')
    assert.equal(isOpen({ status }), status === 'REQUESTED' || status === 'LINK_READY')
  }
})

const scheduleOf = (step: string): Installment[] =>
  readInstallments(stepNamed(step).message.order.payments, 'payments').map((each, i) => ({
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

test('D1 §2.4: an instalment is overdue if the lender reports it as DELAYED or its due date has passed', () => {
  const missed = scheduleOf('on_update_missed_emi')
  assert.deepEqual(
    overdueInstalments(missed, new Date('2026-11-20T06:00:00Z')).map(({ serialNumber }) => serialNumber),
    [2],
  )
  const schedule = scheduleOf('on_update_disbursed')
  const dueAt = new Date(schedule[0]!.dueAt)
  assert.deepEqual(overdueInstalments(schedule, dueAt), [], 'not overdue on the due date')
  const dueAtMidnight = [{ ...schedule[0]!, dueAt: startOf(businessDate(dueAt)).toISOString() }]
  assert.deepEqual(overdueInstalments(dueAtMidnight, dueAt), [], 'the time of day in the due date does not matter')
  assert.equal(overdueInstalments(schedule, new Date('2027-02-02T00:00:00Z')).length, 2)
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

test('D2 §4: a part payment saves what the schedule becomes shorter by beyond the payment, and never less than nothing', () => {
  const before = scheduleOf('on_update_disbursed')
  const last = before.at(-1)!
  const after = before.map((each) => (each === last ? { ...each, status: 'DEFERRED' as const } : each))
  assert.equal(unpaidSum(before) - unpaidSum(after), BigInt(last.amount))
  assert.equal(interestSaved(before, after, 1000n), BigInt(last.amount) - 1000n)
  assert.equal(interestSaved(before, before, 1000n), null, 'the new schedule has not come yet')
  const withDebit = after.map((each, i) => (i === 0 ? { ...each, status: 'PAID' as const } : each))
  assert.equal(
    interestSaved(before, withDebit, 1000n),
    BigInt(last.amount) - 1000n,
    'an EMI that was paid saves nothing',
  )
})
