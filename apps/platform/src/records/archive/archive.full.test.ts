// The archive: what was settled ninety days ago moves to objects, stays readable, and is lost with its key.
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readArchive } from '@lendloom/archive/archive'
import type { ArchivedRow } from '@lendloom/archive/archived-row'
import { replay } from '@lendloom/event-log/outbox'
import type { ObjectBackend } from '@lendloom/files/object-store'
import { daysAfter } from '@lendloom/foundation/clock'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { consoleUser } from '@lendloom/tests/setup/console'
import { fullJourney, personalTexts } from '@lendloom/tests/setup/console-journey'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import { resendDelivery } from '#platform/integrators/webhook/resend-delivery.ts'
import { checkForRepeat } from '#platform/lenders/network/check-received-message.ts'
import { interpretMessage } from '#platform/lenders/network/inbound/interpret-message.ts'
import { readWaiting } from '#platform/lenders/network/inbound/store.ts'
import { archiveForm } from '#platform/lenders/network/messages/store.ts'
import { archiveRefusedMessage, receiveCallback } from '#platform/lenders/network/receive-callback.ts'
import { findJourney, lockJourney } from '#platform/lending/journey/store.ts'
import { detailsOf } from '#platform/people/audit/reason.ts'
import { rebuildFigures } from '#platform/records/figures/rebuild-figures.ts'
import { updateFigures } from '#platform/records/figures/update-figures.ts'
import { eraseJourneyRows } from '#platform/records/privacy/erase/store.ts'
import { listRecipients } from '#platform/records/privacy/store.ts'
import { platformColumns } from '#platform/sealed-columns.ts'
import { archiveEnded, archiveWorkers } from './nightly-archive.ts'
import { ownerOf } from './store.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-archive-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env, RATE_LIMITS: 'off', ARCHIVE_DIR: directory })
const { ctx, tenant } = platform
const { db, seal } = ctx
const objects = ctx.archive!
await ask(`${platform.url}/api/lab/webhook-endpoints`, {
  method: 'POST',
  key: tenant.apiKey,
  body: { url: 'http://127.0.0.1:9/hook' },
})
const tables = [
  'network_message',
  'inbound_message',
  'lifecycle_event',
  'webhook_delivery',
  'webhook_try',
  'inbox',
  'outbox',
]

type Snapshot = Map<string, { table: string; row: Record<string, unknown>; values: Record<string, unknown> }>

/** Bytes that are no text, as the fixture has them in answers of webhooks, are archived in base64. */
const storedText = (bytes: Buffer) => (isUtf8(bytes) ? bytes.toString() : { base64: bytes.toString('base64') })

/** Every row of these tables with its opened values, by table and content of its other columns. */
async function snapshot(): Promise<Snapshot> {
  const found: Snapshot = new Map()
  for (const table of tables) {
    const columns = platformColumns.filter((each) => each.table === table && each.column !== 'callback_url_sealed')
    const { rows } = await db.pool.query<{ row: Record<string, unknown> }>(`select to_jsonb(t) as row from ${table} t`)
    for (const { row } of rows) {
      const values: Record<string, unknown> = {}
      for (const { column, context } of columns) {
        const hex = row[column]
        delete row[column]
        if (typeof hex !== 'string') continue
        const bound = context.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name]))
        values[column.replace('_sealed', '')] = storedText(seal.open(Buffer.from(hex.slice(2), 'hex'), bound))
      }
      found.set(`${table} ${JSON.stringify(row)}`, { table, row, values })
    }
  }
  return found
}

