// GET and POST of the forms that a buyer app fills: the page, and the JSON answer with a submission id (FIS12 §7.7).
import {
  amountFields,
  bankFields,
  customerFields,
  type FieldSpec,
  goldFields,
  profileFields,
} from '#contract/network/form-fields.ts'
import type { Heading } from '#contract/network/v203/page.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import { type Answer, answer } from '#kit/http/server.ts'
import { type Context, route } from '#sandbox/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { choiceFaults } from '#sandbox/lender/core/decide.ts'
import { scenarioFor } from '#sandbox/lender/core/fault-scenarios.ts'
import { conversationOfLink, type Purpose } from '#sandbox/lender/core/link.ts'
import { offeredOf } from '#sandbox/lender/core/order.ts'
import { type Policy, policyOf } from '#sandbox/lender/core/policy.ts'
import { stepOf } from '#sandbox/lender/core/steps.ts'
import { conversationOf, keepAccount, keepApplicant } from '#sandbox/lender/core/store.ts'
import { amountShown, choiceFrom } from '#sandbox/lender/forms/amount.ts'
import { accountFrom, bankShown } from '#sandbox/lender/forms/bank.ts'
import { customerFrom, customerShown } from '#sandbox/lender/forms/customer.ts'
import { type Filling, fill } from '#sandbox/lender/forms/fill.ts'
import { formPage, type Shown } from '#sandbox/lender/forms/form-page.ts'
import { goldApplicationFrom, goldShown } from '#sandbox/lender/gold-loan/profile.ts'
import { closedPage } from '#sandbox/lender/pages/closed-page.ts'
import { htmlAnswer } from '#sandbox/lender/pages/layout.ts'
import { applicantFrom, profileShown } from '#sandbox/lender/personal-loan/profile.ts'
import { policyFor } from '#sandbox/lender/products/policy-for.ts'

type Posted = Record<string, string>

interface Form {
  heading: Heading
  title: string
  fields: Record<string, FieldSpec>
  /** Null while there is nothing to show yet. */
  shown(policy: Policy, conversation: Conversation): Record<string, Shown> | null
  filling(ctx: Context, policy: Policy, posted: Posted): Filling
}

const forms: Record<'profile' | 'gold' | 'amount' | 'customer' | 'bank', Form> = {
  profile: {
    heading: 'PERSONAL_INFORMATION',
    title: 'Apply for a personal loan',
    fields: profileFields,
    shown: () => profileShown,
    filling({ seal }, { slug }, posted) {
      const applicant = applicantFrom(posted)
      return {
        content: { ...applicant, monthlyIncome: String(applicant.monthlyIncome) },
        facts: () => ({ scenario: scenarioFor(applicant.pan, slug) }),
        keep: (tx, conversationId) => keepApplicant(tx, seal, conversationId, applicant),
      }
    },
  },
  gold: {
    heading: 'PERSONAL_INFORMATION',
    title: 'Apply for a gold loan',
    fields: goldFields,
    shown: () => goldShown,
    filling({ seal }, { slug }, posted) {
      const { applicant, pledge } = goldApplicationFrom(posted)
      const { milligrams: goldMilligrams, purity: goldPurity } = pledge
      return {
        content: {
          ...applicant,
          monthlyIncome: String(applicant.monthlyIncome),
          goldPurity,
          gold: `${goldMilligrams}`,
        },
        facts: () => ({ scenario: scenarioFor(applicant.pan, slug), goldMilligrams, goldPurity }),
        keep: (tx, conversationId) => keepApplicant(tx, seal, conversationId, applicant),
      }
    },
  },
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

/** Who pledges gold is asked other things. */
const formOf = (name: string, { product }: Conversation): Form =>
  forms[name === 'profile' && product === 'GOLD_LOAN' ? 'gold' : (name as keyof typeof forms)]

const params = Type.Object({
  lender: Type.String(),
  form: OneOf(['profile', 'amount', 'customer', 'bank']),
  token: Type.String(),
})
const path = '/lenders/{lender}/forms/{form}/{token}'

export const showForm = route({
  method: 'GET',
  path,
  section: 'FIS12 §7.7',
  summary: 'A form that a buyer app fills for its borrower',
  params,
  async handle({ params: { lender, form: name, token } }, ctx) {
    const found = await opened(ctx, lender, name as Purpose, token)
    if (!found) return closedPage(policyOf(lender))
    const form = formOf(name, found.conversation)
    const shown = form.shown(found.policy, found.conversation)
    if (!shown) return closedPage(found.policy)
    const { formId } = stepOf(found.conversation, form.heading)
    const action = `${ctx.url}/lenders/${lender}/forms/${name}/${token}`
    return htmlAnswer(formPage({ policy: found.policy, title: form.title, formId, action, fields: form.fields, shown }))
  },
})

export const submitForm = route({
  method: 'POST',
  path,
  section: 'FIS12 §7.7',
  summary: 'Takes a filled form and gives its submission id',
  params,
  accepts: 'raw',
  async handle({ params: { lender, form: name, token }, raw, headers, at }, ctx) {
    const found = await opened(ctx, lender, name as Purpose, token)
    if (!found) return refused(404, [{ path: '', message: 'this link is not known' }])
    if (!/^application\/x-www-form-urlencoded\b/i.test(String(headers['content-type'])))
      return refused(415, [{ path: '', message: 'the form is posted urlencoded' }])
    const posted = Object.fromEntries(new URLSearchParams(raw.toString('utf8')))
    const form = formOf(name, found.conversation)
    try {
      const filling = form.filling(ctx, found.policy, posted)
      const { conversationId } = found.conversation
      return {
        success: true,
        submission_id: await fill(ctx, conversationId, stepOf(found.conversation, form.heading), filling, at),
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.kind === 'invalid') return refused(400, error.details.fields ?? [])
      return refused(409, [{ path: '', message: error.message }])
    }
  },
})

async function opened(
  { db, seal }: Context,
  lender: string,
  purpose: Purpose,
  token: string,
): Promise<{ policy: Policy; conversation: Conversation } | null> {
  const conversationId = conversationOfLink(seal, purpose, token)
  if (conversationId === null) return null
  const conversation = await conversationOf(db, conversationId)
  return conversation?.lender === lender ? { policy: policyFor(conversation), conversation } : null
}

const refused = (status: number, errors: { path: string; message: string }[]): Answer =>
  answer(status, { success: false, errors: errors.map(({ path: field, message }) => ({ field, message })) })
