// The forms that loans have in common: amount and term, who takes the offer, and the bank account (FIS12 §7.7, §19.1).
import { amountFields, bankFields, customerFields } from '#contract/network/form-fields.ts'
import { invalid } from '#kit/http/refusal.ts'
import { choiceFaults } from '#sandbox/lender/core/decide.ts'
import type { Form } from '#sandbox/lender/core/form.ts'
import { offeredOf } from '#sandbox/lender/core/order.ts'
import { keepAccount } from '#sandbox/lender/core/store.ts'
import { amountShown, choiceFrom } from './amount.ts'
import { accountFrom, bankShown } from './bank.ts'
import { customerFrom, customerShown } from './customer.ts'

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
        facts(conversation) {
          const [first, ...more] = choiceFaults(policy, offeredOf(conversation)!, principal, months)
          if (first) throw invalid(first, ...more)
          return { principal, months }
        },
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
        facts(conversation) {
          const [first, ...more] = choiceFaults(policy, offeredOf(conversation)!, principal, months)
          if (first) throw invalid(first, ...more)
          return { principal, months }
        },
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
