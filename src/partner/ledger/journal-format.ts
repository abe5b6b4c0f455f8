// The journal as it is handed on: a line of CSV for each posting, or a line of JSON for each entry.

import { csvPage } from '#kit/files/csv.ts'
import { rupees } from '#kit/money/money.ts'
import type { Account } from './accounts.ts'
import { accountNumbers } from './chart.ts'
import type { JournalLine } from './store.ts'

const journalHead = [
  'business_on',
  'case_ref',
  'entry_id',
  'line',
  'kind',
  'debit_account',
  'credit_account',
  'amount',
  'installment',
  'reverses',
  'posted_at',
  'posted_on',
]

const accountText = (account: Account): string => `${accountNumbers[account]} ${account}`

const cells = (line: JournalLine): unknown[] => [
  ...[line.businessOn, line.caseRef, line.entryId, line.line, line.kind],
  ...[accountText(line.debit), accountText(line.credit), rupees(line.paise)],
  ...[line.installment === 0 ? '' : line.installment, line.reverses ?? '', line.postedAt.toISOString(), line.postedOn],
]

/** With its head where it is the first page. Amounts are in rupees, with two decimals. */
export const journalCsv = (lines: JournalLine[], isFirst: boolean): string =>
  csvPage(journalHead, lines.map(cells), isFirst)

/** One line for each posting, which names its entry: `jq -s` makes an array of them. */
export const journalJson = (lines: JournalLine[]): string =>
  lines
    .map((line) =>
      JSON.stringify({
        ...{ business_on: line.businessOn, case_ref: line.caseRef, entry_id: line.entryId, line: line.line },
        ...{ kind: line.kind, debit_account: line.debit, credit_account: line.credit },
        ...{ debit_number: accountNumbers[line.debit], credit_number: accountNumbers[line.credit] },
        ...{ amount: rupees(line.paise), currency: 'INR' },
        ...{ installment: line.installment === 0 ? null : line.installment, reverses: line.reverses },
        posted_at: line.postedAt.toISOString(),
        posted_on: line.postedOn,
      }),
    )
    .map((text) => `${text}\n`)
    .join('')
