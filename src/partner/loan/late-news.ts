// The effect of money that the lender learned of late: its cost on the day of arrival; pure rules.

import { greatest, least, type Paise } from '#kit/money/money.ts'
import { type LedgerEntry, posting, reversalOf } from '#partner/ledger/store.ts'
import { type LateNews, shared } from './given-back.ts'
import { earnedBy, type PlanBasis } from './replan.ts'
import type { LoanReplay, PostedLoan, Replays } from './replay.ts'
import { unitOf } from './rounding.ts'
import { type InstallmentRow, statusOf } from './row.ts'

/** The interest that the money saves. Rows refund it, at most what each earned. Null when nothing would be owed. */
export function lateNewsOf({ loan, rows }: PostedLoan, { without, having }: Replays, today: string): LateNews {
  const last = Math.max(...[rows, without.rows, having.rows].map((each) => each.length))
  const less = Array.from({ length: last }, (_, i) => interestIn(without, i, today) - interestIn(having, i, today))
  const chargedOf = (earned: typeof earnedOf) =>
    rows.map((row, i) => ({
      ...{ number: row.number, paise: less[i] ?? 0n, most: earned(loan, row, today) - row.interestGivenBack },
    }))
  return {
    paise: sumOf(less),
    rows: chargedOf(earnedOf),
    closingRows: chargedOf(closingInterest),
    kept: statusOf(having.rows) === 'repaid' ? having.spare.paise - without.spare.paise : null,
  }
}

/** A row's interest for its week until a day. */
function interestIn({ loan, rows }: LoanReplay, index: number, today: string): Paise {
  const row = rows[index]
  if (!row) return 0n
  const isUnderWay = (rows[index - 1]?.dueOn ?? loan.disbursedOn) <= today
  return isUnderWay ? closingInterest(loan, row, today) : 0n
}

/** Whole units for the current row, so that rounding at its due date loses nothing. */
function earnedOf({ terms }: PlanBasis, row: InstallmentRow, today: string): Paise {
  const unit = unitOf(terms.rounding)
  return hasEnded(row, today) ? row.due.interest : (row.accrued / unit) * unit
}

/** A row's amount if the loan closes today: its current week ends then. */
const closingInterest = (loan: PlanBasis, row: InstallmentRow, today: string): Paise =>
  hasEnded(row, today) ? row.due.interest : earnedBy(loan, row)

const hasEnded = (row: InstallmentRow, today: string): boolean => row.fellDue || row.dueOn <= today

/** Which late money it is. */
interface NewsOf {
  caseRef: string
  paymentId: string
  today: string
}

/**
 * The rows without penal charges that the money would have prevented; a smaller charge is made again. What was paid of
 * them belongs to the borrower.
 */
export function withoutWrongCharges(
  { rows, posted, at }: PostedLoan,
  { without, having }: Replays,
  { caseRef, paymentId, today }: NewsOf,
): { rows: InstallmentRow[]; entries: LedgerEntry[] } {
  const reversed = new Set(posted.map(({ reverses }) => reverses))
  const made = posted.filter(({ kind, entryId }) => kind === 'PENALTY' && !reversed.has(entryId))
  const penaltyOf = (row: InstallmentRow | undefined): Paise => row?.due.penalty ?? 0n
  const penaltiesOf = (replay: LoanReplay): Paise => sumOf(replay.rows.map(penaltyOf))
  const charged = rows.map(({ number, due }, i) => {
    const most = least(due.penalty, sumOf(made.map((charge) => penaltyIn(charge, number))))
    return { number, paise: penaltyOf(without.rows[i]) - penaltyOf(having.rows[i]), most }
  })
  const wrong = new Map(
    shared(penaltiesOf(without) - penaltiesOf(having), charged).map(({ number, paise }) => [number, paise]),
  )
  const entries: LedgerEntry[] = []
  const after = rows.map((row) => {
    const { number, due, paid } = row
    const less = wrong.get(number)
    if (!less) return row
    const penalty = due.penalty - less
    let left = less
    for (const charge of made.toReversed()) {
      const paise = penaltyIn(charge, number)
      if (paise === 0n || left <= 0n) continue
      entries.push(reversalOf(charge, `waiver-${charge.entryId}`, today))
      left -= paise
    }
    const base = { caseRef, businessOn: today, reverses: null }
    const right = posting('PENALTY', 'PENALTY_INCOME', -left, number)
    entries.push({ ...base, kind: 'PENALTY', entryId: `penalty-${number}-with-${paymentId}`, postings: right })
    const freed = posting('PENALTY', 'UNAPPLIED', greatest(paid.penalty - penalty, 0n), number)
    entries.push({ ...base, kind: 'AMENDMENT', entryId: `freed-${number}-with-${paymentId}`, postings: freed })
    return { ...row, due: { ...due, penalty }, paid: { ...paid, penalty: least(paid.penalty, penalty) }, updatedAt: at }
  })
  return { rows: after, entries: entries.filter(({ postings }) => postings.length > 0) }
}

/** The penal charge of an entry on this row, if it is one. */
const penaltyIn = ({ postings }: LedgerEntry, number: number): Paise =>
  sumOf(postings.flatMap(({ installment, paise }) => (installment === number ? [paise] : [])))

const sumOf = (amounts: Paise[]): Paise => amounts.reduce((sum, paise) => sum + paise, 0n)
