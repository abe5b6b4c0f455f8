// The partner's real account rules with a ledger in memory, random acts, and the comparison with an independent shadow account.
import assert from 'node:assert/strict'
import { daysBetween, plusDays } from '@lendloom/lending/calendar'
import type { ChartAccount as LedgerAccount } from '@lendloom/partner/src/books/ledger/chart.ts'
import {
  balancesFrom,
  type LedgerEntry,
  type Posting,
  posting,
  reversalOf,
  withCase,
} from '@lendloom/partner/src/books/ledger/entry.ts'
import { finalTerms, type LoanTerms } from '@lendloom/partner/src/origination/terms/terms.ts'
import { owedBy, rowDisagreements } from '@lendloom/partner/src/servicing/loan/account-view.ts'
import { accrue } from '@lendloom/partner/src/servicing/loan/accrue.ts'
import { classOn } from '@lendloom/partner/src/servicing/loan/class/asset-class.ts'
import {
  hasIncomeSuspense,
  suspensePostings,
  unreceivedIncome,
} from '@lendloom/partner/src/servicing/loan/class/income-suspense.ts'
import { exitAmountOn, feeRefundsFrom, mayExit, refundFee } from '@lendloom/partner/src/servicing/loan/exit.ts'
import {
  amountOf,
  arrearsFrom,
  conditionOf,
  type InstallmentRow,
  isLate,
  owedOf,
  paidOf,
  rowStatus,
  unpaidOf,
} from '@lendloom/partner/src/servicing/loan/installment-row.ts'
import { type LoanStatus, statusAfter } from '@lendloom/partner/src/servicing/loan/loan.ts'
import { disbursementEntry, initialInstallments } from '@lendloom/partner/src/servicing/loan/open-loan.ts'
import { payoffOn } from '@lendloom/partner/src/servicing/loan/payoff.ts'
import { effectOfReceipt } from '@lendloom/partner/src/servicing/loan/receipt-effect.ts'
import { refundEntry } from '@lendloom/partner/src/servicing/loan/refund.ts'
import { claimRefund, unclaimedRefund } from '@lendloom/partner/src/servicing/loan/refund-claim.ts'
import { type LoanState, repay } from '@lendloom/partner/src/servicing/loan/repay.ts'
import type { PlanBasis } from '@lendloom/partner/src/servicing/loan/replan.ts'
import { returnEntries } from '@lendloom/partner/src/servicing/loan/return-payout.ts'
import { reverseInLoan } from '@lendloom/partner/src/servicing/loan/reverse-receipt.ts'
import { type DebitDays, endDays } from '@lendloom/partner/src/servicing/loan/row-day-end.ts'
import { setOff, unappliedBalanceFrom } from '@lendloom/partner/src/servicing/loan/set-off.ts'
import { maxWaivable, type Waivable, waiveRows } from '@lendloom/partner/src/servicing/loan/waiver.ts'
import { receivables, withRecoveries, writeOffEntry } from '@lendloom/partner/src/servicing/loan/write-off-entries.ts'
import fc from 'fast-check'
import { disbursedOn, openingOf, proposedTerms } from './account.ts'
import { type Shadow, type Sums, shadowOf } from './shadow-account.ts'

type Receive = Extract<AccountAct, { kind: 'receive' }>
export type AccountAct =
  | { kind: 'receive'; paise: bigint; late: number; isPartPayment: boolean; keepsTerm: boolean }
  | { kind: 'reverse'; which: number }
  | { kind: 'days'; days: number }
  | { kind: 'waive'; penalty: number; charges: number; interest: number }
  | { kind: 'write off' }
  | { kind: 'request exit' }
  | { kind: 'refund'; part: number }
  | { kind: 'refund ends'; fails: boolean }
  /** The bank gives back a refund that it had paid out. */
  | { kind: 'refund returns'; which: number }
  /** Classifies the loan at the day end, as if the borrower were `more` days further past due. */
  | { kind: 'classify'; more: number }

