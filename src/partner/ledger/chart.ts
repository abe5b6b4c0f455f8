// The chart of accounts. Its numbers order journals and trial balances, and identify accounts in exports.
import { keysOf, recordOf } from '#kit/runtime/record.ts'

/** Assets begin with 1, liabilities with 2, income with 4, expenses with 5. */
export const accountNumbers: Record<ChartAccount, string> = {
  BANK: '1000',
  PRINCIPAL: '1100',
  INTEREST: '1200',
  ACCRUED_INTEREST: '1210',
  PENALTY: '1300',
  CHARGES: '1310',
  WRITTEN_OFF: '1900',
  UNAPPLIED: '2000',
  REFUND_PAYABLE: '2010',
  TAX_PAYABLE: '2100',
  INCOME_SUSPENSE: '2200',
  PROVISION: '2300',
  INTEREST_INCOME: '4000',
  FEE_INCOME: '4100',
  CHARGES_INCOME: '4200',
  PENALTY_INCOME: '4300',
  RECOVERY_INCOME: '4900',
  WAIVED: '5000',
  WRITE_OFF_LOSS: '5100',
  PROVISION_EXPENSE: '5200',
}

/** All accounts, ordered by number. */
export const chart: ChartAccount[] = keysOf(accountNumbers).sort((a, b) =>
  accountNumbers[a] < accountNumbers[b] ? -1 : 1,
)

/**
 * The borrower's dues are in four accounts with the statement's names (D3 §2.5): `PRINCIPAL`, `INTEREST`, `PENALTY` and
 * `CHARGES`. Their balance per row is the unpaid payable amount; negative when it was prepaid. `ACCRUED_INTEREST` is
 * earned interest of a row that is not due yet. `UNAPPLIED` is money beyond the whole schedule, which belongs to the
 * borrower; `REFUND_PAYABLE` is its part that is being refunded. `UNAPPLIED` is negative when a refunded receipt was
 * reversed: the borrower owes it. `WRITTEN_OFF`, negative, removes a written-off claim from the books; the claim's
 * accounts stay, because the borrower still owes it. `INCOME_SUSPENSE` is booked but unreceived income of a
 * non-performing loan. `PROVISION` and `PROVISION_EXPENSE` belong to the whole book, under the case `portfolio`.
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
  REFUND_PAYABLE: 'liability',
  TAX_PAYABLE: 'liability',
  INCOME_SUSPENSE: 'liability',
  PROVISION: 'liability',
  INTEREST_INCOME: 'income',
  PENALTY_INCOME: 'income',
  CHARGES_INCOME: 'income',
  FEE_INCOME: 'income',
  RECOVERY_INCOME: 'income',
  WAIVED: 'expense',
  WRITE_OFF_LOSS: 'expense',
  PROVISION_EXPENSE: 'expense',
} as const

export type ChartAccount = keyof typeof accounts

/** Balances in paise, debits less credits: assets and expenses are positive, liabilities and income negative. */
export type Balances = Record<ChartAccount, bigint>

export const noBalances = (): Balances => recordOf(keysOf(accounts), () => 0n)
