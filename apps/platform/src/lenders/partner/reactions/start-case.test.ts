// Tests a case from the submitted profile to the lead: duplicate check, bureau report, recommendation and timeouts.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { ListenerRequest } from '@lendloom/conformance/exchange/listener'
import type { Lender } from '@lendloom/lending/lender'
import { inr } from '@lendloom/lending/money'
import { application } from '@lendloom/tests/setup/borrower'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { untilJobsHaveRun } from '@lendloom/tests/setup/idle'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import type { DedupeReply } from '@lendloom/wire/exchange/dedupe'
import { exampleDedupeReply } from '@lendloom/wire/exchange/example/answer'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { beginKind } from '#platform/lenders/partner/channel.ts'
import { sandboxContact } from '#platform/lenders/partner/partner-contact.ts'
import { findRejectingBureau } from '#platform/lenders/partner/rejecting-bureau.ts'
import { findMainCase } from '#platform/lenders/partner/store.ts'
import { eventContext } from '#platform/lending/journey/journey.ts'
import { findEvents, findJourney } from '#platform/lending/journey/store.ts'
import { listWithLenders } from '#platform/lending/offer/store.ts'
import { applyEvent } from './apply-event.ts'
import { preUnderwriteWorker } from './pre-underwrite.ts'
import { caseStartWorker, duplicateCheckWorker } from './start-case.ts'
import { leadWorker } from './submit-lead.ts'

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
const workers = [caseStartWorker(ctx), duplicateCheckWorker(ctx), preUnderwriteWorker(ctx), leadWorker(ctx)]
after(() => Promise.all(workers.map((worker) => worker.stop())))

// PANs whose digits select the behaviour of the sandbox bureau.
const noHistoryPan = 'ABCPE9131F'
const noReportPan = 'ABCPE9132F'
const lowScorePan = 'ABCPE9133F'

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

/** Submits the profile of a self-employed borrower. */
async function submitApplication(pan: string, change: { workProfile?: object; address?: object } = {}) {
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
  const loan = { tenantId: tenant.tenantId, journeyId: data.journeyID as string }
  return {
    borrower,
    path,
    loanCase: async () => (await findMainCase(ctx.db, loan))!,
    journey: async () => (await findJourney(ctx.db, loan.tenantId, loan.journeyId))!,
    offer: async () => (await listWithLenders(ctx.db, loan)).find(({ channel }) => channel === 'PARTNER'),
    reachStage: (stage: string) => until(stage, async () => (await findMainCase(ctx.db, loan))?.stage === stage),
    duplicateChecks: async () => {
      const loanCase = (await findMainCase(ctx.db, loan))!
      return lender.requests.filter(({ path, raw }) => path === '/dedupe' && raw.includes(loanCase.caseRef))
    },
  }
}

test('D3 §4.1: after PROCEED and a bureau report the borrower gets an indicative offer', async () => {
  lender.answer = (request) => replyTo(request)
  const loan = await submitApplication('ABCPE1234F')
  await loan.reachStage('RECOMMENDED')
  const [request] = await loan.duplicateChecks()
  const body = JSON.parse(request!.raw.toString('utf8'))
  assert.equal(request!.headers['idempotency-key'], body.request_id)
  assert.deepEqual(body.applicant, {
    pan: 'ABCPE1234F',
    mobile: body.applicant.mobile,
    date_of_birth: '1992-02-29',
    name: 'Asha Kulkarni',
  })
  assert.match(body.applicant.mobile, /^\+91[6-9]\d{9}$/)
  const offer = (await loan.offer())!
  assert.equal(offer.status, 'OFFER_RECEIVED')
  assert.equal(offer.finalTerms, false)
  assert.equal(offer.terms!.term, '22 weeks')
  assert.equal((await loan.journey()).status, 'OFFERED')
  assert.equal(offer.lender.name, 'Celestium Finance Limited')
})

