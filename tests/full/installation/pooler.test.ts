// Runs behind Debian's PgBouncer in transaction mode, if installed: a server connection is used for one transaction.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '@lendloom/postgres/migrate'
import { connect } from '@lendloom/postgres/sql'
import { testDatabase } from '#test/setup/database.ts'
import { completeProfile, startHeadlessClient } from '#test/setup/headless-api.ts'
import { missingPgbouncer, startPgbouncer } from '#test/setup/pgbouncer.ts'
import { testPlatform } from '#test/setup/platform.ts'

const installed = { skip: missingPgbouncer ?? false }

/** The same database through a separate PgBouncer with three server connections. */
async function pooled(url: string): Promise<string> {
  const { port, stop } = await startPgbouncer(url, { poolSize: 3 })
  after(stop)
  const through = new URL(url)
  through.port = String(port)
  return through.href
}

test(
  'behind a pooler statements have no name, nothing is asked of a connection at its start, migrations work',
  installed,
  async () => {
    const url = await pooled(await testDatabase('platform'))
    const unaware = connect(url, { connections: 1 })
    await assert.rejects(unaware`select 1`, /unsupported startup parameter/)
    await unaware.close()
    const db = connect(url, { connections: 12, pooler: 'transaction' })
    const directory = mkdtempSync(join(tmpdir(), 'lendloom-migrations-'))
    writeFileSync(join(directory, '900-counted.sql'), 'create table counted (id integer primary key, count integer);')
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(db, { folders: [{ directory }] })))
    assert.deepEqual(applied.flat(), ['900-counted.sql'])
    await db`insert into counted (id, count) values (${1}, ${0})`
    const limits = await Promise.all(
      Array.from({ length: 60 }, () =>
        db.tx(async (tx) => {
          await tx`update counted set count = count + ${1} where id = ${1}`
          const [row] = await tx<{ limit: string }>`
          select current_setting('idle_in_transaction_session_timeout') as limit`
          return row!.limit
        }),
      ),
    )
    assert.deepEqual([...new Set(limits)], ['1min'])
    const counts = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        i % 2 ? db`select count from counted` : db.snapshot((read) => read`select count from counted where id = ${1}`),
      ),
    )
    for (const rows of counts) assert.deepEqual(rows, [{ count: 60 }])
    await db.close()
    rmSync(directory, { recursive: true })
  },
)

test(
  'behind a pooler the platform answers every request of borrowers who come at the same time',
  installed,
  async () => {
    const url = await pooled(await testDatabase('platform'))
    const platform = await testPlatform({ DATABASE_URL: url, DATABASE_POOLER: 'transaction', RATE_LIMITS: 'off' })
    const api = startHeadlessClient(platform)
    const statuses = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const borrower = await api.borrower()
        const { status, body } = await borrower.post('/journeys', { type: 'PERSONAL_LOAN' })
        const path = `/journeys/${body.data.journeyID}`
        const replies = [await borrower.put(`${path}/profile`, completeProfile), await borrower.get(path)]
        return [status, ...replies.map((reply) => reply.status)]
      }),
    )
    assert.deepEqual(statuses, Array(16).fill([201, 200, 200]))
    assert.equal((await fetch(`${platform.url}/readyz`)).status, 200)
  },
)
