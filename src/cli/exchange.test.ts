// The exchange commands on a real database: what was said is shown without personal data, what was given up is sent again.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { secondsAfter } from '#kit/clock.ts'
import { uuidv4 } from '#kit/id.ts'
import { receive } from '#kit/inbox.ts'
import { enqueueEvent } from '#kit/outbox.ts'
import { nobody } from '#kit/queue.ts'
import { newSealKey, sealWith } from '#kit/seal.ts'
import { connect } from '#kit/sql.ts'
import { testDatabase } from '#test/setup/database.ts'
import { CannotRun, UsageError } from './command.ts'
import { exchange } from './exchange.ts'

const env = { PARTNER_DATABASE_URL: await testDatabase('partner'), LENDLOOM_KEYS: newSealKey('k1') }
const db = connect(env.PARTNER_DATABASE_URL, { connections: 2 })
after(() => db.close())
const seal = sealWith(env.LENDLOOM_KEYS)
const [caseRef, eventId, receivedId] = ['case-1', uuidv4(), uuidv4()]
const at = new Date('2026-11-01T10:00:00Z')
const about = { caseRef, entityType: 'CASE', entityId: caseRef }
const body = (entityVersion: number) => ({ entity_version: entityVersion, data: { borrower: { pan: 'ABCPE1234F' } } })
await db.tx((tx) =>
  enqueueEvent(tx, seal, { ...about, tenantId: nobody, eventId, type: 'LEAD_REGISTERED', build: body }, at),
)
await receive(
  { db, seal },
  {
    ...about,
    sender: 'LENDLOOM',
    eventId: receivedId,
    type: 'KYC_UPDATED',
    entityVersion: 2,
    raw: Buffer.from('{}'),
    receivedAt: secondsAfter(at, 1),
  },
)

async function run(verb: string, args: string[] = [], options: Record<string, unknown> = {}) {
  const found = exchange.commands.find(({ name }) => name === `exchange ${verb}`)!
  const printed = await found.run({ args, options: { program: 'partner', ...options }, json: false, env })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return printed as { text: string; data: any }
}

test('a transcript has both directions in order, and bodies without personal data unless asked', async () => {
  const { text, data } = await run('transcript', [caseRef])
  assert.deepEqual(
    data.map((each: { direction: string; type: string }) => [each.direction, each.type]),
    [
      ['sent', 'LEAD_REGISTERED'],
      ['received', 'KYC_UPDATED'],
    ],
  )
  assert.match(text, /LEAD_REGISTERED.+v1.+PENDING/)
  assert.doesNotMatch((await run('transcript', [caseRef], { bodies: true })).text, /ABCPE1234F/)
  assert.match((await run('transcript', [caseRef], { bodies: true, reveal: true })).text, /ABCPE1234F/)
  await assert.rejects(run('transcript', ['case-2']), CannotRun)
})

test('D3 §6 rule 8: what was given up is listed, and sent again unchanged by somebody who may', async () => {
  await db`update outbox set state = 'DEAD', due_at = null, dead_at = ${at}, attempt = 6, last_answer = '503'`
  assert.match(
    (await run('outgoing', [], { dead: true })).text,
    new RegExp(`${eventId} +LEAD_REGISTERED .+DEAD +6 +503`),
  )
  assert.match((await run('replay', [eventId])).text, /LEAD_REGISTERED of case case-1 is sent again/)
  const [row] = await db<{ state: string; attempt: number }>`select state, attempt from outbox`
  assert.deepEqual(row, { state: 'PENDING', attempt: 0 })
  assert.equal((await run('outgoing', [], { dead: true })).text, 'There is none.')
  await assert.rejects(run('replay', [uuidv4()]), CannotRun)
})

test('D3 §6: an event behind a gap is shown, and looked at again when asked', async () => {
  assert.equal((await run('held')).text, 'Nothing waits.')
  await assert.rejects(run('look-again', ['LENDLOOM', receivedId]), CannotRun)
  await db`update inbox_waiting set stuck_since = ${at}, stuck_because = 'version 1 is missing', due_at = ${secondsAfter(at, 900)}`
  assert.match((await run('held')).text, new RegExp(`${receivedId} +LENDLOOM +CASE case-1 v2 .+version 1 is missing`))
  await run('look-again', ['LENDLOOM', receivedId])
  await assert.rejects(run('look-again', ['LENDLOOM']), UsageError)
  await assert.rejects(run('held', [], { program: 'sandbox' }), UsageError)
})
