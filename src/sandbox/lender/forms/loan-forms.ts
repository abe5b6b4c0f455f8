// The forms that loans have in common: amount and term, who takes the offer, and the bank account (FIS12 §7.7, §19.1).
import { amountFields, bankFields, customerFields } from '#contract/network/form-fields.ts'
import { invalid } from '#kit/http/refusal.ts'
import { required } from '#kit/runtime/required.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { choiceFaults } from '#sandbox/lender/core/decide.ts'
import type { Form } from '#sandbox/lender/core/form.ts'
import { offeredOf } from '#sandbox/lender/core/order.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { keepAccount } from '#sandbox/lender/core/store.ts'
import { amountShown, choiceFrom } from './amount.ts'
import { accountFrom, bankShown } from './bank.ts'
import { customerFrom, customerShown } from './customer.ts'

type Choice = ReturnType<typeof choiceFrom>

/** The choice as facts of the conversation. Throws a `Refusal` of kind `invalid` where it is not within the offer. */
function chosenWithin(policy: Policy, conversation: Conversation, choice: Choice): Choice {
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
    title: 'Who you are, and what you want',
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