/** A journey of which everything is settled, unless it still runs. */
async function settledJourney() {
  const { journeyId } = await fullJourney(platform, lender)
  await db`update webhook_delivery set state = 'DELIVERED', due_at = null, last_attempt_at = created_at`
  for (const { applicationId, deliveryId, bucket } of await db<{
    applicationId: string
    deliveryId: string
    bucket: number
  }>`
    select application_id, delivery_id, bucket from webhook_delivery where journey_id = ${journeyId}`)
    await db.tx(
      (tx) =>
        tx`insert into webhook_try ${tx({
          tenantId: tenant.tenantId,
          applicationId,
          deliveryId,
          bucket,
          number: 1,
          state: 'PENDING',
          answer: '500',
          answerSealed: seal.bytes(Buffer.from([0xff, 0x00]), `webhook_try:${tenant.tenantId}:${deliveryId}`),
          tookMs: 1,
          at: ctx.clock(),
        })}`,
    )
  await db`update outbox set state = 'DELIVERED', due_at = null`
  await db`update inbound_message set state = 'APPLIED', applied_at = at where state in ('WAITING', 'IGNORED')`
  await db`
    insert into inbox_outcome (tenant_id, case_ref, sender, event_id, outcome, settled_at)
    select ${tenant.tenantId}::uuid, case_ref, sender, event_id, 'APPLIED', now() from inbox_waiting`
  await db`delete from inbox_waiting`
  return { tenantId: tenant.tenantId, journeyId }
}

const later = () => daysAfter(ctx.clock(), 100)
const run = (archive: ObjectBackend = objects) => archiveEnded({ ...ctx, archive }, later())

async function archivedOf(key: { tenantId: string; journeyId: string }): Promise<ArchivedRow[]> {
  const rows: ArchivedRow[] = []
  for await (const row of readArchive({ db, seal, objects }, ownerOf(key))) rows.push(row)
  return rows
}

const files = () => globSync('object/*/*', { cwd: directory }).sort()

test('moves the values of settled rows, reads them with every column, and leaves the rest', async () => {
  const key = await settledJourney()
  const before = await snapshot()
  assert.equal((await archiveEnded({ ...ctx, archive: objects }, daysAfter(ctx.clock(), 89))).rows, 0, 'too young')
  const { owners, rows } = await run()
  assert.ok(owners === 1 && rows > 8, `${owners} journeys, ${rows} rows`)
  const archived = await archivedOf(key)
  assert.equal(archived.length, rows)
  assert.deepEqual([...new Set(archived.map(({ table }) => table))].sort(), [...tables].sort())
  for (const { table, row, values } of archived) {
    const original = before.get(`${table} ${JSON.stringify(row)}`)
    assert.ok(original, `${table} ${JSON.stringify(row)}`)
    assert.deepEqual(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)), original.values)
  }
  const after = await snapshot()
  const moved = new Set(archived.map(({ table, row }) => `${table} ${JSON.stringify(row)}`))
  for (const [name, { values }] of after) assert.deepEqual(values, moved.has(name) ? {} : before.get(name)?.values)
  const gone = [...before.keys()].filter((name) => !after.has(name))
  assert.ok(gone.length === 1 && moved.has(gone[0]!) && gone[0]!.startsWith('inbound_message'), 'an applied callback')
  assert.ok(
    files().length === 1 && !personalTexts.some((each) => readFileSync(join(directory, files()[0]!)).includes(each)),
  )
  assert.deepEqual(await run(), { owners: 0, rows: 0 }, 'a running journey is due again a month later')
})

