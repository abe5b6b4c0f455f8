// Tests of the cooling-off exit: the exit amount, the fee refund, and later reversals of receipts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf, postEntries } from '#partner/books/ledger/post-entries.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { payoffOf } from './account-view.ts'
import { postPaidRefund, reserveRefund } from './refund.ts'
import { waiveDues } from './waiver.ts'

const { db, act, open, receive, reverse, view, endDay, requestExit, exitOn, setClock } = await testAccounts()
const on = (day: number): string => plusDays(disbursedOn, day)
const feesOf = async (caseRef: string) => {
  const { FEE_INCOME, TAX_PAYABLE, PRINCIPAL, BANK } = await balancesOf(db, caseRef)
  return [FEE_INCOME, TAX_PAYABLE, PRINCIPAL, BANK].map((paise) => rupees(paise))
}

test('D3 §1: an exit on day two costs the principal and two days of interest, less the fee', async () => {
  const caseRef = await open()
  assert.equal((await requestExit(caseRef, on(2))).until, on(5))
  // Principal of 1,00,000 and two days of interest (131.51), less the fee of 2,000 and the 18 % tax on the fee.
  const paise = await exitOn(caseRef, on(2))
  assert.equal(rupees(paise), '97772.00')
  const { hasExited, loanStatus, unapplied } = await receive(caseRef, paise, on(2), 'exit')
  assert.equal(hasExited, true)
  assert.equal(loanStatus, 'CLOSED')
  assert.equal(unapplied, 0n)
  await endDay(on(30))
  assert.deepEqual(await feesOf(caseRef), ['0.00', '0.00', '0.00', '132.00'])
  assert.equal((await view(caseRef)).soa.totalPaise, 0n)

  await reverse(caseRef, 'exit', on(31))
  const after = await view(caseRef)
  assert.equal(rupees(after.soa.principalPaise), '100000.00')
  assert.equal(after.loanStatus, 'OVERDUE')
  assert.deepEqual((await feesOf(caseRef)).slice(0, 2), ['-2000.00', '-360.00'])
})

test('D3 §1: the fee is refunded once, no matter how many receipts follow the exit', async () => {
  const paidTwice = await open()
  const paidOften = await open()
  await requestExit(paidTwice, on(0))
  const paise = await exitOn(paidTwice, on(0))
  assert.equal(rupees(paise), '97640.00')
  const first = await receive(paidTwice, paise, on(0), 'first')
  const again = await receive(paidTwice, paise, on(0), 'again')
  assert.equal(first.hasExited, true)
  assert.equal(again.hasExited, false)
  assert.equal(rupees(again.unapplied), '97640.00')
  assert.equal(rupees((await view(paidTwice)).unappliedPaise), '97640.00')
  assert.equal((await feesOf(paidTwice))[0], '0.00')

  await requestExit(paidOften, on(0))
  await receive(paidOften, await exitOn(paidOften, on(0)), on(0), 'exit')
  for (const name of ['a', 'b', 'c']) await receive(paidOften, 1_00n, on(0), name)
  assert.equal(rupees((await view(paidOften)).unappliedPaise), '3.00')
  assert.deepEqual((await feesOf(paidOften)).slice(0, 2), ['0.00', '0.00'])
})

