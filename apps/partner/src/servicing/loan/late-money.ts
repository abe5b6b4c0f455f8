// Corrections for money that the bank reported late, so that the loan costs what it would have cost if the money had
// been posted on its value date; pure rules.

import { maxPaise, minPaise, type Paise } from '@lendloom/lending/money'
import { type LedgerEntry, posting, reversalOf } from '#partner/books/ledger/entry.ts'
import { unitOf } from '#partner/origination/terms/rounding.ts'
import { conditionOf, type InstallmentRow } from './installment-row.ts'
import { distributeRefund, type LateMoneyCorrections } from './interest-refund.ts'
import { earnedInterest, type PlanBasis } from './replan.ts'
import type { LoanReplay, LoanReplays, PostedLoan } from './replay.ts'

/** Returns the interest that the money saves in each row, and the maximum refund of each row. */
export function lateMoneyCorrections(
  { loan, rows }: PostedLoan,
  { withoutMoney, withMoney }: LoanReplays,
  today: string,
): LateMoneyCorrections {
  const rowCount = Math.max(...[rows, withoutMoney.rows, withMoney.rows].map((each) => each.length))
  const savings = Array.from(
    { length: rowCount },
    (_, i) => interestIn(withoutMoney, i, today) - interestIn(withMoney, i, today),
  )
  const refundableBy = (earned: typeof earnedOf) =>
    rows.map((row, i) => ({
      number: row.number,
      paise: savings[i] ?? 0n,
      max: earned(loan, row, today) - row.interestGivenBack,
    }))
  return {
    paise: sumOf(savings),
    rows: refundableBy(earnedOf),
    closingRows: refundableBy(closingInterest),
    unappliedIfOnTime:
      conditionOf(withMoney.rows) === 'repaid' ? withMoney.unapplied.paise - withoutMoney.unapplied.paise : null,
  }
}

/** Returns the interest of a row's week until today; 0 if the week has not started. */
function interestIn({ loan, rows }: LoanReplay, index: number, today: string): Paise {
  const row = rows[index]
  if (!row) return 0n
  const isCurrent = (rows[index - 1]?.dueOn ?? loan.disbursedOn) <= today
  return isCurrent ? closingInterest(loan, row, today) : 0n
}

/** Returns a row's earned interest, rounded down to whole units while the row is current. */
function earnedOf({ terms }: PlanBasis, row: InstallmentRow, today: string): Paise {
  const unit = unitOf(terms.rounding)
  return hasEnded(row, today) ? row.due.interest : (row.accrued / unit) * unit
}

/** Returns a row's interest if the loan closes today: that of the days so far, rounded as the schedule is. */
const closingInterest = (loan: PlanBasis, row: InstallmentRow, today: string): Paise =>
  hasEnded(row, today) ? row.due.interest : earnedInterest(loan, row)

const hasEnded = (row: InstallmentRow, today: string): boolean => row.fellDue || row.dueOn <= today

interface LatePayment {
  caseRef: string
  paymentId: string
  today: string
}

/**
 * Reverses the penal charges that posting the money on time would have prevented, and posts a smaller charge if a part
 * of one remains. Amounts paid for reversed charges belong to the borrower.
 */
export function reverseWrongPenalties(
  { rows, posted, at }: PostedLoan,
  { withoutMoney, withMoney }: LoanReplays,
  { caseRef, paymentId, today }: LatePayment,
): { rows: InstallmentRow[]; entries: LedgerEntry[] } {
  const reversed = new Set(posted.map(({ reverses }) => reverses))
  const penalties = posted.filter(({ kind, entryId }) => kind === 'PENALTY' && !reversed.has(entryId))
  const penaltyOf = (row: InstallmentRow | undefined): Paise => row?.due.penalty ?? 0n
  const penaltiesOf = (replay: LoanReplay): Paise => sumOf(replay.rows.map(penaltyOf))
  const reducible = rows.map(({ number, due }, i) => {
    const max = minPaise(due.penalty, sumOf(penalties.map((charge) => penaltyIn(charge, number))))
    return { number, paise: penaltyOf(withoutMoney.rows[i]) - penaltyOf(withMoney.rows[i]), max }
  })
  const wrongCharges = new Map(
    distributeRefund(penaltiesOf(withoutMoney) - penaltiesOf(withMoney), reducible).map(({ number, paise }) => [
      number,
      paise,
    ]),
  )
  const entries: LedgerEntry[] = []
  const after = rows.map((row) => {
    const { number, due, paid } = row
    const wrongCharge = wrongCharges.get(number)
    if (!wrongCharge) return row
    const penalty = due.penalty - wrongCharge
    let left = wrongCharge
    for (const charge of penalties.toReversed()) {
      const paise = penaltyIn(charge, number)
      if (paise === 0n || left <= 0n) continue
      entries.push(reversalOf(charge, `waiver-${charge.entryId}`, today))
      left -= paise
    }
    const base = { caseRef, businessOn: today, reverses: null }
    const smallerCharge = posting('PENALTY', 'PENALTY_INCOME', -left, number)
    entries.push({ ...base, kind: 'PENALTY', entryId: `penalty-${number}-with-${paymentId}`, postings: smallerCharge })
    const released = posting('PENALTY', 'UNAPPLIED', maxPaise(paid.penalty - penalty, 0n), number)
    entries.push({ ...base, kind: 'AMENDMENT', entryId: `freed-${number}-with-${paymentId}`, postings: released })
    return {
      ...row,
      due: { ...due, penalty },
      paid: { ...paid, penalty: minPaise(paid.penalty, penalty) },
      updatedAt: at,
    }
  })
  return { rows: after, entries: entries.filter(({ postings }) => postings.length > 0) }
}

/** Returns the penal charge that an entry posted on a row, or 0. */
const penaltyIn = ({ postings }: LedgerEntry, number: number): Paise =>
  sumOf(postings.flatMap(({ installment, paise }) => (installment === number ? [paise] : [])))

const sumOf = (amounts: Paise[]): Paise => amounts.reduce((sum, paise) => sum + paise, 0n)
