// Classifies loans by borrower at a day-end, records an officer's decision that a loan is a loss, and posts provisions.

import { Refusal } from '@lendloom/foundation/refusal'
import { divideHalfUp, type Paise } from '@lendloom/lending/money'
import type { Db, Tx } from '@lendloom/postgres/sql'
import { type LedgerEntry, posting } from '#partner/books/ledger/entry.ts'
import { postEntries } from '#partner/books/ledger/post-entries.ts'
import { lockCasesUnversioned } from '#partner/origination/case/store.ts'
import { earliest } from '#partner/servicing/loan/installment-row.ts'
import { postAtDayEnd } from '#partner/servicing/loan/post-in-books.ts'
import { readUnpaidRows } from '#partner/servicing/loan/store.ts'
import { type AssetClass, classOn, daysPastDue, isNonPerforming, reasonOf } from './asset-class.ts'
import { suspenseEntry, suspensePostings } from './income-suspense.ts'
import {
  assignClasses,
  type BusinessDay,
  type ClassOfBook,
  classesOfBook,
  closeBooks,
  currentProvision,
  type DuesLimit,
  type BorrowerLoan as LoanWithClass,
  loansInArrears,
  loansOfBorrower,
  loansOfCases,
  type NewClass,
  recordClasses,
  recordDay,
} from './store.ts'
import { correctByValueDate, mayBeCorrected } from './value-date/correct-classes.ts'

/** The setting of the overdue amount, in rupees, up to which a loan is not past due. */
export interface DuesTolerance {
  PARTNER_DUES_TOLERANCE: number
}

/** Returns the tolerance in paise. */
export const duesTolerance = ({ PARTNER_DUES_TOLERANCE: limit }: DuesTolerance): Paise => BigInt(limit) * 100n

type BorrowerLoan = Omit<LoanWithClass, 'daysPastDue' | 'classSince'>

interface ClassChanges {
  loans: number
  entries: number
}

/**
 * Classifies the loans of all borrowers with arrears at a day-end, in short transactions. A repeated run, or a run for
 * a day before the last classified day, changes nothing.
 */
export async function classifyLoans(
  { db, clock, config }: { db: Db; clock: () => Date; config: DuesTolerance },
  on: string,
  batch: number,
): Promise<ClassChanges> {
  const limit = { on, tolerance: duesTolerance(config) }
  const changing = byBorrower(await loansInArrears(db, limit)).filter(
    (loans) => loans.some(mayBeCorrected) || changesOf(loans, on).length > 0,
  )
  const batches: string[][] = [[]]
  for (const loans of changing) {
    if ((batches.at(-1)?.length ?? 0) >= batch) batches.push([])
    batches.at(-1)?.push(...loans.map(({ caseRef }) => caseRef))
  }
  const total = { loans: 0, entries: 0 }
  const classifyBatches = async (): Promise<void> => {
    for (let batchRefs = batches.pop(); batchRefs; batchRefs = batches.pop()) {
      const caseRefs = batchRefs
      const { loans, entries } = await db.tx((tx) => classifyBatch(tx, caseRefs, limit, clock()))
      total.loans += loans
      total.entries += entries
    }
  }
  await Promise.all([classifyBatches(), classifyBatches()])
  return total
}

/** Locks the cases and reads the loans again, so that payments since the query are included. */
async function classifyBatch(tx: Tx, caseRefs: string[], limit: DuesLimit, at: Date): Promise<ClassChanges> {
  const { on } = limit
  if (caseRefs.length === 0) return { loans: 0, entries: 0 }
  await lockCasesUnversioned(tx, caseRefs)
  const before = byBorrower(await loansOfCases(tx, caseRefs, limit)).filter((loans) => !isClassifiedLater(loans, on))
  const loans: LoanWithClass[][] = []
  for (const each of before) loans.push(await correctByValueDate(tx, each, limit))
  const classes = loans.flatMap((each) => changesOf(each, on))
  const newClasses = new Map([...loans.flat(), ...classes].map((each) => [each.caseRef, each]))
  const reclassified = before.flat().flatMap((loan) => {
    const { assetClass } = newClasses.get(loan.caseRef) ?? loan
    return assetClass === loan.assetClass ? [] : [{ ...loan, assetClass, was: loan.assetClass }]
  })
  if (reclassified.length === 0 && classes.length === 0) return { loans: 0, entries: 0 }
  const crossing = reclassified.filter(
    ({ isWrittenOff, assetClass, was }) => !isWrittenOff && isNonPerforming(was) !== isNonPerforming(assetClass),
  )
  const [entries] = await Promise.all([
    suspenseEntriesOf(tx, crossing, on),
    classes.length > 0 ? assignClasses(tx, classes, on) : undefined,
  ])
  await postAtDayEnd(tx, entries, at)
  return { loans: reclassified.length, entries: entries.filter(({ postings }) => postings.length > 0).length }
}

