// Corrects classes by value date: money that the bank reported late counts from the day on which the bank had it, and a loan
// whose payout came back was never overdue.
import type { Tx } from '#kit/db/sql.ts'
import { plusDays } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import {
  type AssetClass,
  assetClasses,
  type Classification,
  classOn,
  isNonPerforming,
  reasonOf,
} from '#partner/loan/class/asset-class.ts'
import { type BorrowerLoan, type DuesLimit, loansOfBorrower, type PastClass } from '#partner/loan/class/store.ts'
import { earliest } from '#partner/loan/row.ts'
import {
  type DueRow,
  dueRowsOf,
  type ReplacedClass,
  type RowPayment,
  replaceClasses,
  rowPaymentsOf,
  uncorrectedClasses,
} from './store.ts'

interface DatedClass extends Classification {
  fromOn: string
}

/** The rows of a borrower's loans with the payments of each row. */
export interface PaidRow extends DueRow {
  payments: Pick<RowPayment, 'paidOn' | 'paise'>[]
}

async function paidRowsOf(tx: Tx, caseRefs: string[]): Promise<PaidRow[]> {
  const [rows, payments] = await Promise.all([dueRowsOf(tx, caseRefs), rowPaymentsOf(tx, caseRefs)])
  const keyOf = ({ caseRef, number }: { caseRef: string; number: number }) => `${caseRef} ${number}`
  const paymentsByRow = Map.groupBy(payments, keyOf)
  return rows.map((row) => ({ ...row, payments: paymentsByRow.get(keyOf(row)) ?? [] }))
}

const unpaidOn = ({ unpaidPaise, payments }: PaidRow, on: string): Paise =>
  payments.reduce((sum, { paidOn, paise }) => (paidOn > on ? sum + paise : sum), unpaidPaise)

/**
 * Returns the day from which arrears counted at a day-end, by the value dates of the payments: of the first row with which
 * a loan owed more than the tolerance.
 */
function oldestDueOn(rows: PaidRow[], { on, tolerance }: DuesLimit): string | null {
  const owedByLoan = new Map<string, Paise>()
  const pastDue = rows.filter((row) => {
    if (row.dueOn > on) return false
    const owed = (owedByLoan.get(row.caseRef) ?? 0n) + unpaidOn(row, on)
    owedByLoan.set(row.caseRef, owed)
    return owed > tolerance
  })
  return earliest(pastDue.map(({ dueOn }) => dueOn))
}

interface ClassifiedDays {
  from: string
  until: string
  /** The day whose day-end made the borrower non-performing before these days; null while performing. */
  npaOn: string | null
  tolerance: Paise
}

/** Returns the classes on these days of a borrower whose loans have these rows, oldest first for each loan. */
export function classesByValueDate(
  rows: PaidRow[],
  { from, until, npaOn: npaBefore, tolerance }: ClassifiedDays,
): DatedClass[] {
  const classes: DatedClass[] = []
  let npaOn = npaBefore
  for (let on = from; on <= until; on = plusDays(on, 1)) {
    const arrears = { oldestDueOn: oldestDueOn(rows, { on, tolerance }), npaOn, isLoss: false, awaitsPayment: false }
    const result = classOn(arrears, on)
    npaOn = result.npaOn
    if (result.assetClass !== classes.at(-1)?.assetClass) classes.push({ ...result, fromOn: on })
  }
  return classes
}

type ClassWithStart = { fromOn: string; assetClass: AssetClass }

const classAt = <Class extends ClassWithStart>(classes: Class[], day: string): Class | undefined =>
  classes.findLast(({ fromOn }) => fromOn <= day)

function isCorrection(classes: ClassWithStart[], corrected: ClassWithStart[]): boolean {
  const rankAt = (of: ClassWithStart[], day: string): number =>
    assetClasses.indexOf(classAt(of, day)?.assetClass ?? 'STANDARD')
  const days = [...classes, ...corrected].map(({ fromOn }) => fromOn)
  return (
    days.every((day) => rankAt(corrected, day) <= rankAt(classes, day)) &&
    days.some((day) => rankAt(corrected, day) < rankAt(classes, day))
  )
}

const classesSinceStandard = (classes: PastClass[]): PastClass[] =>
  classes.slice(classes.findLastIndex(({ assetClass }) => assetClass === 'STANDARD') + 1)

/**
 * Whether an officer decided a class that stays. It stays after late money. It goes with a returned payout, unless the
 * borrower was non-performing without that loan too.
 */
