// The lending partner in the console over real HTTP: events, gaps, retries and files.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { sendEvent } from '#platform/lenders/partner/deliver-events.ts'
import { listNewest } from '#platform/people/audit/store.ts'

const lender = await startLenderExchange()
const platform = await testPlatform(lender.env)
const { ctx, tenant, secondTenant } = platform
const { tenantId } = tenant
const operator = await consoleUser(platform, { role: 'operator' })
const viewer = await consoleUser(platform, { role: 'viewer' })
const tenantAdmin = await consoleUser(platform, { role: 'admin', tenantId })
const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })
const partner = ctx.config.PARTNER_CREDENTIALS!.webhook.sender

/** Queues an event to the partner, for a new case. */
async function queueEvent() {
  const caseSetup = await caseAt(platform, 'DISBURSED')
  const data = exampleData('PAYMENT_CLAIM_SUBMITTED')
  const eventId = await ctx.db.tx(async (tx) =>
    sendEvent({ ...ctx, tx, at: ctx.clock() }, await caseSetup.loanCase(), {
      type: 'PAYMENT_CLAIM_SUBMITTED',
      data,
    }),
  )
  return { eventId, caseRef: caseSetup.ids.caseRef, path: `/partner/events/sent/${eventId}` }
}

/** Receives a partner event whose predecessor is missing. */
async function receiveEarlyEvent(caseRef: string, minutesAgo: number, version = 3) {
  const eventId = randomUUID()
  const raw = Buffer.from(JSON.stringify({ event_id: eventId, data: { pan: 'ABCPE1234F', status: 'OPEN' } }))
  const receivedAt = secondsAfter(ctx.clock(), -60 * minutesAgo)
  const event = { sender: partner, eventId, type: 'LOAN_STATUS_UPDATED', partitionKey: caseRef, raw, receivedAt }
  await ctx.inbox({ ...event, entityType: 'CASE', entityId: caseRef, entityVersion: version })
  await ctx.db`update inbox_waiting set stuck_since = ${receivedAt}, stuck_because = 'waits for version 1', due_at = ${secondsAfter(ctx.clock(), 3600)}
    where event_id = ${eventId}`
  return { eventId, path: `/partner/events/received/${eventId}` }
}

test('D3 §6: lists events of both directions with state, and alerts about gaps older than 15 minutes', async () => {
  const { eventId, caseRef, path } = await queueEvent()
  const earlyEvent = await receiveEarlyEvent(caseRef, 20)
  const { status, body } = await viewer.ask('GET', `/partner/events?caseRef=${caseRef}`)
  assert.equal(status, 200, JSON.stringify(body))
  const summarize = (items: { direction: string; eventId: string; state: string }[]) =>
    items.map(({ direction, eventId, state }) => ({ direction, eventId, state }))
  assert.deepEqual(summarize(body.items), [
    { direction: 'sent', eventId, state: 'WAITING' },
    { direction: 'received', eventId: earlyEvent.eventId, state: 'GAP' },
  ])
  const [lendingPartner] = (await operator.ask('GET', '/lending-partners')).body.items
  assert.equal(body.items[0].partner, lendingPartner.name)
  assert.deepEqual(
    body.items.map(({ facts }: { facts: { status: string | null; amount: string | null } }) => ({
      status: facts.status,
      amount: facts.amount,
    })),
    [
      { status: null, amount: exampleData('PAYMENT_CLAIM_SUBMITTED').amount },
      { status: 'OPEN', amount: null },
    ],
  )
  const ofPartner = (id: string) => viewer.ask('GET', `/partner/events?caseRef=${caseRef}&partnerId=${id}`)
  assert.equal((await ofPartner(lendingPartner.partnerId)).body.items.length, 2)
  assert.equal((await ofPartner(randomUUID())).body.items.length, 0)
  assert.equal(body.alert.count, 1)
  assert.equal(typeof body.alert.oldestSince, 'string')
  const { body: first } = await viewer.ask('GET', `/partner/events?caseRef=${caseRef}&limit=1`)
  const { body: second } = await viewer.ask('GET', `/partner/events?caseRef=${caseRef}&after=${first.next}`)
  assert.deepEqual(summarize([...first.items, ...second.items]), summarize(body.items))
  assert.equal(
    summarize((await tenantAdmin.ask('GET', `/partner/events?state=GAP&caseRef=${caseRef}`)).body.items).length,
    1,
  )
  const { body: detail } = await tenantAdmin.ask('GET', earlyEvent.path)
  assert.equal(detail.missingVersion, 1)
  assert.equal(detail.because, 'waits for version 1')
  assert.doesNotMatch(detail.body, /ABCPE1234F/)
  assert.match(detail.body, /"status": "OPEN"/)
  assert.match((await viewer.ask('GET', path)).body.body, /PAYMENT_CLAIM_SUBMITTED/)
  for (const query of ['?after=x', '?state=LOST', '?caseRef=1'])
    assert.equal((await viewer.ask('GET', `/partner/events${query}`)).status, 400, query)
})