test('D3 §1: the fee is owed again after an earlier receipt is returned, until a new exit in time', async () => {
  const inTime = await open()
  const late = await open()
  for (const caseRef of [inTime, late]) {
    await receive(caseRef, 97_000_00n, on(1), 'earlier')
    await requestExit(caseRef, on(1))
    const paise = await exitOn(caseRef, on(1))
    assert.equal(rupees(paise), '706.00')
    assert.equal((await receive(caseRef, paise, on(1), 'exit')).hasExited, true)
    await reverse(caseRef, 'earlier', on(4))
    const { soa, loanStatus } = await view(caseRef)
    assert.equal(rupees(soa.principalPaise), '99294.00')
    assert.equal(loanStatus, 'ACTIVE')
    assert.deepEqual((await feesOf(caseRef)).slice(0, 2), ['-2000.00', '-360.00'], 'the fee is owed again')
  }
  const quote = (await payoffOf(db, inTime, on(4), startOf(on(4))))!
  assert.equal(rupees(quote.total), '97000.00')
  assert.equal(rupees(quote.feePaise), '2360.00')
  const { hasExited, loanStatus, unapplied } = await receive(inTime, quote.total, on(4), 'new exit')
  assert.equal(hasExited, true)
  assert.equal(loanStatus, 'CLOSED')
  assert.equal(unapplied, 0n)
  assert.deepEqual((await feesOf(inTime)).slice(0, 2), ['0.00', '0.00'])
  assert.equal((await payoffOf(db, late, on(9), startOf(on(9))))!.feePaise, 0n)
})

test('D3 §1: the fee stays refunded when a receipt is returned and no principal is outstanding', async () => {
  for (const returnedOn of [2, 15]) {
    setClock(startOf(on(1)))
    const caseRef = await open()
    await receive(caseRef, (await payoffOf(db, caseRef, on(1), startOf(on(1))))!.total, on(1), 'all')
    await receive(caseRef, 1_00n, on(1), 'too much')
    await requestExit(caseRef, on(1))
    const paise = (await view(caseRef)).unappliedPaise
    assert.equal(rupees(paise), '2361.00')
    const refund = { caseRef, refundId: 'fee', on: on(1) }
    if (returnedOn === 2) {
      await act(caseRef, (tx, at) => reserveRefund(tx, refund, paise, { at }))
      await act(caseRef, (tx, at) => postPaidRefund(tx, refund, paise, at))
    }
    await reverse(caseRef, 'too much', on(returnedOn))
    const { loanStatus, unappliedPaise } = await view(caseRef)
    // When the 1.00 is returned after the refund was paid, the borrower owes that 1.00.
    const expectedBalance = returnedOn === 2 ? '-1.00' : '2360.00'
    assert.equal(loanStatus, 'CLOSED')
    assert.equal(rupees(unappliedPaise), expectedBalance)
    assert.equal((await feesOf(caseRef))[0], '0.00')
  }
})

test('D3 §2.5: the database rejects a second active fee refund', async () => {
  const caseRef = await open()
  await requestExit(caseRef, on(0))
  await receive(caseRef, await exitOn(caseRef, on(0)), on(0), 'exit')
  const [entry] = (await readEntries(db, caseRef)).filter(({ kind }) => kind === 'FEE_RETURN')
  const second = { ...entry!, entryId: entry!.entryId.replace(/exit$/, 'other') }
  await assert.rejects(
    db.tx((tx) => postEntries(tx, [second], { at: new Date(), on: on(0) })),
    /ledger_entry_fee_returned_once/,
  )
})

test('D3 §1: the fee is not refunded without a timely request and a timely payment of the full exit amount', async () => {
  const withoutRequest = await open()
  const tooLittle = await open()
  const late = await open()
  const paise = await exitOn(withoutRequest, on(1))
  assert.equal((await receive(withoutRequest, paise, on(1))).hasExited, false)
  await requestExit(tooLittle, on(1))
  assert.equal((await receive(tooLittle, paise - 1n, on(1))).hasExited, false)
  assert.equal((await view(tooLittle)).loanStatus, 'ACTIVE')
  assert.deepEqual((await feesOf(tooLittle)).slice(0, 2), ['-2000.00', '-360.00'])
  await assert.rejects(requestExit(late, on(4)), /choose a day from 20 Nov 2026 to 23 Nov 2026/)
  await requestExit(late, on(3))
  assert.equal((await receive(late, await exitOn(late, on(7)), on(7))).hasExited, false, 'the money came too late')
})