/** Returns the suspense entries of loans that become non-performing or perform again. */
async function suspenseEntriesOf(
  tx: Tx,
  crossing: Pick<NewClass, 'caseRef' | 'assetClass'>[],
  on: string,
): Promise<LedgerEntry[]> {
  if (crossing.length === 0) return []
  const classes = new Map(crossing.map((each) => [each.caseRef, isNonPerforming(each.assetClass)]))
  const accounts = await readUnpaidRows(tx, [...classes.keys()])
  return accounts.map(({ loan: { caseRef }, rows }) => {
    const isNowNonPerforming = classes.get(caseRef) ?? false
    const entryId = `${isNowNonPerforming ? 'npa' : 'performing'}-${on}`
    const postings = suspensePostings(
      { rows, isNonPerforming: !isNowNonPerforming },
      { rows, isNonPerforming: isNowNonPerforming },
    )
    return suspenseEntry({ caseRef, entryId, businessOn: on }, postings)
  })
}

/** Whether the borrower was already classified for a later day. */
const isClassifiedLater = (loans: LoanWithClass[], on: string): boolean =>
  loans.some(({ classSince }) => classSince !== null && classSince > on)

function byBorrower<Loan extends BorrowerLoan>(loans: Loan[]): Loan[][] {
  const borrowers = new Map<string, Loan[]>()
  for (const loan of loans) {
    const group = borrowers.get(loan.borrower)
    if (group) group.push(loan)
    else borrowers.set(loan.borrower, [loan])
  }
  return [...borrowers.values()]
}

const awaitsPayment = ({ waivedAt, paidAt }: BorrowerLoan): boolean =>
  waivedAt !== null && (paidAt === null || paidAt <= waivedAt)

const hasArrearsGivenUp = ({ settledOn }: BorrowerLoan, npaOn: string | null): boolean =>
  settledOn !== null && npaOn !== null && settledOn > npaOn

/**
 * The time as non-performing that a returned payment restores: something that was due before it ended is unpaid again,
 * so the money that ended it was taken back. Null if nothing is to be restored.
 */
function restoredNpa(loans: BorrowerLoan[], oldestDueOn: string | null): { npaOn: string; isLoss: boolean } | null {
  const reopenedFrom = earliest(loans.map((each) => (each.isRunning ? each.reopenedFrom : null)))
  const ended = loans.flatMap(({ endedNpa }) =>
    endedNpa && oldestDueOn !== null && reopenedFrom !== null && reopenedFrom <= endedNpa.endedOn ? [endedNpa] : [],
  )
  const npaOn = earliest(ended.map((each) => each.npaOn))
  return npaOn === null ? null : { npaOn, isLoss: ended.some(({ assetClass }) => assetClass === 'LOSS') }
}

/** Returns the new classes of those loans of a borrower whose class changes at a day-end. */
function changesOf(loans: BorrowerLoan[], on: string): NewClass[] {
  const runningLoans = loans.filter(({ isRunning }) => isRunning)
  const oldestDueOn = earliest(runningLoans.map(({ arrearsFrom }) => arrearsFrom))
  const currentNpaOn = earliest(loans.map(({ npaOn }) => npaOn))
  const restored = currentNpaOn === null ? restoredNpa(loans, oldestDueOn) : null
  const borrowerNpaOn = currentNpaOn ?? restored?.npaOn ?? null
  const borrowerClass = classOn(
    {
      oldestDueOn,
      npaOn: borrowerNpaOn,
      isLoss: restored?.isLoss || loans.some(({ assetClass }) => assetClass === 'LOSS'),
      awaitsPayment: runningLoans.some(awaitsPayment) || loans.some((loan) => hasArrearsGivenUp(loan, borrowerNpaOn)),
    },
    on,
  )
  const classWithoutArrears = classOn({ oldestDueOn: null, npaOn: null, isLoss: false, awaitsPayment: false }, on)
  return loans.flatMap(({ caseRef, assetClass, npaOn, arrearsFrom, isRunning, waivedAt, endedNpa }): NewClass[] => {
    const newClass = isRunning ? borrowerClass : classWithoutArrears
    if (newClass.assetClass === assetClass && newClass.npaOn === npaOn) return []
    if (restored?.isLoss && newClass.assetClass === 'LOSS' && endedNpa && endedNpa.decidedBy !== null) {
      const { decidedBy, remark } = endedNpa
      return [{ caseRef, ...newClass, reason: 'DECISION', decidedBy, remark }]
    }
    const isOwn = daysPastDue(arrearsFrom, on) === newClass.daysPastDue
    const reason = reasonOf(assetClass, newClass, { isOwn, isWaived: waivedAt !== null })
    const { daysPastDue: days, ...others } = newClass
    return [{ caseRef, ...others, daysPastDue: days, reason, decidedBy: null, remark: null }]
  })
}

