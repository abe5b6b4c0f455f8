// Interest refunds for money that the bank reported late: each reduces income, or income in suspense.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays } from '@lendloom/lending/calendar'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { payoffOf } from './account-view.ts'

const accounts = await testAccounts()
const { db, open, receive, reverse, endDay, view } = accounts
const interestIncomeOf = async (caseRef: string) => -(await balancesOf(db, caseRef)).INTEREST_INCOME
const setDay = (day: string) => accounts.setClock(new Date(`${day}T06:00:00.000Z`))

test('RBI, income recognition: an interest refund of a non-performing loan reduces suspense, not income', async () => {
  const pan = 'ABCPE1234F'
  await open({}, disbursedOn, pan)
  await endDay('2027-02-21')
  // The borrower's first loan is 91 days past due at the end of 25 February.
  const caseRef = await open({}, '2027-02-22', pan)
  await endDay('2027-02-26')
  setDay('2027-02-27')
  await receive(caseRef, 50_000_00n, '2027-02-23', 'late', true)
  await endDay('2027-02-27')
  const { assetClass, suspensePaise } = await view(caseRef)
  // Five days of interest on 1,00,000 accrued; four days of interest on 50,000 were refunded.
  assert.equal(assetClass, 'SUB_STANDARD')
  assert.equal(suspensePaise, 328_77n - 132_00n)
  assert.equal(await interestIncomeOf(caseRef), 0n)

  await reverse(caseRef, 'late', '2027-02-27')
  await endDay('2027-02-28')
  assert.equal(await interestIncomeOf(caseRef), 0n)
  assert.equal((await view(caseRef)).suspensePaise, 328_77n + 65_75n)
})

test('RBI, income recognition: a row whose payment is reversed suspends only the interest that was not refunded', async () => {
  const pan = 'ABCPE1235F'
  await open({}, '2027-03-01', pan)
  await endDay('2027-05-30')
  const caseRef = await open({}, '2027-05-31', pan)
  await endDay('2027-06-06')
  setDay('2027-06-07')
  await receive(caseRef, 4790_00n, '2027-06-07', 'first')
  await endDay('2027-06-07')
  setDay('2027-06-08')
  await receive(caseRef, 90_000_00n, '2027-06-01', 'late', true)
  await reverse(caseRef, 'first', '2027-06-08')
  await endDay('2027-06-08')
  assert.equal((await view(caseRef)).assetClass, 'SUB_STANDARD')
  assert.ok((await interestIncomeOf(caseRef)) >= 0n)
  // An amount that pays the row beyond its remaining interest is not income.
  await receive(caseRef, (await view(caseRef)).soa.overduePaise, '2027-06-08')
  const { soa, suspensePaise } = await view(caseRef)
  assert.equal(soa.overduePaise, 0n)
  const interestFor = (paise: bigint, days: bigint) => (paise * 24n * days) / 36500n
  const maxInterest = interestFor(100_000_00n, 1n) + interestFor(10_000_00n, 7n) + 200n
  assert.ok(
    (await interestIncomeOf(caseRef)) + suspensePaise <= maxInterest,
    'one day on 1,00,000, seven days on 10,000, and two rupees of rounding',
  )
})

test('D3 §6 rule 7: an early payment reported late gets a refund of the interest that each row charged since the value date', async () => {
  setDay('2027-03-01')
  const caseRef = await open({}, '2027-02-22')
  await receive(caseRef, 4790_00n, '2027-03-01', 'first')
  await endDay('2027-03-03')
  setDay('2027-03-04')
  await receive(caseRef, 2000_00n, '2027-02-26', 'early')
  const refunds = (await readEntries(db, caseRef))
    .filter(({ entryId }) => entryId === 'receipt-early')
    .flatMap(({ postings }) => postings.filter(({ debit }) => debit === 'INTEREST_INCOME'))
  // Interest on ₹2,000 for three days in the first row's week, and for three days in the second row's.
  assert.deepEqual(
    refunds.map(({ installment, paise }) => ({ installment, paise })),
    [
      { installment: 1, paise: 4_00n },
      { installment: 2, paise: 4_00n },
    ],
  )
  // Interest of the first week, and of three days on the remaining ₹95,670.
  const charged = 460_00n + 188_72n
  assert.equal(await interestIncomeOf(caseRef), charged - 8_00n)
  await reverse(caseRef, 'early', '2027-03-04')
  assert.equal((await view(caseRef)).loanStatus, 'ACTIVE', 'rows and ledger agree')
  assert.equal(await interestIncomeOf(caseRef), charged)
})

const dayOn = (days: number): string => plusDays(disbursedOn, days)
async function openLoanUntil(day: number, paise: bigint) {
  setDay(disbursedOn)
  const caseRef = await open({ penalty: { bps: 0, graceDays: 0, everyDays: 1, most: 0 } })
  if (paise > 0n) await receive(caseRef, paise, disbursedOn, 'ahead', true)
  await endDay(dayOn(day - 1))
  setDay(dayOn(day))
  return caseRef
}
/** Interest refunds of a loan's rows. */
async function refundsOf(caseRef: string): Promise<bigint[]> {
  const rows = await db<{ paise: bigint }>`
    select interest_given_back_paise as paise from installment where case_ref = ${caseRef} order by number`
  return rows.map(({ paise }) => paise).filter((paise) => paise > 0n)
}