test('D3 §1: a fee refund above the outstanding principal pays interest, and the rest becomes unapplied balance', async () => {
  const caseRef = await open()
  await receive(caseRef, 99_000_00n, on(1), 'much', true)
  const { loanStatus, hasExited } = await requestExit(caseRef, on(1))
  assert.equal(loanStatus, 'CLOSED')
  assert.equal(hasExited, true)
  // The refund of 2,360, less 1,000 of principal and a day of interest.
  assert.equal(rupees((await view(caseRef)).unappliedPaise), '1294.00')
  await receive(caseRef, 66_00n, on(1), 'more')
  assert.equal(rupees((await view(caseRef)).unappliedPaise), '1360.00')
  await reverse(caseRef, 'more', on(2))
  assert.equal(rupees((await view(caseRef)).unappliedPaise), '1294.00', 'no principal is outstanding')
  assert.equal((await feesOf(caseRef))[0], '0.00')
  await reverse(caseRef, 'much', on(2))
  const { soa, unappliedPaise } = await view(caseRef)
  assert.equal(rupees(soa.principalPaise), '100000.00')
  assert.equal(unappliedPaise, 0n)
  assert.deepEqual((await feesOf(caseRef)).slice(0, 2), ['-2000.00', '-360.00'])
})

test('D3 §1: a request made in time may be recorded days later with a reference', async () => {
  const caseRef = await open()
  const request = { requestedOn: on(3), reference: 'GRV-000118' }
  await assert.rejects(
    requestExit(caseRef, on(6), { requestedOn: on(3) }),
    /enter the number of the complaint or message/,
  )
  await endDay(on(5))
  assert.equal(
    (await requestExit(caseRef, on(6), request)).until,
    on(9),
    'the payment deadline counts from the recording',
  )
  const { exitRequestedOn, exitReference } = await view(caseRef)
  assert.equal(exitRequestedOn, on(3))
  assert.equal(exitReference, 'GRV-000118')
  // Interest until the payment: six days of 1,00,000 at 24 %.
  const paise = await exitOn(caseRef, on(6))
  assert.equal(rupees(paise), '98035.00')
  const { hasExited, loanStatus } = await receive(caseRef, paise, on(6), 'exit')
  assert.equal(hasExited, true)
  assert.equal(loanStatus, 'CLOSED')
  assert.deepEqual((await feesOf(caseRef)).slice(0, 2), ['0.00', '0.00'])
})

test('D3 §1: rejects a request date in the future, before disbursement, after the cooling-off period, or over 30 days ago', async () => {
  const caseRef = await open()
  const reference = 'GRV-000118'
  for (const [requestedOn, today, why] of [
    [on(2), on(1), /choose a day from 20 Nov 2026 to 21 Nov 2026/],
    [on(-1), on(1), /choose a day from 20 Nov 2026/],
    [on(4), on(5), /choose a day from 20 Nov 2026 to 23 Nov 2026/],
    [on(1), on(32), /choose a day from 22 Nov 2026 to 23 Nov 2026/],
    [on(3), on(34), /the cooling-off period ended on 23 Nov 2026/],
  ] as const)
    await assert.rejects(requestExit(caseRef, today, { requestedOn, reference }), why)
  const { exitUntil, exitRequestedOn } = await view(caseRef)
  assert.equal(exitUntil, null)
  assert.equal(exitRequestedOn, null)
  assert.equal((await requestExit(caseRef, on(33), { requestedOn: on(3), reference })).until, on(36))
})

test('D3 §1: a payment of the exit amount completes the exit even if the bank reports the payment late', async () => {
  const caseRef = await open()
  await requestExit(caseRef, on(0))
  const paise = await exitOn(caseRef, on(1))
  await endDay(on(8))
  setClock(startOf(on(9)))
  const { hasExited, loanStatus, unapplied } = await receive(caseRef, paise, on(1), 'exit')
  assert.equal(hasExited, true)
  assert.equal(loanStatus, 'CLOSED')
  assert.ok(unapplied <= 2_00n, 'at most one rounding per row')
  await endDay(on(14))
  const { FEE_INCOME, TAX_PAYABLE, INTEREST_INCOME } = await balancesOf(db, caseRef)
  assert.equal(FEE_INCOME, 0n)
  assert.equal(TAX_PAYABLE, 0n)
  assert.equal(INTEREST_INCOME, -(paise - 97_640_00n) + unapplied)
  await reverse(caseRef, 'exit', on(15))
  assert.equal((await view(caseRef)).soa.principalPaise, 100_000_00n)
})

