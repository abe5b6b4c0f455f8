// A loan account from the transfer to its closure, on a real database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { uuidv4 } from '@lendloom/seal/id'
import { disbursedOn, newCase, openingOf, proposedTerms, testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { daysWithoutPenalty } from '#partner/origination/terms/penalty.ts'
import { finalTerms } from '#partner/origination/terms/terms.ts'
import { accountOf, dueOn } from './account-view.ts'
import { openLoan } from './open-loan.ts'

const accounts = await testAccounts()
const { db, open, receive, reverse, endDay, view } = accounts

const isRefusal = (kind: string) => (error: unknown) => error instanceof Refusal && error.kind === kind
const money = (amounts: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(amounts).flatMap(([name, value]) => (typeof value === 'bigint' ? [[name, rupees(value)]] : [])),
  )
const rowsOf = async (caseRef: string) => (await view(caseRef)).schedule.installments
const statusesOf = async (caseRef: string) => (await rowsOf(caseRef)).map(({ status }) => status)
const soaOf = async (caseRef: string) => money((await view(caseRef)).soa as never)

test('D3 §4.4: the transfer opens an account with a schedule of 22 rows that sums up to the loan', async () => {
  const caseRef = await newCase(db, 900, new Date())
  assert.equal(await accountOf(db, caseRef), null)
  const opened = await open()
  const { loanStatus, loanAccountId, schedule } = await view(opened)
  assert.equal(loanStatus, 'ACTIVE')
  assert.match(loanAccountId, /^LN/)
  assert.equal(schedule.scheduleVersion, 1)
  assert.equal(schedule.installments.length, 22)
  assert.equal(schedule.installments[0]!.dueOn, '2026-11-27')
  assert.equal(rupees(schedule.installments[21]!.amountPaise), '4789.00')
  assert.deepEqual(await soaOf(opened), {
    disbursedPaise: '97640.00',
    principalPaise: '100000.00',
    interestPaise: '0.00',
    penaltyPaise: '0.00',
    chargesPaise: '0.00',
    totalPaise: '100000.00',
    overduePaise: '0.00',
  })
  const { PRINCIPAL, BANK, FEE_INCOME, TAX_PAYABLE } = await balancesOf(db, opened)
  assert.equal(PRINCIPAL, 100_000_00n)
  assert.equal(BANK, -97_640_00n)
  assert.equal(FEE_INCOME, -2_000_00n)
  assert.equal(TAX_PAYABLE, -360_00n)
})

test('D3 §1.1 rule 6: rejects a transfer of another amount, and a second account for a case', async () => {
  const caseRef = await newCase(db, 901, new Date())
  const terms = finalTerms(proposedTerms)
  const details = openingOf(caseRef, terms)
  const opening = (change: object) => accounts.act(caseRef, (tx, at) => openLoan(tx, { ...details, ...change }, at))
  await assert.rejects(opening({ disbursedPaise: terms.netPaise - 1n }), isRefusal('wrong-state'))
  assert.equal(await accountOf(db, caseRef), null)
  await opening({})
  await assert.rejects(opening({}), isRefusal('wrong-state'))
})

test('D3 §2.5: a receipt on the due date pays its row, and the day-end books the interest as income', async () => {
  const caseRef = await open()
  const posted = await receive(caseRef, 4790_00n, '2026-11-27')
  assert.deepEqual(posted.shares, [{ number: 1, penalty: 0n, charges: 0n, interest: 460_00n, principal: 4330_00n }])
  assert.equal(posted.installmentIds.length, 1)
  await endDay('2026-11-27')
  const [first, second] = await rowsOf(caseRef)
  assert.equal(first!.status, 'PAID')
  assert.equal(first!.paidPaise, 4790_00n)
  assert.equal(first!.unpaidPaise, 0n)
  assert.equal(second!.status, 'DUE')
  const { INTEREST, INTEREST_INCOME, BANK } = await balancesOf(db, caseRef)
  assert.equal(INTEREST, 0n)
  assert.equal(INTEREST_INCOME, -460_00n)
  assert.equal(BANK, 4790_00n - 97_640_00n)
  assert.equal((await soaOf(caseRef)).totalPaise, '95670.00')
})

test('D3 §2.5: a payment below the next instalment pays that instalment early and leaves it PART_PAID', async () => {
  const caseRef = await open()
  await receive(caseRef, 4000_00n, '2026-11-25')
  const [first] = await rowsOf(caseRef)
  assert.equal(first!.status, 'PART_PAID')
  assert.equal(first!.paidPaise, 4000_00n)
  assert.equal(first!.unpaidPaise, 790_00n)
  const { interestPaise, totalPaise } = await soaOf(caseRef)
  assert.equal(interestPaise, '0.00', 'prepaid interest is not owed')
  // Five days of interest on 1,00,000 and two on 96,000 are 455.01. The rest of the payment repays principal.
  assert.equal(totalPaise, rupees(100_000_00n - 3545_00n))
  await receive(caseRef, 790_00n, '2026-11-26')
  assert.deepEqual((await statusesOf(caseRef)).slice(0, 2), ['PAID', 'DUE'])
  const { installments, scheduleVersion } = (await view(caseRef)).schedule
  assert.equal(scheduleVersion, 3)
  assert.equal(installments.length, 22)
  assert.equal(installments[0]!.amountPaise, 4790_00n)
})

test('D3 §3: an unpaid row and its loan are OVERDUE from the day-end of the due date until the row is paid', async () => {
  const caseRef = await open()
  await endDay('2026-11-26')
  assert.equal((await view(caseRef)).loanStatus, 'ACTIVE')
  await endDay('2026-11-27')
  assert.equal((await view(caseRef)).loanStatus, 'OVERDUE')
  assert.deepEqual((await statusesOf(caseRef)).slice(0, 2), ['OVERDUE', 'DUE'])
  assert.deepEqual(await soaOf(caseRef), {
    disbursedPaise: '97640.00',
    principalPaise: '100000.00',
    interestPaise: '460.00',
    penaltyPaise: '0.00',
    chargesPaise: '0.00',
    totalPaise: '100460.00',
    overduePaise: '4790.00',
  })
  await receive(caseRef, 790_00n, '2026-11-28')
  assert.equal((await statusesOf(caseRef))[0], 'OVERDUE', 'OVERDUE takes precedence over PART_PAID')
  assert.equal((await soaOf(caseRef)).overduePaise, '4000.00')
  const { loanStatus } = await receive(caseRef, 4000_00n, '2026-11-28')
  assert.equal(loanStatus, 'ACTIVE')
  assert.equal((await statusesOf(caseRef))[0], 'PAID')
})

test('D3 §2.5: a payment on the last day that the key facts name avoids a penal charge; what is then unpaid bears one', async () => {
  const caseRef = await open()
  const [first] = await rowsOf(caseRef)
  const lastDay = plusDays(first!.dueOn, daysWithoutPenalty(proposedTerms.penalty))
  await endDay(plusDays(lastDay, -1))
  await receive(caseRef, 4790_00n, lastDay)
  await endDay(lastDay)
  assert.equal((await soaOf(caseRef)).penaltyPaise, '0.00')

  const latePayer = await open()
  await endDay(plusDays(lastDay, -1))
  await receive(latePayer, 2790_00n, lastDay)
  assert.equal((await soaOf(latePayer)).penaltyPaise, '0.00', 'the charge is added at the end of the day')
  await endDay(lastDay)
  assert.equal((await soaOf(latePayer)).penaltyPaise, '20.00', '1 % of what is unpaid')
})

test('D3 §2.5: penal charges start after the days of grace, recur weekly, and never include earlier penal charges', async () => {
  const caseRef = await open()
  await endDay('2026-11-29')
  assert.equal((await soaOf(caseRef)).penaltyPaise, '0.00', 'two days of grace')
  await endDay('2026-11-30')
  assert.equal((await soaOf(caseRef)).penaltyPaise, '48.00', '1 % of 4790.00 in whole rupees')
  await endDay('2026-12-06')
  // Row 2 fell due on 4 December; its days of grace end on the 6th. Row 1 is charged again on the 7th.
  assert.equal((await soaOf(caseRef)).penaltyPaise, '48.00')
  await endDay('2026-12-07')
  assert.equal(
    (await soaOf(caseRef)).penaltyPaise,
    '144.00',
    'row 1 is charged twice and row 2 once: 48.00 each, not 1 % of 4838.00',
  )
  await endDay('2027-05-31')
  const penalties = (await readEntries(db, caseRef)).filter(({ kind }) => kind === 'PENALTY')
  assert.equal(penalties.filter(({ entryId }) => entryId.startsWith('penalty-1-')).length, 4, 'four at most')
  assert.equal(penalties.length, 22 * 4)
  const { INTEREST_INCOME, INTEREST, PENALTY, INCOME_SUSPENSE } = await balancesOf(db, caseRef)
  assert.equal(INTEREST, 5379_00n, 'no interest on an unpaid penalty, nor on unpaid interest')
  assert.equal(INTEREST_INCOME, 0n, 'income of an NPA is in suspense')
  assert.equal(-INCOME_SUSPENSE, INTEREST + PENALTY, 'income of an NPA is in suspense')
})

test('D3 §2.5: a payment pays the oldest row first, and within a row penal charges, interest, then principal', async () => {
  const caseRef = await open()
  await endDay('2026-12-07')
  const { shares } = await receive(caseRef, 5_000_00n, '2026-12-08')
  assert.deepEqual(shares, [
    { number: 1, penalty: 96_00n, charges: 0n, interest: 460_00n, principal: 4330_00n },
    { number: 2, penalty: 48_00n, charges: 0n, interest: 66_00n, principal: 0n },
  ])
})

test('D3 §6 rule 7: a repeated payment changes nothing, and is rejected if its amount differs', async () => {
  const caseRef = await open()
  const paymentId = uuidv4()
  const first = await receive(caseRef, 4790_00n, '2026-11-27', paymentId)
  const before = await view(caseRef)
  const again = await receive(caseRef, 4790_00n, '2026-11-27', paymentId)
  assert.deepEqual({ ...again, isNew: true }, first)
  assert.equal(again.isNew, false)
  assert.deepEqual(await view(caseRef), before)
  await assert.rejects(receive(caseRef, 4791_00n, '2026-11-27', paymentId), isRefusal('wrong-state'))
})

test('D3 §6 rule 7: concurrent requests for the same payment post it once', async () => {
  const caseRef = await open()
  const paymentId = uuidv4()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => receive(caseRef, 4790_00n, '2026-11-27', paymentId)),
  )
  assert.equal(answers.filter(({ isNew }) => isNew).length, 1)
  assert.equal((await balancesOf(db, caseRef)).BANK, 4790_00n - 97_640_00n)
})