test('D1 §2.4: an indicative offer has key facts, terms and the lender’s contacts', async () => {
  lender.answer = (request) => replyTo(request)
  const loan = await submitApplication('ABCPE1234F')
  await loan.reachStage('RECOMMENDED')
  const { lender: identity, terms } = (await loan.offer())!
  const { repaymentAccount, ...contacts } = (identity as unknown as Lender).contact
  assert.equal(repaymentAccount, sandboxContact.repaymentAccount)
  const contact = Object.values(contacts)
  assert.equal(contact.length, 8)
  assert.deepEqual(
    contact.filter((text) => !text),
    [],
  )
  const facts = await ask(terms!.kfsLink!)
  assert.equal(facts.status, 200)
  const { principal, installmentAmount, netDisbursed } = terms!
  for (const paise of [principal, installmentAmount, netDisbursed]) assert.ok(facts.body.includes(inr(BigInt(paise))))
  for (const text of [terms!.apr, ...contact]) assert.ok(facts.body.includes(text), `${text}`)
  assert.doesNotMatch(facts.body, /Kulkarni|ABCPE1234F/, 'the page does not identify the borrower')
  const conditions = await ask(terms!.tncLink!)
  assert.equal(conditions.status, 200)
  assert.match(conditions.body, /22 weekly instalments/)
  assert.equal((await ask(terms!.kfsLink!.replace(/.(?=\/key-facts)/, '!'))).status, 404)
  const { tenantId, journeyId } = await loan.journey()
  const { payloadSealed, status } = (await findEvents(ctx.db, tenantId, journeyId, 0)).at(-1)!
  const context = eventContext(tenantId, journeyId, status)
  const update = ctx.seal.openJson<LifecycleUpdate>(payloadSealed, context).borrower.journey
  assert.ok(Object.entries(update.lenders[0]!).every(([, text]) => text !== ''))
  assert.ok(update.offers[0]!.key_facts_statement_link && update.offers[0]!.terms_and_conditions_link)
})

test('D3 §4.1, §7: repeats the same check with the same key after errors 503 and 429', async () => {
  let attempts = 0
  lender.answer = (request) => (++attempts < 3 ? { status: attempts === 1 ? 503 : 429 } : replyTo(request))
  const loan = await submitApplication('ABCPE1234F')
  await loan.reachStage('RECOMMENDED')
  const keys = (await loan.duplicateChecks()).map(({ headers, raw }) =>
    [headers['idempotency-key'], raw.toString('utf8')].join(),
  )
  assert.equal(keys.length, 3)
  assert.equal(new Set(keys).size, 1)
})

test('D3 §4.1: a lender that never answers the duplicate check is listed without an offer', async () => {
  lender.answer = () => ({ status: 500 })
  const loan = await submitApplication('ABCPE1234F')
  await loan.reachStage('ENDED')
  const offer = (await loan.offer())!
  assert.equal(offer.status, 'NO_OFFER_AVAILABLE')
  assert.equal(offer.reason, 'LENDER_UNREACHABLE')
})

test('D3 §4.1: DECLINE, REVIEW_REQUIRED and every invalid answer end the case at once', async () => {
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
    const loan = await submitApplication('ABCPE1234F')
    await loan.reachStage('ENDED')
    assert.equal((await loan.duplicateChecks()).length, 1, JSON.stringify(change))
    assert.equal((await loan.offer())!.status, 'NO_OFFER_AVAILABLE')
  }
  lender.answer = (request) =>
    replyTo(request, { match_status: 'MATCH', existing_celestium_lead_id: '5', existing_celestium_loan_id: '6' })
  const matched = await submitApplication('ABCPE1234F')
  await matched.reachStage('RECOMMENDED')
})

test('D3 §2.3: recommends a loan only with a bureau report, a sufficient score and a sufficient income', async () => {
  lender.answer = (request) => replyTo(request)
  for (const [pan, change] of [
    [lowScorePan, {}],
    [noReportPan, {}],
    ['ABCPE1234F', { workProfile: { income: 1200 } }],
  ] as const) {
    const loan = await submitApplication(pan, change)
    await loan.reachStage('ENDED')
    assert.equal((await loan.offer())!.status, 'NO_OFFER_AVAILABLE', pan)
  }
  const withoutHistory = await submitApplication(noHistoryPan)
  await withoutHistory.reachStage('RECOMMENDED')
  assert.equal((await withoutHistory.offer())!.terms!.principal, String(127_000_00))
})

