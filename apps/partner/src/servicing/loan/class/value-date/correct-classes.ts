// Corrects classes by value date: money that the bank reported late counts from the day on which the bank had it, and a loan
// whose payout came back was never overdue.

import { plusDays } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import {
  type AssetClass,
  assetClasses,
  type Classification,
  classOn,
  reasonOf,
} from '#partner/servicing/loan/class/asset-class.ts'
import {
  type BorrowerLoan,
  type DuesLimit,
  loansOfBorrower,
  type PastClass,
} from '#partner/servicing/loan/class/store.ts'
import { earliest, type InstallmentRow, owedOf } from '#partner/servicing/loan/installment-row.ts'
import { dayEndsOf, type PostedLoan } from '#partner/servicing/loan/replay.ts'
import { isPayoutReturned } from '#partner/servicing/loan/return-payout.ts'
import { roundOffsIn } from '#partner/servicing/loan/round-off.ts'
import { settlementEntryIn } from '#partner/servicing/loan/settlement/settlement.ts'
import { readWithLedger } from '#partner/servicing/loan/store.ts'
import { type ReplacedClass, replaceClasses, uncorrectedClasses } from './store.ts'

interface DatedClass extends Classification {
  fromOn: string
}

/** What happened to a loan, by value date. */
export interface LoanHistory {
  caseRef: string
  /** The day from which its arrears above the tolerance counted, at each day-end with arrears. */
  arrearsSince: ReadonlyMap<string, string>
  /** The days on which the rest was given up by a settlement. */
  settledOn: string[]
  /** The days on which dues were waived or rounded off. */
  waivedOn: string[]
  paidOn: string[]
}

/** Replays the loans of a borrower, without those whose payout came back: nothing was owed. */
async function historiesOf(tx: Tx, caseRefs: string[], { on, tolerance }: DuesLimit): Promise<LoanHistory[]> {
  const histories: LoanHistory[] = []
  for (const caseRef of caseRefs) {
    const [account, posted] = await Promise.all([readWithLedger(tx, caseRef), readEntries(tx, caseRef)])
    if (!account || isPayoutReturned(posted)) continue
    const { loan, rows } = account
    histories.push(historyOf({ loan, rows, posted, at: loan.updatedAt }, caseRef, { on: plusDays(on, -1), tolerance }))
  }
  return histories
}

function historyOf(loan: PostedLoan, caseRef: string, { on: until, tolerance }: DuesLimit): LoanHistory {
  const { posted } = loan
  const daysOf = (...kinds: LedgerEntry['kind'][]): string[] =>
    posted.filter(({ kind, reverses }) => reverses === null && kinds.includes(kind)).map(({ businessOn }) => businessOn)
  const arrearsSince = new Map<string, string>()
  for (const { on, rows } of dayEndsOf(loan, until)) {
    const since = isGivenUp(posted, on) ? null : pastDueSince(rows, { on, tolerance })
    if (since !== null) arrearsSince.set(on, since)
  }
  return {
    caseRef,
    arrearsSince,
    settledOn: daysOf('SETTLEMENT'),
    waivedOn: daysOf('WAIVER', 'ROUND_OFF'),
    paidOn: daysOf('RECEIPT'),
  }
}

/** Whether the rest of the loan was given up on a day: from the settlement or round-off to its reversal. */
function isGivenUp(posted: LedgerEntry[], on: string): boolean {
  const untilThen = posted.filter(({ businessOn }) => businessOn <= on)
  return settlementEntryIn(untilThen) !== undefined || roundOffsIn(untilThen).length > 0
}

/** Returns the day from which arrears above the tolerance count at a day-end, as `pastDueSince` of the tables does. */
function pastDueSince(rows: InstallmentRow[], { on, tolerance }: DuesLimit): string | null {
  let owed = 0n
  const due = rows.map((row) => ({ from: row.countsFrom ?? row.dueOn, paise: owedOf(row) }))
  for (const { from, paise } of due.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    if (from > on) return null
    owed += paise
    if (owed > tolerance) return from
  }
  return null
}

const oldestDueOn = (histories: LoanHistory[], on: string): string | null =>
  earliest(histories.map(({ arrearsSince }) => arrearsSince.get(on) ?? null))

