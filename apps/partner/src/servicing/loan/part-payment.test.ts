// Tests of part payments: interest compared with computed figures, and the replanned rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { payoffOf } from './account-view.ts'
import { waiveDues } from './waiver.ts'

const { db, setClock, open, setPartPaymentChoice, receive, reverse, view, endDay, act, chargeRows } =
  await testAccounts()
const interestOf = async (caseRef: string): Promise<string> => {
  const { schedule } = await view(caseRef)
  return rupees(schedule.installments.reduce((sum, { interestPaise }) => sum + interestPaise, 0n))
}
const amountsOf = async (caseRef: string) =>
  (await view(caseRef)).schedule.installments.map((row) => rupees(row.amountPaise))
const on = (day: number): string => plusDays(disbursedOn, day)

test('D3 §2.5: ₹50,000 prepaid on the day of the transfer leave ₹1,362 of interest at the same instalment, ₹2,688 over the same term', async () => {
  const shorter = await open()
  const lower = await open()
  await setPartPaymentChoice(lower, 'TERM')
  await receive(shorter, 50_000_00n, disbursedOn, 'p', true)
  await receive(lower, 50_000_00n, disbursedOn, 'p', true)
  assert.equal(await interestOf(shorter), '1362.00')
  assert.equal(await interestOf(lower), '2688.00')
  const shorterAmounts = await amountsOf(shorter)
  const lowerAmounts = await amountsOf(lower)
  assert.equal(shorterAmounts.length, 11)
  assert.equal(shorterAmounts[0], '4790.00')
  assert.equal(shorterAmounts.at(-2), '4790.00')
  assert.equal(lowerAmounts.length, 22)
  assert.equal(lowerAmounts[0], '2395.00')
  const { soa, schedule, loanStatus } = await view(shorter)
  assert.equal(rupees(soa.principalPaise), '50000.00')
  assert.equal(schedule.scheduleVersion, 2)
  assert.equal(loanStatus, 'ACTIVE')
})

test('D3 §2.5: a part payment that keeps the term keeps it before or after another payment of the same day', async () => {
  const before = await open()
  const after = await open()
  for (const caseRef of [before, after]) await setPartPaymentChoice(caseRef, 'TERM')
  await receive(after, 50_000_00n, on(2), 'part', true)
  await receive(after, 1_000_00n, on(2), 'little')
  await receive(before, 1_000_00n, on(2), 'little')
  await receive(before, 50_000_00n, on(2), 'part', true)
  assert.equal((await amountsOf(after)).length, 22)
  assert.deepEqual(await amountsOf(after), await amountsOf(before))
  // After the reversal, the amount of the current row is owed again within the term.
  await reverse(after, 'little', on(3))
  assert.equal((await amountsOf(after)).length, 22)
})

test('D3 §2.5: a part payment during a week reduces the interest of the remaining days, actual/365', async () => {
  const caseRef = await open()
  await receive(caseRef, 4790_00n, on(7))
  await endDay(on(7))
  await receive(caseRef, 45_670_00n, on(10), 'part', true)
  const [, second, third] = (await view(caseRef)).schedule.installments
  // Interest of three days on 95,670 and four on 50,000: 188.72 + 131.51.
  assert.equal(rupees(second!.interestPaise), '320.00')
  assert.equal(rupees(second!.amountPaise), '4790.00')
  // Interest of one week on the remaining 45,530 at 24 %.
  assert.equal(rupees(third!.interestPaise), '210.00')
})

test('D3 §2.5: a part payment pays overdue amounts first, then principal', async () => {
  const caseRef = await open()
  await endDay(on(7))
  const { shares, principal } = await receive(caseRef, 20_000_00n, on(8), 'part', true)
  assert.deepEqual(
    shares.map(({ number }) => number),
    [1],
  )
  assert.equal(rupees(principal), '15210.00')
  const after = await view(caseRef)
  assert.equal(after.loanStatus, 'ACTIVE')
  assert.equal(after.soa.overduePaise, 0n)
})

