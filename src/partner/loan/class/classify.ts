// Loans get their classes at the end of a business day, by the borrower: in short transactions of a few hundred loans.

import type { Db, Tx } from '#kit/db/sql.ts'
import { holdCases } from '#partner/case/store.ts'
import type { Entry } from '#partner/ledger/entry.ts'
import { postAtDayEnd } from '#partner/loan/post-in-books.ts'
import { earliest } from '#partner/loan/row.ts'
import { readUnsettled } from '#partner/loan/store.ts'
import { classOn, daysPastDue, isNonPerforming, reasonOf } from './asset-class.ts'
import { giveClasses, type BorrowerLoan as KnownLoan, loansAgain, loansInArrears, type NewClass } from './store.ts'
import { suspenseEntry, suspensePostings } from './suspense.ts'

type BorrowerLoan = Omit<KnownLoan, 'daysPastDue' | 'classSince'>

export interface ClassesChanged {
  loans: number
  entries: number
}

/** Classifies the loans of all borrowers with arrears at the end of a day. Doing it again changes nothing, and so does a day before one that was classified. */
export async function classifyLoans(
  { db, clock }: { db: Db; clock: () => Date },
  on: string,
  batch: number,
): Promise<ClassesChanged> {
  const moving = byBorrower(await loansInArrears(db, on)).filter((loans) => changesOf(loans, on).length > 0)
  const batches: string[][] = [[]]
  for (const loans of moving) {
    if ((batches.at(-1)?.length ?? 0) >= batch) batches.push([])
    batches.at(-1)?.push(...loans.map(({ caseRef }) => caseRef))
  }
  const changed = { loans: 0, entries: 0 }
  const slot = async (): Promise<void> => {
    for (let some = batches.pop(); some; some = batches.pop()) {
      const caseRefs = some
      const { loans, entries } = await db.tx((tx) => classifySome(tx, caseRefs, on, clock()))
      changed.loans += loans
      changed.entries += entries
    }
  }
  await Promise.all([slot(), slot()])
  return changed
}

/** Looks at borrowers again once their loans are held: what came in meanwhile counts. */
async function classifySome(tx: Tx, caseRefs: string[], on: string, at: Date): Promise<ClassesChanged> {
  if (caseRefs.length === 0) return { loans: 0, entries: 0 }
  await holdCases(tx, caseRefs)
  const loans = await loansAgain(tx, caseRefs, on)
  const classes = byBorrower(loans).flatMap((each) => (isOfLaterDay(each, on) ? [] : changesOf(each, on)))
  if (classes.length === 0) return { loans: 0, entries: 0 }
  const before = new Map(loans.map((loan) => [loan.caseRef, isNonPerforming(loan.assetClass)]))
  const lost = new Set(loans.filter(({ isWrittenOff }) => isWrittenOff).map(({ caseRef }) => caseRef))
  const crossing = classes.filter(
    ({ caseRef, assetClass }) => !lost.has(caseRef) && before.get(caseRef) !== isNonPerforming(assetClass),
  )
  const [entries] = await Promise.all([entriesOf(tx, crossing, on), giveClasses(tx, classes, on)])
  await postAtDayEnd(tx, entries, at)
  return { loans: classes.length, entries: entries.filter(({ postings }) => postings.length > 0).length }
}

/** What goes into suspense with loans that become non-performing, and comes out of it with those that perform again. */
async function entriesOf(tx: Tx, crossing: NewClass[], on: string): Promise<Entry[]> {
  if (crossing.length === 0) return []
  const classes = new Map(crossing.map((each) => [each.caseRef, isNonPerforming(each.assetClass)]))
  const accounts = await readUnsettled(tx, [...classes.keys()])
  return accounts.map(({ loan: { caseRef }, rows }) => {
    const isNow = classes.get(caseRef) ?? false
    const entryId = `${isNow ? 'npa' : 'performing'}-${on}`
    const moved = suspensePostings({ rows, isNonPerforming: !isNow }, { rows, isNonPerforming: isNow })
    return suspenseEntry({ caseRef, entryId, businessOn: on }, moved)
  })
}

/** Another worker, which is ahead with days that were missed, has classified the borrower by a later day. */
const isOfLaterDay = (loans: KnownLoan[], on: string): boolean =>
  loans.some(({ classSince }) => classSince !== null && classSince > on)

function byBorrower<Loan extends BorrowerLoan>(loans: Loan[]): Loan[][] {
  const borrowers = new Map<string, Loan[]>()
  for (const loan of loans) {
    const known = borrowers.get(loan.borrower)
    if (known) known.push(loan)
    else borrowers.set(loan.borrower, [loan])
  }
  return [...borrowers.values()]
}

const awaitsPayment = ({ waivedAt, paidAt }: BorrowerLoan): boolean =>
  waivedAt !== null && (paidAt === null || paidAt <= waivedAt)

/** The loans of one borrower whose class is another one at the end of a day. */
function changesOf(loans: BorrowerLoan[], on: string): NewClass[] {
  const running = loans.filter(({ isRunning }) => isRunning)
  const now = classOn(
    {
      oldestDueOn: earliest(running.map(({ nextDueOn }) => nextDueOn)),
      npaOn: earliest(loans.map(({ npaOn }) => npaOn)),
      isLoss: loans.some(({ assetClass }) => assetClass === 'LOSS'),
      awaitsPayment: running.some(awaitsPayment),
    },
    on,
  )
  const repaid = classOn({ oldestDueOn: null, npaOn: null, isLoss: false, awaitsPayment: false }, on)
  return loans.flatMap(({ caseRef, assetClass, npaOn, nextDueOn, isRunning, waivedAt }) => {
    const given = isRunning ? now : repaid
    if (given.assetClass === assetClass && given.npaOn === npaOn) return []
    const isOwn = daysPastDue(nextDueOn, on) === given.daysPastDue
    const reason = reasonOf(assetClass, given, { isOwn, isWaived: waivedAt !== null })
    const { daysPastDue: days, ...others } = given
    return [{ caseRef, ...others, daysPastDue: days, reason, decidedBy: null, remark: null }]
  })
}
