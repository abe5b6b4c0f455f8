// Property laws of a loan's cost: it depends on the days on which principal was outstanding, not on how payments are split.
import assert from 'node:assert/strict'
import { interestOnDays } from '@lendloom/lending/annuity'
import type { Paise } from '@lendloom/lending/money'
import { nextDueOn, paidOf, unpaidOf } from '@lendloom/partner/src/servicing/loan/installment-row.ts'
import { payoffOn } from '@lendloom/partner/src/servicing/loan/payoff.ts'
import { amountAboveAnyDebt } from '@lendloom/partner/src/servicing/loan/repay.ts'
import { maxWaivable, type Waivable } from '@lendloom/partner/src/servicing/loan/waiver.ts'
import fc from 'fast-check'
import { type AccountInMemory, accountInMemory, at, dayOf, penalty, rounding, termsByRounding } from './money-law.ts'

const bps = 2400n
const unitOf = { RUPEE: 100n, PAISE: 1n } as const

interface Payment {
  paise: Paise
  isPartPayment: boolean
  keepsTerm: boolean
}
const anyPayment = fc.record({
  paise: fc.oneof(fc.bigInt(1n, 12_000_00n), fc.constant(4790_00n), fc.bigInt(1n, 60_000_00n)),
  isPartPayment: fc.boolean(),
  keepsTerm: fc.boolean(),
})
/** Payments, each some days after the previous one. */
const history = fc.array(fc.record({ payment: anyPayment, days: fc.integer({ min: 0, max: 9 }) }), { maxLength: 12 })

let receiptCount = 0
const receive = (account: AccountInMemory, payment: Payment, day: number, today = day) =>
  account.receive({ kind: 'receive', late: today - day, ...payment }, `p${++receiptCount}`, dayOf(day), dayOf(today))
const closingOn = (account: AccountInMemory, day: number): Paise =>
  payoffOn(account.loan(), account.rows, dayOf(day), at).total
const balanceOf = (account: AccountInMemory, name: string): Paise =>
  account.balances().reduce((sum, each) => (each.account === name ? sum + each.paise : sum), 0n)
const interestOf = (account: AccountInMemory): Paise =>
  account.rows.reduce((sum, { due, interestGivenBack }) => sum + due.interest - interestGivenBack, 0n)

/** Plays payments, calls `onDayEnd` after each day end, and returns the last day. */
function playPayments(
  account: AccountInMemory,
  payments: { payment: Payment; days: number }[],
  onDayEnd: () => void = () => {},
): number {
  let day = 0
  for (const { payment, days } of payments) {
    for (const until = day + days; day < until; day++) {
      account.endDays(dayOf(day))
      onDayEnd()
    }
    receive(account, payment, day)
  }
  return day
}
/** The same payments with a constant `keepsTerm`. */
const withKeepsTerm = (payments: { payment: Payment; days: number }[], keepsTerm: boolean) =>
  payments.map(({ payment, days }) => ({ payment: { ...payment, keepsTerm }, days }))
const noPenalty = { bps: 0, graceDays: 0, everyDays: 1, most: 0 }
const newAccount = (round: 'RUPEE' | 'PAISE') => accountInMemory({ ...termsByRounding[round], penalty: noPenalty }, [])

const splitWeights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 12 })
/** Days between the value date and the bank's report. */
const lateDays = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 }))

/** Asserts that the costs of two accounts, now and when closed later, differ by at most `most`. */
function assertSameCost([first, second]: [AccountInMemory, AccountInMemory], today: number, most: Paise) {
  const compare = (a: Paise, b: Paise, what: string) =>
    assert.ok(a - b <= most && b - a <= most, `${what}: ${a} and ${b}`)
  compare(interestOf(first), interestOf(second), 'interest to the end of the term')
  const cost = (account: AccountInMemory, day: number): Paise =>
    closingOn(account, day) + balanceOf(account, 'UNAPPLIED')
  for (const later of [0, 1, 5, 20]) {
    if (later > 0) for (const each of [first, second]) each.endDays(dayOf(today + later - 1))
    compare(cost(first, today + later), cost(second, today + later), `closing ${later} days later`)
  }
}

