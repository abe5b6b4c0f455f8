// The chart of accounts. Account numbers identify accounts in exports, and order trial balances.
import { keysOf, recordOf } from '@lendloom/foundation/record'

/** Numbers of assets begin with 1, of liabilities with 2, of equity with 3, of income with 4, of expenses with 5. */
export const accountNumbers: Record<ChartAccount, string> = {
  BANK: '1000',
  PRINCIPAL: '1100',
  INTEREST: '1200',
  ACCRUED_INTEREST: '1210',
  PENALTY: '1300',
  CHARGES: '1310',
  WRITTEN_OFF: '1900',
  UNAPPLIED: '2000',
  UNPOSTED: '2005',
  REFUND_PAYABLE: '2010',
  TAX_PAYABLE: '2100',
  INCOME_SUSPENSE: '2200',
  PROVISION: '2300',
  RESERVES: '3000',
  INTEREST_INCOME: '4000',
  FEE_INCOME: '4100',
  CHARGES_INCOME: '4200',
  PENALTY_INCOME: '4300',
  RECOVERY_INCOME: '4900',
  WAIVED: '5000',
  WRITE_OFF_LOSS: '5100',
  SETTLEMENT_LOSS: '5110',
  ROUNDED_OFF: '5120',
  PROVISION_EXPENSE: '5200',
}

export const chart: ChartAccount[] = keysOf(accountNumbers).sort((a, b) =>
  accountNumbers[a] < accountNumbers[b] ? -1 : 1,
)

/**
 * The nature of each account.
 * - `PRINCIPAL`, `INTEREST`, `PENALTY`, `CHARGES`: what the borrower owes, as in the statement (D3 §2.5). The balance
 *   of a schedule row is its unpaid amount, or negative if the row was prepaid.
 * - `ACCRUED_INTEREST`: earned interest of a row that is not due yet.
 * - `UNAPPLIED`: money beyond the whole schedule, which belongs to the borrower. If a refunded receipt is reversed, the
 *   borrower owes the refund as principal of the schedule, without interest.
 * - `UNPOSTED`: receipts in the bank that are not posted to a loan yet, in the case `receipts`.
 * - `REFUND_PAYABLE`: unapplied money with a pending refund, and receipts that are being sent back to their payers.
 * - `WRITTEN_OFF`: offsets the claim of a written-off loan, which the borrower still owes.
 * - `INCOME_SUSPENSE`: booked but unreceived income of a non-performing loan.
 * - `RESERVES`: the profit of earlier financial years. Nothing is posted to it: a trial balance moves income and expenses
 *   there on 1 April.
 * - `PROVISION`, `PROVISION_EXPENSE`: provisions for all loans, posted to the case `portfolio`.
 */
export const accounts = {
  PRINCIPAL: 'asset',
  INTEREST: 'asset',
  PENALTY: 'asset',
  CHARGES: 'asset',
  ACCRUED_INTEREST: 'asset',
  WRITTEN_OFF: 'asset',
  BANK: 'asset',
  UNAPPLIED: 'liability',
  UNPOSTED: 'liability',
  REFUND_PAYABLE: 'liability',
  TAX_PAYABLE: 'liability',
  INCOME_SUSPENSE: 'liability',
  PROVISION: 'liability',
  RESERVES: 'equity',
  INTEREST_INCOME: 'income',
  PENALTY_INCOME: 'income',
  CHARGES_INCOME: 'income',
  FEE_INCOME: 'income',
  RECOVERY_INCOME: 'income',
  WAIVED: 'expense',
  WRITE_OFF_LOSS: 'expense',
  SETTLEMENT_LOSS: 'expense',
  ROUNDED_OFF: 'expense',
  PROVISION_EXPENSE: 'expense',
} as const

export type ChartAccount = keyof typeof accounts

/** Whether the account begins each financial year at zero. */
export const endsWithYear = (account: ChartAccount): boolean =>
  accounts[account] === 'income' || accounts[account] === 'expense'

/** Balances in paise: debits less credits. Assets and expenses are positive, liabilities and income negative. */
export type Balances = Record<ChartAccount, bigint>

export const noBalances = (): Balances => recordOf(keysOf(accounts), () => 0n)
