// The forms about arrears: assign an agent, record a promise to pay or a contact.

import { daysAfter } from '@lendloom/foundation/clock'
import { type Html, html } from '@lendloom/http/markup'
import { businessMinute, plusDays } from '@lendloom/lending/calendar'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { amountAttributes, fieldRenderer, type RefusedForm, selectField } from '#partner/desk/parts/form-parts.ts'
import { amountValue } from '#partner/desk/parts/format.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { maxPromiseDays } from '#partner/servicing/collection/arrears/promise.ts'
import { recordWithinDays } from '#partner/servicing/collection/arrears/record-contact.ts'
import { contactChannels, contactOutcomes } from '#partner/servicing/collection/arrears/store.ts'
import { mayContact } from '#partner/servicing/collection/collection-calendar.ts'
import {
  channelNames,
  chooseChannel,
  chooseOutcome,
  contactHours,
  noteLabel,
  outcomeNames,
  outsideHours,
} from './arrears-text-en.ts'
import { assignmentValue } from './seen-agents.ts'

/** The form that assigns the agent who contacts the borrower. */
export const agentForm = ({ loanCase: { caseRef }, arrears: { agentId, staff } }: CaseView, action: string): Html =>
  html`<form method="post" action="${action}"><input type="hidden" name="case" value="${assignmentValue({ caseRef, agentId })}">${selectField({ name: 'staffId', label: 'Assigned to', emptyOption: 'Unassigned', options: staff.filter((each) => each.staffId === agentId || can(each, 'CONTACT_NOTED')).map(({ staffId, name }) => [staffId, name] as const), chosen: agentId })}
<label><input type="checkbox" name="sentByPost" value="yes"> <span>I sent the borrower the agent’s name and contact details by letter</span></label>
<button class="primary">Assign</button></form>`

interface PromiseForm {
  action: string
  today: string
  refusedForm: RefusedForm | null
}

export const hasOpenPromise = ({ arrears }: Pick<CaseView, 'arrears'>): boolean =>
  arrears.promises.some(({ state }) => state === 'OPEN')

export function promiseForm({ account }: CaseView, { action, today, refusedForm }: PromiseForm): Html {
  const field = fieldRenderer('promise', refusedForm)
  return html`<form method="post" action="${action}"><div class="fields">${field({ name: 'amount', label: 'Amount, ₹', value: account ? amountValue(account.soa.overduePaise) : '', attributes: amountAttributes })}
${field({ name: 'promisedOn', label: 'Promised by', value: plusDays(today, 1), limits: { min: today, max: plusDays(today, maxPromiseDays) } })}</div>
<button class="primary">Record the promise</button></form>`
}

interface ContactForm {
  action: string
  at: Date
  refusedForm: RefusedForm | null
}

/** The form for a contact. Outside the hours in which borrowers may be contacted, it warns and suggests no time. */
export function contactForm({ arrears: { policy } }: CaseView, { action, at, refusedForm }: ContactForm): Html {
  const submitted = refusedForm?.action === 'contact' ? refusedForm : null
  const field = fieldRenderer('contact', refusedForm)
  const { contactFromHour: from, contactUntilHour: until } = policy
  const isAllowed = mayContact(policy, at)
  const now = businessMinute(at)
  const earliest = daysAfter(at, -recordWithinDays)
  const timeAttributes = html`type="datetime-local" min="${businessMinute(earliest)}" max="${now}" required`
  return html`${isAllowed ? html`<p>${contactHours(from, until)}</p>` : html`<p class="notice warn">${outsideHours(now.slice(11, 13) < String(from).padStart(2, '0') ? 'today' : 'tomorrow', from)}</p>`}
<form method="post" action="${action}"><div class="fields">${selectField({ name: 'way', label: 'How', options: contactChannels.map((each) => [each, channelNames[each]] as const), chosen: submitted?.form.get('way') ?? null, emptyOption: chooseChannel, isRequired: true })}
${field({ name: 'contactedAt', label: 'When', hint: `At most ${recordWithinDays} days ago`, value: isAllowed ? now : '', attributes: timeAttributes })}
${selectField({ name: 'outcome', label: 'Result', options: contactOutcomes.map((each) => [each, outcomeNames[each]] as const), chosen: submitted?.form.get('outcome') ?? null, emptyOption: chooseOutcome, isRequired: true })}
${field({ name: 'note', label: noteLabel, attributes: html`maxlength="1000"`, isWide: true })}</div>
${submitted?.field === 'wasMade' && html`<label><input type="checkbox" name="wasMade" value="yes"> The contact was made anyway: record it as a breach</label>`}
<button class="${isAllowed ? 'primary' : 'secondary'}">Record the contact</button></form>`
}
