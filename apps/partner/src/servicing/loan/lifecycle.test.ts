// The states of a loan as a table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadsTo } from '@lendloom/foundation/machine'
import { type LoanMove, type LoanStatus, loanLifecycle, statusAfter } from './loan.ts'

const statuses = Object.keys(loanLifecycle) as LoanStatus[]

test('D3 §3: no loan leaves CANCELLED, and no transition returns to NOT_CREATED', () => {
  assert.deepEqual(statuses, ['NOT_CREATED', 'ACTIVE', 'OVERDUE', 'CLOSED', 'CANCELLED'])
  for (const status of statuses) {
    assert.equal(leadsTo(loanLifecycle, 'CANCELLED', status), status === 'CANCELLED', status)
    assert.equal(leadsTo(loanLifecycle, status, 'CANCELLED'), true, status)
  }
  for (const status of statuses) assert.equal(leadsTo(loanLifecycle, status, 'NOT_CREATED'), false)
})

test('D3 §3: a closed account can reopen, and every account is cancelled if its payout comes back', () => {
  assert.equal(statusAfter('CLOSED', 'overdue'), 'OVERDUE')
  assert.equal(statusAfter('CLOSED', 'current'), 'ACTIVE')
  for (const status of ['ACTIVE', 'OVERDUE', 'CLOSED'] as const)
    assert.equal(statusAfter(status, 'cancelled'), 'CANCELLED')
  assert.throws(() => statusAfter('CANCELLED', 'cancelled'), /cannot be cancelled/)
})

test('D3 §3: an account can only be opened first, and only once', () => {
  assert.equal(statusAfter('NOT_CREATED', 'opened'), 'ACTIVE')
  for (const status of ['ACTIVE', 'OVERDUE', 'CLOSED', 'CANCELLED'] as const)
    assert.throws(() => statusAfter(status, 'opened'), /cannot be opened/)
  for (const move of ['current', 'overdue', 'repaid'] satisfies LoanMove[])
    assert.throws(() => statusAfter('NOT_CREATED', move), /cannot be/)
})
