// Checks of the lead: stored once, registered by an event, retried after 503, one case only (D3 §3, §4.2, §6).

import { fieldsOf } from '@lendloom/foundation/record'
import { uuidv4 } from '@lendloom/seal/id'
import { checks, expect } from '#conformance/exchange/check.ts'
import { expectConflict, expectReplay, expectStored } from '#conformance/exchange/receipt-checks.ts'
import { expectFailure, expectRefusal, expectStepToFail } from '#conformance/exchange/refusal-checks.ts'
import { expectRetried } from '#conformance/exchange/retry-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { newPerson } from '#conformance/exchange/run-memory.ts'
import { dedupeRequest, leadOf, manifest } from '#conformance/exchange/test-borrower.ts'
import { strayLead } from './authentication.ts'

const lead = (run: Run) => leadOf(run.memory.person, run.found('dedupeReference'))

/** Passes if Status reports no case, or only a received event (D3 §4.4). */
async function expectNoCase(run: Run, reference: string): Promise<void> {
  const answer = await run.getStatus(reference, uuidv4())
  if (answer.status !== 200) return expectRefusal(answer, [404])
  const { case_status, celestium_lead_id } = fieldsOf(answer.json)
  expect(case_status === 'RECEIVED' && celestium_lead_id === null, `a case exists, with case_status ${case_status}`)
}

