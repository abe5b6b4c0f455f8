// Checks of a payment claimed by the borrower: the platform's event and its reaction to the result (D3 §6 rules 4, 5).

import { required } from '@lendloom/foundation/required'
import { businessDate } from '@lendloom/lending/calendar'
import { isValid } from '#conformance/exchange/arriving-events.ts'
import { checks, expect } from '#conformance/exchange/check.ts'
import { claimedPaymentOf } from '#conformance/exchange/played-loan.ts'
import { filesOf } from '#conformance/exchange/played-status.ts'
import { expectStored } from '#conformance/exchange/receipt-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { nextRead, readsOf } from './lending.ts'

/** Reports the claim's state under the next version of its payment; Status must be read afterwards. */
async function reportClaim(run: Run, step: string, version: number): Promise<void> {
  const readCount = readsOf(run).length
  const payment = required(claimedPaymentOf(run.memory), 'the payment that was claimed')
  run.event(step, 'PAYMENT_UPDATED', payment, { entity_id: payment.payment_id, entity_version: version })
  await expectStored(run, step)
  await nextRead(run, readCount, 'GET /status')
}

const now = (): string => new Date().toISOString()

export const platformClaims = checks([
  {
    id: 'claim.submitted',
    section: 'D3 §6',
    title: 'a payment reported by the borrower is claimed',
    sends: 'nothing; waits for PAYMENT_CLAIM_SUBMITTED',
    expects:
      'a complete claim with the partner IDs, a payment_date not in the future, and document_ids of stored files',
    needs: ['loan.payment'],
    async run(run) {
      const person = 'the borrower has to report a payment through the platform'
      const { data, eventId, arrival } = await run.awaitEvent({ type: 'PAYMENT_CLAIM_SUBMITTED', person })
      expect(isValid(arrival), `the claim is invalid: ${arrival.faults.map(({ words }) => words).join('; ')}`)
      const { payment_date, document_ids } = data
      expect(String(payment_date) <= businessDate(new Date()), `payment_date ${payment_date} is in the future`)
      const storedIds = filesOf(run.memory).map(({ document_id }) => document_id)
      for (const id of Array.isArray(document_ids) ? document_ids : [])
        expect(storedIds.includes(id), `document_ids names ${id}, which is not a stored file`)
      run.remember({ claimEventId: eventId })
    },
  },
  {
    id: 'claim.open',
    section: 'D3 §6',
    title: 'Status is read after a change of a claim',
    sends: 'PAYMENT_UPDATED, PENDING_VERIFICATION, with the claim_reference, entity_version 1',
    expects: '202, then GET /status',
    needs: ['claim.submitted'],
    async run(run) {
      run.remember({ claimOpenAt: run.memory.found.claimOpenAt ?? now() })
      await reportClaim(run, 'claim open', 1)
    },
  },
  {
    id: 'claim.failed',
    section: 'D3 §6',
    title: 'a claim ends if its payment is not found',
    sends: 'PAYMENT_UPDATED, FAILED with a reason_code, entity_version 2',
    expects: '202, then GET /status; no other PAYMENT_CLAIM_SUBMITTED with its claim_reference',
    needs: ['claim.open'],
    async run(run) {
      run.remember({ claimFailedAt: run.memory.found.claimFailedAt ?? now() })
      await reportClaim(run, 'claim failed', 2)
      await run.waitUntilQuiet()
      const claims = run.received('PAYMENT_CLAIM_SUBMITTED')
      const claim = claims.find(({ eventId }) => eventId === run.found('claimEventId'))
      const same = claims.filter(({ data }) => data.claim_reference === claim?.data.claim_reference)
      expect(same.length === 1, `${same.length} events claim the same payment`)
    },
  },
])
