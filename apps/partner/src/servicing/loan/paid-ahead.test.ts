// Prepayments: a payment first pays the current instalment early, and the rest prepays principal, which then bears no
// interest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { payoffOf } from './account-view.ts'

const { db, setClock, open, setPartPaymentChoice, receive, reverse, view, requestExit, exitOn } = await testAccounts()
const on = (day: number): string => plusDays(disbursedOn, day)
const instalment = 4790_00n
const payoffQuote = async (caseRef: string, day: number) =>
  rupees((await payoffOf(db, caseRef, on(day), startOf(on(day))))!.total)
const rowsOf = async (caseRef: string) =>
  (await view(caseRef)).schedule.installments.map(({ status, principalPaise, interestPaise }) =>
    [status, rupees(principalPaise), rupees(interestPaise)].join(' '),
  )

test('D3 §2.5: a payoff on the day of the transfer costs no interest, in any number of payments', async () => {
  const onePayment = await open()
  const fourPayments = await open()
  await receive(onePayment, 4n * instalment, on(0))
  for (let i = 0; i < 4; i++) await receive(fourPayments, instalment, on(0), `receipt-${i}`)
  assert.deepEqual(await rowsOf(fourPayments), await rowsOf(onePayment))
  for (const caseRef of [onePayment, fourPayments]) {
    assert.equal(await payoffQuote(caseRef, 0), '80840.00')
    const { loanStatus, unapplied } = await receive(caseRef, 80_840_00n, on(0))
    assert.equal(loanStatus, 'CLOSED')
    assert.equal(unapplied, 0n)
    assert.equal((await balancesOf(db, caseRef)).INTEREST_INCOME, 0n)
  }
})

test('D3 §2.5: ten receipts on day one and a payoff on day two cost two days of interest', async () => {
  const caseRef = await open()
  for (let i = 0; i < 10; i++) await receive(caseRef, instalment, on(1), `receipt-${i}`)
  // Interest of one day on 1,00,000 and one day on 52,100: 65.75 + 34.26.
  assert.equal(await payoffQuote(caseRef, 2), '52200.00')
})

test('D3 §1: the exit amount after four prepaid instalments is the remaining principal less the fee', async () => {
  const caseRef = await open()
  for (let i = 0; i < 4; i++) await receive(caseRef, instalment, on(0), `receipt-${i}`)
  await requestExit(caseRef, on(0))
  assert.equal(rupees(await exitOn(caseRef, on(0))), '78480.00')
  assert.equal(await payoffQuote(caseRef, 0), '78480.00')
  assert.equal((await receive(caseRef, 78_480_00n, on(0), 'exit')).hasExited, true)
})

test('D3 §2.5: only the current instalment is paid early, and the next instalment stays due', async () => {
  const caseRef = await open()
  setClock(startOf(on(3)))
  const early = await receive(caseRef, instalment, on(3), 'early')
  assert.deepEqual(
    early.shares.map(({ number }) => number),
    [1],
  )
  assert.equal(early.principal, 0n)
  // Interest of three days on 1,00,000 and four on 95,210 is 447.55. The amount of the row is unchanged.
  assert.deepEqual((await rowsOf(caseRef)).slice(0, 2), ['PAID 4342.00 448.00', 'DUE 4350.00 440.00'])
  const more = await receive(caseRef, instalment, on(3), 'more')
  assert.deepEqual(more.shares, [])
  assert.equal(more.principal, instalment)
  const { schedule } = await view(caseRef)
  assert.deepEqual(
    schedule.installments.slice(0, 3).map(({ status, unpaidPaise }) => ({ status, unpaidPaise })),
    [
      { status: 'PAID', unpaidPaise: 0n },
      { status: 'DUE', unpaidPaise: instalment },
      { status: 'DUE', unpaidPaise: instalment },
    ],
  )
  await reverse(caseRef, 'early', on(4))
  await reverse(caseRef, 'more', on(4))
  const after = await view(caseRef)
  assert.equal(rupees(after.soa.principalPaise), '100000.00')
  assert.equal(after.schedule.installments.length, 22)
  // Interest of one day on 90,420 and six on 1,00,000.
  assert.equal(rupees(after.schedule.installments[0]!.interestPaise), '454.00')
})

test('D3 §3: an instalment paid early stays paid through a part payment and its reversal', async () => {
  setClock(startOf(on(1)))
  for (const keeps of ['INSTALLMENT', 'TERM'] as const) {
    const caseRef = await open()
    await setPartPaymentChoice(caseRef, keeps)
    await receive(caseRef, instalment, on(1), 'early')
    const before = await rowsOf(caseRef)
    // Interest of one day on 1,00,000 and six on 95,210; after the part payment, six on 2,210.
    assert.equal(before[0], 'PAID 4349.00 441.00')
    await receive(caseRef, 93_000_00n, on(1), 'part', true)
    assert.equal((await rowsOf(caseRef))[0], 'PAID 4716.00 74.00')
    await reverse(caseRef, 'part', on(1))
    assert.deepEqual(await rowsOf(caseRef), before)
    assert.equal(await payoffQuote(caseRef, 1), '95276.00')
  }
  setClock(startOf(on(0)))
})

test('D3 §3: the payment of a part of an instalment can be reversed in full after its interest changed', async () => {
  setClock(startOf(on(1)))
  const caseRef = await open()
  await receive(caseRef, 93_000_00n, on(1), 'part', true)
  await receive(caseRef, 1_000_00n, on(1), 'early')
  const firstRowPaid = async () => (await view(caseRef)).schedule.installments[0]!.paidPaise
  const firstRow = async () => (await rowsOf(caseRef))[0]
  assert.equal(await firstRowPaid(), 1_000_00n)
  assert.equal(await firstRow(), 'PART_PAID 4701.00 89.00')
  await reverse(caseRef, 'part', on(1))
  assert.equal(await firstRowPaid(), 1_000_00n)
  assert.equal(await firstRow(), 'PART_PAID 4334.00 456.00')
  assert.equal(rupees((await view(caseRef)).soa.principalPaise), '99456.00')
  await reverse(caseRef, 'early', on(1))
  const { soa } = await view(caseRef)
  assert.equal(rupees(soa.principalPaise), '100000.00')
  assert.equal(await firstRowPaid(), 0n)
  const balances = await balancesOf(db, caseRef)
  assert.equal(balances.INTEREST, 0n)
  assert.equal(balances.UNAPPLIED, 0n)
  setClock(startOf(on(0)))
})