/** Splitting a day's money into receipts costs the same; late or with a kept term, within a unit per row and a rupee. */
const splittingCostsTheSame = fc.property(
  history,
  anyPayment,
  splitWeights,
  lateDays,
  rounding,
  (before, { paise, ...rest }, weights, late, round) => {
    const unsplit = newAccount(round)
    const split = newAccount(round)
    const day = playPayments(unsplit, before)
    playPayments(split, before)
    const today = day + late
    if (late > 0) for (const each of [unsplit, split]) each.endDays(dayOf(today - 1))
    const rows = BigInt(unsplit.rows.length)
    receive(unsplit, { paise, ...rest }, day, today)
    const totalWeight = weights.reduce((sum, weight) => sum + weight, 0)
    let left = paise
    let usedWeight = 0
    for (const weight of weights) {
      usedWeight += weight
      const remaining = (paise * BigInt(totalWeight - usedWeight)) / BigInt(totalWeight)
      if (left > remaining) receive(split, { paise: left - remaining, ...rest }, day, today)
      left = remaining
    }
    assertSameCost([unsplit, split], today, late > 0 || rest.keepsTerm ? unitOf[round] * rows + 100n : 0n)
    if (late === 0) assert.equal(balanceOf(split, 'UNAPPLIED'), balanceOf(unsplit, 'UNAPPLIED'))
  },
)

/** On a day without a due row, a part payment and a partial instalment cost the same in either order. */
const orderChangesNothing = fc.property(
  history,
  fc.bigInt(1n, 60_000_00n),
  fc.bigInt(1n, 1_000_00n),
  fc.boolean(),
  rounding,
  (before, partPayment, smallPayment, keepsTerm, round) => {
    const payments = [partPayment, smallPayment].map((paise) => ({
      paise,
      isPartPayment: paise === partPayment,
      keepsTerm,
    }))
    const accounts = [newAccount(round), newAccount(round)] as const
    let today = 0
    for (const [i, account] of accounts.entries()) {
      today = playPayments(account, withKeepsTerm(before, keepsTerm))
      if ((nextDueOn(account.rows) ?? dayOf(today)) <= dayOf(today)) return
      for (const each of i === 0 ? payments : payments.toReversed()) receive(account, each, today)
    }
    const [first, second] = accounts
    // Money beyond the current instalment prepays principal and so changes the instalment itself.
    if (accounts.some(({ rows }) => rows.some((row) => !row.fellDue && paidOf(row) > 0n && unpaidOf(row) === 0n)))
      return
    assert.equal(first.rows.length, second.rows.length)
    assertSameCost([...accounts], today, unitOf[round] * BigInt(first.rows.length))
  },
)

/** Closing costs at most the interest on each day's outstanding principal plus one unit per row. */
const closingCostsItsDays = fc.property(history, rounding, (payments, round) => {
  const account = newAccount(round)
  let principalDays = 0n
  const day = playPayments(account, payments, () => {
    principalDays += balanceOf(account, 'PRINCIPAL')
  })
  const received = balanceOf(account, 'BANK') + termsByRounding[round].netPaise
  const cost = received + closingOn(account, day) - termsByRounding[round].amountPaise + balanceOf(account, 'UNAPPLIED')
  const most = interestOnDays(principalDays, bps, 1n) + unitOf[round] * BigInt(account.rows.length)
  assert.ok(cost <= most, `${cost} is more than ${most}`)
})

/**
 * Closing on the day of a late report costs the same as with an immediate report, up to a unit per row and a rupee. With a
 * kept term the rows that fell due meanwhile keep the old instalment, so the lender gets less interest.
 */