const hasLastingDecision = (
  classes: PastClass[],
  { byValueDate, hasReturnedPayout }: Pick<ClassHistory, 'byValueDate' | 'hasReturnedPayout'>,
): boolean =>
  classes.some(({ reason, fromOn }) => {
    if (reason !== 'DECISION') return false
    const classBefore = classAt(byValueDate, plusDays(fromOn, -1))
    return !hasReturnedPayout || (classBefore !== undefined && isNonPerforming(classBefore.assetClass))
  })

/** Whether news of this day change which of the borrower's rows were overdue before it. */
export const mayBeCorrected = ({
  hasLateMoney,
  hasReturnedPayout,
}: Pick<BorrowerLoan, 'hasLateMoney' | 'hasReturnedPayout'>): boolean => hasLateMoney || hasReturnedPayout

/**
 * Corrects the classes of a borrower's locked loans up to the day before a day-end, if a receipt was reported late or a
 * payout came back.
 * Returns the loans with their corrected classes. The books of closed days, and kept month-ends, do not change.
 */
export async function correctByValueDate<Loan extends BorrowerLoan>(
  tx: Tx,
  loans: Loan[],
  limit: DuesLimit,
): Promise<Loan[]> {
  const { on, tolerance } = limit
  const [anyLoan] = loans
  if (!anyLoan || !loans.some(mayBeCorrected)) return loans
  // A returned payout changes also what ended long ago.
  const { hasReturnedPayout } = anyLoan
  const correctable = hasReturnedPayout ? (classes: PastClass[]) => classes : classesSinceStandard
  const histories = await uncorrectedClasses(
    tx,
    loans.map(({ caseRef }) => caseRef),
  )
  const current = new Map(loans.map(({ caseRef }) => [caseRef, correctable(histories.get(caseRef) ?? [])]))
  const first = [...current.values()].flatMap((classes) => classes.slice(0, 1)).sort(byStart)[0]
  if (!first) return loans
  const rows = await paidRowsOf(tx, await loansOfBorrower(tx, anyLoan.caseRef))
  const npaOn = isNonPerforming(first.assetClass) ? earliest(loans.map((loan) => loan.npaOn)) : null
  const byValueDate = classesByValueDate(rows, { from: first.fromOn, until: plusDays(on, -1), npaOn, tolerance })
  const corrected: Loan[] = []
  for (const loan of loans) {
    const classes = current.get(loan.caseRef) ?? []
    const replacement = replacementOf(loan, { classes, byValueDate, hasReturnedPayout, rows, tolerance })
    if (replacement) await replaceClasses(tx, replacement, on)
    const last = replacement?.classes.at(-1)
    corrected.push(last ? { ...loan, assetClass: last.assetClass, npaOn: last.npaOn } : loan)
  }
  return corrected
}

const byStart = (one: ClassWithStart, other: ClassWithStart): number => (one.fromOn < other.fromOn ? -1 : 1)

interface ClassHistory {
  classes: PastClass[]
  byValueDate: DatedClass[]
  /** Whether a payout of the borrower came back. */
  hasReturnedPayout: boolean
  rows: PaidRow[]
  tolerance: Paise
}

function replacementOf({ caseRef }: BorrowerLoan, history: ClassHistory): ReplacedClass | null {
  const { classes, byValueDate, rows, tolerance } = history
  const [first] = classes
  if (!first || hasLastingDecision(classes, history)) return null
  const start = classAt(byValueDate, first.fromOn)
  const since = byValueDate.filter(({ fromOn }) => fromOn > first.fromOn)
  const corrected = start ? [{ ...start, fromOn: first.fromOn }, ...since] : since
  if (!isCorrection(classes, corrected)) return null
  const own = rows.filter((row) => row.caseRef === caseRef)
  const replaced = corrected.map((each, i) => {
    const limit = { on: each.fromOn, tolerance }
    const isOwn = oldestDueOn(own, limit) === oldestDueOn(rows, limit)
    const reason = reasonOf(corrected[i - 1]?.assetClass ?? 'STANDARD', each, { isOwn, isWaived: false })
    return { ...each, reason, untilOn: corrected[i + 1]?.fromOn ?? null }
  })
  const isRight = ({ assetClass, fromOn, untilOn }: PastClass, i: number): boolean =>
    replaced[i]?.assetClass === assetClass &&
    replaced[i].fromOn === fromOn &&
    (untilOn === null || untilOn === replaced[i].untilOn)
  const wrongFrom = classes.findIndex((each, i) => !isRight(each, i))
  const right = wrongFrom < 0 ? classes.length : wrongFrom
  return {
    caseRef,
    firstNumber: classes[right]?.number ?? 1 + (classes.at(-1)?.number ?? 0),
    classes: replaced.slice(right),
  }
}
