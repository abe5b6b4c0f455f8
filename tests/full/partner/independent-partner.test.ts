// A platform written from the published document against our partner, and the example lender against our platform.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { application, bankAccount, newApplicant } from '#test/setup/borrower.ts'
import { type LeadOutcome, startExampleLender } from '#test/setup/example-lender.ts'
import { samplePdf } from '#test/setup/files.ts'
import {
  cardsOf,
  completeSteps,
  mustCall,
  offerPath,
  startHeadlessJourney,
  waitForStatus,
} from '#test/setup/headless.ts'
import { type Json, PublishedDocument } from '#test/setup/independent.ts'
import { IndependentCase, startIndependentPlatform } from '#test/setup/independent-platform.ts'
import { assertRefused, testRefusals } from '#test/setup/independent-refusals.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const independentPlatform = await startIndependentPlatform('CELESTIUM')
/** The example lender's outcome by PAN digits; no other lender has a rule for these digits. */
const outcomeByDigits: Record<string, LeadOutcome> = { '9201': 'DECLINE', '9203': 'REJECT', '9207': 'FAIL' }
const lender = await startExampleLender('LENDLOOM', (pan) => outcomeByDigits[pan.slice(5, 9)] ?? 'LEND')
const env = {
  PARTNER_CLIENTS: JSON.stringify([independentPlatform.client]),
  LENDLOOM_TIME_SCALE: '0.02',
  ...lender.env,
}
const programs = await startPrograms({ partner: true, env })
const partnerDocument = await PublishedDocument.at(`${programs.partnerUrl}/openapi.json`)
const platformDocument = await PublishedDocument.at(`${programs.platformUrl}/api/partner/openapi.json`)
independentPlatform.read(partnerDocument)
lender.read(platformDocument)

/** A new applicant in the example's format. */
let personCount = 0
function person() {
  personCount++
  return {
    pan: `A${'BK'[personCount % 2]}CP${'ABCDEFGHIJ'[personCount % 10]}4321F`,
    mobile: `+9198765${String(10_000 + personCount)}`,
  }
}

async function caseWithDedupe() {
  const loanCase = new IndependentCase(partnerDocument, independentPlatform)
  const applicant = person()
  const { body: check } = await loanCase.dedupe(applicant)
  const { borrower } = loanCase.example('LEAD_SUBMITTED').data
  const lead = { dedupe_reference_id: check.dedupe_reference_id, borrower: { ...borrower, ...applicant } }
  return { loanCase, applicant, check, lead }
}

/** Runs a case from lead to final offer. The lead has extra keys, which the partner must ignore. */
async function caseWithOffer() {
  const { loanCase, check, lead } = await caseWithDedupe()
  assert.equal(check.decision, 'PROCEED')
  const extra = { our_campaign: { source: 'diwali' }, borrower: { ...lead.borrower, nickname: 'Ashu' } }
  const first = await loanCase.send('LEAD_SUBMITTED', { ...lead, ...extra })
  const registered = await until('LEAD_REGISTERED', () => loanCase.find('LEAD_REGISTERED'))
  loanCase.useReservedIds(registered)
  const expected = first.data.documents_expected.map((each: Json) => each.document_reference_id)
  assert.deepEqual(registered.data.documents_pending, expected)
  const report = await samplePdf('a report')
  for (const { document_reference_id, document_type } of first.data.documents_expected)
    assert.equal((await loanCase.upload(document_type, report, document_reference_id)).status, 201)
  const { data } = await until('the review', () => loanCase.find('MANUAL_REVIEW_DECIDED'))
  assert.equal(data.decision, 'APPROVED')
  return { loanCase, data }
}

const loggedErrors = (): string[] => programs.errorLines.map((line) => JSON.parse(line).msg)
const unappliedEvent = 'the partner could not apply one of our events'