test('D3 §3: the last receipt closes the loan at zero, and its reversal reopens the loan', async () => {
  const caseRef = await open()
  const paymentId = uuidv4()
  for (const row of await rowsOf(caseRef)) {
    const { loanStatus, unapplied } = await receive(
      caseRef,
      row.amountPaise,
      row.dueOn,
      row.number === 22 ? paymentId : uuidv4(),
    )
    assert.equal(loanStatus, row.number === 22 ? 'CLOSED' : 'ACTIVE')
    assert.equal(unapplied, 0n)
    await endDay(row.dueOn)
  }
  assert.equal((await soaOf(caseRef)).totalPaise, '0.00')
  assert.equal((await balancesOf(db, caseRef)).INTEREST_INCOME, -5379_00n)

  const reversalPaymentId = uuidv4()
  const reversed = await reverse(caseRef, paymentId, '2027-04-25', reversalPaymentId)
  assert.equal(reversed.loanStatus, 'OVERDUE')
  assert.deepEqual((await statusesOf(caseRef)).slice(20), ['PAID', 'OVERDUE'])
  const [entry] = (await readEntries(db, caseRef)).filter(({ kind }) => kind === 'REVERSAL')
  assert.equal(entry!.entryId, `reversal-${reversalPaymentId}`)
  assert.equal(entry!.reverses, `receipt-${paymentId}`)
  assert.equal((await soaOf(caseRef)).overduePaise, '4789.00')
  await endDay('2027-04-27')
  assert.equal((await soaOf(caseRef)).penaltyPaise, '0.00', 'no penal charge for days before the reversal')
  await endDay('2027-04-28')
  assert.equal((await soaOf(caseRef)).penaltyPaise, '48.00')
})

