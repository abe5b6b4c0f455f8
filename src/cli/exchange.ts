// `lendloom exchange …`: messages between platform and lending partner, pending ones, and retries of given-up ones.
import type { PartnerEventDetail } from '#contract/console/partner.ts'
import { listHeld, retryNow } from '#kit/messaging/inbox.ts'
import { listOutbox, replay as replayEvent } from '#kit/messaging/outbox.ts'
import { CannotRun, command, type Group, only, table, UsageError } from './command.ts'
import { consoleOf } from './console/ask.ts'
import { idOf } from './console/words.ts'
import { withDatabase } from './database.ts'
import { conformCommand } from './exchange/conform.ts'
import { files, resendFile } from './exchange/files.ts'
import { type ExchangeSide, otherSides, side, sideOf } from './exchange/side.ts'
import { transcript } from './exchange/transcript.ts'

/** Messages of the exchange are kept by the reference of their case. */
const withCase = <Row extends { partitionKey: string }>({ partitionKey: caseRef, ...row }: Row) => ({ caseRef, ...row })

/** On the platform's side the console does it, so that the audit log has it. */
const onceMore = (env: NodeJS.ProcessEnv, direction: string, eventId: string) =>
  consoleOf(env)<PartnerEventDetail>('POST /partner/events/{direction}/{eventId}/again', {
    params: { direction, eventId: idOf([eventId], 'the event') },
  })

const replayOfPartner = (env: NodeJS.ProcessEnv, eventId: string) =>
  withDatabase('partner', env, async (db) => {
    const [event] = await listOutbox(db, { eventId })
    return event && (await db.tx((tx) => replayEvent(tx, event, new Date()))) ? withCase(event) : null
  })

const held = command({
  name: 'exchange held',
  summary: 'events that were received and wait: for one that is missing before them, or for another try',
  usage: '[--program partner]',
  options: side,
  async run({ options: { program }, env }: ExchangeSide) {
    const rows = await withDatabase(sideOf(program), env, (db) => listHeld(db))
    const cells = rows.map((row) => [
      row.eventId,
      row.sender,
      `${row.entityType} ${row.entityId} v${row.entityVersion}`,
      row.stuckSince.toISOString(),
      row.because,
    ])
    const head = ['EVENT', 'SENDER', 'OBJECT', 'SINCE', 'BECAUSE']
    return { text: rows.length > 0 ? table(head, cells) : 'Nothing waits.', data: rows.map(withCase) }
  },
})

const again = command({
  name: 'exchange look-again',
  summary: 'look at a waiting event now, when what it waited for was put right',
  usage: '<sender> <eventID> [--program partner]',
  options: side,
  async run({ args, options: { program }, env }: ExchangeSide) {
    const [sender, eventId, ...more] = args
    if (!sender || !eventId || more.length > 0) throw new UsageError('say the sender and the id of the event')
    const found =
      sideOf(program) === 'platform'
        ? await onceMore(env, 'received', eventId)
        : await withDatabase('partner', env, (db) => db.tx((tx) => retryNow(tx, sender, eventId, new Date())))
    if (!found) throw new CannotRun(`no event ${eventId} of ${sender} waits`)
    return { text: 'It is looked at within a second.', data: { sender, eventId } }
  },
})

const outgoing = command({
  name: 'exchange outgoing',
  summary: 'events for the other side, the newest first, and whether they arrived',
  usage: '[--dead] [--case <caseRef>] [--program partner]',
  options: {
    ...side,
    dead: { type: 'boolean', about: 'only those that were given up' },
    case: { type: 'string', value: 'caseRef', about: 'only those about one case' },
  },
  async run({ options: { program, dead, case: caseRef }, env }) {
    const filter = { ...(dead && { state: 'DEAD' as const }), ...(caseRef && { partitionKey: caseRef }) }
    const which = sideOf(program)
    const { rows, partners } = await withDatabase(which, env, async (db) => {
      const rows = await listOutbox(db, filter)
      const caseRefs = [...new Set(rows.map(({ partitionKey }) => partitionKey))]
      return { rows, partners: await otherSides(which, db, caseRefs) }
    })
    const partnerOf = ({ partitionKey }: { partitionKey: string }) => partners.get(partitionKey) ?? ''
    const cells = rows.map((row) => [
      row.eventId,
      partnerOf(row),
      row.type,
      `${row.entityType} ${row.entityId} v${row.entityVersion}`,
      row.state,
      String(row.attempt),
      row.lastAnswer ?? '',
    ])
    const head = [
      'EVENT',
      which === 'platform' ? 'PARTNER' : 'PLATFORM',
      'TYPE',
      'OBJECT',
      'STATE',
      'TRIES',
      'LAST ANSWER',
    ]
    return {
      text: rows.length > 0 ? table(head, cells) : 'There is none.',
      data: rows.map((row) => ({ ...withCase(row), to: partnerOf(row) })),
    }
  },
})

const replay = command({
  name: 'exchange replay',
  summary: 'send an event again, unchanged: a delivery is repeated, never what it is about',
  usage: '<eventID> [--program partner]',
  options: side,
  async run({ args, options: { program }, env }: ExchangeSide) {
    const eventId = only(args, 'the id of the event')
    const found =
      sideOf(program) === 'platform' ? await onceMore(env, 'sent', eventId) : await replayOfPartner(env, eventId)
    if (!found) throw new CannotRun(`there is no event ${eventId} for the other side`)
    const { caseRef, type } = found
    return { text: `${type} of case ${caseRef} is sent again within a second.`, data: { eventId, caseRef, type } }
  },
})

export const exchange: Group = {
  name: 'exchange',
  summary: 'the exchange with lending partners: transcripts, what waits, what was given up, and trying any partner',
  commands: [transcript, held, again, outgoing, replay, files, resendFile, conformCommand],
}
