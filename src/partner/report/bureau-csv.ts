// The layout of the bureau report that is documented in docs/reference/bureau-report.md: one line of CSV for each account.

import { csvPage } from '#kit/files/csv.ts'
import { rupees } from '#kit/money/money.ts'
import type { BureauAccount, BureauLayout } from './bureau.ts'

type Cell = string | number | null

/** Every column, in its order: what it is called, and what stands in it. */
const columns: [name: string, of: (account: BureauAccount, reportedOn: string) => Cell][] = [
  ['reported_on', (_, reportedOn) => reportedOn],
  ['account_number', (account) => account.accountNumber],
  ['account_type', () => 'BUSINESS_LOAN_UNSECURED'],
  ['ownership', () => 'INDIVIDUAL'],
  ['name', (account) => account.name],
  ['date_of_birth', (account) => account.bornOn],
  ['pan', (account) => account.pan],
  ['mobile', (account) => account.mobile.slice(-10)],
  ['email', (account) => account.email],
  ['address_line_1', (account) => account.addressLines[0] ?? null],
  ['address_line_2', (account) => account.addressLines[1] ?? null],
  ['city', (account) => account.city],
  ['state', (account) => account.state],
  ['pin_code', (account) => account.pinCode],
  ['opened_on', (account) => account.openedOn],
  ['last_payment_on', (account) => account.lastPaidOn],
  ['closed_on', (account) => account.closedOn],
  ['sanctioned_amount', (account) => rupees(account.sanctioned)],
  ['current_balance', (account) => rupees(account.balance)],
  ['amount_overdue', (account) => rupees(account.overdue)],
  ['days_past_due', (account) => account.daysPastDue],
  ['asset_classification', (account) => account.assetClass],
  ['written_off_on', (account) => account.writtenOffOn],
  ['instalments', (account) => account.instalments],
  ['instalment_amount', (account) => rupees(account.instalment)],
  ['payment_frequency', () => 'WEEKLY'],
  ['rate_of_interest', (account) => account.ratePercent],
]

export const bureauColumns: readonly string[] = columns.map(([name]) => name)

export const bureauCsv: BureauLayout = {
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8',
  lines(accounts, { reportedOn, isFirst }) {
    const cells = accounts.map((account) => columns.map(([, of]) => of(account, reportedOn)))
    return csvPage(bureauColumns, cells, isFirst)
  },
}
