// Tests how a debit is planned from dues, pending and claimed payments, the mandate's limits and earlier returns.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import type { Checks } from '#partner/origination/case/checks.ts'
import { newPayment, type Payment, type PaymentStatus } from '#partner/servicing/collection/payment.ts'
import { type DebitSituation, type PlannedRow, planDebit } from './plan-debit.ts'

const on = '2026-12-04'
const umrn = 'SBXB7201126000000001'

function mandate(changes: object = {}, status: Checks['mandate']['status'] = 'ACTIVE'): Checks['mandate'] {
  const facts = {
    provider: 'SANDBOX_MANDATE',
    providerReferenceId: 'M-1',
    umrn,
    maximumAmount: '20000.00',
    frequency: 'ADHO',
    validFrom: '2026-11-20',
    validUntil: '2027-06-01',
    documentIds: [],
    reasonCode: null,
  }
  return { status, verified: status === 'ACTIVE', facts: { ...facts, ...changes } }
}

const due = (number: number, dueOn: string, owedPaise = 479_000n): PlannedRow => ({
  installmentId: `L-${String(number).padStart(2, '0')}`,
  dueOn,
  owedPaise,
})

const debit = (status: PaymentStatus, installmentIds: string[], changes: Partial<Payment> = {}): Payment => {
  const debit = {
    method: 'ENACH',
    amountPaise: 479_000n,
    installmentIds,
    umrn,
    collectionId: 'c',
    collectionOn: '2026-11-27',
  }
  const reasonCode = status === 'FAILED' ? '04' : null
  return newPayment({ caseRef: 'case-1', paymentId: 'p', status, ...debit, reasonCode, ...changes }, new Date(0))
}
const claim = (amountPaise: bigint, status: PaymentStatus = 'PENDING_VERIFICATION') =>
  debit(status, [], { collectionId: null, umrn: null, mandateReference: null, attemptNumber: null, amountPaise })

const rows = [due(1, '2026-11-27'), due(2, on)]
const situation = (changes: Partial<DebitSituation> = {}): DebitSituation => ({
  on,
  isNoticePeriodOver: true,
  due: rows,
  payments: [],
  mandate: mandate(),
  hold: null,
  policy: { retryDays: 2, mostAttempts: 3 },
  isCollectionDay: true,
  isOpen: true,
  announcement: { upToPaise: 100_00_000_00n },
  isOverride: false,
  ...changes,
})
/** Returns the instalments, the amount and the number of the attempt, or the reason for no debit. */
const planned = (changes: Partial<DebitSituation>) => {
  const plan = planDebit(situation(changes))
  return 'blocked' in plan
    ? plan.blocked
    : `${plan.installmentIds.join(' ')} ${rupees(plan.amountPaise)} #${plan.attemptNumber}`
}

test('D3 §6.7: a debit collects the oldest dues up to the mandate’s limit', () => {
  assert.equal(planned({}), 'L-01 L-02 9580.00 #1')
  assert.equal(planned({ mandate: mandate({ maximumAmount: '9579.99' }) }), 'L-01 4790.00 #1')
  assert.equal(planned({ mandate: mandate({ maximumAmount: '4789.99' }) }), 'L-01 4789.99 #1')
  assert.equal(planned({ mandate: mandate({ maximumAmount: '0.00' }) }), 'MANDATE_NOT_ACTIVE')
  assert.equal(planned({ due: [] }), 'NOTHING_DUE')
})

test('D3 §6.7: instalments of a pending debit are not debited again', () => {
  for (const status of ['PREPARED', 'UNKNOWN', 'SUBMITTED'] as const) {
    assert.equal(planned({ payments: [debit(status, ['L-01'])] }), 'L-02 4790.00 #1')
    assert.equal(planned({ payments: [debit(status, ['L-01', 'L-02'])] }), 'ATTEMPT_PENDING')
  }
  for (const status of ['DROPPED', 'POSTED'] as const)
    assert.equal(planned({ payments: [debit(status, ['L-01'])] }), 'L-01 L-02 9580.00 #1')
})

test('D3 §6.7: claimed payments are deducted until the bank confirms or denies them', () => {
  assert.equal(planned({ payments: [claim(479_000n)] }), 'L-02 4790.00 #1')
  assert.equal(planned({ payments: [claim(100_000n)] }), 'L-01 L-02 8580.00 #1')
  assert.equal(planned({ payments: [claim(2_000_000n)] }), 'ATTEMPT_PENDING')
  assert.equal(planned({ payments: [claim(479_000n, 'FAILED')] }), 'L-01 L-02 9580.00 #1')
})

