// The work queues of the start page: first those that the person may work on, then those of others.

import { arrowRight, check } from '@lendloom/design/icons'
import { type Html, html, icon } from '@lendloom/http/markup'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import { compareTexts } from '#partner/desk/cases/comparison-text-en.ts'
import { monthsToClose } from '#partner/desk/month-end/store.ts'
import { monthEndTexts } from '#partner/desk/month-end/text-en.ts'
import { ageOf, countText, formatDay, monthText } from '#partner/desk/parts/format.ts'
import { policyTexts } from '#partner/desk/policy/text-en.ts'
import { type Act, can } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import { countRefundsDue } from '#partner/servicing/collection/transfer/store.ts'
import { monthEndBefore } from '#partner/servicing/loan/month/month-end.ts'
import { type CaseQueue, caseQueueNames, caseQueues } from './case-queues.ts'
import { countOtherQueues, countQueuedCases, type QueueLength } from './store.ts'
import { isLate, type QueueName } from './waiting-time.ts'

interface QueueRow extends QueueLength {
  name: QueueName
  label: string
  href: string
  /** The acts with which a person works on the queue. Null for a queue that is only for information. */
  acts: Act[] | null
}

/** The pages of queues that are not a list of cases. */
const queueAddresses: Partial<Record<CaseQueue, string>> = {
  hold: '/desk/money',
  claim: '/desk/money',
  overdue: '/desk/collections',
}

const caseQueueActs: Record<CaseQueue, Act[]> = {
  review: ['OFFERED', 'REJECTED'],
  kyc: ['KYC_REVIEWED'],
  transfer: ['TRANSFER_ORDERED'],
  name: ['NAMES_COMPARED'],
  disburse: ['TRANSFER_ORDERED'],
  hold: ['HOLD_RELEASED'],
  overdue: ['CONTACT_NOTED'],
  exit: ['COOLING_OFF_EXIT', 'RECEIPT_POSTED'],
  cancelling: ['COOLING_OFF_EXIT'],
  claim: ['RECEIPT_POSTED'],
}

/** Reads all queues that the person may see. Those of admins and accountants are shown only to them. */
export async function readQueues(db: Run, who: Staff, at: Date): Promise<QueueRow[]> {
  const [cases, others, refunds, openMonths] = await Promise.all([
    Promise.all(caseQueueNames.map(async (name) => ({ name, length: await countQueuedCases(db, name) }))),
    countOtherQueues(db, who, at),
    countRefundsDue(db),
    monthsToClose(db, monthEndBefore(businessDate(at)), at),
  ])
  const [oldestMonth] = openMonths
  const monthEnd = '/desk/books/month-end'
  const queues: QueueRow[] = [
    {
      name: 'duplicates',
      label: compareTexts.duplicates.list,
      href: '/desk/duplicates',
      acts: ['IDENTITY_DECIDED'],
      ...others.duplicates,
    },
    ...cases.map(({ name, length }) => ({
      name,
      label: caseQueues[name].label,
      href: queueAddresses[name] ?? `/desk/cases?need=${name}`,
      acts: caseQueueActs[name],
      ...length,
    })),
    {
      name: 'approvals',
      label: 'Pending approvals',
      href: '/desk/approvals',
      acts: ['REQUEST_APPROVED'],
      ...others.approvals,
    },
    {
      name: 'changes',
      label: policyTexts.waiting,
      href: '/desk/policy#changes',
      acts: ['POLICY_CHANGED'],
      ...others.changes,
    },
    {
      name: 'closings',
      label: monthEndTexts.toConfirm,
      href: monthEnd,
      acts: ['MONTH_CLOSED'],
      ...others.closings,
    },
    {
      name: 'month',
      label: oldestMonth
        ? `${openMonths.length > 1 ? 'Months to close, first' : 'Month to close:'} ${monthText(oldestMonth)}`
        : 'Months to close',
      href: oldestMonth ? `${monthEnd}?month=${oldestMonth.slice(0, 7)}` : monthEnd,
      acts: ['CLOSING_PROPOSED'],
      count: openMonths.length,
      since: oldestMonth ? startOf(plusDays(oldestMonth, 1)) : null,
    },
    {
      name: 'refunds',
      label: 'Refunds due',
      href: '/desk/refunds',
      acts: ['REFUND_ORDERED'],
      ...refunds,
    },
    {
      name: 'receipts',
      label: 'Unmatched receipts',
      href: '/desk/money',
      acts: ['RECEIPT_POSTED'],
      ...others.receipts,
    },
    {
      name: 'held',
      label: 'Inbound exceptions',
      href: '/desk/exchange',
      acts: ['EVENT_LOOKED_AT'],
      ...others.held,
    },
    {
      name: 'dead',
      label: 'Undelivered events',
      href: '/desk/exchange',
      acts: ['EVENT_SENT_AGAIN'],
      ...others.dead,
    },
    {
      name: 'asked',
      label: 'Asked by you, waiting for a second person',
      href: '/desk/approvals',
      acts: null,
      ...others.asked,
    },
    {
      name: 'refused',
      label: policyTexts.refused,
      href: '/desk/policy#changes',
      acts: null,
      ...others.refused,
    },
  ]
  return queues.filter(({ name, count, acts }) => {
    if (name === 'asked' || name === 'refused') return count > 0
    return !restrictedQueues.has(name) || acts === null || acts.some((act) => can(who, act))
  })
}