test('D3 §2.3: after a refusal for the credit report, the bureau of the report can be found', async () => {
  lender.answer = (request) => replyTo(request)
  for (const [pan, bureau] of [
    [lowScorePan, 'CRIF'],
    [noReportPan, null],
  ] as const) {
    const loan = await submitApplication(pan)
    await loan.reachStage('ENDED')
    const { lenderId, ...caseKey } = await loan.loanCase()
    assert.equal(await findRejectingBureau(ctx.db, ctx, caseKey, [lenderId!]), bureau, pan)
    assert.equal(await findRejectingBureau(ctx.db, ctx, caseKey, []), null, 'null when another lender refused')
  }
})

test('D3 §1, §2.3: starts no case for a salaried borrower or a borrower with an incomplete address', async () => {
  lender.answer = (request) => replyTo(request)
  const salaried = await submitApplication('ABCPE1234F', { workProfile: { employmentType: 'salaried' } })
  const withoutAddress = await submitApplication('ABCPE1234F', { address: { pincode: '400001' } })
  await untilJobsHaveRun(ctx, beginKind)
  assert.equal(await salaried.loanCase(), undefined)
  assert.equal(await withoutAddress.loanCase(), undefined)
})

describe('D3 §1.1 rule 2: submitting the lead, one story', () => {
  let loan: Awaited<ReturnType<typeof submitApplication>>
  let caseRef: string

  test('D3 §1.1 rule 2: a lead needs a duplicate check from the last 24 hours', async () => {
    lender.answer = (request) => replyTo(request)
    loan = await submitApplication('ABCPE1234F')
    await loan.reachStage('RECOMMENDED')
    const loanCase = await loan.loanCase()
    caseRef = loanCase.caseRef
    const past = new Date(Date.now() - 25 * 3_600_000)
    await ctx.db`update partner_case set dedupe_checked_at = ${past} where case_ref = ${caseRef}`
    const offer = (await loan.offer())!
    assert.equal((await loan.borrower.post(`${loan.path}/offers/${offer.offerId}/proceed`)).status, 200)
    await until('the account is requested', async () => {
      const { data } = (await loan.borrower.get(`${loan.path}/state`)).body
      return data.status === 'BANK_MANDATE_PENDING' && data.nextAction === 'COMPLETE_STEP'
    })
    const account = {
      accountHolderName: 'Asha Kulkarni',
      accountNumber: '50100123456789',
      ifsc: 'HDFC0000001',
      accountType: 'SAVINGS',
    }
    assert.equal(
      (await loan.borrower.post(`${loan.path}/offers/${offer.offerId}/steps/bank-mandate`, account)).status,
      200,
    )
    await loan.reachStage('SUBMITTED')
    assert.equal((await loan.duplicateChecks()).length, 2, 'the old check has expired')
    assert.notEqual((await loan.loanCase()).dedupeRequestId, loanCase.dedupeRequestId, 'the new check has a new id')
  })

  test('D3 §1.1 rule 2: the lead contains consents, evidence and the list of expected documents', async () => {
    const [row] = await ctx.db<{
      bodySealed: Buffer
      eventId: string
    }>`select body_sealed, event_id from outbox where case_ref = ${caseRef}`
    const { data, correlation, sender } = JSON.parse(
      ctx.seal.open(row!.bodySealed, `outbox/${caseRef}/${row!.eventId}`).toString('utf8'),
    )
    assert.equal(sender, 'LENDLOOM')
    assert.equal(correlation.celestium_lead_id, null)
    assert.equal(correlation.celestium_loan_id, null)
    assert.deepEqual(
      Object.entries(data.consents).map(([name, consent]) => ({
        name,
        accepted: (consent as { accepted: boolean }).accepted,
      })),
      [
        { name: 'bureau', accepted: true },
        { name: 'bank_analysis', accepted: false },
        { name: 'data_sharing', accepted: true },
        { name: 'submission', accepted: true },
      ],
    )
    assert.equal(data.borrower.first_name, 'Asha')
    assert.equal(data.borrower.middle_name, null)
    assert.equal(data.borrower.last_name, 'Kulkarni')
    assert.equal(data.bureau.status, 'AVAILABLE')
    assert.equal(data.banking.account.account_number, '50100123456789')
    assert.equal(data.documents_expected.length, 1)
    assert.equal(data.proposed_offer.tenure_weeks, 22)
    assert.equal(data.proposed_offer.loan_amount, '200000.00')
  })

  test('D3 §1.1 rule 2: a failed lead is rebuilt with a new duplicate check', async () => {
    const source_event_id = (await loan.loanCase()).leadEventId!
    const failure = { ...exampleData('EVENT_PROCESSING_FAILED'), source_event_id, retryable: true }
    const failed = lender.event('EVENT_PROCESSING_FAILED', { caseRef, leadId: null, loanId: null }, 1, failure)
    const received = { tenantId: tenant.tenantId, partitionKey: caseRef, body: failed } as unknown as Parameters<
      typeof applyEvent
    >[1]
    await ctx.db.tx((tx) => applyEvent({ ...ctx, tx, at: ctx.clock() }, received))
    await loan.reachStage('SUBMITTED')
    const leads = await ctx.db<{ eventId: string; entityVersion: number }>`
      select event_id, entity_version::float8 as entity_version from outbox
      where case_ref = ${caseRef} and event_type = 'LEAD_SUBMITTED' order by entity_version`
    assert.deepEqual(
      leads.map(({ entityVersion }) => entityVersion),
      [1, 2],
    )
    assert.equal(leads[0]!.eventId, source_event_id)
    assert.equal(leads[1]!.eventId, (await loan.loanCase()).leadEventId)
    assert.equal((await loan.duplicateChecks()).length, 3, 'the new lead has a new check')
  })
})

