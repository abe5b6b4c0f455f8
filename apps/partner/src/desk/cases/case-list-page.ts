// The list of cases, filtered by state, queue or asset class; also its table and the table of held payments for the
// start page.

import { OneOf, Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import type { Seal } from '@lendloom/seal/seal'
import { classBadge } from '#partner/desk/arrears/asset-class-parts.ts'
import { classNames } from '#partner/desk/arrears/asset-class-text-en.ts'
import { type CaseLine, casesInOrder, listCases, type QueuedLine } from '#partner/desk/cases/store.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage, searchField } from '#partner/desk/frame.ts'
import { filterMenu } from '#partner/desk/parts/form-parts.ts'
import { badge, countText, formatAgo, formatDay, inr, labelOf, wireInr } from '#partner/desk/parts/format.ts'
import { loanBadge } from '#partner/desk/parts/loan-badge.ts'
import { pageLinks, pagingQuery, readPage } from '#partner/desk/parts/paging.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { caseQueueNames, caseQueues } from '#partner/desk/queue/case-queues.ts'
import { waitText } from '#partner/desk/queue/waiting-time.ts'
import { anyStaff } from '#partner/desk/staff/desk-auth.ts'
import { caseStatuses } from '#partner/origination/case/lifecycle.ts'
import { exitDecisionUntil } from '#partner/servicing/loan/await-exit-request.ts'
import { assetClasses } from '#partner/servicing/loan/class/asset-class.ts'
import { coolingOffUntil } from '#partner/servicing/loan/exit.ts'
import { isRunning } from '#partner/servicing/loan/loan.ts'
import { caseNumberText } from './case-number.ts'
import { nameOfBorrower, openLead } from './open-lead.ts'

const table = 'Cases'
const perPage = 25
/** The queues of cases without a loan, whose table has no columns about the account. */
const applicationQueues = new Set<string>(['review', 'kyc', 'transfer', 'disburse'])
const loanStatuses = ['ACTIVE', 'OVERDUE', 'CLOSED', 'CANCELLED'] as const
const states = [...caseStatuses, ...loanStatuses]

interface CasesTableOptions {
  empty: string
  now: Date
  areApplications?: boolean
  /** Formats how long a case has been in the queue. Absent for a list that is not a queue. */
  ageText?: (line: CaseLine) => Html | null
}

/** The table of cases; columns about the account are left out for applications. */
export const casesTable = (
  seal: Seal,
  cases: CaseLine[],
  { empty, now, areApplications, ageText }: CasesTableOptions,
): Html =>
  tableOf(
    table,
    [
      'Borrower',
      ...(ageText ? ['Age'] : []),
      { name: 'Number', phone: 'plain' },
      { number: 'Amount' },
      ...['Application', ...(areApplications ? [] : ['Account', 'Class'])].map(
        (name) => ({ name, phone: 'plain' }) as const,
      ),
      ...(areApplications ? [] : ['Due']),
      { number: 'Application changed' },
    ],
    cases.map((line) => {
      const lead = openLead(seal, line.caseRef, line.leadSealed)
      const isOpen = isRunning(line.loanStatus)
      return [
        caseLink(line.caseRef, nameOfBorrower(lead)),
        ...(ageText ? [ageText(line)] : []),
        caseNumberText({ ...line, hasLoan: line.loanStatus !== null }),
        line.agreedPaise === null ? wireInr(lead.proposed_offer.loan_amount) : inr(line.agreedPaise),
        badge(line.status),
        ...(areApplications
          ? []
          : [
              line.loanStatus && loanBadge({ ...line, loanStatus: line.loanStatus }, now),
              isOpen && line.assetClass && classBadge(line.assetClass),
              line.nextDueOn && dueText(line.nextDueOn, now),
            ]),
        html`<span class="wide">${formatAgo(line.updatedAt, now)}</span>`,
      ]
    }),
    { empty },
  )

/** The table of the cases whose payments wait for a decision about a cooling-off exit. */
export const heldPaymentsTable = (seal: Seal, label: string, cases: QueuedLine[], now: Date): Html =>
  tableOf(
    label,
    ['Borrower', { number: 'Received', phone: 'main' }, 'Arrived', 'Decide by', 'Age', 'Loan'],
    cases.map((line) => [
      caseLink(line.caseRef, nameOfBorrower(openLead(seal, line.caseRef, line.leadSealed))),
      line.heldPaise !== null && inr(line.heldPaise),
      line.heldOn && formatDay(line.heldOn),
      lastDayToDecide(line),
      line.since && waitText('exit', line.since, now),
      line.loanId,
    ]),
    { empty: caseQueues.exit.none },
  )

const lastDayToDecide = ({ disbursedOn, coolOffDays, nextDueOn }: QueuedLine): Html | false =>
  disbursedOn !== null &&
  coolOffDays !== null &&
  html`<strong>${formatDay(exitDecisionUntil({ coolingOffUntil: coolingOffUntil({ disbursedOn, terms: { coolOffDays } }), nextDueOn }))}</strong>`

const dueText = (dueOn: string, now: Date): Html =>
  dueOn < businessDate(now) ? html`since ${formatDay(dueOn)}` : formatDay(dueOn)

export const casesRoute = deskRoute({
  method: 'GET',
  path: '/desk/cases',
  section: 'D3 §3',
  summary: 'The cases of the lender',
  auth: anyStaff,
  hidden: true,
  viewAct: 'LIST_VIEWED',
  query: Type.Object({
    status: Type.Optional(OneOf(['', ...states])),
    need: Type.Optional(OneOf(['', ...caseQueueNames])),
    class: Type.Optional(OneOf(['', ...assetClasses])),
    ...pagingQuery(table),
  }),
  async handle({ who, query, at }, ctx) {
    const status = query.status || null
    const need = query.need || null
    const assetClass = query.class || null
    const list = { table, keyset: casesInOrder(need), perPage }
    const page = await readPage(query, list, (window) => listCases(ctx.db, { status, need, assetClass }, window))
    const { rows } = page
    const since = new Map(rows.map((row) => [row.caseRef, row.since]))
    const ageTextOf = (caseRef: string) => {
      const from = since.get(caseRef)
      return from && need ? waitText(need, from, at) : null
    }
    const isFiltered = status !== null || need !== null || assetClass !== null
    const emptyText =
      need && !status && !assetClass ? caseQueues[need].none : isFiltered ? 'No cases match.' : 'No leads yet.'
    const body = html`<section><div class="filters">${searchField}
${filterMenu({ name: 'status', label: 'State', emptyOption: 'Any state', options: states.map((each) => [each, labelOf(each)] as const), chosen: status }, query)}
${filterMenu({ name: 'need', label: 'Queue', emptyOption: 'Any queue', options: caseQueueNames.map((each) => [each, caseQueues[each].label] as const), chosen: need }, query)}
${filterMenu({ name: 'class', label: 'Class', emptyOption: 'Any class', options: Object.entries(classNames), chosen: assetClass }, query)}
${isFiltered && html`<span class="quiet">${page.isFirst && !page.next ? countText(rows.length, 'case') : `More than ${perPage} cases`} · <a href="/desk/cases">Clear filters</a></span>`}</div>
${need && rows.length > 0 && html`<p>These cases ${caseQueues[need].why}.</p>`}
${need === 'exit' && rows.length > 0 ? heldPaymentsTable(ctx.seal, table, rows, at) : casesTable(ctx.seal, rows, { now: at, areApplications: need !== null && applicationQueues.has(need), empty: emptyText, ...(need && { ageText: ({ caseRef }: CaseLine) => ageTextOf(caseRef) }) })}
${pageLinks(query, page)}</section>`
    return deskPage(ctx, who, { title: need ? caseQueues[need].label : 'Cases', area: '/desk/cases', body })
  },
})