test('D3 §1: an exit with nothing left to pay completes at once, until the earlier payment is reversed', async () => {
  setClock(startOf(on(0)))
  const caseRef = await open()
  const paise = await exitOn(caseRef, on(0))
  await receive(caseRef, paise, on(0), 'before')
  assert.equal((await view(caseRef)).loanStatus, 'ACTIVE')
  assert.equal(await exitOn(caseRef, on(0)), 0n)
  const result = await requestExit(caseRef, on(0))
  assert.equal(result.hasExited, true)
  assert.equal(result.loanStatus, 'CLOSED')
  const { loanStatus, unappliedPaise, schedule } = await view(caseRef)
  assert.equal(loanStatus, 'CLOSED')
  assert.equal(unappliedPaise, 0n)
  assert.equal(schedule.scheduleVersion, 3)
  assert.deepEqual((await feesOf(caseRef)).slice(0, 3), ['0.00', '0.00', '0.00'])
  await assert.rejects(requestExit(caseRef, on(0)), /has no fee to refund/)
  await reverse(caseRef, 'before', on(1))
  assert.deepEqual((await feesOf(caseRef)).slice(0, 3), ['-2000.00', '-360.00', '100000.00'])
  const exitPayment = await receive(caseRef, await exitOn(caseRef, on(1)), on(1), 'exit')
  assert.equal(exitPayment.hasExited, true)
  assert.equal(exitPayment.loanStatus, 'CLOSED')
  assert.deepEqual((await feesOf(caseRef)).slice(0, 3), ['0.00', '0.00', '0.00'])
})

test('D3 §1: the fee is refunded when the borrower closes the loan first and requests the exit later', async () => {
  setClock(startOf(on(1)))
  const inTime = await open()
  const bounced = await open()
  const late = await open()
  for (const caseRef of [inTime, bounced, late]) {
    const { total } = (await payoffOf(db, caseRef, on(1), startOf(on(1))))!
    assert.equal((await receive(caseRef, total, on(1), 'all')).loanStatus, 'CLOSED')
  }
  const request = { requestedOn: on(3), reference: 'GRV-000118' }
  for (const caseRef of [inTime, bounced]) {
    const { hasExited, loanStatus } = await requestExit(caseRef, on(6), request)
    assert.equal(hasExited, true)
    assert.equal(loanStatus, 'CLOSED')
    assert.equal((await feesOf(caseRef))[0], '0.00')
    assert.equal(rupees((await view(caseRef)).unappliedPaise), '2360.00')
  }
  await reverse(bounced, 'all', on(7))
  const { soa, unappliedPaise } = await view(bounced)
  assert.equal(rupees(soa.principalPaise), '100000.00')
  assert.equal(unappliedPaise, 0n)
  assert.deepEqual((await feesOf(bounced)).slice(0, 2), ['-2000.00', '-360.00'])
  await assert.rejects(requestExit(late, on(4)), /choose a day from 20 Nov 2026 to 23 Nov 2026/)
  assert.equal((await view(late)).unappliedPaise, 0n)
})

