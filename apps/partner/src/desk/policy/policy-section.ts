// The sections of the policy page, each with a form to propose a change.

import { type Html, html } from '@lendloom/http/markup'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { daysToDecide } from '#partner/desk/approval/four-eyes.ts'
import { fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { policyTexts as texts } from './text-en.ts'

export const policyPath = '/desk/policy'

interface ProposalForm {
  /** The last segment of the path to which the form is sent. */
  action: string
  at: Date
  refusedForm: RefusedForm | null
  fields: Html
  /** False for a change that takes effect when confirmed. */
  hasStartDay?: false
}

/** Renders a form to propose a change; it is collapsed, unless the proposal was just refused. */
export function proposalForm({ action, at, refusedForm, fields, hasStartDay }: ProposalForm): Html {
  const field = fieldRenderer(action, refusedForm)
  const tomorrow = plusDays(businessDate(at), 1)
  const startDay = field({
    name: 'from',
    label: texts.from,
    value: plusDays(businessDate(at), daysToDecide),
    limits: { min: tomorrow },
  })
  return html`<details class="card todo"${refusedForm?.action === action && html` open`}><summary>${texts.propose}</summary>
<form method="post" action="${policyPath}/${action}">${fields}
<div class="settings">${hasStartDay ?? startDay}${field({ name: 'reason', label: texts.reason, attributes: reasonAttributes, isWide: true })}</div>
<button class="primary">${texts.button}</button></form></details>`
}

interface PolicySection {
  id: string
  title: string
  phoneSummary: string
  body: Html
  isOpen?: boolean
}

export const policySection = ({ id, title, phoneSummary, body, isOpen }: PolicySection): Html =>
  html`<details class="part phone-only"${isOpen && html` open`}><summary>${title} <small>${phoneSummary}</small></summary><section id="${id}"><h2>${title}</h2>${body}</section></details>`

/** Returns the head of a column of values: "In force", or from which day they will be. */
export const effectiveText = (fromOn: string, at: Date): string =>
  fromOn > businessDate(at) ? `${texts.inForceFrom} ${fromOn}` : texts.inForce

export interface SectionContext {
  at: Date
  mayPropose: boolean
  refusedForm: RefusedForm | null
}