export const anyAct: fc.Arbitrary<AccountAct> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('receive' as const),
      paise: fc.oneof(fc.bigInt(1n, 12_000_00n), fc.constant(4790_00n), fc.bigInt(1n, 130_000_00n)),
      // Days between the value date and the bank's report.
      late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 15 })),
      isPartPayment: fc.boolean(),
      keepsTerm: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reverse' as const), which: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('refund' as const), part: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund ends' as const), fails: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund returns' as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('waive' as const),
      penalty: fc.integer({ min: 0, max: 4 }),
      charges: fc.integer({ min: 0, max: 4 }),
      interest: fc.integer({ min: 0, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'write off' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'request exit' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('classify' as const), more: fc.integer({ min: 0, max: 100 }) }),
  },
)
/** Several instalments paid on one day: the first may be early, the others prepay principal. */
const paidAhead: fc.Arbitrary<AccountAct[]> = fc.integer({ min: 2, max: 6 }).map((count) =>
  Array.from({ length: count }, () => ({
    kind: 'receive' as const,
    paise: 4790_00n,
    late: 0,
    isPartPayment: false,
    keepsTerm: false,
  })),
)
/** Charges on the initial rows, because no act books charges yet and payments and waivers must handle them. */
export const chargesOnRows = fc.array(
  fc.oneof({ weight: 4, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.bigInt(1n, 500_00n) }),
  { maxLength: 22 },
)
export const penalty = fc.record({
  bps: fc.constantFrom(0, 100, 250),
  graceDays: fc.integer({ min: 0, max: 5 }),
  everyDays: fc.integer({ min: 1, max: 9 }),
  most: fc.integer({ min: 0, max: 5 }),
})
export const rounding = fc.constantFrom('RUPEE' as const, 'PAISE' as const)
export const termsByRounding = { RUPEE: finalTerms(proposedTerms, 'RUPEE'), PAISE: finalTerms(proposedTerms, 'PAISE') }
const days = new Map<number, string>()
export function dayOf(number: number): string {
  const day = days.get(number) ?? plusDays(disbursedOn, number)
  days.set(number, day)
  return day
}
export const at = new Date('2026-11-20T06:00:00.000Z')

export const shadowFor = (
  terms: LoanTerms,
  charges: bigint[],
  hasDebits: (day: number) => boolean = () => true,
): Shadow =>
  shadowOf(
    withCharges(initialInstallments(terms, disbursedOn, at), charges).map(({ number, due }) => ({
      dueDay: 7 * number,
      charges: due.charges,
      interest: due.interest,
      principal: due.principal,
    })),
    {
      ...terms.penalty,
      bps: BigInt(terms.penalty.bps),
      unit: terms.rounding === 'RUPEE' ? 100n : 1n,
      rateBps: 2400n,
      installment: terms.installmentPaise,
      weeks: terms.tenureWeeks,
      fee: terms.feePaise + terms.taxPaise,
      hasDebits,
    },
  )

const withCharges = (rows: InstallmentRow[], charges: bigint[]): InstallmentRow[] =>
  rows.map((row, i) => ({ ...row, due: { ...row.due, charges: charges[i] ?? 0n } }))

