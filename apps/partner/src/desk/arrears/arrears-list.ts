// The list of loans in arrears: the filters with their sums, and the form that assigns many cases to one agent.

import { keysOf } from '@lendloom/foundation/record'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import {
  type ArrearsBand,
  type ArrearsLine,
  bandStarts,
  type countArrears,
} from '#partner/desk/arrears/collections-store.ts'
import { selectField } from '#partner/desk/parts/form-parts.ts'
import { countText, formatDay, inr, toneBadge } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { slugOf } from '#partner/desk/parts/table-slug.ts'
import { daysPastDue } from '#partner/servicing/loan/class/asset-class.ts'
import { assignments, bulkTexts, outcomeNames, selections, unassigned } from './arrears-text-en.ts'
import { classBadge } from './asset-class-parts.ts'
import { assignmentValue } from './seen-agents.ts'
import { type WorklistFilter, worklistAddress } from './worklist.ts'

/** The label of the table, to which links and downloads refer. */
export const arrearsTable = 'Loans in arrears'
/** The most cases that one form assigns: so many are ticked on one page. */
export const maxAssigned = 200

interface Counts {
  counts: Awaited<ReturnType<typeof countArrears>>
  bands: ArrearsBand[]
}

/** Links to the filters, with the number and the sums of the loans that each shows. */
export const filterParts = ({ whose, show }: WorklistFilter, { counts, bands }: Counts): Html =>
  html`<p class="views">${keysOf(assignments).map((each) => html`<a${each === whose && html` aria-current="true"`} href="${worklistAddress({ whose: each, show })}">${assignments[each]} ${counts[each]}</a> `)}</p>
<ul class="tiles bands" aria-label="Days past due">${bandStarts.map((start, i) =>
    bandTile(
      { whose, show },
      `${start}`,
      bands.find(({ band }) => band === i),
    ),
  )}${promisesTile({ whose, show }, bands)}</ul>`

/** A link that shows one band alone or, from that band, all loans again. */
const tileOf = ({ whose, show }: WorklistFilter, selection: keyof typeof selections, figures: Html): Html => {
  const isChosen = show === selection
  return html`<li><a${isChosen && html` aria-current="true"`} href="${worklistAddress({ whose, show: isChosen ? '' : selection })}"><span>${selections[selection]}</span> ${figures}</a></li>`
}

const bandTile = (filter: WorklistFilter, selection: keyof typeof selections, band?: ArrearsBand): Html =>
  tileOf(
    filter,
    selection,
    html`<strong>${band?.loans ?? 0}</strong>${band && html` <small><b>${inr(band.overduePaise)}</b> overdue</small> <small>${inr(band.principalPaise)} at risk</small>`}`,
  )

function promisesTile(filter: WorklistFilter, bands: ArrearsBand[]): Html | false {
  const due = bands.reduce((sum, { promisesDue }) => sum + promisesDue, 0)
  return (
    (due > 0 || filter.show === 'promised') &&
    tileOf(filter, 'promised', html`<strong>${due}</strong> <small>${bulkTexts.promisesDue}</small>`)
  )
}

interface ArrearsRows {
  rows: ArrearsLine[]
  today: string
  borrowerLink(line: ArrearsLine): Html
  isTicked?(line: ArrearsLine): boolean
}

/** The table of loans; with tick boxes if cases can be assigned. */
export const arrearsRows = ({ rows, today, borrowerLink, isTicked }: ArrearsRows): Html =>
  tableOf(
    arrearsTable,
    [
      'Borrower',
      { name: 'Class', phone: 'plain' },
      { number: 'Days' },
      { number: 'Overdue', phone: 'main' },
      { number: 'At risk' },
      'Promise',
      'Last contact',
      'Agent',
      'Loan',
    ],
    rows.map((each) => [
      html`${isTicked && tickBox(each, isTicked(each))}${borrowerLink(each)}`,
      html`${classBadge(each.assetClass)}${each.isHeld && html` ${toneBadge('warn', 'Held')}`}`,
      daysPastDue(each.pastDueSince, plusDays(today, -1)),
      inr(each.overduePaise),
      inr(each.principalPaise),
      each.promisedOn && promiseCell(each, each.promisedOn, today),
      each.contactedAt &&
        each.outcome &&
        html`${formatDay(businessDate(each.contactedAt))}, ${outcomeNames[each.outcome]}`,
      each.agent ?? unassigned,
      each.loanId,
    ]),
    { empty: 'No loans in arrears.' },
  )

const promiseCell = ({ promisedPaise, isPromiseBroken }: ArrearsLine, promisedOn: string, today: string): Html =>
  isPromiseBroken
    ? html`${toneBadge('bad', html`${bulkTexts.promiseBroken} ${formatDay(promisedOn)}`)}${promisedPaise !== null && html` ${inr(promisedPaise)}`}`
    : html`${promisedPaise !== null && inr(promisedPaise)} by ${formatDay(promisedOn)}${promisedOn <= today && html` ${toneBadge('warn', promisedOn === today ? 'Today' : 'Late')}`}`

const tickBox = (line: ArrearsLine, isTicked: boolean): Html =>
  html`<label class="pick"><input type="checkbox" name="case" value="${assignmentValue(line)}" aria-label="Select loan ${line.loanId}"${isTicked && html` checked`}></label>`

interface BulkForm {
  filter: WorklistFilter
  staff: { staffId: string; name: string }[]
  chosen: string | null
  table: Html
}

/** The bar with the agent appears once a case is ticked; its number is counted by the style sheet. */
export const bulkForm = ({ filter, staff, chosen, table }: BulkForm): Html =>
  html`<form class="bulk" method="post" action="${worklistAddress(filter).replace('?', '/agent?')}">${table}
<div class="card"><p><span class="picked"></span></p>${selectField({ name: 'staffId', label: 'Agent', emptyOption: bulkTexts.chooseAgent, options: staff.map(({ staffId, name }) => [staffId, name] as const), chosen })}
<label class="pick"><input type="checkbox" name="sentByPost" value="yes"> ${bulkTexts.sentByPost}</label>
<button class="primary">${bulkTexts.assign}</button></div></form>`

/** A link that ticks all loans of the filter. */
export const selectAllLink = (filter: WorklistFilter, loans: number): Html | false =>
  loans > 1 &&
  html`<a class="secondary" href="${worklistAddress(filter)}&select=all#${slugOf(arrearsTable)}">${loans > maxAssigned ? `Select the first ${maxAssigned}` : `Select all ${countText(loans, 'case')}`}</a>`
