// Backs up the embedded PostgreSQL while rows are written, kills it, and restores it to an instant elsewhere.
import assert from 'node:assert/strict'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { writeSecret } from '@lendloom/cli/src/installation.ts'
import { newKeys } from '@lendloom/cli/src/installation-keys.ts'
import { createDatabase, startPostgres } from '@lendloom/cli/src/postgres/server.ts'
import { checkDigestKey } from '@lendloom/postgres/digest-key'
import { connect } from '@lendloom/postgres/sql'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { commandLine } from '#test/setup/command-line.ts'
import { killAll } from '../../../proofs/setup/standby.ts'

const home = mkdtempSync(join(tmpdir(), 'lendloom-restore-'))
const at = (...names: string[]) => join(home, ...names)
const data = at('data')
const target = at('target')
const backups = at('backups, "old" 100%')
const settings = { shared_buffers: '16MB', io_method: 'sync' }
const keys = newKeys()
const { run, runJson, runFailing } = commandLine({ LENDLOOM_DATA_DIR: data })
const restoring = commandLine({ LENDLOOM_DATA_DIR: target })

mkdirSync(data, { mode: 0o755 })
writeSecret(join(data, 'keys.json'), keys)
let server = await startPostgres({ directory: join(data, 'postgres'), settings })
after(async () => {
  await server.stop()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})
const url = await createDatabase(server.url, 'lendloom')
let db = connect(url, { connections: 2 })
// The tables by which the keys are checked; the proof `restore` has all of them.
await db`create table digest_key (id integer primary key, fingerprint bytea not null)`
await db`create table inbox (sender text, event_id uuid, body_sealed bytea, primary key (sender, event_id))`
const seal = sealWith(keys.platform)
await checkDigestKey(db, seal)
const eventId = '01930000-0000-7000-8000-000000000001'
await db`insert into inbox (sender, event_id, body_sealed)
  values ('LENDER', ${eventId}, ${seal.bytes(Buffer.from('an event'), `inbox/LENDER/${eventId}`)})`
await db`create table written (number integer primary key)`

/** Commits numbered rows; the instant is after the answer of the last one. */
async function write(from: number, to: number): Promise<string> {
  for (let number = from; number <= to; number++) await db`insert into written (number) values (${number})`
  const [row] = await db<{
    now: string
  }>`select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`
  return row!.now
}

const fileName = 'ab'.repeat(32)
function writeFileOfPartner(content: string): void {
  mkdirSync(join(data, 'partner-files', 'object', 'ab'), { recursive: true })
  writeFileSync(join(data, 'partner-files', 'object', 'ab', fileName), content)
}

/** Takes a backup, which archives everything so far, as the server does once a minute. */
const archiveAll = () => runJson('backup', backups)

function emptyTarget(withKeys = keys): void {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { mode: 0o755 })
  writeSecret(join(target, 'keys.json'), withKeys)
}

let instant = ''