/** The real rules with their ledger in memory. */
export function accountInMemory(terms: LoanTerms, charges: bigint[], debitDays: DebitDays = (on) => on) {
  const caseRef = 'case'
  const given = openingOf(caseRef, terms)
  let loan: PlanBasis = { terms, disbursedOn, installmentPaise: terms.installmentPaise }
  let npaOn: string | null = null
  const postings: Posting[] = []
  const byRow = new Map<string, { account: LedgerAccount; installment: number; paise: bigint }>()
  const receipts = new Map<string, LedgerEntry>()
  const posted: LedgerEntry[] = []
  const account = {
    rows: withCharges(initialInstallments(terms, disbursedOn, at), charges),
    status: statusAfter('NOT_CREATED', 'opened') as LoanStatus,
    postings,
    loan: () => loan,
    balances: () => [...byRow.values()],
    isNonPerforming: () => npaOn !== null,
    isLost: () => isLost,
    /** Booked interest of the current row. */
    accruedNow: () => account.rows.find((row) => !row.fellDue)?.accrued ?? 0n,
    /** Classifies at a day end, as if the borrower were `more` days further past due. */
    classify(on: string, more: number) {
      const oldest = arrearsFrom(account.rows)
      const oldestDueOn = oldest !== null && oldest <= on ? oldest : null
      const was = isIncomeSuspended()
      const awaitsPayment = account.status !== 'CLOSED' && isWaivedSincePaid()
      npaOn = classOn({ oldestDueOn, npaOn, isLoss: false, awaitsPayment }, plusDays(on, more)).npaOn
      if (npaOn === null) waivedAt = null
      const { rows } = account
      const held = suspensePostings({ rows, isNonPerforming: was }, { rows, isNonPerforming: isIncomeSuspended() })
      if (held.length > 0) write(rows, [amendmentOf(held)])
    },
    /** Requests the cooling-off exit, and exits at once if nothing is owed. Returns false for a closed loan without a refundable fee. */
    requestExit(until: string, on: string) {
      const isRunning = account.status !== 'CLOSED'
      const was = exitUntil
      exitUntil = until
      const hasLeft = exitIfNothingOwed(on)
      if (!isRunning && !hasLeft) exitUntil = was
      if (hasLeft) exitsAtRequest++
      return isRunning || hasLeft
    },
    exitsAtRequest: () => exitsAtRequest,
    /** Number of cooling-off exits. */
    exits: () => feeRefundEntries.filter(({ kind }) => kind === 'FEE_RETURN').length,
    receive({ paise, isPartPayment, keepsTerm }: Receive, name: string, valueOn: string, on: string) {
      const keep = keepsTerm ? 'TERM' : 'INSTALLMENT'
      const earned = accrue(account.rows, terms, on, at)
      const received = effectOfReceipt({ ...loan, caseRef, exitUntil }, earned.rows, {
        paymentId: name,
        paise,
        on: valueOn,
        today: on,
        isPartPayment,
        keep,
        at,
        feeRefunds: feeRefundsFrom(feeRefundEntries),
        posted,
      })
      const { hasExited, ...after } = received
      const entries = received.entries.map((each) => ({ ...each, knownOn: on }))
      const entry: LedgerEntry = {
        caseRef,
        entryId: name,
        kind: 'RECEIPT',
        businessOn: valueOn,
        reverses: null,
        choice: { isPartPayment, keeps: keep },
        knownOn: on,
        postings: after.postings,
      }
      receipts.set(name, entry)
      paidAt.set(name, ++acts)
      const returned = entries.filter(({ kind }) => kind === 'FEE_RETURN')
      feeRefundEntries.push(...returned)
      trackUnapplied(...entries, entry)
      loan = after.loan
      write(after.rows, [...withCase(caseRef, earned.entries), ...entries, entry, amendmentOf(after.conversions)])
      const charges = entries.flatMap(({ kind, postings }) =>
        kind === 'REVERSAL' || kind === 'PENALTY'
          ? postings.map((each) => ({ ...each, isMade: kind === 'PENALTY' }))
          : [],
      )
      const { principal, interestRefunds } = after.allocation
      return { principal, late: { back: interestRefunds, charges, hasLeft: hasExited } }
    },
    reverseReceipt(name: string, on: string) {
      const receipt = receipts.get(name)!
      paidAt.delete(name)
      const reversal = reversalOf(receipt, `reversal-${name}`, on)
      const earned = accrue(account.rows, terms, on, at)
      const returned = { receipt, reversal, unapplied, feeRefundEntries }
      const done = reverseInLoan({ loan, rows: earned.rows }, returned, { caseRef, on, at })
      feeRefundEntries.push(...done.entries)
      writeReopened(done, withCase(caseRef, earned.entries))
    },
    /** On the first due date: makes what was refunded in excess before it a due of the first row. */
    claimWaiting(on: string) {
      const earned = accrue(account.rows, terms, on, at)
      const before = { loan, rows: earned.rows, conversions: [], isReplanned: false }
      const claim = unclaimedRefund(unapplied)
      if (claim === 0n) return
      const after = claimRefund(before, claim, { on, at })
      assert.ok(after.isReplanned, 'from the first due date on a claim has a row')
      writeReopened({ ...after, entries: [] }, withCase(caseRef, earned.entries))
    },
    endDays(through: string) {
      const { rows, entries } = endDays(account.rows, terms, { through, debitDays, at })
      assert.deepEqual(
        endDays(rows, terms, { through, debitDays, at }),
        { rows, entries: [] },
        'a second day end changes nothing',
      )
      write(rows, withCase(caseRef, entries))
    },
    /** Reserves a part of the unapplied balance for a refund. */
    refund(refundId: string, paise: bigint, on: string) {
      const entry = refundEntry({ caseRef, refundId, on }, paise)
      refunds.set(refundId, entry)
      trackUnapplied(entry)
      write(account.rows, [entry])
    },
    waive(amounts: Waivable, on: string) {
      const { rows, postings: given } = waiveRows(account.rows, amounts, { hasSuspense: isIncomeSuspended(), at })
      if (npaOn !== null) waivedAt = ++acts
      write(rows, [{ ...amendmentOf(given), kind: 'WAIVER', businessOn: on }])
      exitIfNothingOwed(on)
    },
    writeOff(on: string) {
      const earned = accrue(account.rows, terms, on, at)
      write(earned.rows, withCase(caseRef, earned.entries))
      const claim = receivables.reduce(
        (sum, name) => account.balances().reduce((all, each) => (each.account === name ? all + each.paise : all), sum),
        0n,
      )
      const held = isIncomeSuspended() ? account.rows : []
      write(account.rows, [writeOffEntry(caseRef, { claim, suspendedRows: held, on })])
      for (const row of held) sinceWriteOff.suspendedPenalties.set(row.number, unreceivedIncome(row, 'penalty'))
      isLost = true
    },
    refundEnds(refundId: string, paise: bigint, { fails, on }: { fails: boolean; on: string }) {
      if (fails) return releaseRefund(refundId, on)
      write(account.rows, [amendmentOf(posting('REFUND_PAYABLE', 'BANK', paise))])
    },
    refundReturns(refundId: string, paise: bigint, on: string) {
      write(account.rows, [amendmentOf(posting('BANK', 'REFUND_PAYABLE', paise))])
      releaseRefund(refundId, on)
    },
    /** What the return of the payout posts. The account is not used afterwards: it is cancelled. */
    payoutReturns: (on: string): Posting[] => returnEntries(caseRef, posted, on).flatMap((entry) => entry.postings),
    /** Asserts that the payoff amount closes the loan, and that one paisa less does not. */
    checkPayoff(on: string) {
      const { total } = payoffOn(loan, account.rows, on, at)
      const money = { from: 'BANK', on, today: on, isPartPayment: true, keep: 'INSTALLMENT', at } as const
      const closed = (paise: bigint) => repay({ loan, rows: account.rows }, { ...money, paise })
      assert.equal(conditionOf(closed(total).rows), 'repaid')
      assert.equal(closed(total).allocation.unapplied, 0n)
      if (total > 0n) assert.notEqual(conditionOf(closed(total - 1n).rows), 'repaid')
      if (!mayExit({ exitUntil }, on, feeRefundsFrom(feeRefundEntries))) return
      const exit = exitAmountOn(loan, account.rows, on, at)
      const leaving = (paise: bigint) => exitWith(account.rows, { paymentId: 'exit', paise, on, today: on, at })
      const left = leaving(exit.total)
      assert.ok(left && exit.total <= total)
      assert.equal(conditionOf(repay(left, { ...money, paise: exit.total }).rows), 'repaid')
      assert.equal(leaving(exit.total - 1n), null)
    },
  }
  let exitUntil: string | null = null
  let exitsAtRequest = 0
  const feeRefundEntries: LedgerEntry[] = []
  const exitWith = (rows: InstallmentRow[], money: Parameters<typeof refundFee>[2]) =>
    refundFee({ ...loan, caseRef, exitUntil }, rows, money, feeRefundsFrom(feeRefundEntries))
  /** Exits within cooling-off if nothing is owed. */
  const exitIfNothingOwed = (on: string): boolean => {
    const earned = accrue(account.rows, terms, on, at)
    const after = exitWith(earned.rows, { paymentId: 'request', paise: 0n, on, today: on, at })
    if (!after) return false
    feeRefundEntries.push(after.entry)
    trackUnapplied(after.entry)
    loan = after.loan
    write(after.rows, [...withCase(caseRef, earned.entries), after.entry, amendmentOf(after.conversions)])
    return true
  }
  const refunds = new Map<string, LedgerEntry>()
  function releaseRefund(refundId: string, on: string) {
    const back = reversalOf(refunds.get(refundId)!, `reversal-${refundId}`, on)
    trackUnapplied(back)
    const earned = accrue(account.rows, terms, on, at)
    const before = { loan, rows: earned.rows, conversions: [], isReplanned: false }
    applyUnapplied(before, [...withCase(caseRef, earned.entries), back], on)
    exitIfNothingOwed(on)
  }
  const sinceWriteOff = {
    entryIds: new Set<string>(),
    moneyEntryIds: new Set<string>(),
    suspendedPenalties: new Map<number, bigint>(),
  }
  /** Act numbers of the last waiver while non-performing and of each receipt that still counts. */
  let acts = 0
  let waivedAt: number | null = null
  const paidAt = new Map<string, number>()
  const isWaivedSincePaid = () => waivedAt !== null && Math.max(0, ...paidAt.values()) < waivedAt
  let isLost = false
  const unapplied: LedgerEntry[] = []
  function trackUnapplied(...entries: LedgerEntry[]) {
    const changesUnapplied = ({ debit, credit }: Posting) => debit === 'UNAPPLIED' || credit === 'UNAPPLIED'
    unapplied.push(...entries.filter(({ postings }) => postings.some(changesUnapplied)))
  }
  function applyUnapplied(opened: LoanState, added: LedgerEntry[], on: string) {
    writeReopened(setOff(opened, unappliedBalanceFrom(unapplied), { caseRef, on, at }), added)
  }
  function writeReopened(done: ReturnType<typeof setOff>, added: LedgerEntry[]) {
    const amendment = amendmentOf(done.conversions)
    trackUnapplied(amendment, ...done.entries)
    loan = done.loan
    write(done.rows, [...added, amendment, ...done.entries])
  }
  const amendmentOf = (postings: Posting[]): LedgerEntry => ({
    caseRef,
    entryId: 'moving',
    kind: 'AMENDMENT',
    businessOn: disbursedOn,
    reverses: null,
    postings,
  })
  const isIncomeSuspended = () => hasIncomeSuspense({ npaOn, writtenOffOn: isLost ? disbursedOn : null })
  function write(rows: InstallmentRow[], entries: LedgerEntry[]) {
    const all = isLost ? withRecoveries(entries, sinceWriteOff) : entries
    const isRecovery = ({ debit, credit }: Posting) => debit === 'RECOVERY_INCOME' || credit === 'RECOVERY_INCOME'
    for (const { entryId, kind, postings } of all) {
      if (kind !== 'RECOVERY') continue
      sinceWriteOff.entryIds.add(entryId.slice('recovery-'.length))
      if (postings.some(isRecovery)) sinceWriteOff.moneyEntryIds.add(entryId.slice('recovery-'.length))
      for (const { debit, credit, installment, paise } of postings)
        if (debit === 'WRITTEN_OFF' && credit === 'PENALTY_INCOME')
          sinceWriteOff.suspendedPenalties.set(
            installment,
            (sinceWriteOff.suspendedPenalties.get(installment) ?? 0n) - paise,
          )
    }
    const isNonPerforming = isIncomeSuspended()
    const allPostings = all.flatMap((entry) => entry.postings)
    const held = suspensePostings({ rows: account.rows, isNonPerforming }, { rows, isNonPerforming }, allPostings)
    const added = [...allPostings, ...held]
    posted.push(...all, amendmentOf(held))
    account.rows = rows
    account.status = statusAfter(account.status, conditionOf(rows))
    for (const { debit, credit, installment, paise } of added) {
      add(debit, installment, paise)
      add(credit, installment, -paise)
    }
    postings.push(...added)
  }
  function add(name: LedgerAccount, installment: number, paise: bigint) {
    const key = `${name} ${installment}`
    const previous = byRow.get(key) ?? { account: name, installment, paise: 0n }
    byRow.set(key, { ...previous, paise: previous.paise + paise })
  }
  write(account.rows, [disbursementEntry(given)])
  return account
}

