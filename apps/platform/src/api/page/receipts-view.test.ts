// Receipts, the amount to pay now, and payment cards of a running loan.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate } from '@lendloom/lending/calendar'
import type { PaymentStatusReport } from '@lendloom/wire/exchange/account'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { failedDebitOf, transfersForExit } from '#platform/lenders/partner/transfers.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'
import { unpaidUntil } from '#platform/lending/servicing/poll-servicing.ts'
import { paymentViews } from './payment-view.ts'
import { problemOf, receiptViews } from './receipts-view.ts'
import { duesViews, isOverdueDenied, payableNow } from './servicing-view.ts'

const at = new Date('2026-11-20T06:00:00Z')
const instalment = (serialNumber: number, day: string, change: Partial<Installment> = {}): Installment => ({
  serialNumber,
  amount: '479000',
  status: 'NOT-PAID',
  startsAt: `${day}T00:00:00Z`,
  dueAt: `${day}T06:00:00Z`,
  ...change,
})
const operation = (change: Partial<ServicingRow> = {}): ServicingRow => ({
  tenantId: 't',
  journeyId: 'j',
  operationId: 'o-1',
  kind: 'MISSED_EMI_PAYMENT',
  status: 'PAID',
  asks: 1,
  serialNumber: null,
  requestedPaise: null,
  amountPaise: 529000n,
  interestPaise: null,
  chargesPaise: null,
  paidPaise: null,
  savedPaise: null,
  paymentId: null,
  url: null,
  urlSealed: null,
  transactionId: 'UTR1',
  claimedOn: null,
  reason: null,
  requestedAt: at,
  updatedAt: at,
  ...change,
})
const reported = (change: Partial<PaymentStatusReport>): PaymentStatusReport => ({
  payment_id: 'p',
  claim_reference: null,
  collection_id: null,
  mandate_reference: null,
  installment_ids: ['i1'],
  method: 'ENACH',
  status: 'POSTED',
  amount: '4790.00',
  currency: 'INR',
  bank_reference: 'B1',
  provider_reference: null,
  value_date: '2026-11-13',
  updated_at: '2026-11-13T20:00:00Z',
  reason_code: null,
  reversal_of_payment_id: null,
  ...change,
})
const snapshotWith = (payments: PaymentStatusReport[], unpaid = '1290.00'): SnapshotStatus =>
  ({
    payments,
    soa: null,
    amortization_schedule: {
      installments: [
        {
          installment_id: 'i1',
          installment_number: 1,
          unpaid_amount: unpaid,
          status: 'OVERDUE',
          updated_at: '2026-11-13T06:00:00.000Z',
        },
      ],
    },
  }) as unknown as SnapshotStatus

test('D2 §4: a network lender reports paid instalments without a day, and the payments that the borrower requested', () => {
  const plan = [
    instalment(1, '2026-10-05', { status: 'PAID' }),
    instalment(2, '2026-11-05', { status: 'DEFERRED' }),
    instalment(3, '2026-12-05'),
  ]
  const operations = [
    operation(),
    operation({ operationId: 'o-2', kind: 'STATUS_REFRESH', status: 'DONE' }),
    operation({ operationId: 'o-3', status: 'FAILED' }),
    operation({ operationId: 'o-4', amountPaise: null }),
  ]
  assert.deepEqual(
    receiptViews(operations, plan, null).map(({ id, kind, amount, paidOn, reference }) => ({
      id,
      kind,
      amount,
      paidOn,
      reference,
    })),
    [
      { id: 'o-1', kind: 'MISSED_EMI_PAYMENT', amount: '5290.00', paidOn: '2026-11-20', reference: 'UTR1' },
      { id: 'instalment-1', kind: 'INSTALLMENT', amount: '4790.00', paidOn: null, reference: null },
    ],
  )
})

