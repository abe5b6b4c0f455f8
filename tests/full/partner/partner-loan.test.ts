// Loans of the lending partner, from profile to disbursal and servicing, between three real programs.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sentEvents } from '@lendloom/event-log/outbox'
import { businessDate, dayText, plusDays } from '@lendloom/lending/calendar'
import { findMainCase } from '@lendloom/platform/src/lenders/partner/store.ts'
import type { OfferCard, OfferDetail } from '@lendloom/wire/headless/offer'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import {
  application,
  bankAccount,
  call,
  enter,
  newApplicant,
  openSession,
  proceedUntil,
  readView,
} from '#test/setup/borrower.ts'
import {
  answerPages,
  callHeadless,
  cardsOf,
  completeSteps,
  type HeadlessBorrower,
  mustCall,
  offerPath,
  startHeadlessJourney,
  stateOf,
  waitForStatus,
} from '#test/setup/headless.ts'
import { startListener } from '#test/setup/listener.ts'
import { requestPartPayment, submitClaim } from '#test/setup/partner-loan.ts'
import { ask } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'
import { resealAll } from '#test/setup/reseal.ts'

/** Long deadlines for the network's lenders, because many journeys run at once. */
const longTimeouts = { NETWORK_SEARCH_TTL: 'PT20S', NETWORK_CALL_TTL: 'PT25S', OFFER_WINDOW_SECONDS: '60' }
const programs = await startPrograms({ partner: true, env: longTimeouts })
const listener = await startListener(programs.platformUrl, programs.tenant)
const lenderName = 'Celestium Finance Limited'

