// GET and POST of the forms that a buyer app submits; POST returns a submission id as JSON (FIS12 §7.7).
import { Refusal } from '@lendloom/foundation/refusal'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { type Answer, answer } from '@lendloom/http/server'
import { type Context, route } from '#sandbox/core/context.ts'
import { htmlAnswer } from '#sandbox/core/page-frame.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { stepOf } from '#sandbox/lender/core/find-step.ts'
import type { Form } from '#sandbox/lender/core/form.ts'
import { policyOf } from '#sandbox/lender/core/lender-policies.ts'
import { idOfLink, type LinkPurpose } from '#sandbox/lender/core/link-token.ts'
import type { LendingProduct, ProductPolicy } from '#sandbox/lender/core/product.ts'
import { conversationOf } from '#sandbox/lender/core/store.ts'
import { formPage } from '#sandbox/lender/forms/form-page.ts'
import { loanForms } from '#sandbox/lender/forms/loan-forms.ts'
import { storeSubmissionOf } from '#sandbox/lender/forms/store-submission.ts'
import { closedPage } from '#sandbox/lender/pages/page-frame.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'

const formOf = (name: 'profile' | keyof typeof loanForms, { profileForm }: LendingProduct): Form | null =>
  name === 'profile' ? profileForm : loanForms[name]

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
  summary: 'A form that a buyer app submits for its borrower',
  params,
  async handle({ params: { lender, form: name, token } }, ctx) {
    const link = await openLink(ctx, lender, name, token)
    if (!link) return closedPage(policyOf(lender))
    const { product } = link.policy
    const form = formOf(name, product)
    const presentation = form?.presentation(link.policy, link.conversation)
    if (!form || !presentation) return closedPage(link.policy)
    const { formId } = stepOf(product, link.conversation, form.heading)
    const action = `${ctx.url}/lenders/${lender}/forms/${name}/${token}`
    return htmlAnswer(
      formPage({
        policy: link.policy,
        title: form.title,
        formId,
        action,
        fields: form.fields,
        presentations: presentation,
      }),
    )
  },
})

export const submitForm = route({
  method: 'POST',
  path,
  section: 'FIS12 §7.7',
  summary: 'Stores a submitted form and returns its submission id',
  params,
  accepts: 'raw',
  async handle({ params: { lender, form: name, token }, raw, headers, at }, ctx) {
    const link = await openLink(ctx, lender, name, token)
    if (!link) return refused(404, [{ path: '', message: 'this link is not known' }])
    if (!/^application\/x-www-form-urlencoded\b/i.test(String(headers['content-type'])))
      return refused(415, [{ path: '', message: 'the form must be posted urlencoded' }])
    const posted = Object.fromEntries(new URLSearchParams(raw.toString('utf8')))
    const { product } = link.policy
    const form = formOf(name, product)
    if (!form) return refused(404, [{ path: '', message: 'this link is not known' }])
    try {
      const submission = form.parse(ctx, link.policy, posted)
      const { conversationId } = link.conversation
      const step = stepOf(product, link.conversation, form.heading)
      return {
        success: true,
        submission_id: await storeSubmissionOf(ctx, product, { conversationId, step, input: submission }, at),
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.kind === 'invalid') return refused(400, error.details.fields ?? [])
      return refused(409, [{ path: '', message: error.message }])
    }
  },
})

async function openLink(
  { db, seal }: Context,
  lender: string,
  purpose: LinkPurpose,
  token: string,
): Promise<{ policy: ProductPolicy; conversation: Conversation } | null> {
  const conversationId = idOfLink(seal, purpose, token)
  if (conversationId === null) return null
  const conversation = await conversationOf(db, conversationId)
  return conversation?.lender === lender ? { policy: policyFor(conversation), conversation } : null
}

const refused = (status: number, errors: { path: string; message: string }[]): Answer =>
  answer(status, { success: false, errors: errors.map(({ path: field, message }) => ({ field, message })) })
