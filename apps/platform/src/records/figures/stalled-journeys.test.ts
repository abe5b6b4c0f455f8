// Journeys without a next act: each state that waits for a lender is found as soon as its last job is gone, and no other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { exposition } from '@lendloom/foundation/metrics'
import { enqueue } from '@lendloom/queue/queue'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { approvedVideoKyc } from '@lendloom/tests/setup/platform-case'
import { scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import { readConversation } from '#platform/lenders/network/store.ts'
import { storeCheck } from '#platform/lenders/partner/store.ts'
import { findJourney } from '#platform/lending/journey/store.ts'
import { countStalledJourneys, listStalledJourneys, stalledJourneysWorker } from './stalled-journeys.ts'

let now = new Date('2026-11-20T06:00:00Z')
const { url, ctx, tenant } = await testPlatform({}, () => now)
const { db } = ctx
const { tenantId } = tenant

type State = Partial<{ status: string; search: string; active: boolean }>

/** A journey in that state, without any job. */
async function journeyIn({ status = 'STARTED', search = 'CLOSED', active = true }: State) {
  const { body } = await openSession(url, tenant, newApplicant())
  const { journeyId } = await enter(url, body.embedUrl)
  await db`
    update journey set status = ${status}, search = ${search}, active = ${active} where journey_id = ${journeyId}`
  await db`delete from job where payload->>'journeyId' = ${journeyId}`
  const row = { tenantId, journeyId, bucket: bucketOf(journeyId) }
  return { journeyId, row }
}

const isStalled = async (journeyId: string) =>
  (await listStalledJourneys(db, { at: now, limit: 100 })).some((each) => each.journeyId === journeyId)

const offerOf = (row: object, fields: object) => ({
  ...row,
  offerId: uuidv7(),
  conversationId: uuidv7(),
  lenderId: uuidv7(),
  limits: '{}',
  status: 'OFFER_RECEIVED',
  createdAt: now,
  updatedAt: now,
  ...fields,
})

const waiting: Record<string, State> = {
  'an open search': { status: 'STARTED', search: 'OPEN' },
  'a closed search': { status: 'STARTED' },
  'lenders that consider the profile': { status: 'PROFILED' },
  'final terms': { status: 'OFFER_SELECTED' },
  'the steps after the acceptance': { status: 'OFFER_ACCEPTED' },
  'the payout': { status: 'LENDER_REDIRECTED' },
}
for (const [what, state] of Object.entries(waiting))
  test(`D1 §3: a journey that waits for ${what} is stalled without a job, and not with one`, async () => {
    const { journeyId } = await journeyIn(state)
    assert.equal(await isStalled(journeyId), true)
    await db.tx((tx) => enqueue(tx, { tenantId, kind: 'inbound-message', payload: { journeyId }, dueAt: now }))
    assert.equal(await isStalled(journeyId), false)
  })

const notWaiting: Record<string, State> = {
  'the profile is due': { status: 'STARTED', search: 'NONE' },
  'the search reached nobody and can be repeated': { status: 'STARTED', search: 'UNANSWERED' },
  'the loan runs': { status: 'DISBURSED' },
  'it ended': { status: 'LENDER_REDIRECTED', active: false },
}
for (const [what, state] of Object.entries(notWaiting))
  test(`D1 §3: a journey is not stalled when ${what}`, async () => {
    const { journeyId } = await journeyIn(state)
    assert.equal(await isStalled(journeyId), false)
  })

test('D1 §3: the borrower can choose a valid offer; when the last one expires, a job must end the journey', async () => {
  const { journeyId, row } = await journeyIn({ status: 'OFFERED' })
  const validUntil = secondsAfter(now, 60)
  await db`insert into offer ${db(offerOf(row, { validUntil }))}`
  assert.equal(await isStalled(journeyId), false)
  await db`update offer set valid_until = ${now} where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), true)
})

test('D1 §3: the borrower can accept valid final terms, and nothing else of the chosen lender', async () => {
  const { journeyId, row } = await journeyIn({ status: 'OFFER_SELECTED' })
  await db`insert into offer ${db(offerOf(row, { selectedAt: now, finalTerms: false }))}`
  assert.equal(await isStalled(journeyId), true)
  await db`update offer set final_terms = true where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), false)
})

