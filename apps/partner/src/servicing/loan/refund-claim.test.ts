// The bank takes back a receipt that was refunded: the borrower owes the refund, like any other debt.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { dueOn, payoffOf } from './account-view.ts'
import { postPaidRefund, releaseRefund, reserveRefund } from './refund.ts'
import { claimWaitingRefund, refundClaimQueue } from './refund-claim.ts'
import { writeOff } from './write-off.ts'

const accounts = await testAccounts()
const { db, act, open, receive, reverse, view, endDay, setClock } = accounts
const day = (number: number): string => plusDays(disbursedOn, number)
const excess = 50_000_00n

const startDay = (number: number) => setClock(startOf(day(number)))
const payoff = async (caseRef: string, number: number) =>
  (await payoffOf(db, caseRef, day(number), startOf(day(number))))!

async function refund(caseRef: string, number: number): Promise<void> {
  const key = { caseRef, refundId: 'r', on: day(number) }
  await act(caseRef, (tx, at) => reserveRefund(tx, key, excess, { at }))
  await act(caseRef, (tx, at) => postPaidRefund(tx, key, excess, at))
}

/** A loan that was paid in one receipt, and whose excess, a second receipt, was refunded. */
async function overpaidLoan(number: number): Promise<string> {
  const caseRef = await open()
  await endDay(day(number - 1))
  startDay(number)
  await receive(caseRef, (await payoff(caseRef, number)).total, day(number), 'all')
  await receive(caseRef, excess, day(number), 'excess')
  await refund(caseRef, number)
  assert.equal((await view(caseRef)).loanStatus, 'CLOSED')
  return caseRef
}

test('D3 §2.5: a refund of money that the bank took back is outstanding, quoted, due and closes only when it is paid', async () => {
  const caseRef = await overpaidLoan(20)
  await endDay(day(59))
  startDay(60)
  await reverse(caseRef, 'excess', day(60))
  const owing = await view(caseRef)
  assert.equal(owing.soa.totalPaise, excess)
  assert.equal(owing.soa.principalPaise, excess)
  assert.equal(owing.unappliedPaise, 0n)
  assert.equal((await payoff(caseRef, 60)).total, excess)
  const [due, ...otherDues] = (await dueOn(db, caseRef, day(60))).rows
  assert.deepEqual(otherDues, [])
  assert.equal(due?.dueOn, day(60), 'due on the day on which the bank took the money back')
  assert.equal(due?.unpaidPaise, excess)

  await endDay(day(75))
  startDay(76)
  const overdue = await view(caseRef)
  assert.equal(overdue.loanStatus, 'OVERDUE')
  assert.equal(overdue.soa.overduePaise, overdue.soa.totalPaise)
  assert.equal(overdue.soa.principalPaise, excess)
  assert.equal(overdue.soa.interestPaise, 0n, 'no interest was agreed on it')
  assert.equal(overdue.assetClass, 'SMA_0')

  const quote = await payoff(caseRef, 76)
  await receive(caseRef, quote.total, day(76), 'again')
  const closed = await view(caseRef)
  assert.equal(closed.loanStatus, 'CLOSED')
  assert.equal(closed.soa.totalPaise, 0n)
  assert.equal(closed.unappliedPaise, 0n)
})

test('D3 §2.5: a running loan asks for the refund at once, and its other rows and interest stay', async () => {
  const caseRef = await open()
  const twin = await open()
  await endDay(day(89))
  startDay(90)
  for (const each of [caseRef, twin]) await receive(each, (await payoff(each, 90)).total, day(90), 'all')
  await receive(caseRef, excess, day(90), 'excess')
  await refund(caseRef, 90)
  for (const each of [caseRef, twin]) await reverse(each, 'all', day(90))
  await reverse(caseRef, 'excess', day(90))
  const more = async (number: number) => (await payoff(caseRef, number)).total - (await payoff(twin, number)).total
  assert.equal(await more(90), excess)
  assert.equal((await view(caseRef)).soa.overduePaise - (await view(twin)).soa.overduePaise, excess)
  const { interest } = await payoff(caseRef, 100)
  assert.equal(interest, (await payoff(twin, 100)).interest)
})

test('D3 §2.5: what is owed again is written off with the rest, and a failed refund pays it', async () => {
  const caseRef = await overpaidLoan(100)
  await reverse(caseRef, 'excess', day(100))
  await endDay(day(110))
  startDay(111)
  const { total } = await payoff(caseRef, 111)
  assert.ok(total >= excess)
  assert.equal(await act(caseRef, (tx, at) => writeOff(tx, caseRef, day(111), at)), total)

  const other = await open()
  await endDay(day(111))
  startDay(112)
  await receive(other, (await payoff(other, 112)).total, day(112), 'all')
  await receive(other, excess, day(112), 'excess')
  const key = { caseRef: other, refundId: 'r', on: day(112) }
  await act(other, (tx, at) => reserveRefund(tx, key, excess, { at }))
  await reverse(other, 'excess', day(112))
  assert.equal((await view(other)).soa.totalPaise, excess)
  await act(other, (tx, at) => releaseRefund(tx, key, at))
  assert.equal((await view(other)).loanStatus, 'CLOSED')
  const { UNAPPLIED, REFUND_PAYABLE, PRINCIPAL } = await balancesOf(db, other)
  assert.equal(UNAPPLIED, 0n)
  assert.equal(REFUND_PAYABLE, 0n)
  assert.equal(PRINCIPAL, 0n)
})

