// The report to credit bureaus (Credit Information Companies Act, 2005): one record per account.
import type { DataOf } from '#contract/exchange/envelope.ts'
import { fullName } from '#contract/exchange/lead.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run } from '#kit/db/sql.ts'
import { csvPage } from '#kit/files/csv.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { leadContext } from '#partner/case/lifecycle.ts'
import { type AssetClass, daysPastDue, isNonPerforming } from '#partner/loan/class/asset-class.ts'
import { termsFromJson } from '#partner/loan/terms.ts'
import { type LoanLine, loansAfter } from './store.ts'

/** Asset classes of bureaus: standard, special mention, sub-standard, doubtful, loss. */
type BureauClass = 'STD' | 'SMA' | 'SUB' | 'DBT' | 'LSS'

/** An account and its borrower at the end of the reported day. */
export interface BureauAccount {
  name: string
  bornOn: string
  pan: string
  mobile: string
  email: string | null
  addressLines: string[]
  city: string
  state: string
  pinCode: string
  accountNumber: string
  openedOn: string
  lastPaidOn: string | null
  closedOn: string | null
  sanctioned: Paise
  balance: Paise
  overdue: Paise
  daysPastDue: number
  assetClass: BureauClass
  writtenOffOn: string | null
  settledOn: string | null
  instalments: number
  instalment: Paise
  ratePercent: string
}

/** The file format of a bureau or converter. */
interface BureauLayout {
  extension: string
  contentType: string
  /** Returns the lines of some accounts, after the header line if the accounts are the first of the file. */
  linesOf(accounts: BureauAccount[], file: { reportedOn: string; isFirst: boolean }): string
}

interface BureauReport {
  /** The amounts are those at the end of this day. */
  reportedOn: string
  /** Omits loans whose closing was posted before this day, because an earlier file reported them. */
  closedSince: string
}

const loansPerPage = 500

/** Yields pages of accounts in the order of their cases. Throws if a lead cannot be decrypted. */
export async function* bureauAccounts(
  { db, seal }: { db: Run; seal: Seal },
  { reportedOn, closedSince }: BureauReport,
): AsyncGenerator<BureauAccount[]> {
  for (let after = ''; ; ) {
    const loans = await loansAfter(db, { closedSince, after, limit: loansPerPage })
    if (loans.length > 0) yield loans.map((loan) => bureauAccountOf(seal, loan, reportedOn))
    const last = loans.at(-1)
    if (!last || loans.length < loansPerPage) return
    after = last.caseRef
  }
}

function bureauAccountOf(seal: Seal, loan: LoanLine, reportedOn: string): BureauAccount {
  const { borrower } = seal.openJson<Pick<DataOf<'LEAD_SUBMITTED'>, 'borrower'>>(
    loan.leadSealed,
    leadContext(loan.caseRef),
  )
  const { line1, line2, city, state, postal_code } = borrower.residential_address
  return {
    name: fullName(borrower),
    bornOn: borrower.date_of_birth,
    pan: borrower.pan,
    mobile: borrower.mobile,
    email: borrower.email,
    addressLines: line2 ? [line1, line2] : [line1],
    city,
    state,
    pinCode: postal_code,
    ...bureauFigures(loan, reportedOn),
  }
}

export function bureauFigures(loan: LoanLine, reportedOn: string) {
  const terms = termsFromJson(loan.terms)
  return {
    accountNumber: loan.loanAccountId,
    openedOn: loan.disbursedOn,
    lastPaidOn: loan.lastPaidOn,
    closedOn: loan.closedOn,
    sanctioned: terms.amountPaise,
    balance: loan.balancePaise,
    overdue: loan.overduePaise,
    daysPastDue: daysPastDue(loan.oldestDueOn, reportedOn),
    assetClass: bureauClassOf(loan.assetClass),
    writtenOffOn: loan.writtenOffOn,
    settledOn: loan.settledOn,
    instalments: terms.numberOfInstallments,
    instalment: loan.installmentPaise,
    ratePercent: terms.annualRatePercent,
  }
}

function bureauClassOf(assetClass: AssetClass): BureauClass {
  if (!isNonPerforming(assetClass)) return assetClass === 'STANDARD' ? 'STD' : 'SMA'
  return assetClass === 'SUB_STANDARD' ? 'SUB' : assetClass === 'LOSS' ? 'LSS' : 'DBT'
}

type Cell = string | number | null

const columns: [name: string, cellOf: (account: BureauAccount, reportedOn: string) => Cell][] = [
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
  ['settled_on', (account) => account.settledOn],
  ['instalments', (account) => account.instalments],
  ['instalment_amount', (account) => rupees(account.instalment)],
  ['payment_frequency', () => 'WEEKLY'],
  ['rate_of_interest', (account) => account.ratePercent],
]

export const bureauColumns: readonly string[] = columns.map(([name]) => name)

/** The CSV layout of docs/reference/bureau-report.md: one line for each account. */
export const bureauCsv: BureauLayout = {
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8',
  linesOf(accounts, { reportedOn, isFirst }) {
    const cells = accounts.map((account) => columns.map(([, cellOf]) => cellOf(account, reportedOn)))
    return csvPage(bureauColumns, cells, isFirst)
  },
}