export type AccountInMemory = ReturnType<typeof accountInMemory>

export interface PendingRefund {
  name: string
  paise: bigint
}

/** Returns some quarters of an amount, at least one paisa. */
export const partOf = (whole: bigint, quarters: number): bigint => {
  const part = (whole * BigInt(quarters)) / 4n
  return part > 0n ? part : 1n
}

/** Returns some quarters of each waivable amount; undefined if all are zero. */
export function waiverOf(most: Waivable, quarters: Record<keyof Waivable, number>): Waivable | undefined {
  const of = (part: keyof Waivable) => (most[part] * BigInt(quarters[part])) / 4n
  const given = { penalty: of('penalty'), charges: of('charges'), interest: of('interest') }
  return given.penalty + given.charges + given.interest > 0n ? given : undefined
}

/** The value date is not before the disbursement. */
export const valueDayOf = (day: number, { late }: Receive): string => dayOf(Math.max(day - late, 0))

/** Asserts D3 §2.5 and equality with the shadow account, to the paisa. */
export function checkAccount(account: AccountInMemory, shadow: Sums, terms: LoanTerms) {
  const { rows, status } = account
  const balances = account.balances()
  assert.equal(account.isNonPerforming(), shadow.isNonPerforming, 'asset class')
  assert.deepEqual(rowDisagreements(rows, balances, shadow.isNonPerforming && !account.isLost()), [])
  const total = (account: LedgerAccount) =>
    balances.reduce((sum, each) => (each.account === account ? sum + each.paise : sum), 0n)
  assert.equal(
    balances.reduce((sum, { paise }) => sum + paise, 0n),
    0n,
    'the ledger is in balance',
  )
  const soa = owedBy(rows, balances)
  for (const amount of Object.values(soa)) assert.ok(amount >= 0n)
  assert.equal(soa.totalPaise, soa.principalPaise + soa.interestPaise + soa.penaltyPaise + soa.chargesPaise)
  assert.ok(soa.overduePaise <= soa.totalPaise)
  assert.equal(soa.principalPaise, shadow.principal)
  assert.equal(soa.interestPaise, shadow.interest)
  assert.equal(soa.penaltyPaise, shadow.penalty)
  assert.equal(soa.chargesPaise, shadow.charges)
  assert.equal(soa.overduePaise, shadow.overdue)
  const income = -total('INTEREST_INCOME') - total('PENALTY_INCOME') - total('CHARGES_INCOME')
  assert.equal(income, shadow.income(account.accruedNow()), 'income, without unpaid income of a non-performing loan')
  const isIncomeSuspended = shadow.isNonPerforming && !account.isLost()
  assert.ok(
    isIncomeSuspended || total('INCOME_SUSPENSE') === 0n,
    'a performing or written-off loan has nothing in suspense',
  )
  assert.equal(-total('RECOVERY_INCOME'), shadow.recovered)
  assert.deepEqual(maxWaivable(rows), shadow.waivable)
  const claim = receivables.reduce((sum, name) => sum + total(name), 0n)
  assert.equal(total('WRITTEN_OFF'), account.isLost() ? -claim : 0n, 'a written-off claim is not an asset')
  const lost = total('WRITE_OFF_LOSS') + total('RECOVERY_INCOME') + shadow.neverEarned
  assert.ok(!account.isLost() || lost === claim, 'only assets are written off')
  assert.equal(total('BANK'), shadow.inBank - shadow.returned - terms.netPaise)
  assert.ok(total('FEE_INCOME') <= 0n && total('TAX_PAYABLE') <= 0n, 'a fee is refunded at most once')
  assert.equal(-total('FEE_INCOME') - total('TAX_PAYABLE'), shadow.fee)
  assert.ok(shadow.fee > 0n || soa.principalPaise <= shadow.claimed, 'after a fee refund only an excess refund is owed')
  assert.equal(-total('REFUND_PAYABLE'), shadow.away)
  assert.equal(-total('UNAPPLIED'), shadow.spare)
  assert.ok(shadow.spare <= 0n || status === 'CLOSED', 'the unapplied balance pays what is owed')
  assert.ok(-shadow.spare <= shadow.returned + shadow.away, 'the unapplied balance is negative only after refunds')
  for (const [i, row] of rows.entries()) {
    const paid = paidOf(row)
    const unpaid = unpaidOf(row)
    const amount = amountOf(row)
    assert.ok(paid >= 0n && unpaid >= 0n)
    assert.equal(paid + unpaid, amount)
    assert.equal(amount, row.due.principal + row.due.interest + row.due.charges)
    assert.equal(paid, shadow.paidByRow[i])
    assert.equal(row.due.penalty, shadow.penaltyByRow[i])
    const expected = unpaid === 0n ? 'PAID' : isLate(row) ? 'OVERDUE' : paid > 0n ? 'PART_PAID' : 'DUE'
    assert.equal(rowStatus(row), expected)
  }
  const owed = rows.reduce((sum, row) => sum + owedOf(row), 0n)
  assert.equal(status === 'CLOSED', owed === 0n)
  assert.equal(status === 'OVERDUE', soa.overduePaise > 0n)
  assert.ok(status !== 'CLOSED' || soa.totalPaise === 0n)
}