test('D1 §5: a step that the borrower can open or retry is an act; one that the lender checks or has refused is none', async () => {
  const { journeyId, row } = await journeyIn({ status: 'LENDER_REDIRECTED' })
  await db`insert into step ${db({ ...row, name: 'kyc', status: 'READY', updatedAt: now })}`
  assert.equal(await isStalled(journeyId), false)
  await db`update step set status = 'IN_PROGRESS' where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), true)
  await db`update step set status = 'FAILURE', diagnostics = '{"retryable": true}' where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), false)
  await db`update step set diagnostics = '{"retryable": false}' where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), true)
})

/** A conversation of this journey with a lender of the network. */
async function addConversation(row: object, stage: string): Promise<string> {
  const conversationId = uuidv7()
  await db`insert into conversation ${db({
    ...row,
    conversationId,
    lenderId: uuidv7(),
    bppId: 'lender.example',
    bppUri: 'https://lender.example',
    providerId: 'lender',
    itemId: 'loan',
    stage,
    formId: 'KYC',
    createdAt: now,
    updatedAt: now,
  })}`
  return conversationId
}

test('D1 §5, FIS12 §4.1: a page of the lender that the borrower has open is an act, and none once it is done', async () => {
  const { journeyId, row } = await journeyIn({ status: 'LENDER_REDIRECTED' })
  const conversationId = await addConversation(row, 'FINAL_TERMS')
  const resourceUrlSealed = Buffer.from('the address')
  await db`insert into step ${db({ ...row, name: 'kyc', status: 'IN_PROGRESS', resourceUrlSealed, updatedAt: now })}`
  assert.equal(await isStalled(journeyId), false)
  await db`update conversation set stage = 'INITIATED' where conversation_id = ${conversationId}`
  assert.equal(await isStalled(journeyId), true, 'the lender has the page, and must answer')
  await db`update conversation set stage = 'FINAL_TERMS' where conversation_id = ${conversationId}`
  await db`update step set resource_url_sealed = null where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), true, 'the lender checks the form of this step')
})

test('FIS12 §9.1, §19.3: a booked visit and a visited agreement, which nobody need report, need a job', async () => {
  const { journeyId, row } = await journeyIn({ status: 'LENDER_REDIRECTED' })
  const conversationId = await addConversation(row, 'FINAL_TERMS')
  const resourceUrlSealed = Buffer.from('the address')
  await db`insert into step ${db({ ...row, name: 'kyc', status: 'IN_PROGRESS', resourceUrlSealed, updatedAt: now })}`
  await db`insert into offer ${db(offerOf(row, { conversationId, selectedAt: now, visitBookedAt: now }))}`
  assert.equal(await isStalled(journeyId), true)
  await db`update offer set visit_booked_at = null where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), false)
  await db`update step set name = 'loanAgreement' where journey_id = ${journeyId}`
  await db`update conversation set stage = 'AGREEMENT_REQUESTED' where conversation_id = ${conversationId}`
  assert.equal(await isStalled(journeyId), false)
  await db`update journey set lender_mode = 'OFFLINE' where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), true)
})

