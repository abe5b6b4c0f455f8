// From the profile to a recommendation: what the partner's check and the bureau permit, and what silence means.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { ListenerRequest } from '#conformance/exchange/listener.ts'
import type { DedupeReply } from '#contract/exchange/dedupe.ts'
import { exampleDedupeReply } from '#contract/exchange/example/answer.ts'
import { exampleData } from '#contract/exchange/example/event.ts'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import type { Lender } from '#contract/network/v203/lender.ts'
import { inr } from '#kit/money/money.ts'
import { bureauBehind } from '#platform/exchange/bureau.ts'
import { findCaseOf } from '#platform/exchange/store.ts'
import { eventContext } from '#platform/journey/journey.ts'
import { findEvents, findJourney } from '#platform/journey/store.ts'
import { listWithLenders } from '#platform/offer/store.ts'
import { sandboxProviders } from '#platform/provider/settings.ts'
import { application } from '#test/setup/borrower.ts'
import { startHeadlessClient } from '#test/setup/headless-api.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { startProviders } from '#test/setup/providers.ts'
import { applyEvent } from './apply.ts'
import { beginning, checking } from './begin.ts'
import { preUnderwriting } from './pre-underwrite.ts'
import { submitting } from './submit-lead.ts'

const lender = await startLenderExchange()
const providers = await startProviders()
const platform = await testPlatform({
  ...lender.env,
  ...sandboxProviders(providers.url),
  BUREAU_PROVIDER: 'CRIF_HIGH_MARK',
  PARTNER_DEDUPE_SECONDS: '6',
})
const { ctx, tenant } = platform
const api = startHeadlessClient(platform)
const workers = [beginning(ctx), checking(ctx), preUnderwriting(ctx), submitting(ctx)]
after(() => Promise.all(workers.map((worker) => worker.stop())))

const replyTo = ({ raw }: ListenerRequest, change: Partial<DedupeReply> = {}) => {
  const { request_id, external_reference_id } = JSON.parse(raw.toString('utf8'))
  return {
    status: 200,
    body: {
      ...exampleDedupeReply(),
      checked_at: new Date().toISOString(),
      request_id,
      external_reference_id,
      ...change,
    },
  }
}

async function applied(pan: string, change: { workProfile?: object; address?: object } = {}) {
  const borrower = await api.borrower()
  const { data } = (await borrower.post('/journeys', { type: 'PERSONAL_LOAN' })).body
  const path = `/journeys/${data.journeyID}`
  const { profile, workProfile, address } = application(pan)
  const profileInput = {
    profile,
    workProfile: { ...workProfile, employmentType: 'selfEmployed', ...change.workProfile },
    address: change.address ?? address,
  }
  assert.equal((await borrower.put(`${path}/profile`, profileInput)).status, 200)
  assert.equal((await borrower.post(`${path}/profile/submit`, { bureauConsent: true })).status, 202)
  const of = { tenantId: tenant.tenantId, journeyId: data.journeyID as string }
  return {
    borrower,
    path,
    loanCase: async () => (await findCaseOf(ctx.db, of))!,
    journey: async () => (await findJourney(ctx.db, of.tenantId, of.journeyId))!,
    offer: async () => (await listWithLenders(ctx.db, of)).find(({ channel }) => channel === 'PARTNER'),
    at: (stage: string) => until(stage, async () => (await findCaseOf(ctx.db, of))?.stage === stage),
    checks: async () => {
      const loanCase = (await findCaseOf(ctx.db, of))!
      return lender.requests.filter(({ path, raw }) => path === '/dedupe' && raw.includes(loanCase.caseRef))
    },
  }
}

test('D3 §4.1: the question is asked as the document has it; PROCEED and a report make an indicative offer', async () => {
  lender.answer = (request) => replyTo(request)
  const of = await applied('ABCPE1234F')
  await of.at('RECOMMENDED')
  const [request] = await of.checks()
  const body = JSON.parse(request!.raw.toString('utf8'))
  assert.equal(request!.headers['idempotency-key'], body.request_id)
  assert.deepEqual(body.applicant, {
    pan: 'ABCPE1234F',
    mobile: body.applicant.mobile,
    date_of_birth: '1992-02-29',
    name: 'Asha Kulkarni',
  })
  assert.match(body.applicant.mobile, /^\+91[6-9]\d{9}$/)
  const offer = (await of.offer())!
  assert.deepEqual([offer.status, offer.finalTerms, offer.terms!.term], ['OFFER_RECEIVED', false, '22 weeks'])
  assert.equal((await of.journey()).status, 'OFFERED')
  assert.equal(offer.lender.name, 'Celestium Finance Limited')
})