/** Starts a journey, by default of a self-employed borrower, and submits profile and bank account. */
async function newApplication(pan: string, employmentType = 'selfEmployed'): Promise<HeadlessBorrower> {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  const { profile, workProfile, address } = application(pan)
  const path = `/journeys/${borrower.journeyId}/profile`
  const bankingInformation = { ...bankAccount, accountType: 'SAVINGS' }
  await mustCall(borrower, 'PUT', path, {
    profile,
    workProfile: { ...workProfile, employmentType },
    address,
    bankingInformation,
  })
  await mustCall(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
  return borrower
}

const cardOfPartner = async (borrower: HeadlessBorrower): Promise<OfferCard | undefined> =>
  (await cardsOf(borrower)).find((card: OfferCard) => card.lenderName === lenderName)

const answerOfPartner = (borrower: HeadlessBorrower): Promise<OfferCard> =>
  until('an answer of the partner', async () => {
    const card = await cardOfPartner(borrower)
    return card && card.status !== 'OFFER_AWAITED' ? card : undefined
  })

/** Proceeds with the partner's recommendation. */
async function proceedWithPartner(pan: string) {
  const borrower = await newApplication(pan)
  const card = await answerOfPartner(borrower)
  assert.equal(card.status, 'OFFER_RECEIVED', card.lenderStateReason ?? '')
  const path = offerPath(borrower, card.offerID)
  await mustCall(borrower, 'POST', `${path}/proceed`)
  return { borrower, card, path }
}

const caseOf = async (journeyId: string) =>
  (await findMainCase(programs.db, { tenantId: programs.tenant.tenantId, journeyId }))!

/** The events that the platform sent about a journey, oldest first. */
async function eventsSent(journeyId: string) {
  const { tenantId, caseRef } = await caseOf(journeyId)
  const events = await sentEvents(programs.db, programs.seal, { tenantId, partitionKey: caseRef })
  return events.map(({ raw }) => JSON.parse(raw.toString('utf8')))
}
const sentTypes = async (journeyId: string): Promise<string[]> =>
  (await eventsSent(journeyId)).map(({ event_type, data }) =>
    `${event_type} ${data.status ?? data.decision ?? ''}`.trim(),
  )

describe('D3 §1.1, D1 §6.6: loans of the lending partner, then a new key, one story', () => {
  describe('the lending partner', { concurrency: 4 }, () => {
    // Each test continues the loan of the previous one.
    describe('D3 §1.1, D1 §6.2: a loan from profile to disbursal and servicing, one story', { concurrency: 1 }, () => {
      let borrower: HeadlessBorrower
      let path: string

      test('D3 §1.1: the borrower proceeds with the recommendation and accepts its terms on the page, and the loan is disbursed', async () => {
        const started = await proceedWithPartner('ABCPE1234F')
        borrower = started.borrower
        path = started.path
        const { card } = started
        assert.equal(card.offerTerm, '22 weeks')
        await waitForStatus(borrower, 'KYC_PENDING')
        const final: OfferDetail = await mustCall(borrower, 'GET', path)
        assert.equal(final.termsFinal, true)
        assert.equal(final.termsChanged, false)
        assert.equal(final.amountPrincipal, card.amountPrincipal)
        assert.match(final.keyFactsStatementLink ?? '', /^http/)
        const titles: string[] = []
        const kyc = (await mustCall(borrower, 'GET', `${path}/steps/kyc`)).resource.redirectURL
        titles.push(...(await answerPages(kyc, () => 'approve')).titles)
        assert.equal(titles[0], 'Your final offer', 'proceeding does not accept the final offer')
        assert.equal(await completeSteps(borrower, card.offerID, ['DISBURSED', 'REJECTED']), 'DISBURSED')
      })

      test('D1 §6.2: the updates arrive in order up to DISBURSED, with the offer and its steps', async () => {
        const arrivals = await listener.waitForArrivals(borrower.journeyId, 'DISBURSED')
        assert.deepEqual(
          arrivals.map(({ status }) => status),
          ['STARTED', 'PROFILED', 'OFFERED', 'OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED', 'DISBURSED'],
        )
        const { journey } = (arrivals.at(-1)!.payload as LifecycleUpdate).borrower
        assert.equal(journey.change_in_offer, false)
        assert.ok(journey.lenders.some(({ lender_name }) => lender_name === lenderName))
        const offer = journey.offers.find(({ accepted }) => accepted)!
        assert.equal(offer.number_of_installments, 22)
        assert.equal(offer.installments.length, 22)
        assert.equal(journey.kyc_status, 'SUCCESS')
        assert.equal(journey.emandate_status, 'SUCCESS')
        assert.equal(journey.esign_status, 'SUCCESS')
      })

      test('D3 §1.1: lead, acceptance, KYC, mandate and signature are sent in order', async () => {
        const types = await sentTypes(borrower.journeyId)
        const inOrder = [
          'LEAD_SUBMITTED',
          'OFFER_DECISION_RECORDED ACCEPT',
          'KYC_UPDATED REQUESTED',
          'KYC_UPDATED APPROVED',
        ]
        const positions = [...inOrder, 'MANDATE_UPDATED ACTIVE', 'ESIGN_UPDATED COMPLETED'].map((type) =>
          types.indexOf(type),
        )
        assert.deepEqual(
          positions,
          [...positions].sort((a, b) => a - b),
          types.join(', '),
        )
        assert.ok(!positions.includes(-1), types.join(', '))
        assert.ok(!types.some((type) => type.startsWith('EVENT_PROCESSING_FAILED')), types.join(', '))
        const [lead] = await eventsSent(borrower.journeyId)
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

      test('D3 §1.1: after disbursal the first instalment is due in a week, foreclosure is refused and a refresh succeeds', async () => {
        const { installments } = (await mustCall(borrower, 'GET', path)) as OfferDetail
        assert.equal(
          installments[0]!.dueOn,
          plusDays(businessDate(new Date()), 7),
          'one week later by the calendar in India',
        )
        const refused = await callHeadless(
          borrower,
          'POST',
          `/journeys/${borrower.journeyId}/post-disbursal/foreclosure`,
        )
        assert.equal(refused.status, 409)
        assert.equal(refused.body.error.code, 'STATE_PRECONDITION_FAILED')
        const refresh = await mustCall(borrower, 'POST', `/journeys/${borrower.journeyId}/post-disbursal/status`)
        const operation = (id: string) => mustCall(borrower, 'GET', `/journeys/${borrower.journeyId}/operations/${id}`)
        await until('the refresh', async () => (await operation(refresh.operationID)).status === 'SUCCEEDED')
      })

      test('D3 §1.1: the bank reference identifies a payment that the borrower claims, and the screenshot is sent', async () => {
        const paid = await ask(`${programs.sandboxUrl}/bank/borrower-payments`, {
          method: 'POST',
          body: { method: 'UPI', amount: '5000.00', payer_name: 'Asha Kulkarni' },
        })
        assert.equal(paid.status, 201)
        const { link, status } = await requestPartPayment(borrower)
        const reference = paid.body.transaction_reference
        const form = await (await fetch(link)).text()
        for (const words of [lenderName, '₹5,000', 'value="5,000"']) assert.ok(form.includes(words), words)
        const refused = await submitClaim(link, reference, Buffer.from('no picture'))
        assert.equal(refused.status, 422)
        const answer = await refused.text()
        assert.ok(answer.includes(`value="${reference}"`), 'the form keeps what the borrower entered')
        assert.match(answer, /name="proof"[^>]*aria-invalid="true"/)
        const twice = await (await submitClaim(link, '?', Buffer.from('no picture'))).text()
        for (const name of ['transactionReference', 'proof'])
          assert.match(
            twice,
            new RegExp(`name="${name}"[^>]*aria-invalid="true"[^>]*><p class="fault" id="fault-${name}"`),
          )
        assert.equal(twice.match(/ autofocus/g)?.length, 1, 'the focus is in the first invalid field')
        const again = await submitClaim(link, '?')
        assert.equal(again.status, 422)
        assert.match(
          await again.text(),
          /name="proof"[^>]*aria-describedby="fault-proof"><p class="fault" id="fault-proof"><svg.*?<\/svg> Choose the photo or PDF again/,
        )
        const sent = await submitClaim(link, `\u200e${reference.replaceAll(/(.{4})/g, '$1\u200b ')}`)
        assert.equal(sent.status, 200)
        const report = await sent.text()
        for (const words of [
          '₹5,000',
          reference,
          lenderName,
          dayText(businessDate(new Date())),
          'You need not pay again',
          'powered by Lendloom',
        ])
          assert.ok(report.includes(words), words)
        await programs.db`update consent set language = 'ta' where journey_id = ${borrower.journeyId}`
        assert.match(await (await fetch(link)).text(), /lang="ta"/, 'in the language of the consent')
        assert.match(await (await fetch(`${link}?lang=hi`)).text(), /lang="hi"/, 'in the language of the loan page')
        await until('the payment is found', async () => (await status()) === 'PAID')
        const claims = (await eventsSent(borrower.journeyId)).filter(
          ({ event_type }) => event_type === 'PAYMENT_CLAIM_SUBMITTED',
        )
        assert.equal(claims.length, 1)
        assert.equal(claims[0].data.document_ids.length, 1, 'the screenshot is stored first')
      })
    })

    test('D1 §1: on the hosted page the bank account is requested before the lead', async () => {
      const { body } = await openSession(programs.platformUrl, programs.tenant, newApplicant())
      const borrower = await enter(programs.platformUrl, body.embedUrl, 'ABCPE4321F')
      const screens = new Set<string>()
      const view = await proceedUntil(
        borrower,
        'the money',
        (now) => {
          screens.add(now.screen)
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
      )
      assert.equal(view.status, 'DISBURSED')
      assert.ok(screens.has('BANK') && screens.has('FINAL_OFFER') && screens.has('KYC'), [...screens].join(', '))
      assert.equal(view.installments.length, 22)
      const [consent] = await programs.db<{ language: string; channel: string; hasIp: boolean }>`
        select language, channel, ip_sealed is not null as has_ip from consent
        where journey_id = ${view.journeyId} and purpose = 'submission'`
      assert.deepEqual(consent, { language: 'hi', channel: 'hosted', hasIp: true })
      assert.match(view.loanNumber ?? '', /^\d+$/)
      assert.ok(view.payoutReference)
      assert.ok(view.owed.some(({ part }) => part === 'principal'))

      const transfer = { method: 'UPI', amount: '5000.00', payer_name: 'Asha Kulkarni' }
      const paid = await ask(`${programs.sandboxUrl}/bank/borrower-payments`, { method: 'POST', body: transfer })
      const requested = await call(borrower, 'POST', '/servicing/pre-part-payment', { amount: '5000' })
      await submitClaim(requested.body.view.servicing[0].redirectUrl, paid.body.transaction_reference)
      const receipt = await until('the receipt', async () =>
        (await readView(borrower)).receipts.find(({ status }) => status === 'PAID'),
      )
      assert.equal(receipt.kind, 'PRE_PART_PAYMENT')
      assert.equal(receipt.amount, '5000.00')
      const document = await fetch(`${receipt.url}?lang=ta`)
      assert.equal(document.status, 200)
      assert.equal(document.headers.get('content-type'), 'application/pdf')
    })

    test('D3 §1: the partner never receives salaried borrowers', async () => {
      const borrower = await newApplication('ABCPE1111F', 'salaried')
      await waitForStatus(borrower, 'OFFERS_AVAILABLE')
      assert.equal(await cardOfPartner(borrower), undefined)
      assert.equal(await caseOf(borrower.journeyId), undefined)
    })

    test('D3 §4.1: a dedupe decline or doubt stops only the partner', async () => {
      for (const digits of ['9201', '9202']) {
        const borrower = await newApplication(`ABCPE${digits}F`)
        const card = await answerOfPartner(borrower)
        assert.equal(card.status, 'NO_OFFER_AVAILABLE')
        assert.equal(card.lenderStateReason, 'The lender cannot offer a loan right now.')
        await waitForStatus(borrower, 'OFFERS_AVAILABLE')
        assert.deepEqual(await sentTypes(borrower.journeyId), [])
      }
    })

    test('D3 §6 MANUAL_REVIEW_DECIDED: a rejection ends the journey', async () => {
      const { borrower } = await proceedWithPartner('ABCPE9203F')
      await waitForStatus(borrower, 'REJECTED')
      assert.equal((await caseOf(borrower.journeyId)).stage, 'ENDED')
    })

    test('D3 §2.4, D1 change_in_offer: changed final terms are marked, and the partner is notified of a decline', async () => {
      const { borrower, card, path } = await proceedWithPartner('ABCPE9204F')
      await waitForStatus(borrower, 'KYC_PENDING')
      const final: OfferDetail = await mustCall(borrower, 'GET', path)
      assert.equal(final.termsFinal, true)
      assert.equal(final.termsChanged, true)
      assert.equal(Number(final.amountPrincipal), Number(card.amountPrincipal) * 0.8)
      await mustCall(borrower, 'POST', `${path}/reject`, {
        rejectedStage: 'FINAL_OFFER',
        rejectionReason: 'Too little',
      })
      assert.equal((await stateOf(borrower)).status, 'REJECTED')
      const [last] = (await eventsSent(borrower.journeyId)).slice(-1)
      assert.equal(last.event_type, 'OFFER_DECISION_RECORDED')
      assert.equal(last.data.decision, 'REJECT')
      assert.equal(last.data.reason, 'Too little')
      await until('the decline is delivered', async () => {
        const [row] = await programs.db<{ state: string }>`select state from outbox where event_id = ${last.event_id}`
        return row?.state === 'DELIVERED'
      })
    })

    test('D3 §6 rule 1: lost, duplicate, out-of-order or forged provider callbacks do not change the loan', async () => {
      const journeys = ['9153', '9151', '9152', '9155'].map(async (digits) => {
        const { borrower, card } = await proceedWithPartner(`ABCPE${digits}F`)
        await waitForStatus(borrower, 'KYC_PENDING')
        assert.equal(await completeSteps(borrower, card.offerID, ['DISBURSED', 'REJECTED']), 'DISBURSED', digits)
        const types = await sentTypes(borrower.journeyId)
        assert.equal(types.filter((type) => type === 'KYC_UPDATED REQUESTED').length, 1, types.join(', '))
      })
      await Promise.all(journeys)
    })

    test('D3 §1.1 rule 5: a declined mandate is set up in a second session by UPI, without repeating earlier steps', async () => {
      const { borrower, card, path } = await proceedWithPartner('ABCPE5555F')
      await waitForStatus(borrower, 'KYC_PENDING')
      assert.equal(await completeSteps(borrower, card.offerID, ['E_MANDATE_PENDING']), 'E_MANDATE_PENDING')
      const step = () => mustCall(borrower, 'GET', `${path}/steps/e-mandate`)
      await answerPages((await step()).resource.redirectURL, () => 'decline')
      const failed = await until('the failed mandate', async () =>
        (await step()).status === 'FAILURE' ? step() : undefined,
      )
      assert.equal(failed.actionRequired, 'REDIRECT')
      assert.equal(failed.diagnostics.retryable, true)
      await answerPages(failed.resource.redirectURL, () => 'upi')
      assert.equal(await completeSteps(borrower, card.offerID, ['DISBURSED', 'REJECTED']), 'DISBURSED')
      const mandates = (await eventsSent(borrower.journeyId)).filter(
        ({ event_type }) => event_type === 'MANDATE_UPDATED',
      )
      assert.match(mandates.at(-1).data.umrn, /@okbank$/)
      const types = await sentTypes(borrower.journeyId)
      const positions = ['MANDATE_UPDATED REJECTED', 'MANDATE_UPDATED ACTIVE', 'ESIGN_UPDATED REQUESTED'].map((type) =>
        types.indexOf(type),
      )
      assert.ok(positions[0]! >= 0 && positions[0]! < positions[1]! && positions[1]! < positions[2]!, types.join(', '))
    })

    test('D1 §3: the sandbox’s autopilot completes the partner’s pages', async () => {
      const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
      const path = `/journeys/${borrower.journeyId}`
      const { profile, workProfile, address } = application('ABCPE7777F')
      const input = { profile, workProfile: { ...workProfile, employmentType: 'selfEmployed' }, address }
      await mustCall(borrower, 'PUT', `${path}/profile`, input)
      await mustCall(borrower, 'POST', `${path}/profile/submit`, { bureauConsent: true })
      const card = await answerOfPartner(borrower)
      await mustCall(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
      const { apiKey: key } = programs.tenant
      const url = `${programs.platformUrl}/api/sandbox${path}/advance`
      assert.equal((await ask(url, { method: 'POST', key, body: { to: 'DISBURSED' } })).status, 202)
      await waitForStatus(borrower, 'DISBURSED')
    })

    test('D3 §6 rule 2: a rejected KYC ends the journey', async () => {
      const { borrower, card } = await proceedWithPartner('ABCPE9006F')
      await waitForStatus(borrower, 'KYC_PENDING')
      assert.equal(await completeSteps(borrower, card.offerID, ['DISBURSED', 'REJECTED']), 'REJECTED')
      const types = await sentTypes(borrower.journeyId)
      assert.ok(types.includes('KYC_UPDATED REJECTED'), types.join(', '))
      assert.ok(!types.some((type) => type.startsWith('MANDATE_UPDATED')), types.join(', '))
    })

    test('D3 §6 EXPIRE: final terms expire when not accepted in time, and the partner is notified', async () => {
      const { borrower } = await proceedWithPartner('ABCPE9205F')
      await waitForStatus(borrower, 'KYC_PENDING')
      await waitForStatus(borrower, 'EXPIRED')
      assert.equal((await sentTypes(borrower.journeyId)).at(-1), 'OFFER_DECISION_RECORDED EXPIRE')
    })
  })

  test('no program logged an error', () => {
    assert.deepEqual(programs.errorLines, [])
  })

  test('D1 §6.6: resealing moves all sealed values to the new key', async () => {
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
})
