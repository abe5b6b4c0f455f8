// Checks of the registration and of event handling: receipts, failures, version order (D3 §4.2, §6).

import { uuidv4 } from '@lendloom/seal/id'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import { type Check, checks, expect, Skip } from '#conformance/exchange/check.ts'
import { toleranceChecks } from '#conformance/exchange/checks/authentication.ts'
import { pendingOf } from '#conformance/exchange/played-status.ts'
import { expectConflict, expectReplay, expectStored } from '#conformance/exchange/receipt-checks.ts'
import { expectStepToFail } from '#conformance/exchange/refusal-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'

/** A failure event about an unknown event: it changes nothing, and must not cause another failure event. */
const failureOfUnknownEvent = (): DataOf<'EVENT_PROCESSING_FAILED'> => ({
  ...exampleData('EVENT_PROCESSING_FAILED'),
  source_event_id: uuidv4(),
  failed_at: new Date().toISOString(),
})

const confirmationOfUnknownDecision = (): DataOf<'OFFER_DECISION_CONFIRMED'> => ({
  ...exampleData('OFFER_DECISION_CONFIRMED'),
  source_event_id: uuidv4(),
  recorded_at: new Date().toISOString(),
})

const registrationOf = (run: Run): DataOf<'LEAD_REGISTERED'> => {
  const documents_pending = pendingOf(run.memory)
  return { status: documents_pending.length > 0 ? 'DOCUMENTS_PENDING' : 'UNDER_REVIEW', documents_pending }
}

export const inapplicableCodes = ['IDENTITY_CONFLICT', 'INVALID_STATE', 'STALE_OFFER', 'VALIDATION_ERROR']

/** A numeric loan ID of no real loan. */
const numericId = (): string => `9${Date.now()}`

const receiptChecks: Check[] = [
  {
    id: 'registered.stored',
    section: 'D3 §4.2',
    title: 'an event is stored',
    sends: 'LEAD_REGISTERED with both partner IDs',
    expects: '202 with event_id, receipt_status RECEIVED and received_at',
    needs: ['lead.submitted'],
    async run(run) {
      if (!run.memory.found.leadId) run.remember({ leadId: `CONFORM-${uuidv4()}`, loanId: numericId() })
      run.event('registered', 'LEAD_REGISTERED', registrationOf(run))
      await expectStored(run, 'registered')
    },
  },
  {
    id: 'registered.replay',
    section: 'D3 §4.2',
    title: 'a repeated event gets the same receipt',
    sends: 'the same bytes with a new signature',
    expects: '200 with the original received_at',
    needs: ['registered.stored'],
    run: (run) => expectReplay(run, 'registered'),
  },
  {
    id: 'registered.conflict',
    section: 'D3 §4.2',
    title: 'different content under the same event_id is a conflict',
    sends: 'the event_id of the registration with another occurred_at',
    expects: '409 with the error body of D3 §7',
    needs: ['registered.stored'],
    run: (run) => expectConflict(run, 'registered'),
  },
  {
    id: 'registered.second-key',
    section: 'D3 §5.2',
    title: 'both signing keys are valid during a rotation',
    sends: 'the same event signed with the second key of the credentials',
    expects: '200',
    needs: ['registered.stored'],
    async run(run) {
      const [, second] = run.ourKeys
      if (!second) throw new Skip('the credentials have one key only')
      const raw = Buffer.from(run.sentAs('registered').raw)
      const { status } = await run.postEvent(raw, signedHeaders({ ...second, at: new Date(), raw }))
      expect(status === 200, `got status ${status}, expected 200`)
    },
  },
  {
    id: 'receipt.at-once',
    section: 'D3 §4.2',
    title: 'of ten concurrent copies of an event, only one is new',
    sends: 'EVENT_PROCESSING_FAILED about an unknown event, ten times at once',
    expects: '202 once, 200 nine times',
    needs: ['registered.stored'],
    async run(run) {
      const raw = run.event('at once', 'EVENT_PROCESSING_FAILED', failureOfUnknownEvent())
      const sent = run.sentAs('at once')
      const wasTried = sent.tries++ > 0
      run.settings.save()
      const statuses = (await Promise.all(Array.from({ length: 10 }, () => run.postEvent(raw)))).map(
        ({ status }) => status,
      )
      const newCount = statuses.filter((status) => status === 202).length
      expect(newCount === 1 || (wasTried && newCount === 0), `${newCount} of ten copies were answered 202`)
      expect(
        statuses.every((status) => status === 200 || status === 202),
        `the copies were answered ${statuses.join(', ')}`,
      )
    },
  },
]

