// The exchange at the desk: what came in and waits, what goes out and does not arrive, and another try for either.

import { uuidPattern } from '#kit/crypto/id.ts'
import { html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { listHeld, retryNow } from '#kit/messaging/inbox.ts'
import { listOutbox, replay } from '#kit/messaging/outbox.ts'
import { route } from '#partner/context.ts'
import { plain, when } from './format.ts'
import { button, caseLink, deskPage, goTo, tableOf } from './frame.ts'
import { waiting } from './queue/age.ts'
import { can } from './roles.ts'
import { atDesk, may, type Staff } from './staff.ts'
import { noteAct } from './staff-act.ts'

const path = '/desk/exchange'
const common = { section: 'D3 §6', auth: atDesk, hidden: true } as const

const show = route({
  ...common,
  method: 'GET',
  path,
  summary: 'Inbound exceptions, and events that were not delivered',
  async handle({ who, at }, ctx) {
    const [held, dead, pending] = await ctx.db.snapshot((db) =>
      Promise.all([listHeld(db), listOutbox(db, { state: 'DEAD' }), listOutbox(db, { state: 'PENDING', limit: 50 })]),
    )
    const link = (caseRef: string) => caseLink(caseRef, caseRef)
    const body = html`<section><h2>Inbound exceptions</h2>
<p>An event waits for the one before it, or for another try. Nothing is discarded.</p>
${tableOf(
  'Inbound exceptions',
  ['Case', 'From', { number: 'Version' }, 'Age', 'Because', ''],
  held.map((each) => [
    link(each.partitionKey),
    each.sender,
    each.entityVersion,
    waiting('held', each.stuckSince, at),
    each.because,
    lookAgain(who, each),
  ]),
  { empty: 'Nothing waits.' },
)}</section>
<section><h2>Undelivered events</h2>
<p>Sending again repeats the delivery and nothing else.</p>
${tableOf(
  'Undelivered events',
  ['Case', 'Event', { number: 'Tries' }, 'Last answer', 'Age', ''],
  dead.map((each) => [
    link(each.partitionKey),
    plain(each.type),
    each.attempt,
    each.lastAnswer,
    each.deadAt && waiting('dead', each.deadAt, at),
    sendAgain(who, each),
  ]),
  { empty: 'Every event has arrived, or is still tried.' },
)}</section>
<section><h2>In delivery</h2>
${tableOf(
  'In delivery',
  ['Case', 'Event', { number: 'Tries' }, 'Last answer', 'Next try'],
  pending.map((each) => [
    link(each.partitionKey),
    plain(each.type),
    each.attempt,
    each.lastAnswer,
    each.dueAt && when(each.dueAt),
  ]),
  { empty: 'Nothing is on its way.' },
)}</section>`
    return deskPage(ctx, who, { title: 'Exchange', here: path, body })
  },
})

const lookAgain = (who: Staff, { sender, eventId }: { sender: string; eventId: string }) =>
  can(who, 'EVENT_LOOKED_AT') && button(`${path}/held/${encodeURIComponent(sender)}/${eventId}`, 'Look again')

const sendAgain = (who: Staff, { eventId }: { eventId: string }) =>
  can(who, 'EVENT_SENT_AGAIN') && button(`${path}/replay/${eventId}`, 'Send again')

const again = route({
  ...common,
  auth: may('EVENT_LOOKED_AT'),
  method: 'POST',
  path: `${path}/held/{sender}/{eventId}`,
  params: Type.Object({ sender: Type.String(), eventId: Type.String({ pattern: uuidPattern }) }),
  summary: 'Look at a waiting event now',
  accepts: 'raw',
  async handle({ who, params: { sender, eventId }, at }, ctx) {
    await ctx.db.tx(async (tx) => {
      await retryNow(tx, sender, eventId, at)
      await noteAct(tx, { staffId: who.staffId, act: 'EVENT_LOOKED_AT', about: { subject: eventId }, at })
    })
    return goTo(path)
  },
})

const send = route({
  ...common,
  auth: may('EVENT_SENT_AGAIN'),
  method: 'POST',
  path: `${path}/replay/{eventId}`,
  params: Type.Object({ eventId: Type.String({ pattern: uuidPattern }) }),
  summary: 'Send an event again, unchanged',
  accepts: 'raw',
  async handle({ who, params: { eventId }, at }, ctx) {
    const [event] = await listOutbox(ctx.db, { eventId })
    if (!event) throw new Refusal('absent', 'there is no such event')
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

export const exchangeRoutes = [show, again, send]