test('D3 §2.5: a partner reports every attempt, newest first, and the list has at most fifty payments', () => {
  const payments = [
    reported({ payment_id: 'old', installment_ids: ['i1', 'i2'], status: 'REVERSED', value_date: '2026-11-01' }),
    reported({ payment_id: 'claimed', claim_reference: 'o-1', installment_ids: [], status: 'PENDING_VERIFICATION' }),
    reported({ payment_id: 'unknown', installment_ids: ['i9'], status: 'FAILED', value_date: null }),
  ]
  const urlOf = (id: string) => `/papers/${id}`
  const receipts = receiptViews([operation()], [], { snapshot: snapshotWith(payments), urlOf, ending: null })
  assert.deepEqual(
    receipts.map(({ id, kind, serialNumber, status, paidOn }) => ({ id, kind, serialNumber, status, paidOn })),
    [
      { id: 'unknown', kind: 'INSTALLMENT', serialNumber: null, status: 'FAILED', paidOn: '2026-11-14' },
      { id: 'claimed', kind: 'MISSED_EMI_PAYMENT', serialNumber: null, status: 'PENDING', paidOn: '2026-11-13' },
      { id: 'old', kind: 'INSTALLMENT', serialNumber: null, status: 'REVERSED', paidOn: '2026-11-01' },
    ],
  )
  const many = Array.from({ length: 1000 }, (_, i) => reported({ payment_id: `p${i}` }))
  const listed = receiptViews([], [], { snapshot: snapshotWith(many), urlOf, ending: null })
  assert.equal(listed.length, 50)
  assert.equal(listed[0]!.serialNumber, 1)
  assert.equal(listed[0]!.url, '/papers/p0')
  assert.ok(
    receipts.every(({ url }) => url === null),
    'only a received payment has a receipt',
  )
})

test('D3 §2.5: a reversed receipt is shown once, as reversed and without a document', () => {
  const reversal = reported({ payment_id: 'r', status: 'REVERSED', reversal_of_payment_id: 'p', reason_code: 'R01' })
  const snapshot = snapshotWith([reported({}), reversal, reported({ payment_id: 'other' })])
  const receipts = receiptViews([], [], { snapshot, urlOf: (id) => `/papers/${id}`, ending: null })
  assert.deepEqual(
    receipts.map(({ id, status, url }) => ({ id, status, url })),
    [
      { id: 'p', status: 'REVERSED', url: null },
      { id: 'other', status: 'PAID', url: '/papers/other' },
    ],
  )
})

const transfer = (change: Partial<PaymentStatusReport>): PaymentStatusReport =>
  reported({ payment_id: 'own', installment_ids: [], status: 'PENDING_VERIFICATION', ...change })
const freeOn = () => 0n
const heldIn = (payments: PaymentStatusReport[], priceOn: (day: string) => bigint | undefined = freeOn) =>
  transfersForExit(snapshotWith(payments), priceOn).held
type Ending = NonNullable<Parameters<typeof receiptViews>[2]>['ending']
const kindsOf = (payments: PaymentStatusReport[], ending: Ending) =>
  receiptViews([operation()], [], { snapshot: snapshotWith(payments), ending, urlOf: String })
    .map(({ id, kind, serialNumber }) => [id, kind, serialNumber].join(' ').trim())
    .sort()

test('D3 §1: a payment with or without a claim is held once a bank reference and a value date prove it', () => {
  for (const claim_reference of [null, 'o-1']) {
    const held = transfer({ claim_reference })
    assert.equal(heldIn([held]), 479000n)
    assert.equal(heldIn([held, transfer({ amount: '10.50' })]), 480050n)
    assert.deepEqual(kindsOf([held], { status: 'HELD', requestedOn: null }), ['own FORECLOSURE'])
    assert.deepEqual(kindsOf([held], null), [claim_reference ? 'own MISSED_EMI_PAYMENT' : 'own INSTALLMENT'])
    for (const change of [
      { bank_reference: null },
      { value_date: null },
      { status: 'SUBMITTED' as const },
      { status: 'PROCESSING' as const },
      { status: 'FAILED' as const },
      { status: 'POSTED' as const },
      { collection_id: 'c1' },
    ])
      assert.equal(heldIn([{ ...held, ...change }]), null, JSON.stringify(change))
  }
  assert.deepEqual(transfersForExit(null, freeOn), { held: null, booked: null })
})