/**
 * A loan never refunds more interest than it earned. Interest that was written off before its due date may be slightly less
 * after rounding on that date; then the loss is smaller too.
 */
function checkDayEnd(account: AccountInMemory, { rounding }: LoanTerms) {
  const balances = balancesFrom(account.postings)
  for (const name of ['PENALTY_INCOME', 'CHARGES_INCOME', 'FEE_INCOME', 'RECOVERY_INCOME'] as const)
    assert.ok(balances[name] <= 0n, `${name} has a debit balance of ${balances[name]} paise at a day's end`)
  const earned = pendingRounding(account) - balances.INTEREST_INCOME
  const roundedOff = account.isLost() && rounding === 'RUPEE' ? 100n : 0n
  assert.ok(
    earned > -roundedOff || earned === 0n,
    `interest income has a debit balance of ${-earned} paise at a day's end`,
  )
}

/** What a closed loan still books for its last row on the due date: the rounding of interest that was accrued to the paisa. */
function pendingRounding({ rows, status }: AccountInMemory): bigint {
  const last = rows.find(({ fellDue }) => !fellDue)
  if (!last) return 0n
  if (status === 'CLOSED') return last.due.interest - last.accrued
  // The reversal of another receipt has reopened the row.
  const rounded = last.interestGivenBack - last.accrued
  return rounded > 0n && rounded < 100n ? rounded : 0n
}