test('D1 §2.4: an indicative offer has key facts, terms, and whom to turn to', async () => {
  lender.answer = (request) => replyTo(request)
  const of = await applied('ABCPE1234F')
  await of.at('RECOMMENDED')
  const { lender: identity, terms } = (await of.offer())!
  const contact = Object.values((identity as unknown as Lender).contact)
  assert.deepEqual([contact.length, contact.filter((text) => !text)], [8, []])
  const facts = await ask(terms!.kfsLink!)
  assert.equal(facts.status, 200)
  const { principal, installmentAmount, netDisbursed } = terms!
  for (const paise of [principal, installmentAmount, netDisbursed]) assert.ok(facts.body.includes(inr(BigInt(paise))))
  for (const text of [terms!.apr, ...contact]) assert.ok(facts.body.includes(text), `${text}`)
  assert.doesNotMatch(facts.body, /Kulkarni|ABCPE1234F/, 'the pages name no borrower')
  const conditions = await ask(terms!.tncLink!)
  assert.equal(conditions.status, 200)
  assert.match(conditions.body, /22 weekly instalments/)
  assert.equal((await ask(terms!.kfsLink!.replace(/.(?=\/key-facts)/, '!'))).status, 404)
  const { tenantId, journeyId } = await of.journey()
  const { payloadSealed, status } = (await findEvents(ctx.db, tenantId, journeyId, 0)).at(-1)!
  const context = eventContext(tenantId, journeyId, status)
  const part = ctx.seal.openJson<LifecycleUpdate>(payloadSealed, context).borrower.journey
  assert.ok(Object.entries(part.lenders[0]!).every(([, text]) => text !== ''))
  assert.ok(part.offers[0]!.key_facts_statement_link && part.offers[0]!.terms_and_conditions_link)
})

test('D3 §4.1, §7: after a time-out and while the partner is busy the same check is repeated with the same key', async () => {
  let tries = 0
  lender.answer = (request) => (++tries < 3 ? { status: tries === 1 ? 503 : 429 } : replyTo(request))
  const of = await applied('ABCPE1234F')
  await of.at('RECOMMENDED')
  const keys = (await of.checks()).map(({ headers, raw }) => [headers['idempotency-key'], raw.toString('utf8')].join())
  assert.equal(keys.length, 3)
  assert.equal(new Set(keys).size, 1)
})

test('D3 §4.1: silence is no permission: the lender is listed without an offer', async () => {
  lender.answer = () => ({ status: 500 })
  const of = await applied('ABCPE1234F')
  await of.at('ENDED')
  const offer = (await of.offer())!
  assert.deepEqual([offer.status, offer.reason], ['NO_OFFER_AVAILABLE', 'LENDER_UNREACHABLE'])
})

test('D3 §4.1: DECLINE, REVIEW_REQUIRED and every answer that is none stop automatic progress at once', async () => {
  const answers: Partial<DedupeReply>[] = [
    { decision: 'DECLINE' },
    { decision: 'REVIEW_REQUIRED' },
    { match_status: 'AMBIGUOUS', decision: 'REVIEW_REQUIRED' },
    { match_status: 'AMBIGUOUS', decision: 'PROCEED' },
    { decision: 'MAYBE' as 'PROCEED' },
    { request_id: '0190f5a0-0000-7000-8000-0000000000ff' },
    { external_reference_id: 'ANOTHER' },
    { match_status: 'NO_MATCH', existing_celestium_lead_id: '5' },
    { checked_at: 'today' },
  ]
  for (const change of answers) {
    lender.answer = (request) => replyTo(request, change)
    const of = await applied('ABCPE1234F')
    await of.at('ENDED')
    assert.equal((await of.checks()).length, 1, JSON.stringify(change))
    assert.equal((await of.offer())!.status, 'NO_OFFER_AVAILABLE')
  }
  lender.answer = (request) =>
    replyTo(request, { match_status: 'MATCH', existing_celestium_lead_id: '5', existing_celestium_loan_id: '6' })
  const permitted = await applied('ABCPE1234F')
  await permitted.at('RECOMMENDED')
})

