// Reversals, set-offs and exits with money that the bank reported late: the borrower owes the same as without delay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { payoffOf } from './account-view.ts'

const { db, open, receive, reverse, endDay, view, setClock, requestExit } = await testAccounts()

interface Loan {
  caseRef: string
  on(day: number): string
}
/** The acts on a day of the loan. */
type ActsOfDay = (loan: Loan, day: number) => Promise<unknown>

let nextYear = 2030
/** Runs a loan day by day until day `last`; returns the payoff on that day, less the unapplied balance. */
async function playDays(last: number, act: ActsOfDay): Promise<bigint> {
  const disbursedOn = `${nextYear++}-01-04`
  const on = (day: number): string => plusDays(disbursedOn, day)
  setClock(startOf(on(0)))
  const loan = { caseRef: await open({}, on(0)), on }
  for (let day = 1; day <= last; day++) {
    // Until the last 20 days, acts happen only on every seventh day; a day-end also closes the days before it.
    if (day % 7 !== 0 && day < last - 20) continue
    await endDay(on(day - 1))
    setClock(startOf(on(day)))
    await act(loan, day)
  }
  const { UNAPPLIED } = await balancesOf(db, loan.caseRef)
  const isClosed = (await view(loan.caseRef)).loanStatus === 'CLOSED'
  const owed = isClosed ? undefined : await payoffOf(db, loan.caseRef, on(last), startOf(on(last)))
  return (owed?.total ?? 0n) + UNAPPLIED
}

const weekly = async ({ caseRef, on }: Loan, day: number, through: number): Promise<void> => {
  if (day % 7 === 0 && day <= through) await receive(caseRef, 4790_00n, on(day))
}
/** The rounding: one rupee for each of 22 rows, and one more. */
const tolerance = 23n * 100n
const assertSame = (expected: bigint, actual: bigint, label: string) =>
  assert.ok(expected - actual <= tolerance && actual - expected <= tolerance, `${label}: ${actual} for ${expected}`)

test('D3 §6 rule 7: a receipt whose reversal is dated before its report has no effect on later payments', async () => {
  const payoffWhenReturned = (returnedOn: number) =>
    playDays(146, async (loan, day) => {
      const { caseRef, on } = loan
      await weekly(loan, day, 140)
      if (day === 145) {
        await receive(caseRef, 20_000_00n, on(141), 'returned', true)
        await reverse(caseRef, 'returned', on(returnedOn))
      }
      if (day === 146) await receive(caseRef, 6_000_00n, on(142), 'late', true)
    })
  assertSame(await payoffWhenReturned(145), await payoffWhenReturned(143), 'owed')
})

test('D3 §6 rule 7: a payment after two reversals pays the same when the bank reports it a day late', async () => {
  const play = (knownOn: number) =>
    playDays(137, async (loan, day) => {
      const { caseRef, on } = loan
      await weekly(loan, day, 126)
      if (day === 130) await receive(caseRef, 19_000_00n, on(day), 'closing', true)
      if (day === 131) await receive(caseRef, 4_000_00n, on(day), 'too much')
      if (day === 133) await reverse(caseRef, 'closing', on(day))
      if (day === 135) await reverse(caseRef, 'too much', on(day))
      if (day === knownOn) await receive(caseRef, 15_100_00n, on(136))
    })
  assertSame(await play(136), await play(137), 'owed')
})

test('D3 §1: two receipts complete an exit in either order of their reports, even after rows fell due', async () => {
  const play = (firstKnownOn: number, secondKnownOn: number) =>
    playDays(20, async ({ caseRef, on }, day) => {
      if (day === 1) await requestExit(caseRef, on(1))
      if (day === firstKnownOn) await receive(caseRef, 50_000_00n, on(1), `first of ${caseRef}`)
      if (day === secondKnownOn) await receive(caseRef, 47_900_00n, on(2), `second of ${caseRef}`)
    })
  const atOnce = await play(1, 2)
  assert.ok(atOnce < 0n, 'the exit leaves an unapplied balance')
  for (const [first, second] of [
    [6, 5],
    [5, 2],
    [20, 5],
    [1, 20],
  ] as const)
    assertSame(atOnce, await play(first, second), `known on days ${first} and ${second}`)
})
