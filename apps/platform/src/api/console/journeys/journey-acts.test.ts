// Console acts on a journey over real HTTP: permissions, effects and audit entries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { oneRow } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { fullJourney } from '@lendloom/tests/setup/console-journey'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'
import { expireJourney } from '#platform/lending/journey/advance.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { initialStep, stepNames } from '#platform/lending/step/step.ts'
import { storeStep } from '#platform/lending/step/store.ts'
import { listNewest } from '#platform/people/audit/store.ts'

const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env, RATE_LIMITS: 'off' })
const { ctx, tenant, secondTenant } = platform
const { tenantId } = tenant
const operator = await consoleUser(platform, { role: 'operator', name: 'Omar Operator' })
const support = await consoleUser(platform, { role: 'support', tenantId, name: 'Sana Support' })
const viewer = await consoleUser(platform, { role: 'viewer', tenantId })
const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })
const testJourney = await fullJourney(platform, lender)
const journeyPath = `/journeys/${testJourney.journeyId}`
const newestAct = async () => (await listNewest(ctx.db, tenantId, null, 1))[0]!

test('D3 §8: only platform staff can resend the dead events of a journey, all with one request', async () => {
  await ctx.db`update outbox set state = 'DEAD', due_at = null, dead_at = ${ctx.clock()} where case_ref = ${testJourney.ids.caseRef}`
  for (const [person, status] of [
    [viewer, 403],
    [support, 403],
    [outsider, 403],
  ] as const)
    assert.equal((await person.ask('POST', `${journeyPath}/replay-events`)).status, status)
  const { status, body } = await operator.ask('POST', `${journeyPath}/replay-events`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(body.count > 0)
  const remaining = await ctx.db<{ count: number }>`
    select count(*)::integer as count from outbox where case_ref = ${testJourney.ids.caseRef} and state = 'DEAD'`
  assert.equal(oneRow(remaining).count, 0)
  const { act, subject, detail } = await newestAct()
  assert.equal(act, 'EVENTS_REPLAYED')
  assert.equal(subject, testJourney.journeyId)
  assert.deepEqual(JSON.parse(detail), { events: body.count })
  assert.equal((await operator.ask('POST', `${journeyPath}/replay-events`)).status, 409)
  assert.equal((await operator.ask('POST', `${journeyPath}/retry-events`)).status, 409)
})

test('D1 §3: advances a sandbox journey to a later status, but not for viewers or other tenants', async () => {
  const borrower = await startHeadlessClient(platform).borrower()
  const { journeyID } = (await borrower.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  const path = `/journeys/${journeyID}/move-on`
  assert.equal((await viewer.ask('POST', path, { to: 'OFFERED' })).status, 403)
  assert.equal((await outsider.ask('POST', path, { to: 'OFFERED' })).status, 404)
  const moved = await support.ask('POST', path, { to: 'OFFERED' })
  assert.equal(moved.status, 202)
  assert.deepEqual(moved.body, { status: 'STARTED', to: 'OFFERED' })
  assert.equal((await newestAct()).act, 'JOURNEY_MOVED_ON')
  assert.equal((await support.ask('POST', `${journeyPath}/move-on`, { to: 'STARTED' })).status, 409)
  const invalidStatus = await support.ask('POST', path, { to: 'UNKNOWN' })
  assert.equal(invalidStatus.body.error.details.field ?? invalidStatus.body.error.details.fields[0].path, 'to')
})

test('the head of a journey shows why an act is unavailable, and when and why the journey expired', async () => {
  const readHead = async (path: string) => {
    const { acts, ...head } = (await support.ask('GET', path)).body
    const { possible, because } = acts.find(({ act }: { act: string }) => act === 'move-on')
    return { ...head, possible, because }
  }
  const steps = stepNames.toSorted().map(initialStep)
  await ctx.db.tx((tx) =>
    Promise.all(steps.map((step) => storeStep(tx, { tenantId, journeyId: testJourney.journeyId }, step, ctx.clock()))),
  )
  const disbursed = await readHead(journeyPath)
  assert.equal(disbursed.status, 'DISBURSED')
  assert.equal(disbursed.possible, false)
  assert.equal(disbursed.because, 'NOTHING_TO_DO')
  assert.equal(disbursed.expired, null)
  assert.deepEqual(
    disbursed.steps.map(({ name }: { name: string }) => name),
    ['kyc', 'bankMandate', 'eMandate', 'loanAgreement', 'disbursal'],
  )
  const { journeyID } = (
    await (await startHeadlessClient(platform).borrower()).post('/journeys', { type: 'PERSONAL_LOAN' })
  ).body.data
  assert.equal((await readHead(`/journeys/${journeyID}`)).possible, true)
  const at = ctx.clock()
  await ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, tenantId, journeyID)
    await expireJourney(tx, journey!, 'NOT_CONTINUED', at)
  })
  const ended = await readHead(`/journeys/${journeyID}`)
  const expired = { at: at.toISOString(), because: 'NOT_CONTINUED' }
  assert.equal(ended.status, 'STARTED')
  assert.equal(ended.possible, false)
  assert.equal(ended.because, 'ENDED')
  assert.deepEqual(ended.expired, expired)
  const [listed] = (await support.ask('GET', '/journeys?limit=1')).body.items
  assert.deepEqual(listed.journeyId, journeyID)
  assert.deepEqual(listed.expired, expired)
  const { items } = (await support.ask('GET', `/search?q=${journeyID}`)).body
  assert.deepEqual(items[0].journeyId, journeyID)
  assert.equal(items[0].isExpired, true)
})