test('D3 §2.3: a low score, no report and too little income are no recommendation; no history is half of one', async () => {
  lender.answer = (request) => replyTo(request)
  for (const [pan, change] of [
    ['ABCPE9133F', {}],
    ['ABCPE9132F', {}],
    ['ABCPE1234F', { workProfile: { income: 1200 } }],
  ] as const) {
    const of = await applied(pan, change)
    await of.at('ENDED')
    assert.equal((await of.offer())!.status, 'NO_OFFER_AVAILABLE', pan)
  }
  const unknown = await applied('ABCPE9131F')
  await unknown.at('RECOMMENDED')
  assert.equal((await unknown.offer())!.terms!.principal, String(127_000_00))
})

test('D3 §2.3: whose report a refusal by credit rests on is known from the pull, and of no report nothing is', async () => {
  lender.answer = (request) => replyTo(request)
  for (const [pan, bureau] of [
    ['ABCPE9133F', 'CRIF'],
    ['ABCPE9132F', null],
  ] as const) {
    const of = await applied(pan)
    await of.at('ENDED')
    const { lenderId, ...place } = await of.loanCase()
    assert.equal(await bureauBehind(ctx.db, ctx, place, [lenderId!]), bureau, pan)
    assert.equal(await bureauBehind(ctx.db, ctx, place, []), null, 'another lender refused')
  }
})

test('D3 §1, §2.3: salaried people, and profiles without a whole address, are not told to the partner', async () => {
  lender.answer = (request) => replyTo(request)
  const salaried = await applied('ABCPE1234F', { workProfile: { employmentType: 'salaried' } })
  const homeless = await applied('ABCPE1234F', { address: { pincode: '400001' } })
  // Long enough for a case that must not be made.
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.deepEqual([await salaried.loanCase(), await homeless.loanCase()], [undefined, undefined])
})

