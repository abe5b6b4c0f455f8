// A journey's timeline: all sources merged in one statement.

import { ownValue } from '@lendloom/foundation/record'
import { type Fragment, join, type Run, sql } from '@lendloom/postgres/sql'
import type { TimelineKind } from '@lendloom/wire/console/journey-lists'
import { type EntryRow, type Source, sources, type TimelineKey } from './timeline-source-store.ts'

export type { EntryRow, TimelineKey } from './timeline-source-store.ts'

export interface Position {
  at: Date
  id: string
}

export interface TimelinePage {
  kinds: readonly TimelineKind[]
  order: 'oldest' | 'newest'
  /** Without successful requests that only read. */
  omitsReads?: boolean
  after: Position | null
  limit: number
}

/** Compares ids bytewise, so that every database returns the same order. */
const inOrder = (order: TimelinePage['order']): Fragment =>
  order === 'oldest' ? sql`order by at, id collate "C"` : sql`order by at desc, id collate "C" desc`

function isAfter(after: Position | null, order: TimelinePage['order']): Fragment {
  if (after === null) return sql`true`
  const { at, id } = after
  return order === 'oldest'
    ? sql`(at > ${at} or (at = ${at} and id collate "C" > ${id}))`
    : sql`(at < ${at} or (at = ${at} and id collate "C" < ${id}))`
}

/** Truncates times to milliseconds, the precision of responses and cursors. */
const entriesOf = ([kind, rows]: Source, key: TimelineKey): Fragment => sql`
  select id, date_trunc('milliseconds', at) as at, ${kind}::text as kind, code, params, state, correlation_id
  from (${rows(key)}) as source (id, at, code, params, state, correlation_id)`

const isRead = sql`(code = 'request' and params->>'method' = 'GET' and params->>'status' like '2%')`

/** Selects a page of entries by time and id; each source contributes at most `limit` entries. */
export function timelineStatement(
  key: TimelineKey,
  { kinds, order, omitsReads = false, after, limit }: TimelinePage,
): Fragment {
  const queries = Object.values(sources)
    .filter(([kind]) => kinds.includes(kind))
    .map(
      (source) => sql`
      (select id, at, kind, code, params, state, correlation_id from (${entriesOf(source, key)}) as entry
       where ${isAfter(after, order)} and (not ${omitsReads} or not ${isRead}) ${inOrder(order)} limit ${limit})`,
    )
  return sql`
    select id, at, kind, code, params, state, correlation_id from (${join(queries, ' union all ')}) as entry
    ${inOrder(order)} limit ${limit}`
}

export const readTimeline = (db: Run, key: TimelineKey, page: TimelinePage): Promise<EntryRow[]> =>
  db<EntryRow>`${timelineStatement(key, page)}`

export async function readEntry(db: Run, key: TimelineKey, id: string): Promise<EntryRow | undefined> {
  const source = ownValue(sources, id.split('.', 1)[0] ?? '')
  if (!source) return undefined
  const [row] = await db<EntryRow>`
    select id, at, kind, code, params, state, correlation_id from (${entriesOf(source, key)}) as entry where id = ${id} limit 1`
  return row
}
