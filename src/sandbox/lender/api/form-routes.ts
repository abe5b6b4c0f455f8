// GET and POST of the forms that a buyer app fills: the page, and the JSON answer with a submission id (FIS12 §7.7).
import { Refusal } from '#kit/http/refusal.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import { type Answer, answer } from '#kit/http/server.ts'
import { type Context, route } from '#sandbox/core/context.ts'
import { htmlAnswer } from '#sandbox/core/page.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { Form } from '#sandbox/lender/core/form.ts'
import { conversationOfLink, type Purpose } from '#sandbox/lender/core/link.ts'
import { policyOf } from '#sandbox/lender/core/policy.ts'
import type { LendingProduct, ProductPolicy } from '#sandbox/lender/core/product.ts'
import { stepOf } from '#sandbox/lender/core/steps.ts'
import { conversationOf } from '#sandbox/lender/core/store.ts'
import { fill, formPage } from '#sandbox/lender/forms/form-page.ts'
import { loanForms } from '#sandbox/lender/forms/loan-forms.ts'
import { closedPage } from '#sandbox/lender/pages/layout.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'

/** Each product asks the applicant other questions. */
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
  summary: 'A form that a buyer app fills for its borrower',
  params,
  async handle({ params: { lender, form: name, token } }, ctx) {
    const found = await opened(ctx, lender, name, token)
    if (!found) return closedPage(policyOf(lender))
    const { product } = found.policy
    const form = formOf(name, product)
    const shown = form?.shown(found.policy, found.conversation)
    if (!form || !shown) return closedPage(found.policy)
    const { formId } = stepOf(product, found.conversation, form.heading)
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
    const found = await opened(ctx, lender, name, token)
    if (!found) return refused(404, [{ path: '', message: 'this link is not known' }])
    if (!/^application\/x-www-form-urlencoded\b/i.test(String(headers['content-type'])))
      return refused(415, [{ path: '', message: 'the form is posted urlencoded' }])
    const posted = Object.fromEntries(new URLSearchParams(raw.toString('utf8')))
    const { product } = found.policy
    const form = formOf(name, product)
    if (!form) return refused(404, [{ path: '', message: 'this link is not known' }])
    try {
      const filling = form.filling(ctx, found.policy, posted)
      const { conversationId } = found.conversation
      const step = stepOf(product, found.conversation, form.heading)
      return {
        success: true,
        submission_id: await fill(ctx, product, { conversationId, step, filling }, at),
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
): Promise<{ policy: ProductPolicy; conversation: Conversation } | null> {
  const conversationId = conversationOfLink(seal, purpose, token)
  if (conversationId === null) return null
  const conversation = await conversationOf(db, conversationId)
  return conversation?.lender === lender ? { policy: policyFor(conversation), conversation } : null
}

const refused = (status: number, errors: { path: string; message: string }[]): Answer =>
  answer(status, { success: false, errors: errors.map(({ path: field, message }) => ({ field, message })) })
