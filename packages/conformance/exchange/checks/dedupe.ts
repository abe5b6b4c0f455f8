// The check of existing records before an offer (D3 §4.1), and Status of an unknown case (D3 §4.4).
import { isDeepStrictEqual } from 'node:util'
import { fieldsOf } from '@lendloom/foundation/record'
import { uuidv4 } from '@lendloom/seal/id'
import { dedupeReplyFaults } from '@lendloom/wire/exchange/dedupe'
import { checks, expect, Skip } from '#conformance/exchange/check.ts'
import { expectRefusal } from '#conformance/exchange/refusal-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { newPerson } from '#conformance/exchange/run-memory.ts'
import type { HttpAnswer } from '#conformance/exchange/send-request.ts'
import { dedupeRequest } from '#conformance/exchange/test-borrower.ts'

function requestOf(run: Run, requestId: string) {
  return dedupeRequest(requestId, run.memory.caseRef, run.memory.person)
}
function firstRequest(run: Run) {
  if (run.memory.found.dedupeRequestId === undefined) run.remember({ dedupeRequestId: uuidv4() })
  return requestOf(run, run.found('dedupeRequestId'))
}

function expectReply(answer: HttpAnswer, request: ReturnType<typeof requestOf>): Record<string, unknown> {
  expect(answer.status === 200, `got status ${answer.status}, expected 200`)
  const faults = dedupeReplyFaults(answer.json, request)
  expect(faults.length === 0, faults.map(({ path, message }) => `${path || 'body'} ${message}`).join('; '))
  return fieldsOf(answer.json)
}

export const dedupe = checks([
  {
    id: 'dedupe.answer',
    section: 'D3 §4.1',
    title: 'an unknown person is checked',
    sends: 'POST /dedupe with an unknown person',
    expects: '200 with every key; AMBIGUOUS only with REVIEW_REQUIRED; the IDs of the request',
    async run(run) {
      const request = firstRequest(run)
      const answer = await run.postJson('/dedupe', request)
      const { decision, dedupe_reference_id } = expectReply(answer, request)
      run.remember({
        dedupeReference: String(dedupe_reference_id),
        dedupeDecision: String(decision),
        dedupeAnswer: answer.text,
      })
    },
  },
  {
    id: 'dedupe.replay',
    section: 'D3 §4.1',
    title: 'a repeated request gets the saved response',
    sends: 'POST /dedupe with the same request_id and content',
    expects: '200 with the same body, including checked_at and dedupe_reference_id',
    needs: ['dedupe.answer'],
    async run(run) {
      const answer = await run.postJson('/dedupe', firstRequest(run))
      expect(answer.status === 200, `got status ${answer.status}, expected 200`)
      const before = JSON.parse(run.found('dedupeAnswer'))
      expect(isDeepStrictEqual(answer.json, before), 'the body differs from the first response')
    },
  },
  {
    id: 'dedupe.conflict',
    section: 'D3 §4.1',
    title: 'another person under the same request_id is a conflict',
    sends: 'POST /dedupe with the same request_id and another PAN',
    expects: '409 with the error body of D3 §7',
    needs: ['dedupe.answer'],
    async run(run) {
      const request = firstRequest(run)
      const { pan } = newPerson()
      const other = { ...request, applicant: { ...request.applicant, pan } }
      expectRefusal(await run.postJson('/dedupe', other), [409], { id: request.request_id })
    },
  },
  {
    id: 'dedupe.fresh',
    section: 'D3 §4.1',
    title: 'a new request_id starts a new check',
    sends: 'POST /dedupe for the same person with a new request_id',
    expects: '200 with a different dedupe_reference_id',
    needs: ['dedupe.answer'],
    async run(run) {
      const request = requestOf(run, uuidv4())
      const reply = expectReply(await run.postJson('/dedupe', request), request)
      expect(
        reply.dedupe_reference_id !== run.found('dedupeReference'),
        'dedupe_reference_id is the same as in the first check',
      )
    },
  },
  {
    id: 'dedupe.invalid',
    section: 'D3 §7',
    title: 'a person without a valid PAN is refused',
    sends: 'POST /dedupe with applicant.pan "NOBODY"',
    expects: '400 or 422 with the error body of D3 §7, which names applicant.pan',
    async run(run) {
      const request = requestOf(run, uuidv4())
      const wrong = { ...request, applicant: { ...request.applicant, pan: 'NOBODY' } }
      expectRefusal(await run.postJson('/dedupe', wrong), [400, 422], { id: request.request_id, field: 'pan' })
    },
  },
  {
    id: 'dedupe.product',
    section: 'D3 §1',
    title: 'another product is refused',
    sends: 'POST /dedupe with the product PERSONAL_LOAN',
    expects: '400 or 422 with the error body of D3 §7, which names product',
    async run(run) {
      const request = { ...requestOf(run, uuidv4()), product: 'PERSONAL_LOAN' }
      expectRefusal(await run.postJson('/dedupe', request), [400, 422], { field: 'product' })
    },
  },
  {
    id: 'dedupe.key',
    section: 'D3 §2.1',
    title: 'an Idempotency-Key that is not the request_id is refused',
    sends: 'POST /dedupe with another Idempotency-Key',
    expects: '400, 409 or 422 with the error body of D3 §7',
    async run(run) {
      const answer = await run.postJson('/dedupe', requestOf(run, uuidv4()), { 'idempotency-key': uuidv4() })
      expectRefusal(answer, [400, 409, 422])
    },
  },
  {
    id: 'dedupe.proceed',
    section: 'D3 §1.1',
    title: 'the decision permits a lead',
    sends: 'nothing more',
    expects: 'decision PROCEED, which a lead requires',
    needs: ['dedupe.answer'],
    async run(run) {
      const decision = run.found('dedupeDecision')
      if (decision !== 'PROCEED')
        throw new Skip(`the partner decided ${decision} for an unknown person, but later checks need PROCEED`)
    },
  },
  {
    id: 'status.unknown',
    section: 'D3 §4.4',
    title: 'an unknown reference gets 404 and creates no case',
    sends: 'GET /status twice, with a reference that was never sent',
    expects: '404 with the error body of D3 §7, both times',
    async run(run) {
      const reference = run.otherReference()
      const id = uuidv4()
      expectRefusal(await run.getStatus(reference, id), [404], { id })
      expectRefusal(await run.getStatus(reference, uuidv4()), [404])
    },
  },
  {
    id: 'status.request-id',
    section: 'D3 §2.1',
    title: 'a read without X-Request-Id is refused',
    sends: 'GET /status without X-Request-Id',
    expects: '400 or 422 with the error body of D3 §7',
    async run(run) {
      expectRefusal(await run.getStatus(run.otherReference(), undefined), [400, 422])
    },
  },
  {
    id: 'status.reference',
    section: 'D3 §4.4',
    title: 'a read without a reference is refused',
    sends: 'GET /status without external_reference_id',
    expects: '400 or 422 with the error body of D3 §7',
    async run(run) {
      expectRefusal(await run.request('GET', '/status', { 'x-request-id': uuidv4() }), [400, 422])
    },
  },
])
