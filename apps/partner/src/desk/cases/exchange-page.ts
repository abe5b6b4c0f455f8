// The exchange page: inbound events that are stuck and outbound events that were not delivered, with buttons to retry.

import { heldEventsKeyset, pageHeldEvents, retryNow, type StuckEvent } from '@lendloom/event-log/inbox-lists'
import { listOutbox, listUnsent, type OutboxEntry, replay, unsentKeysets } from '@lendloom/event-log/outbox'
import { allOf } from '@lendloom/foundation/all-of'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { button, caseLink, deskPage, goTo } from '#partner/desk/frame.ts'
import { formatTime, labelOf } from '#partner/desk/parts/format.ts'
import { pageLinks, pagingQuery, readPage } from '#partner/desk/parts/paging.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { waitText } from '#partner/desk/queue/waiting-time.ts'
import { anyStaff, may } from '#partner/desk/staff/desk-auth.ts'
import { can, noteAct } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'

const path = '/desk/exchange'
const perPage = 50
const tables = { held: 'Inbound exceptions', dead: 'Undelivered events', pending: 'In delivery' } as const
const common = { section: 'D3 §6', auth: anyStaff, hidden: true, viewAct: 'LIST_VIEWED' } as const

const show = deskRoute({
  ...common,
  method: 'GET',
  path,
  summary: 'Inbound exceptions, and events that were not delivered',
  query: Type.Object(pagingQuery(...Object.values(tables))),
  async handle({ who, query, at }, ctx) {
    const { held, dead, pending } = await ctx.db.snapshot((db) => {
      const unsent = (table: string, state: 'DEAD' | 'PENDING') =>
        readPage(query, { table, keyset: unsentKeysets[state], perPage }, (window) => listUnsent(db, state, window))
      return allOf({
        held: readPage(query, { table: tables.held, keyset: heldEventsKeyset, perPage }, (window) =>
          pageHeldEvents(db, window),
        ),
        dead: unsent(tables.dead, 'DEAD'),
        pending: unsent(tables.pending, 'PENDING'),
      })
    })
    const body = html`<section><h2>${tables.held}</h2>
<p>Events appear here while they wait for an earlier event or for a retry. No event is discarded.</p>
${heldPaymentsTable(held.rows, who, at)}${pageLinks(query, held)}</section>
<section><h2>${tables.dead}</h2>
<p>Sending an event again repeats the delivery and changes nothing else.</p>
${deadTable(dead.rows, who, at)}${pageLinks(query, dead)}</section>
<section><h2>${tables.pending}</h2>
<p>Events that the platform has not accepted yet. They are retried automatically.</p>
${pendingTable(pending.rows)}${pageLinks(query, pending)}</section>`
    return deskPage(ctx, who, { title: 'Platform events', area: path, body })
  },
})

const link = (caseRef: string) => caseLink(caseRef, caseRef)

const heldPaymentsTable = (held: StuckEvent[], who: Staff, at: Date) =>
  tableOf(
    tables.held,
    ['Case', 'From', { number: 'Version' }, 'Age', 'Reason', ''],
    held.map((each) => [
      link(each.partitionKey),
      each.sender,
      each.entityVersion,
      waitText('held', each.stuckSince, at),
      each.because,
      retryButton(who, each),
    ]),
    { empty: 'No events are waiting.' },
  )

const deadTable = (dead: OutboxEntry[], who: Staff, at: Date) =>
  tableOf(
    tables.dead,
    ['Case', 'Event', { number: 'Tries' }, 'Last answer', 'Age', ''],
    dead.map((each) => [
      link(each.partitionKey),
      labelOf(each.type),
      each.attempt,
      each.lastAnswer,
      each.deadAt && waitText('dead', each.deadAt, at),
      resendButton(who, each),
    ]),
    { empty: 'All events are delivered or being retried.' },
  )

const pendingTable = (pending: OutboxEntry[]) =>
  tableOf(
    tables.pending,
    ['Case', 'Event', { number: 'Tries' }, 'Last answer', 'Next try'],
    pending.map((each) => [
      link(each.partitionKey),
      labelOf(each.type),
      each.attempt,
      each.lastAnswer,
      each.dueAt && formatTime(each.dueAt),
    ]),
    { empty: 'No events in delivery.' },
  )

const retryButton = (who: Staff, { sender, eventId }: { sender: string; eventId: string }) =>
  can(who, 'EVENT_LOOKED_AT') && button(`${path}/held/${encodeURIComponent(sender)}/${eventId}`, 'Retry now')

const resendButton = (who: Staff, { eventId }: { eventId: string }) =>
  can(who, 'EVENT_SENT_AGAIN') && button(`${path}/replay/${eventId}`, 'Send again')

const retryEvent = deskRoute({
  ...common,
  auth: may('EVENT_LOOKED_AT'),
  method: 'POST',
  path: `${path}/held/{sender}/{eventId}`,
  params: Type.Object({ sender: Type.String(), eventId: Uuid }),
  summary: 'Retry a stuck event now',
  accepts: 'raw',
  async handle({ who, params: { sender, eventId }, at }, ctx) {
    await ctx.db.tx(async (tx) => {
      await retryNow(tx, sender, eventId, at)
      await noteAct(tx, { staffId: who.staffId, act: 'EVENT_LOOKED_AT', about: { subject: eventId }, at })
    })
    return goTo(path)
  },
})

const resendEvent = deskRoute({
  ...common,
  auth: may('EVENT_SENT_AGAIN'),
  method: 'POST',
  path: `${path}/replay/{eventId}`,
  params: Type.Object({ eventId: Uuid }),
  summary: 'Resend an event, unchanged',
  accepts: 'raw',
  async handle({ who, params: { eventId }, at }, ctx) {
    const [event] = await listOutbox(ctx.db, { eventId })
    if (!event) throw new Refusal('absent', 'this event does not exist')
    await ctx.db.tx(async (tx) => {
      await replay(tx, event, at)
      await noteAct(tx, {
        staffId: who.staffId,
        act: 'EVENT_SENT_AGAIN',
        about: { caseRef: event.partitionKey, subject: eventId },
        at,
      })
    })
    return goTo(path)
  },
})

export const exchangeRoutes = [show, retryEvent, resendEvent]
