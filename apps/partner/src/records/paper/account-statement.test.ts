// The statement of account, its balances, and the totals of a financial year.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { financialYearOf, plusDays, startOf } from '@lendloom/lending/calendar'
import { disbursedOn, openSettled, testAccounts } from '@lendloom/tests/setup/account'
import { type LedgerEntry, posting, reversalOf } from '#partner/books/ledger/entry.ts'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { returnPayout } from '#partner/servicing/loan/return-payout.ts'
import { agreeSettlement } from '#partner/servicing/loan/settlement/agree-settlement.ts'
import { closingDay, statementOf, yearTotals } from './account-statement.ts'

const entry = (
  entryId: string,
  kind: LedgerEntry['kind'],
  businessOn: string,
  postings: LedgerEntry['postings'],
): LedgerEntry => ({
  caseRef: 'C',
  entryId,
  kind,
  businessOn,
  reverses: null,
  postings,
})
const receipt = entry('receipt-1', 'RECEIPT', '2026-03-30', [
  ...posting('BANK', 'INTEREST', 500_00n, 1),
  ...posting('BANK', 'PRINCIPAL', 4_000_00n, 1),
])
const sampleEntries: LedgerEntry[] = [
  entry('disbursement', 'DISBURSEMENT', '2026-03-20', [
    ...posting('PRINCIPAL', 'BANK', 97_640_00n),
    ...posting('PRINCIPAL', 'FEE_INCOME', 2_000_00n),
    ...posting('PRINCIPAL', 'TAX_PAYABLE', 360_00n),
  ]),
  entry('accrual', 'ACCRUAL', '2026-03-26', posting('ACCRUED_INTEREST', 'INTEREST_INCOME', 300_00n, 1)),
  entry('due-1', 'DUE', '2026-03-27', [
    ...posting('INTEREST', 'ACCRUED_INTEREST', 300_00n, 1),
    ...posting('INTEREST', 'INTEREST_INCOME', 200_00n, 1),
  ]),
  receipt,
  reversalOf(receipt, 'reversal-1', '2026-04-02'),
  entry('penalty-1', 'PENALTY', '2026-04-05', posting('PENALTY', 'PENALTY_INCOME', 50_00n, 1)),
  entry('receipt-2', 'RECEIPT', '2026-04-06', [
    ...posting('BANK', 'PENALTY', 50_00n, 1),
    ...posting('BANK', 'INTEREST', 500_00n, 1),
    ...posting('BANK', 'UNAPPLIED', 100_00n),
  ]),
  entry('set-off', 'SET_OFF', '2026-04-07', posting('UNAPPLIED', 'PRINCIPAL', 100_00n, 1)),
]

test('D3 §2.5: every line states the balance, and accruals and set-offs have no line', () => {
  const lines = statementOf(sampleEntries)
  const amounts = lines.map(({ kind, added, deducted, balance }) => ({ kind, added, deducted, balance }))
  assert.deepEqual(amounts, [
    { kind: 'DISBURSEMENT', added: 97_640_00n, deducted: 0n, balance: 97_640_00n },
    { kind: 'FEE_DEDUCTED', added: 2_360_00n, deducted: 0n, balance: 100_000_00n },
    { kind: 'DUE', added: 500_00n, deducted: 0n, balance: 100_500_00n },
    { kind: 'RECEIPT', added: 0n, deducted: 4_500_00n, balance: 96_000_00n },
    { kind: 'REVERSAL', added: 4_500_00n, deducted: 0n, balance: 100_500_00n },
    { kind: 'PENALTY', added: 50_00n, deducted: 0n, balance: 100_550_00n },
    { kind: 'RECEIPT', added: 0n, deducted: 650_00n, balance: 99_900_00n },
  ])
  assert.equal(lines[2]!.installment, 1)
  assert.equal(lines[0]!.installment, null)
  assert.equal(
    lines.reduce((sum, { added, deducted }) => sum + added - deducted, 0n),
    lines.at(-1)!.balance,
  )
})