test('D3 §6.7: only an active, verified mandate within its validity authorizes a debit', () => {
  assert.equal(planned({ mandate: mandate({}, 'CANCELLED') }), 'MANDATE_NOT_ACTIVE')
  assert.equal(planned({ mandate: { ...mandate(), verified: false } }), 'MANDATE_NOT_ACTIVE')
  assert.equal(planned({ mandate: { status: 'NOT_STARTED', verified: false, facts: null } }), 'MANDATE_NOT_ACTIVE')
  assert.equal(planned({ mandate: mandate({ validFrom: plusDays(on, 1) }) }), 'MANDATE_NOT_VALID')
  assert.equal(planned({ mandate: mandate({ validUntil: plusDays(on, -1) }) }), 'MANDATE_NOT_VALID')
})

test('D3 §6.7: a weekly mandate allows one successful debit in seven days', () => {
  const weekly = mandate({ frequency: 'WEEK' })
  const before = (status: PaymentStatus, collectionOn: string) => [debit(status, ['L-00'], { collectionOn })]
  assert.equal(planned({ mandate: weekly, payments: before('POSTED', plusDays(on, -6)) }), 'MANDATE_FREQUENCY')
  assert.equal(planned({ mandate: weekly, payments: before('POSTED', plusDays(on, -7)) }), 'L-01 L-02 9580.00 #1')
  assert.equal(planned({ mandate: weekly, payments: before('FAILED', plusDays(on, -1)) }), 'L-01 L-02 9580.00 #1')
  assert.equal(planned({ payments: before('POSTED', plusDays(on, -1)) }), 'L-01 L-02 9580.00 #1')
})

test('D3 §6.7: a returned debit is retried after the policy’s days, up to its maximum number of attempts', () => {
  const failed = (collectionOn: string) => debit('FAILED', ['L-01'], { collectionOn })
  assert.equal(
    planned({ payments: [failed(plusDays(on, -1))] }),
    'L-02 4790.00 #1',
    'a return does not delay the next instalment',
  )
  assert.equal(planned({ payments: [failed(plusDays(on, -1))], due: [due(1, '2026-11-27')] }), 'TOO_SOON')
  assert.equal(planned({ payments: [failed(plusDays(on, -3))] }), 'L-01 L-02 9580.00 #2')
  assert.equal(
    planned({ payments: [debit('TAKEN_BACK', ['L-01'], { collectionOn: plusDays(on, -5) })] }),
    'L-01 L-02 9580.00 #2',
  )
  const threeReturns = ['2026-11-27', '2026-11-29', '2026-12-01'].map(failed)
  assert.equal(planned({ payments: threeReturns }), 'L-02 4790.00 #1', 'three returns do not block the next instalment')
  assert.equal(planned({ payments: threeReturns, due: [due(1, '2026-11-27')] }), 'TOO_MANY_ATTEMPTS')
  assert.equal(
    planned({ payments: threeReturns, due: [due(1, '2026-11-27')], isOverride: true }),
    'L-01 4790.00 #4',
    'an officer may exceed the maximum',
  )
  const otherMandate = threeReturns.map((each) => ({ ...each, umrn: 'SBXB7201126000000009' }))
  assert.equal(
    planned({ payments: otherMandate }),
    'L-01 L-02 9580.00 #1',
    'attempts under another mandate do not count',
  )
})

test('D3 §6.7: rejects a debit before the notice period is over', () => {
  assert.equal(planned({ isNoticePeriodOver: false }), 'NOTICE_TOO_SHORT')
})

test('D3 §6.7: a hold blocks debits under its mandate, or all debits if it names no mandate', () => {
  assert.equal(planned({ hold: { umrn } }), 'ON_HOLD')
  assert.equal(planned({ hold: { umrn: 'SBXB7201126000000009' } }), 'L-01 L-02 9580.00 #1')
  assert.equal(planned({ hold: { umrn: null } }), 'ON_HOLD')
})