test('D3 §1: less than the price on the day of the last payment does not end the loan', () => {
  const priceOn = (day: string) => ({ '2026-11-13': 479000n, '2026-11-14': 479100n })[day]
  const sumOf = (...payments: PaymentStatusReport[]) => heldIn(payments, priceOn)
  assert.equal(sumOf(transfer({})), 479000n)
  assert.equal(sumOf(transfer({ amount: '4789.99' })), null)
  assert.equal(sumOf(transfer({ amount: '1.00' })), null)
  assert.equal(sumOf(transfer({ value_date: '2026-11-14' })), null)
  assert.equal(sumOf(transfer({}), transfer({ amount: '1.00', value_date: '2026-11-14' })), 479100n)
  const paidBefore = transfer({ payment_id: 'before', status: 'POSTED', amount: '0.01', value_date: '2026-11-12' })
  assert.equal(sumOf(transfer({ amount: '4789.99' }), paidBefore), 478999n, 'what was posted before counts too')
})

test('D3 §2.5: a held payment that another record reverses is no longer held', () => {
  const reversal = transfer({ payment_id: 'r', status: 'REVERSED', reversal_of_payment_id: 'own' })
  assert.equal(heldIn([transfer({}), reversal, transfer({ payment_id: 'other', amount: '10.00' })]), 1000n)
  assert.equal(heldIn([transfer({}), reversal]), null)
})

test('D3 §1: only transfers that reach the price are named as posted, and no debit of an instalment', () => {
  const price = 479000n
  const bookedIn = (...payments: PaymentStatusReport[]) =>
    transfersForExit(snapshotWith(payments), (day) => (day <= '2026-11-14' ? price : undefined)).booked
  const posted = (change: Partial<PaymentStatusReport> = {}) => transfer({ status: 'POSTED', ...change })
  assert.equal(bookedIn(posted()), price)
  assert.equal(bookedIn(posted({ amount: '4789.99' })), null)
  assert.equal(bookedIn(posted({ collection_id: 'c1' })), null)
  assert.equal(bookedIn(posted({ value_date: '2026-11-15' })), null, 'no exit on that day')
})

test('D3 §1: only transfers posted since the request, or the last one, cancelled the loan', () => {
  const posted = { status: 'POSTED' as const }
  const payments = [
    transfer({ ...posted, payment_id: 'first', installment_ids: ['i1'], value_date: '2026-11-12' }),
    transfer({ ...posted, payment_id: 'exit', claim_reference: 'o-1', value_date: '2026-11-14' }),
    transfer({ payment_id: 'failed', status: 'FAILED', value_date: '2026-11-14' }),
    transfer({ payment_id: 'late', value_date: '2026-11-14' }),
    reported({ payment_id: 'debit', collection_id: 'c1', value_date: '2026-11-14' }),
  ]
  const others = ['debit INSTALLMENT 1', 'exit FORECLOSURE', 'failed INSTALLMENT']
  const before = [...others, 'first INSTALLMENT 1', 'late INSTALLMENT']
  for (const requestedOn of ['2026-11-13', '2026-11-14', '2026-11-16', null])
    assert.deepEqual(kindsOf(payments, { status: 'DONE', requestedOn }), before, `${requestedOn}`)
  const both = [...others, 'first FORECLOSURE', 'late INSTALLMENT']
  assert.deepEqual(kindsOf(payments, { status: 'DONE', requestedOn: '2026-11-12' }), both)
  const reversal = transfer({ payment_id: 'r', status: 'REVERSED', reversal_of_payment_id: 'exit' })
  const last = kindsOf([...payments, reversal], { status: 'DONE', requestedOn: '2026-11-14' })
  assert.equal(last[1], 'exit MISSED_EMI_PAYMENT')
  assert.equal(last[3], 'first FORECLOSURE')
})

test('D3 §6: the page offers no payment of an instalment while another payment of it is pending', () => {
  const plan = [instalment(1, '2026-11-13')]
  const offer = { channel: 'PARTNER', installments: plan, creditLine: false } as const
  const amountWith = (change: Partial<PaymentStatusReport>) =>
    payableNow(offer, { operations: [], snapshot: snapshotWith([reported(change)]), at })
  for (const status of ['PENDING_VERIFICATION', 'SUBMITTED', 'PROCESSING'] as const)
    assert.equal(amountWith({ status }), null, status)
  assert.equal(amountWith({ status: 'FAILED' }), '1290.00')
  assert.equal(amountWith({ status: 'PROCESSING', installment_ids: ['i2'] }), '1290.00', 'of another instalment')
})