test('D3 §4.1: a declined second check ends the application before a lead is sent', async () => {
  lender.answer = (request) => replyTo(request)
  const loan = await submitApplication('ABCPE1234F')
  await loan.reachStage('RECOMMENDED')
  const past = new Date(Date.now() - 25 * 3_600_000)
  await ctx.db`update partner_case set dedupe_checked_at = ${past} where case_ref = ${(await loan.loanCase()).caseRef}`
  lender.answer = (request) => replyTo(request, { decision: 'DECLINE' })
  const offer = (await loan.offer())!
  await loan.borrower.post(`${loan.path}/offers/${offer.offerId}/proceed`)
  const account = {
    accountHolderName: 'Asha Kulkarni',
    accountNumber: '50100123456789',
    ifsc: 'HDFC0000001',
    accountType: 'SAVINGS',
  }
  await until(
    'the account is requested',
    async () => (await loan.borrower.get(`${loan.path}/state`)).body.data.status === 'BANK_MANDATE_PENDING',
  )
  await loan.borrower.post(`${loan.path}/offers/${offer.offerId}/steps/bank-mandate`, account)
  await loan.reachStage('ENDED')
  assert.equal((await loan.journey()).status, 'REJECTED')
  assert.equal((await ctx.db`select 1 from outbox where case_ref = ${(await loan.loanCase()).caseRef}`).length, 0)
})

test('D3 §4.1: pulls no bureau report after the borrower has chosen another lender', async () => {
  lender.answer = () => ({ status: 503 })
  const loan = await submitApplication('ABCPE1234F')
  await until('the first attempt', async () => (await loan.duplicateChecks()).length > 0)
  const { caseRef, journeyId } = await loan.loanCase()
  await ctx.db`update journey set active = false, status = 'NOT_OFFERED' where journey_id = ${journeyId}`
  lender.answer = (request) => replyTo(request)
  await loan.reachStage('ENDED')
  const reports = await providers.db`select 1 from bureau_report where client_reference like ${`${caseRef}%`}`
  assert.equal(reports.length, 0)
})