test('D3 §6.7: property: a debit never exceeds the dues that are neither pending nor claimed', () => {
  const someRows = fc.array(fc.bigInt(1n, 600_000n), { maxLength: 6 })
  const somePayments = fc.array(
    fc.record({
      status: fc.constantFrom<PaymentStatus>(
        'PREPARED',
        'UNKNOWN',
        'SUBMITTED',
        'FAILED',
        'POSTED',
        'TAKEN_BACK',
        'DROPPED',
      ),
      ids: fc.subarray([1, 2, 3, 4, 5, 6]),
      daysAgo: fc.integer({ min: 0, max: 9 }),
    }),
    { maxLength: 6 },
  )
  const law = fc.property(
    someRows,
    somePayments,
    fc.bigInt(0n, 900_000n),
    fc.bigInt(1n, 2_000_000n),
    (owed, earlier, claimed, limit) => {
      const list = owed.map((paise, i) => due(i + 1, plusDays(on, -i), paise))
      const payments = earlier.map(({ status, ids, daysAgo }) =>
        debit(
          status,
          ids.map((id) => `L-0${id}`),
          { collectionOn: plusDays(on, -daysAgo) },
        ),
      )
      if (claimed > 0n) payments.push(claim(claimed))
      const plan = planDebit(situation({ due: list, payments, mandate: mandate({ maximumAmount: rupees(limit) }) }))
      if ('blocked' in plan) return
      const pending = payments.filter(
        ({ status, collectionId }) => collectionId && ['PREPARED', 'UNKNOWN', 'SUBMITTED'].includes(status),
      )
      const presented = new Set(pending.flatMap(({ installmentIds }) => installmentIds))
      assert.ok(plan.installmentIds.every((id) => !presented.has(id)))
      const debited = list.filter(({ installmentId }) => plan.installmentIds.includes(installmentId))
      const collectable = list
        .filter(({ installmentId }) => !presented.has(installmentId))
        .reduce((sum, row) => sum + row.owedPaise, 0n)
      assert.ok(plan.amountPaise > 0n && plan.amountPaise <= limit)
      assert.ok(plan.amountPaise <= debited.reduce((sum, row) => sum + row.owedPaise, 0n))
      assert.ok(plan.amountPaise + claimed <= collectable || claimed === 0n)
    },
  )
  fc.assert(law, { numRuns: roundsOf(3000) })
})

const upi = { umrn: '0123456789abcdef0123456789abcdef@okbank', maximumAmount: '100000.00' }

test('RBI, e-mandate framework: a debit stays within the rail’s limit and within the announced amount', () => {
  const large = [due(1, '2026-11-27', 16_000_00n)]
  assert.equal(planned({ due: large, mandate: mandate(upi) }), 'L-01 15000.00 #1')
  assert.equal(planned({ mandate: mandate(upi), announcement: { upToPaise: 479_000n } }), 'L-01 4790.00 #1')
  for (const blocked of ['NOT_ANNOUNCED', 'ANNOUNCED_TOO_LATE', 'ANNOUNCEMENT_REFUSED'] as const)
    assert.equal(planned({ mandate: mandate(upi), announcement: { blocked } }), blocked)
  assert.equal(planned({ isOpen: false }), 'OUTSIDE_HOURS')
})

test('NPCI: the rail limits the tries that the policy allows, and the days between them', () => {
  const policy = { retryDays: 1, mostAttempts: 10 }
  const failed = (count: number, daysAgo: number, changes: Partial<Payment>) =>
    Array.from({ length: count }, () =>
      debit('FAILED', ['L-01', 'L-02'], { collectionOn: plusDays(on, -daysAgo), ...changes }),
    )
  const nach = (count: number, daysAgo: number) => planned({ policy, payments: failed(count, daysAgo, {}) })
  assert.equal(nach(1, 2), 'TOO_SOON')
  assert.equal(nach(2, 3), 'L-01 L-02 9580.00 #3')
  assert.equal(nach(3, 9), 'TOO_MANY_ATTEMPTS')
  const byUpi = (count: number, reasonCode: string, daysAgo = 1) =>
    planned({ policy, mandate: mandate(upi), payments: failed(count, daysAgo, { umrn: upi.umrn, reasonCode }) })
  assert.equal(byUpi(3, 'Z9'), 'L-01 L-02 9580.00 #4')
  assert.equal(byUpi(4, 'Z9'), 'TOO_MANY_ATTEMPTS')
  assert.equal(byUpi(4, 'JPMP', 0), 'L-01 L-02 9580.00 #1', 'a pause is no try')
})