const failureChecks: Check[] = [
  {
    id: 'failure.told',
    section: 'D3 §6',
    title: 'an inapplicable event is reported',
    sends: 'OFFER_DECISION_CONFIRMED of a decision that was never made',
    expects: 'EVENT_PROCESSING_FAILED that names this event, or a refusal',
    needs: ['registered.stored'],
    async run(run) {
      const raw = run.event('confirmation of nothing', 'OFFER_DECISION_CONFIRMED', confirmationOfUnknownDecision())
      await expectStepToFail(run, 'confirmation of nothing', raw, inapplicableCodes)
    },
  },
  {
    id: 'failure.other-ids',
    section: 'D3 §2.2',
    title: 'a case cannot be registered with other IDs',
    sends: 'LEAD_REGISTERED with other partner IDs than before',
    expects: 'EVENT_PROCESSING_FAILED with IDENTITY_CONFLICT, or a refusal',
    needs: ['registered.stored'],
    async run(run) {
      const raw = run.event('other ids', 'LEAD_REGISTERED', registrationOf(run), otherIds(run))
      await expectStepToFail(run, 'other ids', raw, ['IDENTITY_CONFLICT', 'INVALID_STATE'])
    },
  },
  {
    id: 'failure.never-answered',
    section: 'D3 §6',
    title: 'a failure is never sent in response to a failure',
    sends: 'EVENT_PROCESSING_FAILED with other partner IDs, which cannot be applied; then another event that fails',
    expects: 'no EVENT_PROCESSING_FAILED that names the first',
    needs: ['failure.told'],
    async run(run) {
      const raw = run.event('failure of others', 'EVENT_PROCESSING_FAILED', failureOfUnknownEvent(), otherIds(run))
      const { eventId } = run.sentAs('failure of others')
      const { status } = await run.postEvent(raw)
      if (status >= 400) run.releaseVersion('failure of others')
      const laterEvent = run.event('after the failure', 'OFFER_DECISION_CONFIRMED', confirmationOfUnknownDecision())
      await expectStepToFail(run, 'after the failure', laterEvent, inapplicableCodes)
      await run.waitUntilQuiet()
      expect(run.failureOf(eventId) === undefined, 'EVENT_PROCESSING_FAILED came for EVENT_PROCESSING_FAILED')
    },
  },
  {
    id: 'order.gap',
    section: 'D3 §6',
    title: 'an event after a gap is applied when the gap is closed',
    sends: 'entity_version n+2, which cannot be applied, and later n+1',
    expects: '202 for both; EVENT_PROCESSING_FAILED for n+2 only after n+1',
    needs: ['failure.told'],
    async run(run) {
      run.event('before the gap', 'EVENT_PROCESSING_FAILED', failureOfUnknownEvent())
      run.event('after the gap', 'OFFER_DECISION_CONFIRMED', confirmationOfUnknownDecision())
      await expectStored(run, 'after the gap')
      await run.waitUntilQuiet()
      const { eventId } = run.sentAs('after the gap')
      if (run.sentAs('before the gap').tries === 0)
        expect(run.failureOf(eventId) === undefined, 'the event was applied before the missing version')
      await expectStored(run, 'before the gap')
      await run.awaitEvent({
        type: 'EVENT_PROCESSING_FAILED',
        matches: ({ data }) => data.source_event_id === eventId,
      })
    },
  },
]

const otherIds = ({ memory }: Run) => ({
  correlation: {
    external_reference_id: memory.caseRef,
    celestium_lead_id: `CONFORM-${uuidv4()}`,
    celestium_loan_id: numericId(),
  },
})

export const registration = checks([
  ...receiptChecks,
  ...toleranceChecks({ step: 'registered', stored: 'registered.stored' }),
  ...failureChecks,
])
