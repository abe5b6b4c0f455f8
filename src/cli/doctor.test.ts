// `lendloom doctor` finds what is wrong with settings, databases and surroundings, and says what to do.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { newSealKey } from '#kit/crypto/seal.ts'
import { checkDigestKey } from '#kit/db/digest-key.ts'
import { connect } from '#kit/db/sql.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { fakeClamd } from '#test/setup/clamd.ts'
import { commandLine } from '#test/setup/command-line.ts'
import { testDatabase } from '#test/setup/database.ts'
import { mailServer } from '#test/setup/mail-server.ts'
import { platformEnvironment, testPlatform } from '#test/setup/platform.ts'

const page = 'docs/how-to/run-in-production.md'
const { ctx } = await testPlatform()
await checkDigestKey(ctx.db, ctx.seal)
const partnerDatabase = await testDatabase('partner')
const [mail, scanner] = [await mailServer(), await fakeClamd()]
const env = {
  ...platformEnvironment(ctx.config.DATABASE_URL, 4000),
  LENDLOOM_KEYS: ctx.config.LENDLOOM_KEYS,
  SMTP_URL: mail.url,
  CLAMD: `127.0.0.1:${scanner.port}`,
}

interface Finding {
  name: string
  state: string
  found: string
  action: string | null
}

async function findings(changes: Record<string, string> = {}): Promise<{ code: number; byName: Map<string, Finding> }> {
  const { code, data } = await commandLine({ ...env, ...changes }).run('doctor', '--json')
  return { code, byName: new Map(data.findings.map((finding: Finding) => [finding.name, finding])) }
}

test(`${page}: a sound installation passes all checks but that of the registry, which does not answer here`, async () => {
  const { code, byName } = await findings()
  const wrong = [...byName.values()].filter(({ state }) => state !== 'ok')
  assert.deepEqual(
    wrong.map(({ name, state }) => [name, state]),
    [['network entry', 'failed']],
  )
  assert.match(wrong[0]!.action!, /NETWORK_REGISTRY_URL/)
  assert.equal(code, 1)
  assert.equal(byName.size, 10)
  const foreign = await findings({ DATABASE_URL: partnerDatabase })
  assert.match(foreign.byName.get('database')!.found, /another program: it has case_file/)
})

test(`${page}: each fault has an action, and no secret is printed`, async () => {
  const wrongSettings = await findings({ SANDBOX: 'off', PORT: 'x', LENDLOOM_KEYS: 'abc' })
  assert.match(wrongSettings.byName.get('settings')!.found, /PORT must be .*\n.*/)
  assert.equal(wrongSettings.byName.has('keys'), false)
  const otherKeys = await findings({ LENDLOOM_KEYS: newSealKey('k1') })
  assert.match(otherKeys.byName.get('keys')!.action!, /LENDLOOM_DIGEST_KEY/)
  const secret = 'postgres://user:tiger-secret@127.0.0.1:9/none'
  const { code, text } = await commandLine({
    ...env,
    DATABASE_URL: secret,
    SMTP_URL: 'smtp://a:lion-secret@127.0.0.1:9',
    CLAMD: '127.0.0.1:9',
  }).run('doctor')
  assert.equal(code, 1)
  assert.match(text, /FAILED +platform database: .*ECONNREFUSED.*\n +→ check DATABASE_URL/)
  assert.match(text, /FAILED +platform mail server: .*\n +→ check SMTP_URL/)
  assert.match(text, /FAILED +platform malware scanner: /)
  assert.doesNotMatch(text, /migrations|tiger-secret|lion-secret/)
})

test(`${page}: missing migrations, overdue work and missing surroundings are found`, async () => {
  await ctx.db.tx((tx) =>
    enqueue(tx, {
      tenantId: platformTenant,
      kind: 'forgotten',
      payload: {},
      dueAt: secondsAfter(new Date(), -90 * 60),
    }),
  )
  const { byName } = await findings({ SMTP_URL: 'none', CLAMD: 'off' })
  assert.match(byName.get('overdue work')!.found, /the oldest of the jobs is due for 90 minutes/)
  assert.deepEqual([byName.get('mail server')!.state, byName.get('malware scanner')!.state], ['warning', 'warning'])
  await ctx.db`update migration set name = 'of-another-version' where name like '001%'`
  const outdated = await findings()
  assert.match(outdated.byName.get('migrations')!.action!, /lendloom migrate --program platform/)
  assert.equal(outdated.byName.has('overdue work'), false)
})

test(`${page}: without settings and without a running installation the command says what to set`, async () => {
  const directory = '/tmp/no-installation-for-doctor'
  const [code, message] = await commandLine({ LENDLOOM_DATA_DIR: directory }).runFailing('doctor')
  assert.equal(code, 1)
  assert.match(message, /npm start.*DATABASE_URL/)
  assert.equal((await commandLine({ LENDLOOM_DATA_DIR: directory }).runFailing('doctor', '--program', 'sandbox'))[0], 2)
  rmSync(directory, { recursive: true, force: true })
})

test(`${page}: the command ends and reports when the database stops answering`, async () => {
  const locked = await testDatabase('platform')
  const holder = connect(locked, { connections: 1 })
  const { promise: done, resolve: release } = Promise.withResolvers<void>()
  const holding = holder.tx(async (tx) => {
    await tx`lock table digest_key in access exclusive mode`
    const { code, byName } = await findings({ DATABASE_URL: locked })
    release()
    assert.equal(code, 1)
    assert.equal(byName.get('keys')!.state, 'failed')
    assert.equal(byName.get('migrations')!.state, 'ok')
  })
  await done
  await holding
  await holder.close()
})