test('D3 §3: a loan whose payout the bank gave back is cancelled, with the reason, and not repaid', async () => {
  const { journeyId } = await fullJourney(platform, lender)
  const key = { tenantId, journeyId }
  const steps = stepNames.toSorted().map(initialStep)
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    await Promise.all(steps.map((step) => storeStep(tx, key, step, at)))
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    await updateJourney(tx, journey, { active: false, closedAt: at, endReason: 'PAYOUT_RETURNED' }, at)
  })
  const { status, loan, isCancelled, endReason, expired } = (await support.ask('GET', `/journeys/${journeyId}`)).body
  assert.equal(status, 'DISBURSED')
  assert.equal(loan.state, 'CANCELLED')
  assert.equal(loan.outstanding, null)
  assert.equal(isCancelled, true)
  assert.equal(endReason, 'PAYOUT_RETURNED')
  assert.equal(expired, null)
  const { items } = (await support.ask('GET', '/journeys?status=DISBURSED')).body
  const cancelled = items.filter((each: { isCancelled: boolean }) => each.isCancelled)
  assert.deepEqual(
    cancelled.map((each: { journeyId: string }) => each.journeyId),
    [journeyId],
  )
})

test('the head of a journey shows every endpoint that fails, each with its newest answer', async () => {
  const developer = await consoleUser(platform, { role: 'developer', tenantId })
  const createEndpoint = async (url: string): Promise<string> => {
    const { body } = await developer.ask('POST', '/webhooks/endpoints', { applicationId: tenant.applicationId, url })
    return body.endpoint.endpointId
  }
  const first = await createEndpoint('https://first.example/hooks')
  const second = await createEndpoint('https://second.example/hooks')
  const { journeyId } = testJourney
  const event = { tenantId, applicationId: tenant.applicationId, journeyId, status: 'DISBURSED' as const }
  for (const [sequence, answer] of [[101, '500'] as const, [102, '503'] as const]) {
    const eventId = uuidv7(Date.now(), bucketOf(journeyId))
    const delivery = deliveryOf(ctx, { ...event, eventId, sequence }, Buffer.from('{}'), null)
    const at = secondsAfter(ctx.clock(), sequence)
    await ctx.db.tx((tx) => insertDeliveries(tx, delivery, at))
    await ctx.db`
      update webhook_delivery set state = 'EXHAUSTED', due_at = null, attempt = 6, last_answer = ${answer}, last_attempt_at = ${at}
      where destination_id = ${first} and sequence = ${sequence}`
    await ctx.db`
      update webhook_delivery set attempt = 1, last_answer = 'ECONNREFUSED', last_attempt_at = ${secondsAfter(at, 60)}
      where destination_id = ${second} and sequence = 101`
  }
  const { deliveries } = (await support.ask('GET', journeyPath)).body
  assert.deepEqual(
    deliveries.failing.map(({ endpointId, url, answer }: Record<string, unknown>) => ({ endpointId, url, answer })),
    [
      { endpointId: second, url: 'https://second.example/hooks', answer: 'ECONNREFUSED' },
      { endpointId: first, url: 'https://first.example/hooks', answer: '503' },
    ],
  )
  await ctx.db`delete from webhook_delivery where destination_id in (${first}, ${second})`
  await ctx.db`delete from webhook_endpoint where endpoint_id in (${first}, ${second})`
})