for (const tenureWeeks of [1, 2, 3, 22])
  test(`D3 §1: the exit payment of a ${tenureWeeks}-week loan completes the exit even if reported after all rows fell due`, async () => {
    setClock(startOf(on(4)))
    const caseRef = await open({ coolOffDays: 10, tenureWeeks })
    await requestExit(caseRef, on(4))
    const paise = await exitOn(caseRef, on(4))
    await endDay(on(7 * tenureWeeks + 3))
    setClock(startOf(on(7 * tenureWeeks + 4)))
    const { hasExited, loanStatus } = await receive(caseRef, paise, on(4), 'exit')
    assert.equal(hasExited, true)
    assert.equal(loanStatus, 'CLOSED')
    const { soa, unappliedPaise } = await view(caseRef)
    assert.equal(soa.totalPaise, 0n)
    assert.equal(unappliedPaise, 0n)
    const { INTEREST_INCOME, PENALTY_INCOME } = await balancesOf(db, caseRef)
    assert.equal(INTEREST_INCOME, 97_640_00n - paise, 'four days of interest')
    assert.equal(PENALTY_INCOME, 0n)
    assert.deepEqual((await feesOf(caseRef)).slice(0, 3), ['0.00', '0.00', '0.00'])
  })

test('D3 §1: a waiver of all dues above the fee completes a requested exit at once', async () => {
  setClock(startOf(on(3)))
  const caseRef = await open({ coolOffDays: 10 })
  await receive(caseRef, 97_700_00n, on(3), 'principal', true)
  assert.equal((await requestExit(caseRef, on(6))).hasExited, false)
  await endDay(on(7))
  const { waivable, loanStatus } = await view(caseRef)
  assert.equal(rupees(waivable.interest), '203.00')
  assert.equal(loanStatus, 'OVERDUE')
  const waiver = { caseRef, waiverId: '1', on: on(8), ...waivable }
  await act(caseRef, (tx, at) => waiveDues(tx, { ...waiver, interest: 100_00n }, at))
  assert.equal((await feesOf(caseRef))[0], '-2000.00', 'dues remain')
  const { hasExited } = await act(caseRef, (tx, at) =>
    waiveDues(tx, { ...waiver, waiverId: '2', penalty: 0n, interest: waivable.interest - 100_00n }, at),
  )
  assert.equal(hasExited, true)
  const after = await view(caseRef)
  assert.equal(after.loanStatus, 'CLOSED')
  assert.equal(rupees(after.unappliedPaise), '60.00')
  assert.deepEqual((await feesOf(caseRef)).slice(0, 3), ['0.00', '0.00', '0.00'])
  await reverse(caseRef, 'principal', on(8))
  assert.deepEqual((await feesOf(caseRef)).slice(0, 2), ['-2000.00', '-360.00'], 'the fee is owed again')
})

test('D3 §1: a timely payment completes an exit that is recorded days later, without interest for those days', async () => {
  setClock(startOf(on(2)))
  const inTime = await open()
  const late = await open()
  const short = await open()
  const paise = await exitOn(inTime, on(2))
  await receive(inTime, paise, on(2), 'in time')
  await receive(short, paise - 5_00n, on(2), 'short')
  setClock(startOf(on(5)))
  await receive(late, await exitOn(late, on(5)), on(5), 'after the request')
  await endDay(on(6))
  setClock(startOf(on(7)))
  const request = { requestedOn: on(2), reference: 'GRV-000118' }
  assert.equal((await requestExit(short, on(7), request)).hasExited, false, 'the payment is five rupees short')
  for (const caseRef of [inTime, late]) {
    const { hasExited, loanStatus } = await requestExit(caseRef, on(7), request)
    assert.equal(hasExited, true)
    assert.equal(loanStatus, 'CLOSED')
    assert.equal((await view(caseRef)).unappliedPaise, 0n)
    assert.deepEqual((await feesOf(caseRef)).slice(0, 3), ['0.00', '0.00', '0.00'])
  }
  await endDay(on(8))
  const { INTEREST_INCOME, INTEREST, ACCRUED_INTEREST } = await balancesOf(db, inTime)
  assert.equal(INTEREST_INCOME, 97_640_00n - paise, 'two days of interest')
  assert.equal(INTEREST, 0n)
  assert.equal(ACCRUED_INTEREST, 0n)
  await reverse(inTime, 'in time', on(9))
  assert.deepEqual((await feesOf(inTime)).slice(0, 3), ['-2000.00', '-360.00', '100000.00'])
  assert.equal((await view(inTime)).loanStatus, 'OVERDUE')
})
