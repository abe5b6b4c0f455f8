// The events between two states of a loan: payments and their returns, charges, overdue amounts, plans, and ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoanState } from '@lendloom/wire/hosted/loan-state'
import { changesBetween } from './loan-changes.ts'

type Instalment = LoanState['instalments'][number]

const plan = (...statuses: Instalment['status'][]): Instalment[] =>
  statuses.map((status, i) => ({ serialNumber: i + 1, dueOn: `2026-12-0${i + 1}`, amount: '100.00', status }))

const account = (total: string, charges = '0.00') => ({
  total,
  principal: total,
  interest: '0.00',
  charges,
  penalCharges: '0.00',
})

const running: LoanState = {
  journeyID: '01930000-0000-7000-8000-000000000001',
  lender: 'Tulsi Credit',
  state: 'RUNNING',
  number: 'LOAN-7',
  paidOutAt: '2026-11-30T10:00:00.000Z',
  closedAt: null,
  reportedAt: null,
  principal: '300.00',
  outstanding: null,
  unpaidInstalments: '300.00',
  overdue: null,
  nextDue: null,
  instalments: plan('NOT-DUE', 'NOT-DUE', 'NOT-DUE'),
  payments: [],
  creditLine: null,
}
const told = (before: Partial<LoanState>, after: Partial<LoanState>): string[] =>
  changesBetween({ ...running, ...before }, { ...running, ...after }).map(({ type, instalments }) =>
    [type, ...instalments].join(' '),
  )

test('an instalment becomes due, overdue and paid, and a payment that the bank takes back is returned', () => {
  const due = { instalments: plan('DUE', 'NOT-DUE', 'NOT-DUE') }
  const late = {
    state: 'OVERDUE' as const,
    instalments: plan('OVERDUE', 'NOT-DUE', 'NOT-DUE'),
    overdue: { amount: '100.00', instalments: 1, since: '2026-12-01' },
  }
  const paid = { instalments: plan('PAID', 'NOT-DUE', 'NOT-DUE'), unpaidInstalments: '200.00' }
  assert.deepEqual(told({}, due), ['loan.due 1'])
  assert.deepEqual(told(due, late), ['loan.overdue 1'])
  assert.deepEqual(told(late, paid), ['loan.paid 1'])
  assert.deepEqual(told(paid, late), ['loan.payment_returned 1', 'loan.overdue 1'])
  assert.deepEqual(told(due, { instalments: plan('PAID', 'PAID', 'NOT-DUE') }), ['loan.paid 1 2'])
  assert.deepEqual(told(paid, paid), [])
  assert.deepEqual(told(paid, due), ['loan.payment_returned 1', 'loan.due 1'], 'payments first')
})

test('FIS12 §18.5: a missed instalment that a lender calls closed is paid, and those that the end of a loan closes are not', () => {
  const missed = { state: 'OVERDUE' as const, instalments: plan('OVERDUE', 'NOT-DUE', 'NOT-DUE') }
  const arrived = { instalments: plan('CLOSED', 'NOT-DUE', 'NOT-DUE') }
  assert.deepEqual(told(missed, arrived), ['loan.paid 1'])
  assert.deepEqual(told(arrived, { ...missed, overdue: { amount: '100.00', instalments: 1, since: null } }), [
    'loan.payment_returned 1',
    'loan.overdue 1',
  ])
  assert.deepEqual(
    told({}, { instalments: plan('NOT-DUE', 'NOT-DUE', 'CLOSED') }),
    [],
    'a part payment shortens the plan',
  )
  const repaid = { state: 'REPAID' as const, instalments: plan('CLOSED', 'CLOSED', 'CLOSED') }
  assert.deepEqual(told(missed, repaid), ['loan.closed'])
})

test('a part payment, and its return by the bank, are told once, with its operation', () => {
  const payment = {
    operationID: '01930000-0000-7000-8000-000000000002',
    kind: 'PRE_PART_PAYMENT' as const,
    amount: '50.00',
    updatedAt: '2026-12-01T10:00:00.000Z',
  }
  const asked = { payments: [{ ...payment, status: 'LINK_READY' as const }] }
  const paid = { payments: [{ ...payment, status: 'PAID' as const }], unpaidInstalments: '250.00' }
  const [change] = changesBetween({ ...running, ...asked }, { ...running, ...paid })
  assert.deepEqual(change, { type: 'loan.part_paid', instalments: [], operationID: payment.operationID })
  assert.deepEqual(told(paid, paid), [])
  assert.deepEqual(told({}, asked), [], 'a request is no change of the loan')
  const returned = { payments: [{ ...payment, status: 'RETURNED' as const }] }
  const changes = changesBetween({ ...running, ...paid }, { ...running, ...returned })
  assert.deepEqual(changes, [{ type: 'loan.payment_returned', instalments: [], operationID: payment.operationID }])
})

test('charges are told of an account that was known, and never of one that is told for the first time', () => {
  assert.deepEqual(told({ outstanding: account('300.00') }, { outstanding: account('350.00', '50.00') }), [
    'loan.charged',
  ])
  assert.deepEqual(told({ outstanding: account('350.00', '50.00') }, { outstanding: account('300.00') }), [
    'loan.statement_changed',
  ])
  assert.deepEqual(told({ outstanding: null }, { outstanding: account('350.00', '50.00') }), ['loan.statement_changed'])
  assert.deepEqual(told({ outstanding: account('9.00', '9.00') }, { outstanding: account('10.00', '10.00') }), [
    'loan.charged',
  ])
})

test('a new plan, a draw from a line and a later report: only what is another statement is told', () => {
  assert.deepEqual(told({}, { instalments: plan('NOT-DUE', 'NOT-DUE') }), ['loan.statement_changed'])
  const line = { limit: '500.00', drawn: '0.00', available: '500.00', reportedAt: '2026-12-01T10:00:00.000Z' }
  const drawn = { ...line, drawn: '100.00', available: '400.00' }
  assert.deepEqual(told({ creditLine: line }, { creditLine: drawn }), ['loan.statement_changed'])
  assert.deepEqual(told({ creditLine: line }, { creditLine: { ...line, reportedAt: '2026-12-02T10:00:00.000Z' } }), [])
  assert.deepEqual(told({}, { reportedAt: '2026-12-02T10:00:00.000Z' }), [])
})

test('a loan is closed or cancelled last, and one whose last payment comes back is reopened', () => {
  const closed = {
    state: 'REPAID' as const,
    instalments: plan('PAID', 'PAID', 'PAID'),
    closedAt: '2026-12-03T00:00:00.000Z',
  }
  const nearly = { instalments: plan('PAID', 'PAID', 'NOT-DUE') }
  assert.deepEqual(told(nearly, closed), ['loan.paid 3', 'loan.closed'])
  assert.deepEqual(told(closed, nearly), ['loan.payment_returned 3', 'loan.reopened'])
  assert.deepEqual(told({}, { state: 'CANCELLED' }), ['loan.cancelled'])
  assert.deepEqual(told({ state: 'OPEN' }, { state: 'CLOSED' }), ['loan.closed'])
  assert.deepEqual(told({ state: 'OPEN' }, { state: 'RUNNING' }), [])
})