const lateCostsTheSame = fc.property(
  history,
  anyPayment,
  fc.integer({ min: 1, max: 40 }),
  rounding,
  (before, drawn, late, round) => {
    const payment = { ...drawn, keepsTerm: false }
    const atOnce = newAccount(round)
    const later = newAccount(round)
    const kept = withKeepsTerm(before, false)
    const day = playPayments(atOnce, kept)
    playPayments(later, kept)
    const most = unitOf[round] * BigInt(later.rows.length) + 100n
    receive(atOnce, payment, day)
    for (const each of [atOnce, later]) each.endDays(dayOf(day + late - 1))
    receive(later, payment, day, day + late)
    const costs = [atOnce, later].map((each) => closingOn(each, day + late) + balanceOf(each, 'UNAPPLIED'))
    const [atOnceCost = 0n, lateCost = 0n] = costs
    assert.ok(atOnceCost - lateCost <= most && lateCost - atOnceCost <= most, `${lateCost} instead of ${atOnceCost}`)
  },
)

/**
 * The closing amount of a day closes the loan however late it is reported; any excess becomes the borrower's balance.
 * The difference is at most one unit per row, because each row is rounded up.
 */
const lateReportClosesTheLoan = fc.property(
  history,
  fc.integer({ min: 1, max: 200 }),
  fc.bigInt(0n, 1_000_00n),
  rounding,
  anyPayment,
  (...drawn) => {
    const [payments, late, excess, round, { isPartPayment, keepsTerm }] = drawn
    const account = newAccount(round)
    const day = playPayments(account, withKeepsTerm(payments, keepsTerm))
    const paise = closingOn(account, day) + excess
    if (paise === excess) return
    const unappliedBefore = balanceOf(account, 'UNAPPLIED')
    const rows = account.rows.length
    account.endDays(dayOf(day + late - 1))
    receive(account, { paise, isPartPayment, keepsTerm }, day, day + late)
    assert.equal(account.status, 'CLOSED')
    const difference = excess + balanceOf(account, 'UNAPPLIED') - unappliedBefore
    assert.ok(difference <= 0n && -difference <= unitOf[round] * BigInt(rows), `the balance differs by ${difference}`)
  },
)

type LoanEvent =
  | { kind: 'receive'; paise: Paise; isPartPayment: boolean; late: number }
  | { kind: 'reverse'; which: number }
  | { kind: 'waive'; quarters: number }

const anyEvent: fc.Arbitrary<LoanEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('receive' as const),
      isPartPayment: fc.boolean(),
      paise: fc.oneof(fc.bigInt(1n, 12_000_00n), fc.constant(4790_00n), fc.bigInt(1n, 60_000_00n)),
      // Days between the value date and the bank's report.
      late: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reverse' as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('waive' as const), quarters: fc.integer({ min: 1, max: 4 }) }),
  },
)
const loanEvents = fc.array(fc.record({ event: anyEvent, days: fc.integer({ min: 1, max: 14 }) }), {
  minLength: 1,
  maxLength: 12,
})

interface TwoAccountPlan {
  all: { event: LoanEvent; days: number }[]
  /** Whether an instalment arrives each week and late sums are reported on separate days; otherwise all at the end. */
  isRegular: boolean
  isCharged: boolean
}

/** Plays two accounts, with immediate and with late bank reports; returns the day of the last report. */
function playTwice(accounts: AccountInMemory[], { all, isRegular, isCharged }: TwoAccountPlan): number {
  const [atOnce, later] = accounts
  const late: { on: number; report: (today: number) => void }[] = []
  const reversible: string[] = []
  let day = 0
  const play = (each: LoanEvent): void => {
    if (each.kind === 'reverse') {
      // Otherwise nothing is reversed: a reopened row is charged again, and earlier waivers depend on what was paid.
      const [name] = isRegular || isCharged ? [] : reversible.splice(each.which % Math.max(reversible.length, 1), 1)
      if (name) for (const account of accounts) account.reverseReceipt(name, dayOf(day))
    } else if (each.kind === 'waive') {
      const waiver = waivableOnAll(accounts, each.quarters)
      if (!isRegular && isCharged && waiver.penalty + waiver.interest > 0n)
        for (const account of accounts) account.waive(waiver, dayOf(day))
    } else {
      const name = `p${++receiptCount}`
      const valueDay = day
      const report = (account: AccountInMemory | undefined, today: number) =>
        account?.receive({ ...each, keepsTerm: false, late: today - valueDay }, name, dayOf(valueDay), dayOf(today))
      report(atOnce, day)
      if (each.late > 0) late.push({ on: day + each.late, report: (today) => report(later, today) })
      else reversible.push(name) && report(later, day)
    }
  }
  const reportAll = (reports: typeof late) => {
    for (const { report } of reports) report(day)
  }
  const playUntil = (last: number): void => {
    while (day < last) {
      for (const account of accounts) account.endDays(dayOf(day))
      day++
      if (isRegular) reportAll(late.filter(({ on }) => on === day))
      if (isRegular && day % 7 === 0) play({ kind: 'receive', paise: 4790_00n, isPartPayment: false, late: 0 })
    }
  }
  for (const { event: each, days } of all) {
    playUntil(day + days)
    play(each)
  }
  playUntil(Math.max(day, ...late.map(({ on }) => on)))
  if (!isRegular) reportAll(late)
  return day
}

