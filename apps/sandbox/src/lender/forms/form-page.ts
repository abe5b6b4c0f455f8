// The HTML that describes the fields of a form, which a buyer app submits for the borrower (FIS12 §7.7).

import { required } from '@lendloom/foundation/required'
import { type Html, html } from '@lendloom/http/markup'
import type { PageFrame } from '@lendloom/http/page-frame'
import type { FieldSpec } from '@lendloom/wire/network/form-fields'
import type { FieldPresentation } from '#sandbox/lender/core/form.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { framed } from '#sandbox/lender/pages/page-frame.ts'

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
