// English account names, as accountants see them.
import type { ChartAccount } from './chart.ts'

export const accountNames: Record<ChartAccount, string> = {
  BANK: 'Bank',
  PRINCIPAL: 'Loans: principal',
  INTEREST: 'Interest receivable',
  ACCRUED_INTEREST: 'Interest accrued, not due',
  PENALTY: 'Penal charges receivable',
  CHARGES: 'Charges receivable',
  WRITTEN_OFF: 'Loans written off (contra)',
  UNAPPLIED: 'Unapplied borrower receipts',
  UNPOSTED: 'Receipts not yet posted',
  REFUND_PAYABLE: 'Refunds payable',
  TAX_PAYABLE: 'GST payable',
  INCOME_SUSPENSE: 'NPA income in suspense',
  PROVISION: 'Provisions for loans',
  RESERVES: 'Profit of earlier years',
  INTEREST_INCOME: 'Interest income',
  FEE_INCOME: 'Processing fees',
  CHARGES_INCOME: 'Other charges',
  PENALTY_INCOME: 'Penal charges',
  RECOVERY_INCOME: 'Recoveries of written-off loans',
  WAIVED: 'Waived',
  WRITE_OFF_LOSS: 'Loans written off: loss',
  SETTLEMENT_LOSS: 'Loans settled for less: loss',
  ROUNDED_OFF: 'Rounded off',
  PROVISION_EXPENSE: 'Provisions: change',
}
export const natureNames = {
  asset: 'Assets',
  liability: 'Liabilities',
  equity: 'Equity',
  income: 'Income',
  expense: 'Expenses',
}
