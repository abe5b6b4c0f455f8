// Loans of the lending partner, from the profile to the money and after: three programs, real HTTP, nobody helped along.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OfferCard, OfferDetail } from '#contract/headless/offer.ts'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import { sentEvents } from '#kit/messaging/outbox.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { findCaseOf } from '#platform/exchange/store.ts'
import { application, bankAccount, enter, goOn, newApplicant, openSession } from '#test/setup/borrower.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import {
  begin,
  browseTo,
  cardsOf,
  type HeadlessBorrower,
  must,
  offerPath,
  reaches,
  say,
  stateOf,
  walk,
} from '#test/setup/headless.ts'
import { startListener } from '#test/setup/listener.ts'
import { askPartPayment, claimAt } from '#test/setup/partner-loan.ts'
import { ask } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'
import { resealAll } from '#test/setup/reseal.ts'

/** Many journeys go at once here: lenders of the network may take their time. */
const patient = { NETWORK_SEARCH_TTL: 'PT20S', NETWORK_CALL_TTL: 'PT25S', OFFER_WINDOW_SECONDS: '60' }
const programs = await startPrograms({ partner: true, env: patient })
const listener = await startListener(programs.platformUrl, programs.tenant)
const lenderName = 'Celestium Finance Limited'

/** Somebody who works for themselves, whose app knows their account. */
async function applied(pan: string, employmentType = 'selfEmployed'): Promise<HeadlessBorrower> {
  const borrower = await begin(programs.platformUrl, programs.tenant, newApplicant())
  const { profile, workProfile, address } = application(pan)
  const path = `/journeys/${borrower.journeyId}/profile`
  const bankingInformation = { ...bankAccount, accountType: 'SAVINGS' }
  await must(borrower, 'PUT', path, {
    profile,
    workProfile: { ...workProfile, employmentType },
    address,
    bankingInformation,
  })
  await must(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
  return borrower
}

const cardOfPartner = async (borrower: HeadlessBorrower): Promise<OfferCard | undefined> =>
  (await cardsOf(borrower)).find((card: OfferCard) => card.lenderName === lenderName)

const answerOfPartner = (borrower: HeadlessBorrower): Promise<OfferCard> =>
  until('an answer of the partner', async () => {
    const card = await cardOfPartner(borrower)
    return card && card.status !== 'OFFER_AWAITED' ? card : undefined
  })

/** Goes ahead with the partner's recommendation, up to its final terms. */
async function proceeded(pan: string) {
  const borrower = await applied(pan)
  const card = await answerOfPartner(borrower)
  assert.equal(card.status, 'OFFER_RECEIVED', card.lenderStateReason ?? '')
  const path = offerPath(borrower, card.offerID)
  await must(borrower, 'POST', `${path}/proceed`)
  return { borrower, card, path }
}

const caseOf = async (journeyId: string) =>
  (await findCaseOf(programs.db, { tenantId: programs.tenant.tenantId, journeyId }))!

/** What the platform has sent about a journey, oldest first. */
async function sent(journeyId: string) {
  const { tenantId, caseRef } = await caseOf(journeyId)
  const events = await sentEvents(programs.db, programs.seal, { tenantId, partitionKey: caseRef })
  return events.map(({ raw }) => JSON.parse(raw.toString('utf8')))
}
const sentTypes = async (journeyId: string): Promise<string[]> =>
  (await sent(journeyId)).map(({ event_type, data }) => `${event_type} ${data.status ?? data.decision ?? ''}`.trim())

describe('the lending partner', { concurrency: 4 }, () => {
  // Each step takes up the loan where the step before it left off.
  describe('D3 §1.1, D1 §6.2: a loan from the profile to the money and after', { concurrency: 1 }, () => {
    let borrower: HeadlessBorrower
    let path: string

    test('D3 §1.1: the recommendation is proceeded with, its terms are accepted on the page, and the money is paid out', async () => {
      const one = await proceeded('ABCPE1234F')
      borrower = one.borrower
      path = one.path
      const { card } = one
      assert.equal(card.offerTerm, '22 weeks')
      await reaches(borrower, 'KYC_PENDING')
      const final: OfferDetail = await must(borrower, 'GET', path)
      assert.deepEqual([final.termsFinal, final.termsChanged], [true, false])
      assert.equal(final.amountPrincipal, card.amountPrincipal)
      assert.match(final.keyFactsStatementLink ?? '', /^http/)
      const titles: string[] = []
      const kyc = (await must(borrower, 'GET', `${path}/steps/kyc`)).resource.redirectURL
      titles.push(...(await browseTo(kyc, () => 'approve')).titles)
      assert.equal(titles[0], 'Your final offer', 'choosing the recommendation accepted nothing')
      assert.equal(await walk(borrower, card.offerID, ['DISBURSED', 'REJECTED'], deadlineMs), 'DISBURSED')
    })

    test('D1 §6.2: the updates come in order, up to DISBURSED, with the offer and its steps', async () => {
      const arrivals = await listener.arrivalsUntil(borrower.journeyId, 'DISBURSED')
      assert.deepEqual(
        arrivals.map(({ status }) => status),
        ['STARTED', 'PROFILED', 'OFFERED', 'OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED', 'DISBURSED'],
      )
      const { journey } = (arrivals.at(-1)!.payload as LifecycleUpdate).borrower
      assert.equal(journey.change_in_offer, false)
      assert.ok(journey.lenders.some(({ lender_name }) => lender_name === lenderName))
      const offer = journey.offers.find(({ accepted }) => accepted)!
      assert.deepEqual([offer.number_of_installments, offer.installments.length], [22, 22])
      assert.deepEqual(
        [journey.kyc_status, journey.emandate_status, journey.esign_status],
        ['SUCCESS', 'SUCCESS', 'SUCCESS'],
      )
    })

    test('D3 §1.1: lead, acceptance, KYC, mandate and signature are sent in order', async () => {
      const types = await sentTypes(borrower.journeyId)
      const inOrder = [
        'LEAD_SUBMITTED',
        'OFFER_DECISION_RECORDED ACCEPT',
        'KYC_UPDATED REQUESTED',
        'KYC_UPDATED APPROVED',
      ]
      const places = [...inOrder, 'MANDATE_UPDATED ACTIVE', 'ESIGN_UPDATED COMPLETED'].map((type) =>
        types.indexOf(type),
      )
      assert.deepEqual(
        places,
        [...places].sort((a, b) => a - b),
        types.join(', '),
      )
      assert.ok(!places.includes(-1), types.join(', '))
      assert.ok(!types.some((type) => type.startsWith('EVENT_PROCESSING_FAILED')), types.join(', '))
      const [lead] = await sent(borrower.journeyId)
      assert.deepEqual(lead.correlation, {
        external_reference_id: (await caseOf(borrower.journeyId)).caseRef,
        celestium_lead_id: null,
        celestium_loan_id: null,
      })
      assert.deepEqual(
        lead.data.documents_expected.map(({ document_type }: { document_type: string }) => document_type),
        ['BUREAU_REPORT'],
      )
    })

    test('D3 §1.1: after the money the first installment is a week later, a foreclosure is refused and a refresh succeeds', async () => {
      const { installments } = (await must(borrower, 'GET', path)) as OfferDetail
      assert.equal(
        installments[0]!.dueOn,
        plusDays(businessDate(new Date()), 7),
        'a week later, by the calendar of India',
      )
      const refuse = await say(borrower, 'POST', `/journeys/${borrower.journeyId}/post-disbursal/foreclosure`)
      assert.deepEqual([refuse.status, refuse.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
      const refresh = await must(borrower, 'POST', `/journeys/${borrower.journeyId}/post-disbursal/status`)
      const operation = (id: string) => must(borrower, 'GET', `/journeys/${borrower.journeyId}/operations/${id}`)
      await until('the refresh', async () => (await operation(refresh.operationID)).status === 'SUCCEEDED')
    })

    test('D3 §1.1: a payment that the borrower claims is found by its reference, with its picture', async () => {
      const paid = await ask(`${programs.sandboxUrl}/bank/borrower-payments`, {
        method: 'POST',
        body: { method: 'UPI', amount: '5000.00', payer_name: 'Asha Kulkarni' },
      })
      assert.equal(paid.status, 201)
      const { link, status } = await askPartPayment(borrower)
      const reference = paid.body.transaction_reference
      assert.equal((await claimAt(link, reference, Buffer.from('no picture'))).status, 422)
      assert.equal((await claimAt(link, '?')).status, 422)
      assert.equal((await claimAt(link, reference)).status, 200)
      await until('the payment is found', async () => (await status()) === 'PAID', deadlineMs)
      const claims = (await sent(borrower.journeyId)).filter(
        ({ event_type }) => event_type === 'PAYMENT_CLAIM_SUBMITTED',
      )
      assert.equal(claims.length, 1)
      assert.equal(claims[0].data.document_ids.length, 1, 'its picture was stored first')
    })
  })

  test('D1 §1: on the hosted page too; the account is asked for before the lead, and not again', async () => {
    const { body } = await openSession(programs.platformUrl, programs.tenant, newApplicant())
    const borrower = await enter(programs.platformUrl, body.embedUrl, 'ABCPE4321F')
    const seen = new Set<string>()
    const view = await goOn(
      borrower,
      'the money',
      (now) => {
        seen.add(now.screen)
        return now.screen === 'DISBURSED' || now.screen === 'REJECTED'
      },
      {
        choose(offers) {
          const offer = offers.find((each) => each.lenderName === lenderName)
          return offer
            ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths, language: 'hi' }
            : null
        },
        employmentType: 'selfEmployed',
      },
      deadlineMs,
    )
    assert.equal(view.status, 'DISBURSED')
    assert.ok(seen.has('BANK') && seen.has('FINAL_OFFER') && seen.has('KYC'), [...seen].join(', '))
    assert.equal(view.installments.length, 22)
    const [consent] = await programs.db<{ language: string; channel: string; hasIp: boolean }>`
      select language, channel, ip_sealed is not null as has_ip from consent
      where journey_id = ${view.journeyId} and purpose = 'submission'`
    assert.deepEqual(consent, { language: 'hi', channel: 'hosted', hasIp: true })
  })

  test('D3 §1: salaried people are never shown to the partner', async () => {
    const borrower = await applied('ABCPE1111F', 'salaried')
    await reaches(borrower, 'OFFERS_AVAILABLE')
    assert.equal(await cardOfPartner(borrower), undefined)
    assert.equal(await caseOf(borrower.journeyId), undefined)
  })

  test('D3 §4.1: a decline and a doubt stop the way to the partner, and no other lender’s', async () => {
    for (const digits of ['9201', '9202']) {
      const borrower = await applied(`ABCPE${digits}F`)
      const card = await answerOfPartner(borrower)
      assert.deepEqual(
        [card.status, card.lenderStateReason],
        ['NO_OFFER_AVAILABLE', 'The lender cannot offer a loan right now.'],
      )
      await reaches(borrower, 'OFFERS_AVAILABLE')
      assert.deepEqual(await sentTypes(borrower.journeyId), [])
    }
  })

  test('D3 §6 MANUAL_REVIEW_DECIDED: a rejection ends the journey', async () => {
    const { borrower } = await proceeded('ABCPE9203F')
    await reaches(borrower, 'REJECTED')
    assert.equal((await caseOf(borrower.journeyId)).stage, 'ENDED')
  })

  test('D3 §2.4, D1 change_in_offer: other final terms are shown as such; a borrower who declines is told of', async () => {
    const { borrower, card, path } = await proceeded('ABCPE9204F')
    await reaches(borrower, 'KYC_PENDING')
    const final: OfferDetail = await must(borrower, 'GET', path)
    assert.deepEqual([final.termsFinal, final.termsChanged], [true, true])
    assert.equal(Number(final.amountPrincipal), Number(card.amountPrincipal) * 0.8)
    await must(borrower, 'POST', `${path}/reject`, { rejectedStage: 'FINAL_OFFER', rejectionReason: 'Too little' })
    assert.equal((await stateOf(borrower)).status, 'REJECTED')
    const [last] = (await sent(borrower.journeyId)).slice(-1)
    assert.deepEqual(
      [last.event_type, last.data.decision, last.data.reason],
      ['OFFER_DECISION_RECORDED', 'REJECT', 'Too little'],
    )
    await until('the partner knows', async () => {
      const [row] = await programs.db<{ state: string }>`select state from outbox where event_id = ${last.event_id}`
      return row?.state === 'DELIVERED'
    })
  })

  test('D3 §6 rule 1: callbacks that are lost, doubled, disordered or forged lead to the same loan', async () => {
    const all = ['9153', '9151', '9152', '9155'].map(async (digits) => {
      const { borrower, card } = await proceeded(`ABCPE${digits}F`)
      await reaches(borrower, 'KYC_PENDING')
      assert.equal(await walk(borrower, card.offerID, ['DISBURSED', 'REJECTED'], deadlineMs), 'DISBURSED', digits)
      const types = await sentTypes(borrower.journeyId)
      assert.equal(types.filter((type) => type === 'KYC_UPDATED REQUESTED').length, 1, types.join(', '))
    })
    await Promise.all(all)
  })

  test('D3 §1.1 rule 5: a mandate that was declined is set up in a second session; nothing before it is done again', async () => {
    const { borrower, card, path } = await proceeded('ABCPE5555F')
    await reaches(borrower, 'KYC_PENDING')
    assert.equal(await walk(borrower, card.offerID, ['E_MANDATE_PENDING'], deadlineMs), 'E_MANDATE_PENDING')
    const step = () => must(borrower, 'GET', `${path}/steps/e-mandate`)
    await browseTo((await step()).resource.redirectURL, () => 'decline')
    const failed = await until('the failure', async () => ((await step()).status === 'FAILURE' ? step() : undefined))
    assert.deepEqual([failed.actionRequired, failed.diagnostics.retryable], ['REDIRECT', true])
    assert.equal(await walk(borrower, card.offerID, ['DISBURSED', 'REJECTED'], deadlineMs), 'DISBURSED')
    const types = await sentTypes(borrower.journeyId)
    const places = ['MANDATE_UPDATED REJECTED', 'MANDATE_UPDATED ACTIVE', 'ESIGN_UPDATED REQUESTED'].map((type) =>
      types.indexOf(type),
    )
    assert.ok(places[0]! >= 0 && places[0]! < places[1]! && places[1]! < places[2]!, types.join(', '))
  })

  test('D1 §3: the sandbox’s own borrower goes through the partner’s pages as through every lender’s', async () => {
    const borrower = await begin(programs.platformUrl, programs.tenant, newApplicant())
    const path = `/journeys/${borrower.journeyId}`
    const { profile, workProfile, address } = application('ABCPE7777F')
    const input = { profile, workProfile: { ...workProfile, employmentType: 'selfEmployed' }, address }
    await must(borrower, 'PUT', `${path}/profile`, input)
    await must(borrower, 'POST', `${path}/profile/submit`, { bureauConsent: true })
    const card = await answerOfPartner(borrower)
    await must(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
    const { apiKey: key } = programs.tenant
    const url = `${programs.platformUrl}/api/sandbox${path}/advance`
    assert.equal((await ask(url, { method: 'POST', key, body: { to: 'DISBURSED' } })).status, 202)
    await reaches(borrower, 'DISBURSED', deadlineMs)
  })

  test('D3 §6 rule 2: a rejected KYC is never a loan', async () => {
    const { borrower, card } = await proceeded('ABCPE9006F')
    await reaches(borrower, 'KYC_PENDING')
    assert.equal(await walk(borrower, card.offerID, ['DISBURSED', 'REJECTED'], deadlineMs), 'REJECTED')
    const types = await sentTypes(borrower.journeyId)
    assert.ok(types.includes('KYC_UPDATED REJECTED'), types.join(', '))
    assert.ok(!types.some((type) => type.startsWith('MANDATE_UPDATED')), types.join(', '))
  })

  test('D3 §6 EXPIRE: final terms that nobody accepts in time expire, and the partner is told', async () => {
    const { borrower } = await proceeded('ABCPE9205F')
    await reaches(borrower, 'KYC_PENDING')
    await reaches(borrower, 'EXPIRED', deadlineMs)
    assert.equal((await sentTypes(borrower.journeyId)).at(-1), 'OFFER_DECISION_RECORDED EXPIRE')
  })
})

test('nothing that happened was logged as an error', () => {
  assert.deepEqual(programs.complaints, [])
})

test('D1 §6.6: all that was sealed moves to another key', async () => {
  const moved = await resealAll(programs)
  for (const column of [
    'platform outbox.body_sealed',
    'platform partner_check.result_sealed',
    'platform partner_document.source_sealed',
    'partner case_lead.lead_sealed',
    'partner stored_document.file_name_sealed',
    'partner disbursement.payee_sealed',
    'sandbox verification.request_sealed',
    'sandbox bank_transfer.request_sealed',
  ])
    assert.ok(moved.has(column), column)
})