test('notes are stored encrypted, and tenant staff see only notes of their own colleagues', async () => {
  assert.equal(
    (await support.ask('POST', `${journeyPath}/notes`, { text: ' Asha called about the mandate. ' })).status,
    201,
  )
  assert.equal((await operator.ask('POST', `${journeyPath}/notes`, { text: 'The lender was asked.' })).status, 201)
  const listNotes = async (person: typeof support) =>
    (await person.ask('GET', `${journeyPath}/notes`)).body.items.map(
      ({ personName, text }: { personName: string; text: string }) => ({
        personName,
        text,
      }),
    )
  assert.deepEqual(await listNotes(viewer), [{ personName: 'Sana Support', text: 'Asha called about the mandate.' }])
  assert.deepEqual(await listNotes(operator), [
    { personName: 'Omar Operator', text: 'The lender was asked.' },
    { personName: 'Sana Support', text: 'Asha called about the mandate.' },
  ])
  assert.equal((await outsider.ask('GET', `${journeyPath}/notes`)).status, 404)
  assert.equal((await viewer.ask('POST', `${journeyPath}/notes`, { text: 'x' })).status, 403)
  assert.equal((await support.ask('POST', `${journeyPath}/notes`, { text: ' ' })).status, 400)
  const rows = await ctx.db<{ textSealed: Buffer }>`select text_sealed from staff_note where tenant_id = ${tenantId}`
  for (const { textSealed } of rows) assert.equal(textSealed.includes('mandate'), false)
  assert.doesNotMatch(JSON.stringify(await listNewest(ctx.db, tenantId, null, 20)), /mandate/)
})

test('identifiers in notes are masked for every reader, until a person reveals them with a reason', async () => {
  const text =
    'His PAN is ABCPE1234F, mobile 9876543210, account 50100123456789, Aadhaar 2345 6789 0123, a@mail.example.'
  const masked = 'His PAN is •••••, mobile •••••, account •••••, Aadhaar •••••, •••••.'
  assert.equal((await support.ask('POST', `${journeyPath}/notes`, { text })).body.text, masked)
  for (const person of [viewer, support, operator])
    assert.ok(
      (await person.ask('GET', `${journeyPath}/notes`)).body.items.some(
        (note: { text: string }) => note.text === masked,
      ),
    )
  const request = { fields: ['notes'], reason: 'The borrower called about the PAN' }
  assert.equal((await viewer.ask('POST', `${journeyPath}/reveal`, request)).status, 403)
  await operator.ask('POST', `${journeyPath}/notes`, { text: 'For platform staff only.' })
  const { notes } = (await support.ask('POST', `${journeyPath}/reveal`, request)).body.fields
  assert.equal(notes.includes(text), true)
  assert.equal(notes.includes('For platform staff only.'), false)
  const [entry] = await listNewest(ctx.db, tenantId, null, 1)
  assert.equal(entry!.act, 'PERSONAL_DATA_REVEALED')
  assert.equal(JSON.parse(entry!.detail).fields, 'notes')
})
