// Which debit is asked for: never what is paid, pending or claimed, never beyond the mandate, never too soon.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plusDays } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import type { Checks } from '#partner/case/check.ts'
import { newPayment, type Payment, type PaymentStatus } from './payment.ts'
import { type DebitBlock, type Plan, type PlannedRow, planDebit, type Situation } from './plan.ts'

const on = '2026-12-04'
const umrn = 'SBXB7201126000000001'

function mandate(over: object = {}, status: Checks['mandate']['status'] = 'ACTIVE'): Checks['mandate'] {
  const facts = {
    ...{ provider: 'SANDBOX_MANDATE', providerReferenceId: 'M-1', umrn, maximumAmount: '20000.00', frequency: 'ADHO' },
    ...{ validFrom: '2026-11-20', validUntil: '2027-06-01', documentIds: [], reasonCode: null },
  }
  return { status, verified: status === 'ACTIVE', facts: { ...facts, ...over } }
}

const due = (number: number, dueOn: string, owedPaise = 479_000n): PlannedRow => ({
  installmentId: `L-${String(number).padStart(2, '0')}`,
  dueOn,
  owedPaise,
})

const debit = (status: PaymentStatus, installmentIds: string[], over: Partial<Payment> = {}): Payment => {
  const debit = {
    method: 'ENACH',
    amountPaise: 479_000n,
    installmentIds,
    umrn,
    collectionId: 'c',
    collectionOn: '2026-11-27',
  }
  const reasonCode = status === 'FAILED' ? '04' : null
  return newPayment({ caseRef: 'case-1', paymentId: 'p', status, ...debit, reasonCode, ...over }, new Date(0))
}
const claim = (amountPaise: bigint, status: PaymentStatus = 'PENDING_VERIFICATION') =>
  debit(status, [], { collectionId: null, umrn: null, mandateReference: null, attemptNumber: null, amountPaise })

const rows = [due(1, '2026-11-27'), due(2, on)]
const situation = (over: Partial<Situation> = {}): Situation => ({
  ...{
    on,
    isNoticed: true,
    due: rows,
    payments: [],
    mandate: mandate(),
    hold: null,
    policy: { retryDays: 2, mostAttempts: 3 },
    isCollectionDay: true,
    isOverride: false,
  },
  ...over,
})
const why = (plan: Plan): DebitBlock | undefined => ('blocked' in plan ? plan.blocked : undefined)
const asks = (over: Partial<Situation>) => {
  const plan = planDebit(situation(over))
  return 'blocked' in plan
    ? plan.blocked
    : `${plan.installmentIds.join(' ')} ${rupees(plan.amountPaise)} #${plan.attemptNumber}`
}

test('D3 §6.7: everything that is due goes into one debit, the oldest first, within the limit of the mandate', () => {
  assert.equal(asks({}), 'L-01 L-02 9580.00 #1')
  assert.equal(asks({ mandate: mandate({ maximumAmount: '9579.99' }) }), 'L-01 4790.00 #1')
  assert.equal(asks({ mandate: mandate({ maximumAmount: '4789.99' }) }), 'L-01 4789.99 #1')
  assert.equal(asks({ mandate: mandate({ maximumAmount: '0.00' }) }), 'MANDATE_NOT_ACTIVE')
  assert.equal(asks({ due: [] }), 'NOTHING_DUE')
})

test('D3 §6.7: instalments of a debit that is under way are not asked for again', () => {
  for (const status of ['PREPARED', 'UNKNOWN', 'SUBMITTED'] as const) {
    assert.equal(asks({ payments: [debit(status, ['L-01'])] }), 'L-02 4790.00 #1')
    assert.equal(asks({ payments: [debit(status, ['L-01', 'L-02'])] }), 'ATTEMPT_PENDING')
  }
  for (const status of ['DROPPED', 'POSTED'] as const)
    assert.equal(asks({ payments: [debit(status, ['L-01'])] }), 'L-01 L-02 9580.00 #1')
})

test('D3 §6.7: what a borrower says to have paid is taken off until the bank has spoken', () => {
  assert.equal(asks({ payments: [claim(479_000n)] }), 'L-02 4790.00 #1')
  assert.equal(asks({ payments: [claim(100_000n)] }), 'L-01 L-02 8580.00 #1')
  assert.equal(asks({ payments: [claim(2_000_000n)] }), 'ATTEMPT_PENDING')
  assert.equal(asks({ payments: [claim(479_000n, 'FAILED')] }), 'L-01 L-02 9580.00 #1')
})