describe('D3 §1.1 rule 2: the lead', () => {
  let of: Awaited<ReturnType<typeof applied>>
  let caseRef: string

  test('D3 §1.1 rule 2: the lead rests on a check of the last day', async () => {
    lender.answer = (request) => replyTo(request)
    of = await applied('ABCPE1234F')
    await of.at('RECOMMENDED')
    const loanCase = await of.loanCase()
    caseRef = loanCase.caseRef
    const past = new Date(Date.now() - 25 * 3_600_000)
    await ctx.db`update partner_case set dedupe_checked_at = ${past} where case_ref = ${caseRef}`
    const offer = (await of.offer())!
    assert.equal((await of.borrower.post(`${of.path}/offers/${offer.offerId}/proceed`)).status, 200)
    await until('the account is asked for', async () => {
      const { data } = (await of.borrower.get(`${of.path}/state`)).body
      return data.status === 'BANK_MANDATE_PENDING' && data.nextAction === 'COMPLETE_STEP'
    })
    const account = {
      accountHolderName: 'Asha Kulkarni',
      accountNumber: '50100123456789',
      ifsc: 'HDFC0000001',
      accountType: 'SAVINGS',
    }
    assert.equal((await of.borrower.post(`${of.path}/offers/${offer.offerId}/steps/bank-mandate`, account)).status, 200)
    await of.at('SUBMITTED')
    assert.equal((await of.checks()).length, 2, 'the old check was too old')
    assert.notEqual((await of.loanCase()).dedupeRequestId, loanCase.dedupeRequestId, 'a fresh check has a new id')
  })

  test('D3 §1.1 rule 2: the lead carries consents, evidence and manifest', async () => {
    const [row] = await ctx.db<{
      bodySealed: Buffer
      eventId: string
    }>`select body_sealed, event_id from outbox where case_ref = ${caseRef}`
    const { data, correlation, sender } = JSON.parse(
      ctx.seal.open(row!.bodySealed, `outbox/${caseRef}/${row!.eventId}`).toString('utf8'),
    )
    assert.equal(sender, 'LENDLOOM')
    assert.deepEqual([correlation.celestium_lead_id, correlation.celestium_loan_id], [null, null])
    assert.deepEqual(
      Object.entries(data.consents).map(([name, given]) => [name, (given as { accepted: boolean }).accepted]),
      [
        ['bureau', true],
        ['bank_analysis', false],
        ['data_sharing', true],
        ['submission', true],
      ],
    )
    assert.deepEqual(
      [data.borrower.first_name, data.borrower.middle_name, data.borrower.last_name],
      ['Asha', null, 'Kulkarni'],
    )
    assert.equal(data.bureau.status, 'AVAILABLE')
    assert.equal(data.banking.account.account_number, '50100123456789')
    assert.equal(data.documents_expected.length, 1)
    assert.deepEqual([data.proposed_offer.tenure_weeks, data.proposed_offer.loan_amount], [22, '200000.00'])
  })

  test('D3 §1.1 rule 2: a lead that failed is made once more, on a fresh check', async () => {
    const source_event_id = (await of.loanCase()).leadEventId!
    const stale = { ...exampleData('EVENT_PROCESSING_FAILED'), source_event_id, retryable: true }
    const failed = lender.event('EVENT_PROCESSING_FAILED', { caseRef, leadId: null, loanId: null }, 1, stale)
    const received = { tenantId: tenant.tenantId, partitionKey: caseRef, body: failed } as unknown as Parameters<
      typeof applyEvent
    >[1]
    await ctx.db.tx((tx) => applyEvent({ ...ctx, tx, at: ctx.clock() }, received))
    await of.at('SUBMITTED')
    const leads = await ctx.db<{ eventId: string; entityVersion: number }>`
      select event_id, entity_version::float8 as entity_version from outbox
      where case_ref = ${caseRef} and event_type = 'LEAD_SUBMITTED' order by entity_version`
    assert.deepEqual(
      leads.map(({ entityVersion }) => entityVersion),
      [1, 2],
    )
    assert.deepEqual([leads[0]!.eventId, leads[1]!.eventId], [source_event_id, (await of.loanCase()).leadEventId])
    assert.equal((await of.checks()).length, 3, 'the lead that is made anew rests on a fresh check')
  })
})

test('D3 §4.1: a second check that no longer permits it ends the application before the lead', async () => {
  lender.answer = (request) => replyTo(request)
  const of = await applied('ABCPE1234F')
  await of.at('RECOMMENDED')
  const past = new Date(Date.now() - 25 * 3_600_000)
  await ctx.db`update partner_case set dedupe_checked_at = ${past} where case_ref = ${(await of.loanCase()).caseRef}`
  lender.answer = (request) => replyTo(request, { decision: 'DECLINE' })
  const offer = (await of.offer())!
  await of.borrower.post(`${of.path}/offers/${offer.offerId}/proceed`)
  const account = {
    accountHolderName: 'Asha Kulkarni',
    accountNumber: '50100123456789',
    ifsc: 'HDFC0000001',
    accountType: 'SAVINGS',
  }
  await until(
    'the account is asked for',
    async () => (await of.borrower.get(`${of.path}/state`)).body.data.status === 'BANK_MANDATE_PENDING',
  )
  await of.borrower.post(`${of.path}/offers/${offer.offerId}/steps/bank-mandate`, account)
  await of.at('ENDED')
  assert.equal((await of.journey()).status, 'REJECTED')
  assert.equal((await ctx.db`select 1 from outbox where case_ref = ${(await of.loanCase()).caseRef}`).length, 0)
})

test('D3 §4.1: a borrower who has chosen elsewhere meanwhile is not looked up at the bureau', async () => {
  lender.answer = () => ({ status: 503 })
  const of = await applied('ABCPE1234F')
  await until('a first try', async () => (await of.checks()).length > 0)
  const { caseRef, journeyId } = await of.loanCase()
  await ctx.db`update journey set active = false, status = 'NOT_OFFERED' where journey_id = ${journeyId}`
  lender.answer = (request) => replyTo(request)
  await of.at('ENDED')
  const pulled = await providers.db`select 1 from bureau_report where client_reference like ${`${caseRef}%`}`
  assert.equal(pulled.length, 0)
})
