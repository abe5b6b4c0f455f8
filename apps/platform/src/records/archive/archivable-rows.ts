// The rows of a journey whose sealed values move to the archive, table by table.
import type { ArchivableRows } from '@lendloom/archive/archived-row'
import { type Fragment, type Run, sql } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { SealedColumn } from '@lendloom/seal/sealed-column'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { platformColumns } from '#platform/sealed-columns.ts'
import type { DueJourney } from './store.ts'

/** Messages that are read for the life of a loan: a complaint repeats what the lender confirmed, and continues its thread. */
const keptActions = ['on_confirm', 'issue', 'on_issue', 'issue_status', 'on_issue_status']

/**
 * What ended before `before`. Rows stay without these values, because their keys refuse duplicates, their states order
 * what comes later, and lists count them. Applied callbacks go as a whole, because their messages stay. So does everything of
 * the search and of lenders that the borrower did not choose, because what they send now has no effect, except the proof that
 * we sent them the borrower's data.
 */
export async function archivableRows(db: Run, key: DueJourney, before: Date): Promise<ArchivableRows[]> {
  const { tenantId, journeyId } = key
  // Read first: messages are on the coordinator of a cluster, and cases on its servers.
  const cases = await listCases(db, key)
  const caseRefs = cases.map(({ caseRef }) => caseRef)
  const own = sql`t.bucket = ${bucketOf(journeyId)} and t.tenant_id = ${tenantId} and t.journey_id = ${journeyId}`
  const isOver = await belongsToOthers(db, key)
  const leaves = sql`(${isOver} and not ${isDisclosure} and not ${isRefused})`
  const message = endedMessages(own, bucketOf(journeyId), before)
  const inbound = sql`${own} and ${isAppliedEvent(before)}`
  const tables: [table: string, condition: Fragment, isWhole?: boolean][] = [
    ['network_message', sql`${message} and ${leaves}`, true],
    ['network_message', sql`${message} and not ${leaves}`],
    ['inbound_message', sql`${inbound} and ${hasSuccessor} and (${isAppliedCallback} or ${isOver})`, true],
    ['inbound_message', sql`${inbound} and t.message_key is null and not (${hasSuccessor} and ${isOver})`],
    ['lifecycle_event', sql`${own} and t.at < ${before}`],
    ['webhook_delivery', sql`${own} and ${isEndedDelivery(before)}`],
    ['webhook_try', triesOfEndedDeliveries(key, before)],
    ['inbox', endedInboxEvents(tenantId, caseRefs, before)],
    ['outbox', deliveredOutboxEvents(tenantId, caseRefs, before)],
  ]
  return tables.map(([table, condition, isWhole = false]) => ({ columns: columnsIn(table), condition, isWhole }))
}

const isAppliedEvent = (before: Date): Fragment =>
  sql`t.state not in ('WAITING', 'SET_ASIDE') and t.at < ${before} and coalesce(t.applied_at, t.at) < ${before}`

/** The borrower may ask to whom we gave the data: to every lender that was sent a form, or a search with the profile. */
const isDisclosure = sql`(t.direction = 'sent' and t.action in ('form', 'search') and t.conversation_id is not null)`

/** A message that we refused names no conversation, so it may be from the chosen lender. */
const isRefused = sql`(t.conversation_id is null and t.action not in ('search', 'on_search'))`

const isAppliedCallback = sql`(t.message_key is not null and t.state = 'APPLIED')`

/** The newest message stays, because the next one continues its number. */
const hasSuccessor = sql`exists (select from inbound_message later where later.bucket = t.bucket and later.tenant_id = t.tenant_id
  and later.journey_id = t.journey_id and later.number > t.number)`

