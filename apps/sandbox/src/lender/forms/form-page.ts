// A form that a buyer app submits for the borrower: the HTML that describes its fields, and storing a submission (FIS12
// §7.7).

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { parse, Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import type { PageFrame } from '@lendloom/http/page-frame'
import { type Paise, rupees } from '@lendloom/lending/money'
import { uuidv4 } from '@lendloom/seal/id'
import type { AnswersTo, amountFields, FieldSpec } from '@lendloom/wire/network/form-fields'
import type { Context } from '#sandbox/core/context.ts'
import { hasLapsed, nextStatus } from '#sandbox/lender/core/conversation.ts'
import { statusOfOpenForm } from '#sandbox/lender/core/find-step.ts'
import type { FieldPresentation, FormInput } from '#sandbox/lender/core/form.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import type { LoanRequest } from '#sandbox/lender/core/lending-decision.ts'
import type { LendingProduct } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { lockConversation, storeSubmission, submissionOf, writeConversation } from '#sandbox/lender/core/store.ts'
import { framed } from '#sandbox/lender/pages/page-frame.ts'
import { rupeesIn } from './profile-fields.ts'

interface FormView {
  policy: LenderPolicy
  title: string
  formId: string
  action: string
  /** Field specifications; only fields with a presentation are rendered. */
  fields: Record<string, FieldSpec>
  presentations: Record<string, FieldPresentation>
}

export const formPage = ({ policy, title, formId, action, fields, presentations }: FormView): PageFrame =>
  framed({
    title,
    policy,
    body: html`<form method="POST" action="${action}">
<input type="hidden" name="formId" value="${formId}">
${Object.entries(presentations).map(([name, presentation]) => control(name, required(fields[name], `field ${name} of the form`), presentation))}
<button class="primary" type="submit">Submit</button>
</form>`,
  })

function control(name: string, { type, required, options }: FieldSpec, presentation: FieldPresentation): Html {
  const requiredAttribute = required && html` required`
  if (type === 'checkbox')
    return html`<label class="check"><input type="checkbox" name="${name}" value="true"${requiredAttribute}>${presentation.label}</label>`
  const hint = presentation.hint && html` <small>${presentation.hint}</small>`
  if (options)
    return html`<label>${presentation.label}${hint}<select name="${name}"${requiredAttribute}><option value="">Choose</option>${options.map(
      (option) => html`<option value="${option}">${option}</option>`,
    )}</select></label>`
  const limits = [
    presentation.value !== undefined && html` value="${presentation.value}"`,
    presentation.min !== undefined && html` min="${presentation.min}"`,
    presentation.max !== undefined && html` max="${presentation.max}"`,
    presentation.step !== undefined && html` step="${presentation.step}"`,
    presentation.pattern !== undefined && html` pattern="${presentation.pattern}"`,
  ]
  return html`<label>${presentation.label}${hint}<input type="${type}" name="${name}"${requiredAttribute}${limits}></label>`
}

interface StepInput {
  conversationId: string
  step: LenderStep
  input: FormInput
}

/**
 * Stores a submission and returns its id. The same content returns the same id, unless the form was reopened because
 * its data could not be verified. Throws a `Refusal` if this step is not the current one.
 */
export function storeSubmissionOf(
  ctx: Context,
  product: LendingProduct,
  { conversationId, step, input: { content, facts: changesOf, store } }: StepInput,
  at: Date,
): Promise<string> {
  const digest = ctx.seal.digest(JSON.stringify(content), `submission ${step.heading}`)
  return ctx.db.tx(async (tx) => {
    const conversation = await lockConversation(tx, conversationId)
    const previous = await submissionOf(tx, conversationId, step.heading)
    if (previous?.digest?.equals(digest) && conversation.status !== statusOfOpenForm(product, conversation, step))
      return previous.submissionId
    const status = nextStatus(product, conversation, step.completionMove)
    if (status === undefined) throw new Refusal('wrong-state', 'this form is not open now')
    if (hasLapsed(product, conversation, at)) throw new Refusal('wrong-state', 'the offer has lapsed')
    const changes = changesOf(conversation)
    const submissionId = uuidv4()
    const attempt = (previous?.attempt ?? 0) + 1
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
    await store?.(tx, conversationId)
    await writeConversation(tx, conversation, { ...changes, status }, at)
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

/** The fields of the amount form: amount and term within the offer (FIS12 §8.1, F2). */
export const amountPresentation = (
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

/** Parses the posted choice. Throws `invalid`. Does not check the limits of the offer. */
export function choiceFrom(posted: AnswersTo<typeof amountFields>): { principal: Paise; months: number } {
  const { requestAmount, requestTerm } = parse(Choice, posted)
  return { principal: rupeesIn(requestAmount), months: Number.parseInt(requestTerm, 10) }
}