export const leads = checks([
  {
    id: 'lead.no-check',
    section: 'D3 §4.1',
    title: 'a lead without a dedupe decision creates no case',
    sends: 'LEAD_SUBMITTED with an unknown dedupe_reference_id',
    expects:
      'a refusal, or EVENT_PROCESSING_FAILED with null partner IDs; Status answers 404, or RECEIVED without partner IDs',
    async run(run) {
      const raw = strayLead(run)
      const event = fieldsOf(JSON.parse(raw.toString('utf8')))
      const statuses = [400, 403, 409, 422]
      const isStored = await expectFailure(run, raw, { statuses, codes: ['VALIDATION_ERROR', 'INVALID_STATE'] })
      const failure = isStored ? run.failureOf(String(event.event_id)) : undefined
      if (failure)
        expect(failure.correlation.celestium_lead_id === null, 'celestium_lead_id of the failure is not null')
      await expectNoCase(run, String(event.entity_id))
    },
  },
  {
    id: 'lead.other-person',
    section: 'D3 §4.1',
    title: 'a lead about another person than the checked one creates no case',
    sends: 'POST /dedupe for one person, then LEAD_SUBMITTED for another with the same dedupe_reference_id',
    expects: 'a refusal or EVENT_PROCESSING_FAILED; Status answers 404, or RECEIVED without partner IDs',
    needs: ['dedupe.answer'],
    async run(run) {
      const reference = run.otherReference()
      const checked = await run.postJson('/dedupe', dedupeRequest(uuidv4(), reference, newPerson()))
      expect(checked.status === 200, `got status ${checked.status} for the check, expected 200`)
      const data = leadOf(newPerson(), String(fieldsOf(checked.json).dedupe_reference_id))
      const raw = Buffer.from(JSON.stringify(run.envelope('LEAD_SUBMITTED', data, { reference, version: 1 })))
      const codes = ['VALIDATION_ERROR', 'INVALID_STATE', 'IDENTITY_CONFLICT']
      await expectFailure(run, raw, { statuses: [400, 403, 409, 422], codes })
      await expectNoCase(run, reference)
    },
  },
  {
    id: 'lead.stored',
    section: 'D3 §4.2',
    title: 'a lead is stored',
    sends: 'LEAD_SUBMITTED of the person who was checked, with two files announced',
    expects: '202 with event_id, receipt_status RECEIVED and received_at',
    needs: ['dedupe.proceed'],
    async run(run) {
      run.event('lead', 'LEAD_SUBMITTED', lead(run))
      await expectStored(run, 'lead')
    },
  },
  {
    id: 'lead.replay',
    section: 'D3 §4.2',
    title: 'a repeated event gets the same receipt',
    sends: 'POST /events with the same bytes and a new signature',
    expects: '200 with the original received_at',
    needs: ['lead.stored'],
    run: (run) => expectReplay(run, 'lead'),
  },
  {
    id: 'lead.conflict',
    section: 'D3 §4.2',
    title: 'different content under the same event_id is a conflict',
    sends: 'POST /events with the event_id of the lead and another occurred_at',
    expects: '409 with the error body of D3 §7',
    needs: ['lead.stored'],
    run: (run) => expectConflict(run, 'lead'),
  },
  {
    id: 'lead.registered',
    section: 'D3 §6',
    title: 'the case is registered',
    sends: 'nothing more; waits for LEAD_REGISTERED',
    expects: 'LEAD_REGISTERED with both partner IDs, the loan ID numeric, and the announced files pending',
    needs: ['lead.stored'],
    async run(run) {
      const { eventId: causedBy } = run.sentAs('lead')
      const { data, correlation } = await run.awaitEvent({ type: 'LEAD_REGISTERED', causedBy })
      const { celestium_lead_id: leadId, celestium_loan_id: loanId } = correlation
      expect(typeof leadId === 'string' && typeof loanId === 'string', 'correlation lacks one of the partner IDs')
      expect(/^\d+$/.test(loanId), 'celestium_loan_id is not a numeric string')
      run.remember({ leadId, loanId })
      expect(data.status === 'DOCUMENTS_PENDING', `status is ${data.status}, not DOCUMENTS_PENDING`)
      const pending = Array.isArray(data.documents_pending) ? data.documents_pending.toSorted() : []
      const expected = Object.values(manifest).map(({ document_reference_id }) => document_reference_id)
      expect(pending.join() === expected.join(), `documents_pending is ${pending.join()}, not ${expected.join()}`)
    },
  },
  {
    id: 'lead.retried',
    section: 'D3 §8',
    title: 'an event is retried after 503',
    sends: '503 to the first attempt of LEAD_REGISTERED',
    expects: 'a retry of the same bytes, signed with its own time',
    needs: ['lead.registered'],
    run: async (run) => expectRetried(run, 'LEAD_REGISTERED', 503),
  },
  {
    id: 'lead.once',
    section: 'D3 §3',
    title: 'a second lead creates no second case',
    sends: 'LEAD_SUBMITTED of the same case under another event_id',
    expects: 'EVENT_PROCESSING_FAILED or a refusal; Status has the same partner IDs',
    needs: ['lead.registered'],
    async run(run) {
      const raw = run.event('second lead', 'LEAD_SUBMITTED', lead(run))
      await expectStepToFail(run, 'second lead', raw, ['IDENTITY_CONFLICT', 'INVALID_STATE', 'VALIDATION_ERROR'])
      const all = run.received('LEAD_REGISTERED').filter(({ arrival }) => arrival.entity.endsWith(run.memory.caseRef))
      expect(all.length === 1, `got ${all.length} events LEAD_REGISTERED for one case`)
      await run.status()
    },
  },
  {
    id: 'status.registered',
    section: 'D3 §4.4',
    title: 'Status shows a registered case',
    sends: 'GET /status',
    expects: 'DOCUMENTS_PENDING with both files pending, nothing stored, no offer, no loan, no check begun',
    needs: ['lead.registered'],
    async run(run) {
      const { case_status, loan_status, documents, offer, checks: all } = await run.status()
      if (run.memory.passed['documents.stored']) return
      expect(case_status === 'DOCUMENTS_PENDING', `case_status is ${case_status}`)
      expect(documents.pending.length === 2 && documents.stored.length === 0, 'documents are not the announced ones')
      expect(offer === null && loan_status === 'NOT_CREATED', 'there is an offer or a loan before any review')
      expect(all.kyc === 'NOT_STARTED' && all.esign === 'NOT_STARTED', 'a check has begun before any event about it')
    },
  },
])