test('everything of a lender that was not chosen leaves the database, and has no effect when it arrives again', async () => {
  const key = await settledJourney()
  const { journeyId } = key
  await db`update conversation set stage = 'ENDED', ended_because = 'the borrower chose another offer' where journey_id = ${journeyId}`
  const [{ conversationId } = { conversationId: '' }] = await db<{ conversationId: string }>`
    select conversation_id from conversation where journey_id = ${journeyId}`
  const formKey = uuidv7(ctx.clock().getTime(), bucketOf(journeyId))
  await archiveForm(db, seal, {
    ...key,
    messageKey: formKey,
    conversationId,
    party: 'bank.example',
    action: 'form',
    messageId: formKey,
    url: 'https://bank.example/form',
    headers: {},
    body: Buffer.from('pan=ABCPE4321F'),
    at: ctx.clock(),
  })
  const recipients = await listRecipients(db, key)
  const messages = () => db<{ action: string; messageId: string }>`
    select action, message_id from network_message where journey_id = ${journeyId} order by at`
  const before = await messages()
  assert.deepEqual(
    before.map(({ action }) => action).filter((action) => action !== 'form'),
    ['select', 'on_select'],
  )
  const records = () => db<{ number: number }>`
    select number from inbound_message where journey_id = ${journeyId} order by number`
  const newest = (await records()).at(-1)
  await run()
  assert.deepEqual(
    await messages(),
    before.filter(({ action }) => action === 'form'),
  )
  assert.deepEqual(await records(), [newest])
  assert.deepEqual(
    (await listRecipients(db, key)).map(({ name }) => name),
    recipients.map(({ name }) => name),
    'the borrower learns who got the data',
  )
  const archived = (await archivedOf(key)).filter(({ table }) => table === 'network_message')
  assert.equal(archived.length, before.length)
  await db.tx(async (tx) => {
    const journey = (await lockJourney(tx, key.tenantId, journeyId))!
    const context = {
      bpp_id: 'bank.example',
      message_id: before.find(({ action }) => action === 'on_select')!.messageId,
      version: '2.0.3',
      domain: 'ONDC:FIS12',
    } as never
    const raw = Buffer.from(JSON.stringify({ context }))
    const again = { action: 'on_select', context, message: undefined, raw, headers: {} } as const
    await receiveCallback({ ...ctx, tx, at: later() }, journey, again)
    const [waiting] = await readWaiting(tx, key.tenantId, journeyId)
    const meaning = await interpretMessage({ ...ctx, tx, at: later() }, waiting!)
    assert.match('ignored' in meaning ? meaning.ignored : '', /^the conversation has ended/)
  })
})

test('an old error of an offer that was not chosen does not reach the chosen offer of the same subscriber', async () => {
  const key = await settledJourney()
  const { journeyId } = key
  const [row] = await db<{ conversationId: string }>`
    select conversation_id from conversation where journey_id = ${journeyId}`
  const [message] = await db<{ messageId: string }>`
    select message_id from network_message where journey_id = ${journeyId} and action = 'select'`
  const chosenId = uuidv7(ctx.clock().getTime(), bucketOf(journeyId))
  await db`
    insert into conversation select (jsonb_populate_record(c, jsonb_build_object('conversation_id', ${chosenId}::text, 'item_id', 'other'))).*
    from conversation c where journey_id = ${journeyId}`
  await db`update conversation set stage = 'ENDED' where conversation_id = ${row!.conversationId}`
  await run()
  await db.tx(async (tx) => {
    const journey = (await lockJourney(tx, key.tenantId, journeyId))!
    const context = {
      bpp_id: 'bank.example',
      message_id: message!.messageId,
      version: '2.0.3',
      timestamp: later().toISOString(),
    } as never
    const raw = Buffer.from(JSON.stringify({ context, error: { code: '40000' } }))
    const again = { action: 'on_select', context, message: undefined, raw, headers: {} } as const
    await assert.rejects(
      receiveCallback({ ...ctx, tx, at: later() }, journey, again),
      /no conversation with this lender matches/,
    )
  })
})

test('a recount of the figures keeps those of requests whose rows have left the database', async () => {
  const { journeyId } = await settledJourney()
  await db`update conversation set stage = 'ENDED' where journey_id = ${journeyId}`
  const requests = () => db`
    select begins_at, grain, outcome, count from figure where name = 'network' order by begins_at, grain, outcome`
  await updateFigures({ db, clock: () => daysAfter(ctx.clock(), 2) }, () => true)
  const before = await requests()
  assert.ok(before.length > 0)
  await run()
  await rebuildFigures({ db, clock: later }, { from: null, isNew: true }, () => {})
  assert.deepEqual(await requests(), before)
})