/** Returns this many quarters of the amount that can be waived on every account. */
function waivableOnAll(accounts: AccountInMemory[], quarters: number): Waivable {
  const maximums = accounts.map(({ rows }) => maxWaivable(rows))
  const amountOf = (part: keyof Waivable): Paise =>
    (maximums.reduce((least, each) => (each[part] < least ? each[part] : least), amountAboveAnyDebt) *
      BigInt(quarters)) /
    4n
  return { penalty: amountOf('penalty'), charges: amountOf('charges'), interest: amountOf('interest') }
}

/**
 * Once the bank has reported all money, closing costs the same, however late the reports and whatever else happened, up to a
 * unit per row and a rupee. This holds on the day of the last report, because the money it pays on due rows then stops interest.
 */
const mixedLateReportsCostTheSame = fc.property(loanEvents, fc.boolean(), penalty, rounding, (...drawn) => {
  const [all, isRegular, policy, round] = drawn
  const accounts = [0, 1].map(() => accountInMemory({ ...termsByRounding[round], penalty: policy }, []))
  const rows = accounts[1]?.rows.length ?? 0
  const day = playTwice(accounts, { all, isRegular, isCharged: policy.bps > 0 })
  const [atOnceCost = 0n, lateCost = 0n] = accounts.map((each) => closingOn(each, day) + balanceOf(each, 'UNAPPLIED'))
  // A waiver leaves the principal of a due row, of which timely money made a larger part, and penal charges follow it.
  const waived = accounts.reduce((sum, each) => sum + balanceOf(each, 'WAIVED'), 0n)
  const charged = ((waived < 0n ? -waived : waived) * BigInt(policy.bps * policy.most)) / 10_000n
  const most = unitOf[round] * BigInt(rows) + 100n + charged
  assert.ok(lateCost - atOnceCost <= most, `${lateCost} instead of ${atOnceCost}`)
  // After a reversal, timely money can cost more, because due rows that it did not pay bear no interest.
  const hasReversals = !isRegular && policy.bps === 0 && all.some(({ event: { kind } }) => kind === 'reverse')
  if (!hasReversals) assert.ok(atOnceCost - lateCost <= most, `${lateCost} instead of ${atOnceCost}`)
})

/**
 * A part payment that is reversed on its day leaves the schedule unchanged, whatever happened before. With a kept term the
 * instalment is computed again; a row paid early stays paid, unless so little was left that rows disappeared.
 */
const reversalChangesNothing = fc.property(
  fc.array(fc.record({ payment: anyPayment, days: fc.integer({ min: 0, max: 9 }), isReversed: fc.boolean() }), {
    maxLength: 12,
  }),
  fc.bigInt(1n, 130_000_00n),
  fc.boolean(),
  rounding,
  (before, paise, keepsTerm, round) => {
    const account = newAccount(round)
    let today = 0
    const receiveAndReverse = (payment: Payment, meanwhile: () => void) => {
      receive(account, { ...payment, keepsTerm }, today)
      meanwhile()
      account.reverseReceipt(`p${receiptCount}`, dayOf(today))
    }
    for (const { payment, days, isReversed } of before) {
      if (days > 0) account.endDays(dayOf(today + days - 1))
      today += days
      if (isReversed) receiveAndReverse(payment, () => {})
      else receive(account, { ...payment, keepsTerm }, today)
    }
    const amounts = () => account.rows.map(({ dueOn, due, paid }) => ({ dueOn, due, paid }))
    const amountsBefore = amounts()
    const rows = account.rows
    let hasFewer = false
    receiveAndReverse({ paise, isPartPayment: true, keepsTerm }, () => {
      hasFewer = account.rows.length < rows.length
    })
    if (!keepsTerm) assert.deepEqual(amounts(), amountsBefore)
    else if (!hasFewer)
      for (const [i, row] of account.rows.entries()) {
        const earlier = rows[i]
        if (earlier && paidOf(earlier) > 0n && unpaidOf(earlier) === 0n) assert.equal(unpaidOf(row), 0n)
      }
  },
)