/** Condition: a row of the search or of a lender that was not chosen, once the borrower has chosen or the journey ended. */
async function belongsToOthers(db: Run, { active, status, ...key }: DueJourney): Promise<Fragment> {
  if (active && (status === 'STARTED' || status === 'PROFILED' || status === 'OFFERED')) return sql`false`
  const ended = await listUnchosen(db, key)
  // Not `coalesce`: null is in no empty array.
  return sql`(t.conversation_id is null or t.conversation_id = any(${ended.map(({ conversationId }) => conversationId)}::uuid[]))`
}

/** The ended conversations with lenders that the borrower did not choose; those about drawdowns are with the chosen one. */
const listUnchosen = (db: Run, { tenantId, journeyId }: JourneyKey) => db<{ conversationId: string }>`
  select c.conversation_id from conversation c
  where c.bucket = ${bucketOf(journeyId)} and c.tenant_id = ${tenantId} and c.journey_id = ${journeyId} and c.stage = 'ENDED'
    and c.transaction_id is null
    and not exists (select from offer o where o.bucket = c.bucket and o.tenant_id = c.tenant_id and o.journey_id = c.journey_id
      and o.conversation_id = c.conversation_id and o.selected_at is not null)`

/** Not the callback URL, by which a delivery to it is known. */
function columnsIn(table: string): [SealedColumn, ...SealedColumn[]] {
  const [first, ...others] = platformColumns.filter(
    (each) => each.table === table && each.column !== 'callback_url_sealed',
  )
  if (!first) throw new Error(`${table} has no sealed column`)
  return [first, ...others]
}

/** Not a request whose answer is awaited, because its timer repeats it, maybe after a long outage. */
const endedMessages = (own: Fragment, bucket: number, before: Date): Fragment => sql`
  ${own} and t.at < ${before} and (t.outcome is not null or t.action = 'form') and t.action <> all(${keptActions}::text[])
    and not exists (select from inbound_message i where i.bucket = ${bucket} and i.tenant_id = t.tenant_id
      and i.journey_id = t.journey_id and i.message_key = t.message_key and i.state in ('WAITING', 'SET_ASIDE'))
    and not exists (select from conversation c where c.bucket = ${bucket} and c.tenant_id = t.tenant_id
      and c.journey_id = t.journey_id and c.awaited_message_id = t.message_id)`

const isEndedDelivery = (before: Date): Fragment =>
  sql`t.state <> 'PENDING' and t.created_at < ${before} and coalesce(t.last_attempt_at, t.created_at) < ${before}`

const triesOfEndedDeliveries = ({ tenantId, journeyId }: JourneyKey, before: Date): Fragment => sql`
  t.bucket = ${bucketOf(journeyId)} and t.tenant_id = ${tenantId} and t.at < ${before} and (t.application_id, t.delivery_id) in (
    select d.application_id, d.delivery_id from webhook_delivery d
    where d.bucket = ${bucketOf(journeyId)} and d.tenant_id = ${tenantId} and d.journey_id = ${journeyId} and d.state <> 'PENDING')`

/** The references of the journey at lending partners; events name them as text. */
const listCases = (db: Run, { tenantId, journeyId }: JourneyKey) => db<{ caseRef: string }>`
  select case_ref::text as case_ref from partner_case
  where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`

const endedInboxEvents = (tenantId: string, caseRefs: string[], before: Date): Fragment => sql`
  t.received_at < ${before} and (t.sender, t.event_id) in (
    select o.sender, o.event_id from inbox_outcome o
    where o.tenant_id = ${tenantId} and o.case_ref = any(${caseRefs}::text[]) and o.settled_at < ${before})
  and not exists (select from inbox_waiting w where w.sender = t.sender and w.case_ref = t.case_ref
    and w.entity_type = t.entity_type and w.entity_id = t.entity_id and w.entity_version = t.entity_version and w.event_id = t.event_id)`

const deliveredOutboxEvents = (tenantId: string, caseRefs: string[], before: Date): Fragment => sql`
  t.tenant_id = ${tenantId} and t.case_ref = any(${caseRefs}::text[]) and t.state = 'DELIVERED' and t.created_at < ${before}
    and coalesce(t.last_attempt_at, t.created_at) < ${before}`
