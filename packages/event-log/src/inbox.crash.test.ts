// Every acknowledged message is stored and applied once, even if the receiver, the worker or PostgreSQL is killed.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { createDatabase, startPostgres } from '@lendloom/cli/src/postgres/server.ts'
import { migrate } from '@lendloom/postgres/migrate'
import { connect } from '@lendloom/postgres/sql'
import { type Effect, messages, receiveAll, testInbox } from '@lendloom/tests/setup/inbox'
import { until } from '@lendloom/tests/setup/programs'
import { receive } from './inbox.ts'

const inbox = await testInbox()
const children = new Set<ChildProcess>()
after(() => children.forEach((child) => void child.kill('SIGKILL')))

function spawnProgram(source: string, env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=inside', '--input-type=module', '--eval', source], {
    env: { ...process.env, DATABASE_URL: inbox.databaseUrl, KEYS: inbox.keys, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Longer than a lease, which lasts 30 seconds. */
const pastLeaseMs = 31_000

/** A worker that kills itself `KILL_AFTER_MS` after its first effect, if this variable is set. */
const worker = `
import { recordEffect } from '@lendloom/tests/setup/inbox'
import { inboxWorker } from './packages/event-log/src/inbox.ts'
import { quietLog } from '@lendloom/foundation/log'
import { sealWith } from '@lendloom/seal/seal'
import { connect } from '@lendloom/postgres/sql'
const { DATABASE_URL, KEYS, CLOCK_AHEAD_MS, KILL_AFTER_MS } = process.env
let killTimer
inboxWorker({
  db: connect(DATABASE_URL), seal: sealWith(KEYS), log: quietLog, alert() {}, async reportFailure() {},
  // The clock is ahead, so that leases of previously killed workers have expired.
  clock: () => new Date(Date.now() + Number(CLOCK_AHEAD_MS ?? 0)),
  async apply(tx, event) {
    // The timer starts at the first effect, so that a slow machine also makes progress.
    if (KILL_AFTER_MS) killTimer ??= setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(KILL_AFTER_MS))
    await recordEffect(tx, event)
  },
})
`

test('D3 §4.2: workers that are killed repeatedly apply every message once and in order', async () => {
  const all = Array.from({ length: 60 }, (_, i) => messages(`case-${i}`, 20)).flat()
  await receiveAll(inbox, all)
  let kills = 0
  for (let ahead = 0; (await inbox.waiting()) > 0; ahead += pastLeaseMs) {
    // The first eight workers kill themselves after different delays.
    const killAfter: Record<string, string> = kills < 8 ? { KILL_AFTER_MS: String((kills * 37) % 60) } : {}
    const child = spawnProgram(worker, { CLOCK_AHEAD_MS: String(ahead), ...killAfter })
    await until(
      'the worker is killed or no message is waiting',
      async () => child.signalCode !== null || (await inbox.waiting()) === 0,
    )
    if (child.signalCode === null) await kill(child)
    kills++
  }
  assert.ok(kills >= 2, `${kills} kills`)
  assertAppliedInOrder(await inbox.effects(), 60, 20)
})

function assertAppliedInOrder(effects: Effect[], cases: number, versions: number): void {
  assert.equal(effects.length, cases * versions)
  for (const [, caseEffects] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(
      caseEffects.map(({ version }) => version),
      Array.from({ length: versions }, (_, i) => i + 1),
    )
}

const receiver = `
import { message } from '@lendloom/tests/setup/inbox'
import { inboxOf, receive } from './packages/event-log/src/inbox.ts'
import { sealWith } from '@lendloom/seal/seal'
import { connect } from '@lendloom/postgres/sql'
const inbox = { inbox: inboxOf({ db: connect(process.env.DATABASE_URL), seal: sealWith(process.env.KEYS) }) }
for (let sender = 0; sender < 32; sender++)
  void (async () => {
    for (let version = 1; ; version++) {
      const event = message({ partitionKey: 'sender-' + sender, entityVersion: version })
      const { seen } = await receive(inbox, event)
      if (seen === 'first') process.stdout.write(event.eventId + '\\n')
    }
  })()
`

test('D3 §4.2: a receiver that is killed under load has stored every message that it acknowledged', async () => {
  await inbox.clear()
  const child = spawnProgram(receiver)
  const lines: string[] = []
  createInterface(child.stdout!).on('line', (line) => void lines.push(line))
  await until('messages are stored', () => lines.length > 500)
  await kill(child)
  await until('all output of the killed receiver is read', async () => {
    const before = lines.length
    await sleep(50)
    return lines.length === before
  })
  const rows = await inbox.db<{
    eventId: string
  }>`select event_id from inbox join inbox_waiting using (sender, event_id)`
  const stored = new Set(rows.map(({ eventId }) => eventId))
  const completeLines = lines.filter((line) => line.length === 36)
  assert.deepEqual(
    completeLines.filter((eventId) => !stored.has(eventId)),
    [],
  )
})

test('D3 §4.2: acknowledged messages are applied once when PostgreSQL is killed under load and restarted', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lendloom-inbox-'))
  const start = { directory: join(home, 'postgres'), settings: { shared_buffers: '32MB', io_method: 'sync' } }
  let server = await startPostgres(start)
  after(async () => {
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  })
  const url = await createDatabase(server.url, 'partner')
  const db = connect(url, { connections: 1 })
  await migrate(db, migrationsOf.partner)
  await db.close()
  const crashInbox = await testInbox(url)
  let ahead = 0
  crashInbox.start({ clock: () => new Date(Date.now() + ahead) })
  const acknowledged: string[] = []
  let isStopped = false
  const senders = Array.from({ length: 16 }, async (_, slot) => {
    for (const event of messages(`case-${slot}`, 2000)) {
      if (isStopped) return
      // Like a real sender, repeats a message until it is acknowledged.
      for (let isAnswered = false; !isAnswered; )
        isAnswered = await receive(crashInbox, event).then(
          () => true,
          () => sleep(20, false),
        )
      acknowledged.push(event.eventId)
    }
  })
  await until('messages are stored', () => acknowledged.length > 300)
  process.kill(server.pid, 'SIGKILL')
  await server.ended
  server = await startPostgres({ ...start, port: server.port })
  // Leases from before the crash have expired by this time.
  ahead = pastLeaseMs
  const acknowledgedBefore = acknowledged.length
  await until('messages are stored again', () => acknowledged.length > acknowledgedBefore + 300)
  isStopped = true
  await Promise.all(senders)
  await until(
    'every acknowledged message is applied',
    async () => (await crashInbox.outcomes()).size === acknowledged.length,
  )
  const effects = await crashInbox.effects()
  assert.deepEqual(new Set(effects.map(({ eventId }) => eventId)), new Set(acknowledged))
  assert.equal(effects.length, acknowledged.length)
  for (const [, caseEffects] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(
      caseEffects.map(({ version }) => version),
      caseEffects.map((_, i) => i + 1),
    )
})