/**
 * With a kept term, no row exceeds the agreed instalment after a part payment is reversed, apart from rounding, however
 * little principal is left and however much interest the current week has earned.
 */
const reversalRaisesNoRow = fc.property(
  fc.integer({ min: 0, max: 20 }),
  fc.integer({ min: 0, max: 6 }),
  fc.tuple(fc.bigInt(1n, 20_000_00n), fc.bigInt(1n, 2_000_00n)),
  fc.boolean(),
  rounding,
  (weeks, days, [paise, left], keepsTerm, round) => {
    const account = newAccount(round)
    const instalment = { paise: termsByRounding[round].installmentPaise, isPartPayment: false, keepsTerm: true }
    const day = playPayments(
      account,
      Array.from({ length: weeks }, () => ({ payment: instalment, days: 7 })),
    )
    const today = day + days
    if (days > 0) account.endDays(dayOf(today - 1))
    receive(account, { paise, isPartPayment: true, keepsTerm: true }, today)
    const reversedReceipt = `p${receiptCount}`
    const rest = closingOn(account, today) - left
    if (rest > 0n) receive(account, { paise: rest, isPartPayment: true, keepsTerm }, today)
    account.reverseReceipt(reversedReceipt, dayOf(today))
    const most = termsByRounding[round].installmentPaise + unitOf[round] * BigInt(termsByRounding[round].tenureWeeks)
    for (const { due, fellDue } of account.rows)
      assert.ok(fellDue || due.interest + due.principal <= most, `${due.interest} and ${due.principal}`)
  },
)

type CostEvent =
  | { kind: 'receive'; payment: Payment; late: number; days: number }
  | { kind: 'reverse'; which: number; days: number }

const daysBefore = fc.integer({ min: 0, max: 20 })
const anyCostPayment: fc.Arbitrary<CostEvent> = fc.record({
  kind: fc.constant('receive' as const),
  payment: fc.oneof(
    { weight: 4, arbitrary: anyPayment },
    { weight: 1, arbitrary: anyPayment.map((payment) => ({ ...payment, paise: 130_000_00n })) },
  ),
  // Days between the value date and the bank's report.
  late: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
  days: daysBefore,
})
const anyReversal: fc.Arbitrary<CostEvent> = fc.record({
  kind: fc.constant('reverse' as const),
  which: fc.nat(),
  days: daysBefore,
})

interface WholeCost {
  /** The interest of the loan, after all its rows fell due. */
  interest: Paise
  /** The sum, over all days, of the principal that had not fallen due, less all that was paid early, in paise × days. */
  principalDays: bigint
  rows: number
}

/** Plays a whole loan, until no row is left to fall due. */
function playWholeLoan(round: 'RUPEE' | 'PAISE', events: CostEvent[]): WholeCost {
  const account = newAccount(round)
  const reversible: string[] = []
  let principalDays = 0n
  let day = 0
  const endDay = (): void => {
    account.endDays(dayOf(day))
    const notDue = account.rows.filter(({ fellDue }) => !fellDue)
    const principal = notDue.reduce((sum, { due, paid }) => sum + due.principal - paid.principal - paid.interest, 0n)
    if (principal > 0n) principalDays += principal
    day++
  }
  for (const event of events) {
    for (let each = 0; each < event.days; each++) endDay()
    if (event.kind === 'receive') {
      receive(account, event.payment, Math.max(0, day - event.late), day)
      reversible.push(`p${receiptCount}`)
    } else {
      const [name] = reversible.splice(event.which % Math.max(reversible.length, 1), 1)
      if (name !== undefined) account.reverseReceipt(name, dayOf(day))
    }
  }
  while (account.rows.some(({ fellDue }) => !fellDue)) endDay()
  return { interest: interestOf(account), principalDays, rows: account.rows.length }
}