test('D3 §2.5: a small part payment prepays principal, and an instalment paid early stays paid', async () => {
  const caseRef = await open()
  await receive(caseRef, 4790_00n, on(3), 'early')
  const { principal } = await receive(caseRef, 1_000_00n, on(4), 'little', true)
  assert.equal(principal, 1_000_00n)
  const { schedule, soa } = await view(caseRef)
  const [first] = schedule.installments
  assert.equal(first!.status, 'PAID')
  assert.equal(rupees(first!.amountPaise), '4790.00')
  assert.equal(rupees(first!.interestPaise), '446.00')
  assert.equal(
    rupees(soa.principalPaise),
    rupees(100_000_00n - 4344_00n - 1_000_00n),
    'the overpaid interest repays principal',
  )
  await reverse(caseRef, 'early', on(5))
  assert.equal(rupees((await view(caseRef)).soa.principalPaise), '99000.00')
})

test('D3 §3: a reversed part payment is owed again from the day of the reversal, over the agreed term', async () => {
  const shorter = await open()
  const lower = await open()
  await setPartPaymentChoice(lower, 'TERM')
  await receive(shorter, 50_000_00n, on(0), 'p')
  await receive(lower, 50_000_00n, on(0), 'p')
  for (const caseRef of [shorter, lower]) {
    await reverse(caseRef, 'p', on(3))
    const { soa, schedule, loanStatus } = await view(caseRef)
    assert.equal(rupees(soa.principalPaise), '100000.00')
    assert.equal(schedule.installments.length, 22)
    assert.equal(schedule.scheduleVersion, 3)
    assert.equal(loanStatus, 'ACTIVE')
    // The part payment bears no interest for three days: 230.14 (a week on 50,000) and 131.51 (four days on 50,000).
    assert.equal(rupees(schedule.installments[0]!.interestPaise), '362.00')
  }
  assert.deepEqual((await amountsOf(shorter)).slice(0, 2), ['4790.00', '4790.00'])
})

test('D3 §3: a reversal adds rows to a shortened loan only if the instalment would exceed the agreed instalment', async () => {
  const countAndAmount = async (caseRef: string) => {
    const amounts = await amountsOf(caseRef)
    return { count: amounts.length, second: amounts[1] }
  }
  const openShortened = async (name: string) => {
    const caseRef = await open()
    await receive(caseRef, 40_000_00n, on(1), name, true)
    await setPartPaymentChoice(caseRef, 'TERM')
    return caseRef
  }
  const little = await openShortened('part')
  await receive(little, 1_00n, on(1), 'little', true)
  assert.deepEqual(await countAndAmount(little), { count: 13, second: '4765.00' })
  await reverse(little, 'little', on(1))
  assert.deepEqual(
    await countAndAmount(little),
    { count: 13, second: '4765.00' },
    'no row is added below the agreed instalment',
  )

  const closed = await openShortened('part')
  await receive(closed, 1_000_00n, on(1), 'lowered', true)
  const before = await countAndAmount(closed)
  await receive(closed, 70_000_00n, on(1), 'wrong', true)
  await reverse(closed, 'wrong', on(1))
  assert.deepEqual(await countAndAmount(closed), before, 'reversing a closing receipt restores the schedule')

  const maximum = await openShortened('part')
  await receive(maximum, 10_000_00n, on(1), 'lowered', true)
  await reverse(maximum, 'part', on(1))
  assert.deepEqual(
    await countAndAmount(maximum),
    { count: 22, second: '4311.00' },
    'no row beyond the agreed term is needed',
  )
})

test('D3 §3: reversing a part payment near the end of the term never raises an instalment above the agreed amount', async () => {
  const caseRef = await open()
  await setPartPaymentChoice(caseRef, 'TERM')
  await receive(caseRef, 50_000_00n, on(0), 'p', true)
  for (let day = 7; day <= 140; day += 7) {
    await receive(caseRef, 2395_00n, on(day))
    await endDay(on(day))
  }
  await reverse(caseRef, 'p', on(141))
  const futureAmounts = (await amountsOf(caseRef)).slice(20)
  assert.equal(futureAmounts.length, 12)
  assert.ok(futureAmounts.every((amount) => Number(amount) <= 4790))
})

test('D3 §3: a reversal adds a row if the current week’s interest would raise the last instalment above the agreed amount', async () => {
  const caseRef = await open()
  setClock(startOf(on(6)))
  await setPartPaymentChoice(caseRef, 'TERM')
  await receive(caseRef, 4600_00n, on(6), 'part', true)
  await setPartPaymentChoice(caseRef, 'INSTALLMENT')
  await receive(caseRef, 95_300_00n, on(6), 'nearly all', true)
  assert.deepEqual(await amountsOf(caseRef), ['495.00'])
  // A single row would be 5,098: principal of 4,700, and interest of six days on 1,00,000 and one on 4,700 (398).
  await reverse(caseRef, 'part', on(6))
  assert.deepEqual(await amountsOf(caseRef), ['2366.00', '2745.00'])
  setClock(startOf(on(0)))
})

