// Converts the borrower's bank account between messages and the lender's record (FIS12 §7.5).
import { accountNumberPattern, ifscPattern, upper } from '@lendloom/wire/identifier'
import type { SettlementAccount } from '@lendloom/wire/network/v230/payments'
import type { BorrowerAccount } from '#sandbox/lender/core/conversation.ts'
import type { Denial } from '#sandbox/lender/core/lending-decision.ts'

export function accountFrom(settlement: SettlementAccount | null): { account: BorrowerAccount } | { denial: Denial } {
  if (settlement === null) return { denial: { code: '80217', message: "the borrower's account is missing" } }
  const { accountNumber, ifsc, holderName, type } = settlement
  const invalidFields = [
    ...(new RegExp(accountNumberPattern).test(accountNumber) ? [] : ['bank_account_number']),
    ...(new RegExp(ifscPattern).test(ifsc) ? [] : ['bank_code']),
    ...(holderName.trim() ? [] : ['ACCOUNT_HOLDER_NAME']),
  ]
  if (invalidFields.length > 0) return { denial: { code: '80216', message: `not valid: ${invalidFields.join(', ')}` } }
  const isCurrent = /^current$/i.test(type)
  return {
    account: {
      holder: holderName.trim(),
      type: isCurrent ? 'current' : 'saving',
      number: accountNumber,
      ifsc: upper(ifsc),
    },
  }
}

export const settlementAccountOf = ({ holder, type, number, ifsc }: BorrowerAccount): SettlementAccount => ({
  accountNumber: number,
  ifsc,
  type: type === 'saving' ? 'savings' : type,
  holderName: holder,
  bankName: null,
})