test('D3 §2.5: on the due day the page offers a payment once the debit has failed, and says why it failed', () => {
  const plan = [instalment(1, businessDate(at))]
  const offer = { channel: 'PARTNER', installments: plan, creditLine: false } as const
  const failed = reported({ status: 'FAILED', reason_code: '04' })
  const amountWith = (...payments: PaymentStatusReport[]) =>
    payableNow(offer, { operations: [], snapshot: snapshotWith(payments), at })
  assert.equal(amountWith(failed), '1290.00')
  assert.equal(amountWith(), null, 'the debit is still to come')
  assert.equal(amountWith({ ...failed, claim_reference: 'o-1' }), null, 'a reported payment is no debit')
  assert.equal(amountWith(failed, reported({ payment_id: 'q', status: 'SUBMITTED' })), null, 'the lender tries again')
  const codes = ['04', 'Z9', '61', 'JPMR', '60', 'OWN-7', '__proto__']
  assert.deepEqual(
    codes.map((reason_code) => problemOf({ ...failed, reason_code })?.code),
    [
      'DEBIT_UNFUNDED',
      'DEBIT_UNFUNDED',
      'DEBIT_MANDATE_ENDED',
      'DEBIT_MANDATE_ENDED',
      'DEBIT_RETURNED',
      'DEBIT_RETURNED',
      'DEBIT_RETURNED',
    ],
  )
  assert.equal(problemOf({ ...failed, claim_reference: 'o-1' })?.code, 'PAYMENT_NOT_FOUND')
  assert.equal(problemOf(reported({})), null)
})

test('D3 §2.5: on the due day a debit that the bank took back counts as failed, with the reason of its reversal', () => {
  const plan = [instalment(1, businessDate(at))]
  const offer = { channel: 'PARTNER', installments: plan, creditLine: false } as const
  const debit = reported({ collection_id: 'c1', mandate_reference: 'UMRN1' })
  const reversal = { ...debit, payment_id: 'r', reversal_of_payment_id: 'p', status: 'REVERSED' as const }
  const stateWith = (payments: PaymentStatusReport[]) => {
    const snapshot = snapshotWith(payments)
    const [receipt] = receiptViews([], [], { snapshot, urlOf: String, ending: null })
    const debitProblem = failedDebitOf(snapshot, 1)
    return {
      payable: payableNow(offer, { operations: [], snapshot, at }),
      debitProblem: debitProblem && problemOf(debitProblem)?.code,
      receiptProblem: receipt?.problem?.code,
    }
  }
  const reason_code = '04'
  assert.deepEqual(stateWith([debit, { ...reversal, reason_code }]), {
    payable: '1290.00',
    debitProblem: 'DEBIT_UNFUNDED',
    receiptProblem: 'DEBIT_UNFUNDED',
  })
  assert.deepEqual(
    stateWith([debit, reversal]),
    { payable: '1290.00', debitProblem: undefined, receiptProblem: undefined },
    'without a reason',
  )
  const retry = reported({ payment_id: 'q', status: 'SUBMITTED' })
  const retried = stateWith([debit, { ...reversal, reason_code }, retry])
  assert.equal(retried.payable, null)
  assert.equal(retried.debitProblem, undefined)
  const transfers = [reported({}), reported({ ...reversal, collection_id: null, mandate_reference: null, reason_code })]
  assert.deepEqual(
    stateWith(transfers),
    { payable: null, debitProblem: undefined, receiptProblem: undefined },
    'the debit is still to come',
  )
})

