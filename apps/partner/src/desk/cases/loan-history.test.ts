// What happened to a loan after its payout, as its case tells it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPayment, type Payment } from '#partner/servicing/collection/payment.ts'
import { loanEvents } from './loan-history.ts'

const now = new Date('2026-12-11T06:00:00Z')
const at = new Date('2026-12-10T05:30:00Z')
const instalment = (number: number, dueOn: string, status: 'DUE' | 'PAID' | 'OVERDUE') => ({
  number,
  dueOn,
  status,
  amountPaise: 479_000n,
  unpaidPaise: status === 'PAID' ? 0n : 479_000n,
})
const payment = (change: Partial<Payment>) =>
  newPayment({ caseRef: 'CASE', paymentId: 'p', status: 'POSTED', method: 'UPI', amountPaise: 479_000n, ...change }, at)
const debit = (change: Partial<Payment>) => payment({ collectionId: 'c', method: 'ENACH', attemptNumber: 2, ...change })

function eventsOf(change: object): string[] {
  const view = {
    account: {
      loanStatus: 'OVERDUE',
      writtenOffOn: null,
      settlement: null,
      schedule: { installments: [instalment(1, '2026-12-08', 'OVERDUE'), instalment(2, '2026-12-15', 'DUE')] },
    },
    payments: [],
    refunds: [],
    classes: [],
    arrears: { reminders: [] },
    entries: [],
    ...change,
  } as unknown as Parameters<typeof loanEvents>[0]
  return loanEvents(view, now).map(({ what, details }) => [what, details].filter(Boolean).join(' · '))
}

test('D3 §2.5: the history of a loan has its instalments as they fall due, and none to come', () => {
  assert.deepEqual(eventsOf({}), ['Instalment 1 due · ₹4,790', 'Instalment 1 overdue · ₹4,790 unpaid'])
  assert.deepEqual(eventsOf({ account: null }), [])
})

test('D3 §2.5: the history says what became of each payment, and nothing of debits that never left', () => {
  const payments = [
    debit({ status: 'PREPARED' }),
    debit({ status: 'DROPPED' }),
    debit({ status: 'FAILED', reasonCode: '04' }),
    payment({ status: 'POSTED' }),
    payment({ status: 'TAKEN_BACK' }),
  ]
  assert.deepEqual(eventsOf({ payments }).slice(2), [
    'Debit of ₹4,790 returned · eNACH, try 2, Insufficient funds (04)',
    'Payment of ₹4,790 received · UPI',
    'Payment of ₹4,790 received, and taken back later · UPI',
  ])
})

test('D3 §6.7: the history has reminders, changes of the class and the end of the loan', () => {
  const arrears = { reminders: [{ queuedAt: at, number: 1, kind: 'before-2', state: 'SENT' }] }
  const classes = [{ fromOn: '2026-12-09', assetClass: 'SMA_0', reason: 'ARREARS', remark: null }]
  const account = {
    loanStatus: 'CLOSED',
    writtenOffOn: null,
    settlement: null,
    schedule: { installments: [] },
  }
  const entries = [
    { kind: 'RECEIPT', businessOn: '2026-12-10' },
    { kind: 'PROVISION', businessOn: '2026-12-11' },
  ]
  assert.deepEqual(eventsOf({ arrears, classes, account, entries }), [
    'Reminder of instalment 1 · 2 days before the due date, sent',
    'Class: SMA-0 · This loan is overdue',
    'Loan closed',
  ])
})

test('D3 §6.7: a loan closes after the payment of the same day that closed it', () => {
  const view = {
    account: { loanStatus: 'CLOSED', writtenOffOn: null, settlement: null, schedule: { installments: [] } },
    payments: [payment({})],
    refunds: [],
    classes: [],
    arrears: { reminders: [] },
    entries: [{ kind: 'RECEIPT', businessOn: '2026-12-10' }],
  } as unknown as Parameters<typeof loanEvents>[0]
  const ordered = loanEvents(view, now).toSorted((a, b) => a.at.getTime() - b.at.getTime())
  assert.deepEqual(
    ordered.map(({ what }) => what),
    ['Payment of ₹4,790 received', 'Loan closed'],
  )
})
