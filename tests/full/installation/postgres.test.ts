// The embedded PostgreSQL: it keeps its data, survives kills, and is never started twice.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { postmasterOf } from '@lendloom/cli/src/postgres/cluster.ts'
import {
  ClusterInUse,
  createDatabase,
  databaseUrl,
  type Postgres,
  startPostgres,
} from '@lendloom/cli/src/postgres/server.ts'
import { invocation } from '@lendloom/cli/src/postgres/user.ts'
import { inboxOf, type NewInboundEvent, receive } from '@lendloom/event-log/inbox'
import { Refusal } from '@lendloom/foundation/refusal'
import { refusalFrom } from '@lendloom/http/src/refusal-of-error.ts'
import { migrate } from '@lendloom/postgres/migrate'
import { connect, type Db, isCommitUnknown } from '@lendloom/postgres/sql'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { Client } from 'pg'

const home = mkdtempSync(join(tmpdir(), 'lendloom-postgres-'))
// As in a clone under /root: only the owner may enter.
chmodSync(home, 0o700)
const directory = join(home, 'data', 'postgres')
const settings = { shared_buffers: '16MB', io_method: 'sync' }
after(() => {
  const left = postmasterOf(directory)
  if (left) process.kill(left.pid, 'SIGQUIT')
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function running<T>(work: (server: Postgres) => Promise<T>): Promise<T> {
  const server = await startPostgres({ directory, settings })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** Starts a launcher in a separate process that can be killed; resolves with the server's process ID. */
async function launcher(): Promise<{ kill(): Promise<void>; postmaster: number }> {
  const script = `
    import { startPostgres } from '@lendloom/cli/src/postgres/server.ts'
    const { pid } = await startPostgres(${JSON.stringify({ directory, settings })})
    console.log(pid)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--conditions=inside', '--input-type=module', '--eval', script], {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { kill, postmaster: Number(String(line)) }
}

/** Cancels every wait for the standby until the writes have ended, and returns their results. */
async function cancelling(admin: Db, writes: Promise<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
  let isOver = false
  const ended = Promise.allSettled(writes).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await admin`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    await sleep(5)
  }
  return ended
}

const arriving = (number: number): NewInboundEvent => ({
  sender: 'PARTNER',
  eventId: `00000000-0000-4000-8000-00000000000${number}`,
  type: 'STATUS',
  partitionKey: 'case-1',
  entityType: 'LOAN',
  entityId: 'loan-1',
  entityVersion: number,
  raw: Buffer.from(`{"number":${number}}`),
  receivedAt: new Date(),
})

const linux = { skip: process.platform !== 'linux' && 'needs /proc and setpriv' }

describe('a server and its data through starts and kills, one story', () => {
  test('starts in a new private directory, and keeps its data between starts', async () => {
    await running(async ({ url }) => {
      const own = await createDatabase(url, 'kept')
      await ask(own, 'create table loan (id int); insert into loan (id) values (7)')
      assert.equal(await createDatabase(url, 'kept'), own, 'making a database twice is making it once')
    })
    await running(async ({ url }) => {
      assert.deepEqual(await ask(databaseUrl(url, 'kept'), 'select id from loan'), [{ id: 7 }])
    })
  })

  test('its settings make commits durable, and its role is not a superuser', async () => {
    await running(async ({ url }) => {
      const [row] = await ask(
        url,
        `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
          current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
          (select rolsuper from pg_roles where rolname = current_user) as super`,
      )
      assert.deepEqual(row, { fsync: 'on', commit: 'on', checksums: 'on', encoding: 'UTF8', super: false })
    })
  })

  test('connections need the password, which only its owner can read', async () => {
    await running(async ({ url, port }) => {
      await assert.rejects(
        ask(`postgres://lendloom:guess@127.0.0.1:${port}/postgres`, 'select 1'),
        /authentication failed/,
      )
      await assert.rejects(ask(`postgres://postgres@127.0.0.1:${port}/postgres`, 'select 1'), /no pg_hba.conf entry/)
      assert.ok(port < 32_768)
      assert.ok(url.includes(readFileSync(join(directory, 'lendloom.secret'), 'utf8')))
    })
    assert.equal(statSync(join(directory, 'lendloom.secret')).mode & 0o777, 0o600)
  })

  test('a second launcher is rejected while the first one runs, and takes over after it was killed', async () => {
    const first = await launcher()
    await assert.rejects(startPostgres({ directory, settings }), (error) => {
      assert.ok(error instanceof ClusterInUse)
      assert.match(error.message, /already running.*launcher \d+/)
      return true
    })
    assert.equal(postmasterOf(directory)?.pid, first.postmaster, 'the refused one has not touched the server')
    await first.kill()
    assert.equal(postmasterOf(directory)?.pid, first.postmaster, 'the server has outlived its launcher')
    await running(async ({ url, pid }) => {
      assert.notEqual(pid, first.postmaster)
      assert.deepEqual(await ask(databaseUrl(url, 'kept'), 'select id from loan'), [{ id: 7 }])
    })
  })

  test('a killed server is restarted with its committed data', async () => {
    const server = await startPostgres({ directory, settings })
    await ask(databaseUrl(server.url, 'kept'), 'insert into loan (id) values (8)')
    process.kill(server.pid, 'SIGKILL')
    await server.ended
    await running(async ({ url, port }) => {
      assert.equal(port, server.port, 'programs find it where it was')
      assert.deepEqual(await ask(databaseUrl(url, 'kept'), 'select id from loan order by id'), [{ id: 7 }, { id: 8 }])
    })
  })

  test('D3 §4.2: a write that the standby lacks is not acknowledged if the wait is cancelled, nor when it is repeated', async () => {
    const server = await startPostgres({ directory, settings: { ...settings, synchronous_standby_names: 'missing' } })
    const local = new URL(databaseUrl(server.url, 'kept'))
    local.searchParams.set('options', '-c synchronous_commit=local')
    const admin = connect(local.href, { connections: 2 })
    const db = connect(databaseUrl(server.url, 'kept'), { connections: 1 })
    try {
      await migrate(admin, migrationsOf.platform)
      await admin`create table waited (id integer primary key)`
      const [before] = await db<{ pid: number }>`select pg_backend_pid() as pid`
      const seal = sealWith(newSealKey('k1'))
      const inbox = inboxOf({ db, seal })
      const events = (numbers: number[]) => numbers.map((number) => receive({ inbox }, arriving(number)))
      const notAcknowledged = async (...writes: Promise<unknown>[]) => {
        for (const one of await cancelling(admin, writes)) {
          assert.ok(one.status === 'rejected' && isCommitUnknown(one.reason), JSON.stringify(one))
          const refusal = refusalFrom(one.reason)
          assert.ok(refusal instanceof Refusal && refusal.kind === 'upstream')
        }
      }
      await notAcknowledged(db`insert into waited (id) values (1)`)
      await notAcknowledged(db.tx((tx) => tx`insert into waited (id) values (2)`))
      // The first write is alone; the others follow in one batch, so their rows are not written one by one.
      await notAcknowledged(...events([1, 2, 3]))
      await notAcknowledged(...events([1, 2, 3]))
      assert.deepEqual(await db`select id from waited order by id`, [{ id: 1 }, { id: 2 }], 'it is committed here')
      assert.deepEqual(await db`select pg_backend_pid() as pid`, [before], 'the connection is as good as before')
    } finally {
      await Promise.all([db.close(), admin.close()])
      await server.stop()
    }
  })

  test('a process ID that another process has reused does not prevent a start', linux, async () => {
    writeFileSync(join(directory, 'postmaster.pid'), `${process.pid}\n${directory}\n1\n5432\n\n127.0.0.1\n0 0\nready\n`)
    await running(async ({ pid }) => assert.notEqual(pid, process.pid))
  })
})

test('an interrupted start does not block the next one', async () => {
  const unfinished = join(home, 'other', 'postgres.new-2147483647')
  mkdirSync(unfinished, { recursive: true })
  writeFileSync(join(unfinished, 'PG_VERSION'), '18\n')
  const server = await startPostgres({ directory: join(home, 'other', 'postgres'), settings })
  await server.stop()
  assert.equal(existsSync(unfinished), false)
})

test('a used port is reported by number, a directory with other content by name', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await assert.rejects(startPostgres({ directory, settings, port }), new RegExp(`port ${port} is taken`))
  other.close()
  await assert.rejects(startPostgres({ directory: home }), /is not empty and holds no PostgreSQL data/)
})

test('as root, the server gets one capability, and only if needed', linux, () => {
  const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
  const open = invocation(nobody, '/bin/true', ['x'], ['/bin/true'])
  assert.deepEqual(open, { command: '/bin/true', args: ['x'], options: { uid: 65_534, gid: 65_534 } })
  const closed = invocation(nobody, '/bin/true', ['x'], [join(home, 'data')])
  assert.match(closed.command, /setpriv$/)
  assert.deepEqual(
    closed.args.filter((arg) => arg.includes('caps')),
    ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
  )
  assert.deepEqual(invocation(null, '/bin/true', [], [home]), { command: '/bin/true', args: [], options: {} })
})
