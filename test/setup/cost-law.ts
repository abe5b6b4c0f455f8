// What a loan costs follows from the days on which the borrower had the money, and not from how payments are cut: two laws to play.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { interestOnDays } from '#kit/money/annuity.ts'
import type { Paise } from '#kit/money/money.ts'
import { payoffOn } from '#partner/loan/payoff.ts'
import { type AccountInMemory, accountInMemory, agreed, at, dayOf, rounding } from './money-law.ts'

const bps = 2400n
const unitOf = { RUPEE: 100n, PAISE: 1n } as const

interface Paid {
  paise: Paise
  isPartPayment: boolean
  keepsTerm: boolean
}
const paid = fc.record({
  paise: fc.oneof(fc.bigInt(1n, 12_000_00n), fc.constant(4790_00n), fc.bigInt(1n, 60_000_00n)),
  isPartPayment: fc.boolean(),
  keepsTerm: fc.boolean(),
})
/** Payments, each after so many days. */
const history = fc.array(fc.record({ paid, days: fc.integer({ min: 0, max: 9 }) }), { maxLength: 12 })

let names = 0
const receive = (account: AccountInMemory, payment: Paid, day: number) =>
  account.receive({ kind: 'receive', late: 0, ...payment }, `p${++names}`, dayOf(day), dayOf(day))
const closingOn = (account: AccountInMemory, day: number): Paise =>
  payoffOn(account.loan(), account.rows, dayOf(day), at).total
const balanceOf = (account: AccountInMemory, name: string): Paise =>
  account.balances().reduce((sum, each) => (each.account === name ? sum + each.paise : sum), 0n)
const interestOf = (account: AccountInMemory): Paise => account.rows.reduce((sum, { due }) => sum + due.interest, 0n)

/** Plays payments; gives the day after the last one, and tells of every day that ended. */
function lived(
  account: AccountInMemory,
  payments: { paid: Paid; days: number }[],
  ended: () => void = () => {},
): number {
  let day = 0
  for (const { paid: payment, days } of payments) {
    for (const until = day + days; day < until; day++) {
      account.endDays(dayOf(day))
      ended()
    }
    receive(account, payment, day)
  }
  return day
}
const noPenalty = { bps: 0, graceDays: 0, everyDays: 1, most: 0 }
const opened = (round: 'RUPEE' | 'PAISE') => accountInMemory({ ...agreed[round], penalty: noPenalty }, [])

const cuts = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 12 })

/** Money of a day costs the same, however it is cut into receipts. */
export const cutsCostTheSame = fc.property(
  history,
  paid,
  cuts,
  rounding,
  (before, { paise, ...rest }, weights, round) => {
    const [whole, cut] = [opened(round), opened(round)]
    const day = lived(whole, before)
    lived(cut, before)
    receive(whole, { paise, ...rest }, day)
    const all = weights.reduce((sum, weight) => sum + weight, 0)
    let [left, weighed] = [paise, 0]
    for (const weight of weights) {
      weighed += weight
      const kept = (paise * BigInt(all - weighed)) / BigInt(all)
      if (left > kept) receive(cut, { paise: left - kept, ...rest }, day)
      left = kept
    }
    assert.equal(interestOf(cut), interestOf(whole), 'interest to the end of the term')
    for (const later of [0, 1, 5, 20]) {
      if (later > 0) for (const each of [whole, cut]) each.endDays(dayOf(day + later - 1))
      assert.equal(closingOn(cut, day + later), closingOn(whole, day + later), `closing ${later} days later`)
    }
    assert.equal(balanceOf(cut, 'UNAPPLIED'), balanceOf(whole, 'UNAPPLIED'))
  },
)

/** Closing costs no more than interest on what was outstanding on each day, and one unit a row. */
export const closingCostsItsDays = fc.property(history, rounding, (payments, round) => {
  const account = opened(round)
  let principalDays = 0n
  const day = lived(account, payments, () => {
    principalDays += balanceOf(account, 'PRINCIPAL')
  })
  const received = balanceOf(account, 'BANK') + agreed[round].netPaise
  const cost = received + closingOn(account, day) - agreed[round].amountPaise + balanceOf(account, 'UNAPPLIED')
  const most = interestOnDays(principalDays, bps, 1n) + unitOf[round] * BigInt(account.rows.length)
  assert.ok(cost <= most, `${cost} for ${most}`)
})

const lateDays = fc.integer({ min: 1, max: 20 })

/** What closes the loan on a day closes it however late the news, while rows are to come, and what is more of it is the borrower's. A row that
 * was paid ahead may give back the interest on its interest, too: less than 3 rupees a row with roundings. */
export const lateNewsClosesTheSame = fc.property(
  history,
  lateDays,
  fc.bigInt(0n, 1_000_00n),
  rounding,
  paid,
  (...drawn) => {
    const [payments, late, more, round, { isPartPayment, keepsTerm }] = drawn
    const account = opened(round)
    const day = lived(account, payments)
    const paise = closingOn(account, day) + more
    if (paise === more) return
    const [spare, rows] = [balanceOf(account, 'UNAPPLIED'), account.rows.length]
    account.endDays(dayOf(day + late - 1))
    // Interest is given back as principal to come: where every row fell due, none is left for it.
    if (account.rows.filter((row) => row.dueOn > dayOf(day + late)).length < 2) return
    const payment = { kind: 'receive' as const, paise, late, isPartPayment, keepsTerm }
    account.receive(payment, `p${++names}`, dayOf(day), dayOf(day + late))
    assert.equal(account.status, 'CLOSED')
    const kept = more + balanceOf(account, 'UNAPPLIED') - spare
    assert.ok(kept <= 0n && -kept <= 3_00n * BigInt(rows), `${kept} of what is more`)
  },
)