test('D3 §6 rule 7: a payment reported after its instalment fell due gets a refund of the interest since the value date', async () => {
  const caseRef = await openLoanUntil(10, 0n)
  await receive(caseRef, 4790_00n, dayOn(5), 'late')
  // Two days of interest on 4,790 are 6.30. The instalment is fully paid, so the refund repays principal.
  assert.deepEqual(await refundsOf(caseRef), [6_00n])
  const { loanStatus, soa } = await view(caseRef)
  assert.equal(loanStatus, 'ACTIVE')
  assert.equal(soa.overduePaise, 0n)
})

test('D3 §6 rule 7: a payoff closes the loan even if the bank reports it after all rows fell due', async () => {
  const caseRef = await openLoanUntil(8, 90_000_00n)
  const total = (await payoffOf(db, caseRef, dayOn(8), new Date()))?.total ?? 0n
  await endDay(dayOn(40))
  setDay(dayOn(41))
  const before = await view(caseRef)
  assert.ok(before.schedule.installments.every(({ dueOn }) => dueOn < dayOn(41)) && before.soa.totalPaise > total)
  await receive(caseRef, total, dayOn(8), 'late')
  const closed = await view(caseRef)
  assert.equal(closed.loanStatus, 'CLOSED')
  assert.equal(closed.soa.totalPaise, 0n)

  await reverse(caseRef, 'late', dayOn(41))
  assert.equal((await view(caseRef)).soa.totalPaise, before.soa.totalPaise)
  assert.deepEqual(await refundsOf(caseRef), [])
})

test('D3 §6 rule 7: the interest refund does not depend on how late money is split into receipts', async () => {
  const caseRefs = [await openLoanUntil(12, 0n), await openLoanUntil(12, 0n)] as const
  const [single, split] = caseRefs
  for (const caseRef of caseRefs) await receive(caseRef, 4790_00n, dayOn(7), 'first')
  await receive(single, 4000_00n, dayOn(2), 'all', true)
  for (let i = 0; i < 80; i++) await receive(split, 50_00n, dayOn(2), `part-${i}`, true)
  assert.deepEqual(await refundsOf(split), await refundsOf(single))
  assert.ok((await refundsOf(single)).length > 0)
  assert.equal((await view(split)).soa.principalPaise, (await view(single)).soa.principalPaise)
})

test('D3 §6 rule 7: an interest refund after the loan was closed belongs to the borrower', async () => {
  const costs: bigint[] = []
  for (const knownOnDay of [10, 40]) {
    const caseRef = await openLoanUntil(10, 0n)
    if (knownOnDay === 10) await receive(caseRef, 29_000_00n, dayOn(10), 'news')
    await endDay(dayOn(37))
    setDay(dayOn(38))
    const { total = 0n } = (await payoffOf(db, caseRef, dayOn(38), new Date())) ?? {}
    await receive(caseRef, total, dayOn(38), 'closing')
    setDay(dayOn(40))
    if (knownOnDay === 40) await receive(caseRef, 29_000_00n, dayOn(10), 'news')
    const { loanStatus, unappliedPaise } = await view(caseRef)
    assert.equal(loanStatus, 'CLOSED')
    costs.push(total + 29_000_00n - unappliedPaise)
  }
  const [onTime = 0n, late = 0n] = costs
  // The rounding: one rupee for each of 22 rows, and one more.
  assert.ok(late - onTime <= 23_00n && onTime - late <= 23_00n, `cost ${late} late, ${onTime} on time`)
})

test('D3 §6 rule 7: money reported late reverses the same penal charges in one receipt as in two', async () => {
  for (const sums of [[4790_00n], [4000_00n, 790_00n], [790_00n, 4000_00n]]) {
    setDay(disbursedOn)
    const caseRef = await open()
    await endDay(dayOn(13))
    setDay(dayOn(14))
    await receive(caseRef, 48_00n, dayOn(14), 'charge')
    for (const [i, paise] of sums.entries()) await receive(caseRef, paise, dayOn(6), `late-${i}`)
    const { loanStatus, soa } = await view(caseRef)
    assert.equal(loanStatus, 'ACTIVE')
    assert.equal(soa.overduePaise, 0n)
    assert.equal(soa.penaltyPaise, 0n)
    assert.equal((await balancesOf(db, caseRef)).PENALTY_INCOME, 0n)
  }
})

test('D3 §6 rule 7: a receipt’s entry records the borrower’s part-payment choice and the day of the bank’s report', async () => {
  const caseRef = await openLoanUntil(10, 0n)
  await receive(caseRef, 1000_00n, dayOn(5), 'part', true)
  const receipt = (await readEntries(db, caseRef)).find(({ kind }) => kind === 'RECEIPT')
  assert.deepEqual(receipt?.choice, { isPartPayment: true, keeps: 'INSTALLMENT' })
  assert.equal(receipt?.knownOn, dayOn(10))
})