export interface Script {
  acts: AccountAct[]
  charges: bigint[]
  policy: LoanTerms['penalty']
  round: 'RUPEE' | 'PAISE'
  /** Whether the lender presents debits, by day since the disbursement; the list repeats. Debits are never absent for good. */
  debits: boolean[]
  /** Whether the bank gives the payout back at the end. */
  payoutReturns: boolean
}

/** Calendars of the lender: mostly debits on every day, else any weekdays and holidays of some weeks. */
const anyDebits: fc.Arbitrary<boolean[]> = fc.oneof(
  fc.constant<boolean[]>([true]),
  fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }).map((days) => [...days, true]),
)

export const anyScript: fc.Arbitrary<Script> = fc.record({
  acts: fc
    .array(fc.oneof({ weight: 20, arbitrary: anyAct.map((one) => [one]) }, { weight: 1, arbitrary: paidAhead }), {
      minLength: 40,
      maxLength: 50,
      size: 'max',
    })
    .map((some) => some.flat()),
  charges: chargesOnRows,
  policy: penalty,
  round: rounding,
  debits: anyDebits,
  payoutReturns: fc.boolean(),
})

/** Counts of acts by kind, and of transitions to non-performing and back. */
export type PlayCounts = Record<
  | AccountAct['kind']
  | 'paid ahead'
  | 'exited'
  | 'exited at request'
  | 'refunded'
  | 'payout returned'
  | 'becoming non-performing'
  | 'performing again',
  number
