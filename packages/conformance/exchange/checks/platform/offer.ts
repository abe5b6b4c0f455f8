// Checks of the final offer: its replacement, and the borrower's decision (D3 §2.4, §3, §6).

import { fieldsOf } from '@lendloom/foundation/record'
import type { Paise } from '@lendloom/lending/money'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { checks, expect, Skip } from '#conformance/exchange/check.ts'
import { offerOf, proposedAmountOf } from '#conformance/exchange/played-loan.ts'
import { expectStored } from '#conformance/exchange/receipt-checks.ts'
import { expectStepToFail } from '#conformance/exchange/refusal-checks.ts'
import { expectRetryAfter } from '#conformance/exchange/retry-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { inapplicableCodes } from './registration.ts'

const now = (): string => new Date().toISOString()

/** Events with provider results; none may come before the decision is confirmed. */
export const checkTypes = ['KYC_UPDATED', 'MANDATE_UPDATED', 'ESIGN_UPDATED'] as const

/** The maximum difference of both sides' clocks (D3 §5.2). */
const maxClockDifferenceMs = 300_000

/** Cut to 128 characters, the maximum of an offer_id, because the platform's reference may be as long. */
const offerIdOf = ({ memory }: Run, name: string): string => `${name}-${memory.caseRef}`.slice(0, 128)

/** The tenths of an amount, rounded down to whole rupees. */
const tenthsOf = (paise: Paise, tenths: bigint): Paise => ((paise * tenths) / 1000n) * 100n

function approval(run: Run, offerId: string, amount: Paise): DataOf<'MANUAL_REVIEW_DECIDED'> {
  const offer = offerOf(run.settings.listensAt, { offerId, amount })
  return { ...exampleData('MANUAL_REVIEW_DECIDED'), reviewed_at: now(), offer }
}

/** Sends an offer, which becomes the current one. */
async function makeOffer(run: Run, step: string, offerId: string, amount: Paise): Promise<void> {
  run.event(step, 'MANUAL_REVIEW_DECIDED', approval(run, offerId, amount))
  await expectStored(run, step)
  run.remember({ offerId, offerAmount: String(amount), offerStep: step })
}

/** Waits for the borrower's decision on the current offer. */
async function awaitDecision(run: Run, person: string) {
  const { eventId: causedBy } = run.sentAs(run.found('offerStep'))
  const decision = await run.awaitEvent({ type: 'OFFER_DECISION_RECORDED', person, causedBy })
  const { offer_id } = decision.data
  expect(offer_id === run.found('offerId'), `offer_id is ${offer_id}, not ${run.found('offerId')}`)
  return decision
}

async function expectNoChecks(run: Run, when: string): Promise<void> {
  await run.waitUntilQuiet()
  const early = run.memory.arrivals.find(({ type }) => checkTypes.some((check) => check === type))
  expect(early === undefined, `${early?.type} came ${when}`)
}

