// Rounds off rests that are too small to collect, and takes the round-off back when the bank takes a receipt back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { payoffOf } from './account-view.ts'
import { roundOff } from './round-off.ts'

const { db, act, open, receive, reverse, view, endDay, setClock } = await testAccounts()
const day = (number: number): string => plusDays(disbursedOn, number)
const tolerance = 10_00n

const startDay = (number: number) => setClock(startOf(day(number)))
const payoff = async (caseRef: string, number: number): Promise<Paise> =>
  (await payoffOf(db, caseRef, day(number), startOf(day(number))))!.total
const roundOffOn = (caseRef: string, number: number, limit: Paise = tolerance) =>
  act(caseRef, (tx, at) => roundOff(tx, { caseRef, on: day(number), tolerance: limit }, at))

/** A loan that was paid on a day but for a rest, and a twin that was not paid on that day. */
async function loansWithRest(number: number, rest: Paise) {
  const caseRef = await open()
  const twin = await open()
  await endDay(day(number - 1))
  startDay(number)
  await receive(caseRef, (await payoff(caseRef, number)) - rest, day(number), 'short')
  return { caseRef, twin }
}

test('D3 §2.5: a rest up to the tolerance is rounded off and closes the loan, and its account has the cost', async () => {
  const { caseRef } = await loansWithRest(20, tolerance)
  assert.equal(await payoff(caseRef, 20), tolerance)
  assert.equal(await roundOffOn(caseRef, 20), 'CLOSED')
  const closed = await view(caseRef)
  assert.equal(closed.soa.totalPaise, 0n)
  assert.equal(closed.unappliedPaise, 0n)
  const { ROUNDED_OFF, PRINCIPAL } = await balancesOf(db, caseRef)
  assert.equal(ROUNDED_OFF, tolerance)
  assert.equal(PRINCIPAL, 0n)
  await assert.rejects(roundOffOn(caseRef, 20), /does not run/)
})

test('D3 §2.5: a paisa above the tolerance is not rounded off, and nothing changes', async () => {
  const { caseRef } = await loansWithRest(21, tolerance + 1n)
  const before = await view(caseRef)
  await assert.rejects(roundOffOn(caseRef, 21), /owes ₹10\.01; only up to ₹10 can/)
  assert.deepEqual(await view(caseRef), before)
})

test('D3 §3: when the bank takes the receipt back, the loan owes what it owed without receipt and round-off', async () => {
  const { caseRef, twin } = await loansWithRest(22, 7_00n)
  await roundOffOn(caseRef, 22)
  await reverse(caseRef, 'short', day(22))
  const reopened = await view(caseRef)
  const untouched = await view(twin)
  assert.equal(reopened.loanStatus, untouched.loanStatus)
  assert.equal(await payoff(caseRef, 22), await payoff(twin, 22))
  assert.equal(reopened.soa.totalPaise, untouched.soa.totalPaise)
  const balances = await balancesOf(db, caseRef)
  assert.equal(balances.ROUNDED_OFF, 0n)
  assert.equal(balances.PRINCIPAL, (await balancesOf(db, twin)).PRINCIPAL)
  await endDay(day(28))
  startDay(29)
  assert.deepEqual(await balancesOf(db, caseRef), await balancesOf(db, twin), 'the accrual of the week evens out')
})

test('D3 §2.5: money that arrives for a rounded-off loan is the borrower’s, also with an earlier value date', async () => {
  const { caseRef } = await loansWithRest(30, 7_00n)
  await roundOffOn(caseRef, 30)
  await receive(caseRef, 7_00n, day(23), 'late')
  const after = await view(caseRef)
  assert.equal(after.loanStatus, 'CLOSED')
  assert.equal(after.unappliedPaise, 7_00n)
})

test('D3 §3: a stray receipt after the round-off that the bank takes back leaves the loan closed', async () => {
  const { caseRef } = await loansWithRest(30, 7_00n)
  await roundOffOn(caseRef, 30)
  await receive(caseRef, 1000_00n, day(30), 'stray')
  await receive(caseRef, 400_00n, day(30), 'kept')
  await reverse(caseRef, 'stray', day(30))
  const after = await view(caseRef)
  assert.equal(after.loanStatus, 'CLOSED')
  assert.equal(after.unappliedPaise, 400_00n)
  assert.equal((await balancesOf(db, caseRef)).ROUNDED_OFF, 7_00n)
})

test('D3 §2.5: a loan that the borrower can still cancel is not rounded off', async () => {
  startDay(31)
  const young = await open({}, day(30))
  await receive(young, (await payoff(young, 31)) - 5_00n, day(31))
  await assert.rejects(roundOffOn(young, 31), /can still cancel/)
})
