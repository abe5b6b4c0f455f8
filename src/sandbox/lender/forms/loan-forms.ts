// The forms that loans have in common: amount and term, who takes the offer, and the bank account (FIS12 §7.7, §19.1).

import { accountNumberPattern, ifscPattern, tenDigits, upper } from '#contract/identifier.ts'
import { type AnswersTo, amountFields, bankFields, customerFields } from '#contract/network/forms.ts'
import { invalid } from '#kit/http/refusal.ts'
import { OneOf, parse, Type } from '#kit/http/schema.ts'
import { required } from '#kit/runtime/record.ts'
import type { BorrowerAccount, Conversation } from '#sandbox/lender/core/conversation.ts'
import { choiceFaults } from '#sandbox/lender/core/decide.ts'
import type { FieldPresentation, Form } from '#sandbox/lender/core/form.ts'
import { offeredOf } from '#sandbox/lender/core/order.ts'
import type { LenderPolicy } from '#sandbox/lender/core/policy.ts'
import { keepAccount } from '#sandbox/lender/core/store.ts'
import { amountShown, choiceFrom } from './form-page.ts'
import { checked, Line, Mobile, Pan, Pincode } from './profile-fields.ts'

type AmountChoice = ReturnType<typeof choiceFrom>

/** The choice as facts of the conversation. Throws a `Refusal` of kind `invalid` where it is not within the offer. */
function chosenWithin(policy: LenderPolicy, conversation: Conversation, choice: AmountChoice): AmountChoice {
  const offered = required(offeredOf(conversation), 'offer to choose from')
  const [first, ...more] = choiceFaults(policy, offered, choice.principal, choice.months)
  if (first) throw invalid(first, ...more)
  return choice
}

export const loanForms: Record<'amount' | 'customer' | 'bank', Form> = {
  amount: {
    heading: 'SET_LOAN_AMOUNT',
    title: 'Choose amount and term',
    fields: amountFields,
    shown(policy, conversation) {
      const offered = offeredOf(conversation)
      return offered && amountShown(policy, offered)
    },
    filling(_ctx, policy, posted) {
      const { principal, months } = choiceFrom(posted)
      return {
        content: { principal: principal.toString(), months },
        facts: (conversation) => chosenWithin(policy, conversation, { principal, months }),
      }
    },
  },
  customer: {
    heading: 'SET_LOAN_AMOUNT',
    title: 'About you and your loan',
    fields: customerFields,
    shown(policy, conversation) {
      const offered = offeredOf(conversation)
      return offered && { ...customerShown, ...amountShown(policy, offered) }
    },
    filling(_ctx, policy, posted) {
      const customer = customerFrom(posted)
      const { principal, months } = choiceFrom(posted)
      return {
        content: { ...customer, principal: principal.toString(), months },
        facts: (conversation) => chosenWithin(policy, conversation, { principal, months }),
      }
    },
  },
  bank: {
    heading: 'ACCOUNT_INFORMATION',
    title: 'Your bank account',
    fields: bankFields,
    shown: () => bankShown,
    filling({ seal }, _policy, posted) {
      const account = accountFrom(posted)
      return {
        content: account,
        facts: () => ({}),
        keep: (tx, conversationId) => keepAccount(tx, seal, conversationId, account),
      }
    },
  },
}

const BankAccount = Type.Object({
  accHolderName: Type.String({ pattern: '\\S', maxLength: 200, 'x-says': 'must be filled in' }),
  acctype: OneOf([...bankFields.acctype.options]),
  accNo: Type.String({ pattern: accountNumberPattern, 'x-says': 'must be 9 to 18 digits' }),
  ifscCode: Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC' }),
})

/** The bank form: the borrower's own account, paid into and later debited (FIS12 §7.7). */
const bankShown: Record<string, FieldPresentation> = {
  accHolderName: { label: 'Account holder’s name' },
  acctype: { label: 'Account type' },
  accNo: { label: 'Account number' },
  ifscCode: { label: 'IFSC' },
}

/** The account as it was posted. Throws a `Refusal` of kind `invalid` naming every wrong field. */
function accountFrom(posted: AnswersTo<typeof bankFields>): BorrowerAccount {
  const { accHolderName, acctype, accNo, ifscCode } = parse(BankAccount, posted)
  return { holder: accHolderName.trim(), type: acctype, number: accNo, ifsc: upper(ifscCode) }
}

const Customer = Type.Object({
  pan: Pan,
  fullName: Line,
  gender: OneOf([...customerFields.gender.options]),
  dob: Type.String(),
  contactNumber: Mobile,
  pincode: Pincode,
})

/** The second form about the borrower, for taking an offer: identity again (FIS12 §19.1). */
const customerShown: Record<string, FieldPresentation> = {
  fullName: { label: 'Name as on the PAN card' },
  pan: { label: 'PAN' },
  dob: { label: 'Date of birth' },
  gender: { label: 'Gender' },
  contactNumber: { label: 'Mobile number' },
  pincode: { label: 'PIN code' },
}

/** Who it is, as the posted fields tell it. Throws a `Refusal` of kind `invalid` naming every wrong field. */
function customerFrom(posted: AnswersTo<typeof customerFields>) {
  const { given, bornOn } = checked(Customer, posted, ['fullName'])
  return {
    name: given.fullName.trim(),
    pan: upper(given.pan),
    bornOn,
    gender: given.gender,
    mobile: tenDigits(given.contactNumber),
    pincode: given.pincode,
  }
}
