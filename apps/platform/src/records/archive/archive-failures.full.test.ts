// The archive with large and damaged rows, a failing store and damaged objects, and what it must leave in the database.
import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { listParts } from '@lendloom/archive/archive'
import { directoryBackend } from '@lendloom/files/object-store'
import { daysAfter } from '@lendloom/foundation/clock'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { consoleUser } from '@lendloom/tests/setup/console'
import { fullJourney } from '@lendloom/tests/setup/console-journey'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { archiveForm, archiveIncoming, recordOutcome } from '#platform/lenders/network/messages/store.ts'
import { archiveEnded } from './nightly-archive.ts'
import { ownerOf } from './store.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-archive-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env, RATE_LIMITS: 'off', ARCHIVE_DIR: directory })
const { ctx, tenant } = platform
const { db, seal } = ctx
const archive = ctx.archive!
const later = () => daysAfter(ctx.clock(), 100)
const run = (objects = archive, options = {}) => archiveEnded({ ...ctx, archive: objects }, later(), options)

async function newJourney() {
  const { journeyId } = await fullJourney(platform, lender)
  return { tenantId: tenant.tenantId, journeyId }
}
type JourneyKey = Awaited<ReturnType<typeof newJourney>>

async function receive(key: JourneyKey, body: string): Promise<string> {
  const messageKey = uuidv7(ctx.clock().getTime(), bucketOf(key.journeyId))
  await db.tx((tx) =>
    archiveIncoming(tx, seal, {
      ...key,
      messageKey,
      conversationId: null,
      party: 'bank.example',
      action: 'on_search',
      messageId: messageKey,
      body: Buffer.from(body),
      at: ctx.clock(),
      headers: { authorization: 'x' },
      outcome: 'ACK',
    }),
  )
  return messageKey
}

const daysUntilDue = async ({ journeyId }: JourneyKey): Promise<number | null> => {
  const [row] = await db<{ dueAt: Date | null }>`select due_at from archive_key where journey_id = ${journeyId}`
  return row?.dueAt ? Math.round((row.dueAt.getTime() - later().getTime()) / 86_400_000) : null
}
const hasBody = async (messageKey: string): Promise<boolean> =>
  (await db`select 1 from network_message where message_key = ${messageKey} and body_sealed is not null`).length > 0

test('parts have a limited size, and a journey with rows left is due the next day', async () => {
  const key = await newJourney()
  const large = JSON.stringify({ text: 'x'.repeat(2 ** 20 - 100) })
  for (let i = 0; i < 20; i++) await receive(key, large)
  await run()
  const parts = await listParts(db, ownerOf(key))
  assert.ok(parts.length >= 2, `${parts.length} parts`)
  assert.deepEqual(await db`select 1 from network_message where body_sealed is not null and action = 'on_search'`, [])
  assert.equal(await daysUntilDue(key), 30)
  const ended = await newJourney()
  await db`update journey set active = false, closed_at = updated_at where journey_id = ${ended.journeyId}`
  const changing = {
    ...archive,
    async write(name: string, bytes: Buffer) {
      await archive.write(name, bytes)
      await db`update network_message set tries = tries + 1 where journey_id = ${ended.journeyId}`
    },
  }
  assert.deepEqual(await run(changing), { owners: 1, rows: 0 })
  assert.equal(await daysUntilDue(ended), 1)
  await db`update archive_key set due_at = ${later()} where journey_id = ${ended.journeyId}`
  await run()
  assert.equal(await daysUntilDue(ended), null)
})

test('a loan that runs beside an expired journey is archived again', async () => {
  const key = await newJourney()
  await db`update journey set active = false, status = 'DISBURSED', closed_at = null where journey_id = ${key.journeyId}`
  await run()
  assert.equal(await daysUntilDue(key), 30)
})

test('a row that cannot be opened stays, and the others are archived', async () => {
  const key = await newJourney()
  const damaged = await receive(key, '{"a":1}')
  const sound = await receive(key, '{"a":2}')
  await db`update network_message set body_sealed = '\\x00' where message_key = ${damaged}`
  const { rows } = await run()
  assert.ok(rows > 1)
  assert.equal(await hasBody(damaged), true)
  assert.equal(await hasBody(sound), false)
  assert.equal(await daysUntilDue(key), 1)
  await db`delete from network_message where message_key = ${damaged}`
})

test('a request whose answer is awaited and an event that was set aside stay', async () => {
  const key = await newJourney()
  await db`
    update conversation set awaited_action = 'select', awaited_message_id = m.message_id, awaited_until = now() from network_message m
    where m.journey_id = conversation.journey_id and m.action = 'select' and m.direction = 'sent' and m.journey_id = ${key.journeyId}`
  await db`update inbound_message set state = 'SET_ASIDE', applied_at = at where journey_id = ${key.journeyId}`
  await run()
  const requests = await db`
    select 1 from network_message where journey_id = ${key.journeyId} and action = 'select' and body_sealed is not null`
  assert.equal(requests.length, 1)
  const kept = await db`
    select 1 from inbound_message where journey_id = ${key.journeyId} and detail_sealed is not null`
  assert.ok(kept.length > 0)
})

