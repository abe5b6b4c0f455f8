// The lender's snapshot decides whether an unpaid instalment is overdue.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import type { Installment } from '#platform/lending/journey/installment.ts'
import { lateInstalmentsIn } from './missed-instalments.ts'

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
    return lateInstalmentsIn(schedule, status, afterwards).length === 1
  }
  assert.equal(isOverdueWith({ status: 'DUE', updated_at: dueAt.toISOString() }), true, 'said before the day ended')
  assert.equal(isOverdueWith({ status: 'DUE', updated_at: afterwards.toISOString() }), false)
  assert.equal(isOverdueWith({ status: 'OVERDUE', updated_at: afterwards.toISOString() }), true)
})
