// The arrears section of a case page: the agent, promises to pay, contacts and reminders, with the forms for them.

import { type Html, html } from '@lendloom/http/markup'
import type { Context } from '#partner/context.ts'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { factList } from '#partner/desk/parts/facts.ts'
import { formatDay, formatTime, inr, labelOf, toneBadge } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import {
  breachTexts,
  channelNames,
  noticeTexts,
  outcomeNames,
  promiseStates,
  reminderKind,
  unassigned,
} from './arrears-text-en.ts'

/** Whether a case page has the section: the loan is overdue, or has promises or contacts. */
const isInArrears = ({ account, arrears }: CaseView): boolean =>
  account?.loanStatus === 'OVERDUE' || arrears.promises.length + arrears.contacts.length > 0

/** Returns the section; for a loan that never was in arrears, only its reminders. */
export function arrearsPart(view: CaseView, ctx: Context): Html | false {
  const { arrears } = view
  const reminders =
    arrears.reminders.length > 0 &&
    html`<details class="part" id="reminders"><summary>Reminders <small>${arrears.reminders.length}</small></summary>${remindersTable(view)}</details>`
  if (!isInArrears(view)) return reminders
  return html`<section id="arrears"><h2>Arrears</h2>
${agentPart(view)}
${arrears.promises.length > 0 && html`<h3>Promises to pay</h3>${promisesTable(view)}`}
${arrears.contacts.length > 0 && html`<h3>Contacts</h3>${contactsTable(view, ctx)}`}
${reminders}</section>`
}

/** Who collects, whether the borrower knows the agent, and what has not been tried yet. */
function agentPart({ account, arrears }: CaseView): Html | false {
  const { agentId, staff, notice } = arrears
  if (account?.loanStatus !== 'OVERDUE') return false
  const agent = staff.find(({ staffId }) => staffId === agentId)
  const noticeText =
    notice &&
    html`${noticeTexts[notice.state]}${notice.settledAt && html` ${formatTime(notice.settledAt)}${notice.answer === 'by post' && ', by post'}.`}`
  return html`<div class="card narrow">${factList([
    ['Agent', html`<strong>${agent ? agent.name : unassigned}</strong>`],
    ['Introduction', noticeText ?? (agentId && noticeTexts.FAILED)],
    ['Promises to pay', arrears.promises.length === 0 ? 'none yet' : null],
    ['Contacts', arrears.contacts.length === 0 ? 'none yet' : null],
  ])}</div>`
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