test('D2 §4: a paid instalment is not offered again before the lender updates its schedule, and the next one is', () => {
  const plan = [instalment(1, '2026-10-13'), instalment(2, '2026-11-13')]
  const paidAt = (hoursBefore: number) => new Date(at.getTime() - hoursBefore * 3_600_000)
  const paid = { serialNumber: 1, paidPaise: 479000n }
  const operations = [operation({ ...paid, updatedAt: paidAt(1) })]
  const amountOf = (installments: Installment[], change: { operations?: ServicingRow[]; channel?: 'PARTNER' } = {}) =>
    payableNow(
      { channel: change.channel ?? 'NETWORK', installments, creditLine: false },
      { operations: change.operations ?? operations, snapshot: null, at },
    )
  assert.equal(amountOf(plan), null)
  assert.equal(amountOf([{ ...plan[0]!, status: 'PAID' }, plan[1]!]), '4790.00', 'the next instalment, of equal amount')
  assert.equal(amountOf(plan, { operations: [operation({ ...paid, updatedAt: paidAt(73) })] }), '4790.00')
  assert.equal(amountOf(plan, { operations: [operation({ ...paid, status: 'FAILED' })] }), '4790.00')
  const partOnly = operation({ ...paid, amountPaise: 100000n, paidPaise: 100000n })
  assert.equal(amountOf(plan, { operations: [partOnly] }), '4790.00', 'a part is still owed')
  assert.equal(amountOf(plan, { channel: 'PARTNER' }), '4790.00', 'its account says what is unpaid')
})

test('FIS12 §18.5: the page does not offer to pay what the lender says is not overdue, for three days', () => {
  const answeredAt = (hoursAgo: number) => new Date(at.getTime() - hoursAgo * 3_600_000)
  const denied = operation({ status: 'FAILED', reason: 'NO_INSTALMENT_OVERDUE', updatedAt: answeredAt(71) })
  const offer = { channel: 'NETWORK' as const, installments: [instalment(1, '2026-11-13')], creditLine: false }
  for (const [operations, isDenied] of [
    [[denied], true],
    [[{ ...denied, updatedAt: answeredAt(73) }], false],
    [[{ ...denied, reason: 'PAYMENT_NOT_COMPLETED' as const }], false],
    [[denied, operation({ status: 'EXPIRED' })], false],
    [[denied, operation({ kind: 'STATUS_REFRESH' })], true],
  ] as const) {
    const account = { operations: [...operations], snapshot: null, at }
    assert.equal(isOverdueDenied(account.operations, at), isDenied)
    assert.equal(payableNow(offer, account), isDenied ? null : '4790.00')
  }
})

test('D2 §4: the page offers to pay the oldest due instalment, with what the lender says is unpaid of it', () => {
  const plan = [instalment(1, '2026-11-13'), instalment(2, '2026-11-20'), instalment(3, '2026-11-27')]
  const network = { channel: 'NETWORK', installments: plan, creditLine: false } as const
  const partner = { ...network, channel: 'PARTNER' } as const
  const now = { operations: [], snapshot: null, at }
  assert.equal(payableNow(network, now), '4790.00')
  assert.equal(payableNow(partner, { ...now, snapshot: snapshotWith([]) }), '1290.00')
  assert.equal(payableNow(partner, { ...now, snapshot: snapshotWith([], '0.00') }), null, 'nothing is unpaid')
  const soa = { total_overdue: '39280.00' } as SnapshotStatus['soa']
  const all = payableNow(partner, { ...now, snapshot: { ...snapshotWith([]), soa } })
  assert.equal(all, '39280.00', 'all that is overdue, with penal charges')
  const failedToday = snapshotWith([reported({ status: 'FAILED', installment_ids: ['i1'] })])
  failedToday.amortization_schedule!.installments[0]!.status = 'DUE'
  const withToday = payableNow(partner, { ...now, snapshot: { ...failedToday, soa } })
  assert.equal(withToday, '40570.00', 'and what is due today, if its debit failed')
  const second = snapshotWith([reported({ status: 'SUBMITTED', installment_ids: ['i2'] })])
  const rest = payableNow(partner, { ...now, snapshot: { ...second, soa } })
  assert.equal(rest, '1290.00', 'a debit may still pay the second instalment')
  const open = operation({ status: 'REQUESTED' })
  assert.equal(payableNow(network, { ...now, operations: [open] }), null, 'it is requested')
  const dueToday = { installments: plan.slice(1) }
  assert.equal(payableNow({ ...network, ...dueToday }, now), '4790.00')
  assert.equal(payableNow({ ...partner, ...dueToday }, now), null, 'the mandate collects it today')
  assert.equal(payableNow({ ...network, installments: plan.slice(2) }, now), null, 'nothing is due')
  assert.equal(payableNow({ ...network, installments: [] }, now), null)
  const credit = [instalment(1, '2026-11-13', { amount: '-10000' })]
  assert.equal(payableNow({ ...network, installments: credit }, now), null, 'a lender may report any amount')
  assert.equal(payableNow({ ...network, creditLine: true }, now), null)
})

