// Two records side by side, with equal values marked, and the decision form.

import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { IdentityDecision } from '#partner/case/identity/store.ts'
import type { NamesToCompare } from '#partner/collection/account-name/judge.ts'
import { type Cell, tableOf } from '#partner/desk/frame.ts'
import { reasonIn } from '#partner/desk/parts/form-fields.ts'
import { compareTexts as texts } from './compare-text-en.ts'

export interface ComparedField {
  label: string
  one: Cell
  other: Cell
  /** Null where the two are not compared by the letter. */
  isSame: boolean | null
}

export const comparison = (label: string, heads: [string, string], fields: ComparedField[]): Html =>
  tableOf(
    label,
    [texts.field, ...heads, texts.match],
    fields.map(({ label: name, one, other, isSame }) => [
      html`<strong>${name}</strong>`,
      one,
      other,
      isSame === null
        ? null
        : html`<span class="badge ${isSame ? 'good' : 'warn'}">${isSame ? texts.same : texts.differs}</span>`,
    ]),
    { empty: '' },
  )

interface DecisionForm {
  decision: string
  reason: string
}

/** Each decision with what follows from it; what was typed stays. */
export const decideForm = (
  action: string,
  choices: { value: IdentityDecision; label: string; follows: string }[],
  typed: DecisionForm,
): Html => html`<section class="card todo"><h2>${texts.decide}</h2><form method="post" action="${action}">
<fieldset><legend class="unseen">${texts.decision}</legend>${choices.map(
  ({ value, label, follows }) =>
    html`<label class="choice"><input type="radio" name="decision" value="${value}" required${typed.decision === value && html` checked`}><span><strong>${label}</strong> <small>${follows}</small></span></label>`,
)}</fieldset>
<div class="fields"><label class="broad"><span>${texts.reason}</span><input name="reason" value="${typed.reason}" maxlength="500" required></label></div>
<button class="primary">${texts.decide}</button></form></section>`

/** The content of a form; refused as `invalid` when a value is missing. */
export function decisionIn(form: URLSearchParams): { decision: IdentityDecision; reason: string } {
  const { decision } = typedIn(form)
  if (decision !== 'SAME' && decision !== 'DIFFERENT')
    throw new Refusal('invalid', 'choose a decision', { field: 'decision' })
  return { decision, reason: reasonIn(form) }
}

export const typedIn = (form: URLSearchParams): DecisionForm => ({
  decision: form.get('decision') ?? '',
  reason: form.get('reason')?.trim() ?? '',
})
export const nothingTyped: DecisionForm = { decision: '', reason: '' }

/** The borrower's name beside the account owner's, and the decision. */
export function namesForm({ borrower, registered }: NamesToCompare, action: string): Html {
  const { account } = texts
  const choices = (['SAME', 'DIFFERENT'] as const).map((value) => ({
    ...{ value, label: account[value], follows: account.follows[value] },
  }))
  const fields = [{ label: texts.fields.name, one: borrower, other: registered, isSame: null }]
  return html`<section><h2>${account.title}</h2><p>${account.why}</p>
${comparison(account.title, [account.borrower, account.registered], fields)}</section>${decideForm(action, choices, nothingTyped)}`
}