const claimOn = (caseRef: string, number: number) => {
  startDay(number)
  return act(caseRef, (tx, at) => claimWaitingRefund(tx, { caseRef, on: day(number) }, at))
}

test('D3 §2.5: before the first due date an excess refund is outstanding and quoted, and due with the first row', async () => {
  const caseRef = await overpaidLoan(3)
  const twin = await open()
  await receive(twin, (await payoff(twin, 3)).total, day(3), 'all')
  for (const each of [caseRef, twin]) await reverse(each, 'all', day(3))
  await reverse(caseRef, 'excess', day(3))
  const owing = await view(caseRef)
  const without = await view(twin)
  assert.equal(owing.soa.totalPaise - without.soa.totalPaise, excess)
  assert.equal((await payoff(caseRef, 5)).total - (await payoff(twin, 5)).total, excess)
  assert.deepEqual(
    owing.schedule.installments,
    without.schedule.installments.map((each, i) => ({
      ...each,
      installmentId: owing.schedule.installments[i]!.installmentId,
    })),
  )
  const [job] = await db<{
    dueAt: Date
  }>`select due_at from job where kind = ${refundClaimQueue} and payload::text like ${`%${caseRef}%`}`
  assert.deepEqual(job?.dueAt, startOf(day(7)))

  await endDay(day(6))
  assert.equal(await claimOn(caseRef, 7), 'ACTIVE')
  assert.equal(await claimOn(caseRef, 7), null, 'a second job claims nothing')
  const [due] = (await dueOn(db, caseRef, day(7))).rows
  const [dueWithout] = (await dueOn(db, twin, day(7))).rows
  assert.equal(due!.unpaidPaise - dueWithout!.unpaidPaise, excess)
  assert.equal((await view(caseRef)).unappliedPaise, 0n)
  await endDay(day(10))
  const interest = async (each: string) => (await view(each)).soa.interestPaise
  assert.equal(await interest(caseRef), await interest(twin), 'no interest was agreed on it')
})

test('D3 §2.5: the payoff before the first due date pays an excess refund too, and then nothing is claimed', async () => {
  const caseRef = await overpaidLoan(3)
  await reverse(caseRef, 'all', day(3))
  await reverse(caseRef, 'excess', day(3))
  await receive(caseRef, (await payoff(caseRef, 3)).total, day(3), 'again')
  const paid = await view(caseRef)
  assert.equal(paid.loanStatus, 'CLOSED')
  assert.equal(paid.unappliedPaise, 0n)
  await endDay(day(6))
  assert.equal(await claimOn(caseRef, 7), null)
})

test('D3 §2.5: a loan that was paid before the first due date opens again for its excess refund', async () => {
  const caseRef = await overpaidLoan(3)
  await reverse(caseRef, 'excess', day(3))
  assert.equal((await view(caseRef)).loanStatus, 'CLOSED', 'its own debt is paid')
  await endDay(day(6))
  assert.equal(await claimOn(caseRef, 7), 'ACTIVE')
  const owing = await view(caseRef)
  assert.equal(owing.soa.totalPaise, excess)
  assert.equal((await payoff(caseRef, 7)).total, excess)
  await endDay(day(7))
  assert.equal((await view(caseRef)).loanStatus, 'OVERDUE')
})

test('RBI, upgrading: an excess refund that the bank takes back does not make a paid-up loan non-performing again', async () => {
  const caseRef = await open()
  await endDay(day(119))
  startDay(120)
  assert.equal((await view(caseRef)).assetClass, 'SUB_STANDARD')
  await receive(caseRef, (await payoff(caseRef, 120)).total, day(120), 'all')
  await receive(caseRef, excess, day(120), 'excess')
  await refund(caseRef, 120)
  await endDay(day(121))
  assert.equal((await view(caseRef)).npaOn, null)
  startDay(122)
  await reverse(caseRef, 'excess', day(122))
  await endDay(day(122))
  const owing = await view(caseRef)
  assert.equal(owing.npaOn, null, 'its arrears stay paid')
  assert.equal(owing.soa.totalPaise, excess)
  await endDay(day(160))
  assert.equal((await view(caseRef)).soa.penaltyPaise, 0n, 'no penal charge was agreed on it')
})

test('D3 §2.5: an excess refund that the bank reports as returned late is due when it is known', async () => {
  const caseRef = await overpaidLoan(20)
  await endDay(day(99))
  startDay(100)
  await reverse(caseRef, 'excess', day(80))
  const [due] = (await dueOn(db, caseRef, day(100))).rows
  assert.equal(due?.dueOn, day(100))
})
