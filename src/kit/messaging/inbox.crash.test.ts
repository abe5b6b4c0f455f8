// Killed at any moment: the receiving process, the applying one, and PostgreSQL itself. What was answered is there, once.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, startPostgres } from '#cli/postgres/server.ts'
import { migrate } from '#kit/db/migrate.ts'
import { connect } from '#kit/db/sql.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { type Effect, messages, receiveAll, testInbox } from '#test/setup/inbox.ts'
import { until } from '#test/setup/programs.ts'
import { receive } from './inbox.ts'

const inbox = await testInbox()
const children = new Set<ChildProcess>()
after(() => children.forEach((child) => void child.kill('SIGKILL')))

/** A program in a process of its own, with nothing but the database and the keys. */
function program(source: string, env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
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

const worker = `
import { leaveEffect } from '#test/setup/inbox.ts'
import { applying } from '#kit/messaging/inbox.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { sealWith } from '#kit/crypto/seal.ts'
import { connect } from '#kit/db/sql.ts'
const { DATABASE_URL, KEYS, AHEAD, LIFE } = process.env
let end
applying({
  db: connect(DATABASE_URL), seal: sealWith(KEYS), log: quietLog, alert() {}, async failed() {},
  // What the one before held when it was killed is due for the next one.
  clock: () => new Date(Date.now() + Number(AHEAD ?? 0)),
  async apply(tx, event) {
    // From its first effect on it has so many milliseconds, by its own clock: however busy the machine is, work is left.
    if (LIFE) end ??= setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(LIFE))
    await leaveEffect(tx, event)
  },
})
`

test('D3 §4.2: a worker killed again and again applies every message once, in its order', async () => {
  const all = Array.from({ length: 60 }, (_, i) => messages(`case-${i}`, 20)).flat()
  await receiveAll(inbox, all)
  let kills = 0
  for (let ahead = 0; (await inbox.waiting()) > 0; ahead += 31_000) {
    // At a moment of its own each time: before its first commit, in the middle, between an effect and its end.
    const life: Record<string, string> = kills < 8 ? { LIFE: String((kills * 37) % 60) } : {}
    const child = program(worker, { AHEAD: String(ahead), ...life })
    await until('its end', async () => child.signalCode !== null || (await inbox.waiting()) === 0)
    if (child.signalCode === null) await kill(child)
    kills++
  }
  assert.ok(kills >= 2, `${kills} kills`)
  inOrder(await inbox.effects(), 60, 20)
})

function inOrder(effects: Effect[], cases: number, versions: number): void {
  assert.equal(effects.length, cases * versions)
  for (const [, ofCase] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(
      ofCase.map(({ version }) => version),
      Array.from({ length: versions }, (_, i) => i + 1),
    )
}

const receiver = `
import { message } from '#test/setup/inbox.ts'
import { inboxOf, receive } from '#kit/messaging/inbox.ts'
import { sealWith } from '#kit/crypto/seal.ts'
import { connect } from '#kit/db/sql.ts'
const inbox = { inbox: inboxOf({ db: connect(process.env.DATABASE_URL), seal: sealWith(process.env.KEYS) }) }
for (let sender = 0; sender < 32; sender++)
  void (async () => {
    for (let version = 1; ; version++) {
      const one = message({ partitionKey: 'sender-' + sender, entityVersion: version })
      const { seen } = await receive(inbox, one)
      if (seen === 'first') process.stdout.write(one.eventId + '\\n')
    }
  })()
`

test('D3 §4.2: a receiver killed under load has stored everything that it said it had', async () => {
  await inbox.clear()
  const child = program(receiver)
  const lines: string[] = []
  createInterface(child.stdout!).on('line', (line) => void lines.push(line))
  await until('it works', () => lines.length > 500)
  await kill(child)
  await until('all it said is read', async () => {
    const before = lines.length
    await sleep(50)
    return lines.length === before
  })
  const rows = await inbox.db<{
    eventId: string
  }>`select event_id from inbox join inbox_waiting using (sender, event_id)`
  const stored = new Set(rows.map(({ eventId }) => eventId))
  const whole = lines.filter((line) => line.length === 36)
  assert.deepEqual(
    whole.filter((eventId) => !stored.has(eventId)),
    [],
  )
})

test('D3 §4.2: PostgreSQL killed under load loses nothing that was answered, and both go on when it is back', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lendloom-inbox-'))
  const start = { directory: join(home, 'postgres'), settings: { shared_buffers: '32MB', io_method: 'sync' } }
  let server = await startPostgres(start)
  after(async () => {
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  })
  const url = await createDatabase(server.url, 'partner')
  const db = connect(url, { connections: 1 })
  await migrate(db, join(import.meta.dirname, '..', '..', 'partner', 'migrations'))
  await db.close()
  const own = await testInbox(url)
  let ahead = 0
  own.start({ clock: () => new Date(Date.now() + ahead) })
  const answered: string[] = []
  let stopped = false
  const concurrency = Array.from({ length: 16 }, async (_, slot) => {
    for (const one of messages(`case-${slot}`, 2000)) {
      if (stopped) return
      // As a sender does: the same message again until it is answered.
      for (let isAnswered = false; !isAnswered; )
        isAnswered = await receive(own, one).then(
          () => true,
          () => sleep(20, false),
        )
      answered.push(one.eventId)
    }
  })
  await until('it works', () => answered.length > 300)
  process.kill(server.pid, 'SIGKILL')
  await server.ended
  server = await startPostgres({ ...start, port: server.port })
  // What was in hand when it ended comes back with its lease.
  ahead = 31_000
  const atReturn = answered.length
  await until('it goes on', () => answered.length > atReturn + 300)
  stopped = true
  await Promise.all(concurrency)
  await until('all is applied', async () => (await own.outcomes()).size === answered.length, deadlineMs)
  const effects = await own.effects()
  assert.deepEqual(new Set(effects.map(({ eventId }) => eventId)), new Set(answered))
  assert.equal(effects.length, answered.length)
  for (const [, ofCase] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(
      ofCase.map(({ version }) => version),
      ofCase.map((_, i) => i + 1),
    )
})
