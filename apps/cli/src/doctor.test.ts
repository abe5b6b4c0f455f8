// `lendloom doctor` finds what is wrong with settings, databases and surroundings, and says what to do.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { configFrom } from '@lendloom/foundation/config'
import { documentSettings } from '@lendloom/partner/src/origination/document/settings.ts'
import { writeOfficer } from '@lendloom/platform/src/complaints/complaint/officer/store.ts'
import { platformTenant } from '@lendloom/platform/src/people/person.ts'
import { archiveSettings } from '@lendloom/platform/src/records/archive/settings.ts'
import { checkDigestKey } from '@lendloom/postgres/digest-key'
import { connect } from '@lendloom/postgres/sql'
import { enqueue } from '@lendloom/queue/queue'
import { newSealKey } from '@lendloom/seal/seal'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { fakeClamd } from '@lendloom/tests/setup/clamd'
import { commandLine } from '@lendloom/tests/setup/command-line'
import { testDatabase } from '@lendloom/tests/setup/database'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { platformEnvironment, testPlatform } from '@lendloom/tests/setup/platform'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { fakeS3 } from '@lendloom/tests/setup/s3'
import { dotEnvOf } from './doctor/environment.ts'
import { archivePlace, checkFileStore, partnerPlace } from './doctor/file-store.ts'

const page = 'docs/how-to/run-in-production.md'
const platform = await testPlatform()
const { ctx } = platform
await checkDigestKey(ctx.db, ctx.seal)
const partnerDatabase = await testDatabase('partner')
const mail = await mailServer()
const scanner = await fakeClamd()
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
  return { code, byName: new Map(data.items.map((finding: Finding) => [finding.name, finding])) }
}