/** While no payment is returned, a loan costs at most the interest of its key facts, to the paisa. */
const keptPaymentsCostAtMostTheKeyFacts = fc.property(
  fc.array(anyCostPayment, { maxLength: 14 }),
  rounding,
  (events, round) => {
    const { interest } = playWholeLoan(round, events)
    const most = termsByRounding[round].totalInterestPaise
    assert.ok(interest <= most, `${interest} is more than ${most}`)
  },
)

/**
 * Whatever is returned, a loan costs at most the interest on the principal that the borrower had on each day and that had
 * not fallen due, up to half a unit per row for rounding. Days on which the lender had the money cost nothing.
 */
const interestCostsItsDays = fc.property(
  fc.array(fc.oneof({ weight: 3, arbitrary: anyCostPayment }, { weight: 1, arbitrary: anyReversal }), {
    maxLength: 14,
  }),
  rounding,
  (events, round) => {
    const { interest, principalDays, rows } = playWholeLoan(round, events)
    const most = interestOnDays(principalDays, bps, 1n) + (unitOf[round] * BigInt(rows)) / 2n + 1n
    assert.ok(interest <= most, `${interest} is more than ${most}`)
  },
)

/** Returns the interest beyond that of the key facts, if a part payment of most of the loan on day 6 is returned later. */
export function interestBeyondKeyFacts(daysUntilReturn: number): Paise {
  const payment = { paise: 99_000_00n, isPartPayment: true, keepsTerm: false }
  const prepayment: CostEvent = { kind: 'receive', payment, late: 0, days: 6 }
  const { interest } = playWholeLoan('RUPEE', [prepayment, { kind: 'reverse', which: 0, days: daysUntilReturn }])
  return interest - termsByRounding.RUPEE.totalInterestPaise
}

/** `runs` is the number of random runs in a test. */
export const costLaws: { title: string; law: fc.IProperty<unknown>; runs: number }[] = [
  {
    title: 'D3 §2.5: splitting the money of a day into receipts does not change the cost of a loan',
    law: splittingCostsTheSame,
    runs: 500,
  },
  {
    title: 'D3 §6 rule 7: two receipts of a day leave the same schedule in either order',
    law: orderChangesNothing,
    runs: 500,
  },
  {
    title:
      'D3 §2.5: closing never costs more than the interest on each day’s outstanding principal plus one unit per row',
    law: closingCostsItsDays,
    runs: 1000,
  },
  {
    title: 'D3 §2.5: while no payment is returned, a loan never costs more interest than its key facts say',
    law: keptPaymentsCostAtMostTheKeyFacts,
    runs: 1000,
  },
  {
    title:
      'D3 §3: returned payments or not, interest is never more than that on each day’s principal before its due date',
    law: interestCostsItsDays,
    runs: 1000,
  },
  {
    title: 'D3 §6 rule 7: money that the bank reports late costs the same as on its value date',
    law: lateCostsTheSame,
    runs: 500,
  },
  {
    title: 'D3 §6 rule 7: the closing amount of a day closes the loan however late the bank reports it',
    law: lateReportClosesTheLoan,
    runs: 500,
  },
  {
    title: 'D3 §6 rule 7: late money costs the same whatever other money arrives meanwhile',
    law: mixedLateReportsCostTheSame,
    runs: 200,
  },
  {
    title: 'D3 §3: a part payment that is reversed on its day leaves the schedule unchanged',
    law: reversalChangesNothing,
    runs: 500,
  },
  {
    title: 'D3 §3: no row exceeds the agreed instalment when a part payment with a kept term is reversed',
    law: reversalRaisesNoRow,
    runs: 500,
  },
]
