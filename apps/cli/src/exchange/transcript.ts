// `lendloom exchange transcript`: all events of a case as one side sent and received them, with their outcomes.

import { styleText } from 'node:util'
import { receivedEvents } from '@lendloom/event-log/inbox-lists'
import { listOutbox, sentEvents } from '@lendloom/event-log/outbox'
import { noteStaffAct } from '@lendloom/platform/operations/staff'
import type { Run } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import { CannotRun, type CommandCall, command, requireArgument, UsageError } from '#cli/command.ts'
import { sealOf, withDatabase } from '#cli/database.ts'
import { clockOf } from '#cli/installation.ts'
import { maskedBody, prettyBody } from '#cli/network/gist.ts'
import { sideOf, side as sides } from './side.ts'

const options = {
  ...sides,
  bodies: { type: 'boolean', about: 'print event bodies, with personal data masked' },
  reveal: { type: 'boolean', about: 'with --bodies: show personal data' },
} as const

export interface ReportedEvent {
  at: Date
  direction: 'sent' | 'received'
  type: string
  eventId: string
  entity: string
  entityVersion: number
  /** The delivery state of an outgoing event, or the outcome of a received one. */
  outcome: string
  /** Empty when the event has moved to the archive. */
  body: string
}

export const transcript = command({
  name: 'exchange transcript',
  summary: 'show all events of a case',
  usage: '<caseRef> [--bodies [--reveal]] [--program partner]',
  options,
  async run({ args, options: { program, bodies = false, reveal = false }, env }: CommandCall<typeof options>) {
    const caseRef = requireArgument(args, 'the reference of the case')
    if (reveal && !bodies) throw new UsageError('--reveal shows personal data in bodies: give --bodies too')
    const side = sideOf(program)
    if (reveal && side === 'platform') {
      const act = { act: 'PERSONAL_DATA_REVEALED', subject: caseRef, detail: { what: 'events of the exchange' } }
      await withDatabase(side, env, (db) => db.tx((tx) => noteStaffAct({ tx, at: clockOf(env)() }, null, act)))
    }
    const events = await withDatabase(side, env, async (db) => allEvents(db, sealOf(env, side), caseRef))
    if (events.length === 0) throw new CannotRun(`there are no events about case ${caseRef}`)
    const lines = events.map(
      (each) =>
        lineOf(each) +
        (bodies && each.body !== '' ? `\n${reveal ? prettyBody(each.body) : maskedBody(each.body)}` : ''),
    )
    const data = reveal
      ? events
      : events.map(({ body, ...each }) => ({ ...each, body: body === '' ? body : maskedBody(body) }))
    return { text: lines.join('\n'), data }
  },
})

async function allEvents(db: Run, seal: ReturnType<typeof sealOf>, caseRef: string): Promise<ReportedEvent[]> {
  const [event] = await listOutbox(db, { partitionKey: caseRef, limit: 1 })
  // The case may have received events before this side has sent any.
  const key = { tenantId: event?.tenantId ?? noTenantId, partitionKey: caseRef }
  const [sent, received] = await Promise.all([sentEvents(db, seal, key), receivedEvents(db, seal, key)])
  const events: ReportedEvent[] = [
    ...sent.map(({ createdAt, type, eventId, entityType, entityId, entityVersion, state, lastAnswer, raw }) => {
      const outcome = state === 'PENDING' && lastAnswer ? `PENDING (${lastAnswer})` : state
      const entity = `${entityType} ${entityId}`
      return {
        at: createdAt,
        direction: 'sent',
        type,
        eventId,
        entity,
        entityVersion,
        outcome,
        body: String(raw),
      } as const
    }),
    ...received.map(({ receivedAt, type, eventId, entityType, entityId, entityVersion, outcome, reason, raw }) => {
      const state = `${outcome ?? 'WAITING'}${reason ? ` (${reason})` : ''}`
      const entity = `${entityType} ${entityId}`
      return {
        at: receivedAt,
        direction: 'received',
        type,
        eventId,
        entity,
        entityVersion,
        outcome: state,
        body: String(raw),
      } as const
    }),
  ]
  return events.sort((a, b) => a.at.getTime() - b.at.getTime())
}

function lineOf({ at, direction, type, entity, entityVersion, outcome, eventId }: ReportedEvent): string {
  const arrow = direction === 'sent' ? styleText('cyan', '→') : styleText('magenta', '←')
  const isFinal = /^(DELIVERED|APPLIED)$/.test(outcome)
  return [
    styleText('dim', at.toISOString()),
    arrow,
    styleText('bold', type.padEnd(24)),
    `v${entityVersion}`.padEnd(4),
    styleText(isFinal ? 'dim' : 'yellow', outcome.padEnd(10)),
    styleText('dim', `${eventId} ${entity.startsWith('CASE') ? '' : entity}`),
  ]
    .join('  ')
    .trimEnd()
}
