// The report to credit bureaus (Credit Information Companies Act, 2005): one line per account.

import { type CsvColumn, csvPage } from '@lendloom/documents/csv'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { fullName } from '@lendloom/wire/exchange/lead'
import { leadContext } from '#partner/origination/case/lifecycle.ts'
import { termsFromJson } from '#partner/origination/terms/terms.ts'
import { type AssetClass, daysPastDue, isNonPerforming } from '#partner/servicing/loan/class/asset-class.ts'
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
  /** The overdue amount up to which a loan is not past due. */
  tolerance: Paise
}

const loansPerPage = 500

/** Yields pages of accounts in the order of their cases. Throws if a lead cannot be decrypted. */
export async function* bureauAccounts(
  { db, seal }: { db: Run; seal: Seal },
  { reportedOn, closedSince, tolerance }: BureauReport,
): AsyncGenerator<BureauAccount[]> {
  for (let after = ''; ; ) {
    const loans = await loansAfter(db, { closedSince, after, limit: loansPerPage, tolerance })
    // The borrower never had the money of a payout that the bank gave back.
    const lent = loans.filter(({ status }) => status !== 'CANCELLED')
    if (lent.length > 0) yield lent.map((loan) => bureauAccountOf(seal, loan, reportedOn))
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

/** An account, and the day of the report. */
type BureauLine = BureauAccount & { reportedOn: string }

const columns: CsvColumn<BureauLine>[] = [
  { head: 'reported_on', of: (line) => line.reportedOn },
  { head: 'account_number', of: (line) => line.accountNumber },
  { head: 'account_type', of: () => 'BUSINESS_LOAN_UNSECURED' },
  { head: 'ownership', of: () => 'INDIVIDUAL' },
  { head: 'name', of: (line) => line.name },
  { head: 'date_of_birth', of: (line) => line.bornOn },
  { head: 'pan', of: (line) => line.pan },
  { head: 'mobile', of: (line) => line.mobile.slice(-10) },
  { head: 'email', of: (line) => line.email },
  { head: 'address_line_1', of: (line) => line.addressLines[0] ?? null },
  { head: 'address_line_2', of: (line) => line.addressLines[1] ?? null },
  { head: 'city', of: (line) => line.city },
  { head: 'state', of: (line) => line.state },
  { head: 'pin_code', of: (line) => line.pinCode },
  { head: 'opened_on', of: (line) => line.openedOn },
  { head: 'last_payment_on', of: (line) => line.lastPaidOn },
  { head: 'closed_on', of: (line) => line.closedOn },
  { head: 'sanctioned_amount', of: (line) => rupees(line.sanctioned) },
  { head: 'current_balance', of: (line) => rupees(line.balance) },
  { head: 'amount_overdue', of: (line) => rupees(line.overdue) },
  { head: 'days_past_due', of: (line) => line.daysPastDue },
  { head: 'asset_classification', of: (line) => line.assetClass },
  { head: 'written_off_on', of: (line) => line.writtenOffOn },
  { head: 'settled_on', of: (line) => line.settledOn },
  { head: 'instalments', of: (line) => line.instalments },
  { head: 'instalment_amount', of: (line) => rupees(line.instalment) },
  { head: 'payment_frequency', of: () => 'WEEKLY' },
  { head: 'rate_of_interest', of: (line) => line.ratePercent },
]

export const bureauColumns: readonly string[] = columns.map(({ head }) => head)

/** The CSV layout of docs/reference/bureau-report.md: one line for each account. */
export const bureauCsv: BureauLayout = {
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8',
  linesOf(accounts, { reportedOn, isFirst }) {
    const lines = accounts.map((account) => ({ ...account, reportedOn }))
    return csvPage(columns, lines, isFirst)
  },
}
