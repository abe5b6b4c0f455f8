// The displayed timeline: entries of one subject in one row, and rows under their update; pure.
import type { TimelineEntry } from '#contract/console/journeys.ts'
import { requestOf } from './network-words.ts'

/** One event with all its entries: a delivery with its tries, a request with its response. */
export interface TimelineFold {
  id: string
  /** The newest first. */
  entries: [TimelineEntry, ...TimelineEntry[]]
}

/** The causes of an update, and its delivery. */
export interface Group {
  id: string
  /** Null for rows after the last update. */
  sequence: number | null
  status: string
  /** Null when it is not among the loaded entries. */
  update: TimelineEntry | null
  rows: TimelineFold[]
}

export interface GroupedRows {
  /** Planned entries. */
  planned: TimelineFold[]
  groups: Group[]
}

type Params = TimelineEntry['title']['params']
export const textIn = (params: Params, name: string): string => {
  const value = params[name]
  return value === null || value === undefined ? '' : String(value)
}
export const numberIn = (params: Params, name: string): number | null => {
  const value = params[name]
  return typeof value === 'number' ? value : null
}

/** Entries of one row have one key. */
function keyOf({ id, kind, title: { code, params } }: TimelineEntry): string {
  if (kind === 'delivery') return `delivery.${textIn(params, 'deliveryId')}`
  if (code !== 'network-sent' && code !== 'network-received') return id
  const messageId = textIn(params, 'messageId')
  return messageId ? `message.${messageId}.${requestOf(textIn(params, 'action'))}` : id
}

/** A form that a lender accepted has no request id: it is the last one submitted to that lender. */
const formOf = ({ title: { code, params } }: TimelineEntry): string | null => {
  const lender = textIn(params, 'lender')
  const isForm = code === 'network-sent' ? textIn(params, 'action') === 'form' : isFormNote(code, params)
  return isForm && lender ? lender : null
}
const isFormNote = (code: string, params: Params): boolean =>
  code === 'network-noted' && /^form[ _-]/i.test(textIn(params, 'type'))

/** Entries newest first; rows in the order of the newest entry of each. */
function rowsOf(entries: readonly TimelineEntry[]): TimelineFold[] {
  const keys = keysOf(entries)
  const rows = new Map<string, TimelineFold>()
  for (const entry of entries) {
    const key = keys.get(entry.id) ?? entry.id
    const row = rows.get(key)
    if (row) row.entries.push(entry)
    else rows.set(key, { id: key, entries: [entry] })
  }
  return [...rows.values()]
}

function keysOf(entries: readonly TimelineEntry[]): Map<string, string> {
  const keys = new Map<string, string>()
  const forms = new Map<string, string>()
  for (const entry of entries.toReversed()) {
    const lender = formOf(entry)
    const known = lender === null ? undefined : forms.get(lender)
    const isNote = entry.title.code === 'network-noted'
    const key = isNote && known !== undefined ? known : keyOf(entry)
    if (lender !== null && !isNote) forms.set(lender, key)
    if (isNote && lender !== null) forms.delete(lender)
    keys.set(entry.id, key)
  }
  return keys
}

const sequenceOf = ({ title: { params } }: TimelineEntry): number | null => numberIn(params, 'sequence')

/** Entries newest first. Without updates among them there is one group, which has no heading. */
export function fold(entries: readonly TimelineEntry[]): GroupedRows {
  const rows = rowsOf(entries)
  const planned = rows.filter(({ entries: [newest] }) => newest.kind === 'job')
  const rest = rows.filter(({ entries: [newest] }) => newest.kind !== 'job')
  const isGrouped = rest.some(({ entries: [newest] }) => newest.kind === 'update')
  let group: Group = { id: 'since', sequence: null, status: '', update: null, rows: [] }
  if (!isGrouped) return { planned, groups: [{ ...group, rows: rest }] }
  const groups = new Map<string, Group>([[group.id, group]])
  for (const { entries: of } of rest.filter(({ entries: [newest] }) => newest.kind === 'update')) {
    const heading = headingOf(of[0])
    groups.set(heading.id, { ...heading, update: of[0] })
  }
  for (const row of rest) {
    const [newest] = row.entries
    if (newest.kind === 'update') group = groups.get(headingOf(newest).id) ?? group
    else if (newest.kind !== 'delivery') group.rows.push(row)
    else {
      const heading = headingOf(newest)
      const own = groups.get(heading.id) ?? heading
      groups.set(heading.id, own)
      own.rows.unshift(row)
    }
  }
  return { planned, groups: inOrder([...groups.values()]) }
}

const headingOf = (entry: TimelineEntry): Group => ({
  id: `update.${sequenceOf(entry)}`,
  sequence: sequenceOf(entry),
  status: textIn(entry.title.params, 'status'),
  update: null,
  rows: [],
})

const inOrder = (groups: Group[]): Group[] =>
  groups
    .filter(({ update, rows }) => update !== null || rows.length > 0)
    .sort((a, b) => (b.sequence ?? Number.POSITIVE_INFINITY) - (a.sequence ?? Number.POSITIVE_INFINITY))
