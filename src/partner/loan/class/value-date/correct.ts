// Corrects classes by value date: money that the bank reported late counts from the day on which the bank had it, and a loan
// whose payout came back was never overdue.
import type { Tx } from '#kit/db/sql.ts'
import { plusDays } from '#kit/money/calendar.ts'
import {
  type AssetClass,
  assetClasses,
  type Classification,
  classOn,
  isNonPerforming,
  reasonOf,
} from '#partner/loan/class/asset-class.ts'
import { type BorrowerLoan, loansOfBorrower, type PastClass } from '#partner/loan/class/store.ts'
import { earliest } from '#partner/loan/row.ts'
import {
  type ArrearsPeriod,
  arrearsPeriodsOf,
  type ReplacedClass,
  replaceClasses,
  uncorrectedClasses,
} from './store.ts'

interface DatedClass extends Classification {
  fromOn: string
}

const oldestDueOn = (periods: ArrearsPeriod[], on: string): string | null =>
  earliest(periods.flatMap(({ dueOn, paidOn }) => (dueOn <= on && (paidOn === null || paidOn > on) ? [dueOn] : [])))

export function classesByValueDate(
  periods: ArrearsPeriod[],
  { from, until, npaOn: npaBefore }: { from: string; until: string; npaOn: string | null },
): DatedClass[] {
  const classes: DatedClass[] = []
  let npaOn = npaBefore
  for (let day = from; day <= until; day = plusDays(day, 1)) {
    const arrears = { oldestDueOn: oldestDueOn(periods, day), npaOn, isLoss: false, awaitsPayment: false }
    const result = classOn(arrears, day)
    npaOn = result.npaOn
    if (result.assetClass !== classes.at(-1)?.assetClass) classes.push({ ...result, fromOn: day })
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

// An officer's decision is never corrected.
function classesSinceStandard(classes: PastClass[]): PastClass[] {
  const since = classes.slice(classes.findLastIndex(({ assetClass }) => assetClass === 'STANDARD') + 1)
  return since.some(({ reason }) => reason === 'DECISION') ? [] : since
}

/** Whether news of this day change which of the borrower's rows were overdue before it. */
export const mayBeCorrected = ({
  hasLateMoney,
  hasReturnedPayout,
}: Pick<BorrowerLoan, 'hasLateMoney' | 'hasReturnedPayout'>): boolean => hasLateMoney || hasReturnedPayout

/** A returned payout changes also what ended long ago; an officer's decision is never corrected. */
const allClasses = (classes: PastClass[]): PastClass[] =>
  classes.some(({ reason }) => reason === 'DECISION') ? [] : classes

/**
 * Corrects the classes of a borrower's locked loans up to the day before a day-end, if a receipt was reported late or a
 * payout came back.
 * Returns the loans with their corrected classes. The books of closed days, and kept month-ends, do not change.
 */
export async function correctByValueDate<Loan extends BorrowerLoan>(
  tx: Tx,
  loans: Loan[],
  on: string,
): Promise<Loan[]> {
  const [anyLoan] = loans
  if (!anyLoan || !loans.some(mayBeCorrected)) return loans
  const correctable = anyLoan.hasReturnedPayout ? allClasses : classesSinceStandard
  const histories = await uncorrectedClasses(
    tx,
    loans.map(({ caseRef }) => caseRef),
  )
  const current = new Map(loans.map(({ caseRef }) => [caseRef, correctable(histories.get(caseRef) ?? [])]))
  const first = [...current.values()].flatMap((classes) => classes.slice(0, 1)).sort(byStart)[0]
  if (!first) return loans
  const periods = await arrearsPeriodsOf(tx, await loansOfBorrower(tx, anyLoan.caseRef))
  const npaOn = isNonPerforming(first.assetClass) ? earliest(loans.map((loan) => loan.npaOn)) : null
  const byValueDate = classesByValueDate(periods, { from: first.fromOn, until: plusDays(on, -1), npaOn })
  const corrected: Loan[] = []
  for (const loan of loans) {
    const classes = current.get(loan.caseRef) ?? []
    const replacement = replacementOf(loan, { classes, byValueDate, periods })
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
  periods: ArrearsPeriod[]
}

function replacementOf(
  { caseRef }: BorrowerLoan,
  { classes, byValueDate, periods }: ClassHistory,
): ReplacedClass | null {
  const [first] = classes
  if (!first) return null
  const start = classAt(byValueDate, first.fromOn)
  const since = byValueDate.filter(({ fromOn }) => fromOn > first.fromOn)
  const corrected = start ? [{ ...start, fromOn: first.fromOn }, ...since] : since
  if (!isCorrection(classes, corrected)) return null
  const own = periods.filter((period) => period.caseRef === caseRef)
  const replaced = corrected.map((each, i) => {
    const isOwn = oldestDueOn(own, each.fromOn) === oldestDueOn(periods, each.fromOn)
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