test('D3 §2.5: a receipt is reversed once, and an unknown receipt cannot be reversed', async () => {
  const caseRef = await open()
  const paymentId = uuidv4()
  const reversalPaymentId = uuidv4()
  await receive(caseRef, 4790_00n, '2026-11-27', paymentId)
  assert.equal((await reverse(caseRef, paymentId, '2026-11-28', reversalPaymentId)).isNew, true)
  const before = await view(caseRef)
  assert.equal((await reverse(caseRef, paymentId, '2026-11-28', reversalPaymentId)).isNew, false)
  assert.deepEqual(await view(caseRef), before)
  await assert.rejects(reverse(caseRef, paymentId, '2026-11-28'), isRefusal('wrong-state'))
  await assert.rejects(reverse(caseRef, uuidv4(), '2026-11-28'), isRefusal('absent'))
  const { PRINCIPAL, BANK } = await balancesOf(db, caseRef)
  assert.equal(PRINCIPAL, 100_000_00n)
  assert.equal(BANK, -97_640_00n)
})

test('D3 §2.5: an unpaid penal charge leaves its row PAID, but makes the loan OVERDUE', async () => {
  const caseRef = await open()
  const paymentId = uuidv4()
  await endDay('2026-11-30')
  await receive(caseRef, 48_00n, '2026-12-01', paymentId)
  await receive(caseRef, 4790_00n, '2026-12-01')
  const { loanStatus } = await reverse(caseRef, paymentId, '2026-12-02')
  assert.equal(loanStatus, 'OVERDUE')
  assert.equal((await statusesOf(caseRef))[0], 'PAID')
  const { penaltyPaise, overduePaise } = await soaOf(caseRef)
  assert.equal(penaltyPaise, '48.00')
  assert.equal(overduePaise, '48.00')
})

