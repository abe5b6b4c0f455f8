// Tests that partner and platform refuse invalid requests of an independent counterpart with errors from the published document.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { samplePdf } from './files.ts'
import {
  type HttpAnswer,
  type Json,
  type Onboarding,
  type OutgoingRequest,
  type PublishedDocument,
  sendRequest,
} from './independent.ts'
import { IndependentCase, type IndependentPlatform } from './independent-platform.ts'

export interface IndependentParties {
  partnerDocument: PublishedDocument
  platformDocument: PublishedDocument
  strangePlatform: IndependentPlatform
  /** Credentials of the lending partner. */
  lender: Onboarding
}

export function assertRefused(answer: HttpAnswer, status: number, code: string, requestId?: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  assert.equal(answer.body.error.code, code, JSON.stringify(answer.body))
  assert.equal(typeof answer.body.error.retryable, 'boolean')
  if (requestId) assert.equal(answer.body.request_id, requestId)
}

interface Side {
  document: PublishedDocument
  operationId: string
  me: Onboarding
  /** An event of a type that the counterpart may send, about an unknown case. */
  event(): Json
  /** An event type that only the other side sends. */
  otherSideType: string
}
/** Declares the tests against two running programs. */
export function testRefusals({ partnerDocument, platformDocument, strangePlatform, lender }: IndependentParties): void {
  const sides: Record<string, Side> = {
    partner: {
      document: partnerDocument,
      operationId: 'platformEvent',
      me: strangePlatform.me,
      event: () => new IndependentCase(partnerDocument, strangePlatform).event('LEAD_SUBMITTED'),
      otherSideType: 'LEAD_REGISTERED',
    },
    platform: {
      document: platformDocument,
      operationId: 'partnerEvent',
      me: lender,
      event: () => ({
        ...platformDocument.example('LEAD_REGISTERED', new Date()),
        event_id: randomUUID(),
        sender: lender.sender,
      }),
      otherSideType: 'LEAD_SUBMITTED',
    },
  }

  for (const [name, { document, operationId, me, event, otherSideType }] of Object.entries(sides))
    describe(`refusals of the ${name}`, () => {
      const post = (request: OutgoingRequest, as = me) => sendRequest(document, operationId, as, request)
      const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000)

      test('D3 §5: rejects a signature over other bytes, by another secret or key, or from another time', async () => {
        const body = event()
        const invalidRequests: [string, Promise<HttpAnswer>][] = [
          ['other bytes', post({ body, change: { 'X-Signature': `sha256=${'0'.repeat(64)}` } })],
          ['another secret', post({ body }, { ...me, secret: 'not the one of this key' })],
          ['an unknown key', post({ body }, { ...me, keyId: 'nobodys' })],
          ['too long ago', post({ body, sentAt: secondsAgo(310) })],
          ['too far ahead', post({ body, sentAt: secondsAgo(-310) })],
          ['no signature', post({ body, change: { 'X-Signature': null } })],
          ['no bearer', post({ body, change: { authorization: null } })],
          ['another bearer', post({ body }, { ...me, bearer: 'somebody-elses-bearer' })],
        ]
        for (const [why, answer] of invalidRequests) {
          const received = await answer
          assertRefused(received, 401, 'UNAUTHORIZED', body.event_id)
          assert.equal(received.headers.get('www-authenticate'), 'Bearer', why)
        }
      })

      test('D3 §5: rejects another sender and event types of the other side', async () => {
        assertRefused(await post({ body: { ...event(), sender: 'SOMEBODY' } }), 403, 'FORBIDDEN')
        const body = { ...document.example(otherSideType, new Date()), event_id: randomUUID(), sender: me.sender }
        assertRefused(await post({ body }), 403, 'FORBIDDEN', body.event_id)
      })

      test('D3 §7, §9: rejects an unknown version or type, and names every invalid field', async () => {
        const fields = async (change: object) => {
          const answer = await post({ body: { ...event(), ...change } })
          assertRefused(answer, 422, 'VALIDATION_ERROR')
          return answer.body.error.fields.map(({ path }: Json) => path)
        }
        assert.deepEqual(await fields({ event_version: '3.0' }), ['event_version'])
        assert.deepEqual(await fields({ event_type: 'LEAD_DREAMT' }), ['event_type'])
        assert.deepEqual((await fields({ occurred_at: 'today', entity_version: 0 })).toSorted(), [
          'entity_version',
          'occurred_at',
        ])
      })

      test('D3 §7, §8: rejects malformed JSON, other content types and large bodies', async () => {
        assertRefused(await post({ body: Buffer.from('{"event_id":') }), 400, 'VALIDATION_ERROR')
        assertRefused(await post({ body: event(), change: { 'content-type': 'text/plain' } }), 415, 'UNSUPPORTED_MEDIA')
        assertRefused(await post({ body: Buffer.alloc(2 * 1024 * 1024 + 1, 0x20) }), 413, 'TOO_LARGE')
        assertRefused(await post({ method: 'DELETE' }), 405, 'NOT_FOUND')
      })
    })

  test('D3 §4.4, §7: both sides answer 404 for an unknown case', async () => {
    const query = { external_reference_id: 'NOBODYS' }
    assertRefused(await sendRequest(partnerDocument, 'status', strangePlatform.me, { query }), 404, 'NOT_FOUND')
    const { event, me } = sides.platform!
    assertRefused(await sendRequest(platformDocument, 'partnerEvent', me, { body: event() }), 404, 'NOT_FOUND')
  })

  test('D3 §2.1, §7: dedupe, status and upload reject invalid requests and name every invalid field', async () => {
    const { me } = strangePlatform
    const paths = ({ body }: HttpAnswer) => body.error.fields.map(({ path }: Json) => path).toSorted()
    const request = { ...partnerDocument.example('DedupeRequest', new Date()), request_id: randomUUID() }
    const invalidRequest = {
      ...request,
      product: 'GOLD_LOAN',
      applicant: { ...request.applicant, pan: 'nobody', mobile: '12' },
    }
    const dedupe = (request: OutgoingRequest) => sendRequest(partnerDocument, 'dedupe', me, request)
    const first = await dedupe({ body: invalidRequest })
    assertRefused(first, 422, 'VALIDATION_ERROR', request.request_id)
    assert.deepEqual(paths(first), ['applicant.mobile', 'applicant.pan', 'product'])
    const withAadhaar = await dedupe({ body: { ...request, added: { note: 'Aadhaar 234567890124' } } })
    assert.equal(withAadhaar.status, 422)
    assert.deepEqual(paths(withAadhaar), ['added.note'])
    const withoutKey = await dedupe({ body: request, change: { 'Idempotency-Key': null } })
    assert.equal(withoutKey.status, 422)
    assert.deepEqual(paths(withoutKey), ['Idempotency-Key'])
    assertRefused(await dedupe({ body: request, change: { authorization: 'Bearer of-nobody' } }), 401, 'UNAUTHORIZED')

    const query = { external_reference_id: 'NOBODYS' }
    const withoutRequestId = await sendRequest(partnerDocument, 'status', me, {
      query,
      change: { 'X-Request-Id': null },
    })
    assert.equal(withoutRequestId.status, 422)
    assert.deepEqual(paths(withoutRequestId), ['X-Request-Id'])
    const empty = await sendRequest(partnerDocument, 'status', me, {})
    assert.equal(empty.status, 422)
    assert.deepEqual(paths(empty), ['external_reference_id'])

    const { file: _, ...form } = partnerDocument.example('DocumentForm', new Date())
    const upload = (change: object, file?: OutgoingRequest['file']) =>
      sendRequest(partnerDocument, 'uploadDocument', me, {
        form: { ...form, request_id: randomUUID(), ...change },
        file,
      })
    const pdf = { name: 'a.pdf', type: 'application/pdf', bytes: await samplePdf('a') }
    assertRefused(await upload({}, pdf), 404, 'NOT_FOUND')
    const unknownType = await upload({ document_type: 'SELFIE' }, pdf)
    assert.equal(unknownType.status, 422)
    assert.deepEqual(paths(unknownType), ['document_type'])
    const withoutFile = await upload({})
    assert.equal(withoutFile.status, 422)
    assert.deepEqual(paths(withoutFile), ['file'])
  })

  test('D3 §6: enforces the rules between fields that the document describes in words', async () => {
    const lead = new IndependentCase(partnerDocument, strangePlatform).event('LEAD_SUBMITTED')
    const review = { ...platformDocument.example('MANUAL_REVIEW_DECIDED', new Date()), sender: lender.sender }
    const mandate = new IndependentCase(partnerDocument, strangePlatform).event('MANDATE_UPDATED')
    const { data } = lead
    const consents = { ...data.consents, submission: { ...data.consents.submission, accepted: false } }
    const { offer } = review.data
    const violations: [string, Json, object, string][] = [
      ['platformEvent', lead, { consents }, 'data.consents.submission.accepted'],
      ['platformEvent', lead, { bureau: { ...data.bureau, score: null } }, 'data.bureau.score'],
      ['platformEvent', lead, { banking: { ...data.banking, status: 'FAILED' } }, 'data.banking.unavailable_reason'],
      ['platformEvent', mandate, { umrn: null }, 'data.umrn'],
      ['partnerEvent', review, { offer: null }, 'data.offer'],
      ['partnerEvent', review, { decision: 'REJECTED' }, 'data.offer'],
      [
        'partnerEvent',
        review,
        { offer: { ...offer, net_disbursed_amount: '100000.01' } },
        'data.offer.net_disbursed_amount',
      ],
    ]
    for (const [operationId, event, change, path] of violations) {
      const isFromPartner = operationId === 'partnerEvent'
      const [document, me] = isFromPartner ? [platformDocument, lender] : [partnerDocument, strangePlatform.me]
      const correlation = {
        ...event.correlation,
        ...(event === mandate && { celestium_lead_id: '1', celestium_loan_id: '1' }),
      }
      const body = { ...event, event_id: randomUUID(), correlation, data: { ...event.data, ...change } }
      document.assertRequestBody(operationId, body)
      const answer = await sendRequest(document, operationId, me, { body })
      assertRefused(answer, 422, 'VALIDATION_ERROR', body.event_id)
      assert.deepEqual(
        answer.body.error.fields.map((each: Json) => each.path),
        [path],
      )
    }
  })
}