test('the Indian financial year begins in April, and a reversal counts in the year of its own date', () => {
  assert.deepEqual(['2026-03-31', '2026-04-01'].map(financialYearOf), [2025, 2026])
  const { interestCharged, interestPaid, principalPaid } = yearTotals(sampleEntries, 2025)
  assert.equal(interestCharged, 500_00n)
  assert.equal(interestPaid, 500_00n)
  assert.equal(principalPaid, 4_000_00n)
  const next = yearTotals(sampleEntries, 2026)
  assert.equal(next.interestCharged, 0n)
  assert.equal(next.interestPaid, 0n)
  assert.equal(next.principalPaid, -3_900_00n)
  assert.equal(next.penaltyPaid, 50_00n)
})

test('interest charged to the borrower includes interest that is suspended in the books', () => {
  const suspense = entry(
    'suspense',
    'SUSPENSE',
    '2026-03-28',
    posting('INTEREST_INCOME', 'INCOME_SUSPENSE', 300_00n, 1),
  )
  const charged = yearTotals(sampleEntries, 2025).interestCharged
  assert.ok(charged > 0n)
  assert.equal(yearTotals([...sampleEntries, suspense], 2025).interestCharged, charged)
})

test('D3 §4.4: the yearly totals match the ledger when a late payment refunds interest', async () => {
  const { db, open, receive, reverse, endDay, setClock, view } = await testAccounts()
  const assertLedgerMatches = async (caseRef: string) => {
    const entries = await readEntries(db, caseRef)
    const { INTEREST, ACCRUED_INTEREST, INTEREST_INCOME, PRINCIPAL } = await balancesOf(db, caseRef)
    const { interestCharged, interestPaid, principalPaid } = yearTotals(entries, 2026)
    assert.equal(interestCharged, -INTEREST_INCOME)
    assert.equal(interestCharged - interestPaid, INTEREST + ACCRUED_INTEREST)
    assert.equal(principalPaid, 100_000_00n - PRINCIPAL)
    return entries
  }
  const caseRef = await open()
  setClock(startOf('2026-12-03'))
  await endDay('2026-12-02')
  await receive(caseRef, 50_000_00n, '2026-11-23', 'late')
  const entries = await assertLedgerMatches(caseRef)
  assert.ok(entries.some(({ postings }) => postings.some(({ debit }) => debit === 'INTEREST_INCOME')))
  await reverse(caseRef, 'late', '2026-12-03')
  await assertLedgerMatches(caseRef)
  setClock(startOf('2026-12-05'))
  await endDay('2026-12-04')
  await receive(caseRef, 120_000_00n, '2026-11-30', 'all')
  assert.equal((await view(caseRef)).loanStatus, 'CLOSED')
  await assertLedgerMatches(caseRef)
})

test('D3 §3: a loan whose payout came back has no interest and no principal in any year, also before the return', async () => {
  const { db, act, open, receive, endDay, setClock } = await testAccounts()
  const on = '2027-02-26'
  const caseRef = await open({}, on)
  setClock(startOf(plusDays(on, 20)))
  await endDay(plusDays(on, 19))
  await receive(caseRef, 4_000_00n, plusDays(on, 20))
  const paid = yearTotals(await readEntries(db, caseRef), 2026)
  assert.ok(paid.interestCharged > 0n)
  assert.ok(paid.interestPaid > 0n)
  const returnedOn = '2027-04-02'
  setClock(startOf(returnedOn))
  await act(caseRef, (tx, at) => returnPayout(tx, { caseRef, on: returnedOn }, at))
  const entries = await readEntries(db, caseRef)
  for (const year of [2026, 2027]) {
    const { from: _from, until: _until, ...totals } = yearTotals(entries, year)
    const none = { interestCharged: 0n, interestPaid: 0n, principalPaid: 0n, penaltyPaid: 0n }
    assert.deepEqual(totals, { year, ...none })
  }
})

