// Loans by the headless API (D2) only, from session to disbursal.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { faults } from '@lendloom/foundation/schema'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { OfferCard, OfferDetail, ProceedResult } from '@lendloom/wire/headless/offer'
import { StepState, type Steps, StepView } from '@lendloom/wire/headless/step'
import { faultText } from '@lendloom/wire/network/context'
import { findViolations } from '#test/oracles/judge.ts'
import { disbursedStatuses } from '#test/oracles/lifecycle-oracle.ts'
import { bankAccount, newApplicant } from '#test/setup/borrower.ts'
import {
  approvePages,
  callHeadless,
  cardsOf,
  completeSteps,
  type HeadlessBorrower,
  mustCall,
  offerPath,
  startHeadlessJourney,
  stateOf,
  submitProfile,
  waitForAllCards,
  waitForStatus,
} from '#test/setup/headless.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { registryKeys } from '#test/setup/transcript.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const listener = await startListener(programs.platformUrl, programs.tenant)

async function newApplication(pan?: string): Promise<HeadlessBorrower> {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  await submitProfile(borrower, pan)
  return borrower
}
const offeredCards = (cards: OfferCard[]) => cards.filter(({ status }) => status === 'OFFER_RECEIVED')
const statusesOf = async (borrower: HeadlessBorrower, last: string) =>
  (await listener.waitForArrivals(borrower.journeyId, last)).map(({ status }) => status)

