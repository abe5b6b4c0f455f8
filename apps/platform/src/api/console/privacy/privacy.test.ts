// Erasure of a borrower's data: by two people, by period, and what is left of it in every table.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readArchive } from '@lendloom/archive/archive'
import { daysAfter } from '@lendloom/foundation/clock'
import { businessDate } from '@lendloom/lending/calendar'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { consoleUser } from '@lendloom/tests/setup/console'
import { fullJourney, personalTexts } from '@lendloom/tests/setup/console-journey'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { storedValues } from '@lendloom/tests/setup/stored-values'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { consoleApi } from '#platform/api/console/routes.ts'
import { deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'
import { archiveIncoming } from '#platform/lenders/network/messages/store.ts'
import { partnerEventWorker } from '#platform/lenders/partner/reactions/apply-event.ts'
import { claimUrl } from '#platform/lenders/partner/servicing/claim-link.ts'
import { lockBorrowerById, upsertBorrower } from '#platform/lending/borrower/store.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { eventContext } from '#platform/lending/journey/journey.ts'
import { findByTransaction, insertEvent, lockJourney } from '#platform/lending/journey/store.ts'
import { toStoredTerms } from '#platform/lending/journey/stored-terms.ts'
import { insertFile } from '#platform/mail/store.ts'
import { verifyChain } from '#platform/people/audit.ts'
import { archiveEnded } from '#platform/records/archive/nightly-archive.ts'
import { ownerOf } from '#platform/records/archive/store.ts'
import { eraseOldAnswers, sweepPersonalData } from '#platform/records/privacy/daily-erasure.ts'
import { eraseBorrower } from '#platform/records/privacy/erase.ts'
import { listWithoutJourney, withoutJourney } from '#platform/records/privacy/identity-store.ts'
import { monthsBefore } from '#platform/records/privacy/retention-period.ts'
import { platformColumns } from '#platform/sealed-columns.ts'

const lender = await startLenderExchange()
const archiveDirectory = mkdtempSync(join(tmpdir(), 'lendloom-erased-'))
after(() => rmSync(archiveDirectory, { recursive: true }))
const platform = await testPlatform({
  ...lender.env,
  RATE_LIMITS: 'off',
  REQUEST_LOG_DAYS: '30',
  ARCHIVE_DIR: archiveDirectory,
})
const { ctx, tenant, url } = platform
const { db, seal } = ctx
const receiver = await startReceiver()
after(() => receiver.stop())
await ask(`${url}/api/lab/webhook-endpoints`, {
  method: 'POST',
  key: tenant.apiKey,
  body: { url: receiver.url('/hook') },
})
const officer = await consoleUser(platform, { role: 'grievance-officer' })
const admin = await consoleUser(platform, { role: 'admin' })
const reason = 'asked for it in complaint GR-2611-7K3Q9'

/** Settles everything that is open about a journey, and ends it: without a loan, or with a loan closed at `closedAt`. */
async function end(journeyId: string, closedAt: Date | null): Promise<void> {
  await db`update webhook_delivery set state = 'DELIVERED', due_at = null where journey_id = ${journeyId}`
  await db`update outbox set state = 'DELIVERED', due_at = null where state = 'PENDING'`
  await db`
    insert into inbox_outcome (tenant_id, case_ref, sender, event_id, outcome, settled_at)
    select ${tenant.tenantId}::uuid, case_ref, sender, event_id, 'APPLIED', now() from inbox_waiting`
  await db`delete from inbox_waiting`
  await db`update grievance set status = 'CLOSED' where journey_id = ${journeyId}`
  await db`update partner_case set stage = ${closedAt ? 'CLOSED' : 'ENDED'} where journey_id = ${journeyId}`
  await db`
    update journey set active = false, closed_at = ${closedAt}, status = ${closedAt ? 'DISBURSED' : 'NOT_OFFERED'}
    where journey_id = ${journeyId}`
}

/** Opens a session of a person, and returns the ids of its journey. */
async function openJourney(person: ReturnType<typeof newApplicant>) {
  const { body } = await openSession(url, tenant, person)
  assert.ok(body.embedUrl)
  const [ids] = await db<{ journeyId: string; borrowerId: string }>`
    select j.journey_id, j.borrower_id from journey j join borrower b using (bucket, borrower_id)
    where b.external_id = ${person.borrowerProviderID}`
  return ids!
}

/** Records a request for erasure, which another person approves. */
async function requestAndApprove(journeyId: string): Promise<void> {
  const { body } = await officer.ask('POST', `/journeys/${journeyId}/privacy/erasure`, { reason })
  await admin.ask('POST', `/privacy/erasures/${body.erasures[0].erasureId}/decision`, { approve: true })
}

const borrowerOf = async (journeyId: string): Promise<string> => {
  const [row] = await db<{ borrowerId: string }>`select borrower_id from journey where journey_id = ${journeyId}`
  return row!.borrowerId
}

/** Every place that contains one of the texts: as it is stored, or in a sealed value. */
async function placesOf(texts: string[]): Promise<string[]> {
  const { values } = await storedValues(db, seal, platformColumns)
  const found = values.flatMap(({ place, text }) => (texts.some((each) => text.includes(each)) ? place : []))
  for (const key of await db<JourneyKey>`select tenant_id, journey_id from archive_key`)
    for await (const row of readArchive({ db, seal, objects: ctx.archive! }, ownerOf(key)))
      if (texts.some((each) => JSON.stringify(row).includes(each))) found.push(`archive: ${row.table}`)
  return found
}

/** Requests are logged within half a second after their responses. */
const untilLogged = (text: string) =>
  waitFor(async () => (await placesOf([text])).includes('api_request.bodies_sealed'))

/** Writes a text into every column of the journey that takes a text of the app, the lender or the partner. */
async function plantInTexts(journeyId: string, text: string): Promise<void> {
  const json = JSON.stringify({ text })
  const linked = JSON.stringify(toStoredTerms({ ...terms, tncLink: text, kfsLink: text }))
  const texts: Record<string, string[]> = {
    [text]: [
      'partner_case.ended_because',
      'conversation.ended_because',
      'conversation.form_heading',
      'step.heading',
      'offer.rejected_stage',
      'offer.rejected_because',
    ],
    [json]: ['conversation.lender_terms', 'conversation.categories', 'conversation.extras', 'offer.agent'],
    [`[${json}]`]: ['offer.branches', 'offer.schemes', 'offer.pledges'],
    [linked]: ['offer.terms', 'offer.first_terms'],
  }
  await db`
    insert into step (bucket, tenant_id, journey_id, name, status, updated_at)
    select bucket, tenant_id, journey_id, 'kyc', 'READY', now() from journey where journey_id = ${journeyId}`
  for (const [value, places] of Object.entries(texts))
    for (const place of places) {
      const [table, column] = place.split('.')
      const { rowCount } = await db.pool.query(`update ${table} set ${column} = $1 where journey_id = $2`, [
        value,
        journeyId,
      ])
      assert.ok(rowCount! > 0, place)
    }
  await db.pool.query(
    `update inbox_outcome set reason = $1 where case_ref in (select case_ref::text from partner_case where journey_id = $2)`,
    [text, journeyId],
  )
}

/** Lets the stored answers of today pass their age. */
async function afterADay(): Promise<void> {
  await eraseOldAnswers({ db, clock: () => daysAfter(ctx.clock(), 2) })
}

test('DPDP §12: erasure on request, decided by a second person, leaves nothing of the borrower in any table', async () => {
  const { journeyId } = await fullJourney(platform, lender)
  const borrowerId = await borrowerOf(journeyId)
  const [{ externalId } = { externalId: '' }] = await db<{ externalId: string }>`
    select external_id from borrower where borrower_id = ${borrowerId}`
  await untilLogged(externalId)
  const path = `/journeys/${journeyId}/privacy`
  await plantInTexts(journeyId, personalTexts[0]!)
  await admin.ask('POST', `/journeys/${journeyId}/notes`, { text: `Call ${personalTexts[0]}` })
  await officer.ask('POST', `${path}/nominee`, { name: 'Vaidya Senior', relation: 'mother', contact: '9876501234' })
  await archiveEnded({ ...ctx, archive: ctx.archive! }, daysAfter(ctx.clock(), 100))
  const places = await placesOf(personalTexts)
  assert.ok(places.length > 5 && places.includes('archive: network_message'), 'the data is there before')

  const requested = await officer.ask('POST', `${path}/erasure`, { reason })
  assert.equal(requested.status, 200, JSON.stringify(requested.body))
  assert.equal(requested.body.journeys[0].obstacle, 'RUNNING')
  assert.equal(requested.body.erasures[0].state, 'WAITING')
  const again = await admin.ask('POST', `${path}/erasure`, { reason })
  assert.equal(again.status, 409, 'a second open request is refused')
  const [{ erasureId }] = requested.body.erasures
  const decision = `/privacy/erasures/${erasureId}/decision`
  assert.equal((await officer.ask('POST', decision, { approve: true })).status, 403, 'not by the same person')

  await end(journeyId, daysAfter(ctx.clock(), -4 * 366))
  assert.equal((await admin.ask('POST', decision, { approve: true })).status, 204)
  assert.equal((await admin.ask('POST', decision, { approve: true })).status, 409, 'a decided request stays decided')
  const { body } = await officer.ask('GET', path)
  assert.equal(body.erasures[0].state, 'DONE')
  assert.ok(body.journeys[0].erasedAt)
  assert.equal(body.nominee, null)
  assert.deepEqual(await placesOf([...personalTexts, externalId]), [])
  const [left] = await db<{ digests: number; mobile: number }>`
    select (select count(*) from profile where journey_id = ${journeyId}
        and num_nonnulls(pan_digest, email_digest, official_email_digest) > 0)::int as digests,
      (select length(mobile_digest) from borrower where borrower_id = ${borrowerId})::int as mobile`
  assert.deepEqual(left, { digests: 0, mobile: 0 })
  const { items } = (await admin.ask('GET', `/audit?tenantId=${tenant.tenantId}`)).body
  const acts = items.map(({ act }: { act: string }) => act)
  for (const act of ['ERASURE_APPROVED', 'ERASURE_REQUESTED', 'NOMINEE_RECORDED']) assert.ok(acts.includes(act), act)
})

test('DPDP §12: an erasure leaves no stored answer, logged request or reason with the app’s identifier', async () => {
  const person = newApplicant()
  const { borrowerProviderID: externalId } = person
  const headers = { 'idempotency-key': uuidv7(), 'x-correlation-id': `app-${externalId}` }
  const key = { key: tenant.apiKey, headers }
  const post = (path: string, body: unknown) => ask(`${url}${path}`, { ...key, method: 'POST', body })
  const hybrid = `/api/v1/hybrid/personal-loan/borrowers/${externalId}/journey`
  const details = { personal: person.profile }
  assert.equal((await post('/api/lab/sessions', person)).status, 201)
  const resumed = await post(hybrid, details)
  assert.equal(resumed.status, 200, JSON.stringify(resumed.body))
  await ask(`${url}${hybrid}/offers`, key)
  const [ids] = await db<{ journeyId: string; borrowerId: string }>`
    select j.journey_id, j.borrower_id from journey j join borrower b using (bucket, borrower_id)
    where b.external_id = ${externalId}`
  const { journeyId } = ids!
  await waitFor(async () => (await db`select 1 from api_request where route like '%/offers'`).length > 0)
  const logged = await db<{ path: string }>`select path from api_request where route like '%{borrowerProviderID}%'`
  assert.ok(logged.length >= 2)
  for (const { path } of logged) assert.ok(!path.includes(externalId), 'D2 §7: a path has no identifier in clear')

  const quote = `complaint of ${externalId}`
  const privacy = `/journeys/${journeyId}/privacy`
  await officer.ask('POST', `${privacy}/hold`, { reason: quote })
  await officer.ask('POST', `${privacy}/release`, { reason: quote })
  await officer.ask('POST', `${privacy}/export`, { reason: quote })
  await admin.ask('POST', `/journeys/${journeyId}/reveal`, { fields: ['mobile'], reason: quote })
  const reasonsOf = async () => {
    const { items } = (await admin.ask('GET', `/audit?tenantId=${tenant.tenantId}&limit=20`)).body
    const timeline = await admin.ask('GET', `/journeys/${journeyId}/timeline?kinds=staff`)
    const csv = await admin.ask('GET', `/audit/csv?tenantId=${tenant.tenantId}&subject=${journeyId}`)
    const acts = ['HOLD_RELEASED', 'DATA_EXPORTED', 'PERSONAL_DATA_REVEALED']
    return {
      log: acts.map((act) => items.find((item: { act: string }) => item.act === act).detail.reason),
      timeline: timeline.body.items.at(-1).title.params.detail.reason,
      isInCsv: String(csv.body).includes(quote),
    }
  }
  assert.deepEqual(await reasonsOf(), { log: [quote, quote, quote], timeline: quote, isInCsv: true })
  await end(journeyId, null)
  const { body } = await officer.ask('POST', `${privacy}/erasure`, { reason: quote })
  await admin.ask('POST', `/privacy/erasures/${body.erasures[0].erasureId}/decision`, { approve: true })
  await afterADay()
  assert.deepEqual(await placesOf([externalId]), [])
  assert.deepEqual(await reasonsOf(), { log: ['erased', 'erased', 'erased'], timeline: 'erased', isInCsv: false })
  assert.equal((await verifyChain(db, tenant.tenantId)).fault, null, 'the audit log is valid without the reasons')
})

test('every stored answer is deleted with its borrower or after a day', async () => {
  await afterADay()
  const [row] = await db<{ left: number }>`
    select count(*)::integer as left from idempotency where not exists (
      select from borrower b where idempotency.principal like 'borrower:' || b.borrower_id || ':%' and b.external_id not like 'erased:%')`
  assert.equal(row!.left, 0)
})

describe('what arrives after an erasure', () => {
  let erased: Awaited<ReturnType<typeof fullJourney>>
  let transactionId: string
  const late = 'Vaidya Kulkarni of Fort Road'

  before(async () => {
    erased = await fullJourney(platform, lender)
    transactionId = (await erased.journey()).networkTransactionId
    await end(erased.journeyId, daysAfter(ctx.clock(), -4 * 366))
    await requestAndApprove(erased.journeyId)
    assert.deepEqual(await placesOf(personalTexts), [])
  })

  test('D3 §6: the partner’s events have no effect, and their bodies are emptied: next, repeated, and after a gap', async () => {
    const { ids } = erased
    const data = { ...exampleData('DISBURSEMENT_UPDATED'), bank_reference: late }
    const event = (version: number) => lender.event('DISBURSEMENT_UPDATED', ids, version, data)
    const settled = event(1)
    const next = event(2)
    const afterGap = event(9)
    for (const each of [settled, next, afterGap]) assert.equal((await lender.post(url, each)).status, 202)
    assert.ok((await placesOf([late])).length === 3, 'the bodies are stored before the worker reads them')
    const alerts: unknown[] = []
    const log = Object.assign(Object.create(ctx.log), { error: (facts: unknown) => alerts.push(facts) })
    const worker = partnerEventWorker({ ...ctx, log })
    try {
      await until('no event waits', async () => (await db`select 1 from inbox_waiting`).length === 0)
    } finally {
      await worker.stop()
    }
    assert.deepEqual(await placesOf([late, ...personalTexts]), [])
    assert.deepEqual(alerts, [])
    const outcomes = await db<{ reason: string }>`
      select outcome, reason from inbox_outcome where event_id = any(${[settled, next, afterGap].map((each) => each.event_id)}::uuid[])`
    assert.deepEqual(outcomes, Array(3).fill({ outcome: 'SUPERSEDED', reason: 'the records of its case are erased' }))
    assert.deepEqual(await db`select 1 from outbox where case_ref = ${ids.caseRef}`, [])
    for (const each of [settled, next, afterGap])
      assert.equal((await lender.post(url, each)).status, 200, 'a repetition is recognized')
  })

  test('a callback of the network finds no journey', async () => {
    const [journey] = await db<{ networkTransactionId: string }>`
      select network_transaction_id from journey where journey_id = ${erased.journeyId}`
    assert.equal(await findByTransaction(db, transactionId), undefined)
    assert.notEqual(journey!.networkTransactionId, transactionId)
  })

  test('the next sweep erases what a transaction wrote that ran during the erasure', async () => {
    const { tenantId, journeyId, conversationId } = erased
    const at = ctx.clock()
    const body = Buffer.from(JSON.stringify({ name: late }))
    const key = { tenantId, journeyId }
    const eventId = uuidv7(at.getTime(), bucketOf(journeyId))
    await db.tx(async (tx) => {
      await archiveIncoming(tx, seal, {
        ...key,
        conversationId,
        messageKey: uuidv7(at.getTime(), bucketOf(journeyId)),
        party: 'bank.example',
        action: 'on_status',
        messageId: uuidv7(),
        body,
        headers: {},
        outcome: 'ACK',
        at,
      })
      const event = { ...key, status: 'DISBURSED', eventId, sequence: 9 } as const
      await insertEvent(tx, {
        ...event,
        payloadSealed: seal.bytes(body, eventContext(tenantId, journeyId, 'DISBURSED')),
        correlationId: null,
        at,
      })
      const { applicationId } = tenant
      await insertDeliveries(tx, deliveryOf(ctx, { ...event, applicationId }, body, null), at)
    })
    assert.equal((await placesOf([late])).length, 3)
    const erasedAt = async () => db`select erased_at from journey where journey_id = ${journeyId}`
    const before = await erasedAt()
    await sweepPersonalData(ctx)
    assert.deepEqual(await placesOf([late]), [])
    assert.deepEqual(await erasedAt(), before)
  })

  test('a form for reporting a payment takes nothing', async () => {
    const { tenantId, journeyId, operationId } = erased
    const form = new FormData()
    const paidOn = businessDate(ctx.clock())
    const fields = { amount: '100.00', method: 'UPI', transactionReference: late.replaceAll(' ', '-'), paidOn }
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const answer = await fetch(claimUrl(ctx, { tenantId, journeyId, operationId }), { method: 'POST', body: form })
    assert.doesNotMatch(await answer.text(), /<form|need not pay/)
    assert.deepEqual(await placesOf([late.replaceAll(' ', '-')]), [])
  })
})

test('every console page about an erased journey still answers', async () => {
  const [{ journeyId } = { journeyId: '' }] = await db<{ journeyId: string }>`
    select journey_id from journey where erased_at is not null`
  const routes = consoleApi.routes.filter(({ method, path }) => method === 'GET' && !/\{(?!journeyId)/.test(path))
  assert.ok(routes.filter(({ path }) => path.includes('{journeyId}')).length >= 4)
  for (const { path } of routes.filter((each) => !each.path.includes('live'))) {
    const { status, body } = await admin.ask('GET', path.slice('/api/console'.length).replace('{journeyId}', journeyId))
    assert.ok(status < 500, `${path}: ${status} ${JSON.stringify(body)}`)
  }
})

test('an erased journey takes no note, no nominee and no reason of a reveal, which would store personal data again', async () => {
  const [{ journeyId } = { journeyId: '' }] = await db<{ journeyId: string }>`
    select journey_id from journey where erased_at is not null`
  const { status, body } = await admin.ask('POST', `/journeys/${journeyId}/notes`, { text: 'Call 9876501234' })
  assert.equal(status, 409)
  assert.equal(body.error.message, 'the personal data of this journey is erased')
  const reason = 'Vaidya asks why the loan was refused'
  const reveal = await admin.ask('POST', `/journeys/${journeyId}/reveal`, { fields: ['mobile'], reason })
  assert.equal(reveal.status, 409)
  assert.equal(reveal.body.error.message, 'the personal data of this journey is erased')
  const reasons = await db`select 1 from audit_reason where subject = ${journeyId}`
  assert.equal(reasons.length, 0)
  const nominee = { name: 'Vaidya Senior', relation: 'mother', contact: '9876501234' }
  const refused = await officer.ask('POST', `/journeys/${journeyId}/privacy/nominee`, nominee)
  assert.equal(refused.status, 409)
  assert.equal(refused.body.error.message, 'the personal data of this borrower is erased')
})

test('a borrower who returns after the erasure is a new one', async () => {
  const person = newApplicant()
  const { journeyId, borrowerId } = await openJourney(person)
  await end(journeyId, null)
  await requestAndApprove(journeyId)
  await openSession(url, tenant, person)
  const [next] = await db<{ borrowerId: string }>`
    select borrower_id from borrower where external_id = ${person.borrowerProviderID}`
  assert.ok(next)
  assert.notEqual(next.borrowerId, borrowerId)
})

test('a legal hold stops the sweep, which erases after the release and when the period is over', async () => {
  const { journeyId } = await fullJourney(platform, lender)
  const path = `/journeys/${journeyId}/privacy`
  await end(journeyId, daysAfter(ctx.clock(), -366))
  await requestAndApprove(journeyId)
  const stateNow = async () => {
    await sweepPersonalData(ctx)
    const { body } = await officer.ask('GET', path)
    return {
      state: body.erasures[0].state,
      obstacle: body.journeys[0].obstacle,
      isErased: body.journeys[0].erasedAt !== null,
    }
  }
  assert.deepEqual(await stateNow(), { state: 'APPROVED', obstacle: 'PERIOD', isErased: false })
  assert.equal((await officer.ask('POST', `${path}/hold`, { reason: 'a court case about this loan' })).status, 200)
  assert.equal((await officer.ask('POST', `${path}/hold`, { reason: 'a court case about this loan' })).status, 409)
  const longAgo = daysAfter(ctx.clock(), -4 * 366)
  await db`update journey set closed_at = ${longAgo}, created_at = ${longAgo}, updated_at = ${longAgo} where journey_id = ${journeyId}`
  assert.deepEqual(await stateNow(), { state: 'APPROVED', obstacle: 'HELD', isErased: false })
  assert.equal((await officer.ask('POST', `${path}/release`, { reason: 'the court case has ended' })).status, 200)
  assert.deepEqual(await stateNow(), { state: 'DONE', obstacle: null, isErased: true })
})

test('DPDP §8(7): the sweep erases an ended application after a year, without a request', async () => {
  const person = newApplicant()
  const { journeyId } = await openJourney(person)
  await end(journeyId, null)
  await untilLogged(person.borrowerProviderID)
  const isErased = async (): Promise<boolean | undefined> => {
    await sweepPersonalData(ctx)
    const [row] = await db<{ isErased: boolean }>`
      select erased_at is not null as is_erased from journey where journey_id = ${journeyId}`
    return row?.isErased
  }
  assert.equal(await isErased(), false)
  const yearAgo = daysAfter(ctx.clock(), -367)
  await db`update journey set created_at = ${yearAgo}, updated_at = ${yearAgo} where journey_id = ${journeyId}`
  assert.equal(await isErased(), true)
  assert.deepEqual(await placesOf([person.borrowerProviderID]), [])
})

describe('a borrower of the headless API without a journey', () => {
  const headless = startHeadlessClient(platform)
  const identityOf = async (borrowerId: string) => {
    const [row] = await db<{ externalId: string; hasPrefill: boolean; sessions: number }>`
      select external_id, prefill_sealed is not null as has_prefill,
        (select count(*) from headless_session s where s.bucket = b.bucket and s.borrower_id = b.borrower_id)::int as sessions
      from borrower b where borrower_id = ${borrowerId}`
    return row!
  }
  const erased = (borrowerId: string) => ({ externalId: `erased:${borrowerId}`, hasPrefill: false, sessions: 0 })

  /** Opens a session at `at`, whose borrower has an id of that time. */
  async function sessionAt(at: Date) {
    const body = headless.newBorrower()
    const { session } = await headless.borrower(body)
    const oldId: string = session.borrowerID
    const borrowerId = uuidv7(at.getTime(), bucketOf(oldId))
    await db`update headless_session set borrower_id = ${borrowerId}, created_at = ${at} where borrower_id = ${oldId}`
    await db`update borrower set borrower_id = ${borrowerId}, created_at = ${at} where borrower_id = ${oldId}`
    return { borrowerId, externalId: body.borrowerExternalID }
  }

  test('DPDP §8(7): the sweep erases the identity a year after the last session', async () => {
    const old = await sessionAt(daysAfter(ctx.clock(), -367))
    const refreshed = await sessionAt(daysAfter(ctx.clock(), -800))
    await db`update headless_session set created_at = ${daysAfter(ctx.clock(), -300)} where borrower_id = ${refreshed.borrowerId}`
    const held = await sessionAt(daysAfter(ctx.clock(), -500))
    const path = `/borrowers/${held.borrowerId}/privacy`
    assert.equal((await officer.ask('POST', `${path}/hold`, { reason: 'a court case' })).status, 200)
    await sweepPersonalData(ctx)
    assert.deepEqual(await identityOf(old.borrowerId), erased(old.borrowerId))
    assert.equal((await identityOf(refreshed.borrowerId)).externalId, refreshed.externalId)
    assert.equal((await identityOf(held.borrowerId)).externalId, held.externalId)
    await officer.ask('POST', `${path}/release`, { reason: 'the court case has ended' })
    await sweepPersonalData(ctx)
    assert.deepEqual(await identityOf(held.borrowerId), erased(held.borrowerId))
  })

  test('the sweep passes over borrowers with a journey, by the primary key', async () => {
    const { borrowerId } = await openJourney(newApplicant())
    assert.ok(borrowerId)
    const listed = await listWithoutJourney(db, daysAfter(ctx.clock(), 1), null, 1000)
    const withJourney = await db`
      select 1 from journey where erased_at is null and borrower_id = any(${listed.map((each) => each.borrowerId)}::uuid[])`
    assert.deepEqual(withJourney, [])
    const after = { tenantId: tenant.tenantId, borrowerId }
    const plan = await db.tx(async (tx) => {
      // A test has too few rows for an index.
      await tx`set local enable_seqscan = off`
      await tx`set local enable_bitmapscan = off`
      return tx<{ 'QUERY PLAN': string }>`explain ${withoutJourney(ctx.clock(), after, 200)}`
    })
    const text = plan.flatMap((row) => Object.values(row)).join('\n')
    assert.match(text, /Index Scan using borrower_pkey on borrower b .*\n +Index Cond: \(.*borrower_id </)
    assert.match(text, /journey_of_borrower/)
    assert.match(text, /headless_session_of_borrower/)
    assert.doesNotMatch(text, /Sort/)
  })

  test('DPDP §11, §12: an officer finds, exports and erases it on request', async () => {
    const body = headless.newBorrower()
    const { session, get } = await headless.borrower(body)
    const { borrowerID: borrowerId } = session
    for (const q of [body.borrowerExternalID, borrowerId, body.profile.contactNumber]) {
      const { items } = (await officer.ask('GET', `/privacy/borrowers?q=${encodeURIComponent(q)}`)).body
      assert.deepEqual(items, [{ tenantId: tenant.tenantId, borrowerId, createdAt: items[0]?.createdAt, journeys: 0 }])
    }
    await untilLogged(body.borrowerExternalID)
    const path = `/borrowers/${borrowerId}/privacy`
    const exported = await officer.ask('POST', `${path}/export`, { reason })
    assert.equal(exported.body.borrower.prefill.profile.contactNumber, body.profile.contactNumber)
    const requested = await officer.ask('POST', `${path}/erasure`, { reason })
    assert.equal(requested.status, 200)
    assert.deepEqual(requested.body.journeys, [])
    assert.equal(requested.body.isIdentified, true)
    const { items } = (await admin.ask('GET', '/privacy/erasures?state=WAITING')).body
    const [found] = items.filter((each: { borrowerId: string }) => each.borrowerId === borrowerId)
    assert.equal(found.journeyId, null)
    assert.equal(found.mayDecide, true)
    const decision = `/privacy/erasures/${found.erasureId}/decision`
    assert.equal((await admin.ask('POST', decision, { approve: true })).status, 204)
    const { body: left } = await officer.ask('GET', path)
    assert.equal(left.erasures[0].state, 'DONE')
    assert.equal(left.isIdentified, false)
    assert.deepEqual(await identityOf(borrowerId), erased(borrowerId))
    await afterADay()
    assert.deepEqual(await placesOf([body.borrowerExternalID, body.profile.contactNumber]), [])
    await waitFor(async () => (await get('/journeys')).status === 401)
    assert.equal((await officer.ask('GET', `/borrowers/${uuidv7()}/privacy`)).status, 404)
  })

  test('a borrower whose journey is erased by period stays identified while the app opens sessions', async () => {
    const body = headless.newBorrower()
    const { session, post, patch } = await headless.borrower(body)
    const { borrowerID: borrowerId } = session
    const { body: opened } = await post('/journeys', { type: 'PERSONAL_LOAN' })
    await end(opened.data.journeyID, null)
    const yearAgo = daysAfter(ctx.clock(), -367)
    await db`update journey set created_at = ${yearAgo}, updated_at = ${yearAgo} where borrower_id = ${borrowerId}`
    await sweepPersonalData(ctx)
    const [journey] = await db<{
      erasedAt: Date | null
    }>`select erased_at from journey where borrower_id = ${borrowerId}`
    assert.ok(journey?.erasedAt)
    assert.equal((await identityOf(borrowerId)).externalId, body.borrowerExternalID)
    const resumed = await patch(`/journeys/${opened.data.journeyID}/resume`, {
      resume: { lastCompletedStep: 'anything' },
    })
    assert.equal(resumed.status, 409)
    assert.equal(resumed.body.error.code, 'STATE_PRECONDITION_FAILED')
    assert.deepEqual(await db`select 1 from journey_note where journey_id = ${opened.data.journeyID}`, [])
  })
})

test('a loan that runs at a partner is kept, even if its journey has expired', async () => {
  const { journeyId } = await fullJourney(platform, lender)
  const longAgo = daysAfter(ctx.clock(), -4 * 366)
  await end(journeyId, longAgo)
  await db`update journey set created_at = ${longAgo}, updated_at = ${longAgo} where journey_id = ${journeyId}`
  const obstacle = async () => {
    await sweepPersonalData(ctx)
    const { body } = await officer.ask('GET', `/journeys/${journeyId}/privacy`)
    return body.journeys[0].erasedAt === null ? body.journeys[0].obstacle : 'erased'
  }
  await db`update partner_case set stage = 'DISBURSED' where journey_id = ${journeyId}`
  assert.equal(await obstacle(), 'RUNNING')
  await db`update journey set closed_at = ${daysAfter(ctx.clock(), -300)} where journey_id = ${journeyId}`
  await db`update partner_case set stage = 'ACCEPTED' where journey_id = ${journeyId}`
  assert.equal(await obstacle(), 'RUNNING', 'a payout may be reported for a year')
  await db`update journey set closed_at = ${longAgo} where journey_id = ${journeyId}`
  await db`update partner_case set stage = 'CLOSED' where journey_id = ${journeyId}`
  assert.equal(await obstacle(), 'erased')
})

test('a session that waits for the erasure of its borrower gets a new borrower', async () => {
  const person = newApplicant()
  const { journeyId, borrowerId } = await openJourney(person)
  await end(journeyId, null)
  const key = { tenantId: tenant.tenantId, borrowerId }
  const row = { ...key, externalId: person.borrowerProviderID, mobileDigest: Buffer.alloc(1), createdAt: ctx.clock() }
  let returning: Promise<unknown> = Promise.resolve()
  await db.tx(async (tx) => {
    await lockBorrowerById(tx, key.tenantId, key.borrowerId)
    returning = db.tx(
      async (other) =>
        (await upsertBorrower(other, { ...row, borrowerId: uuidv7(Date.now(), bucketOf(borrowerId)) })).borrowerId,
    )
    returning.catch(() => {})
    await waitFor(async () => {
      const waiting = await db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from borrower%'`
      return waiting.length > 0
    })
    const { erased } = await eraseBorrower({ ...ctx, tx, at: ctx.clock() }, key, {
      isRequested: true,
      openedUntil: ctx.clock(),
    })
    assert.equal(erased, 1)
  })
  assert.notEqual(await returning, borrowerId)
})

/** A row of table complaint about a journey. */
function complaintRow(change: { complaintId: string; journeyId: string; borrowerId: string; receivedAt: Date }) {
  const { complaintId, receivedAt } = change
  return {
    tenantId: tenant.tenantId,
    number: complaintId,
    replyTag: complaintId,
    origin: 'HOSTED',
    category: 'OTHER',
    status: 'OPEN',
    route: 'PLATFORM',
    language: 'en',
    contactSealed: Buffer.alloc(1),
    version: 1,
    reopened: 0,
    sinceAt: receivedAt,
    firstAnswerDueAt: receivedAt,
    resolutionDueAt: receivedAt,
    limitAt: receivedAt,
    closedAt: null,
    mergedInto: null,
    createdAt: receivedAt,
    updatedAt: receivedAt,
    ...change,
  }
}

test('an erasure sees a complaint that is opened at the same moment', async () => {
  const { journeyId, borrowerId } = await openJourney(newApplicant())
  await end(journeyId, null)
  const { tenantId } = tenant
  let erasing: ReturnType<typeof eraseBorrower> | undefined
  await db.tx(async (tx) => {
    await lockJourney(tx, tenantId, journeyId)
    erasing = db.tx((other) => {
      const scope = { isRequested: true, openedUntil: ctx.clock() }
      return eraseBorrower({ ...ctx, tx: other, at: ctx.clock() }, { tenantId, borrowerId }, scope)
    })
    erasing.catch(() => {})
    await waitFor(async () => {
      const waiting = await db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from journey%'`
      return waiting.length > 0
    })
    const complaint = complaintRow({ complaintId: uuidv7(), journeyId, borrowerId, receivedAt: ctx.clock() })
    await tx`insert into complaint ${tx(complaint)}`
  })
  const { erased, left } = await erasing!
  assert.equal(erased, 0)
  assert.equal(left, 1)
})

test('the sweep deletes a complaint with its files 36 months after its closing, unless its borrower is on hold', async () => {
  const person = newApplicant()
  const { journeyId, borrowerId } = await openJourney(person)
  const monthsAgo = (months: number) => monthsBefore(ctx.clock(), months)
  const { tenantId } = tenant
  const first = uuidv7()
  const merged = uuidv7()
  const fileId = uuidv7()
  for (const [complaintId, received, closed] of [
    [first, 48, 35],
    [merged, 50, 49],
  ] as const) {
    const receivedAt = monthsAgo(received)
    const closedAt = monthsAgo(closed)
    const mergedInto = complaintId === merged ? first : null
    await db.tx(
      (tx) =>
        tx`insert into complaint ${tx({
          ...complaintRow({ complaintId, journeyId, borrowerId, receivedAt }),
          status: mergedInto ? 'MERGED' : 'CLOSED',
          closedAt,
          mergedInto,
          updatedAt: closedAt,
        })}`,
    )
  }
  const file = { tenantId, fileId, contentSealed: Buffer.alloc(1), sizeBytes: 1, createdAt: monthsAgo(50) }
  await db.tx((tx) => insertFile(tx, file))
  const left = async () => {
    await sweepPersonalData(ctx)
    const [row] = await db<{ complaints: number; files: number }>`
      select (select count(*) from complaint where journey_id = ${journeyId})::int as complaints,
        (select count(*) from mail_file where file_id = ${fileId})::int as files`
    return row
  }
  assert.deepEqual(await left(), { complaints: 2, files: 1 }, 'the period of the first one is not over')
  await db`update complaint set closed_at = ${monthsAgo(37)} where complaint_id = ${first}`
  const path = `/journeys/${journeyId}/privacy`
  assert.equal((await officer.ask('POST', `${path}/hold`, { reason: 'a court case about this loan' })).status, 200)
  assert.deepEqual(await left(), { complaints: 2, files: 1 }, 'on hold')
  await officer.ask('POST', `${path}/release`, { reason: 'the court case has ended' })
  await left()
  assert.deepEqual(await left(), { complaints: 0, files: 0 })
})

test('DPDP §11: the export names the details, consents and recipients, and only officers get it', async () => {
  const { journeyId } = await fullJourney(platform, lender)
  const path = `/journeys/${journeyId}/privacy/export`
  const { status, body } = await officer.ask('POST', path, { reason })
  assert.equal(status, 200, JSON.stringify(body))
  const [journey] = body.journeys
  assert.equal(journey.details.profile.pan, 'ABCPE4321F')
  assert.equal(journey.account.accountNumber, '50100123456789')
  assert.equal(journey.consents.length, 1)
  assert.ok(journey.recipients.length >= 1)
  for (const role of ['viewer', 'operator'] as const)
    assert.equal((await (await consoleUser(platform, { role })).ask('POST', path, { reason })).status, 403)
  const outsider = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
  assert.equal((await outsider.ask('POST', path, { reason })).status, 404)
  await waitFor(async () => {
    const { items } = (await admin.ask('GET', `/audit?tenantId=${tenant.tenantId}`)).body
    return items.some(({ act }: { act: string }) => act === 'DATA_EXPORTED')
  })
})

/** Columns of text, bytes or JSON that an erasure neither deletes nor empties, by reason. */
const keptTables: Record<string, Record<string, string>> = {
  'states, codes and amounts of an erased journey, its terms in the words of the lender, and ids of the lender': {
    conversation:
      'awaited_action awaited_message_id bpp_id bpp_uri branch_id form_id fulfillment_id item_id offered_item_id parent_item_id profile_form_id provider_id second_item_id stage version',
    drawdown: 'interest_rate reason status',
    journey: 'decision end_reason end_use lender_mode refused_lenders search status type',
    offer: 'assessment branch_id first_terms installments limits lock_source reason status terms via',
    operation: 'kind',
    partner_case: 'decision offer_id stage',
    servicing: 'kind reason status',
    step: 'form_id name status',
  },
  'proof of the consents: their purpose, and the language and version of our text': {
    consent: 'channel language purpose quote_id terms_digest text_version',
    consent_withdrawal: 'channel',
  },
  'the record of the erasure and of legal holds, whose reasons are replaced with the identity of the borrower': {
    erasure: 'reason_sealed state',
    legal_hold: 'reason_sealed',
  },
  'ids and versions of events, so that none is applied again': {
    inbox_entity: 'case_ref entity_id entity_type sender',
    inbox_outcome: 'case_ref outcome sender',
    outbox_entity: 'case_ref entity_id entity_type',
  },
  'routes and codes of logged requests, which another job deletes after REQUEST_LOG_DAYS': {
    api_request: 'error key_id method route',
  },
  'digests of secrets, which another job deletes a day after they expire': {
    embed_session: 'digest link_id session_id',
    embed_token: 'digest link_id token_id',
  },
  'acts of staff, in a chain of digests; reasons are in audit_reason, and texts of details are masked': {
    audit_chain: 'digest',
    audit_entry: 'act detail digest subject',
  },
  'staff and their sessions, which have ages of their own': {
    command_line_sign_in: 'client_sealed secret_digest user_code',
    complaint_officer: 'contact_sealed level party',
    guess_count: 'subject',
    passkey_challenge_used: 'challenge_digest',
    person: 'email_digest identity_sealed password_hash role',
    person_device: 'device_digest',
    person_email: 'email_digest',
    person_invitation: 'digest email_digest identity_sealed role',
    person_open_id: 'issuer subject_digest',
    person_passkey: 'credential_id name public_key',
    person_recovery_code: 'code_digest',
    person_session: 'allowed_by client_sealed digest proof',
    person_totp: 'totp_pending_sealed totp_sealed',
    sign_in_failure: 'detail_sealed outcome',
    staff_view: 'filters list name',
  },
  'settings and credentials of integrators and lenders': {
    api_key: 'addresses api_version digest key_id label scopes',
    application: 'name origins products',
    application_theme: 'accent corner font logo logo_type logo_version name',
    lender: 'bpp_id identity provider_id',
    lender_igm_version: 'bpp_id version',
    lender_switch: 'bpp_id provider_id reason',
    lending_partner: 'contact credentials_sealed name products rules sender url',
    tenant: 'name',
    webhook_alert_setting: 'emails_sealed endpoint_ids',
    webhook_endpoint: 'access_sealed disabled_because loan_events old_secret_sealed secret_sealed statuses url',
  },
  'states and times of endpoints; a filter names a journey by its id': {
    webhook_outage: 'last_answer why',
    webhook_replay: 'filter state',
  },
  'counts, and the state of the database': {
    digest_key: 'fingerprint',
    figure: 'action grain name outcome product subject',
    figure_progress: 'history',
    figure_turn: 'history',
    migration: 'digest name',
    network_answer: 'action outcome',
    request_count: 'caller',
  },
}

test('every column is deleted or emptied by an erasure, or says here why not', async () => {
  const source = readFileSync(new URL('../../../records/privacy/erase/store.ts', import.meta.url), 'utf8')
  const archive = readFileSync(new URL('../../../records/archive/store.ts', import.meta.url), 'utf8')
  const deleted = new Set([...(source + archive).matchAll(/delete from (\w+)/g)].map(([, table]) => table))
  const emptied = new Set(
    [...source.matchAll(/update (\w+) set ([^`]*?)\bwhere\b/g)].flatMap(([, table, set]) =>
      [...set!.matchAll(/(\w+) = (?:null|'(?:\[\]|\{\})?'|\$\{|route\b|request_id::text)/g)].map(
        ([, column]) => `${table}.${column}`,
      ),
    ),
  )
  const tables = await db<{ name: string; columns: string[] }>`
    select t.table_name as name, coalesce(array_agg(c.column_name::text order by c.column_name::text)
      filter (where c.data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY')), '{}') as columns
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1`
  const left = tables.flatMap(({ name, columns }) => {
    const kept = columns.filter((column) => !emptied.has(`${name}.${column}`))
    return deleted.has(name) || (kept.length === 0 && columns.length > 0) ? [] : [[name, kept.join(' ')]]
  })
  assert.deepEqual(Object.fromEntries(left), Object.assign({}, ...Object.values(keptTables)))
})