test('an instant that does not exist is refused at its field', async () => {
  for (const from of ['2026-13-01T00:00Z', '2026-01-32T00:00Z', '2026-01-01T24:00Z', '2026-01-01T00:60:00Z']) {
    const { status, body } = await operator.ask('GET', `/partner/events?from=${from}`)
    assert.equal(status, 400, from)
    assert.equal(body.error.details.field, 'from', from)
  }
})

test('D3 §6 rule 8: only platform staff can resend a dead event and retry a waiting one', async () => {
  const { eventId, caseRef, path } = await queueEvent()
  await ctx.db`update outbox set state = 'DEAD', due_at = null, dead_at = now(), attempt = 7, last_answer = '409' where event_id = ${eventId}`
  assert.equal((await viewer.ask('GET', path)).body.state, 'CONFLICT')
  const earlyEvent = await receiveEarlyEvent(caseRef, 1)
  for (const who of [viewer, tenantAdmin]) {
    assert.equal((await who.ask('POST', `${path}/again`)).status, 403)
    assert.equal((await who.ask('POST', `${earlyEvent.path}/again`)).status, 403)
  }
  const replayed = await operator.ask('POST', `${path}/again`)
  assert.equal(replayed.status, 200)
  assert.equal(replayed.body.state, 'WAITING')
  assert.equal(replayed.body.tries, 0)
  const retried = await operator.ask('POST', `${earlyEvent.path}/again`)
  assert.equal(retried.status, 200, JSON.stringify(retried.body))
  assert.ok(new Date(retried.body.nextTryAt) <= ctx.clock())
  const acts = (await listNewest(ctx.db, tenantId, null, 2)).map(({ act }) => act)
  assert.deepEqual(acts, ['EVENT_RETRIED', 'EVENT_REPLAYED'])
  await ctx.db`delete from inbox_waiting where event_id = ${earlyEvent.eventId}`
  assert.equal((await operator.ask('POST', `${earlyEvent.path}/again`)).status, 409)
})

test('D3 §4.3: a file that the partner rejected can be uploaded again, but not a pending one', async () => {
  const { caseRef } = await queueEvent()
  const insertFile = async (state: string) => {
    const documentReferenceId = uuidv7(Date.now(), bucketOf(caseRef))
    const row = {
      tenantId,
      caseRef,
      documentReferenceId,
      requestId: uuidv4(bucketOf(caseRef)),
      documentType: 'KYC_REPORT',
      state,
    }
    const content = { fileName: 'kyc-report.pdf', contentType: 'application/pdf', bytesSealed: Buffer.alloc(1) }
    const refusedBecause = state === 'REFUSED' ? 'FILE_CORRUPT' : null
    await ctx.db`insert into partner_document ${ctx.db({ bucket: bucketOf(caseRef), ...row, ...content, refusedBecause, createdAt: ctx.clock() })}`
    return `/partner/files/${documentReferenceId}`
  }
  const rejectedFile = await insertFile('REFUSED')
  const pendingFile = await insertFile('WAITING')
  assert.equal((await tenantAdmin.ask('GET', '/partner/files')).body.items.length, 2)
  assert.equal((await tenantAdmin.ask('POST', `${rejectedFile}/resend`)).status, 403)
  assert.equal((await operator.ask('POST', `${pendingFile}/resend`)).status, 409)
  assert.equal((await operator.ask('POST', `${rejectedFile}/resend?tenantId=${secondTenant.tenantId}`)).status, 404)
  const setStage = (stage: string) => ctx.db`update partner_case set stage = ${stage} where case_ref = ${caseRef}`
  await setStage('ENDED')
  assert.deepEqual((await tenantAdmin.ask('GET', '/partner/files')).body.items, [], 'nothing needs these files')
  assert.equal((await operator.ask('POST', `${rejectedFile}/resend`)).status, 409)
  await setStage('DISBURSED')
  const resent = await operator.ask('POST', `${rejectedFile}/resend`)
  assert.equal(resent.status, 200, JSON.stringify(resent.body))
  assert.equal(resent.body.state, 'WAITING', JSON.stringify(resent.body))
})

test('staff of another tenant see no events and no files', async () => {
  const { path, caseRef } = await queueEvent()
  const earlyEvent = await receiveEarlyEvent(caseRef, 20)
  for (const each of [path, earlyEvent.path]) assert.equal((await outsider.ask('GET', each)).status, 404)
  const { body } = await outsider.ask('GET', `/partner/events?caseRef=${caseRef}`)
  assert.deepEqual(body.items, [])
  assert.equal(body.alert.count, 0)
  assert.deepEqual((await outsider.ask('GET', '/partner/files')).body.items, [])
  for (const each of ['/partner/events', '/partner/files'])
    assert.equal((await outsider.ask('GET', `${each}?tenantId=${tenantId}`)).status, 404)
})