test('D3 §6.7: only an active, verified mandate in its days authorizes a debit', () => {
  assert.equal(asks({ mandate: mandate({}, 'CANCELLED') }), 'MANDATE_NOT_ACTIVE')
  assert.equal(asks({ mandate: { ...mandate(), verified: false } }), 'MANDATE_NOT_ACTIVE')
  assert.equal(asks({ mandate: { status: 'NOT_STARTED', verified: false, facts: null } }), 'MANDATE_NOT_ACTIVE')
  assert.equal(asks({ mandate: mandate({ validFrom: plusDays(on, 1) }) }), 'MANDATE_NOT_VALID')
  assert.equal(asks({ mandate: mandate({ validUntil: plusDays(on, -1) }) }), 'MANDATE_NOT_VALID')
})

test('D3 §6.7: a weekly mandate allows one debit in seven days, and a failed one does not count', () => {
  const weekly = mandate({ frequency: 'WEEK' })
  const before = (status: PaymentStatus, collectionOn: string) => [debit(status, ['L-00'], { collectionOn })]
  assert.equal(asks({ mandate: weekly, payments: before('POSTED', plusDays(on, -6)) }), 'MANDATE_FREQUENCY')
  assert.equal(asks({ mandate: weekly, payments: before('POSTED', plusDays(on, -7)) }), 'L-01 L-02 9580.00 #1')
  assert.equal(asks({ mandate: weekly, payments: before('FAILED', plusDays(on, -1)) }), 'L-01 L-02 9580.00 #1')
  assert.equal(asks({ payments: before('POSTED', plusDays(on, -1)) }), 'L-01 L-02 9580.00 #1')
})

test('D3 §6.7: after a return the same instalments wait some days, and not for ever', () => {
  const failed = (collectionOn: string) => debit('FAILED', ['L-01'], { collectionOn })
  assert.equal(asks({ payments: [failed(plusDays(on, -1))] }), 'L-02 4790.00 #1', 'the next one is presented meanwhile')
  assert.equal(asks({ payments: [failed(plusDays(on, -1))], due: [due(1, '2026-11-27')] }), 'TOO_SOON')
  assert.equal(asks({ payments: [failed(plusDays(on, -2))] }), 'L-01 L-02 9580.00 #2')
  assert.equal(
    asks({ payments: [debit('TAKEN_BACK', ['L-01'], { collectionOn: plusDays(on, -5) })] }),
    'L-01 L-02 9580.00 #2',
  )
  const thrice = ['2026-11-27', '2026-11-29', '2026-12-01'].map(failed)
  assert.equal(asks({ payments: thrice }), 'L-02 4790.00 #1', 'it keeps the next one from nothing')
  assert.equal(asks({ payments: thrice, due: [due(1, '2026-11-27')] }), 'TOO_MANY_ATTEMPTS')
  assert.equal(
    asks({ payments: thrice, due: [due(1, '2026-11-27')], isOverride: true }),
    'L-01 4790.00 #4',
    'a person may',
  )
  const others = thrice.map((each) => ({ ...each, umrn: 'SBXB7201126000000009' }))
  assert.equal(asks({ payments: others }), 'L-01 L-02 9580.00 #1', 'a new mandate is a new beginning')
})

test('D3 §6.7: nothing is debited before its schedule was known for long enough', () => {
  assert.equal(asks({ isNoticed: false }), 'NOTICE_TOO_SHORT')
})

test('D3 §6.7: what needs a new mandate waits for one; what needs a person waits for a person', () => {
  assert.equal(asks({ hold: { umrn } }), 'ON_HOLD')
  assert.equal(asks({ hold: { umrn: 'SBXB7201126000000009' } }), 'L-01 L-02 9580.00 #1')
  assert.equal(asks({ hold: { umrn: null } }), 'ON_HOLD')
})

test('D3 §6.7: no debit ever asks for more than is owed and not under way, whatever has happened before', () => {
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
      if (why(plan) || 'blocked' in plan) return
      const underWay = payments.filter(
        ({ status, collectionId }) => collectionId && ['PREPARED', 'UNKNOWN', 'SUBMITTED'].includes(status),
      )
      const presented = new Set(underWay.flatMap(({ installmentIds }) => installmentIds))
      assert.ok(plan.installmentIds.every((id) => !presented.has(id)))
      const named = list.filter(({ installmentId }) => plan.installmentIds.includes(installmentId))
      const mostly = list
        .filter(({ installmentId }) => !presented.has(installmentId))
        .reduce((sum, row) => sum + row.owedPaise, 0n)
      assert.ok(plan.amountPaise > 0n && plan.amountPaise <= limit)
      assert.ok(plan.amountPaise <= named.reduce((sum, row) => sum + row.owedPaise, 0n))
      assert.ok(plan.amountPaise + claimed <= mostly || claimed === 0n)
    },
  )
  fc.assert(law, { numRuns: 3000 })
})
