// Tests of an exit that staff record weeks after the request: the lender keeps what it would have kept without the delay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'

const { db, open, receive, reverse, view, endDay, requestExit, exitOn, setClock } = await testAccounts()
const on = (day: number): string => plusDays(disbursedOn, day)
const principal = 100_000_00n
const fee = 2_360_00n
const reference = 'GR-2611-7K3Q9'

/** Interest at 24 %, rounded up to a rupee. */
const interestOn = (paise: Paise, days: bigint): Paise => ((paise * 24n * days) / 36_500n / 100n + 1n) * 100n

interface Event {
  day: number
  paise?: Paise
  isExitPayment?: true
  isDebit?: true
  returns?: string
}

/** Plays events on their days, with all day-ends, until the day of the record. Returns the money that the lender received. */
async function play(caseRef: string, events: Event[], recordedOn: number): Promise<Paise> {
  const received = new Map<string, Paise>()
  for (let day = 0; day <= recordedOn; day++) {
    setClock(startOf(on(day)))
    for (const event of events.filter((each) => each.day === day)) {
      if (event.returns) {
        await reverse(caseRef, event.returns, on(day))
        received.delete(event.returns)
        continue
      }
      const { schedule } = await view(caseRef)
      const due = schedule.installments.filter(({ dueOn }) => dueOn <= on(day))
      const dues = due.reduce((sum, { unpaidPaise, penaltyUnpaidPaise }) => sum + unpaidPaise + penaltyUnpaidPaise, 0n)
      const paise = event.paise ?? (event.isDebit ? dues : await exitOn(caseRef, on(day)))
      if (paise === 0n) continue
      await receive(caseRef, paise, on(day), `day-${day}`)
      received.set(`day-${day}`, paise)
    }
    if (day < recordedOn) await endDay(on(day))
  }
  return [...received.values()].reduce((sum, paise) => sum + paise, 0n)
}

const exitOnDay2 = principal - fee + interestOn(principal, 2n)
const debits = [7, 14, 21].map((day): Event => ({ day, isDebit: true }))
const paidInFull: Event = { day: 2, isExitPayment: true }
const cases: [name: string, kept: Paise, events: Event[]][] = [
  ['the price was paid, and nothing was debited', exitOnDay2, [paidInFull]],
  ['the price was paid, and instalments were debited until the loan was repaid', exitOnDay2, [paidInFull, ...debits]],
  [
    'the price was paid, and a debit came late, with a penal charge',
    exitOnDay2,
    [paidInFull, { day: 19, isDebit: true }],
  ],
  ['the price was paid, and a debit was returned', exitOnDay2, [paidInFull, ...debits, { day: 16, returns: 'day-14' }]],
  ['the borrower repaid the whole loan', exitOnDay2, [{ day: 2, paise: principal + interestOn(principal, 2n) }]],
  ['more than the loan was paid', exitOnDay2, [{ day: 2, paise: 110_000_00n }, ...debits]],
  [
    'the price was paid in two parts',
    principal - fee + interestOn(principal, 1n) + interestOn(50_000_00n + interestOn(principal, 1n), 2n),
    [{ day: 1, paise: 50_000_00n }, { day: 3, isExitPayment: true }, ...debits],
  ],
]

for (const [name, kept, events] of cases)
  for (const recordedOn of [8, 22, 32])
    test(`D3 §1: recorded on day ${recordedOn}: ${name}`, async () => {
      const caseRef = await open()
      const received = await play(
        caseRef,
        events.filter(({ day }) => day <= recordedOn),
        recordedOn,
      )
      const { hasExited, loanStatus } = await requestExit(caseRef, on(recordedOn), { requestedOn: on(2), reference })
      const { soa, unappliedPaise, retainedFeePaise } = await view(caseRef)
      assert.equal(hasExited, true)
      assert.equal(loanStatus, 'CLOSED')
      assert.equal(soa.totalPaise, 0n)
      assert.equal(retainedFeePaise, 0n)
      assert.equal(received - unappliedPaise, kept)
      await endDay(on(recordedOn + 7))
      const { INTEREST_INCOME, PENALTY_INCOME, PRINCIPAL } = await balancesOf(db, caseRef)
      assert.equal(INTEREST_INCOME, principal - fee - kept)
      assert.equal(PENALTY_INCOME ?? 0n, 0n)
      assert.equal(PRINCIPAL, 0n)
    })

test('RBI, cooling-off: an exit that other money paid for in time stands when a payment is taken back', async () => {
  const caseRef = await open()
  const twin = await open()
  setClock(startOf(on(0)))
  for (const each of [caseRef, twin]) await requestExit(each, on(0))
  for (let day = 0; day < 3; day++) await endDay(on(day))
  setClock(startOf(on(3)))
  const own = await exitOn(twin, on(1))
  await receive(caseRef, await exitOn(caseRef, on(3)), on(3), 'taken back')
  for (const each of [caseRef, twin]) await receive(each, own, on(1), `own-${each}`)
  for (let day = 3; day < 12; day++) {
    await endDay(on(day))
    setClock(startOf(on(day + 1)))
  }
  await reverse(caseRef, 'taken back', on(12))
  const after = await view(caseRef)
  const expected = await view(twin)
  assert.equal(after.loanStatus, 'CLOSED')
  assert.equal(after.soa.totalPaise, 0n)
  assert.equal(after.retainedFeePaise, 0n)
  assert.equal(after.unappliedPaise, expected.unappliedPaise)
  assert.deepEqual(await balancesOf(db, caseRef), await balancesOf(db, twin))
})

test('RBI, cooling-off: an exit is undone when the payment is taken back without which it was not paid in time', async () => {
  const caseRef = await open({}, on(12))
  const twin = await open({}, on(12))
  for (const each of [caseRef, twin]) await requestExit(each, on(12))
  await receive(caseRef, await exitOn(caseRef, on(12)), on(12), 'taken back')
  for (const each of [caseRef, twin]) await receive(each, 50_000_00n, on(12), `own-${each}`)
  await reverse(caseRef, 'taken back', on(12))
  const after = await view(caseRef)
  assert.equal(after.loanStatus, 'ACTIVE')
  assert.equal(after.soa.totalPaise, (await view(twin)).soa.totalPaise)
  assert.equal(after.retainedFeePaise, fee)
})