/** Whether dues were given up while non-performing: by a settlement, or by a waiver that no payment has followed. */
function awaitsPayment(histories: LoanHistory[], npaOn: string | null, on: string): boolean {
  if (npaOn === null) return false
  const last = (daysOf: (history: LoanHistory) => string[]): string =>
    histories
      .flatMap(daysOf)
      .filter((day) => day > npaOn && day <= on)
      .sort()
      .at(-1) ?? ''
  const waivedOn = last((history) => history.waivedOn)
  return (
    last((history) => history.settledOn) !== '' || (waivedOn !== '' && last((history) => history.paidOn) < waivedOn)
  )
}

interface ClassifiedDays {
  from: string
  until: string
  /** The day whose day-end made the borrower non-performing before these days; null while performing. */
  npaOn: string | null
  /** The days from which officers decided that the borrower's loans are a loss. */
  lossOn: string[]
}

/** Returns the classes on these days of a borrower whose loans have these histories. */
export function classesByValueDate(
  histories: LoanHistory[],
  { from, until, npaOn: npaBefore, lossOn }: ClassifiedDays,
): DatedClass[] {
  const classes: DatedClass[] = []
  let npaOn = npaBefore
  let isLoss = false
  for (let on = from; on <= until; on = plusDays(on, 1)) {
    // A decision needs a loan that is non-performing, and lasts as long as it is.
    isLoss = npaOn !== null && (isLoss || lossOn.includes(on))
    const arrears = { oldestDueOn: oldestDueOn(histories, on), npaOn, isLoss }
    const result = classOn({ ...arrears, awaitsPayment: awaitsPayment(histories, npaOn, on) }, on)
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
  const { on } = limit
  const [anyLoan] = loans
  if (!anyLoan || !loans.some(mayBeCorrected)) return loans
  const { hasReturnedPayout } = anyLoan
  const histories = await uncorrectedClasses(
    tx,
    loans.map(({ caseRef }) => caseRef),
  )
  // A returned payout changes also what ended long ago.
  const correctable = hasReturnedPayout ? (classes: PastClass[]) => classes : classesSinceStandard
  const current = new Map(loans.map(({ caseRef }) => [caseRef, correctable(histories.get(caseRef) ?? [])]))
  const classes = [...current.values()].flat()
  const first = classes.toSorted(byStart)[0]
  const decisions = classes.filter(({ reason }) => reason === 'DECISION').map(({ fromOn }) => fromOn)
  // Late money does not change what officers decided.
  if (!first || (decisions.length > 0 && !hasReturnedPayout)) return loans
  const loanHistories = await historiesOf(tx, await loansOfBorrower(tx, anyLoan.caseRef), limit)
  const byValueDate = classesByValueDate(loanHistories, {
    from: first.fromOn,
    until: plusDays(on, -1),
    npaOn: restoredNpaOn(first, [...histories.values()].flat()),
    lossOn: decisions,
  })
  const corrected: Loan[] = []
  for (const loan of loans) {
    const replacement = replacementOf(loan, { classes: current.get(loan.caseRef) ?? [], byValueDate, loanHistories })
    if (replacement) await replaceClasses(tx, replacement, on)
    const last = replacement?.classes.at(-1)
    corrected.push(last ? { ...loan, assetClass: last.assetClass, npaOn: last.npaOn } : loan)
  }
  return corrected
}

/** The day of a time as non-performing that ended earlier and that a class restored; null if the class is a new one. */
const restoredNpaOn = (first: PastClass, all: PastClass[]): string | null =>
  all.some(({ npaOn, fromOn }) => npaOn === first.npaOn && fromOn < first.fromOn) ? first.npaOn : null

const byStart = (one: PastClass, other: PastClass): number => (one.fromOn < other.fromOn ? -1 : 1)

interface ClassHistory {
  classes: PastClass[]
  byValueDate: DatedClass[]
  loanHistories: LoanHistory[]
}

function replacementOf(
  { caseRef }: BorrowerLoan,
  { classes, byValueDate, loanHistories }: ClassHistory,
): ReplacedClass | null {
  if (classes.length === 0) return null
  const own = loanHistories.filter((each) => each.caseRef === caseRef)
  const better = betterClasses(classes, byValueDate, (before, each) => {
    const isOwn = oldestDueOn(own, each.fromOn) === oldestDueOn(loanHistories, each.fromOn)
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
