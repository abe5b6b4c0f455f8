// Parts of the pages on which an officer compares two people or two names: a table that marks equal values, and the
// form for the decision.

import { Refusal } from '@lendloom/foundation/refusal'
import { type Html, html } from '@lendloom/http/markup'
import { toneBadge } from '#partner/desk/parts/format.ts'
import { readField, reasonIn } from '#partner/desk/parts/read-fields.ts'
import { type Cell, tableOf } from '#partner/desk/parts/table.ts'
import type { IdentityDecision } from '#partner/origination/case/dedupe-review/store.ts'
import type { NamesToCompare } from '#partner/servicing/collection/account-name/compare-account-name.ts'
import { compareTexts as texts } from './comparison-text-en.ts'

export interface ComparedField {
  label: string
  left: Cell
  right: Cell
  /** Null if only a person can compare the values. */
  isSame: boolean | null
}

/** Shows both values of each field, and whether they match. */
export const comparisonTable = (label: string, heads: [string, string], fields: ComparedField[]): Html =>
  tableOf(
    label,
    [texts.field, ...heads, { name: texts.match, phone: 'main' }],
    fields.map(({ label: name, left, right, isSame }) => [
      html`<strong>${name}</strong>`,
      left,
      right,
      isSame === null ? null : toneBadge(isSame ? 'good' : 'warn', isSame ? texts.same : texts.differs),
    ]),
    { empty: '' },
  )

/** The form as it was sent, which is shown again after a refusal. */
interface DecisionForm {
  decision: string
  reason: string
}

/** The card of a decision. */
export const decideCard = (...form: Parameters<typeof decideForm>): Html =>
  html`<section class="card todo"><h2>${texts.decide}</h2>${decideForm(...form)}</section>`

/** The form for a decision with a reason. A single choice is only confirmed. */
function decideForm(
  action: string,
  choices: { value: IdentityDecision; label: string; effect: string }[],
  input: DecisionForm,
  about?: Html,
): Html {
  const only = choices.length === 1 ? choices[0] : undefined
  return html`<form method="post" action="${action}">${about}
${
  only
    ? html`<p>${only.effect}</p><input type="hidden" name="decision" value="${only.value}">`
    : html`<fieldset><legend class="unseen">${texts.decision}</legend>${choices.map(
        ({ value, label, effect }) =>
          html`<label class="choice"><input type="radio" name="decision" value="${value}" required${input.decision === value && html` checked`}><span><strong>${label}</strong> <small>${effect}</small></span></label>`,
      )}</fieldset>`
}
<div class="fields"><label class="broad"><span>${texts.reason}</span><input name="reason" value="${input.reason}" maxlength="500" required></label></div>
<button class="primary">${only ? only.label : texts.decide}</button></form>`
}

/** Reads a decision with its reason. Throws `invalid` without them. */
export function readDecision(form: URLSearchParams): { decision: IdentityDecision; reason: string } {
  const { decision } = readDecisionForm(form)
  if (decision !== 'SAME' && decision !== 'DIFFERENT')
    throw new Refusal('invalid', 'choose a decision', { field: 'decision' })
  return { decision, reason: reasonIn(form) }
}

/** Reads the form as it was sent, valid or not. */
export const readDecisionForm = (form: URLSearchParams): DecisionForm => ({
  decision: form.get('decision') ?? '',
  reason: form.get('reason')?.trim() ?? '',
})
export const emptyDecision: DecisionForm = { decision: '', reason: '' }

/** Compares the names of the borrower and of the bank account, and asks whether they are of one person. */
export function namesForm({ borrower, registered, namesDigest }: NamesToCompare, action: string): Html {
  const { account } = texts
  const choices = (['SAME', 'DIFFERENT'] as const).map((value) => ({
    value,
    label: account[value],
    effect: account.effects[value],
  }))
  const fields = [{ label: texts.fields.name, left: borrower, right: registered, isSame: null }]
  const about = html`<input type="hidden" name="names" value="${namesDigest.toString('hex')}">`
  return html`<p>${account.why}</p>
${comparisonTable(account.title, [account.borrower, account.registered], fields)}${decideForm(action, choices, emptyDecision, about)}`
}

/** Reads the digest of the names on the officer's page, so that a decision about other names is refused. */
export const readNamesDigest = (form: URLSearchParams): Buffer =>
  Buffer.from(readField(form, 'names', /^(?:[0-9a-f]{2}){16,64}$/), 'hex')
