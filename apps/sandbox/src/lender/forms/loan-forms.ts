// The forms that products share: amount and term, customer details, and bank account (FIS12 §7.7, §19.1).

import { invalid } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { OneOf, parse, Type } from '@lendloom/foundation/schema'
import { accountNumberPattern, ifscPattern, tenDigits, upper } from '@lendloom/wire/identifier'
import { type AnswersTo, amountFields, bankAccountFields, customerFields } from '@lendloom/wire/network/form-fields'
import type { BorrowerAccount, Conversation } from '#sandbox/lender/core/conversation.ts'
import type { FieldPresentation, Form } from '#sandbox/lender/core/form.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { choiceFaults } from '#sandbox/lender/core/lending-decision.ts'
import { offeredOf } from '#sandbox/lender/core/message-parts.ts'
import { saveAccount } from '#sandbox/lender/core/store.ts'
import { amountPresentation, choiceFrom } from './amount-form.ts'
import { Mobile, Pan, Pincode, ShortText, validatedFields } from './profile-fields.ts'

type AmountChoice = ReturnType<typeof choiceFrom>

/** Returns the choice. Throws `invalid` when it is outside the offer. */
function requireWithinOffer(policy: LenderPolicy, conversation: Conversation, choice: AmountChoice): AmountChoice {
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
    presentation(policy, conversation) {
      const offered = offeredOf(conversation)
      return offered && amountPresentation(policy, offered)
    },
    parse(_ctx, policy, posted) {
      const { principal, months } = choiceFrom(posted)
      return {
        content: { principal: principal.toString(), months },
        facts: (conversation) => requireWithinOffer(policy, conversation, { principal, months }),
      }
    },
  },
  customer: {
    heading: 'SET_LOAN_AMOUNT',
    title: 'Your details, amount and term',
    fields: customerFields,
    presentation(policy, conversation) {
      const offered = offeredOf(conversation)
      return offered && { ...customerPresentation, ...amountPresentation(policy, offered) }
    },
    parse(_ctx, policy, posted) {
      const customer = customerFrom(posted)
      const { principal, months } = choiceFrom(posted)
      return {
        content: { ...customer, principal: principal.toString(), months },
        facts: (conversation) => requireWithinOffer(policy, conversation, { principal, months }),
      }
    },
  },
  bank: {
    heading: 'ACCOUNT_INFORMATION',
    title: 'Your bank account',
    fields: bankAccountFields,
    presentation: () => bankPresentation,
    parse({ seal }, _policy, posted) {
      const account = accountFrom(posted)
      return {
        content: account,
        facts: () => ({}),
        store: (tx, conversationId) => saveAccount(tx, seal, conversationId, account),
      }
    },
  },
}

const BankAccount = Type.Object({
  accHolderName: Type.String({ pattern: '\\S', maxLength: 200, 'x-says': 'must be filled in' }),
  acctype: OneOf([...bankAccountFields.acctype.options]),
  accNo: Type.String({ pattern: accountNumberPattern, 'x-says': 'must be 9 to 18 digits' }),
  ifscCode: Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC' }),
})

/** The bank form: the borrower's account, which is credited and later debited (FIS12 §7.7). */
const bankPresentation: Record<string, FieldPresentation> = {
  accHolderName: { label: 'Name of the account holder' },
  acctype: { label: 'Kind of account' },
  accNo: { label: 'Account number' },
  ifscCode: { label: 'IFSC' },
}

/** Parses the posted account. Throws `invalid`, naming every wrong field. */
function accountFrom(posted: AnswersTo<typeof bankAccountFields>): BorrowerAccount {
  const { accHolderName, acctype, accNo, ifscCode } = parse(BankAccount, posted)
  return { holder: accHolderName.trim(), type: acctype, number: accNo, ifsc: upper(ifscCode) }
}

const Customer = Type.Object({
  pan: Pan,
  fullName: ShortText,
  gender: OneOf([...customerFields.gender.options]),
  dob: Type.String(),
  contactNumber: Mobile,
  pincode: Pincode,
})

/** The customer form, which asks for the identity again when the borrower accepts one of two offers (FIS12 §19.1). */
const customerPresentation: Record<string, FieldPresentation> = {
  fullName: { label: 'Name as on the PAN card' },
  pan: { label: 'PAN' },
  dob: { label: 'Date of birth' },
  gender: { label: 'Gender' },
  contactNumber: { label: 'Mobile number' },
  pincode: { label: 'PIN code' },
}

/** Parses the posted customer. Throws `invalid`, naming every wrong field. */
function customerFrom(posted: AnswersTo<typeof customerFields>) {
  const { fields, bornOn } = validatedFields(Customer, posted, ['fullName'])
  return {
    name: fields.fullName.trim(),
    pan: upper(fields.pan),
    bornOn,
    gender: fields.gender,
    mobile: tenDigits(fields.contactNumber),
    pincode: fields.pincode,
  }
}
