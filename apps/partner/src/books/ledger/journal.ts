// The journal of a period: all postings, as a file for accounting software.

import { type CsvColumn, csvPage } from '@lendloom/documents/csv'
import { rupees } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { accountNumbers, type ChartAccount } from './chart.ts'
import type { AccountCodes } from './settings.ts'
import { type JournalLine, type JournalPosition, journalAfter, type Period } from './store.ts'

const journalPageSize = 2000

/** Yields the postings of a period in pages, ordered by posting day. */
export async function* readJournal(db: Run, period: Period): AsyncGenerator<JournalLine[]> {
  let after: JournalPosition | null = null
  for (;;) {
    const lines: JournalLine[] = await journalAfter(db, period, after, journalPageSize)
    if (lines.length > 0) yield lines
    const last = lines.at(-1)
    if (!last || lines.length < journalPageSize) return
    after = last
  }
}

const accountText = (account: ChartAccount): string => `${accountNumbers[account]} ${account}`

/** The columns in the order of the file. Importers may read them by position, so a new column goes to the end. */
const journalColumns = (codes: AccountCodes): CsvColumn<JournalLine>[] => [
  { head: 'business_on', of: (line) => line.businessOn },
  { head: 'case_ref', of: (line) => line.caseRef },
  { head: 'entry_id', of: (line) => line.entryId },
  { head: 'line', of: (line) => line.line },
  { head: 'kind', of: (line) => line.kind },
  { head: 'debit_account', of: (line) => accountText(line.debit) },
  { head: 'credit_account', of: (line) => accountText(line.credit) },
  { head: 'amount', of: (line) => rupees(line.paise) },
  { head: 'installment', of: ({ installment }) => (installment === 0 ? '' : installment) },
  { head: 'reverses', of: (line) => line.reverses },
  { head: 'posted_at', of: (line) => line.postedAt },
  { head: 'posted_on', of: (line) => line.postedOn },
  { head: 'debit_general_ledger', of: (line) => codes[line.debit] },
  { head: 'credit_general_ledger', of: (line) => codes[line.credit] },
]

export type JournalFormat = (lines: JournalLine[], isFirst: boolean) => string

/** Returns one CSV line per posting, and the column names before the first page. Amounts are in rupees. */
export function journalCsv(codes: AccountCodes): JournalFormat {
  const columns = journalColumns(codes)
  return (lines, isFirst) => csvPage(columns, lines, isFirst)
}

/** Returns one line of JSON per posting, with the fields of its entry. */
export const journalJson =
  (codes: AccountCodes): JournalFormat =>
  (lines) =>
    lines
      .map((line) =>
        JSON.stringify({
          business_on: line.businessOn,
          case_ref: line.caseRef,
          entry_id: line.entryId,
          line: line.line,
          kind: line.kind,
          debit_account: line.debit,
          credit_account: line.credit,
          debit_number: accountNumbers[line.debit],
          credit_number: accountNumbers[line.credit],
          debit_general_ledger: codes[line.debit] ?? null,
          credit_general_ledger: codes[line.credit] ?? null,
          amount: rupees(line.paise),
          currency: 'INR',
          installment: line.installment === 0 ? null : line.installment,
          reverses: line.reverses,
          posted_at: line.postedAt.toISOString(),
          posted_on: line.postedOn,
        }),
      )
      .map((text) => `${text}\n`)
      .join('')