describe('headless', { concurrency: 4 }, () => {
  // Each test continues the loan of the previous one.
  describe('D2 §2.3, D2 §3, D2 §4, D1 §6.2: a loan by API calls only, one story', { concurrency: 1 }, () => {
    let borrower: HeadlessBorrower
    let offers: OfferCard[]
    let path: string

    test('D2 §2.3, §4: offers are sorted by APR, and pagination keeps the order', async () => {
      borrower = await newApplication()
      const cards: OfferCard[] = await waitForAllCards(borrower)
      for (const card of cards) assert.deepEqual(faults(OfferCard, card), [], card.lenderName)
      offers = offeredCards(cards)
      assert.ok(offers.length >= 4)
      const rates = offers.map(({ annualPercentageRate }) => Number.parseFloat(annualPercentageRate!))
      assert.deepEqual(
        rates,
        [...rates].sort((a, b) => a - b),
        'the lowest APR first',
      )
      const byTwo: OfferCard[] = []
      for (let query = 'limit=2'; query !== ''; ) {
        const { items, page } = await mustCall(borrower, 'GET', `/journeys/${borrower.journeyId}/offers?${query}`)
        byTwo.push(...items)
        query = page.hasMore ? `limit=2&cursor=${page.nextCursor}` : ''
      }
      assert.deepEqual(byTwo, cards, 'pagination keeps the order')
      path = offerPath(borrower, offers[0]!.offerID)
    })

    test('D2 §4: the breakup of an offer adds up to the net amount', async () => {
      const detail: OfferDetail = await mustCall(borrower, 'GET', path)
      assert.deepEqual(faults(OfferDetail, detail), [])
      assert.equal(detail.proceedBoundaryState, 'OPEN')
      assert.equal(detail.offerSelectionLock, null)
      const sum = (titles: string[]) =>
        detail.breakup
          .filter(({ title }) => titles.includes(title))
          .reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0)
      assert.equal(
        sum(['NET_DISBURSED_AMOUNT']),
        sum(['PRINCIPAL']) - sum(['PROCESSING_FEE', 'OTHER_UPFRONT_CHARGES', 'INSURANCE_CHARGES']),
      )
    })

    test('D2 §3: no step is ready before an offer is chosen', async () => {
      const before: Steps = await mustCall(borrower, 'GET', `${path}/steps`)
      assert.ok(
        Object.values(before).every(({ status, actionRequired }) => `${status} ${actionRequired}` === 'PENDING NONE'),
      )
      const early = await callHeadless(borrower, 'POST', `${path}/steps/bank-mandate`, bankAccount)
      assert.equal(early.status, 409)
      assert.equal(early.body.error.code, 'STATE_PRECONDITION_FAILED')
    })

    test('D2 §3: proceeding locks the offer, and another offer is refused', async () => {
      const locked: ProceedResult = await mustCall(borrower, 'POST', `${path}/proceed`)
      assert.deepEqual(faults(ProceedResult, locked), [])
      assert.equal(locked.status, 'PROCEEDED')
      assert.equal(locked.proceeded, true)
      assert.equal(locked.proceedBoundaryState, 'LOCKED')
      assert.equal(locked.offerSelectionLock.lockSource, 'HEADLESS')
      const again = await mustCall(borrower, 'POST', `${path}/proceed`)
      assert.deepEqual(again, locked, 'proceeding twice returns the same lock')
      const { selectedOfferID } = await mustCall(borrower, 'GET', `/journeys/${borrower.journeyId}`)
      assert.equal(selectedOfferID, offers[0]!.offerID)
      const other = await callHeadless(borrower, 'POST', `${offerPath(borrower, offers[1]!.offerID)}/proceed`)
      assert.equal(other.status, 409)
      assert.equal(other.body.error.code, 'OFFER_LOCK_CONFLICT')
      assert.equal(other.body.error.retryable, false)
      assert.equal(other.body.error.details.proceedBoundaryState, 'LOCKED_TO_DIFFERENT_OFFER')
      const otherOffer: OfferDetail = await mustCall(borrower, 'GET', offerPath(borrower, offers[1]!.offerID))
      assert.equal(otherOffer.proceedBoundaryState, 'LOCKED_TO_DIFFERENT_OFFER')
    })

    test('D2 §4: the KYC step redirects to the lender’s page, and reading the step changes nothing', async () => {
      await waitForStatus(borrower, 'KYC_PENDING')
      assert.equal((await stateOf(borrower)).nextAction, 'COMPLETE_STEP')
      const kyc: StepView = await mustCall(borrower, 'GET', `${path}/steps/kyc`)
      assert.deepEqual(faults(StepView, kyc), [])
      assert.equal(kyc.status, 'READY')
      assert.equal(kyc.actionRequired, 'REDIRECT')
      assert.equal(kyc.resource.type, 'REDIRECT')
      assert.ok(kyc.resource.redirectURL!.startsWith(`${programs.platformUrl}/go/`))
      await mustCall(borrower, 'GET', `${path}/steps/kyc`)
      assert.deepEqual(
        await statusesOf(borrower, 'OFFER_SELECTED'),
        disbursedStatuses.slice(0, 4),
        'reading changes nothing',
      )
      const titles = await approvePages(kyc.resource.redirectURL!)
      assert.ok(!titles.includes('Your final offer'), 'the borrower accepted the terms when proceeding')
    })

    test('D2 §4, D1 §6.2: the steps run in order until disbursal, with seven updates', async () => {
      const stepStatuses = async () => {
        const statuses: string[] = []
        for (const name of ['kyc', 'bank-mandate', 'e-mandate', 'loan-agreement'])
          statuses.push((await mustCall(borrower, 'GET', `${path}/steps/${name}`)).status)
        return statuses
      }
      assert.deepEqual((await stepStatuses()).slice(1), ['PENDING', 'PENDING', 'PENDING'])
      const seenStatuses = new Set<string>()
      const runSteps = (end: string) =>
        completeSteps(borrower, offers[0]!.offerID, [end], (status) => seenStatuses.add(status))
      await runSteps('E_MANDATE_PENDING')
      assert.deepEqual(await stepStatuses(), ['SUCCESS', 'SUCCESS', 'READY', 'PENDING'])
      assert.equal(await runSteps('DISBURSED'), 'DISBURSED')
      assert.deepEqual(
        [...seenStatuses].filter((status) => /^(BANK|E_|LOAN).*_PENDING$/.test(status)),
        ['BANK_MANDATE_PENDING', 'E_MANDATE_PENDING', 'LOAN_AGREEMENT_PENDING'],
      )
      assert.deepEqual(await statusesOf(borrower, 'DISBURSED'), disbursedStatuses)
      const last = (await listener.waitForArrivals(borrower.journeyId, 'DISBURSED')).at(-1)!.payload.borrower.journey
      assert.equal(last.kyc_attempts, 1)
      assert.equal(last.emandate_attempts, 1)
      assert.equal(last.esign_attempts, 1)
      assert.equal(last.change_in_offer, false)
    })

    test('D2 §4: after disbursal every step is SUCCESS, and the offer has installments and cannot be rejected', async () => {
      const state: StepState = await mustCall(borrower, 'GET', `${path}/steps/kyc/status`)
      assert.deepEqual(faults(StepState, state), [])
      assert.equal(state.status, 'SUCCESS')
      assert.equal(state.actionRequired, 'NONE')
      const done: Steps = await mustCall(borrower, 'GET', `${path}/steps`)
      assert.ok(Object.values(done).every(({ status }) => status === 'SUCCESS'))
      const final: OfferDetail = await mustCall(borrower, 'GET', path)
      assert.ok(final.installments.length > 0)
      assert.deepEqual(final.fulfillments, [{ type: 'LOAN', status: 'DISBURSED' }])
      const lateRejection = await callHeadless(borrower, 'POST', `${path}/reject`, {
        rejectedStage: 'LOAN',
        rejectionReason: 'No',
      })
      assert.equal(lateRejection.status, 409)
      assert.equal(lateRejection.body.error.code, 'STATE_PRECONDITION_FAILED')
    })

    test('D2 §3: the key-facts consent records the headless channel, and the network transcript is valid', async () => {
      const consents = await programs.db<{ purpose: string; channel: string }>`
        select purpose, channel from consent where journey_id = ${borrower.journeyId} and purpose = 'key_facts'`
      assert.deepEqual(consents, [{ purpose: 'key_facts', channel: 'headless' }])
      const transcript = await transcriptOf(programs, programs.tenant.tenantId, borrower.journeyId)
      assert.deepEqual(invariantsOf(transcript, await registryKeys(programs)).map(faultText), [])
    })
  })

  test('D2 §4: a reduced amount is repriced on our page and disbursed', async () => {
    const borrower = await newApplication()
    const [card] = offeredCards(await waitForAllCards(borrower))
    const path = offerPath(borrower, card!.offerID)
    for (const amount of ['0', '-5', '1500.50', '1e5', 'all', ''])
      assert.equal((await callHeadless(borrower, 'POST', `${path}/loan-amount`, { amount })).status, 400, amount)
    const tooMuch = await callHeadless(borrower, 'POST', `${path}/loan-amount`, { amount: '9000000000' })
    assert.equal(tooMuch.status, 400)
    assert.equal(tooMuch.body.error.details.field, 'amount')
    const stored = await mustCall(borrower, 'POST', `${path}/loan-amount`, { amount: '100000' })
    assert.equal(stored.amount, '100000.00')
    assert.equal(stored.offerID, card!.offerID)
    assert.equal((await mustCall(borrower, 'GET', path)).requestedAmount, '100000.00')
    await mustCall(borrower, 'POST', `${path}/proceed`)
    const after = await callHeadless(borrower, 'POST', `${path}/loan-amount`, { amount: '120000' })
    assert.equal(after.status, 409)
    assert.equal(after.body.error.code, 'STATE_PRECONDITION_FAILED')
    await waitForStatus(borrower, 'KYC_PENDING')
    const final: OfferDetail = await mustCall(borrower, 'GET', path)
    assert.equal(final.termsFinal, true)
    assert.equal(final.termsChanged, true)
    assert.equal(final.amountPrincipal, '100000.00')
    const { resource }: StepView = await mustCall(borrower, 'GET', `${path}/steps/kyc`)
    assert.equal((await approvePages(resource.redirectURL!))[0], 'Your final offer')
    assert.equal(await completeSteps(borrower, card!.offerID), 'DISBURSED')
    assert.deepEqual(await statusesOf(borrower, 'DISBURSED'), disbursedStatuses)
    const last = (await listener.waitForArrivals(borrower.journeyId, 'DISBURSED')).at(-1)!.payload.borrower.journey
    assert.equal(last.borrower_preferred_amount, 100_000)
    assert.equal(last.change_in_offer, true)
  })

  test('D2 §3: fifty concurrent proceeds with different offers lock one offer, and the other requests get a conflict', async () => {
    const borrower = await newApplication()
    const offers = offeredCards(await waitForAllCards(borrower))
    const tries = Array.from({ length: 50 }, (_, i) =>
      callHeadless(borrower, 'POST', `${offerPath(borrower, offers[i % offers.length]!.offerID)}/proceed`),
    )
    const replies = await Promise.all(tries)
    const winners = replies.filter(({ status }) => status === 200)
    assert.equal(new Set(winners.map(({ body }) => body.data.offerID)).size, 1)
    for (const { status, body } of replies.filter((reply) => reply.status !== 200))
      assert.ok(
        status === 409 &&
          (body.error.details.proceedBoundaryState === 'LOCKED_TO_DIFFERENT_OFFER' ||
            body.error.code === 'ASYNC_OPERATION_PENDING'),
        JSON.stringify(body),
      )
    assert.deepEqual(await statusesOf(borrower, 'OFFER_SELECTED'), disbursedStatuses.slice(0, 4))
  })

  test('D2 §4: lenders without an offer stay listed, with a reason without codes or network terms', async () => {
    const borrower = await newApplication('ABCPE9001F')
    const cards: OfferCard[] = await waitForAllCards(borrower)
    const cardsWithoutOffer = cards.filter(({ status }) => status === 'NO_OFFER_AVAILABLE')
    assert.ok(cardsWithoutOffer.length >= 2)
    for (const card of cardsWithoutOffer) {
      assert.match(card.lenderStateReason!, /^[A-Z][^0-9]{10,}\.$/)
      assert.equal(card.amountPrincipal, null)
      assert.equal(card.interestRate, null)
      assert.deepEqual(card.penalCharges, [])
    }
    const texts = [JSON.stringify(cards)]
    for (const { offerID } of cards)
      texts.push(JSON.stringify(await mustCall(borrower, 'GET', offerPath(borrower, offerID))))
    for (const text of texts)
      assert.doesNotMatch(text, /bpp|bap_|ondc|on_select|transaction_?id|message_?id|xinput|form_id|provider_id/i)
    const refused = await callHeadless(
      borrower,
      'POST',
      `${offerPath(borrower, cardsWithoutOffer[0]!.offerID)}/proceed`,
    )
    assert.equal(refused.status, 409)
    assert.equal(refused.body.error.code, 'STATE_PRECONDITION_FAILED')
  })

  test('D2 §4: rejecting an offer closes its card, and rejecting the chosen offer ends the journey', async () => {
    const borrower = await newApplication()
    const [firstOffer, secondOffer] = offeredCards(await waitForAllCards(borrower)) as [OfferCard, OfferCard]
    const rejection = { rejectedStage: 'OFFER_LIST', rejectionReason: 'Too dear for me' }
    const result = await mustCall(borrower, 'POST', `${offerPath(borrower, firstOffer.offerID)}/reject`, rejection)
    assert.equal(result.status, 'REJECTED')
    assert.equal(result.rejectedStage, rejection.rejectedStage)
    assert.equal(result.rejectionReason, rejection.rejectionReason)
    const rejectedCard = (await cardsOf(borrower)).find(({ offerID }: OfferCard) => offerID === firstOffer.offerID)
    assert.equal(rejectedCard.status, 'NO_OFFER_AVAILABLE')
    assert.equal(rejectedCard.lenderStateReason, 'You declined this offer.')
    assert.equal(
      (await callHeadless(borrower, 'POST', `${offerPath(borrower, firstOffer.offerID)}/proceed`)).status,
      409,
    )
    await mustCall(borrower, 'POST', `${offerPath(borrower, secondOffer.offerID)}/proceed`)
    await waitForStatus(borrower, 'KYC_PENDING')
    await mustCall(borrower, 'POST', `${offerPath(borrower, secondOffer.offerID)}/reject`, rejection)
    assert.equal((await stateOf(borrower)).status, 'REJECTED')
    assert.deepEqual(await statusesOf(borrower, 'REJECTED'), [...disbursedStatuses.slice(0, 4), 'REJECTED'])
    const steps: Steps = await mustCall(borrower, 'GET', `${offerPath(borrower, secondOffer.offerID)}/steps`)
    assert.equal(steps.kyc.status, 'READY')
    assert.equal(steps.kyc.actionRequired, 'NONE')
  })

  for (const [digits, name, attempts] of [
    ['9007', 'kyc', 2],
    ['9008', 'bankMandate', 2],
  ] as const)
    test(`D2 §2.3: ${name} fails once with a reason, and can be retried`, async () => {
      const borrower = await newApplication(`ABCPE${digits}F`)
      const [card] = offeredCards(await waitForAllCards(borrower))
      const path = offerPath(borrower, card!.offerID)
      await mustCall(borrower, 'POST', `${path}/proceed`)
      const problems = new Set<string>()
      const collectProblem = (_: string, steps: Steps) => {
        const { diagnostics } = steps[name]
        if (diagnostics?.problem) problems.add(diagnostics.problem)
      }
      assert.equal(await completeSteps(borrower, card!.offerID, ['DISBURSED'], collectProblem), 'DISBURSED')
      assert.equal(problems.size, 1)
      const done: Steps = await mustCall(borrower, 'GET', `${path}/steps`)
      assert.equal(done[name].diagnostics!.attempts, attempts)
    })

  test('D2 §2.2: a late lender’s card is OFFER_AWAITED while others offer, and its offer still arrives', async () => {
    const borrower = await newApplication('ABCPE9003F')
    const meridian = async () =>
      (await cardsOf(borrower)).find(({ lenderName }: OfferCard) => lenderName === 'Meridian Finance')
    await waitForStatus(borrower, 'OFFERS_AVAILABLE')
    const lateCard: OfferCard = await until('the card of the late lender', meridian)
    assert.deepEqual(faults(OfferCard, lateCard), [])
    assert.equal(lateCard.status, 'OFFER_AWAITED')
    assert.equal(lateCard.amountPrincipal, null)
    await until('its offer', async () => (await meridian()).status === 'OFFER_RECEIVED')
  })

  test('D2 §2.2: expired offers are closed, and the journey is EXPIRED without an event', async () => {
    const borrower = await newApplication('ABCPE9011F')
    const [card] = offeredCards(await waitForAllCards(borrower))
    await until('the offers expire', async () => offeredCards(await cardsOf(borrower)).length === 0)
    const rejectedCard = (await cardsOf(borrower)).find(({ offerID }: OfferCard) => offerID === card!.offerID)
    assert.equal(rejectedCard.lenderStateReason, 'This offer has expired.')
    const lateRejection = await callHeadless(borrower, 'POST', `${offerPath(borrower, card!.offerID)}/proceed`)
    assert.equal(lateRejection.status, 409)
    assert.equal(lateRejection.body.error.code, 'STATE_PRECONDITION_FAILED')
    // The pending consent expires too; reconciling reports this at once, unless the platform has noticed before.
    const sessions = `/journeys/${borrower.journeyId}/aa/sessions`
    const { items } = await mustCall(borrower, 'GET', sessions)
    const reconciled = await callHeadless(borrower, 'POST', `${sessions}/${items[0].aaSessionID}/reconcile`)
    assert.ok(
      reconciled.status < 300 || reconciled.body.error.details.status === 'EXPIRED',
      `answered ${reconciled.status}`,
    )
    await waitForStatus(borrower, 'EXPIRED')
    assert.deepEqual(await statusesOf(borrower, 'OFFERED'), disbursedStatuses.slice(0, 3))
  })

  test('D2 §7, §8: another borrower’s or tenant’s resources are 404, and every act needs an idempotency key', async () => {
    const borrower = await newApplication()
    const [card] = await until('a card', async () => {
      const cards = await cardsOf(borrower)
      return cards.length > 0 && cards
    })
    const otherParties = [
      await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant()),
      await startHeadlessJourney(programs.platformUrl, programs.secondTenant, newApplicant()),
    ]
    const path = offerPath(borrower, card.offerID)
    const acts: [string, string, object?][] = [
      ['GET', `/journeys/${borrower.journeyId}/offers`],
      ['GET', path],
      ['POST', `${path}/proceed`],
      ['POST', `${path}/reject`, { rejectedStage: 'X', rejectionReason: 'Y' }],
      ['POST', `${path}/loan-amount`, { amount: '100000' }],
      ['GET', `${path}/steps`],
      ['GET', `${path}/steps/kyc`],
      ['GET', `${path}/steps/kyc/status`],
      ['GET', `${path}/steps/bank-mandate`],
      ['POST', `${path}/steps/bank-mandate`, bankAccount],
      ['GET', `${path}/steps/e-mandate`],
      ['GET', `${path}/steps/loan-agreement`],
      ['GET', `/journeys/${borrower.journeyId}/aa/sessions`],
      ['POST', `/journeys/${borrower.journeyId}/aa/sessions`, { offerID: card.offerID }],
      ['POST', `/journeys/${borrower.journeyId}/post-disbursal/status`],
      ['POST', `/journeys/${borrower.journeyId}/post-disbursal/foreclosure`],
    ]
    for (const [method, where, body] of acts) {
      for (const otherParty of otherParties) {
        const { status, body: answer } = await callHeadless(otherParty, method, where, body)
        assert.equal(status, 404, `${method} ${where}`)
        assert.equal(answer.error?.code, 'RESOURCE_NOT_FOUND', `${method} ${where}`)
        assert.equal(answer.data, null, `${method} ${where}`)
      }
      const otherBorrower = otherParties[0]!
      const none = await callHeadless(
        { ...otherBorrower, journeyId: randomUUID() } as HeadlessBorrower,
        method,
        where,
        body,
        {
          authorization: 'Bearer st_nothing',
        },
      )
      assert.equal(none.status, 401, `${method} ${where}`)
      if (method === 'GET') continue
      const keyless = await callHeadless(borrower, method, where, body, { 'idempotency-key': '' })
      assert.equal(keyless.status, 400, where)
      assert.equal(keyless.body.error.code, 'VALIDATION_FAILED', where)
      assert.equal(keyless.body.error.details.field, 'Idempotency-Key')
    }
    const malformed = await callHeadless(borrower, 'GET', `/journeys/${borrower.journeyId}/offers/not-a-uuid`)
    assert.equal(malformed.status, 400)
    assert.equal(malformed.body.error.details.field, 'offerID')
    const fresh = randomUUID()
    assert.equal((await callHeadless(borrower, 'GET', offerPath(borrower, fresh))).status, 404)
  })
})

test('D1 §6: the updates of these journeys obey the specification, and no program logged an error', () => {
  assert.deepEqual(findViolations(listener), [])
  assert.deepEqual(programs.errorLines, [])
})