describe('operation: backups of one database, one story', () => {
  test('operation: a backup has no keys and no password, is verified by its manifest, and old ones are deleted', async () => {
    await write(1, 10)
    writeFileOfPartner('a sealed file')
    const first = await run('backup', backups)
    assert.equal(first.code, 0, first.errorOutput)
    assert.match(first.text, /contains no keys.+keys\.json/, first.errorOutput)
    const second = await runJson('backup', backups, '--keep', '1')
    const secret = readFileSync(join(data, 'postgres', 'lendloom.secret'), 'utf8')
    const names = readdirSync(second.backup, { recursive: true, encoding: 'utf8' })
    assert.ok(names.includes(join('postgres', 'backup_label')))
    for (const name of names) assert.doesNotMatch(name, /keys|secret|postmaster|pg_wal\/[0-9A-F]/)
    assert.doesNotMatch(readFileSync(join(second.backup, 'manifest.json'), 'utf8'), new RegExp(secret))
    assert.equal(second.deleted.backups, 1)
    assert.equal(readdirSync(join(backups, 'base')).length, 1)
    assert.ok(second.deleted.segments > 0, 'the segments of the deleted backup are deleted too')
  })

  test('operation: a directory with backups of another database is refused, and so is one in the data directory', async () => {
    assert.match((await runFailing('backup', join(data, 'backups'))).errorOutput, /is in the data directory/)
    const [base] = readdirSync(join(backups, 'base'))
    const other = at('other')
    cpSync(join(backups, 'base', base!), join(other, 'base', base!), { recursive: true })
    const manifest = join(other, 'base', base!, 'manifest.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"systemId":"\d/, '"systemId":"9'))
    assert.match((await runFailing('backup', other)).errorOutput, /holds backups of another database/)
  })

  test('operation: a restore to an instant has every row before it, none after it, and the files', async () => {
    instant = await write(11, 20)
    await write(21, 30)
    writeFileOfPartner('a sealed file, resealed')
    await archiveAll()
    await write(31, 40)
    await db.close()
    killAll(server.pid)
    emptyTarget()
    const restored = await restoring.runJson('restore', backups, '--to', instant)
    assert.equal(restored.files, 1)
    assert.deepEqual(restored.databases, { lendloom: 1 })
    const copy = await startPostgres({ directory: join(target, 'postgres'), settings })
    const restoredDb = connect(new URL('/lendloom', copy.url).href, { connections: 1 })
    try {
      const rows = await restoredDb<{ number: number }>`select number from written order by number`
      assert.deepEqual(
        rows.map(({ number }) => number),
        Array.from({ length: 20 }, (_, i) => i + 1),
      )
      const refused = await restoring.runFailing('backup', backups)
      assert.match(refused.errorOutput, /of this one before a restore/)
    } finally {
      await restoredDb.close()
      await copy.stop()
    }
    const file = join(target, 'partner-files', 'object', 'ab', fileName)
    assert.equal(readFileSync(file, 'utf8'), 'a sealed file, resealed')
    assert.deepEqual(readdirSync(target).sort(), ['keys.json', 'partner-files', 'postgres', 'postgres.log'])
  })

  test('operation: a restore is refused into a used directory, without keys, and to an instant outside the archive', async () => {
    const failing = async (...args: string[]) =>
      (await restoring.runFailing('restore', backups, '--json', ...args)).errorOutput
    assert.match(await failing(), /is not empty \(partner-files, postgres, postgres\.log\)/)
    rmSync(target, { recursive: true })
    mkdirSync(target)
    assert.match(await failing(), /keys\.json is missing: put the keys/)
    emptyTarget()
    assert.match(await failing('--to', '2020-01-01T00:00:00Z'), /the first backup ended at .+ not possible/)
    assert.match(await failing('--to', '2020-01-01'), /--to must be an instant with its zone/)
    const later = new Date(Date.now() + 3_600_000).toISOString()
    assert.match(await failing('--to', later), /no transaction after .+ without --to/)
    emptyTarget({ ...keys, platform: newSealKey('k1') })
    assert.match(await failing(), /keys\.json does not have the keys of the database lendloom: the digest key/)
    assert.deepEqual(readdirSync(target), ['keys.json'])
  })

  test('operation: a restore refuses a damaged file, segment or manifest, and leaves nothing behind', async () => {
    emptyTarget()
    const failing = async () => (await restoring.runFailing('restore', backups, '--json')).errorOutput
    const damaged = async (path: string, change: (path: string) => void, expected: RegExp) => {
      const before = readFileSync(path)
      change(path)
      assert.match(await failing(), expected)
      writeFileSync(path, before)
      assert.deepEqual(readdirSync(target), ['keys.json'])
    }
    const append = (path: string) => appendFileSync(path, 'x')
    const base = join(backups, 'base', readdirSync(join(backups, 'base')).at(-1)!)
    await damaged(join(base, 'postgres', 'global', 'pg_control'), append, /pg_control has other content/)
    await damaged(join(base, 'postgres', 'PG_VERSION'), (path) => rmSync(path), /the backup is damaged: ENOENT/)
    await damaged(join(base, 'manifest.json'), (path) => writeFileSync(path, '{}'), /manifest\.json is damaged/)
    await damaged(join(backups, 'files', 'partner-files', 'object', 'ab', fileName), append, /has other content/)
    const segments = readdirSync(join(backups, 'wal')).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name))
    const last = join(backups, 'wal', segments.sort().at(-1)!)
    await damaged(last, (path) => writeFileSync(path, readFileSync(path).subarray(0, 50)), /is damaged/)
  })

  test('operation: after a crash the server archives again, and --end stops that', async () => {
    server = await startPostgres({ directory: join(data, 'postgres'), settings })
    db = connect(url.replace(/:\d+\//, `:${server.port}/`), { connections: 1 })
    await write(41, 42)
    await archiveAll()
    assert.match((await run('backup', '--end')).text, /no longer archived in .+backups/)
    assert.equal(existsSync(join(data, 'postgres', 'lendloom-archive.conf')), false)
    await db.close()
  })
})
