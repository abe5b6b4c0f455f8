// The bank's statement compared with the books by reference: matches, and leftovers of either side.

import { createHash } from 'node:crypto'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'
import type { StatementLine } from './file.ts'
import {
  type BankMovement,
  bookedIn,
  insertStatement,
  type Pair,
  readLines,
  readPairs,
  readStatement,
  type StatementImport,
} from './store.ts'

const wordsContext = (statementId: string, line: number): string => `bank_statement ${statementId} ${line}`

interface StatementUpload {
  fileName: string
  bytes: Buffer
  lines: StatementLine[]
  staffId: string
  at: Date
}

/** Keeps a statement. Refused as `wrong-state`: the same file is here already. */
export async function keepStatement(tx: Tx, seal: Seal, uploaded: StatementUpload): Promise<string> {
  const { fileName, bytes, lines, staffId, at } = uploaded
  const days = lines.map(({ valueOn }) => valueOn).sort()
  const statementId = uuidv7(at.getTime())
  const statement: Omit<StatementImport, 'closedAt'> = {
    ...{ statementId, digest: createHash('sha256').update(bytes).digest(), fileName, lines: lines.length },
    ...{ fromOn: days[0] ?? '', toOn: days.at(-1) ?? '', uploadedBy: staffId, uploadedAt: at },
  }
  const sealed = lines.map(({ words, ...line }) => ({
    ...line,
    wordsSealed: seal.json(words, wordsContext(statementId, line.line)),
  }))
  if (!(await insertStatement(tx, statement, sealed)))
    throw new Refusal('wrong-state', 'this file was uploaded before', { field: 'file' })
  return statementId
}

/** The total of one reference in the statement's period. */
export interface ReferenceTotals {
  reference: string
  valueOn: string
  /** Null where the bank has nothing under it. */
  bank: Paise | null
  /** Null where the books have nothing under it. */
  books: Paise | null
  words: string
  caseRef: string | null
  loanId: string | null
}

export interface Reconciliation {
  statement: StatementImport
  matched: { references: number; cameIn: Paise; wentOut: Paise }
  /** Pairs by people; a pair that no longer fits is listed here and as leftovers. */
  pairs: Awaited<ReturnType<typeof readPairs>>
  /** In both, with other amounts; in the statement alone; in the books alone. */
  leftovers: ReferenceTotals[]
}

/** Refused as `absent` for an unknown statement. */
export async function reconcile(db: Run, seal: Seal, statementId: string): Promise<Reconciliation> {
  const statement = await readStatement(db, statementId)
  if (!statement) throw new Refusal('absent', 'there is no such statement')
  const [lines, booked, pairs] = await Promise.all([
    readLines(db, statementId),
    bookedIn(db, statement),
    readPairs(db, statementId),
  ])
  const compared = joined(
    compare(
      lines.map(({ wordsSealed, line, ...moved }) => ({
        ...moved,
        words: seal.openJson<string>(wordsSealed, wordsContext(statementId, line)),
      })),
      booked,
    ),
    pairs,
  )
  const same = compared.filter(({ bank, books }) => bank !== null && bank === books)
  const sum = (keep: (paise: Paise) => boolean) =>
    same.reduce((total, { bank }) => (bank !== null && keep(bank) ? total + bank : total), 0n)
  return {
    statement,
    matched: { references: same.length, cameIn: sum((paise) => paise > 0n), wentOut: -sum((paise) => paise < 0n) },
    pairs,
    leftovers: compared.filter(({ bank, books }) => bank !== books),
  }
}

/** The two sides of each pair as one, under the reference of the bank; a pair whose sides are not left over any more counts for nothing. */
function joined(
  compared: ReferenceTotals[],
  pairs: Pick<Pair, 'bankReference' | 'bookReference' | 'paise'>[],
): ReferenceTotals[] {
  const byReference = new Map(compared.map((each) => [each.reference, each]))
  for (const { bankReference, bookReference, paise } of pairs) {
    const [line, entry] = [byReference.get(bankReference), byReference.get(bookReference)]
    if (line?.bank !== paise || line.books !== null || entry?.books !== paise || entry.bank !== null) continue
    byReference.delete(bookReference)
    byReference.set(bankReference, { ...line, books: paise, caseRef: entry.caseRef, loanId: entry.loanId })
  }
  return [...byReference.values()]
}

/**
 * By reference, because several movements may share one: a debit and its return. References with a zero sum on both
 * sides are left out.
 */
export function compare(bank: (BankMovement & { words: string })[], books: BankMovement[]): ReferenceTotals[] {
  const byReference = new Map<string, ReferenceTotals>()
  const at = ({ reference, valueOn }: BankMovement): ReferenceTotals => {
    const known = byReference.get(reference)
    if (known) return known
    const fresh = { reference, valueOn, bank: null, books: null, words: '', caseRef: null, loanId: null }
    byReference.set(reference, fresh)
    return fresh
  }
  for (const each of bank) {
    const found = at(each)
    byReference.set(each.reference, {
      ...found,
      bank: (found.bank ?? 0n) + each.paise,
      words: found.words || each.words,
    })
  }
  for (const each of books) {
    const { caseRef, loanId } = each
    const found = at(each)
    byReference.set(each.reference, { ...found, books: (found.books ?? 0n) + each.paise, caseRef, loanId })
  }
  return [...byReference.values()]
    .filter(({ bank: there, books: here }) => (there ?? 0n) !== 0n || (here ?? 0n) !== 0n)
    .sort((a, b) => (a.valueOn === b.valueOn ? (a.reference < b.reference ? -1 : 1) : a.valueOn < b.valueOn ? -1 : 1))
}
