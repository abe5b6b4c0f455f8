// Stores bank statements, and reconciles them with the books by reference.

import { createHash } from 'node:crypto'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Paise } from '@lendloom/lending/money'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { contentDigest } from '@lendloom/seal/content-digest'
import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { StatementFile } from './statement-line.ts'
import {
  type BankMovement,
  bookedMovements,
  digestsOfStatements,
  insertStatement,
  type Match,
  readLines,
  readMatches,
  readStatement,
  type StatementImport,
} from './store.ts'

const descriptionContext = (statementId: string, line: number): string => `bank_statement ${statementId} ${line}`

interface StatementUpload extends StatementFile {
  fileName: string
  bytes: Buffer
  staffId: string
  at: Date
}

/** Stores a statement. Throws `wrong-state` if the file was uploaded before. */
export async function storeStatement(tx: Tx, seal: Seal, upload: StatementUpload): Promise<string> {
  const { fileName, bytes, lines, balances, staffId, at: uploadedAt } = upload
  const days = lines.map(({ valueOn }) => valueOn).sort()
  const statementId = uuidv7(uploadedAt.getTime())
  const statement: Parameters<typeof insertStatement>[1] = {
    statementId,
    fileName,
    lines: lines.length,
    fromOn: days[0] ?? '',
    toOn: days.at(-1) ?? '',
    uploadedBy: staffId,
    uploadedAt,
    ...balances,
  }
  const sealed = lines.map(({ description, ...line }) => ({
    ...line,
    wordsSealed: seal.json(description, descriptionContext(statementId, line.line)),
  }))
  const file = contentDigest(seal, bytes, digestsOfStatements.purpose)
  if (!(await insertStatement(tx, statement, { lines: sealed, file })))
    throw new Refusal('wrong-state', 'this file was already uploaded', { field: 'file' })
  return statementId
}

/** The totals of one reference in the statement's period. Outgoing money is negative. */
export interface ReferenceTotals {
  reference: string
  valueOn: string
  /** Null if the statement does not contain the reference. */
  bank: Paise | null
  /** Null if the books do not contain the reference. */
  books: Paise | null
  description: string
  caseRef: string | null
  loanId: string | null
}

export interface Reconciliation {
  statement: StatementImport
  matched: { lines: ReferenceTotals[]; inflow: Paise; outflow: Paise }
  /** Manual matches. If one no longer fits, its references are also listed as mismatches. */
  matches: Awaited<ReturnType<typeof readMatches>>
  /** References whose amounts differ, or which only the statement or only the books contain. */
  mismatches: ReferenceTotals[]
}

/** Reconciles a statement. Throws `absent` if it does not exist. */
export async function reconcile(db: Run, seal: Seal, statementId: string): Promise<Reconciliation> {
  const statement = await readStatement(db, statementId)
  if (!statement) throw new Refusal('absent', 'there is no such statement')
  const [lines, booked, matches] = await Promise.all([
    readLines(db, statementId),
    bookedMovements(db, statement),
    readMatches(db, statementId),
  ])
  const totals = mergeMatches(
    totalByReference(
      lines.map(({ wordsSealed, line, ...moved }) => ({
        ...moved,
        description: seal.openJson<string>(wordsSealed, descriptionContext(statementId, line)),
      })),
      booked,
    ),
    matches,
  )
  const matched = totals.filter(({ bank, books }) => bank !== null && bank === books)
  const sum = (isIncluded: (paise: Paise) => boolean) =>
    matched.reduce((total, { bank }) => (bank !== null && isIncluded(bank) ? total + bank : total), 0n)
  return {
    statement,
    matched: { lines: matched, inflow: sum((paise) => paise > 0n), outflow: -sum((paise) => paise < 0n) },
    matches,
    mismatches: totals.filter(({ bank, books }) => bank !== books),
  }
}

export const digestOfDifferences = (differences: ReferenceTotals[]): string =>
  differences.length === 0
    ? ''
    : createHash('sha256')
        .update(JSON.stringify(differences.map(({ reference, bank, books }) => [reference, `${bank}`, `${books}`])))
        .digest('hex')

/** Merges the references of each match into its first bank reference. Ignores a match that no longer fits. */
function mergeMatches(totals: ReferenceTotals[], matches: Pick<Match, 'bank' | 'books'>[]): ReferenceTotals[] {
  const byReference = new Map(totals.map((each) => [each.reference, each]))
  for (const { bank, books } of matches) {
    const fits =
      bank.every(({ reference, paise }) => isOnly(byReference.get(reference), { bank: paise, books: null })) &&
      books.every(({ reference, paise }) => isOnly(byReference.get(reference), { bank: null, books: paise }))
    const line = byReference.get(bank[0]?.reference ?? '')
    const entry = byReference.get(books[0]?.reference ?? '')
    if (!fits || !line || !entry) continue
    for (const { reference } of [...bank, ...books]) byReference.delete(reference)
    const paise = bank.reduce((sum, part) => sum + part.paise, 0n)
    const { caseRef, loanId } = entry
    byReference.set(line.reference, { ...line, bank: paise, books: paise, caseRef, loanId })
  }
  return [...byReference.values()]
}

const isOnly = (totals: ReferenceTotals | undefined, { bank, books }: Pick<ReferenceTotals, 'bank' | 'books'>) =>
  totals?.bank === bank && totals.books === books

/**
 * Totals movements by reference. A debit and its return, for example, share a reference. Leaves out references whose
 * totals are zero in both the statement and the books.
 */
export function totalByReference(
  bank: (BankMovement & { description: string })[],
  books: BankMovement[],
): ReferenceTotals[] {
  const byReference = new Map<string, ReferenceTotals>()
  const totalsFor = ({ reference, valueOn }: BankMovement): ReferenceTotals => {
    const existing = byReference.get(reference)
    if (existing) return existing
    const added = { reference, valueOn, bank: null, books: null, description: '', caseRef: null, loanId: null }
    byReference.set(reference, added)
    return added
  }
  for (const each of bank) {
    const totals = totalsFor(each)
    byReference.set(each.reference, {
      ...totals,
      bank: (totals.bank ?? 0n) + each.paise,
      description: totals.description || each.description,
    })
  }
  for (const each of books) {
    const { caseRef, loanId } = each
    const totals = totalsFor(each)
    byReference.set(each.reference, { ...totals, books: (totals.books ?? 0n) + each.paise, caseRef, loanId })
  }
  return [...byReference.values()]
    .filter(({ bank: bankTotal, books: bookTotal }) => (bankTotal ?? 0n) !== 0n || (bookTotal ?? 0n) !== 0n)
    .sort(byDayAndReference)
}

function byDayAndReference(a: ReferenceTotals, b: ReferenceTotals): number {
  if (a.valueOn !== b.valueOn) return a.valueOn < b.valueOn ? -1 : 1
  return a.reference < b.reference ? -1 : 1
}
