// Account-aggregator consents by the headless API (D2).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { faults } from '@lendloom/foundation/schema'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { AaRedirect, AaSessionView } from '@lendloom/wire/headless/aa-session'
import type { OfferCard } from '@lendloom/wire/headless/offer'
import { faultText } from '@lendloom/wire/network/context'
import { newApplicant } from '#test/setup/borrower.ts'
import {
  answerPages,
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
import { until } from '#test/setup/programs.ts'
import { resealAll } from '#test/setup/reseal.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { registryKeys } from '#test/setup/transcript.ts'

const programs = await sharedPrograms({ lenders: allLenders })

/** Starts a journey and a session for the lender that needs a consent; also returns that lender's card. */
async function borrowerWithConsentDue(pan?: string) {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  await submitProfile(borrower, pan)
  const cards: OfferCard[] = await waitForAllCards(borrower)
  const card = cards.find(({ aa }) => aa.required)!
  const sessions = `/journeys/${borrower.journeyId}/aa/sessions`
  const session: AaSessionView = await mustCall(borrower, 'POST', sessions, { offerID: card.offerID })
  return { borrower, cards, card, sessions, session, path: `${sessions}/${session.aaSessionID}` }
}
const cardOf = async (borrower: HeadlessBorrower, { offerID }: OfferCard): Promise<OfferCard> =>
  (await cardsOf(borrower)).find((card: OfferCard) => card.offerID === offerID)
const requestLink = (borrower: HeadlessBorrower, path: string, body: object = {}): Promise<AaRedirect> =>
  mustCall(borrower, 'POST', `${path}/redirect`, body)
const waitForState = (borrower: HeadlessBorrower, path: string, state: string) =>
  until(`the session ${state}`, async () => (await mustCall(borrower, 'GET', path)).state === state)

describe('D2 §2.2, D1 §6.6: consents of account aggregators, then a new key, one story', () => {
  describe('account aggregator', { concurrency: 4 }, () => {
    test('D2 §4, FIS12 §3.4: after an error for an unknown handle, POST aa/sessions submits another one', async () => {
      const { borrower, card, sessions, session, path } = await borrowerWithConsentDue('ABCPE9024F')
      assert.equal(card.status, 'OFFER_AWAITED')
      assert.equal(card.aa.state, 'REQUIRED')
      assert.equal(card.aa.actionRequired, 'SUBMIT_FORM')
      assert.equal(session.state, 'REQUIRED')
      assert.equal(session.actionRequired, 'SUBMIT_FORM')
      assert.match(session.reason!, /account aggregator/)
      assert.equal((await callHeadless(borrower, 'POST', `${path}/redirect`, {})).status, 409)
      const choice = { offerID: card.offerID, aaID: 'asha@sandbox-aa' }
      const withHandle: AaSessionView = await mustCall(borrower, 'POST', sessions, choice)
      assert.equal(withHandle.aaSessionID, session.aaSessionID)
      assert.equal(withHandle.aaID, 'asha@sandbox-aa')
      assert.equal(withHandle.actionRequired, 'WAIT')
      assert.equal(withHandle.reason, null)
      await until('a link', async () => (await mustCall(borrower, 'GET', path)).actionRequired === 'REDIRECT')
      await approvePages((await requestLink(borrower, path)).redirectURL)
      await until('the offer', async () => (await cardOf(borrower, card)).status === 'OFFER_RECEIVED')
    })

    test('D2 §2.3, §3: after an approved consent the lender makes an offer, and the loan is disbursed', async () => {
      const { borrower, card, sessions, session, path } = await borrowerWithConsentDue()
      assert.deepEqual(faults(AaSessionView, session), [])
      assert.equal(session.state, 'REQUIRED')
      assert.equal(session.actionRequired, 'REDIRECT')
      assert.equal(session.offerID, card.offerID)
      assert.equal(card.status, 'OFFER_AWAITED')
      assert.equal(card.aa.state, 'REQUIRED')
      assert.equal(card.aa.actionRequired, 'REDIRECT')
      const again = await mustCall(borrower, 'POST', sessions, { offerID: card.offerID })
      assert.equal(again.aaSessionID, session.aaSessionID, 'one session for each consent')
      assert.deepEqual((await mustCall(borrower, 'GET', sessions)).items, [await mustCall(borrower, 'GET', path)])
      const early = await callHeadless(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
      assert.equal(early.status, 409)
      assert.equal(early.body.error.code, 'STATE_PRECONDITION_FAILED')

      const first = await requestLink(borrower, path)
      const requestedAt = Date.now()
      const second = await requestLink(borrower, path)
      assert.deepEqual(faults(AaRedirect, second), [])
      assert.equal(second.state, 'REDIRECT_READY')
      assert.match(second.reqdate, /^\d{14,17}$/)
      for (const name of ['redirectURL', 'txnid'] as const) assert.notEqual(first[name], second[name], name)
      const validUntil = Date.parse(second.expiresAt)
      assert.ok(validUntil >= requestedAt + 180_000, 'valid for three minutes')
      assert.ok(validUntil <= Date.now() + 180_000, 'valid for three minutes')
      await approvePages(second.redirectURL)
      await waitForState(borrower, path, 'CONFIRMED')
      await until('the offer', async () => (await cardOf(borrower, card)).status === 'OFFER_RECEIVED')
      assert.deepEqual((await cardOf(borrower, card)).aa, {
        required: true,
        state: 'CONFIRMED',
        actionRequired: 'NONE',
      })
      const afterEnd = await callHeadless(borrower, 'POST', `${path}/redirect`, {})
      assert.equal(afterEnd.status, 409)
      assert.equal(afterEnd.body.error.code, 'STATE_PRECONDITION_FAILED')
      assert.equal(
        (await mustCall(borrower, 'POST', `${path}/reconcile`)).state,
        'CONFIRMED',
        'a confirmed consent stays confirmed',
      )

      await mustCall(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
      assert.equal(await completeSteps(borrower, card.offerID), 'DISBURSED')
      const transcript = await transcriptOf(programs, programs.tenant.tenantId, borrower.journeyId)
      assert.deepEqual(invariantsOf(transcript, await registryKeys(programs)).map(faultText), [])
    })

    test('D2 §4: POST complete verifies the return parameters that an app with its own return URL forwards', async () => {
      const { borrower, card, path } = await borrowerWithConsentDue()
      const bad = await callHeadless(borrower, 'POST', `${path}/redirect`, { returnURL: 'javascript:alert(1)' })
      assert.equal(bad.status, 400)
      assert.equal(bad.body.error.details.field, 'returnURL')
      const { redirectURL } = await requestLink(borrower, path, { returnURL: `${programs.platformUrl}/healthz` })
      const { url } = await answerPages(redirectURL, () => 'approve')
      const back = Object.fromEntries(new URL(url).searchParams) as Record<'ecres' | 'resdate' | 'fi', string>
      assert.deepEqual(Object.keys(back).sort(), ['ecres', 'fi', 'resdate'])
      for (const [name, value] of [
        ['ecres', `${back.ecres.slice(0, -6)}AAAA==`],
        ['resdate', '010120200000000'],
        ['fi', 'c29tZWJvZHk='],
      ]) {
        const { status, body } = await callHeadless(borrower, 'POST', `${path}/complete`, { ...back, [name!]: value })
        assert.equal(status, 400, name)
        assert.equal(body.error.code, 'VALIDATION_FAILED', name)
      }
      const completed: AaSessionView = await mustCall(borrower, 'POST', `${path}/complete`, back)
      assert.deepEqual(faults(AaSessionView, completed), [])
      await waitForState(borrower, path, 'CONFIRMED')
      await until('the offer', async () => (await cardOf(borrower, card)).status === 'OFFER_RECEIVED')
    })

    test('D2 §2.2: a declined consent is FAILED, and the card’s reason is a sentence without error codes', async () => {
      const { borrower, card, path } = await borrowerWithConsentDue()
      await answerPages((await requestLink(borrower, path)).redirectURL, (title) =>
        title === 'Log in' ? 'approve' : 'decline',
      )
      await waitForState(borrower, path, 'FAILED')
      const { status, lenderStateReason } = await until('the card', async () => {
        const now = await cardOf(borrower, card)
        return now.status === 'NO_OFFER_AVAILABLE' && now
      })
      assert.equal(status, 'NO_OFFER_AVAILABLE')
      assert.match(lenderStateReason!, /^[A-Z][^0-9]{10,}\.$/)
      assert.equal((await stateOf(borrower)).status, 'OFFERS_AVAILABLE', 'other lenders still offer')
    })

    test('D2 §2.2: a postponed decision can be made later by a new link', async () => {
      const { borrower, card, path } = await borrowerWithConsentDue()
      const postpone = (title: string) => (title === 'Log in' ? 'approve' : 'later')
      await answerPages((await requestLink(borrower, path)).redirectURL, postpone)
      await waitForState(borrower, path, 'REDIRECT_READY')
      await approvePages((await requestLink(borrower, path)).redirectURL)
      await until('the offer', async () => (await cardOf(borrower, card)).status === 'OFFER_RECEIVED')
    })

    test('D2 §4: a lender that needs no consent has no session; a session of another journey is not found', async () => {
      const { borrower, card, cards, sessions, session } = await borrowerWithConsentDue()
      const withHandle = await mustCall(borrower, 'POST', sessions, {
        offerID: card.offerID,
        aaID: 'asha.k@sandbox-aa',
      })
      assert.equal(withHandle.aaSessionID, session.aaSessionID)
      assert.equal(withHandle.aaID, 'asha.k@sandbox-aa')
      for (const aaID of ['nobody', 'asha.k@another-aa']) {
        const { status, body } = await callHeadless(borrower, 'POST', sessions, { offerID: card.offerID, aaID })
        assert.equal(status, 400, aaID)
        assert.equal(body.error.details.field, 'aaID', aaID)
      }
      const other = cards.find(({ aa }) => !aa.required)!
      const withoutConsent = await callHeadless(borrower, 'POST', sessions, { offerID: other.offerID })
      assert.equal(withoutConsent.status, 409)
      assert.equal(withoutConsent.body.error.code, 'STATE_PRECONDITION_FAILED')
      const otherParty = await borrowerWithConsentDue()
      const otherSession = `${otherParty.sessions}/${session.aaSessionID}`
      for (const [method, path, body] of [
        ['GET', otherSession],
        ['POST', `${otherSession}/redirect`, {}],
        ['POST', `${otherSession}/complete`, { ecres: 'a', resdate: 'b', fi: 'c' }],
        ['POST', `${otherSession}/reconcile`],
      ] as const)
        assert.equal((await callHeadless(otherParty.borrower, method, path, body)).status, 404, `${method} ${path}`)
    })

    test('D2 §2.2: a lender that monitors the account needs a consent after the sanction (AA_REQUIRED), then disburses', async () => {
      const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
      await submitProfile(borrower, 'ABCPE9025F')
      const card = (await waitForAllCards(borrower)).find(({ status }: OfferCard) => status === 'OFFER_RECEIVED')
      await mustCall(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
      assert.equal(await completeSteps(borrower, card.offerID, ['AA_REQUIRED', 'DISBURSED', 'REJECTED']), 'AA_REQUIRED')
      assert.equal((await stateOf(borrower)).nextAction, 'COMPLETE_AA')
      const sessions = `/journeys/${borrower.journeyId}/aa/sessions`
      const { items } = await mustCall(borrower, 'GET', sessions)
      const monitoring = items.find(({ purpose }: AaSessionView) => purpose === 'MONITORING')
      await approvePages((await requestLink(borrower, `${sessions}/${monitoring.aaSessionID}`)).redirectURL)
      await waitForStatus(borrower, 'DISBURSED')
    })
  })

  test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))

  test('D1 §6.6: resealing moves all sealed values to the new key', async () => {
    const moved = await resealAll(programs)
    for (const column of [
      'platform aa_session.aa_id_sealed',
      'platform network_message.answer_sealed',
      'sandbox aa_consent.detail_sealed',
      'sandbox message.body_sealed',
    ])
      assert.ok(moved.has(column), column)
  })
})