/** An officer's decision that a borrower's loans are a loss. */
interface LossDecision {
  caseRef: string
  decidedBy: string
  remark: string
  /** The business day from which the class applies. */
  on: string
}

/**
 * Classifies all running loans of the borrower as a loss until all arrears are paid. Throws `absent` if the case has no
 * account, `wrong-state` if the loan is performing or already a loss.
 */
export async function decideLoss(tx: Tx, { caseRef, decidedBy, remark, on }: LossDecision): Promise<void> {
  const caseRefs = await loansOfBorrower(tx, caseRef)
  await lockCasesUnversioned(tx, caseRefs)
  const loans = await loansOfCases(tx, caseRefs, { on, tolerance: 0n })
  const loan = loans.find((each) => each.caseRef === caseRef)
  if (!loan) throw new Refusal('absent', 'this case has no loan account')
  if (!isNonPerforming(loan.assetClass)) throw new Refusal('wrong-state', 'this loan is not non-performing')
  if (loan.assetClass === 'LOSS') throw new Refusal('wrong-state', 'this loan is already classified as a loss')
  const classes = loans
    .filter(({ isRunning }) => isRunning)
    .map((each) => ({
      caseRef: each.caseRef,
      assetClass: 'LOSS' as const,
      npaOn: each.npaOn ?? on,
      daysPastDue: each.daysPastDue,
      reason: 'DECISION' as const,
      decidedBy,
      remark,
    }))
  await assignClasses(tx, classes, on)
}

/**
 * Returns the regulator's minimum provision for unsecured loans, in hundredths of a percent (RBI, Master Direction on
 * scale based regulation, prudential norms). It is 0.25 % for standard assets of the base layer, 10 % for sub-standard
 * loans, and 100 % for doubtful loans and losses.
 */
export const minProvisionBps = (assetClass: AssetClass): number =>
  !isNonPerforming(assetClass) ? 25 : assetClass === 'SUB_STANDARD' ? 1000 : 10_000

/** The case reference of entries that concern all loans. */
export const portfolioCase = 'portfolio'

export const provisionOn = ({ principalPaise, provisionBps }: Pick<ClassOfBook, 'principalPaise' | 'provisionBps'>) =>
  divideHalfUp(principalPaise * BigInt(provisionBps), 10_000n)

const provisionEntry = (on: string, change: Paise): LedgerEntry => ({
  caseRef: portfolioCase,
  entryId: `provision-${on}`,
  kind: 'PROVISION',
  businessOn: on,
  reverses: null,
  postings: posting('PROVISION_EXPENSE', 'PROVISION', change),
})

type ClosedDay = Omit<BusinessDay, 'provisionPaise' | 'provisionChangePaise' | 'endedAt'>
type ProvisionTotals = Pick<BusinessDay, 'provisionPaise' | 'provisionChangePaise'> & { counts: Record<string, number> }

/** Records the day and posts the change of the provision, in one transaction. */
export const provisionBook = (db: Db, day: ClosedDay, at: Date): Promise<ProvisionTotals> =>
  db.tx(async (tx) => {
    await closeBooks(tx)
    const [book, posted] = await Promise.all([classesOfBook(tx, day.endedOn), currentProvision(tx, portfolioCase)])
    const classes = book.map((each) => ({ ...each, provisionPaise: provisionOn(each) }))
    const provisionPaise = classes.reduce((sum, each) => sum + each.provisionPaise, 0n)
    const provision = { provisionPaise, provisionChangePaise: provisionPaise - posted }
    const counts = Object.fromEntries(classes.map(({ assetClass, loans }) => [assetClass, loans]))
    if (await recordDay(tx, { ...day, ...provision, endedAt: at })) {
      await Promise.all([
        recordClasses(tx, day.endedOn, classes),
        postEntries(tx, [provisionEntry(day.endedOn, provision.provisionChangePaise)], { at, on: day.endedOn }),
      ])
    }
    return { ...provision, counts }
  })
