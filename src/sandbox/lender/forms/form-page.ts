// A form that a buyer app fills for the borrower: HTML that describes each field; a submission is stored once (FIS12
// §7.7).
import type { AnswersTo, amountFields, FieldSpec } from '#contract/network/forms.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { type Html, html } from '#kit/http/markup.ts'
import type { PageFrame } from '#kit/http/page-frame.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { parse, Type } from '#kit/http/schema.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import type { Context } from '#sandbox/core/context.ts'
import { hasLapsed, nextStatus } from '#sandbox/lender/core/conversation.ts'
import type { LoanRequest } from '#sandbox/lender/core/decide.ts'
import type { FieldPresentation, FormInput } from '#sandbox/lender/core/form.ts'
import type { LenderPolicy } from '#sandbox/lender/core/policy.ts'
import type { LendingProduct } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { statusOfOpenForm } from '#sandbox/lender/core/steps.ts'
import { lockConversation, storeSubmission, submissionOf, writeConversation } from '#sandbox/lender/core/store.ts'
import { framed } from '#sandbox/lender/pages/layout.ts'
import { rupeesIn } from './profile-fields.ts'

interface FormView {
  policy: LenderPolicy
  title: string
  formId: string
  /** Where it is posted. */
  action: string
  /** In the order of the page; a field without words is not asked for. */
  fields: Record<string, FieldSpec>
  shown: Record<string, FieldPresentation>
}

export const formPage = ({ policy, title, formId, action, fields, shown }: FormView): PageFrame =>
  framed({
    title,
    policy,
    body: html`<form method="POST" action="${action}">
<input type="hidden" name="formId" value="${formId}">
${Object.entries(shown).map(([name, words]) => control(name, required(fields[name], `field ${name} of the form`), words))}
<button class="primary" type="submit">Submit</button>
</form>`,
  })

function control(name: string, { type, required, options }: FieldSpec, words: FieldPresentation): Html {
  const must = required && html` required`
  if (type === 'checkbox')
    return html`<label class="check"><input type="checkbox" name="${name}" value="true"${must}>${words.label}</label>`
  const hint = words.hint && html` <small>${words.hint}</small>`
  if (options)
    return html`<label>${words.label}${hint}<select name="${name}"${must}><option value="">Choose</option>${options.map(
      (option) => html`<option value="${option}">${option}</option>`,
    )}</select></label>`
  const limits = [
    words.value !== undefined && html` value="${words.value}"`,
    words.min !== undefined && html` min="${words.min}"`,
    words.max !== undefined && html` max="${words.max}"`,
    words.step !== undefined && html` step="${words.step}"`,
    words.pattern !== undefined && html` pattern="${words.pattern}"`,
  ]
  return html`<label>${words.label}${hint}<input type="${type}" name="${name}"${must}${limits}></label>`
}

/** The step whose form was filled in, and with what. */
interface FilledStep {
  conversationId: string
  step: LenderStep
  filling: FormInput
}

/**
 * Stores a submission and returns its id. The same content returns the same id, unless the form was reopened because
 * its data could not be verified. Throws a `Refusal` before and after the form's turn.
 */
export function fill(
  ctx: Context,
  product: LendingProduct,
  { conversationId, step, filling: { content, facts, store: keep } }: FilledStep,
  at: Date,
): Promise<string> {
  const digest = ctx.seal.digest(JSON.stringify(content), `submission ${step.heading}`)
  return ctx.db.tx(async (tx) => {
    const conversation = await lockConversation(tx, conversationId)
    const last = await submissionOf(tx, conversationId, step.heading)
    if (last?.digest?.equals(digest) && conversation.status !== statusOfOpenForm(product, conversation, step))
      return last.submissionId
    const status = nextStatus(product, conversation, step.completionMove)
    if (status === undefined) throw new Refusal('wrong-state', 'this form is not open now')
    if (hasLapsed(product, conversation, at)) throw new Refusal('wrong-state', 'the offer has lapsed')
    const fixed = facts(conversation)
    const submissionId = uuidv4()
    const attempt = (last?.attempt ?? 0) + 1
    const { heading } = step
    await storeSubmission(tx, {
      conversationId,
      heading,
      submissionId,
      digest,
      outcome: 'SUCCESS',
      attempt,
      submittedAt: at,
    })
    await keep?.(tx, conversationId)
    await writeConversation(tx, conversation, { ...fixed, status }, at)
    return submissionId
  })
}

const Choice = Type.Object({
  requestAmount: Type.String({
    pattern: '^\\s*\\d{1,9}(?:\\.\\d{1,2})?\\s*$',
    'x-says': 'must be an amount of rupees',
  }),
  requestTerm: Type.String({ pattern: '^\\s*\\d{1,3}(?:\\s*months?)?\\s*$', 'x-says': 'must be a number of months' }),
})

/** The amount form: what the borrower wants of what was offered (FIS12 §8.1, F2). */
export const amountShown = (
  { amounts, tenuresMonths }: LenderPolicy,
  offered: LoanRequest,
): Record<string, FieldPresentation> => ({
  requestAmount: {
    label: 'Amount',
    hint: 'in rupees',
    min: wholeRupees(amounts.from),
    max: wholeRupees(offered.principal),
    value: wholeRupees(offered.principal),
  },
  requestTerm: {
    label: 'Term',
    hint: 'in months',
    min: String(tenuresMonths[0]),
    max: String(offered.months),
    value: String(offered.months),
  },
})

const wholeRupees = (amount: Paise): string => rupees(amount).slice(0, -3)

/** The choice as it was posted. Throws a `Refusal` of kind `invalid`; whether it is within the offer is not asked here. */
export function choiceFrom(posted: AnswersTo<typeof amountFields>): { principal: Paise; months: number } {
  const { requestAmount, requestTerm } = parse(Choice, posted)
  return { principal: rupeesIn(requestAmount), months: Number.parseInt(requestTerm, 10) }
}
