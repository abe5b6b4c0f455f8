// The bank form: the borrower's own account, paid into and later debited (FIS12 §7.7).
import { accountNumberPattern, ifscPattern, upper } from '#contract/identifier.ts'
import { type AnswersTo, bankFields } from '#contract/network/form-fields.ts'
import { OneOf, parse, Type } from '#kit/http/schema.ts'
import type { Account } from '#sandbox/lender/core/conversation.ts'
import type { Shown } from '#sandbox/lender/core/form.ts'

const BankAccount = Type.Object({
  accHolderName: Type.String({ pattern: '\\S', maxLength: 200, 'x-says': 'must be filled in' }),
  acctype: OneOf([...bankFields.acctype.options]),
  accNo: Type.String({ pattern: accountNumberPattern, 'x-says': 'must be 9 to 18 digits' }),
  ifscCode: Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC' }),
})

export const bankShown: Record<string, Shown> = {
  accHolderName: { label: 'Name of the account holder' },
  acctype: { label: 'Kind of account' },
  accNo: { label: 'Account number' },
  ifscCode: { label: 'IFSC' },
}

/** The account as it was posted. Throws a `Refusal` of kind `invalid` naming every wrong field. */
export function accountFrom(posted: AnswersTo<typeof bankFields>): Account {
  const { accHolderName, acctype, accNo, ifscCode } = parse(BankAccount, posted)
  return { holder: accHolderName.trim(), type: acctype, number: accNo, ifsc: upper(ifscCode) }
}
