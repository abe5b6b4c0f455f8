// Checks of the review, of its offer, and of the borrower's single decision (D3 §1.1, §2.4, §3).

import { fieldsOf } from '@lendloom/foundation/record'
import { checks, expect, Skip } from '#conformance/exchange/check.ts'
import { expectStepToFail } from '#conformance/exchange/refusal-checks.ts'
import { expectRetryAfter } from '#conformance/exchange/retry-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { send } from '#conformance/exchange/send-request.ts'

type Decision = 'ACCEPT' | 'REJECT'
const decisionData = (offer_id: string, decision: Decision) => ({
  offer_id,
  decision,
  reason: null,
  decided_at: new Date().toISOString(),
})
const failureCodes = ['STALE_OFFER', 'INVALID_STATE', 'IDENTITY_CONFLICT', 'VALIDATION_ERROR']

async function expectDecisionToFail(run: Run, step: string, offerId: string, decision: Decision): Promise<void> {
  const raw = run.event(step, 'OFFER_DECISION_RECORDED', decisionData(offerId, decision))
  await expectStepToFail(run, step, raw, failureCodes)
}

export const offers = checks([
  {
    id: 'offer.review',
    section: 'D3 §6',
    title: 'the review makes a final offer',
    sends: 'nothing more; waits for MANUAL_REVIEW_DECIDED',
    expects: 'MANUAL_REVIEW_DECIDED, APPROVED, with complete, consistent and valid terms',
    needs: ['documents.json'],
    async run(run) {
      const person = `staff of the lender must approve the application ${run.memory.caseRef}`
      const awaited = { type: 'MANUAL_REVIEW_DECIDED', person } as const
      const { data, arrival } = await run.awaitEvent(awaited)
      if (data.decision !== 'APPROVED')
        throw new Skip(`the lender decided ${data.decision}, but later checks need an offer`)
      const faults = arrival.faults.filter(({ check }) => check === 'partner-events.envelope')
      expect(faults.length === 0, `the terms are invalid: ${faults.map(({ words }) => words).join('; ')}`)
      const offer = fieldsOf(data.offer)
      expect(Date.parse(String(offer.valid_until)) > Date.now(), 'valid_until has passed')
      const { offer_id, net_disbursed_amount, total_payable_amount, kfs_url, terms_url } = offer
      run.remember({
        offerId: String(offer_id),
        net: String(net_disbursed_amount),
        total: String(total_payable_amount),
        kfsUrl: String(kfs_url),
        termsUrl: String(terms_url),
      })
    },
  },
  {
    id: 'offer.pages',
    section: 'D3 §2.4',
    title: 'the borrower can read the key facts and the terms',
    sends: 'GET kfs_url and terms_url, without a credential',
    expects: '200',
    needs: ['offer.review'],
    async run(run) {
      for (const url of [run.found('kfsUrl'), run.found('termsUrl')]) {
        run.last = { sent: `GET ${url}`, received: '' }
        const { status } = await send({ method: 'GET', url, headers: {} })
        run.last.received = String(status)
        expect(status === 200, `got status ${status} from ${url}, expected 200`)
      }
    },
  },
  {
    id: 'status.offered',
    section: 'D3 §4.4',
    title: 'Status shows an undecided offer',
    sends: 'GET /status',
    expects: 'the offer, PENDING, without event and time of a decision',
    needs: ['offer.review'],
    async run(run) {
      const { offer } = await run.status()
      expect(offer?.offer_id === run.found('offerId'), 'offer_id is not that of the review')
      if (!run.memory.sent.accept)
        expect(offer.decision === 'PENDING', `the decision is ${offer.decision} before there was one`)
    },
  },
  {
    id: 'offer.unknown',
    section: 'D3 §3',
    title: 'an unknown offer cannot be accepted',
    sends: 'OFFER_DECISION_RECORDED, ACCEPT, with another offer_id',
    expects: 'EVENT_PROCESSING_FAILED or 409; Status has no accepted offer',
    needs: ['offer.review'],
    async run(run) {
      await expectDecisionToFail(run, 'accept of nothing', 'CONFORM-NO-SUCH-OFFER', 'ACCEPT')
      const { offer } = await run.status()
      if (!run.memory.sent.accept) expect(offer?.decision === 'PENDING', `the decision is ${offer?.decision}`)
    },
  },
  {
    id: 'offer.accepted',
    section: 'D3 §6',
    title: 'the borrower accepts',
    sends: 'OFFER_DECISION_RECORDED, ACCEPT',
    expects: '202, then OFFER_DECISION_CONFIRMED of this event, this offer and this decision',
    needs: ['offer.review'],
    async run(run) {
      const offerId = run.found('offerId')
      const eventId = await run.submit('accept', 'OFFER_DECISION_RECORDED', decisionData(offerId, 'ACCEPT'))
      const { data } = await run.awaitEvent({
        type: 'OFFER_DECISION_CONFIRMED',
        matches: ({ data }) => data.source_event_id === eventId,
        causedBy: eventId,
      })
      expect(data.offer_id === offerId, 'the confirmation has another offer_id')
      expect(data.decision === 'ACCEPT', `the confirmation says ${data.decision}`)
    },
  },
  {
    id: 'offer.retry-after',
    section: 'D3 §8',
    title: 'Retry-After is respected',
    sends: '429 with Retry-After to the first attempt of OFFER_DECISION_CONFIRMED',
    expects: 'a retry of the same bytes, not before that time',
    needs: ['offer.accepted'],
    run: async (run) => expectRetryAfter(run, 'OFFER_DECISION_CONFIRMED'),
  },
  {
    id: 'status.accepted',
    section: 'D3 §4.4',
    title: 'Status shows an accepted offer',
    sends: 'GET /status',
    expects: 'the offer, ACCEPT, with the event and time of the decision',
    needs: ['offer.accepted'],
    async run(run) {
      const { offer } = await run.status()
      expect(offer?.decision === 'ACCEPT', `the decision is ${offer?.decision}`)
      expect(offer.source_event_id === run.sentAs('accept').eventId, 'source_event_id is not the event of the decision')
    },
  },
  {
    id: 'offer.overwritten',
    section: 'D3 §3',
    title: 'accepted terms are not overwritten',
    sends: 'OFFER_DECISION_RECORDED, REJECT, of the accepted offer',
    expects: 'EVENT_PROCESSING_FAILED or 409; Status still says ACCEPT',
    needs: ['offer.accepted'],
    async run(run) {
      await expectDecisionToFail(run, 'reject after accept', run.found('offerId'), 'REJECT')
      const { offer } = await run.status()
      expect(offer?.decision === 'ACCEPT', `the decision is ${offer?.decision}`)
    },
  },
])