test('D3 §2.5: money beyond the schedule belongs to the borrower', async () => {
  const caseRef = await open()
  const posted = await receive(caseRef, 110_000_00n, '2026-11-27')
  assert.equal(posted.loanStatus, 'CLOSED')
  assert.equal(rupees(posted.unapplied), '9540.00')
  assert.equal((await balancesOf(db, caseRef)).UNAPPLIED, -9540_00n, 'only one week of interest is charged')
  assert.equal(rupees((await view(caseRef)).unappliedPaise), '9540.00')
})

const nextDueOn = async (caseRef: string) =>
  (await db<{ nextDueOn: string | null }>`select next_due_on from loan where case_ref = ${caseRef}`)[0]!.nextDueOn

test('D3 §6 rule 7: the amounts to collect are the unpaid parts of rows due by a day', async () => {
  const caseRef = await open()
  assert.deepEqual((await dueOn(db, caseRef, '2026-11-26')).rows, [])
  await receive(caseRef, 1_000_00n, '2026-11-26')
  const due = async (on: string) =>
    (await dueOn(db, caseRef, on)).rows.map(({ number, unpaidPaise, penaltyPaise }) => ({
      number,
      unpaid: rupees(unpaidPaise),
      penalty: rupees(penaltyPaise),
    }))
  assert.deepEqual(await due('2026-11-27'), [{ number: 1, unpaid: '3790.00', penalty: '0.00' }])
  await endDay('2026-11-30')
  assert.deepEqual(await due('2026-12-04'), [
    { number: 1, unpaid: '3790.00', penalty: '38.00' },
    { number: 2, unpaid: '4790.00', penalty: '0.00' },
  ])
  assert.equal(await nextDueOn(caseRef), '2026-11-27')
  await receive(caseRef, 3828_00n + 4790_00n, '2026-12-01')
  assert.equal(await nextDueOn(caseRef), '2026-12-11', 'paid rows are skipped')
})

test('D3 §2.5: rejects a receipt without an account, and a receipt of zero', async () => {
  const caseRef = await newCase(db, 902, new Date())
  await assert.rejects(receive(caseRef, 1_00n, '2026-11-27'), isRefusal('absent'))
  await assert.rejects(receive(await open(), 0n, '2026-11-27'), isRefusal('invalid'))
})

