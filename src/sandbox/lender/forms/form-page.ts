// A form that a buyer app fills for the borrower: plain HTML that says by itself what each field takes (FIS12 §7.7).

import type { FieldSpec } from '#contract/network/form-fields.ts'
import { type Html, html } from '#kit/http/markup.ts'
import type { PageFrame } from '#kit/http/page-frame.ts'
import { required } from '#kit/runtime/required.ts'
import type { Shown } from '#sandbox/lender/core/form.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { framed } from '#sandbox/lender/pages/layout.ts'

export interface FormToShow {
  policy: Policy
  title: string
  formId: string
  /** Where it is posted. */
  action: string
  /** In the order of the page; a field without words is not asked for. */
  fields: Record<string, FieldSpec>
  shown: Record<string, Shown>
}

export const formPage = ({ policy, title, formId, action, fields, shown }: FormToShow): PageFrame =>
  framed({
    title,
    policy,
    body: html`<form method="POST" action="${action}">
<input type="hidden" name="formId" value="${formId}">
${Object.entries(shown).map(([name, words]) => control(name, required(fields[name], `field ${name} of the form`), words))}
<button class="primary" type="submit">Submit</button>
</form>`,
  })

function control(name: string, { type, required, options }: FieldSpec, words: Shown): Html {
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
