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

/** What was due on a loan and what paid it, by day. */
export interface LoanDues {
  caseRef: string
  /** The rows that fell due, oldest first. */
  rows: Pick<DueRow, 'dueOn' | 'duePaise'>[]
  /** All that is paid, waived or given up today. */
  paidPaise: Paise
  payments: Pick<RowPayment, 'on' | 'paise' | 'kind'>[]
}

async function duesOf(tx: Tx, caseRefs: string[]): Promise<LoanDues[]> {
  const [rows, payments] = await Promise.all([dueRowsOf(tx, caseRefs), rowPaymentsOf(tx, caseRefs)])
  const paymentsByLoan = Map.groupBy(payments, ({ caseRef }) => caseRef)
  return [...Map.groupBy(rows, ({ caseRef }) => caseRef)].map(([caseRef, rowsOfLoan]) => ({
    caseRef,
    rows: rowsOfLoan,
    paidPaise: rowsOfLoan.reduce((sum, { paidPaise }) => sum + paidPaise, 0n),
    payments: paymentsByLoan.get(caseRef) ?? [],
  }))
}

/**
 * Returns the day from which arrears of a loan counted at a day-end: of the first row with which more was due than the
 * money of that day and before had paid, by more than the tolerance. Money pays the oldest dues, whatever row it was
 * posted to: it may have been reported after newer money.
 */
function arrearsSince({ rows, paidPaise, payments }: LoanDues, { on, tolerance }: DuesLimit): string | null {
  const paidLater = payments.reduce((sum, payment) => (payment.on > on ? sum + payment.paise : sum), 0n)
  let owed = paidLater - paidPaise
  for (const { dueOn, duePaise } of rows) {
    if (dueOn > on) return null
    owed += duePaise
    if (owed > tolerance) return dueOn
  }
  return null
}

const oldestDueOn = (dues: LoanDues[], limit: DuesLimit): string | null =>
  earliest(dues.map((each) => arrearsSince(each, limit)))

/** Whether dues were given up while non-performing: by a settlement, or by a waiver that no payment has followed. */
function awaitsPayment(dues: LoanDues[], npaOn: string | null, on: string): boolean {
  if (npaOn === null) return false
  const since = dues.flatMap(({ payments }) => payments).filter((each) => each.on > npaOn && each.on <= on)
  const lastOn = (isOfKind: (kind: RowPayment['kind']) => boolean): string | undefined =>
    since
      .filter(({ kind }) => isOfKind(kind))
      .map((each) => each.on)
      .sort()
      .at(-1)
  if (lastOn((kind) => kind === 'SETTLEMENT') !== undefined) return true
  const givenUpOn = lastOn((kind) => kind === 'WAIVER' || kind === 'ROUND_OFF')
  const paidOn = lastOn((kind) => kind !== 'WAIVER' && kind !== 'ROUND_OFF')
  return givenUpOn !== undefined && (paidOn === undefined || paidOn < givenUpOn)
}

interface ClassifiedDays {
  from: string
  until: string
  /** The day whose day-end made the borrower non-performing before these days; null while performing. */
  npaOn: string | null
  tolerance: Paise
}

/** Returns the classes on these days of a borrower with these dues, by the value dates of the payments. */
export function classesByValueDate(
  dues: LoanDues[],
  { from, until, npaOn: npaBefore, tolerance }: ClassifiedDays,
): DatedClass[] {
  const classes: DatedClass[] = []
  let npaOn = npaBefore
  for (let on = from; on <= until; on = plusDays(on, 1)) {
    const result = classOn(
      {
        oldestDueOn: oldestDueOn(dues, { on, tolerance }),
        npaOn,
        isLoss: false,
        awaitsPayment: awaitsPayment(dues, npaOn, on),
      },
      on,
    )
    npaOn = result.npaOn
    if (result.assetClass !== classes.at(-1)?.assetClass) classes.push({ ...result, fromOn: on })
  }
  return classes
}

const classAt = <Class extends { fromOn: string }>(classes: Class[], day: string): Class | undefined =>
  classes.findLast(({ fromOn }) => fromOn <= day)

type CorrectedClass = DatedClass & Pick<ReplacedClass['classes'][number], 'reason'>

/** Returns the better class of each day: news never make a past class worse. Null if no day gets better. */
function betterClasses(
  classes: PastClass[],
  byValueDate: DatedClass[],
  reasonFor: (before: AssetClass, each: DatedClass) => CorrectedClass['reason'],
): CorrectedClass[] | null {
  const firstDay = classes[0]?.fromOn ?? ''
  const days = new Set([...classes, ...byValueDate].map(({ fromOn }) => fromOn).filter((day) => day >= firstDay))
  const better: CorrectedClass[] = []
  let isBetter = false
  for (const fromOn of [...days].sort()) {
    const past = classAt(classes, fromOn)
    const corrected = classAt(byValueDate, fromOn)
    const before = better.at(-1)
    const isCorrected = corrected !== undefined && past !== undefined && rankOf(corrected) < rankOf(past)
    isBetter ||= isCorrected
    const chosen = isCorrected ? corrected : past
    if (!chosen || (before?.assetClass === chosen.assetClass && before.npaOn === chosen.npaOn)) continue
    const reason = chosen === past ? past.reason : reasonFor(before?.assetClass ?? 'STANDARD', { ...chosen, fromOn })
    const { assetClass, npaOn, daysPastDue } = chosen
    better.push({ assetClass, npaOn, daysPastDue, fromOn, reason })
  }
  return isBetter ? better : null
}

const rankOf = ({ assetClass }: { assetClass: AssetClass }): number => assetClasses.indexOf(assetClass)

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
  const dues = await duesOf(tx, await loansOfBorrower(tx, anyLoan.caseRef))
  const npaOn = isNonPerforming(first.assetClass) ? earliest(loans.map((loan) => loan.npaOn)) : null
  const byValueDate = classesByValueDate(dues, { from: first.fromOn, until: plusDays(on, -1), npaOn, tolerance })
  const corrected: Loan[] = []
  for (const loan of loans) {
    const classes = current.get(loan.caseRef) ?? []
    const replacement = replacementOf(loan, { classes, byValueDate, hasReturnedPayout, dues, tolerance })
    if (replacement) await replaceClasses(tx, replacement, on)
    const last = replacement?.classes.at(-1)
    corrected.push(last ? { ...loan, assetClass: last.assetClass, npaOn: last.npaOn } : loan)
  }
  return corrected
}

const byStart = (one: PastClass, other: PastClass): number => (one.fromOn < other.fromOn ? -1 : 1)

interface ClassHistory {
  classes: PastClass[]
  byValueDate: DatedClass[]
  /** Whether a payout of the borrower came back. */
  hasReturnedPayout: boolean
  dues: LoanDues[]
  tolerance: Paise
}

function replacementOf({ caseRef }: BorrowerLoan, history: ClassHistory): ReplacedClass | null {
  const { classes, byValueDate, dues, tolerance } = history
  if (classes.length === 0 || hasLastingDecision(classes, history)) return null
  const ownDues = dues.filter((each) => each.caseRef === caseRef)
  const better = betterClasses(classes, byValueDate, (before, each) => {
    const limit = { on: each.fromOn, tolerance }
    const isOwn = oldestDueOn(ownDues, limit) === oldestDueOn(dues, limit)
    return reasonOf(before, each, { isOwn, isWaived: false })
  })
  if (!better) return null
  const replaced = better.map((each, i) => ({ ...each, untilOn: better[i + 1]?.fromOn ?? null }))
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
