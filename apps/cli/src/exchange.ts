// `lendloom exchange …`: events between the platform and lending partners: transcripts, pending events, retries.

import { listHeldEvents, retryNow } from '@lendloom/event-log/inbox-lists'
import { listOutbox, replay as replayEvent } from '@lendloom/event-log/outbox'
import type { PartnerEventDetail } from '@lendloom/wire/console/partner-events'
import { CannotRun, command, type Group, requireArgument, UsageError } from './command.ts'
import { consoleOf } from './console/ask.ts'
import { operationsOf } from './console/commands.ts'
import { idOf, resultTable } from './console/words.ts'
import { withDatabase } from './database.ts'
import { conformCommand } from './exchange/conform.ts'
import { type ExchangeSide, otherSides, side, sideOf } from './exchange/side.ts'
import { transcript } from './exchange/transcript.ts'

/** Names the partition key, by which events are stored: it is the case reference. */
const withCaseRef = <Row extends { partitionKey: string }>({ partitionKey: caseRef, ...row }: Row) => ({
  caseRef,
  ...row,
})

/** Resends or retries an event of the platform through the console, so that the audit log records the act. */
const repeatOnPlatform = (env: NodeJS.ProcessEnv, direction: string, eventId: string) =>
  consoleOf(env)<PartnerEventDetail>('POST /partner/events/{direction}/{eventId}/again', {
    params: { direction, eventId: idOf([eventId], 'the event') },
  })

const replayOnPartner = (env: NodeJS.ProcessEnv, eventId: string) =>
  withDatabase('partner', env, async (db) => {
    const [event] = await listOutbox(db, { eventId })
    return event && (await db.tx((tx) => replayEvent(tx, event, new Date()))) ? withCaseRef(event) : null
  })

const held = command({
  name: 'exchange held',
  summary: 'list received events that wait for a missing earlier event or for a retry',
  usage: '[--program partner]',
  options: side,
  async run({ options: { program }, env }: ExchangeSide) {
    const rows = await withDatabase(sideOf(program), env, (db) => listHeldEvents(db))
    return {
      text: resultTable(
        rows,
        [
          { head: 'EVENT', of: (row) => row.eventId },
          { head: 'SENDER', of: (row) => row.sender },
          { head: 'OBJECT', of: (row) => `${row.entityType} ${row.entityId} v${row.entityVersion}` },
          { head: 'SINCE', of: (row) => row.stuckSince.toISOString() },
          { head: 'BECAUSE', of: (row) => row.because },
        ],
        'No event is waiting.',
      ),
      data: rows.map(withCaseRef),
    }
  },
})

const retry = command({
  name: 'exchange look-again',
  summary: 'retry a waiting event now',
  usage: '<sender> <eventID> [--program partner]',
  options: side,
  async run({ args, options: { program }, env }: ExchangeSide) {
    const [sender, eventId, ...more] = args
    if (!sender || !eventId || more.length > 0) throw new UsageError('the sender and the id of the event are required')
    const found =
      sideOf(program) === 'platform'
        ? await repeatOnPlatform(env, 'received', eventId)
        : await withDatabase('partner', env, (db) => db.tx((tx) => retryNow(tx, sender, eventId, new Date())))
    if (!found) throw new CannotRun(`no event ${eventId} from ${sender} is waiting`)
    return { text: 'The event will be retried within a second.', data: { sender, eventId } }
  },
})

const outgoing = command({
  name: 'exchange outgoing',
  summary: 'list outgoing events with their delivery state, newest first',
  usage: '[--dead] [--case <caseRef>] [--program partner]',
  options: {
    ...side,
    dead: { type: 'boolean', about: 'only events whose delivery was given up' },
    case: { type: 'string', value: 'caseRef', about: 'only events about this case' },
  },
  async run({ options: { program, dead, case: caseRef }, env }) {
    const filter = { ...(dead && { state: 'DEAD' as const }), ...(caseRef && { partitionKey: caseRef }) }
    const ownSide = sideOf(program)
    const { rows, counterparties } = await withDatabase(ownSide, env, async (db) => {
      const rows = await listOutbox(db, filter)
      const caseRefs = [...new Set(rows.map(({ partitionKey }) => partitionKey))]
      return { rows, counterparties: await otherSides(ownSide, db, caseRefs) }
    })
    const counterpartyOf = ({ partitionKey }: { partitionKey: string }) => counterparties.get(partitionKey) ?? ''
    return {
      text: resultTable(
        rows,
        [
          { head: 'EVENT', of: (row) => row.eventId },
          { head: ownSide === 'platform' ? 'PARTNER' : 'PLATFORM', of: (row) => counterpartyOf(row) },
          { head: 'TYPE', of: (row) => row.type },
          { head: 'OBJECT', of: (row) => `${row.entityType} ${row.entityId} v${row.entityVersion}` },
          { head: 'STATE', of: (row) => row.state },
          { head: 'TRIES', of: (row) => row.attempt },
          { head: 'LAST ANSWER', of: (row) => row.lastAnswer },
        ],
        'There are no such events.',
      ),
      data: rows.map((row) => ({ ...withCaseRef(row), to: counterpartyOf(row) })),
    }
  },
})

const replay = command({
  name: 'exchange replay',
  summary: 'resend an event unchanged',
  usage: '<eventID> [--program partner]',
  options: side,
  async run({ args, options: { program }, env }: ExchangeSide) {
    const eventId = requireArgument(args, 'the id of the event')
    const found =
      sideOf(program) === 'platform'
        ? await repeatOnPlatform(env, 'sent', eventId)
        : await replayOnPartner(env, eventId)
    if (!found) throw new CannotRun(`outgoing event ${eventId} does not exist`)
    const { caseRef, type } = found
    return { text: `${type} of case ${caseRef} will be resent within a second.`, data: { eventId, caseRef, type } }
  },
})

export const exchange: Group = {
  name: 'exchange',
  summary: 'the exchange with lending partners: transcripts, pending events, retries, conformance tests',
  commands: [...operationsOf('exchange'), transcript, held, retry, outgoing, replay, conformCommand],
}