test('D3 §4.4: reading an account fails if its ledger and schedule disagree', async () => {
  const caseRef = await open()
  await db`update installment set interest_paid_paise = 100 where case_ref = ${caseRef} and number = 3`
  await assert.rejects(view(caseRef), /disagree: interest of row 3/)
})

test('D3 §6 rule 7: a late report of a timely payment reverses the penal charges since the value date', async () => {
  const caseRef = await open()
  await endDay('2026-12-07')
  assert.equal((await soaOf(caseRef)).penaltyPaise, '144.00')
  accounts.setClock(new Date('2026-12-08T06:00:00.000Z'))
  const { shares, loanStatus } = await receive(caseRef, 4790_00n, '2026-11-27')
  accounts.setClock(new Date('2026-11-20T06:00:00.000Z'))
  assert.deepEqual(shares, [{ number: 1, penalty: 0n, charges: 0n, interest: 460_00n, principal: 4330_00n }])
  assert.equal(loanStatus, 'OVERDUE', 'row 2 is unpaid and keeps its charge')
  assert.equal((await statusesOf(caseRef))[0], 'PAID')
  assert.equal((await soaOf(caseRef)).penaltyPaise, '48.00')
  const waivers = (await readEntries(db, caseRef)).filter(({ kind }) => kind === 'REVERSAL')
  assert.deepEqual(
    waivers.map(({ entryId, reverses }) => ({ entryId, reverses })),
    [
      { entryId: 'waiver-penalty-1-1', reverses: 'penalty-1-1' },
      { entryId: 'waiver-penalty-1-2', reverses: 'penalty-1-2' },
    ],
  )
  assert.equal((await balancesOf(db, caseRef)).PENALTY_INCOME, -48_00n)
})

test('D3 §6 rule 7: a penal charge remains if the payment has a later value date or does not cover the row', async () => {
  const later = await open()
  const less = await open()
  await endDay('2026-11-30')
  const late = await receive(later, 4790_00n, '2026-12-01')
  assert.equal(late.shares[0]!.penalty, 48_00n)
  assert.equal((await statusesOf(later))[0], 'OVERDUE', '48.00 of principal is unpaid')
  const part = await receive(less, 4000_00n, '2026-11-27')
  assert.equal(part.shares[0]!.penalty, 48_00n)
})

test('D3 §3: a loan that was paid twice stays closed when one payment is reversed, and reopens when both are', async () => {
  const caseRef = await open()
  const debit = uuidv4()
  const transfer = uuidv4()
  await receive(caseRef, 90_000_00n, disbursedOn, uuidv4(), true)
  const rest = (await rowsOf(caseRef)).reduce((sum, { amountPaise }) => sum + amountPaise, 0n)
  for (const row of (await rowsOf(caseRef)).slice(0, -1)) await receive(caseRef, row.amountPaise, row.dueOn)
  const last = (await rowsOf(caseRef)).at(-1)!
  assert.equal(rest, 2n * 4790_00n + last.amountPaise)
  assert.equal((await receive(caseRef, last.amountPaise, last.dueOn, debit)).loanStatus, 'CLOSED')
  assert.equal((await receive(caseRef, last.amountPaise, last.dueOn, transfer)).unapplied, last.amountPaise)

  assert.equal((await reverse(caseRef, debit, last.dueOn)).loanStatus, 'CLOSED', 'the transfer pays the row')
  assert.equal((await balancesOf(db, caseRef)).UNAPPLIED, 0n)
  assert.equal((await statusesOf(caseRef)).at(-1), 'PAID')
  assert.equal((await reverse(caseRef, transfer, last.dueOn)).loanStatus, 'ACTIVE')
  assert.equal((await balancesOf(db, caseRef)).UNAPPLIED, 0n)
  assert.equal((await statusesOf(caseRef)).at(-1), 'DUE')
  const ids = (await readEntries(db, caseRef)).map(({ entryId }) => entryId)
  assert.ok(ids.includes('set-off-1') && ids.includes('reversal-set-off-1'))
})
