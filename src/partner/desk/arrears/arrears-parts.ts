// Work on the arrears of one case at the desk: its agent, promises to pay, contacts and reminders, with their forms.

import { type Html, html } from '#kit/http/markup.ts'
import { businessDate, businessMinute, plusDays } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { recordWithinDays } from '#partner/collection/arrears/contact.ts'
import { contactChannels, contactOutcomes } from '#partner/collection/arrears/store.ts'
import { mayContact } from '#partner/collection/hours.ts'
import type { Context } from '#partner/context.ts'
import type { CaseView } from '#partner/desk/cases/read-case.ts'
import { tableOf } from '#partner/desk/frame.ts'
import { asAmount, choice, type Faulty, fieldsOf } from '#partner/desk/parts/form-parts.ts'
import { day, inr, plain, when } from '#partner/desk/parts/format.ts'
import { can } from '#partner/desk/staff/staff-act.ts'
import type { Staff } from '#partner/desk-person.ts'
import {
  breachTexts,
  contactHours,
  noticeTexts,
  outcomes,
  outsideNow,
  promiseStates,
  reminderKind,
  ways,
} from './arrears-text-en.ts'

/** Shown where something is overdue, or was worked on before. */
export function arrearsPart(seen: CaseView, who: Staff, ctx: Context, faulty: Faulty | null): Html | false {
  const { account, arrears, loanCase } = seen
  const isOverdue = account?.loanStatus === 'OVERDUE'
  if (!isOverdue && arrears.promises.length + arrears.contacts.length + arrears.reminders.length === 0) return false
  const action = (name: string): string => `/desk/cases/${encodeURIComponent(loanCase.caseRef)}/${name}`
  return html`<section><h2>Arrears</h2>
${isOverdue && html`<div class="columns">${can(who, 'AGENT_ASSIGNED') && agentForm(seen, action('agent'))}${can(who, 'PROMISE_MADE') && promiseForm(seen, { action: action('promise'), today: businessDate(ctx.clock()), faulty })}${can(who, 'CONTACT_NOTED') && contactForm(seen, { action: action('contact'), at: ctx.clock(), faulty })}</div>`}
${arrears.promises.length > 0 && promises(seen)}
${arrears.contacts.length > 0 && contacts(seen, ctx)}
${arrears.reminders.length > 0 && reminders(seen)}</section>`
}

const agentForm = ({ arrears: { agentId, staff, notice } }: CaseView, action: string): Html =>
  html`<section class="card"><h2>Agent</h2>
<form method="post" action="${action}">${choice({ name: 'staffId', label: 'Assigned to', any: 'Nobody', options: staff.map(({ staffId, name }) => [staffId, name] as const), chosen: agentId })}
<label><input type="checkbox" name="sentByPost" value="yes"> I sent the borrower their name and contact details by letter</label>
<button class="secondary">Assign</button></form>
${agentId && !notice && html`<p>${noticeTexts.FAILED}</p>`}${notice && html`<p>${noticeTexts[notice.state]}${notice.settledAt && html` ${when(notice.settledAt)}${notice.answer === 'by post' && ', by post'}.`}</p>`}</section>`

interface PromiseForm {
  action: string
  today: string
  faulty: Faulty | null
}

function promiseForm({ arrears, account }: CaseView, { action, today, faulty }: PromiseForm): Html | false {
  if (arrears.promises.some(({ state }) => state === 'OPEN')) return false
  const field = fieldsOf('promise', faulty)
  const days = html`type="date" min="${today}" max="${plusDays(today, 60)}" required`
  return html`<section class="card"><h2>Promise to pay</h2>
<form method="post" action="${action}">${field({ name: 'amount', label: 'Amount, ₹', value: account ? rupees(account.soa.overduePaise) : '', more: asAmount })}
${field({ name: 'promisedOn', label: 'Until', value: plusDays(today, 1), more: days })}
<button class="secondary">Record the promise</button></form></section>`
}

interface ContactForm {
  action: string
  at: Date
  faulty: Faulty | null
}

function contactForm({ arrears: { policy } }: CaseView, { action, at, faulty }: ContactForm): Html {
  const last = faulty?.action === 'contact' ? faulty : null
  const field = fieldsOf('contact', faulty)
  const times = html`type="datetime-local" min="${businessMinute(daysAfter(at, -recordWithinDays))}" max="${businessMinute(at)}" required`
  return html`<section class="card"><h2>Contact</h2>
<p>${contactHours(policy.contactFromHour, policy.contactUntilHour)}${!mayContact(policy, at) && ` ${outsideNow}`}</p>
<form method="post" action="${action}">${choice({ name: 'way', label: 'How', options: contactChannels.map((each) => [each, ways[each]] as const), chosen: last?.form.get('way') ?? null })}
${field({ name: 'contactedAt', label: 'When', value: businessMinute(at), more: times })}
${choice({ name: 'outcome', label: 'Result', options: contactOutcomes.map((each) => [each, outcomes[each]] as const), chosen: last?.form.get('outcome') ?? null })}
${field({ name: 'note', label: 'Note', more: asNote, isBroad: true })}
${last?.field === 'wasMade' && html`<label><input type="checkbox" name="wasMade" value="yes"> The contact was made anyway: record it as a breach</label>`}
<button class="secondary">Record the contact</button></form></section>`
}
const asNote = html`maxlength="1000" required`

const promises = ({ arrears }: CaseView): Html =>
  tableOf(
    'Promises to pay',
    ['Promised until', { number: 'Amount' }, 'State', { number: 'Received' }, 'Recorded'],
    arrears.promises.map(({ promisedOn, amountPaise, state, receivedPaise, madeAt }) => {
      const [text, tone] = promiseStates[state]
      return [
        day(promisedOn),
        inr(amountPaise),
        html`<span class="badge ${tone}">${text}</span>`,
        receivedPaise === null ? null : inr(receivedPaise),
        when(madeAt),
      ]
    }),
    { empty: '' },
  )

const contacts = ({ arrears }: CaseView, { seal }: Context): Html =>
  tableOf(
    'Contacts',
    ['When', 'Who', 'How', 'Result', 'Note', 'Rule broken'],
    arrears.contacts.map((each) => [
      when(each.contactedAt),
      each.name,
      ways[each.way],
      outcomes[each.outcome],
      seal.open(each.textSealed, `contact_note ${each.noteId}`).toString('utf8'),
      each.breach && html`<span class="badge bad">${breachTexts[each.breach]}</span>`,
    ]),
    { empty: '' },
  )

const reminders = ({ arrears }: CaseView): Html =>
  tableOf(
    'Reminders',
    ['When', { number: 'Instalment' }, 'Kind', 'State'],
    arrears.reminders.map((each) => [when(each.queuedAt), each.number, reminderKind(each.kind), plain(each.state)]),
    { empty: '' },
  )
