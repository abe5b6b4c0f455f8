// The arrears section of a case page: the agent, promises to pay, contacts and reminders, with the forms for them.

import { daysAfter } from '@lendloom/foundation/clock'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate, businessMinute, plusDays } from '@lendloom/lending/calendar'
import type { Context } from '#partner/context.ts'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { amountAttributes, fieldRenderer, type RefusedForm, selectField } from '#partner/desk/parts/form-parts.ts'
import { amountValue, formatDay, formatTime, inr, labelOf, toneBadge } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import { maxPromiseDays } from '#partner/servicing/collection/arrears/promise.ts'
import { recordWithinDays } from '#partner/servicing/collection/arrears/record-contact.ts'
import { contactChannels, contactOutcomes } from '#partner/servicing/collection/arrears/store.ts'
import { mayContact } from '#partner/servicing/collection/collection-calendar.ts'
import {
  breachTexts,
  channelNames,
  chooseChannel,
  chooseOutcome,
  contactHours,
  noteLabel,
  noticeTexts,
  outcomeNames,
  outsideHours,
  promiseStates,
  reminderKind,
} from './arrears-text-en.ts'
import { assignmentValue } from './seen-agents.ts'
import { caseAddress } from './worklist.ts'

/** Whether a case page has the section: the loan is overdue, or has promises or contacts. */
export const isInArrears = ({ account, arrears }: CaseView): boolean =>
  account?.loanStatus === 'OVERDUE' || arrears.promises.length + arrears.contacts.length > 0

/**
 * Returns the section; for a loan that never was in arrears, only its reminders. Forms are shown to staff who may use
 * them.
 */
export function arrearsPart(view: CaseView, who: Staff, ctx: Context, refusedForm: RefusedForm | null): Html | false {
  const { account, arrears, loanCase } = view
  const isOverdue = account?.loanStatus === 'OVERDUE'
  const reminders =
    arrears.reminders.length > 0 &&
    html`<details class="part" id="reminders"><summary>Reminders <small>${arrears.reminders.length}</small></summary>${remindersTable(view)}</details>`
  if (!isInArrears(view)) return reminders
  const action = (name: string): string => caseAddress(loanCase.caseRef, view.worklist?.place, `/${name}`)
  return html`<section id="arrears"><h2>Arrears</h2>
${isOverdue && html`<div class="acts">${can(who, 'CONTACT_NOTED') && contactForm(view, { action: action('contact'), at: ctx.clock(), refusedForm })}${can(who, 'PROMISE_MADE') && promiseForm(view, { action: action('promise'), today: businessDate(ctx.clock()), refusedForm })}${can(who, 'AGENT_ASSIGNED') && agentForm(view, action('agent'))}</div>`}
${arrears.promises.length > 0 && html`<h3>Promises to pay</h3>${promisesTable(view)}`}
${arrears.contacts.length > 0 && html`<h3>Contacts</h3>${contactsTable(view, ctx)}`}
${reminders}</section>`
}

const agentForm = ({ loanCase: { caseRef }, arrears: { agentId, staff, notice } }: CaseView, action: string): Html =>
  html`<section class="card" id="agent"><h2>Agent</h2>
<form method="post" action="${action}"><input type="hidden" name="case" value="${assignmentValue({ caseRef, agentId })}">${selectField({ name: 'staffId', label: 'Assigned to', emptyOption: 'Unassigned', options: staff.filter((each) => each.staffId === agentId || can(each, 'CONTACT_NOTED')).map(({ staffId, name }) => [staffId, name] as const), chosen: agentId })}
<label><input type="checkbox" name="sentByPost" value="yes"> <span>I sent the borrower the agent’s name and contact details by letter</span></label>
<button class="secondary">Assign</button></form>
${agentId && !notice && html`<p>${noticeTexts.FAILED}</p>`}${notice && html`<p>${noticeTexts[notice.state]}${notice.settledAt && html` ${formatTime(notice.settledAt)}${notice.answer === 'by post' && ', by post'}.`}</p>`}</section>`

interface PromiseForm {
  action: string
  today: string
  refusedForm: RefusedForm | null
}

