// Key rotation at runtime: every sealed column is known, values are resealed, and the old key can be removed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { newSealKey, sealWith } from '#kit/crypto/seal.ts'
import { connect } from '#kit/db/sql.ts'
import type { Ready } from '#kit/runtime/program.ts'
import type { SandboxTenant } from '#platform/access/sandbox-tenants.ts'
import { testDatabase } from '#test/setup/database.ts'
import { ask, freePort, platformEnvironment } from '#test/setup/platform.ts'
import { home } from './installation.ts'
import { sealedColumns } from './keys/sealed-columns.ts'
import { main } from './main.ts'
import type { Program } from './programs.ts'

const urls = {
  platform: await testDatabase('platform'),
  partner: await testDatabase('partner'),
  sandbox: await testDatabase('sandbox'),
}
const [older, newer] = [newSealKey('k1'), newSealKey('k2')]

async function run(env: NodeJS.ProcessEnv, ...argv: string[]) {
  const lines: string[] = []
  const say = (text: string) => void lines.push(text)
  const code = await main([...argv, '--json'], { env, print: say, complain: say })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return { code, output: JSON.parse(lines.join('\n')) as any }
}

test('D1 §6.6: resealing covers every sealed column', async () => {
  for (const program of Object.keys(urls) as Program[]) {
    const db = connect(urls[program], { connections: 1 })
    const rows = await db<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like '%\\_sealed' order by 1`
    const known = sealedColumns[program].filter(({ field }) => field === undefined)
    assert.deepEqual(
      known.map(({ table, column }) => `${table}.${column}`).sort(),
      rows.map(({ name }) => name),
    )
    // Bindings name columns that there are; keys are whole, so that a row is asked of one server alone (the bucket, the case).
    const primary = await db<{ table: string; key: string[] }>`
      select t.relname::text as table, array(select a.attname::text from unnest(i.indkey::int[]) k (number)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number) as key
      from pg_index i join pg_class t on t.oid = i.indrelid where i.indisprimary and t.relnamespace = 'public'::regnamespace`
    for (const { table, key, context } of sealedColumns[program]) {
      assert.deepEqual([...key].sort(), primary.find((one) => one.table === table)?.key.sort(), table)
      const named = [...context.matchAll(/\{(\w+)/g)].map(([, name]) => name)
      await db.pool.query(`select ${[...key, ...named].join(', ')} from ${table} limit 0`)
    }
    await db.close()
  }
})

const running: (() => void)[] = []
after(() => {
  for (const kill of running) kill()
})

/** A platform process with these keys. */
async function platform(keys: string, digestKey = '') {
  const env = {
    ...platformEnvironment(urls.platform, await freePort()),
    ...{ MODE: 'api', LENDLOOM_KEYS: keys, LENDLOOM_DIGEST_KEY: digestKey },
    // Its rows are sealed a moment after the answer: what is moved here is counted.
    REQUEST_LOG_DAYS: '0',
  }
  const child = spawn(process.execPath, ['src/platform/main.ts'], {
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

/** Opens a borrower's session, with what a process must seal and find again. */
const open = ({ url, tenant }: Running, name: string) =>
  ask(`${url}/api/v1/headless/sessions`, {
    method: 'POST',
    key: tenant.apiKey,
    headers: { 'idempotency-key': name },
    body: { borrowerExternalID: name, profile: { contactNumber: '9876543210', pan: 'ABCPE1234F' } },
  })

test('D1 §6.6: keys are rotated in steps that each process takes at its own time', async () => {
  const behind = await platform(`${older},${newer}:open`)
  assert.equal((await open(behind, 'asha')).status, 201)
  const ahead = await platform(`${newer},${older}:open`, older)
  // What the one that has restarted sealed is opened by the one that has not: the recorded answer and the borrower's data.
  assert.equal((await open(ahead, 'ravi')).status, 201)
  assert.deepEqual([(await open(behind, 'ravi')).status, (await open(ahead, 'asha')).status], [201, 201])

  const env = { DATABASE_URL: urls.platform, LENDLOOM_KEYS: `${newer},${older}:open`, LENDLOOM_DIGEST_KEY: older }
  const first = await run(env, 'keys', 'reseal')
  assert.equal(first.code, 0, JSON.stringify(first.output))
  assert.ok(first.output.moved >= 2, `${first.output.moved} moved`)
  assert.equal((await run(env, 'keys', 'reseal')).output.moved, 0)
  for (const each of [behind, ahead]) assert.equal((await open(each, 'asha')).status, 201)
  // A process that has not restarted still seals with the old key: its rows are resealed by the next run.
  assert.equal((await open(behind, 'meera')).status, 201)
  assert.ok((await run(env, 'keys', 'reseal')).output.moved > 0)

  const alone = await platform(newer, older)
  for (const name of ['asha', 'ravi', 'meera']) assert.equal((await open(alone, name)).status, 201, name)
})

test('a program refuses to start with a wrong digest key, and names the setting', async () => {
  await assert.rejects(platform(newer), /LENDLOOM_DIGEST_KEY is not the key that the digests/)
})

test('values that no key opens are reported, and all others are resealed', async () => {
  const env = { DATABASE_URL: urls.platform, LENDLOOM_KEYS: newSealKey('k3') }
  const { code, output } = await run(env, 'keys', 'reseal')
  assert.equal(code, 1)
  assert.match(output.error.message, /platform idempotency\.outcome_sealed: \d+ cannot be opened/)
})

test('a key is created for the settings', async () => {
  const { output } = await run({}, 'keys', 'create', 'k2026')
  assert.equal(sealWith(output.key).isCurrent(sealWith(output.key).bytes(Buffer.of(1), 'x')), true)
  assert.equal((await run({}, 'keys', 'create', 'K 1')).code, 2)
})