test('D3 §3: the totals leave out money beyond the agreed sum of a settlement', async () => {
  const { db, act, open, receive, endDay, setClock, view } = await testAccounts()
  const on = plusDays(disbursedOn, 17)
  for (const [sum, paise] of [
    [50_000_00n, 51_000_00n],
    [1_00n, 600_00n],
  ] as const) {
    const caseRef = await open()
    await endDay(plusDays(on, -1))
    setClock(startOf(on))
    await act(caseRef, (tx, at) => agreeSettlement(tx, caseRef, { paise: sum, until: on, today: on }, at))
    await receive(caseRef, paise, on)
    const { loanStatus, unappliedPaise } = await view(caseRef)
    assert.equal(loanStatus, 'CLOSED')
    assert.equal(unappliedPaise, paise - sum)
    const { interestPaid, principalPaid, penaltyPaid } = yearTotals(await readEntries(db, caseRef), 2026)
    assert.equal(interestPaid + principalPaid + penaltyPaid, sum)
    assert.ok(interestPaid >= 0n && principalPaid >= 0n && penaltyPaid >= 0n)
  }
})

test('D3 §2.5: the statement of a settled loan ends at zero, before and after the next due date', async () => {
  const accounts = await testAccounts()
  const { db, endDay } = accounts
  const on = plusDays(disbursedOn, 17)
  const caseRef = await openSettled(accounts, on)
  const settled = statementOf(await readEntries(db, caseRef))
  assert.deepEqual(
    settled.slice(-3).map(({ kind, installment, on }) => ({ kind, installment, on })),
    [
      { kind: 'RECEIPT', installment: null, on },
      { kind: 'DUE', installment: 3, on },
      { kind: 'SETTLEMENT', installment: null, on },
    ],
  )
  assert.equal(settled.at(-1)!.balance, 0n)
  await endDay(plusDays(on, 7))
  assert.deepEqual(statementOf(await readEntries(db, caseRef)), settled)
})

test('D3 §2.5: the statement of a loan that is closed early ends at the excess, before and after the next due date', async () => {
  const { db, open, receive, endDay, reverse } = await testAccounts()
  const on = plusDays(disbursedOn, 3)
  const later = plusDays(disbursedOn, 14)
  for (const [paise, excess] of [
    [100_197_00n, 0n],
    [102_697_00n, 2_500_00n],
  ] as const) {
    const caseRef = await open()
    await receive(caseRef, paise, on, `closing-${caseRef}`)
    const closed = statementOf(await readEntries(db, caseRef))
    assert.deepEqual(
      closed.map(({ kind, installment, added }) => ({ kind, installment, added })),
      [
        { kind: 'DISBURSEMENT', installment: null, added: 97_640_00n },
        { kind: 'FEE_DEDUCTED', installment: null, added: 2_360_00n },
        { kind: 'DUE', installment: 1, added: 197_00n },
        { kind: 'RECEIPT', installment: null, added: 0n },
      ],
    )
    assert.equal(closed.at(-1)!.balance, -excess)
    await endDay(later)
    assert.deepEqual(statementOf(await readEntries(db, caseRef)), closed)
    await reverse(caseRef, `closing-${caseRef}`, later)
    const { balance } = statementOf(await readEntries(db, caseRef)).at(-1)!
    const { PRINCIPAL, INTEREST, PENALTY, CHARGES } = await balancesOf(db, caseRef)
    assert.equal(balance, PRINCIPAL + INTEREST + PENALTY + CHARGES)
  }
})

test('D3 §2.5: the closing day is the day of the closing payment, even after later due dates and payments', async () => {
  const { db, open, receive, endDay } = await testAccounts()
  const caseRef = await open()
  const closing = plusDays(disbursedOn, 3)
  const later = plusDays(disbursedOn, 14)
  await receive(caseRef, 100_197_00n, closing)
  await endDay(later)
  await receive(caseRef, 1_00n, later)
  assert.equal(closingDay(await readEntries(db, caseRef)), closing)
})