test('D3 §2.5: the sum to pay is split into late and due instalments and penal charges, if these make the sum', () => {
  const late = { installment_id: 'i1', installment_number: 1, unpaid_amount: '1290.00', status: 'OVERDUE' }
  const due = { ...late, installment_id: 'i2', installment_number: 2, status: 'DUE' }
  const failed = reported({ status: 'FAILED', installment_ids: ['i2'] })
  const partsOf = (overdue: string, penal: string, installments = [late], payments = [failed]) => {
    const soa = { total_overdue: overdue, penalty_outstanding: penal }
    const snapshot = { payments, soa, amortization_schedule: { installments } } as unknown as SnapshotStatus
    const dues = duesViews(snapshot, []).filter(({ part }) => part === 'late' || part === 'today')
    return dues.map(({ part, amount }) => ({ part, amount }))
  }
  assert.deepEqual(partsOf('1390.00', '100.00'), [{ part: 'late', amount: '1290.00' }])
  assert.deepEqual(partsOf('1290.00', '0.00'), [], 'one part is no split')
  assert.deepEqual(partsOf('1290.00', '100.00'), [], 'this lender keeps penal charges out of what is overdue')
  const both = [
    { part: 'late', amount: '1290.00' },
    { part: 'today', amount: '1290.00' },
  ]
  assert.deepEqual(partsOf('1290.00', '0.00', [late, due]), both)
  assert.deepEqual(partsOf('1290.00', '0.00', [late, due], []), [], 'the mandate still debits what is due today')
  const paying = [failed, reported({ payment_id: 'q', status: 'SUBMITTED', installment_ids: ['i1'] })]
  assert.deepEqual(partsOf('1390.00', '100.00', [late, due], paying), [], 'the page asks for less than all')
})

test('without a statement the dues are the unpaid instalments', () => {
  const plan = [
    instalment(1, '2026-11-13', { status: 'PAID' }),
    instalment(2, '2026-11-20'),
    instalment(3, '2026-11-27'),
  ]
  assert.deepEqual(duesViews(null, plan), [{ part: 'planned', amount: '9580.00' }])
  assert.deepEqual(duesViews(null, []), [])
  assert.deepEqual(duesViews(snapshotWith([]), plan), [], 'the partner has not sent its statement yet')
})

test('D3 §6: a payment that the lender could not find is named until the instalment is paid', () => {
  const notFound = operation({ status: 'FAILED', reason: 'PAYMENT_NOT_FOUND', updatedAt: new Date('2026-10-01') })
  assert.equal(paymentViews([notFound], at, { payTo: '', isMissed: true })[0]?.problem?.code, 'PAYMENT_NOT_FOUND')
  assert.deepEqual(paymentViews([notFound], at, { payTo: '' }), [])
  const reportUrlOf = ({ operationId }: ServicingRow) => `/repay/${operationId}`
  const [shown] = paymentViews([{ ...notFound, claimedOn: '2026-09-27' }], at, {
    payTo: '',
    isMissed: true,
    reportUrlOf,
  })
  assert.equal(shown?.redirectUrl, '/repay/o-1', 'it can be reported again')
  assert.deepEqual(shown?.claim, { reference: 'UTR1', paidOn: '2026-09-27', resultBy: '2026-10-04' })
  const expired = operation({ status: 'EXPIRED', transactionId: null, reason: 'PAYMENT_NOT_MADE' })
  assert.deepEqual(paymentViews([expired], at, { payTo: '', isMissed: true }), [], 'the page offers to pay')
  const unclaimed = { ...notFound, transactionId: null }
  assert.deepEqual(paymentViews([unclaimed], at, { payTo: '', isMissed: true }), [], 'the borrower reported no payment')
})

