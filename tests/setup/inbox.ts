// Fixtures for tests of inbox and outbox: a partner database, numbered messages, and countable effects.
import { after } from 'node:test'
import {
  type Inbox,
  type InboxEvent,
  type InboxWorkerOptions,
  inboxOf,
  inboxWorker,
  type NewInboundEvent,
  receive,
} from '@lendloom/event-log/inbox'
import { type Clock, systemClock } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { connect, type Db, type Tx } from '@lendloom/postgres/sql'
import type { Worker } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import { newSealKey, type Seal, sealWith } from '@lendloom/seal/seal'
import { testDatabase } from './database.ts'

export interface Effect {
  partitionKey: string
  entityId: string
  version: number
  eventId: string
}

interface RecordedAlert {
  subject: string
  facts: Record<string, unknown>
}

export interface TestInbox {
  db: Db
  seal: Seal
  inbox: Inbox
  databaseUrl: string
  keys: string
  readonly alerts: RecordedAlert[]
  /** Starts a worker that stops with the test file; each application of a message adds an effect row. */
  start(options?: Partial<InboxWorkerOptions>): Worker
  stopAll(): Promise<void>
  effects(partitionKey?: string): Promise<Effect[]>
  /** Returns the outcome of each settled event, by event ID. */
  outcomes(): Promise<Map<string, string>>
  waiting(): Promise<number>
  clear(): Promise<void>
}

/** Call at the top of a test file. */
export async function testInbox(databaseUrl?: string): Promise<TestInbox> {
  const url = databaseUrl ?? (await testDatabase('partner'))
  const keys = newSealKey('t1')
  const db = connect(url, { connections: 12 })
  const seal = sealWith(keys)
  const workers = new Set<Worker>()
  const alerts: RecordedAlert[] = []
  const stopAll = async () => {
    await Promise.all([...workers].map((worker) => worker.stop()))
    workers.clear()
  }
  after(async () => {
    await stopAll()
    await db.close()
  })
  await db`create table if not exists effect (place bigint generated always as identity, case_ref text, entity_id text, version integer, event_id uuid)`
  return {
    db,
    seal,
    inbox: inboxOf({ db, seal }),
    databaseUrl: url,
    keys,
    alerts,
    stopAll,
    start(options = {}) {
      const alert = (subject: string, facts: Record<string, unknown>) => void alerts.push({ subject, facts })
      const given = {
        db,
        seal,
        clock: systemClock as Clock,
        log: quietLog,
        alert,
        apply: recordEffect,
        reportFailure: async () => {},
      }
      const worker = inboxWorker({ ...given, ...options })
      workers.add(worker)
      return worker
    },
    effects: (partitionKey) => db<Effect>`
      select case_ref as partition_key, entity_id, version, event_id from effect
      where ${partitionKey ?? null}::text is null or case_ref = ${partitionKey ?? null}::text order by place`,
    async outcomes() {
      const rows = await db<{ eventId: string; outcome: string }>`select event_id, outcome from inbox_outcome`
      return new Map(rows.map(({ eventId, outcome }) => [eventId, outcome]))
    },
    async waiting() {
      const [row] = await db<{ count: number }>`select count(*)::int as count from inbox_waiting`
      return row!.count
    },
    async clear() {
      await db`truncate inbox, inbox_waiting, inbox_entity, inbox_outcome, effect`
      alerts.length = 0
    },
  }
}

/** Inserts an effect row; nothing prevents duplicates, so tests can count them. */
export async function recordEffect(
  tx: Tx,
  { partitionKey, entityId, entityVersion, eventId }: InboxEvent,
): Promise<void> {
  await tx`insert into effect (case_ref, entity_id, version, event_id) values (${partitionKey}, ${entityId}, ${entityVersion}, ${eventId})`
}

/** Returns an ordinary message with overrides. */
export function message(given: Partial<NewInboundEvent> & { note?: unknown } = {}): NewInboundEvent {
  const { note, ...rest } = given
  const eventId = rest.eventId ?? uuidv4()
  const partitionKey = rest.partitionKey ?? 'case-1'
  return {
    sender: 'LENDLOOM',
    eventId,
    type: 'KYC_UPDATED',
    partitionKey,
    entityType: 'CASE',
    entityId: partitionKey,
    entityVersion: 1,
    raw: Buffer.from(JSON.stringify({ eventId, note })),
    receivedAt: new Date(),
    ...rest,
  }
}

/** Returns messages of one case with versions 1 to `versions`. */
export const messages = (partitionKey: string, versions: number): NewInboundEvent[] =>
  Array.from({ length: versions }, (_, i) => message({ partitionKey, entityVersion: i + 1 }))

export const receiveAll = (inbox: Pick<TestInbox, 'inbox'>, events: NewInboundEvent[]) =>
  Promise.all(events.map((event) => receive(inbox, event)))