test(`${page}: a sound installation passes all checks but that of the registry, which does not answer here`, async () => {
  const { code, byName } = await findings()
  const wrong = [...byName.values()].filter(({ state }) => state !== 'ok')
  assert.deepEqual(
    wrong.map(({ name, state }) => ({ name, state })),
    [{ name: 'network entry', state: 'failed' }],
  )
  assert.match(wrong[0]!.action!, /NETWORK_REGISTRY_URL/)
  assert.equal(code, 1)
  assert.equal(byName.size, 14)
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

test(`${page}: values that no key opens and keys that no value needs are reported`, async () => {
  const keys = ctx.config.LENDLOOM_KEYS
  const officer = {
    party: 'PLATFORM',
    level: 'NODAL',
    name: 'Asha',
    email: 'a@x.example',
    phone: '022-40001234',
  } as const
  await ctx.db.tx((tx) => writeOfficer(tx, ctx.seal, officer, new Date()))
  const spare = newSealKey('spare')
  const unused = await findings({ LENDLOOM_KEYS: `${keys},${spare}:open` })
  assert.match(unused.byName.get('sealed values')!.found, /^no value of the sample needs key spare \(only opens\)$/)
  assert.equal((await findings()).byName.get('sealed values')!.state, 'ok')
  const lost = await findings({ LENDLOOM_KEYS: spare, LENDLOOM_DIGEST_KEY: keys })
  assert.match(
    lost.byName.get('sealed values')!.found,
    /^no configured key opens values of complaint_officer.contact_sealed \(key k1\)/,
  )
  const zeros = await findings({ LENDLOOM_KEYS: `z1:${Buffer.alloc(32).toString('base64')}` })
  assert.match(zeros.byName.get('settings')!.found, /a key of zeros/)
})

test(`${page}: an SMS provider is asked without sending a message, and its refusal of our key is named`, async () => {
  const provider = await startReceiver()
  const settings = { SMS_URL: provider.url('/messages'), SMS_API_KEY: 'sms-secret' }
  const check = async () => (await findings(settings)).byName.get('SMS provider')!
  provider.answer = () => 405
  const answering = await check()
  assert.equal(answering.state, 'ok')
  assert.equal(answering.found, 'the SMS provider answers')
  provider.answer = () => 401
  const refused = await check()
  assert.equal(refused.state, 'failed')
  assert.equal(refused.action, 'check SMS_API_KEY')
  assert.ok(provider.received.every(({ body }) => body.length === 0))
  await provider.stop()
  const silent = await check()
  assert.equal(silent.state, 'failed')
  assert.equal(silent.action, 'check SMS_URL')
  assert.doesNotMatch(JSON.stringify(silent), /sms-secret/)
})

test(`${page}: a journey that waits for a lender without a job is named`, async () => {
  const { url, tenant } = platform
  const { body } = await openSession(url, tenant, newApplicant())
  const { journeyId } = await enter(url, body.embedUrl)
  assert.equal((await findings()).byName.get('journeys')!.state, 'ok')
  const long = secondsAfter(new Date(), -120)
  await ctx.db`update journey set status = 'PROFILED', updated_at = ${long} where journey_id = ${journeyId}`
  const { state, found } = (await findings()).byName.get('journeys')!
  assert.equal(state, 'failed')
  assert.equal(found, `1 without an act of the borrower or a job, such as ${journeyId}`)
  await ctx.db`update journey set active = false where journey_id = ${journeyId}`
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
  assert.equal(byName.get('mail server')!.state, 'warning')
  assert.equal(byName.get('malware scanner')!.state, 'warning')
  await ctx.db`update migration set name = 'of-another-version' where name = '002-privacy.sql'`
  const outdated = await findings()
  assert.match(outdated.byName.get('migrations')!.action!, /lendloom migrate --program platform/)
  assert.equal(outdated.byName.has('overdue work'), false)
})

test(`${page}: without settings and without a running installation the command says what to set`, async () => {
  const directory = '/tmp/no-installation-for-doctor'
  const { code, errorOutput: message } = await commandLine({ LENDLOOM_DATA_DIR: directory }).runFailing('doctor')
  assert.equal(code, 1)
  assert.match(message, /npm start.*DATABASE_URL/)
  assert.equal(
    (await commandLine({ LENDLOOM_DATA_DIR: directory }).runFailing('doctor', '--program', 'sandbox')).code,
    2,
  )
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

test(`${page}: a file .env beside the environment of a program is reported`, () => {
  const environment = { DATABASE_URL: 'postgres://db/x', PORT: '4000', LOG_LEVEL: 'warn' }
  assert.match(
    dotEnvOf('platform', environment, 'PORT=5000\nLOG_LEVEL=warn')!.found,
    /environment wins over .env for PORT; only .env sets LOG_LEVEL/,
  )
  assert.equal(dotEnvOf('platform', environment, 'DATABASE_URL=postgres://db/x\nPORT=5000'), null)
  assert.equal(dotEnvOf('platform', environment, null), null)
})

test(`${page}: the file store is probed by writing, reading and deleting`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'file-store-'))
  const configAt = (PARTNER_FILES_DIR: string) => configFrom(documentSettings, { PARTNER_FILES_DIR })
  assert.equal((await checkFileStore(partnerPlace(configAt(directory)))).state, 'ok')
  assert.equal(archivePlace(configFrom(archiveSettings, {})), null)
  const archive = archivePlace(configFrom(archiveSettings, { ARCHIVE_DIR: directory }))
  assert.equal((await checkFileStore(archive!)).found, 'a probe was written, read and deleted in ARCHIVE_DIR')
  assert.deepEqual(readdirSync(directory), [])
  writeFileSync(join(directory, 'file'), '')
  assert.equal((await checkFileStore(partnerPlace(configAt(join(directory, 'file'))))).state, 'failed')
  const { bucket, objects } = await fakeS3()
  const { url, keys } = bucket
  const inBucket = {
    ...configAt(directory),
    PARTNER_S3_URL: url,
    PARTNER_S3_ACCESS_KEY_ID: keys!.accessKeyId,
    PARTNER_S3_SECRET_ACCESS_KEY: keys!.secretAccessKey,
  }
  assert.deepEqual(await checkFileStore(partnerPlace(inBucket)), {
    state: 'ok',
    found: 'a probe was written, read and deleted in the bucket of PARTNER_S3_URL',
    action: null,
  })
  assert.equal(objects.size, 0)
  rmSync(directory, { recursive: true })
})