test('D3 §3: a reversed early instalment is spread over all rows, not added to the last row', async () => {
  const caseRef = await open()
  await setPartPaymentChoice(caseRef, 'TERM')
  await receive(caseRef, 4790_00n, on(3), 'early')
  await receive(caseRef, 95_000_00n, on(3), 'part', true)
  await reverse(caseRef, 'early', on(4))
  const amounts = await amountsOf(caseRef)
  assert.equal(amounts.length, 22)
  assert.ok(
    amounts.every((amount) => Number(amount) < 500),
    amounts.join(' '),
  )
})

test('D3 §4.4: a part payment, its reversal and a waiver each store the earlier schedule version with the reason', async () => {
  const caseRef = await open()
  const versions: string[][] = []
  const pushVersion = async () => versions.push(await principalsOf(caseRef))
  const principalsOf = async (ref: string) =>
    (await view(ref)).schedule.installments.map(({ principalPaise }) => String(principalPaise))
  await pushVersion()
  await receive(caseRef, 50_000_00n, on(0), 'p')
  await pushVersion()
  await reverse(caseRef, 'p', on(3))
  await endDay(on(7))
  await pushVersion()
  const amounts = { penalty: 0n, charges: 0n, interest: 1_00n }
  await act(caseRef, (tx, at) => waiveDues(tx, { ...amounts, caseRef, waiverId: 'w', on: on(8) }, at))
  const { schedule } = await view(caseRef)
  assert.equal(schedule.scheduleVersion, 4)
  const history = await db<{ scheduleVersion: number; reason: string; rows: { due: { principal: string } }[] }>`
    select schedule_version, reason, rows from schedule_history where case_ref = ${caseRef} order by schedule_version`
  assert.deepEqual(
    history.map(({ scheduleVersion, reason }) => ({ scheduleVersion, reason })),
    [
      { scheduleVersion: 1, reason: 'PART_PAYMENT' },
      { scheduleVersion: 2, reason: 'RECEIPT_REVERSED' },
      { scheduleVersion: 3, reason: 'WAIVER' },
    ],
  )
  assert.deepEqual(
    history.map(({ rows }) => rows.map(({ due }) => due.principal)),
    versions,
  )
  const kinds = (await readEntries(db, caseRef)).map(({ kind }) => kind)
  for (const kind of ['RECEIPT', 'REVERSAL', 'WAIVER'] as const) assert.ok(kinds.includes(kind), kind)
})

test('D3 §3: reversing a closing receipt keeps the due dates and charges no penalty', async () => {
  const sameDay = await open()
  const later = await open()
  const nextWeek = await open()
  const dates = async (caseRef: string) => (await view(caseRef)).schedule.installments.map(({ dueOn }) => dueOn)
  const agreed = await dates(sameDay)
  for (const [caseRef, reversedOn] of [
    [sameDay, 3],
    [later, 5],
    [nextWeek, 9],
  ] as const) {
    setClock(startOf(on(3)))
    assert.equal((await receive(caseRef, 130_000_00n, on(3), 'wrong')).loanStatus, 'CLOSED')
    await endDay(on(reversedOn - 1))
    setClock(startOf(on(reversedOn)))
    await reverse(caseRef, 'wrong', on(reversedOn))
    assert.deepEqual((await dates(caseRef)).slice(0, agreed.length), agreed)
    const { loanStatus, soa } = await view(caseRef)
    assert.equal(loanStatus, reversedOn < 7 ? 'ACTIVE' : 'OVERDUE')
    assert.equal(soa.penaltyPaise, 0n)
  }
  setClock(startOf(on(0)))
})

test('D3 §2.5: a full repayment includes interest until that day, and closes the loan', async () => {
  const caseRef = await open()
  const { loanStatus, principal, unapplied } = await receive(caseRef, 100_197_00n, on(3))
  assert.equal(loanStatus, 'CLOSED')
  assert.equal(rupees(principal), '100000.00')
  assert.equal(unapplied, 0n)
  const { schedule, soa } = await view(caseRef)
  assert.deepEqual(
    schedule.installments.map(({ number, dueOn, amountPaise, status }) => ({
      number,
      dueOn,
      amount: rupees(amountPaise),
      status,
    })),
    [{ number: 1, dueOn: on(7), amount: '197.00', status: 'PAID' }],
  )
  assert.equal(soa.totalPaise, 0n)
})