export const platformOffers = checks([
  {
    id: 'offer.sent',
    section: 'D3 §6',
    title: 'the final offer is stored',
    sends: 'MANUAL_REVIEW_DECIDED, APPROVED, with the proposed amount in 22 weekly instalments without interest',
    expects: '202 with a receipt',
    needs: ['documents.manifest'],
    async run(run) {
      await makeOffer(run, 'offer', offerIdOf(run, 'OFFER'), proposedAmountOf(run.memory))
    },
  },
  {
    id: 'offer.replaced',
    section: 'D3 §2.4',
    title: 'a changed offer has a new offer_id',
    sends: 'MANUAL_REVIEW_DECIDED, APPROVED, with another offer_id and nine tenths of the amount',
    expects: '202; a later decision is about this offer (offer.decided)',
    needs: ['offer.sent'],
    async run(run) {
      if (!run.memory.sent['other offer'] && run.received('OFFER_DECISION_RECORDED').length > 0)
        throw new Skip('the borrower decided before the offer was replaced')
      await makeOffer(run, 'other offer', offerIdOf(run, 'OTHER-OFFER'), tenthsOf(proposedAmountOf(run.memory), 9n))
    },
  },
  {
    id: 'offer.edited',
    section: 'D3 §2.4',
    title: 'terms under an old offer_id are never changed',
    sends: 'MANUAL_REVIEW_DECIDED, APPROVED, with the previous offer_id and eight tenths of the amount',
    expects: 'EVENT_PROCESSING_FAILED that names this event, or a refusal',
    needs: ['offer.sent'],
    async run(run) {
      const edited = approval(run, run.found('offerId'), tenthsOf(proposedAmountOf(run.memory), 8n))
      const raw = run.event('edited offer', 'MANUAL_REVIEW_DECIDED', edited)
      await expectStepToFail(run, 'edited offer', raw, inapplicableCodes)
    },
  },
  {
    id: 'offer.decided',
    section: 'D3 §6',
    title: 'the borrower’s decision is sent',
    sends: 'nothing more; waits for OFFER_DECISION_RECORDED',
    expects: 'ACCEPT of the current offer, decided after it was made',
    needs: ['offer.sent'],
    async run(run) {
      const { data, eventId } = await awaitDecision(run, 'the borrower has to accept the final offer')
      if (data.decision !== 'ACCEPT')
        throw new Skip(`the borrower decided ${data.decision}, but later checks need ACCEPT`)
      const decidedAt = Date.parse(String(data.decided_at))
      const { reviewed_at } = fieldsOf(fieldsOf(JSON.parse(run.sentAs(run.found('offerStep')).raw)).data)
      expect(
        decidedAt >= Date.parse(String(reviewed_at)) - maxClockDifferenceMs,
        'decided_at is before the offer was made',
      )
      expect(decidedAt <= Date.now() + maxClockDifferenceMs, 'decided_at is later than now')
      run.remember({ decisionEventId: eventId })
    },
  },
  {
    id: 'offer.retry-after',
    section: 'D3 §8',
    title: 'Retry-After is respected',
    sends: '429 with Retry-After to the first attempt of OFFER_DECISION_RECORDED',
    expects: 'a retry of the same bytes, not before that time',
    needs: ['offer.decided'],
    run: async (run) => expectRetryAfter(run, 'OFFER_DECISION_RECORDED'),
  },
  {
    id: 'offer.waits',
    section: 'D3 §6',
    title: 'a receipt is not a confirmation',
    sends: 'nothing; the decision is stored and not yet confirmed',
    expects: 'no KYC_UPDATED, MANDATE_UPDATED or ESIGN_UPDATED',
    needs: ['offer.decided'],
    async run(run) {
      if (run.memory.sent.confirmed) return
      await expectNoChecks(run, 'before the decision was confirmed')
    },
  },
  {
    id: 'offer.confirmed',
    section: 'D3 §6',
    title: 'the confirmation is stored',
    sends: 'OFFER_DECISION_CONFIRMED of that event, offer and decision',
    expects: '202 with a receipt',
    needs: ['offer.decided'],
    async run(run) {
      const recorded_at = run.memory.found.recordedAt ?? now()
      run.remember({ recordedAt: recorded_at })
      const source_event_id = run.found('decisionEventId')
      const offer_id = run.found('offerId')
      const data = { source_event_id, offer_id, decision: 'ACCEPT', recorded_at } as const
      run.event('confirmed', 'OFFER_DECISION_CONFIRMED', data)
      await expectStored(run, 'confirmed')
    },
  },
  {
    id: 'offer.rejected',
    section: 'D3 §3',
    title: 'a rejected offer unlocks nothing',
    sends: 'OFFER_DECISION_CONFIRMED of the rejection, then of an acceptance that was never decided',
    expects: 'EVENT_PROCESSING_FAILED or a refusal of the second; no KYC_UPDATED, MANDATE_UPDATED or ESIGN_UPDATED',
    needs: ['offer.sent'],
    async run(run) {
      const { data, eventId } = await awaitDecision(run, 'the borrower has to reject the final offer')
      if (data.decision !== 'REJECT')
        throw new Skip(
          `the borrower decided ${data.decision}; start a separate run with a borrower who rejects the offer`,
        )
      run.remember({ decisionEventId: eventId, rejectedAt: run.memory.found.rejectedAt ?? now() })
      const recorded_at = run.found('rejectedAt')
      const decided = { source_event_id: eventId, offer_id: run.found('offerId'), recorded_at }
      run.event('rejection confirmed', 'OFFER_DECISION_CONFIRMED', { ...decided, decision: 'REJECT' })
      await expectStored(run, 'rejection confirmed')
      const raw = run.event('accepted by nobody', 'OFFER_DECISION_CONFIRMED', { ...decided, decision: 'ACCEPT' })
      await expectStepToFail(run, 'accepted by nobody', raw, inapplicableCodes)
      const { eventId: confirmed } = run.sentAs('rejection confirmed')
      expect(run.failureOf(confirmed) === undefined, 'the confirmation of the rejection could not be applied')
      await expectNoChecks(run, 'after the offer was rejected')
    },
  },
])
