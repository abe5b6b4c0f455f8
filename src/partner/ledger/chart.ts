// The chart of accounts: the number of each account, by which journals and trial balances are ordered and read elsewhere.
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

/** All accounts in the order of their numbers. */
export const chart: ChartAccount[] = keysOf(accountNumbers).sort((a, b) =>
  accountNumbers[a] < accountNumbers[b] ? -1 : 1,
)

/**
 * What the borrower owes us is in four accounts, in the words of the statement (D3 §2.5): `PRINCIPAL`, `INTEREST`, `PENALTY`
 * and `CHARGES`. Their balance by row of the schedule is what is unpaid of what has become payable; below zero it was paid
 * ahead of its due date. `ACCRUED_INTEREST` is what was earned of a row that is not due yet, and so not asked for. `UNAPPLIED` is money beyond the whole schedule, which belongs to the borrower; `REFUND_PAYABLE` is the part of it that is on its way back. `UNAPPLIED` is below zero where money was returned whose receipt was taken back then: the borrower owes it. `WRITTEN_OFF` takes back, below zero, what the books no longer count of a claim
 * that was written off; the accounts of the claim stay as they are, as the borrower owes it all the same.
 * `INCOME_SUSPENSE` is what was booked and not received while a loan is non-performing. `PROVISION` and
 * `PROVISION_EXPENSE` are of the whole book, under the case `portfolio`.
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

/** The balances, debits less credits in paise: positive is what we have or are owed, negative what we owe or earned. */
export type Balances = Record<ChartAccount, bigint>

export const noBalances = (): Balances => recordOf(keysOf(accounts), () => 0n)