>

export const noPlays: PlayCounts = {
  receive: 0,
  reverse: 0,
  days: 0,
  classify: 0,
  waive: 0,
  'write off': 0,
  'request exit': 0,
  refund: 0,
  'refund ends': 0,
  'refund returns': 0,
  'payout returned': 0,
  refunded: 0,
  exited: 0,
  'exited at request': 0,
  'paid ahead': 0,
  'becoming non-performing': 0,
  'performing again': 0,
}

/** Returns the total number of acts. */
export const actsOf = ({
  'becoming non-performing': _,
  'performing again': __,
  refunded: ___,
  'payout returned': _______,
  exited: ____,
  'exited at request': ______,
  'paid ahead': _____,
  ...kinds
}: PlayCounts): number => Object.values(kinds).reduce((sum, count) => sum + count, 0)

/** The first day with debits on or after a day, for the real rules. */
export const debitDaysFrom =
  (hasDebits: (day: number) => boolean): DebitDays =>
  (on) => {
    let day = daysBetween(disbursedOn, on)
    while (!hasDebits(day)) day++
    return dayOf(day)
  }

/** The number of the day on which the first row is due. */
export const firstDueDay = 7

/** Returns where to stop between two days: at the end, and on the first due date if an excess refund waits for it. */
export const endsOfDays = (from: number, end: number, { spare }: Pick<Sums, 'spare'>): number[] =>
  from < firstDueDay && firstDueDay < end && spare < 0n ? [firstDueDay, end] : [end]