/** Queues that only those see who may work on them. */
const restrictedQueues = new Set<QueueName>(['changes', 'closings', 'month'])

const isBusy = ({ count }: QueueRow): boolean => count > 0

const isOwnOf =
  (who: Staff) =>
  ({ acts }: QueueRow): boolean =>
    acts === null || acts.some((act) => can(who, act))

/** How many lines of queues the page shows without being asked: those of others only if none waits for the person. */
export function shownLines(queues: QueueRow[], who: Staff): number {
  const busy = queues.filter(isBusy)
  return busy.filter(isOwnOf(who)).length || busy.length
}

/** The queues of the person with their lengths, the busy queues of others, and the empty queues, both folded. */
export function queuesPart(queues: QueueRow[], who: Staff, now: Date): Html {
  const busy = queues.filter(isBusy)
  const empty = queues.filter(({ count }) => count === 0)
  const isOwn = isOwnOf(who)
  const own = busy.filter(isOwn)
  const ofOthers = busy.filter((each) => !isOwn(each))
  return html`<section class="queues"><h2>Your queue</h2>${
    own.length > 0
      ? queueList(own, 'Your queue', now)
      : html`<p class="empty">${icon(check)}<span>Nothing waits for you.</span></p>`
  }
${ofOthers.length > 0 && html`<details class="folded"${own.length === 0 && html` open`}><summary>${countText(ofOthers.length, 'queue')} of other roles</summary>${queueList(ofOthers, 'Queues of other roles', now)}</details>`}
${empty.length > 0 && html`<details class="folded"><summary>${countText(empty.length, 'empty queue')}</summary>${queueList(empty, 'Empty queues', now)}</details>`}</section>`
}

const queueList = (queues: QueueRow[], label: string, now: Date): Html =>
  html`<ul class="queue" aria-label="${label}">${queues.map((each) => html`<li><a href="${each.href}"><strong>${each.count}</strong> <span>${each.label}</span>${each.since && ageText(each.name, each.since, now)}${icon(arrowRight)}</a></li>`)}</ul>`

/** Queues whose items have a day and no time: hours since midnight would say nothing. */
const queuesByDay: readonly QueueName[] = ['cancelling', 'overdue']

function ageText(queue: QueueName, since: Date, now: Date): Html {
  const isOverdue = isLate(queue, since, now)
  const oldest = queuesByDay.includes(queue) ? formatDay(businessDate(since)) : ageOf(since, now)
  return html` <small${isOverdue && html` class="late"`}>oldest: ${oldest}${isOverdue && ', late'}</small>`
}