test('messages of the chosen lender keep their rows after the loan has ended, also those that we refused', async () => {
  const { tenantId, journeyId } = await settledJourney()
  const refused = {
    action: 'on_status',
    sender: 'bank.example',
    code: '30000',
    why: 'message is required',
    raw: Buffer.from('{}'),
  } as const
  const journey = (await findJourney(db, tenantId, journeyId))!
  await archiveRefusedMessage(ctx, journey, { ...refused, headers: {}, body: {} }, ctx.clock())
  await db`update conversation set stage = 'ENDED' where journey_id = ${journeyId}`
  await db`
    update offer set conversation_id = (select conversation_id from conversation where journey_id = ${journeyId})
    where journey_id = ${journeyId} and selected_at is not null`
  await run()
  const left = await db`select body_sealed from network_message where journey_id = ${journeyId}`
  assert.deepEqual(left, [{ bodySealed: null }, { bodySealed: null }, { bodySealed: null }])
})

test('refuses to resend what is archived, recognises repetitions, and shows it in the console', async () => {
  const key = await settledJourney()
  const [message] = await db<{ messageId: string }>`
    select message_id from network_message where journey_id = ${key.journeyId} and action = 'on_select'`
  const bppId = 'bank.example'
  const context = { bpp_id: bppId, message_id: message!.messageId } as never
  const repeat = (text: string) =>
    checkForRepeat({ tx: db as never, seal }, key as never, { action: 'on_select', context, raw: Buffer.from(text) })
  await assert.rejects(repeat('{"message":{}}'), /another message/)
  await run()
  assert.equal(await repeat('{"message":{}}'), true)
  const [delivery] = await db<{ deliveryId: string; applicationId: string; eventId: string }>`
    select delivery_id, application_id, event_id from webhook_delivery where journey_id = ${key.journeyId} limit 1`
  const [event] = await db<{ caseRef: string; eventId: string }>`
    select o.case_ref, o.event_id from outbox o join partner_case k on k.case_ref::text = o.case_ref
    where k.journey_id = ${key.journeyId} limit 1`
  const at = ctx.clock()
  await assert.rejects(
    db.tx((tx) => resendDelivery(tx, { ...key, ...delivery! }, { deliveryId: delivery!.deliveryId }, at)),
    /in the archive: it can be read/,
  )
  await assert.rejects(
    db.tx((tx) => replay(tx, { ...key, partitionKey: event!.caseRef, eventId: event!.eventId }, at)),
    /in the archive: it can be read/,
  )
  const user = await consoleUser(platform, { role: 'operator' })
  const { body: page } = await user.ask('GET', `/journeys/${key.journeyId}/timeline?tenantId=${key.tenantId}&limit=100`)
  for (const source of ['network', 'delivery', 'update', 'sent', 'received']) {
    const entry = page.items.find(({ id }: { id: string }) => id.startsWith(`${source}.`))
    assert.ok(entry, source)
    const path = `/journeys/${key.journeyId}/timeline/${encodeURIComponent(entry.id)}?tenantId=${key.tenantId}`
    const { body: detail } = await user.ask('GET', path)
    assert.ok(detail.raw, `${source}: ${JSON.stringify(detail)}`)
  }
  const shown = await user.ask('GET', `/webhooks/deliveries/${delivery!.deliveryId}?tenantId=${key.tenantId}`)
  assert.match(JSON.stringify(shown.body.request.body), /network_transaction_id/)
})

