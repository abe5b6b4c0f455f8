// Renders tables, which a phone shows as a list of rows.

import { pairs } from '@lendloom/foundation/lists'
import { ownValue } from '@lendloom/foundation/record'
import { Html, html } from '@lendloom/http/markup'
import { slugOf } from './table-slug.ts'

/** A phone shows a row as its title, the main value beside it, and the rest below, where `plain` values have no label. */
type PhoneUse = 'title' | 'main' | 'plain'

export type Column = string | { number: string; phone?: PhoneUse } | { name: string; phone: PhoneUse }

export type Cell = string | number | Html | null | false

export interface TableOptions {
  empty: string
  /** False for a table that cannot be downloaded as CSV. */
  csv?: false
}

const maxPhoneColumns = 3

const phoneUses: Record<string, PhoneUse> = {
  Amount: 'main',
  State: 'plain',
  Kind: 'plain',
  Method: 'plain',
  Reason: 'plain',
  Class: 'plain',
  Event: 'plain',
}

function columnsOf(head: Column[]) {
  const hasTitle = head.some((each) => typeof each !== 'string' && each.phone === 'title')
  return head.map((each, i) => {
    const { phone, ...column } = typeof each === 'string' ? { name: each } : { phone: undefined, ...each }
    const [name, kind] = 'number' in column ? [column.number, 'number'] : [column.name, '']
    const usualUse = i === 0 && !hasTitle ? 'title' : name === '' ? 'act' : ownValue(phoneUses, name)
    return { name, kind, phone: phone ?? usualUse ?? '' }
  })
}

/** Renders a table with a fixed head. An empty table has a hidden head, for its CSV. */
export function tableOf(label: string, head: Column[], rows: Cell[][], { empty, csv }: TableOptions): Html {
  const columns = columnsOf(head)
  const headRow = html`<thead><tr>${columns.map(({ name, kind }) => html`<th scope="col" class="${kind}">${name || html`<span class="unseen">What can be done</span>`}</th>`)}</tr></thead>`
  if (rows.length === 0)
    return html`<p class="empty">${empty}</p>${csv ?? html`<table aria-label="${label}" hidden>${headRow}</table>`}`
  const isStacked = columns.length > maxPhoneColumns || head.some((each) => typeof each !== 'string' && each.phone)
  const evenRows = inEqualPrecision(columns, rows)
  const rowOf = (row: Cell[]) =>
    html`<tr>${pairs(columns, row).map(([{ name, kind, phone }, cell]) => html`<td class="${isStacked ? `${kind} ${phone}` : kind}"${isStacked && phone === '' && html` data-label="${name}"`}>${cell}</td>`)}</tr>`
  return html`${csv ?? csvMark(label)}<div class="table${isStacked && ' stacked'}" id="${slugOf(label)}" role="region" aria-label="${label}" tabindex="0"><table aria-label="${label}">
${headRow}
<tbody>${evenRows.map(rowOf)}</tbody></table></div>`
}

/** If an amount in a column has paise, all amounts of the column show theirs, so that the decimal points align. */
function inEqualPrecision(columns: ReturnType<typeof columnsOf>, rows: Cell[][]): Cell[][] {
  const hasPaise = columns.map(
    ({ kind }, i) => kind === 'number' && rows.some((row) => /₹[\d,]+\.\d\d/.test(markupOf(row[i]))),
  )
  return rows.map((row) => row.map((cell, i) => (hasPaise[i] ? withPaise(cell) : cell)))
}

const markupOf = (cell: Cell | undefined): string => (cell instanceof Html ? cell.text : String(cell))

/** An amount without paise. A comma after its last digit belongs to the sentence. */
const wholeRupees = /₹\d+(?:,\d+)*(?!,?\d|\.\d)/g

function withPaise(cell: Cell): Cell {
  const markup = markupOf(cell).replaceAll(wholeRupees, '$&.00')
  if (cell instanceof Html) return new Html(markup)
  return typeof cell === 'string' ? markup : cell
}

/** The placeholder for the link to the CSV file of a table. Only people who may download the file get the link. */
export const csvMark = (label: string): Html => new Html(`<!--csv ${slugOf(label)}-->`)