test('D3 §6: the page no longer asks for a transfer once nothing is missed, however it was paid', () => {
  const transfer = operation({ status: 'LINK_READY', transactionId: null })
  const shownOf = (change: Partial<ServicingRow>, options: Parameters<typeof paymentViews>[2]) =>
    paymentViews([{ ...transfer, ...change }], at, options).length
  assert.equal(shownOf({}, { payTo: '', isMissed: true }), 1)
  for (const status of ['LINK_READY', 'EXPIRED'] as const) assert.equal(shownOf({ status }, { payTo: '' }), 0, status)
  assert.equal(shownOf({ transactionId: 'UTR1' }, { payTo: '' }), 1, 'the borrower has reported a payment')
  const debited = { payTo: '', isMissed: true, isDebited: true }
  assert.equal(shownOf({}, debited), 0, 'a debit of it is under way')
  assert.equal(shownOf({ transactionId: 'UTR1' }, debited), 1)
  assert.equal(shownOf({}, {}), 1, 'a lender of the network decides itself what is missed')
})

test('a payment card has the known components, and disappears three days after its end', () => {
  const link = operation({
    kind: 'FORECLOSURE',
    status: 'LINK_READY',
    amountPaise: 190_214_48n,
    interestPaise: 2_151_05n,
    chargesPaise: 3_687_52n,
  })
  const [view] = paymentViews([link], at)
  assert.deepEqual(view!.parts, [
    { part: 'principal', amount: '184375.91' },
    { part: 'interest', amount: '2151.05' },
    { part: 'charges', amount: '3687.52' },
  ])
  assert.deepEqual(paymentViews([{ ...link, interestPaise: 0n, chargesPaise: 0n }], at)[0]!.parts, [], 'one component')
  assert.deepEqual(paymentViews([{ ...link, interestPaise: null }], at)[0]!.parts, [])
  const later = new Date(at.getTime() + 4 * 86_400_000)
  assert.equal(paymentViews([link], later).length, 1, 'a page that can be paid stays')
  assert.equal(paymentViews([{ ...link, status: 'PAID' }], at).length, 1)
  assert.equal(paymentViews([{ ...link, status: 'PAID' }], later).length, 0)
})

test('FIS12 §11.1: a payment card says until when an unpaid request stays open, unless it is a transfer', () => {
  const requestedAt = new Date('2026-12-03T09:45:00Z')
  const asked = operation({ kind: 'FORECLOSURE', status: 'LINK_READY', amountPaise: 5000n, requestedAt })
  const options = { unpaidUntil: (each: ServicingRow) => unpaidUntil({ STATUS_POLL_SECONDS: 10 }, each) }
  const shown = (row: ServicingRow, more = {}) => paymentViews([row], at, { ...options, ...more })[0]!.unpaidUntil
  assert.equal(shown(asked), '2026-12-04T09:35:10.000Z')
  assert.equal(shown({ ...asked, status: 'EXPIRED' }), null)
  assert.equal(shown(asked, { payTo: 'an account' }), null)
})

test('D2 §4: an instalment that was paid outside the plan is one payment, not two', () => {
  const paid = instalment(1, '2026-11-13', { status: 'PAID' })
  const of = (serialNumber: number) => receiptViews([operation({ serialNumber })], [paid], null).map(({ id }) => id)
  assert.deepEqual(of(1), ['o-1'])
  assert.deepEqual(of(2), ['o-1', 'instalment-1'], 'of another instalment')
})

test('D2 §4: a part payment that failed before its lender told the amount keeps the one that was asked for', () => {
  const asked = operation({ kind: 'PRE_PART_PAYMENT', amountPaise: null, requestedPaise: 2000000n })
  const amountOf = (status: ServicingRow['status']) => paymentViews([{ ...asked, status }], at)[0]?.amount
  assert.equal(amountOf('FAILED'), '20000.00', 'it can be asked for again')
  assert.equal(amountOf('REQUESTED'), null, 'the lender tells it')
})