/** The form for a promise, unless one is open. */
function promiseForm({ arrears, account }: CaseView, { action, today, refusedForm }: PromiseForm): Html | false {
  if (arrears.promises.some(({ state }) => state === 'OPEN')) return false
  const field = fieldRenderer('promise', refusedForm)
  return html`<section class="card" id="promise"><h2>Promise to pay</h2>
<form method="post" action="${action}">${field({ name: 'amount', label: 'Amount, ₹', value: account ? amountValue(account.soa.overduePaise) : '', attributes: amountAttributes })}
${field({ name: 'promisedOn', label: 'Promised by', value: plusDays(today, 1), limits: { min: today, max: plusDays(today, maxPromiseDays) } })}
<button class="secondary">Record the promise</button></form></section>`
}

interface ContactForm {
  action: string
  at: Date
  refusedForm: RefusedForm | null
}

/** The form for a contact. Outside the hours in which borrowers may be contacted, it warns and suggests no time. */
function contactForm({ arrears: { policy } }: CaseView, { action, at, refusedForm }: ContactForm): Html {
  const submitted = refusedForm?.action === 'contact' ? refusedForm : null
  const field = fieldRenderer('contact', refusedForm)
  const { contactFromHour: from, contactUntilHour: until } = policy
  const isAllowed = mayContact(policy, at)
  const now = businessMinute(at)
  const earliest = daysAfter(at, -recordWithinDays)
  const timeAttributes = html`type="datetime-local" min="${businessMinute(earliest)}" max="${now}" required`
  return html`<section class="card" id="contact"><h2>Record a contact</h2>
${isAllowed ? html`<p>${contactHours(from, until)}</p>` : html`<p class="notice warn">${outsideHours(now.slice(11, 13) < String(from).padStart(2, '0') ? 'today' : 'tomorrow', from)}</p>`}
<form method="post" action="${action}">${selectField({ name: 'way', label: 'How', options: contactChannels.map((each) => [each, channelNames[each]] as const), chosen: submitted?.form.get('way') ?? null, emptyOption: chooseChannel, isRequired: true })}
${field({ name: 'contactedAt', label: 'When', hint: `At most ${recordWithinDays} days ago`, value: isAllowed ? now : '', attributes: timeAttributes })}
${selectField({ name: 'outcome', label: 'Result', options: contactOutcomes.map((each) => [each, outcomeNames[each]] as const), chosen: submitted?.form.get('outcome') ?? null, emptyOption: chooseOutcome, isRequired: true })}
${field({ name: 'note', label: noteLabel, attributes: html`maxlength="1000"`, isWide: true })}
${submitted?.field === 'wasMade' && html`<label><input type="checkbox" name="wasMade" value="yes"> The contact was made anyway: record it as a breach</label>`}
<button class="${isAllowed ? 'primary' : 'secondary'}">Record the contact</button></form></section>`
}

const promisesTable = ({ arrears }: CaseView): Html =>
  tableOf(
    'Promises to pay',
    ['Promised by', { number: 'Amount' }, 'State', { number: 'Received' }, 'Recorded'],
    arrears.promises.map(({ promisedOn, amountPaise, state, receivedPaise, madeAt }) => {
      const [text, tone] = promiseStates[state]
      return [
        formatDay(promisedOn),
        inr(amountPaise),
        toneBadge(tone, text),
        receivedPaise === null ? null : inr(receivedPaise),
        formatTime(madeAt),
      ]
    }),
    { empty: '' },
  )

const contactsTable = ({ arrears }: CaseView, { seal }: Context): Html =>
  tableOf(
    'Contacts',
    ['When', 'Who', 'How', 'Result', 'Note', 'Rule broken'],
    arrears.contacts.map((each) => [
      formatTime(each.contactedAt),
      each.name,
      channelNames[each.way],
      outcomeNames[each.outcome],
      seal.open(each.textSealed, `contact_note ${each.noteId}`).toString('utf8'),
      each.breach && toneBadge('bad', breachTexts[each.breach]),
    ]),
    { empty: '' },
  )

const remindersTable = ({ arrears }: CaseView): Html =>
  tableOf(
    'Reminders',
    ['When', { number: 'Instalment' }, 'Kind', 'State'],
    arrears.reminders.map((each) => [
      formatTime(each.queuedAt),
      each.number,
      reminderKind(each.kind),
      labelOf(each.state),
    ]),
    { empty: '' },
  )