test('D3 §6 rule 7: interest that was charged on a part payment reported late is refunded as principal', async () => {
  const caseRef = await open()
  await receive(caseRef, 4790_00n, on(7))
  await endDay(on(7))
  setClock(startOf(on(7)))
  const { principal } = await receive(caseRef, 50_000_00n, on(5), 'part', true)
  // The row charged 460. It should have charged 395: five days on 1,00,000 and two on 50,000.
  assert.equal(rupees(principal), '50065.00')
  assert.equal(rupees((await view(caseRef)).soa.principalPaise), rupees(95_670_00n - 50_000_00n - 65_00n))
})

test('D3 §2.5: interest accrues by the day at month-ends and payments, and adds up to the row’s interest', async () => {
  const caseRef = await open()
  await endDay('2026-11-30')
  const incomeOf = async () => rupees(-(await balancesOf(db, caseRef)).INTEREST_INCOME)
  // Interest of the first week, and of three days on the remaining 95,670 (188.72).
  assert.equal(await incomeOf(), '648.72')
  await receive(caseRef, 4790_00n, '2026-12-01')
  assert.equal(rupees((await balancesOf(db, caseRef)).ACCRUED_INTEREST), '251.63')
  await endDay('2026-12-04')
  const [, second] = (await view(caseRef)).schedule.installments
  assert.equal(await incomeOf(), rupees(460_00n + second!.interestPaise))
  assert.equal((await balancesOf(db, caseRef)).ACCRUED_INTEREST, 0n)
})

test('D3 §2.5: the weeks of two rows never overlap, even if a row was added while earlier rows were prepaid', async () => {
  const caseRef = await open()
  await chargeRows(caseRef, [0n, 0n, 100n])
  setClock(startOf(on(1)))
  await receive(caseRef, 1_000_00n, on(1), 'a little', true)
  await receive(caseRef, 4790_00n, on(1), 'first row')
  await receive(caseRef, 4790_00n, on(1), 'second row')
  await receive(caseRef, 50_000_00n, on(1), 'half', true)
  await receive(caseRef, (await view(caseRef)).soa.principalPaise + 100n, on(1), 'rest')
  assert.equal((await view(caseRef)).loanStatus, 'CLOSED')
  // The third row’s charge is paid, so the reversal adds a fourth row for the principal owed again.
  await reverse(caseRef, 'a little', on(1))
  await endDay(on(14))
  await reverse(caseRef, 'half', on(15))
  setClock(startOf(on(15)))
  const owed = (await view(caseRef)).schedule.installments[2]!.unpaidPaise
  await receive(caseRef, owed, on(15), 'third row')
  setClock(startOf(on(21)))
  await receive(caseRef, 1_00n, on(21), 'one rupee', true)
  const [, , third, fourth] = (await view(caseRef)).schedule.installments
  // The fourth row has one week of interest on the remaining principal.
  const { installments } = (await view(caseRef)).schedule
  const left = installments.slice(3).reduce((sum, { principalPaise }) => sum + principalPaise, 0n)
  assert.equal(third!.dueOn, on(21))
  assert.equal(fourth!.dueOn, on(28))
  assert.equal(rupees(fourth!.interestPaise), rupees(((left * 24n * 7n + 36_500_00n / 2n) / 36_500_00n) * 1_00n))
})

test('D3 §1: a foreclosure quote for a later day includes dues and charges until that day, and closes the loan exactly', async () => {
  const overdueFrom = 7
  for (const [quotedOn, validOn] of [
    [overdueFrom + 3, overdueFrom + 13],
    [3, 25],
    [overdueFrom + 1, overdueFrom + 1],
  ] as const) {
    const exact = await open()
    const short = await open()
    await endDay(on(quotedOn - 1))
    const quote = (await payoffOf(db, exact, on(validOn), startOf(on(quotedOn))))!
    await endDay(on(validOn - 1))
    setClock(startOf(on(validOn)))
    await receive(exact, quote.total, on(validOn))
    await receive(short, quote.total - 1n, on(validOn))
    const paidExactly = await view(exact)
    assert.equal(paidExactly.loanStatus, 'CLOSED', `${validOn}`)
    assert.equal(paidExactly.soa.totalPaise, 0n, `${validOn}`)
    assert.notEqual((await view(short)).loanStatus, 'CLOSED')
  }
})
