// Key rotation at runtime: every sealed column is listed, its values are resealed, and the old key can then be removed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import type { Ready } from '@lendloom/foundation/program'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { countByKey } from '@lendloom/postgres/reseal-values'
import { connect } from '@lendloom/postgres/sql'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { sealedColumn } from '@lendloom/seal/sealed-column'
import { testDatabase } from '@lendloom/tests/setup/database'
import { ask, freePort, platformEnvironment } from '@lendloom/tests/setup/platform'
import { home } from './installation.ts'
import { sealedColumns } from './keys/sealed-columns.ts'
import { main } from './main.ts'
import type { Program } from './program-names.ts'

const urls = {
  platform: await testDatabase('platform'),
  partner: await testDatabase('partner'),
  sandbox: await testDatabase('sandbox'),
}
const oldKey = newSealKey('k1')
const newKey = newSealKey('k2')

async function run(env: NodeJS.ProcessEnv, ...argv: string[]) {
  const lines: string[] = []
  const collect = (text: string) => void lines.push(text)
  const code = await main([...argv, '--json'], { env, print: collect, complain: collect })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return { code, output: JSON.parse(lines.join('\n')) as any }
}

test('D1 §6.6: resealing covers every sealed column', async () => {
  for (const program of Object.keys(urls) as Program[]) {
    const db = connect(urls[program], { connections: 1 })
    const rows = await db<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like '%\\_sealed' order by 1`
    const wholeColumns = sealedColumns[program].filter(({ field }) => field === undefined)
    assert.deepEqual(
      wholeColumns.map(({ table, column }) => `${table}.${column}`).sort(),
      rows.map(({ name }) => name),
    )
    // An entry needs the whole primary key, so that a query for a row reaches one server; its context names columns.
    const primary = await db<{ table: string; key: string[] }>`
      select t.relname::text as table, array(select a.attname::text from unnest(i.indkey::int[]) k (number)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number) as key
      from pg_index i join pg_class t on t.oid = i.indrelid where i.indisprimary and t.relnamespace = 'public'::regnamespace`
    for (const { table, key, context } of sealedColumns[program]) {
      assert.deepEqual([...key].sort(), primary.find((index) => index.table === table)?.key.sort(), table)
      const contextColumns = [...context.matchAll(/\{(\w+)/g)].map(([, name]) => name)
      await db.pool.query(`select ${[...key, ...contextColumns].join(', ')} from ${table} limit 0`)
    }
    await db.close()
  }
})

const running: (() => void)[] = []
after(() => {
  for (const kill of running) kill()
})

/** Starts a platform process with these keys. */
async function platform(keys: string, digestKey = '') {
  const env = {
    ...platformEnvironment(urls.platform, await freePort()),
    MODE: 'api',
    LENDLOOM_KEYS: keys,
    LENDLOOM_DIGEST_KEY: digestKey,
    // The request log would add sealed rows after each response and change the counts.
    REQUEST_LOG_DAYS: '0',
  }
  const child = spawn(process.execPath, ['apps/platform/src/main.ts'], {
    cwd: home,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  running.push(() => child.kill('SIGKILL'))
  const errors: string[] = []
  child.stderr!.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')))
  const message = await Promise.race([once(child, 'message'), once(child, 'close').then(() => null)])
  if (message === null) throw new Error(errors.join(''))
  const { url, announce } = message[0] as Ready
  return { url, tenant: (announce.sandbox as { tenant: SandboxTenant }).tenant }
}
type Running = Awaited<ReturnType<typeof platform>>

/** Opens a borrower's session. A repeat succeeds only if the process can open what was sealed the first time. */
const open = ({ url, tenant }: Running, name: string) =>
  ask(`${url}/api/v1/headless/sessions`, {
    method: 'POST',
    key: tenant.apiKey,
    headers: { 'idempotency-key': name },
    body: { borrowerExternalID: name, profile: { contactNumber: '9876543210', pan: 'ABCPE1234F' } },
  })

describe('D1 §6.6: a rotation of the keys, one story', () => {
  test('D1 §6.6: keys are rotated while some processes still seal with the old key', async () => {
    const outdated = await platform(`${oldKey},${newKey}:open`)
    assert.equal((await open(outdated, 'asha')).status, 201)
    const updated = await platform(`${newKey},${oldKey}:open`, oldKey)
    // The process with the old settings opens what the updated process sealed: the stored response, the borrower's data.
    assert.equal((await open(updated, 'ravi')).status, 201)
    assert.equal((await open(outdated, 'ravi')).status, 201)
    assert.equal((await open(updated, 'asha')).status, 201)

    const env = { DATABASE_URL: urls.platform, LENDLOOM_KEYS: `${newKey},${oldKey}:open`, LENDLOOM_DIGEST_KEY: oldKey }
    const keysInUse = async () =>
      new Set((await run(env, 'keys', 'list')).output.items.map(({ key }: { key: string }) => key))
    assert.deepEqual(await keysInUse(), new Set(['k1', 'k2']))
    const first = await run(env, 'keys', 'reseal')
    assert.equal(first.code, 0, JSON.stringify(first.output))
    assert.ok(first.output.moved >= 2, `${first.output.moved} moved`)
    assert.equal((await run(env, 'keys', 'reseal')).output.moved, 0)
    for (const each of [outdated, updated]) assert.equal((await open(each, 'asha')).status, 201)
    // A process that was not restarted still seals with the old key; the next run reseals its rows.
    assert.equal((await open(outdated, 'meera')).status, 201)
    assert.ok((await run(env, 'keys', 'reseal')).output.moved > 0)

    assert.deepEqual(await keysInUse(), new Set(['k2']), 'nothing is left under the old key')

    const newKeyOnly = await platform(newKey, oldKey)
    for (const name of ['asha', 'ravi', 'meera']) assert.equal((await open(newKeyOnly, name)).status, 201, name)
  })

  test('a program refuses to start with a wrong digest key, and names the setting', async () => {
    await assert.rejects(platform(newKey), /LENDLOOM_DIGEST_KEY is not the key that the digests/)
  })

  test('values that no key opens are reported', async () => {
    const env = { DATABASE_URL: urls.platform, LENDLOOM_KEYS: newSealKey('k3') }
    const { code, output } = await run(env, 'keys', 'reseal')
    assert.equal(code, 1)
    assert.match(output.error.message, /platform idempotency\.outcome_sealed: \d+ cannot be opened/)
  })
})

test('compressed and direct values of a key count together', async () => {
  const db = connect(urls.sandbox, { connections: 1 })
  await db`create temporary table sample (id integer primary key, value_sealed bytea not null)`
  const seal = sealWith(newKey)
  for (const [id, size] of [1, 5000].entries())
    await db`insert into sample (id, value_sealed) values (${id}, ${seal.bytes(Buffer.alloc(size), 'sample')})`
  const column = sealedColumn('sample.value_sealed', 'id', 'sample')
  assert.deepEqual(await countByKey(db, column), [{ keyId: 'k2', count: 2 }])
  await db.close()
})

test('a created key can seal; an invalid id is refused', async () => {
  const { output } = await run({}, 'keys', 'create', 'k2026')
  assert.equal(sealWith(output.key).isCurrent(sealWith(output.key).bytes(Buffer.of(1), 'x')), true)
  assert.equal((await run({}, 'keys', 'create', 'K 1')).code, 2)
})
