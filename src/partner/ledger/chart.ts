// The chart of accounts: the number of each account, by which journals and trial balances are ordered and read elsewhere.

import { keysOf } from '#kit/runtime/narrow.ts'
import type { Account } from './accounts.ts'

/** Assets begin with 1, liabilities with 2, income with 4, expenses with 5. */
export const accountNumbers: Record<Account, string> = {
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
export const chart: Account[] = keysOf(accountNumbers).sort((a, b) => (accountNumbers[a] < accountNumbers[b] ? -1 : 1))
