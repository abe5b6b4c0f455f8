// Classes of loans at the end of a business day, by the borrower, in short transactions; the loss that a person decides; provisions by class.
import type { Db, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { divideHalfUp, type Paise } from '#kit/money/money.ts'
import { holdCases } from '#partner/case/store.ts'
import { post } from '#partner/ledger/post.ts'
import { type LedgerEntry, posting } from '#partner/ledger/store.ts'
import { postAtDayEnd } from '#partner/loan/end-of-day.ts'
import { earliest } from '#partner/loan/row.ts'
import { readUnsettled } from '#partner/loan/store.ts'
import { type AssetClass, classOn, daysPastDue, isNonPerforming, reasonOf } from './asset-class.ts'
import {
  type BusinessDay,
  type ClassOfBook,
  classesOfBook,
  closeBooks,
  giveClasses,
  type BorrowerLoan as KnownLoan,
  loansAgain,
  loansInArrears,
  loansOfBorrower,
  type NewClass,
  provisionHeld,
  recordClasses,
  recordDay,
} from './store.ts'
import { suspenseEntry, suspensePostings } from './suspense.ts'

type BorrowerLoan = Omit<KnownLoan, 'daysPastDue' | 'classSince'>

interface ClassChanges {
  loans: number
  entries: number
}

/** Classifies the loans of all borrowers with arrears at the end of a day. Doing it again changes nothing, and so does a day before one that was classified. */
export async function classifyLoans(
  { db, clock }: { db: Db; clock: () => Date },
  on: string,
  batch: number,
): Promise<ClassChanges> {
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

/** Reads borrowers again once their loans are locked, to include recent money. */
async function classifySome(tx: Tx, caseRefs: string[], on: string, at: Date): Promise<ClassChanges> {
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

/** Suspense entries of loans that become non-performing, or perform again. */
async function entriesOf(tx: Tx, crossing: NewClass[], on: string): Promise<LedgerEntry[]> {
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

/** One borrower's loans whose class changes at the end of a day. */
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

/** A person declares a borrower's loans lost: no end of day assigns this class. */
interface LossDecision {
  caseRef: string
  /** The person who decided. */
  decidedBy: string
  remark: string
  /** The business day from which it holds. */
  on: string
}

/**
 * All running loans of the borrower are lost from that day on, until all arrears are paid. Refused: `absent` no account ·
 * `wrong-state` the loan performs, or is lost already.
 */
export async function decideLoss(tx: Tx, { caseRef, decidedBy, remark, on }: LossDecision): Promise<void> {
  const caseRefs = await loansOfBorrower(tx, caseRef)
  await holdCases(tx, caseRefs)
  const loans = await loansAgain(tx, caseRefs, on)
  const loan = loans.find((each) => each.caseRef === caseRef)
  if (!loan) throw new Refusal('absent', 'this case has no loan account')
  if (!isNonPerforming(loan.assetClass)) throw new Refusal('wrong-state', 'this loan is not non-performing')
  if (loan.assetClass === 'LOSS') throw new Refusal('wrong-state', 'this loan was classified as a loss before')
  const classes = loans
    .filter(({ isRunning }) => isRunning)
    .map((each) => ({
      ...{ caseRef: each.caseRef, assetClass: 'LOSS' as const, npaOn: each.npaOn ?? on, daysPastDue: each.daysPastDue },
      ...{ reason: 'DECISION' as const, decidedBy, remark },
    }))
  await giveClasses(tx, classes, on)
}

/**
 * The least that the regulator allows for loans without security, in hundredths of a percent (Master Direction on scale based
 * regulation, prudential norms): standard assets of the base layer 0.25 %, sub-standard 10 %, doubtful 100 % of what no
 * security covers, loss 100 %.
 */
export const leastProvision = (assetClass: AssetClass): number =>
  !isNonPerforming(assetClass) ? 25 : assetClass === 'SUB_STANDARD' ? 1000 : 10_000

/** Entries that are about no single loan are of this case. */
export const portfolio = 'portfolio'

export const provisionOn = ({ principalPaise, provisionBps }: Pick<ClassOfBook, 'principalPaise' | 'provisionBps'>) =>
  divideHalfUp(principalPaise * BigInt(provisionBps), 10_000n)

const provisionEntry = (on: string, change: Paise): LedgerEntry => ({
  caseRef: portfolio,
  entryId: `provision-${on}`,
  kind: 'PROVISION',
  businessOn: on,
  reverses: null,
  postings: posting('PROVISION_EXPENSE', 'PROVISION', change),
})

type DayDone = Omit<BusinessDay, 'provisionPaise' | 'provisionChangePaise' | 'endedAt'>
type ProvisionTotals = Pick<BusinessDay, 'provisionPaise' | 'provisionChangePaise'> & { counts: Record<string, number> }

/** Provides for the book as the day's books have it and records the day, in one transaction: a day that was recorded has its provisions. */
export const provide = (db: Db, day: DayDone, at: Date): Promise<ProvisionTotals> =>
  db.tx(async (tx) => {
    await closeBooks(tx)
    const [book, held] = await Promise.all([classesOfBook(tx, day.endedOn), provisionHeld(tx, portfolio)])
    const classes = book.map((each) => ({ ...each, provisionPaise: provisionOn(each) }))
    const provisionPaise = classes.reduce((sum, each) => sum + each.provisionPaise, 0n)
    const done = { provisionPaise, provisionChangePaise: provisionPaise - held }
    const counts = Object.fromEntries(classes.map(({ assetClass, loans }) => [assetClass, loans]))
    if (await recordDay(tx, { ...day, ...done, endedAt: at })) {
      await Promise.all([
        recordClasses(tx, day.endedOn, classes),
        post(tx, [provisionEntry(day.endedOn, done.provisionChangePaise)], { at, on: day.endedOn }),
      ])
    }
    return { ...done, counts }
  })
