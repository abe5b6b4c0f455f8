// A loan without any page of ours: from the session to the money by the calls of the second document alone.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { invariantsOf } from '#conformance/network/v203/invariants.ts'
import { OfferCard, OfferDetail, ProceedResult } from '#contract/headless/offer.ts'
import { StepState, type Steps, StepView } from '#contract/headless/step.ts'
import { faultText } from '#contract/network/context.ts'
import { faults } from '#kit/http/schema.ts'
import { transcriptOf } from '#platform/network/transcript.ts'
import { judged } from '#test/exactness/judge.ts'
import { canonical } from '#test/exactness/lifecycle-oracle.ts'
import { bankAccount, newApplicant } from '#test/setup/borrower.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import {
  answered,
  applyFor,
  begin,
  browse,
  cardsOf,
  type HeadlessBorrower,
  must,
  offerPath,
  reaches,
  say,
  stateOf,
  walk,
} from '#test/setup/headless.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { registryKeys } from '#test/setup/transcript.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const listener = await startListener(programs.platformUrl, programs.tenant)

async function applied(pan?: string): Promise<HeadlessBorrower> {
  const borrower = await begin(programs.platformUrl, programs.tenant, newApplicant())
  await applyFor(borrower, pan)
  return borrower
}
const offeredCards = (cards: OfferCard[]) => cards.filter(({ status }) => status === 'OFFER_RECEIVED')
const statusesOf = async (borrower: HeadlessBorrower, last: string) =>
  (await listener.arrivalsUntil(borrower.journeyId, last)).map(({ status }) => status)