describe('an independent platform at our partner', () => {
  test('D3 §1.1, §4, §9: a case goes from dedupe through lead, files, offer and checks to disbursement', async () => {
    const { loanCase, data } = await caseWithOffer()
    const { offer_id } = data.offer
    const decision = await loanCase.send('OFFER_DECISION_RECORDED', { offer_id, decision: 'ACCEPT' })
    const confirmed = await until('the confirmation', () => loanCase.find('OFFER_DECISION_CONFIRMED'))
    assert.equal(confirmed.data.source_event_id, decision.event_id)

    const evidence = (await loanCase.upload('KYC_REPORT', await samplePdf('KYC report'))).body
    const requested = loanCase.event('KYC_UPDATED', { status: 'REQUESTED', verified: false, document_ids: [] })
    await loanCase.send('KYC_UPDATED', { document_ids: [evidence.document_id] })
    assert.equal((await loanCase.status()).checks.kyc, 'NOT_STARTED', 'an event after a gap is held back')
    assert.equal((await loanCase.post(requested)).status, 202)
    await until('both events are applied in order', async () => (await loanCase.status()).checks.kyc === 'APPROVED')
    const valid_until = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10)
    await loanCase.send('MANDATE_UPDATED', { valid_until })
    await loanCase.send('ESIGN_UPDATED')
    assert.equal((await loanCase.status()).disbursement, null)
    assert.equal((await loanCase.upload('SIGNED_LOAN_AGREEMENT', await samplePdf('signed'))).status, 201)

    const paidOut = await until('the money', () =>
      loanCase.find('DISBURSEMENT_UPDATED', ({ status }) => status === 'DISBURSED'),
    )
    assert.ok(paidOut.data.bank_reference)
    assert.equal(paidOut.data.amount, data.offer.net_disbursed_amount)
    await until('the account', () =>
      loanCase.find('LOAN_STATUS_UPDATED', ({ loan_status }) => loan_status === 'ACTIVE'),
    )
    const status = await loanCase.status()
    assert.equal(status.case_status, 'DISBURSED')
    assert.equal(status.loan_status, 'ACTIVE')
    assert.equal(status.amortization_schedule.installments.length, 22)
    assert.equal(status.documents.pending.length, 0)
    assert.equal(status.offer.source_event_id, decision.event_id)

    const paid = await fetch(`${programs.sandboxUrl}/bank/borrower-payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'UPI', amount: '4790.00', payer_name: 'Asha Kumar' }),
    })
    const { transaction_reference } = (await paid.json()) as Json
    const claim = { claim_reference: `CLAIM-${randomUUID()}`, amount: '4790.00', transaction_reference }
    await loanCase.send('PAYMENT_CLAIM_SUBMITTED', { ...claim, payment_date: today() })
    const posted = await until('the payment', () =>
      loanCase.find('PAYMENT_UPDATED', (data) => data.status === 'POSTED'),
    )
    assert.equal(posted.data.claim_reference, claim.claim_reference)
    const after = await loanCase.status()
    assert.deepEqual(
      after.payments.map(({ payment_id, status }: Json) => ({ payment_id, status })),
      [{ payment_id: posted.entity_id, status: 'POSTED' }],
    )
    assert.ok(after.snapshot_version > status.snapshot_version)
    const versions = loanCase.events
      .filter(({ entity_type }) => entity_type === 'CASE')
      .map((event) => event.entity_version)
    assert.deepEqual(
      versions,
      versions.map((_, i) => i + 1),
    )
    assert.deepEqual(independentPlatform.faults, [])
  })

  test('D3 §4.1, §4.2, §4.3: repeated requests return the stored response, and different content under a used key is a conflict', async () => {
    const { loanCase, applicant, lead } = await caseWithDedupe()
    const requestId = randomUUID()
    const first = await loanCase.dedupe(applicant, requestId)
    const replayed = await loanCase.dedupe(applicant, requestId)
    assert.equal(first.status, 200)
    assert.equal(replayed.status, 200)
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(replayed.body, first.body)
    assertRefused(await loanCase.dedupe({ ...applicant, name: 'Somebody Else' }, requestId), 409, 'CONFLICT', requestId)

    const event = await loanCase.send('LEAD_SUBMITTED', lead)
    const again = await loanCase.post(event)
    const other = await loanCase.post({ ...event, occurred_at: '2026-11-20T09:00:00Z' })
    assert.equal(again.status, 200)
    assert.deepEqual(again.body.event_id, event.event_id)
    assertRefused(other, 409, 'CONFLICT', event.event_id)

    loanCase.useReservedIds(await until('LEAD_REGISTERED', () => loanCase.find('LEAD_REGISTERED')))
    const reference = event.data.documents_expected[0].document_reference_id
    const key = randomUUID()
    const bytes = await samplePdf('one')
    const more = await samplePdf('two')
    const stored = await loanCase.upload('BUREAU_REPORT', bytes, reference, key)
    const storedAgain = await loanCase.upload('BUREAU_REPORT', bytes, reference, key)
    assert.equal(stored.status, 201)
    assert.equal(storedAgain.status, 200)
    assert.deepEqual(storedAgain.body, stored.body)
    assertRefused(await loanCase.upload('BUREAU_REPORT', more, reference, key), 409, 'CONFLICT', key)
    assertRefused(await loanCase.upload('BUREAU_REPORT', more, reference), 409, 'CONFLICT')
    assertRefused(await loanCase.upload('BUREAU_REPORT', Buffer.from('no pdf')), 415, 'UNSUPPORTED_MEDIA')
  })

  test('D3 §5, §8: a rejected event is resent with the same bytes and a new signature', async () => {
    const { loanCase, lead } = await caseWithDedupe()
    independentPlatform.busyFor = ({ correlation }) => correlation.external_reference_id === loanCase.caseRef
    await loanCase.send('LEAD_SUBMITTED', lead)
    const { event_id } = await until('LEAD_REGISTERED', () => loanCase.find('LEAD_REGISTERED'))
    const [first, second] = independentPlatform.tries.get(event_id)!
    assert.ok(second!.raw.equals(first!.raw))
    assert.ok(second!.sentAt > first!.sentAt)
  })

  test('D3 §2.2, §6 rule 6: an event that cannot be applied is answered with EVENT_PROCESSING_FAILED', async () => {
    const { loanCase, lead } = await caseWithDedupe()
    const event = await loanCase.send('LEAD_SUBMITTED', { ...lead, dedupe_reference_id: 'DD-UNKNOWN' })
    const failed = await until('the failure', () =>
      loanCase.events.find(({ event_type }) => event_type === 'EVENT_PROCESSING_FAILED'),
    )
    assert.deepEqual(failed.data.source_event_id, event.event_id)
    assert.equal(failed.data.code, 'VALIDATION_ERROR')
    assert.equal(failed.entity_version, 1)
    assert.equal(failed.correlation.celestium_lead_id, null)
    assert.equal(failed.correlation.celestium_loan_id, null)
  })

  test('D3 §6 rule 2: the lender reviews a video KYC after the provider has finished', async () => {
    const { loanCase, data } = await caseWithOffer()
    await loanCase.send('OFFER_DECISION_RECORDED', { offer_id: data.offer.offer_id, decision: 'ACCEPT' })
    await until('the confirmation', () => loanCase.find('OFFER_DECISION_CONFIRMED'))
    const video = { mode: 'VIDEO_AND_MANUAL_REVIEW', document_ids: [] }
    const ready = await loanCase.send('KYC_UPDATED', { ...video, status: 'REVIEW_READY', verified: false })
    const review = await until('the review of the KYC', () => loanCase.find('KYC_REVIEW_DECIDED'))
    assert.equal(review.data.provider_reference_id, ready.data.provider_reference_id)
    const before = await loanCase.status()
    assert.equal(before.case_status, 'KYC_PENDING')
    assert.equal(before.checks.kyc, 'REVIEW_READY')
    assert.deepEqual(before.checks.lender_kyc_review, review.data.decision)
    await loanCase.send('KYC_UPDATED', video)
    await until('the mandate is awaited', async () => (await loanCase.status()).case_status === 'MANDATE_PENDING')
  })

  test('D3 §3, §6: accepted terms cannot be changed, and an unknown offer cannot be accepted', async () => {
    const { loanCase, data } = await caseWithOffer()
    const answerTo = (event: Json): Promise<Json> =>
      until('an answer', () => loanCase.events.find((each) => each.data.source_event_id === event.event_id))
    const unknown = await loanCase.send('OFFER_DECISION_RECORDED', { offer_id: 'OFFER-OF-NOBODY', decision: 'ACCEPT' })
    assert.equal((await answerTo(unknown)).data.code, 'STALE_OFFER')
    const { offer_id } = data.offer
    const accepted = await loanCase.send('OFFER_DECISION_RECORDED', { offer_id, decision: 'ACCEPT' })
    assert.equal((await answerTo(accepted)).event_type, 'OFFER_DECISION_CONFIRMED')
    const late = await loanCase.send('OFFER_DECISION_RECORDED', { offer_id, decision: 'REJECT' })
    assert.equal((await answerTo(late)).event_type, 'EVENT_PROCESSING_FAILED')
    const { offer, case_status } = await loanCase.status()
    assert.equal(case_status, 'OFFER_ACCEPTED')
    assert.equal(offer.decision, 'ACCEPT')
    assert.deepEqual(offer.source_event_id, accepted.event_id)
  })
})

/** Today in India. */
const today = (): string => new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10)

describe('the example lender at our platform', { concurrency: 4 }, () => {
  const apply = async (pan: string) => {
    const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
    const { profile, workProfile, address } = application(pan)
    const path = `/journeys/${borrower.journeyId}/profile`
    await mustCall(borrower, 'PUT', path, {
      profile,
      workProfile: { ...workProfile, employmentType: 'selfEmployed' },
      address,
      bankingInformation: { ...bankAccount, accountType: 'SAVINGS' },
    })
    await mustCall(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
    const card: Json = await until('an answer', async () => {
      const cards: Json[] = await cardsOf(borrower)
      return cards.find(({ lenderName, status }) => /^Celestium/.test(lenderName) && status !== 'OFFER_AWAITED')
    })
    return { borrower, card }
  }
  const proceedWithOffer = async (pan: string) => {
    const { borrower, card } = await apply(pan)
    assert.equal(card.status, 'OFFER_RECEIVED', card.lenderStateReason)
    await mustCall(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
    return { borrower, card }
  }
  const casesWithOutcome = (outcome: LeadOutcome) =>
    [...lender.cases.values()].filter((loanCase) => loanCase.outcome === outcome && loanCase.receivedEvents.length > 0)

  test('D3 §1.1, §4.4, §9: a headless borrower gets a loan from an independent partner', async () => {
    const { borrower, card } = await proceedWithOffer('ABCPE1234F')
    await waitForStatus(borrower, 'KYC_PENDING')
    const final = await mustCall(borrower, 'GET', offerPath(borrower, card.offerID))
    const [loanCase] = casesWithOutcome('LEND')
    const { loan_amount } = loanCase!.receivedEvents[0].data.proposed_offer
    assert.equal(final.termsFinal, true)
    assert.equal(Number(final.amountPrincipal), Number(loan_amount))
    assert.equal(await completeSteps(borrower, card.offerID, ['DISBURSED', 'REJECTED']), 'DISBURSED')

    const types = loanCase!.receivedEvents.map(({ event_type, data }) =>
      `${event_type} ${data.status ?? data.decision ?? ''}`.trim(),
    )
    const expectedTypes = [
      'LEAD_SUBMITTED',
      'OFFER_DECISION_RECORDED ACCEPT',
      'KYC_UPDATED APPROVED',
      'MANDATE_UPDATED ACTIVE',
    ]
    for (const type of [...expectedTypes, 'ESIGN_UPDATED COMPLETED']) assert.ok(types.includes(type), types.join(', '))
    await lender.collect(loanCase!)
    await until('Status is read after a payment', () => loanCase!.statusReads > 0)
  })

  test('D3 §4.1: a decline means no offer, and no lead follows', async () => {
    const { card } = await apply('ABCPE9201F')
    assert.equal(card.status, 'NO_OFFER_AVAILABLE')
    assert.deepEqual(casesWithOutcome('DECLINE'), [])
  })

  test('D3 §6: a rejected lead and a lead that cannot be applied each end the journey', async () => {
    for (const pan of ['ABCPE9203F', 'ABCPE9207F'])
      await waitForStatus((await proceedWithOffer(pan)).borrower, 'REJECTED')
    assert.equal(casesWithOutcome('REJECT').length, 1)
    assert.equal(casesWithOutcome('FAIL').length, 1)
    assert.deepEqual(
      casesWithOutcome('FAIL')[0]!.receivedEvents.map(({ event_type }) => event_type),
      ['LEAD_SUBMITTED'],
      'a failure is not answered with a failure',
    )
    await until('the failure is logged', () => loggedErrors().length > 0)
    assert.deepEqual(loggedErrors(), [unappliedEvent])
  })
})

test('D3 §4, §5: all requests of the platform match its document', () => {
  assert.deepEqual(lender.faults(), [])
})

testRefusals({ partnerDocument, platformDocument, strangePlatform: independentPlatform, lender: lender.lenderIds })

test('D3 §6 rule 6: the only logged error is the lead that could not be applied', () => {
  assert.deepEqual(
    loggedErrors().filter((message) => message !== unappliedEvent),
    [],
  )
})