test('a failing store ends the sweep without postponing journeys, and leaves no draft', async () => {
  const keys = [await newJourney(), await newJourney()]
  const broken = mkdtempSync(join(tmpdir(), 'lendloom-archive-'))
  writeFileSync(join(broken, 'object'), 'a file instead of a folder')
  const before = await db`select journey_id, due_at from archive_key order by journey_id`
  await assert.rejects(run(directoryBackend(broken)), /the archive cannot be written: .*(EEXIST|ENOTDIR)/)
  assert.deepEqual(readdirSync(join(broken, 'draft')), [])
  rmSync(broken, { recursive: true })
  const known = before.map(({ journeyId }) => journeyId)
  const unchanged = await db`
    select journey_id, due_at from archive_key where journey_id = any(${known}::uuid[]) order by journey_id`
  assert.deepEqual(unchanged, before)
  for (const key of keys) assert.ok((await daysUntilDue(key))! <= 0)
  let checks = 0
  assert.equal((await run(archive, { isStopping: () => checks++ === 1 })).owners, 1)
  assert.equal((await run()).owners, 1)
})

test('reads answers and observations in the console, and masks forms and answers at the command line', async () => {
  const key = await newJourney()
  const messageKey = uuidv7(ctx.clock().getTime(), bucketOf(key.journeyId))
  const answer = { status: 422, body: JSON.stringify({ firstName: 'Vaidya', errors: ['x'] }) }
  await archiveForm(db, seal, {
    ...key,
    messageKey,
    conversationId: null,
    party: 'bank.example',
    action: 'form',
    messageId: messageKey,
    body: Buffer.from('firstName=Vaidya&line1=Fort+Road&email=asha.k%40mail.example'),
    at: ctx.clock(),
    url: 'https://bank.example/form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  await recordOutcome(db, seal, { ...key, messageKey }, { outcome: 'ACK', answer })
  await db`update inbound_message set state = 'APPLIED', applied_at = at where journey_id = ${key.journeyId}`
  await db`
    update outbox set state = 'DELIVERED', due_at = null
    where case_ref in (select case_ref::text from partner_case where journey_id = ${key.journeyId})`
  await run()
  const user = await consoleUser(platform, { role: 'operator' })
  const timeline = `/journeys/${key.journeyId}/timeline`
  const entryOf = async (id: string) =>
    (await user.ask('GET', `${timeline}/${encodeURIComponent(id)}?tenantId=${key.tenantId}`)).body
  const form = await entryOf(`network.${messageKey}`)
  assert.equal(form.detail.url, 'https://bank.example/form')
  assert.equal(form.answer.answer, '422')
  const { body: page } = await user.ask('GET', `${timeline}?tenantId=${key.tenantId}&limit=100`)
  const noted = page.items.find(({ id }: { id: string }) => id.startsWith('noted.'))
  assert.deepEqual((await entryOf(noted.id)).raw, {})
  const sent = page.items.find(({ id }: { id: string }) => id.startsWith('sent.'))
  const event = `/partner/events/sent/${sent.id.slice('sent.'.length)}?tenantId=${key.tenantId}`
  assert.notEqual((await user.ask('GET', event)).body.body, '')

  const line = commandLine({
    ...keysAndAddressOf(ctx),
    DATABASE_URL: ctx.config.DATABASE_URL,
    ARCHIVE_DIR: directory,
  })
  const { text } = await line.run('archive', 'read', key.journeyId)
  assert.match(text, /"action":"form"/)
  assert.doesNotMatch(text, /Vaidya|Fort|asha/)
  assert.match(
    (await line.runFailing('network', 'transcript', key.journeyId, '--check')).errorOutput,
    /are in the archive/,
  )
  const { text: transcript } = await line.run('network', 'transcript', key.journeyId, '--bodies')
  assert.match(transcript, /\(archived\)/)
  assert.doesNotMatch(transcript, /not JSON/)
})

test('names the object that is missing or damaged', async () => {
  const key = await newJourney()
  await run()
  const [part] = await listParts(db, ownerOf(key))
  const [path] = globSync(`object/*/${part!.objectName}`, { cwd: directory })
  const file = join(directory, path!)
  const line = commandLine({
    ...keysAndAddressOf(ctx),
    DATABASE_URL: ctx.config.DATABASE_URL,
    ARCHIVE_DIR: directory,
  })
  const failure = new RegExp(`part 1 of the archive cannot be read from object ${part!.objectName}`)
  for (const bytes of [100, 5, 0]) {
    truncateSync(file, bytes)
    assert.match((await line.runFailing('archive', 'read', key.journeyId)).errorOutput, failure)
  }
  rmSync(file)
  assert.match((await line.runFailing('archive', 'read', key.journeyId)).errorOutput, failure)
  const [message] = await db<{ messageKey: string }>`
    select message_key from network_message where journey_id = ${key.journeyId} and body_sealed is null limit 1`
  const user = await consoleUser(platform, { role: 'operator' })
  const entry = `/journeys/${key.journeyId}/timeline/network.${message!.messageKey}?tenantId=${key.tenantId}`
  assert.match(JSON.stringify((await user.ask('GET', entry)).body), failure)
  mkdirSync(file)
  assert.match((await line.runFailing('archive', 'read', key.journeyId)).errorOutput, failure)
})
