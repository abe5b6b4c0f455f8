// The exchange commands on the databases of the platform and the partner.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inboxOf, receive } from '@lendloom/event-log/inbox'
import { enqueueEvent } from '@lendloom/event-log/outbox'
import { secondsAfter } from '@lendloom/foundation/clock'
import { insertCase as insertOwned } from '@lendloom/partner/src/origination/case/store.ts'
import { insertCase } from '@lendloom/platform/src/lenders/partner/store.ts'
import { platformTenant } from '@lendloom/platform/src/people/person.ts'
import { connect, type Tx } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import { sealWith } from '@lendloom/seal/seal'
import { keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { testDatabase } from '@lendloom/tests/setup/database'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { CannotRun, UsageError } from './command.ts'
import { exchange } from './exchange.ts'

const { ctx } = await testPlatform()
const keys = ctx.config.LENDLOOM_KEYS
const urls = { platform: ctx.config.DATABASE_URL, partner: await testDatabase('partner') }
const env = { ...keysAndAddressOf(ctx), DATABASE_URL: urls.platform, PARTNER_DATABASE_URL: urls.partner }
const seal = sealWith(keys)
const at = new Date('2026-11-01T10:00:00Z')

async function run(verb: string, args: string[] = [], options: Record<string, string | boolean> = {}) {
  const found = exchange.commands.find(({ name }) => name === `exchange ${verb}`)!
  const printed = await found.run({ args, options, json: false, env })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return printed as { text: string; data: any }
}

/** Stores a case at the partner, of the platform LENDLOOM. */
async function insertPartnerCase(tx: Tx, caseRef: string): Promise<void> {
  const digest = Buffer.alloc(32)
  await insertOwned(
    tx,
    {
      caseRef,
      sender: 'LENDLOOM',
      leadId: '1',
      loanId: '2',
      product: 'BUSINESS_LOAN',
      mandateRequired: true,
      panDigest: digest,
      personDigest: digest,
      sourceEventId: uuidv4(),
      requestedPaise: 1n,
      leadSealed: digest,
    },
    at,
  )
}

/** Stores a case at the platform, of the lending partner CELESTIUM. */
async function insertPlatformCase(tx: Tx, tenantId: string, caseRef: string): Promise<void> {
  const partnerId = uuidv4()
  await tx`insert into lending_partner ${tx({
    tenantId: platformTenant,
    partnerId,
    sender: 'CELESTIUM',
    name: 'Celestium',
    url: 'http://127.0.0.1:9',
    products: [],
    rules: '{}',
    contact: '{}',
    credentialsSealed: Buffer.alloc(1),
    createdAt: at,
    updatedAt: at,
  })}`
  await insertCase(tx, { tenantId, caseRef, journeyId: uuidv4(), partnerId, dedupeRequestId: uuidv4() }, at)
}

/** Stores a case with an outgoing event, and a received event (version 2) whose version 1 is missing. */
async function storeCaseWithEvents(program: 'platform' | 'partner') {
  const db = connect(urls[program], { connections: 2 })
  after(() => db.close())
  const caseRef = uuidv4()
  const eventId = uuidv4()
  const receivedId = uuidv4()
  const [tenantId, sender] = program === 'partner' ? [noTenantId, 'LENDLOOM'] : [uuidv4(), 'CELESTIUM']
  const about = { partitionKey: caseRef, entityType: 'CASE', entityId: caseRef }
  const body = (entityVersion: number) => ({ entity_version: entityVersion, data: { borrower: { pan: 'ABCPE1234F' } } })
  const received = {
    ...about,
    sender,
    eventId: receivedId,
    type: 'KYC_UPDATED',
    entityVersion: 2,
    raw: Buffer.from('{}'),
    receivedAt: secondsAfter(at, 1),
  }
  await receive({ inbox: inboxOf({ db, seal }) }, received)
  await db.tx((tx) =>
    program === 'partner' ? insertPartnerCase(tx, caseRef) : insertPlatformCase(tx, tenantId, caseRef),
  )
  const options: Record<string, string | boolean> = program === 'partner' ? { program } : {}
  assert.match(
    (await run('transcript', [caseRef], options)).text,
    /KYC_UPDATED/,
    'a case without sent events has a transcript',
  )
  await db.tx((tx) => enqueueEvent(tx, seal, { ...about, tenantId, eventId, type: 'LEAD_REGISTERED', build: body }, at))
  return { db, caseRef, eventId, receivedId, sender, options }
}

/** The acts on an event in the audit log of the platform; the partner's log has none. */
async function actsAbout(id: string): Promise<string[]> {
  const acts = await ctx.db<{ act: string }>`select act from audit_entry where subject = ${id} order by sequence`
  return acts.map(({ act }) => act)
}

for (const program of ['platform', 'partner'] as const) {
  const { db, caseRef, eventId, receivedId, sender, options } = await storeCaseWithEvents(program)

  test(`a transcript lists sent and received events in order, with masked data unless --reveal is set (${program})`, async () => {
    const { text, data } = await run('transcript', [caseRef], options)
    assert.deepEqual(
      data.map(({ direction, type }: { direction: string; type: string }) => ({ direction, type })),
      [
        { direction: 'sent', type: 'LEAD_REGISTERED' },
        { direction: 'received', type: 'KYC_UPDATED' },
      ],
    )
    assert.match(text, /LEAD_REGISTERED.+v1.+PENDING/)
    assert.doesNotMatch((await run('transcript', [caseRef], { ...options, bodies: true })).text, /ABCPE1234F/)
    assert.match((await run('transcript', [caseRef], { ...options, bodies: true, reveal: true })).text, /ABCPE1234F/)
    await assert.rejects(run('transcript', [uuidv4()], options), CannotRun)
  })

  test(`D3 §6 rule 8: an event whose delivery was given up can be listed and resent (${program})`, async () => {
    await db`update outbox set state = 'DEAD', due_at = null, dead_at = ${at}, attempt = 6, last_answer = '503'`
    assert.match(
      (await run('outgoing', [], { ...options, dead: true })).text,
      new RegExp(`EVENT +${program === 'platform' ? 'PARTNER' : 'PLATFORM'}[\\s\\S]+${eventId} .+DEAD +6 +503`),
    )
    assert.match(
      (await run('replay', [eventId], options)).text,
      new RegExp(`LEAD_REGISTERED of case ${caseRef} will be resent`),
    )
    const [row] = await db<{ state: string; attempt: number }>`select state, attempt from outbox`
    assert.deepEqual(row, { state: 'PENDING', attempt: 0 })
    assert.equal((await run('outgoing', [], { ...options, dead: true })).text, 'There are no such events.')
    assert.deepEqual(await actsAbout(eventId), program === 'platform' ? ['EVENT_REPLAYED'] : [])
    await assert.rejects(run('replay', [uuidv4()], options), /event .* does not exist|there is no such event/)
  })

  test(`D3 §6: an event that waits for an earlier one can be listed and retried (${program})`, async () => {
    assert.equal((await run('held', [], options)).text, 'No event is waiting.')
    await assert.rejects(
      run('look-again', [sender, receivedId], options),
      /no event \S+ from \S+ is waiting|the event is not waiting/,
    )
    await db`update inbox_waiting set stuck_since = ${at}, stuck_because = 'version 1 is missing', due_at = ${secondsAfter(at, 900)}`
    assert.match((await run('held', [], options)).text, new RegExp(`${receivedId} .+CASE ${caseRef} v2 .+version`))
    await run('look-again', [sender, receivedId], options)
    assert.deepEqual(await actsAbout(receivedId), program === 'platform' ? ['EVENT_RETRIED'] : [])
    await assert.rejects(run('look-again', [sender], options), UsageError)
    await assert.rejects(run('held', [], { program: 'sandbox' }), UsageError)
  })
}