test('D1 §3, FIS12 §3.3: the end of the search or of the offer window is no help once the offer is chosen', async () => {
  const { journeyId } = await journeyIn({ status: 'STARTED', search: 'OPEN' })
  const search = { journeyId, conversationId: null, messageId: uuidv7() }
  for (const [kind, payload] of [
    ['network-timer', search],
    ['offer-window', { journeyId }],
  ] as const)
    await db.tx((tx) => enqueue(tx, { tenantId, kind, payload, dueAt: secondsAfter(now, 30) }))
  assert.equal(await isStalled(journeyId), false)
  await db`update journey set status = 'OFFER_ACCEPTED', search = 'CLOSED' where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), true)
})

test('FIS12 §3.3: the timer of an answer is a job while that answer is awaited', async () => {
  const { journeyId, row } = await journeyIn({ status: 'OFFER_ACCEPTED' })
  const conversationId = await addConversation(row, 'INITIATED')
  const messageId = uuidv7()
  const payload = { journeyId, conversationId, messageId }
  await db.tx((tx) => enqueue(tx, { tenantId, kind: 'network-timer', payload, dueAt: secondsAfter(now, 30) }))
  assert.equal(await isStalled(journeyId), true)
  await db`update conversation set awaited_message_id = ${messageId} where conversation_id = ${conversationId}`
  assert.equal(await isStalled(journeyId), false)
})

test('FIS12 §11.2: a follow-up is a job while its event is awaited: a stage, or an act on a consent', async () => {
  const { journeyId, row } = await journeyIn({ status: 'OFFER_ACCEPTED' })
  const conversationId = await addConversation(row, 'INITIATED')
  const conversation = (await readConversation(db, tenantId, journeyId, conversationId))!
  await db.tx((tx) => scheduleFollowUp(tx, conversation, now))
  assert.equal(await isStalled(journeyId), false)
  const { aaSessionId, offerId } = await addConsent(row, conversationId)
  await db`insert into offer ${db(offerOf(row, { offerId, conversationId, selectedAt: now }))}`
  await db`
    update aa_session set state = 'IN_PROGRESS', dispatched_at = ${now} where aa_session_id = ${aaSessionId}`
  assert.equal(await isStalled(journeyId), true, 'the lender was notified of a consent')
  await db.tx((tx) => scheduleFollowUp(tx, conversation, now))
  await db`delete from job where key = ${`${conversationId}:INITIATED:KYC`}`
  assert.equal(await isStalled(journeyId), false)
  await db`update aa_session set state = 'CONFIRMED' where aa_session_id = ${aaSessionId}`
  assert.equal(await isStalled(journeyId), true, 'the lender has used the consent')
  await db.tx((tx) => scheduleFollowUp(tx, conversation, now))
  await db`update conversation set stage = 'CONFIRM_SENT' where conversation_id = ${conversationId}`
  assert.equal(await isStalled(journeyId), true, 'the conversation has moved on')
})

/** A consent that a lender requests in this journey. `change` sets columns of the request, and resets the others. */
async function addConsent(row: object, conversationId: string) {
  const aaSessionId = uuidv7()
  const offerId = uuidv7()
  const shared = { ...row, conversationId, createdAt: now, updatedAt: now }
  const requested = {
    purpose: 'UNDERWRITING',
    state: 'REQUIRED',
    consentHandle: 'h' as string | null,
    handleWanted: false,
  }
  await db`insert into aa_session ${db({
    ...shared,
    ...requested,
    aaSessionId,
    offerId,
    adapter: 'sandbox',
    aggregatorId: 'aa.example',
    aaIdSealed: Buffer.alloc(0),
  })}`
  async function change(fields: Partial<typeof requested>): Promise<void> {
    const { purpose, state, consentHandle, handleWanted } = { ...requested, ...fields }
    await db`
      update aa_session set purpose = ${purpose}, state = ${state}, consent_handle = ${consentHandle},
        handle_wanted = ${handleWanted} where aa_session_id = ${aaSessionId}`
  }
  return { aaSessionId, offerId, change }
}

test('D2 §2.2: a consent that the page asks for is an act; a borrower at the aggregator has none', async () => {
  const { journeyId, row } = await journeyIn({ status: 'STARTED' })
  const conversationId = await addConversation(row, 'SELECTED')
  const { change } = await addConsent(row, conversationId)
  const isStalledWith = async (fields: Parameters<typeof change>[0]) => {
    await change(fields)
    return isStalled(journeyId)
  }
  assert.equal(await isStalledWith({}), false)
  assert.equal(await isStalledWith({ state: 'REDIRECT_READY' }), false)
  assert.equal(await isStalledWith({ state: 'IN_PROGRESS' }), true)
  assert.equal(await isStalledWith({ consentHandle: null }), true, 'the lender looks up the new handle')
  assert.equal(await isStalledWith({ consentHandle: null, handleWanted: true }), false)
  assert.equal(await isStalledWith({ purpose: 'MONITORING' }), true, 'the page asks for it after the sanction')
  await db`update journey set status = 'LENDER_REDIRECTED' where journey_id = ${journeyId}`
  assert.equal(await isStalledWith({ purpose: 'MONITORING' }), false)
  assert.equal(await isStalledWith({}), true, 'the page asks for it before the offer')
  await change({ purpose: 'MONITORING' })
  await db`update conversation set stage = 'ENDED' where conversation_id = ${conversationId}`
  assert.equal(await isStalled(journeyId), true)
})

test('D2 §4: a running loan is stalled while its lender has to answer a request that no job repeats', async () => {
  const { journeyId, row } = await journeyIn({ status: 'DISBURSED' })
  await db`insert into servicing ${db({
    ...row,
    operationId: uuidv7(),
    kind: 'FORECLOSURE',
    status: 'REQUESTED',
    requestedAt: now,
    updatedAt: now,
  })}`
  assert.equal(await isStalled(journeyId), true)
  await db`update servicing set status = 'LINK_READY' where journey_id = ${journeyId}`
  assert.equal(await isStalled(journeyId), false, 'the borrower can pay')
})

test('D1 §3: the expiry of an offer moves a journey before the choice, and is no help after it', async () => {
  const offered = await journeyIn({ status: 'OFFERED' })
  await db`insert into offer ${db(offerOf(offered.row, { validUntil: now }))}`
  const chosen = await journeyIn({ status: 'OFFER_SELECTED' })
  await db`insert into offer ${db(offerOf(chosen.row, { selectedAt: now, finalTerms: false }))}`
  for (const { journeyId } of [offered, chosen])
    for (const kind of ['offer-lapse', 'grievance-follow-up'])
      await db.tx((tx) => enqueue(tx, { tenantId, kind, payload: { journeyId }, dueAt: secondsAfter(now, 86_400) }))
  assert.equal(await isStalled(offered.journeyId), false)
  assert.equal(await isStalled(chosen.journeyId), true)
})

test('D3 §1: a job of the case at the lending partner counts while what it asks for is awaited', async () => {
  const { journeyId, row } = await journeyIn({ status: 'LENDER_REDIRECTED' })
  const caseRef = uuidv7(now.getTime(), bucketOf(journeyId))
  const { networkTransactionId } = (await findJourney(db, tenantId, journeyId))!
  const ids = { ...row, caseRef, partnerId: networkTransactionId, dedupeRequestId: uuidv7() }
  await db`insert into partner_case ${db({ ...ids, stage: 'ACCEPTED', createdAt: now, updatedAt: now })}`
  await db`insert into step ${db({ ...row, name: 'eMandate', status: 'IN_PROGRESS', updatedAt: now })}`
  const isStalledWith = async (kind: string, payload: object) => {
    await db`delete from job where payload->>'caseRef' = ${caseRef}`
    await db.tx((tx) => enqueue(tx, { tenantId, kind, payload: { caseRef, ...payload }, dueAt: now }))
    return isStalled(journeyId)
  }
  const check = approvedVideoKyc(ctx, { tenantId, caseRef })
  await db.tx((tx) => storeCheck(tx, { ...check, kind: 'mandate', status: 'EXPIRED' }))
  assert.equal(await isStalled(journeyId), false, 'the borrower can begin another attempt')
  await db.tx((tx) => storeCheck(tx, { ...check, kind: 'mandate', attempt: 2, status: 'REQUESTED' }))
  assert.equal(await isStalled(journeyId), true, 'the provider has it')
  assert.equal(await isStalledWith('partner-status', {}), false)
  assert.equal(await isStalledWith('partner-status', { followUp: { stage: 'ACCEPTED', round: 3 } }), false)
  assert.equal(await isStalledWith('partner-status', { followUp: { stage: 'DECIDED', round: 3 } }), true)
  assert.equal(await isStalledWith('partner-check', { check: 'mandate' }), false)
  assert.equal(await isStalledWith('partner-check', { check: 'kyc' }), true, 'the borrower has done that step')
  assert.equal(await isStalledWith('partner-upload', {}), true, 'files alone move nothing')
  await db`update partner_case set stage = 'ENDED' where case_ref = ${caseRef}`
  assert.equal(await isStalledWith('partner-status', {}), true)
})

test('the metric counts stalled journeys once they have not changed for a minute, and says when', async () => {
  await db`update journey set active = false`
  const { journeyId } = await journeyIn({ status: 'PROFILED' })
  await db`update journey set updated_at = ${now} where journey_id = ${journeyId}`
  const metric = async (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec((await exposition()).text)?.[1]
  await countStalledJourneys(ctx)
  assert.equal(await metric('journeys_stalled'), '0')
  now = secondsAfter(now, 60)
  await countStalledJourneys(ctx)
  assert.equal(await metric('journeys_stalled'), '1')
  assert.equal(await metric('journeys_stalled_counted_timestamp_seconds'), String(now.getTime() / 1000))
})

test('a count that fails is a warning in the log, and the time of the last count stays', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const warnings: unknown[] = []
  const log = { ...ctx.log, warn: (...said: unknown[]) => void warnings.push(said) }
  const err = new Error('the statement takes too long')
  const failing = { background: () => Promise.reject(err) } as unknown as typeof db
  const worker = stalledJourneysWorker({ db: failing, clock: () => now, log })
  t.mock.timers.tick(10_000)
  await new Promise(setImmediate)
  await worker.stop()
  assert.deepEqual(warnings, [[{ err }, 'the journeys without a next act could not be counted']])
})