/** Plays a script on the real rules and on the shadow; throws if they differ after an act, and returns the counts. */
export function playScript({ acts: steps, charges, policy, round, debits, payoutReturns }: Script): PlayCounts {
  const terms = { ...termsByRounding[round], penalty: policy }
  const hasDebits = (each: number) => debits[each % debits.length] !== false
  const account = accountInMemory(terms, charges, debitDaysFrom(hasDebits))
  const shadow = shadowFor(terms, charges, hasDebits)
  const reversible: string[] = []
  const played = { ...noPlays }
  let pendingRefund: PendingRefund | undefined
  const paidRefunds: PendingRefund[] = []
  let day = 1
  let isDayEnd = false
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'receive') {
      const { principal, late } = account.receive(step, `r${i}`, valueDayOf(day, step), dayOf(day))
      if (principal > 0n && !step.isPartPayment) played['paid ahead']++
      shadow.receive(step.paise, `r${i}`, Math.max(day - step.late, 0), {
        ...step,
        today: day,
        late: step.late > 0 ? late : undefined,
      })
      reversible.push(`r${i}`)
    } else if (step.kind === 'reverse') {
      const [name] = reversible.splice(step.which % Math.max(reversible.length, 1), 1)
      if (name === undefined) continue
      account.reverseReceipt(name, dayOf(day))
      shadow.takeBack(name, day)
    } else if (step.kind === 'waive') {
      const given = waiverOf(shadow.sums().waivable, step)
      if (!given) continue
      account.waive(given, dayOf(day))
      shadow.waive(given, day)
    } else if (step.kind === 'write off') {
      if (account.isLost() || account.status !== 'OVERDUE') continue
      account.writeOff(dayOf(day))
      shadow.writeOff(account.accruedNow())
    } else if (step.kind === 'request exit') {
      if (!account.requestExit(dayOf(day + 3), dayOf(day))) continue
      shadow.requestExit(day + 3, day)
    } else if (step.kind === 'refund') {
      const { spare } = shadow.sums()
      if (pendingRefund || spare <= 0n) continue
      pendingRefund = { name: `r${i}`, paise: partOf(spare, step.part) }
      account.refund(pendingRefund.name, pendingRefund.paise, dayOf(day))
      shadow.refund(pendingRefund.paise)
    } else if (step.kind === 'refund ends') {
      if (!pendingRefund) continue
      account.refundEnds(pendingRefund.name, pendingRefund.paise, { fails: step.fails, on: dayOf(day) })
      shadow.refundEnds(pendingRefund.paise, step.fails, day)
      if (!step.fails) {
        played.refunded++
        paidRefunds.push(pendingRefund)
      }
      pendingRefund = undefined
    } else if (step.kind === 'refund returns') {
      const [refund] = paidRefunds.splice(step.which % Math.max(paidRefunds.length, 1), 1)
      if (!refund) continue
      account.refundReturns(refund.name, refund.paise, dayOf(day))
      shadow.refundReturns(refund.paise, day)
    } else if (step.kind === 'classify') {
      const was = account.isNonPerforming()
      account.classify(dayOf(day - 1), step.more)
      const is = account.isNonPerforming()
      if (was !== is) played[is ? 'becoming non-performing' : 'performing again']++
      shadow.classify(day - 1, step.more)
    } else {
      for (const until of endsOfDays(day, day + step.days, shadow.sums())) {
        account.endDays(dayOf(until - 1))
        while (day < until) shadow.endDay(day++)
        if (day !== firstDueDay) continue
        account.claimWaiting(dayOf(day))
        shadow.claimWaiting(day)
      }
    }
    played[step.kind]++
    isDayEnd = step.kind === 'days' || (isDayEnd && step.kind === 'classify')
    if (isDayEnd) checkDayEnd(account, terms)
    assert.ok(day < firstDueDay || shadow.sums().spare >= 0n, 'from the first due date on excess refunds are dues')
    if (i % 8 === 0) account.checkPayoff(dayOf(day))
    checkAccount(account, shadow.sums(), terms)
  }
  played.exited += account.exits()
  played['exited at request'] += account.exitsAtRequest()
  const sums = balancesFrom(account.postings)
  for (const [name, paise] of Object.entries(sums))
    assert.equal(
      account.balances().reduce((sum, each) => (each.account === name ? sum + each.paise : sum), 0n),
      paise,
    )
  if (payoutReturns) {
    checkReturnedPayout([...account.postings, ...account.payoutReturns(dayOf(day))], shadow.sums())
    played['payout returned']++
  }
  return played
}

/** Only money is left: what the borrower paid is the borrower's, less what was refunded or is on its way. */
export function checkReturnedPayout(postings: Posting[], { inBank, returned, away }: Sums): void {
  const { BANK, UNAPPLIED, REFUND_PAYABLE, ...others } = balancesFrom(postings)
  assert.equal(BANK, inBank - returned)
  assert.equal(-REFUND_PAYABLE, away)
  assert.equal(-UNAPPLIED, inBank - returned - away)
  for (const [name, paise] of Object.entries(others)) assert.equal(paise, 0n, name)
}
