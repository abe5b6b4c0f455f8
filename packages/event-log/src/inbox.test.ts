// The inbox stores each message once, before the message is acknowledged, and independently of other messages.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { runInTrace } from '@lendloom/foundation/trace'
import { inboxDigests, rekeyDigests } from '@lendloom/postgres/rekey-digests'
import { connect, isCommitUnknown } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import { sealWith } from '@lendloom/seal/seal'
import { message, messages, receiveAll, testInbox } from '@lendloom/tests/setup/inbox'
import { tablesWith } from '@lendloom/tests/setup/stored-values'
import { inboxOf, type NewInboundEvent, receive, type StoreResult } from './inbox.ts'
import { receivedEvents } from './inbox-lists.ts'

const inbox = await testInbox()
beforeEach(() => inbox.clear())

test('D3 §4.2: a repeated id returns the original time for the same bytes, and a conflict for different bytes', async () => {
  const sent = message({ receivedAt: new Date('2026-11-01T10:00:00.123Z') })
  assert.deepEqual(await receive(inbox, sent), { seen: 'first', receivedAt: sent.receivedAt })
  const later = new Date('2026-11-01T11:00:00Z')
  assert.deepEqual(await receive(inbox, { ...sent, receivedAt: later }), { seen: 'same', receivedAt: sent.receivedAt })
  assert.deepEqual(await receive(inbox, { ...sent, raw: Buffer.from('{"other":1}') }), { seen: 'different' })
  assert.equal((await receive(inbox, { ...sent, sender: 'ANOTHER' })).seen, 'first', 'two senders may use the same id')
  assert.equal((await receive(inbox, { ...sent, eventId: sent.eventId.toUpperCase() })).seen, 'same')
})

test('D3 §4.2: 100 identical concurrent messages in two processes are stored once and get the same time', async () => {
  const other = connect(inbox.databaseUrl, { connections: 2 })
  const sent = message()
  const inboxes = [inbox, { inbox: inboxOf({ db: other, seal: sealWith(inbox.keys) }) }]
  const receipts = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      receive(inboxes[i % 2]!, { ...sent, receivedAt: new Date(sent.receivedAt.getTime() + i) }),
    ),
  )
  await other.close()
  const firsts = receipts.filter(({ seen }) => seen === 'first')
  assert.equal(firsts.length, 1)
  for (const receipt of receipts) {
    assert.notEqual(receipt.seen, 'different')
    assert.deepEqual('receivedAt' in receipt && receipt.receivedAt, 'receivedAt' in firsts[0]! && firsts[0].receivedAt)
  }
  assert.equal(await inbox.waiting(), 1)
})

test('D3 §4.2: stores one of several concurrent messages with the same id and different bytes', async () => {
  const eventId = uuidv4()
  const all = Array.from({ length: 20 }, (_, note) => message({ eventId, note }))
  const receipts = await receiveAll(inbox, all)
  assert.equal(receipts.filter(({ seen }) => seen === 'first').length, 1)
  assert.equal(receipts.filter(({ seen }) => seen === 'different').length, 19)
})

test('DPDP §8(5): the database without its keys does not confirm a guessed message; one of the previous version is recognized', async () => {
  const event = message()
  const other = message()
  await receive(inbox, event)
  const plain = hash('sha256', event.raw, 'buffer')
  assert.deepEqual(await tablesWith(inbox.db, plain.toString('hex')), [])
  await inbox.db`update inbox set body_sha256 = ${plain}, body_mac = null where event_id = ${event.eventId}`
  const repeat = async () => {
    assert.equal((await receive(inbox, event)).seen, 'same')
    assert.equal((await receive(inbox, { ...event, raw: other.raw })).seen, 'different')
  }
  await repeat()
  await rekeyDigests(inbox.db, inbox.seal, inboxDigests)
  assert.deepEqual(await tablesWith(inbox.db, plain.toString('hex')), [])
  await repeat()
})

test('two processes that receive the same messages in opposite orders do not deadlock', async () => {
  const other = connect(inbox.databaseUrl, { connections: 2 })
  const all = messages('case-1', 120)
  const otherInbox = { inbox: inboxOf({ db: other, seal: inbox.seal }) }
  const [receipts, otherReceipts] = await Promise.all([
    receiveAll(inbox, all),
    receiveAll(otherInbox, all.toReversed()),
  ])
  await other.close()
  assert.equal([...receipts, ...otherReceipts].filter(({ seen }) => seen === 'first').length, 120)
  assert.equal([...receipts, ...otherReceipts].filter(({ seen }) => seen === 'same').length, 120)
})

test('concurrent messages are stored by shared statements', async () => {
  await receive(inbox, message())
  const before = inbox.db.statements
  await receiveAll(inbox, messages('case-2', 100))
  assert.ok(inbox.db.statements - before <= 2, `${inbox.db.statements - before} statements`)
})

test('a message that the database rejects does not fail other messages of the same batch', async () => {
  const invalid = message({ partitionKey: 'NUL \0' })
  const all = [...messages('case-1', 3), invalid, ...messages('case-2', 3)]
  const settled = await Promise.allSettled(all.map((event) => receive(inbox, event)))
  assert.deepEqual(
    settled.map((result) => (result.status === 'fulfilled' ? result.value.seen : 'refused')),
    ['first', 'first', 'first', 'refused', 'first', 'first', 'first'],
  )
})

test('no message is lost when database connections are cut', async () => {
  const all = messages('case-1', 40)
  const sendUntilAcknowledged = (event: NewInboundEvent): Promise<StoreResult> =>
    receive(inbox, event).catch((error) => {
      if (!isCommitUnknown(error)) throw error
      return sendUntilAcknowledged(event)
    })
  const receipts = Promise.all(all.slice(0, 20).map(sendUntilAcknowledged))
  await inbox.db`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  const receiptsAfterCut = await Promise.all(all.slice(20).map(sendUntilAcknowledged))
  for (const { seen } of [...(await receipts), ...receiptsAfterCut]) assert.notEqual(seen, 'different')
  assert.equal(await inbox.waiting(), 40)
})

test('stores the message sealed, and reads back the exact bytes', async () => {
  const sent = message({ note: 'ABCDE1234F ₹ ü' })
  await runInTrace({ correlationId: 'req-7' }, () => receive(inbox, sent))
  const [row] = await inbox.db<{
    bodySealed: Buffer
    correlationId: string
  }>`select body_sealed, correlation_id from inbox`
  assert.equal(row!.bodySealed.includes('ABCDE1234F'), false)
  assert.equal(row!.correlationId, 'req-7')
  const [event] = await receivedEvents(inbox.db, inbox.seal, { tenantId: noTenantId, partitionKey: sent.partitionKey })
  assert.deepEqual(event!.raw, sent.raw)
  assert.equal(event!.outcome, null)
  assert.equal(event!.type, 'KYC_UPDATED')
  assert.equal(event!.entityVersion, 1)
})