test('a crash after the object, a row that changes meanwhile, and two workers lose and repeat nothing', async () => {
  const key = await settledJourney()
  const count = files().length
  const crash = {
    ...objects,
    write: async (name: string, bytes: Buffer) => {
      await objects.write(name, bytes)
      throw new Error('killed')
    },
  }
  const before = await snapshot()
  await assert.rejects(run(crash), /cannot be written: killed/)
  assert.deepEqual(await snapshot(), before, 'nothing is emptied')
  assert.equal(files().length, count + 1)
  let isChanged = false
  const changing = {
    ...objects,
    write: async (name: string, bytes: Buffer) => {
      await objects.write(name, bytes)
      if (!isChanged) await db`update network_message set tries = tries + 1 where journey_id = ${key.journeyId}`
      isChanged = true
    },
  }
  const [first, second] = await Promise.all([run(changing), run()])
  const archived = await archivedOf(key)
  assert.equal(archived.length, first.rows + second.rows)
  assert.equal(new Set(archived.map(({ table, row }) => `${table} ${JSON.stringify(row)}`)).size, archived.length)
  const tries = archived.filter(({ table }) => table === 'network_message').map(({ row }) => row.tries)
  assert.ok(tries.every((each) => Number(each) >= 0))
  const left = [...(await snapshot()).values()].filter(
    ({ row, values }) => row.journey_id === key.journeyId && Object.keys(values).length > 0,
  )
  assert.deepEqual(left, [])
})

test('DPDP §12: an erasure deletes the key, so that no copy of an object can be read, and then the objects', async () => {
  const key = await settledJourney()
  const known = new Set(files())
  await run()
  const own = files().filter((name) => !known.has(name))
  assert.equal(own.length, 1)
  const copy = readFileSync(join(directory, own[0]!))
  await db.tx((tx) =>
    eraseJourneyRows(tx, key, {
      profileSealed: Buffer.alloc(1),
      networkTransactionId: uuidv4(bucketOf(key.journeyId)),
      erasedAt: ctx.clock(),
    }),
  )
  assert.deepEqual(await archivedOf(key), [])
  const keys = await db`select 1 from archive_key where journey_id = ${key.journeyId}`
  assert.deepEqual(keys, [])
  assert.throws(() => seal.open(copy, own[0]!.slice(-64)), /does not hold/)
  const workers = archiveWorkers(ctx)
  await waitFor(async () => !files().includes(own[0]!))
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(await run(), { owners: 0, rows: 0 }, 'an erased journey gets no new key')
})

test('archive run, list and read: masked by default, revealed with a reason in the audit log', async () => {
  const key = await settledJourney()
  const clockFile = join(directory, 'clock.json')
  writeFileSync(clockFile, JSON.stringify({ aheadMs: 100 * 86_400_000, from: new Date(0).toISOString() }))
  const {
    run: runLine,
    runJson,
    runFailing,
  } = commandLine({
    ...keysAndAddressOf(ctx),
    DATABASE_URL: ctx.config.DATABASE_URL,
    ARCHIVE_DIR: directory,
    CLOCK_FILE: clockFile,
  })
  assert.match((await runFailing('archive', 'read', key.journeyId)).errorOutput, /nothing of .* is archived/)
  assert.ok((await runJson('archive', 'run')).rows > 8)
  const { items: parts } = await runJson('archive', 'list', '--journey', key.journeyId)
  assert.equal(parts.length, 1)
  assert.equal(parts[0].number, 1)
  const { text } = await runLine('archive', 'read', key.journeyId)
  assert.match(text, /"table":"network_message"/)
  assert.deepEqual(
    personalTexts.filter((each) => text.includes(each)),
    [],
  )
  assert.match((await runFailing('archive', 'read', key.journeyId, '--reveal')).errorOutput, /--reason/)
  const reason = 'audit of this loan by the lender'
  const revealed = await runLine('archive', 'read', key.journeyId, '--reveal', '--reason', reason)
  assert.match(revealed.text, /9876501234/)
  const [entry] = await db<{ sequence: number; detail: string }>`
    select sequence, detail from audit_entry where act = 'PERSONAL_DATA_REVEALED' and subject = ${key.journeyId}`
  const details = await detailsOf(ctx, key.tenantId, [entry!])
  assert.deepEqual(details.get(entry!.sequence), { fields: 'archive', reason })
})