describe('headless', { concurrency: 4 }, () => {
  // Each step takes up the loan where the step before it left off.
  describe('D2 §2.3, D2 §3, D2 §4, D1 §6.2: a loan by calls alone', { concurrency: 1 }, () => {
    let borrower: HeadlessBorrower
    let offers: OfferCard[]
    let path: string

    test('D2 §2.3, §4: the cards come with the cheapest offer first, and page by page the same', async () => {
      borrower = await applied()
      const cards: OfferCard[] = await answered(borrower)
      for (const card of cards) assert.deepEqual(faults(OfferCard, card), [], card.lenderName)
      offers = offeredCards(cards)
      assert.ok(offers.length >= 4)
      const rates = offers.map(({ annualPercentageRate }) => Number.parseFloat(annualPercentageRate!))
      assert.deepEqual(
        rates,
        [...rates].sort((a, b) => a - b),
        'the cheapest first',
      )
      const byTwo: OfferCard[] = []
      for (let query = 'limit=2'; query !== ''; ) {
        const { items, page } = await must(borrower, 'GET', `/journeys/${borrower.journeyId}/offers?${query}`)
        byTwo.push(...items)
        query = page.hasMore ? `limit=2&cursor=${page.nextCursor}` : ''
      }
      assert.deepEqual(byTwo, cards, 'page by page the same')
      path = offerPath(borrower, offers[0]!.offerID)
    })

    test('D2 §4: the breakup of an offer adds up to the net amount', async () => {
      const open: OfferDetail = await must(borrower, 'GET', path)
      assert.deepEqual(faults(OfferDetail, open), [])
      assert.deepEqual([open.proceedBoundaryState, open.offerSelectionLock], ['OPEN', null])
      const sum = (titles: string[]) =>
        open.breakup
          .filter(({ title }) => titles.includes(title))
          .reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0)
      assert.equal(
        sum(['NET_DISBURSED_AMOUNT']),
        sum(['PRINCIPAL']) - sum(['PROCESSING_FEE', 'OTHER_UPFRONT_CHARGES', 'INSURANCE_CHARGES']),
      )
    })

    test('D2 §3: no step is ready before an offer is chosen', async () => {
      const before: Steps = await must(borrower, 'GET', `${path}/steps`)
      assert.ok(
        Object.values(before).every(({ status, actionRequired }) => `${status} ${actionRequired}` === 'PENDING NONE'),
      )
      const early = await say(borrower, 'POST', `${path}/steps/bank-mandate`, bankAccount)
      assert.deepEqual([early.status, early.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
    })

    test('D2 §3: proceeding locks the offer once, and another offer is refused', async () => {
      const locked: ProceedResult = await must(borrower, 'POST', `${path}/proceed`)
      assert.deepEqual(faults(ProceedResult, locked), [])
      assert.deepEqual(
        [locked.status, locked.proceeded, locked.proceedBoundaryState, locked.offerSelectionLock.lockSource],
        ['PROCEEDED', true, 'LOCKED', 'HEADLESS'],
      )
      const again = await must(borrower, 'POST', `${path}/proceed`)
      assert.deepEqual(again, locked, 'a second time it is the same lock')
      const { selectedOfferID } = await must(borrower, 'GET', `/journeys/${borrower.journeyId}`)
      assert.equal(selectedOfferID, offers[0]!.offerID)
      const other = await say(borrower, 'POST', `${offerPath(borrower, offers[1]!.offerID)}/proceed`)
      assert.deepEqual(
        [other.status, other.body.error.code, other.body.error.retryable],
        [409, 'OFFER_LOCK_CONFLICT', false],
      )
      assert.equal(other.body.error.details.proceedBoundaryState, 'LOCKED_TO_DIFFERENT_OFFER')
      const elsewhere: OfferDetail = await must(borrower, 'GET', offerPath(borrower, offers[1]!.offerID))
      assert.equal(elsewhere.proceedBoundaryState, 'LOCKED_TO_DIFFERENT_OFFER')
    })

    test('D2 §4: the KYC step leads to the page of the lender, and reading it changes nothing', async () => {
      await reaches(borrower, 'KYC_PENDING')
      assert.equal((await stateOf(borrower)).nextAction, 'COMPLETE_STEP')
      const kyc: StepView = await must(borrower, 'GET', `${path}/steps/kyc`)
      assert.deepEqual(faults(StepView, kyc), [])
      assert.deepEqual([kyc.status, kyc.actionRequired, kyc.resource.type], ['READY', 'REDIRECT', 'REDIRECT'])
      assert.ok(kyc.resource.redirectURL!.startsWith(`${programs.platformUrl}/go/`))
      await must(borrower, 'GET', `${path}/steps/kyc`)
      assert.deepEqual(await statusesOf(borrower, 'OFFER_SELECTED'), canonical.slice(0, 4), 'reading changes nothing')
      const titles = await browse(kyc.resource.redirectURL!)
      assert.ok(!titles.includes('Your final offer'), 'the terms were agreed to when proceeding')
    })

    test('D2 §4, D1 §6.2: the steps follow each other to the money, with seven updates in order', async () => {
      const each = async () => {
        const statuses: string[] = []
        for (const name of ['kyc', 'bank-mandate', 'e-mandate', 'loan-agreement'])
          statuses.push((await must(borrower, 'GET', `${path}/steps/${name}`)).status)
        return statuses
      }
      assert.deepEqual((await each()).slice(1), ['PENDING', 'PENDING', 'PENDING'])
      const seen = new Set<string>()
      const walked = (end: string) =>
        walk(borrower, offers[0]!.offerID, [end], deadlineMs, (status) => seen.add(status))
      await walked('E_MANDATE_PENDING')
      assert.deepEqual(await each(), ['SUCCESS', 'SUCCESS', 'READY', 'PENDING'])
      assert.equal(await walked('DISBURSED'), 'DISBURSED')
      assert.deepEqual(
        [...seen].filter((status) => /^(BANK|E_|LOAN).*_PENDING$/.test(status)),
        ['BANK_MANDATE_PENDING', 'E_MANDATE_PENDING', 'LOAN_AGREEMENT_PENDING'],
      )
      assert.deepEqual(await statusesOf(borrower, 'DISBURSED'), canonical)
      const last = (await listener.arrivalsUntil(borrower.journeyId, 'DISBURSED')).at(-1)!.payload.borrower.journey
      assert.deepEqual([last.kyc_attempts, last.emandate_attempts, last.esign_attempts], [1, 1, 1])
      assert.equal(last.change_in_offer, false)
    })

    test('D2 §4: after the money every step is done, the offer has its installments and cannot be rejected', async () => {
      const state: StepState = await must(borrower, 'GET', `${path}/steps/kyc/status`)
      assert.deepEqual(faults(StepState, state), [])
      assert.deepEqual([state.status, state.actionRequired], ['SUCCESS', 'NONE'])
      const done: Steps = await must(borrower, 'GET', `${path}/steps`)
      assert.ok(Object.values(done).every(({ status }) => status === 'SUCCESS'))
      const final: OfferDetail = await must(borrower, 'GET', path)
      assert.ok(final.installments.length > 0)
      assert.deepEqual(final.fulfillments, [{ type: 'LOAN', status: 'DISBURSED' }])
      const late = await say(borrower, 'POST', `${path}/reject`, { rejectedStage: 'LOAN', rejectionReason: 'No' })
      assert.deepEqual([late.status, late.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
    })

    test('D2 §3: the consent to the key facts is of this channel, and the messages of the loan break no rule', async () => {
      const consents = await programs.db<{ purpose: string; channel: string }>`
        select purpose, channel from consent where journey_id = ${borrower.journeyId} and purpose = 'key_facts'`
      assert.deepEqual(consents, [{ purpose: 'key_facts', channel: 'headless' }])
      const transcript = await transcriptOf(programs, programs.tenant.tenantId, borrower.journeyId)
      assert.deepEqual(invariantsOf(transcript, await registryKeys(programs)).map(faultText), [])
    })
  })

  test('D2 §4: a smaller amount is asked for, shown with its price on our page, and paid out', async () => {
    const borrower = await applied()
    const [card] = offeredCards(await answered(borrower))
    const path = offerPath(borrower, card!.offerID)
    for (const amount of ['0', '-5', '1500.50', '1e5', 'all', ''])
      assert.equal((await say(borrower, 'POST', `${path}/loan-amount`, { amount })).status, 400, amount)
    const tooMuch = await say(borrower, 'POST', `${path}/loan-amount`, { amount: '9000000000' })
    assert.deepEqual([tooMuch.status, tooMuch.body.error.details.field], [400, 'amount'])
    const kept = await must(borrower, 'POST', `${path}/loan-amount`, { amount: '100000' })
    assert.deepEqual([kept.amount, kept.offerID], ['100000.00', card!.offerID])
    assert.equal((await must(borrower, 'GET', path)).requestedAmount, '100000.00')
    await must(borrower, 'POST', `${path}/proceed`)
    const after = await say(borrower, 'POST', `${path}/loan-amount`, { amount: '120000' })
    assert.deepEqual([after.status, after.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
    await reaches(borrower, 'KYC_PENDING')
    const final: OfferDetail = await must(borrower, 'GET', path)
    assert.deepEqual([final.termsFinal, final.termsChanged, final.amountPrincipal], [true, true, '100000.00'])
    const { resource }: StepView = await must(borrower, 'GET', `${path}/steps/kyc`)
    assert.equal((await browse(resource.redirectURL!))[0], 'Your final offer')
    assert.equal(await walk(borrower, card!.offerID), 'DISBURSED')
    assert.deepEqual(await statusesOf(borrower, 'DISBURSED'), canonical)
    const last = (await listener.arrivalsUntil(borrower.journeyId, 'DISBURSED')).at(-1)!.payload.borrower.journey
    assert.deepEqual([last.borrower_preferred_amount, last.change_in_offer], [100_000, true])
  })

  test('D2 §3: of fifty who proceed at once with different offers one offer wins, the others are told', async () => {
    const borrower = await applied()
    const offers = offeredCards(await answered(borrower))
    const tries = Array.from({ length: 50 }, (_, i) =>
      say(borrower, 'POST', `${offerPath(borrower, offers[i % offers.length]!.offerID)}/proceed`),
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
    assert.deepEqual(await statusesOf(borrower, 'OFFER_SELECTED'), canonical.slice(0, 4))
  })

  test('D2 §4: lenders that do not offer stay listed, with a plain reason and no words of the network', async () => {
    const borrower = await applied('ABCPE9001F')
    const cards: OfferCard[] = await answered(borrower)
    const none = cards.filter(({ status }) => status === 'NO_OFFER_AVAILABLE')
    assert.ok(none.length >= 2)
    for (const card of none) {
      assert.match(card.lenderStateReason!, /^[A-Z][^0-9]{10,}\.$/)
      assert.deepEqual([card.amountPrincipal, card.interestRate, card.penalCharges], [null, null, []])
    }
    const texts = [JSON.stringify(cards)]
    for (const { offerID } of cards)
      texts.push(JSON.stringify(await must(borrower, 'GET', offerPath(borrower, offerID))))
    for (const text of texts)
      assert.doesNotMatch(text, /bpp|bap_|ondc|on_select|transaction_?id|message_?id|xinput|form_id|provider_id/i)
    const refused = await say(borrower, 'POST', `${offerPath(borrower, none[0]!.offerID)}/proceed`)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
  })

  test('D2 §4: an offer that is turned down is gone from the cards; the chosen one ends the journey', async () => {
    const borrower = await applied()
    const [one, two] = offeredCards(await answered(borrower)) as [OfferCard, OfferCard]
    const saying = { rejectedStage: 'OFFER_LIST', rejectionReason: 'Too dear for me' }
    const result = await must(borrower, 'POST', `${offerPath(borrower, one.offerID)}/reject`, saying)
    assert.deepEqual(
      [result.status, result.rejectedStage, result.rejectionReason],
      ['REJECTED', ...Object.values(saying)],
    )
    const gone = (await cardsOf(borrower)).find(({ offerID }: OfferCard) => offerID === one.offerID)
    assert.deepEqual([gone.status, gone.lenderStateReason], ['NO_OFFER_AVAILABLE', 'You declined this offer.'])
    assert.equal((await say(borrower, 'POST', `${offerPath(borrower, one.offerID)}/proceed`)).status, 409)
    await must(borrower, 'POST', `${offerPath(borrower, two.offerID)}/proceed`)
    await reaches(borrower, 'KYC_PENDING')
    await must(borrower, 'POST', `${offerPath(borrower, two.offerID)}/reject`, saying)
    assert.equal((await stateOf(borrower)).status, 'REJECTED')
    assert.deepEqual(await statusesOf(borrower, 'REJECTED'), [...canonical.slice(0, 4), 'REJECTED'])
    const steps: Steps = await must(borrower, 'GET', `${offerPath(borrower, two.offerID)}/steps`)
    assert.deepEqual([steps.kyc.status, steps.kyc.actionRequired], ['READY', 'NONE'])
  })

  for (const [digits, name, attempts] of [
    ['9007', 'kyc', 2],
    ['9008', 'bankMandate', 2],
  ] as const)
    test(`D2 §2.3: ${name} fails once, says why, and may be done again`, async () => {
      const borrower = await applied(`ABCPE${digits}F`)
      const [card] = offeredCards(await answered(borrower))
      const path = offerPath(borrower, card!.offerID)
      await must(borrower, 'POST', `${path}/proceed`)
      const problems = new Set<string>()
      const look = (_: string, steps: Steps) => {
        const { diagnostics } = steps[name]
        if (diagnostics?.problem) problems.add(diagnostics.problem)
      }
      assert.equal(await walk(borrower, card!.offerID, ['DISBURSED'], deadlineMs, look), 'DISBURSED')
      assert.equal(problems.size, 1)
      const done: Steps = await must(borrower, 'GET', `${path}/steps`)
      assert.equal(done[name].diagnostics!.attempts, attempts)
    })

  test('D2 §2.2: a late lender is awaited while others have offered, and joins them until the window closes', async () => {
    const borrower = await applied('ABCPE9003F')
    const meridian = async () =>
      (await cardsOf(borrower)).find(({ lenderName }: OfferCard) => lenderName === 'Meridian Finance')
    await reaches(borrower, 'OFFERS_AVAILABLE')
    const awaited: OfferCard = await until('the lender that is late', meridian)
    assert.deepEqual(faults(OfferCard, awaited), [])
    assert.deepEqual([awaited.status, awaited.amountPrincipal], ['OFFER_AWAITED', null])
    await until('its offer', async () => (await meridian()).status === 'OFFER_RECEIVED', deadlineMs)
  })

  test('D2 §2.2: offers that lapse are no offers any more, and the journey is EXPIRED without an event', async () => {
    const borrower = await applied('ABCPE9011F')
    const [card] = offeredCards(await answered(borrower))
    await until('the lapse', async () => offeredCards(await cardsOf(borrower)).length === 0, deadlineMs)
    const gone = (await cardsOf(borrower)).find(({ offerID }: OfferCard) => offerID === card!.offerID)
    assert.equal(gone.lenderStateReason, 'This offer has expired.')
    const late = await say(borrower, 'POST', `${offerPath(borrower, card!.offerID)}/proceed`)
    assert.deepEqual([late.status, late.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
    // The consent that one of them waits for lapses as well, which is seen at once by asking, unless it was seen already.
    const sessions = `/journeys/${borrower.journeyId}/aa/sessions`
    const { items } = await must(borrower, 'GET', sessions)
    const reconciled = await say(borrower, 'POST', `${sessions}/${items[0].aaSessionID}/reconcile`)
    assert.ok(
      reconciled.status < 300 || reconciled.body.error.details.status === 'EXPIRED',
      `answered ${reconciled.status}`,
    )
    await reaches(borrower, 'EXPIRED')
    assert.deepEqual(await statusesOf(borrower, 'OFFERED'), canonical.slice(0, 3))
  })

  test('D2 §7, §8: what is another borrower’s or tenant’s looks absent, and no act goes without its key', async () => {
    const borrower = await applied()
    const [card] = await until('a card', async () => {
      const cards = await cardsOf(borrower)
      return cards.length > 0 && cards
    })
    const otherParties = [
      await begin(programs.platformUrl, programs.tenant, newApplicant()),
      await begin(programs.platformUrl, programs.secondTenant, newApplicant()),
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
        const { status, body: answer } = await say(otherParty, method, where, body)
        assert.deepEqual(
          [status, answer.error?.code, answer.data],
          [404, 'RESOURCE_NOT_FOUND', null],
          `${method} ${where}`,
        )
      }
      const own = otherParties[0]!
      const none = await say({ ...own, journeyId: randomUUID() } as HeadlessBorrower, method, where, body, {
        authorization: 'Bearer st_nothing',
      })
      assert.equal(none.status, 401, `${method} ${where}`)
      if (method === 'GET') continue
      const keyless = await say(borrower, method, where, body, { 'idempotency-key': '' })
      assert.deepEqual([keyless.status, keyless.body.error.code], [400, 'VALIDATION_FAILED'], where)
      assert.equal(keyless.body.error.details.field, 'Idempotency-Key')
    }
    const odd = await say(borrower, 'GET', `/journeys/${borrower.journeyId}/offers/not-a-uuid`)
    assert.deepEqual([odd.status, odd.body.error.details.field], [400, 'offerID'])
    const fresh = randomUUID()
    assert.equal((await say(borrower, 'GET', offerPath(borrower, fresh))).status, 404)
  })
})

test('D1 §6: of none of these journeys was more told than the document allows; no program complained', () => {
  assert.deepEqual(judged(listener), [])
  assert.deepEqual(programs.complaints, [])
})
