// The envelope: complete events pass; a missing, null or mistyped field is refused by its path.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { leafPaths, pathsOf, valueAt, withChange } from '@lendloom/tests/setup/exchange-change'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { exampleData, exampleEvent, exampleIds, senders } from '#wire/exchange/example/event.ts'
import {
  type EventType,
  entityOf,
  envelopeFaults,
  envelopeOf,
  eventTypes,
  foreignIdentifier,
  readEnvelope,
  requireSender,
  senderOf,
} from './envelope.ts'

/** Copied from D3 §2 and §6, independently of the schemas. */
const nullable: Partial<Record<EventType, string[]>> = {
  LEAD_SUBMITTED: [
    'correlation.celestium_lead_id',
    'correlation.celestium_loan_id',
    'data.borrower.middle_name',
    'data.borrower.email',
    'data.borrower.monthly_income',
    'data.borrower.residential_address.line2',
    ...['pan', 'gstin', 'udyam_number', 'annual_turnover', 'address.line2'].map((key) => `data.business.${key}`),
    ...[
      'analysis_reference_id',
      'analyzed_at',
      'period_from',
      'period_to',
      'report_data',
      'unavailable_reason',
      'account',
    ].map((key) => `data.banking.${key}`),
    ...['report_reference_id', 'pulled_at', 'score', 'report_data', 'unavailable_reason'].map(
      (key) => `data.bureau.${key}`,
    ),
  ],
  MANUAL_REVIEW_DECIDED: ['data.reason_code', 'data.reason_message', 'data.offer'],
  OFFER_DECISION_RECORDED: ['data.reason'],
  KYC_UPDATED: ['data.provider_event_id', 'data.reason_code'],
  KYC_REVIEW_DECIDED: ['data.reason_message'],
  MANDATE_UPDATED: ['umrn', 'maximum_amount', 'frequency', 'valid_from', 'valid_until', 'reason_code'].map(
    (key) => `data.${key}`,
  ),
  ESIGN_UPDATED: ['data.provider_event_id', 'data.reason_code'],
  DISBURSEMENT_UPDATED: ['data.bank_reference', 'data.reason_code'],
  PAYMENT_UPDATED: [
    'claim_reference',
    'collection_id',
    'mandate_reference',
    'bank_reference',
    'provider_reference',
    'value_date',
    'reason_code',
    'reversal_of_payment_id',
  ].map((key) => `data.${key}`),
}
const faultPaths = (event: unknown): string[] => envelopeFaults(event).map(({ path }) => path)
/** Whether the path is inside a provider's own report, in which no field is required. */
const isNative = (path: string): boolean => path.includes('report_data.')
const isAnyObject = (path: string): boolean => path.endsWith('report_data')
const paths = (type: EventType) => pathsOf(exampleEvent(type)).filter((path) => !isNative(path))

test('D3 §6: an event of each of the fourteen types is accepted', () => {
  assert.equal(eventTypes.length, 14)
  for (const type of eventTypes) {
    const event = exampleEvent(type)
    assert.equal(readEnvelope(event), event, type)
  }
})

for (const type of eventTypes) {
  test(`D3 §2.1: ${type}: every key of the example is required`, () => {
    for (const path of paths(type)) {
      if (/\.\d+$/.test(path)) continue
      const found = envelopeFaults(withChange(exampleEvent(type), path, undefined)).find((fault) => fault.path === path)
      assert.ok(found, `${path} may be missing`)
      if (path !== 'event_type') assert.match(found.message, /is required/, path)
    }
  })

  test(`D3 §2.1: ${type}: null is accepted only where it is allowed`, () => {
    for (const path of paths(type)) {
      const event = withChange(exampleEvent(type), path, null)
      // A nullable field may still be rejected by a rule about another field, whose message says "required".
      const shape = envelopeFaults(event).filter(
        ({ path: fieldPath, message }) => fieldPath === path && !/required/.test(message),
      )
      assert.equal(shape.length === 0, (nullable[type] ?? []).includes(path), path)
    }
  })

  test(`D3 §2.1: ${type}: a value of another type is refused at its path`, () => {
    for (const path of leafPaths(exampleEvent(type)).filter((path) => !isNative(path) && !isAnyObject(path)))
      for (const wrong of [{}, [], typeof valueAt(exampleEvent(type), path) === 'number' ? '1' : 1])
        if (!(Array.isArray(wrong) && Array.isArray(valueAt(exampleEvent(type), path))))
          assert.ok(
            faultPaths(withChange(exampleEvent(type), path, wrong)).includes(path),
            `${path} may be ${JSON.stringify(wrong)}`,
          )
  })
}

test('D3 §9: unknown keys are accepted and preserved at every depth', () => {
  for (const type of eventTypes)
    for (const path of ['', 'correlation', 'data'].map((place) => (place === '' ? 'added' : `${place}.added`))) {
      const event = withChange(exampleEvent(type), path, { deep: [1, 'x', null] })
      assert.equal(readEnvelope(event), event)
    }
})

test('D3 §9: another version or type is refused', () => {
  const [first] = eventTypes
  for (const version of ['1.0', '2', '2.1', 2, null])
    assert.deepEqual(faultPaths(withChange(exampleEvent(first!), 'event_version', version)), ['event_version'])
  for (const type of ['LOAN_FORECLOSED', 'lead_submitted', '', 'constructor', '__proto__', 'toString'])
    assert.deepEqual(faultPaths(withChange(exampleEvent(first!), 'event_type', type)), ['event_type'], type)
})

test('D3 §7: all invalid fields are reported at once, by path', () => {
  let event: unknown = exampleEvent('LEAD_SUBMITTED')
  const wrong = [
    'event_id',
    'data.borrower.pan',
    'data.business.gstin',
    'data.consents.bureau.at',
    'data.documents_expected.1.document_type',
  ]
  for (const path of wrong) event = withChange(event, path, 'x')
  assert.throws(
    () => readEnvelope(event),
    (error: Refusal) => {
      assert.equal(error.kind, 'invalid')
      assert.deepEqual(error.details.fields!.map(({ path }) => path).toSorted(), wrong.toSorted())
      return true
    },
  )
})

test('D3 §6: payment events are about a payment, all others about the case', () => {
  for (const type of eventTypes) {
    const isPayment = type === 'PAYMENT_UPDATED'
    assert.equal(entityOf(type), isPayment ? 'PAYMENT' : 'CASE')
    const event = exampleEvent(type)
    assert.deepEqual(faultPaths({ ...event, entity_type: isPayment ? 'CASE' : 'PAYMENT' }), ['entity_type'])
    const [wrong, ...others] = envelopeFaults({ ...event, entity_id: 'another' })
    const expectedPath = isPayment ? 'data.payment_id' : 'correlation.external_reference_id'
    assert.deepEqual(wrong, { path: 'entity_id', message: `must be ${expectedPath}` })
    assert.deepEqual(others, [])
  }
})

test('D3 §2.2: the partner IDs are null in LEAD_SUBMITTED, and required afterwards', () => {
  const lead = 'correlation.celestium_lead_id'
  const loan = 'correlation.celestium_loan_id'
  for (const type of eventTypes) {
    const event = exampleEvent(type)
    if (type === 'LEAD_SUBMITTED') {
      assert.deepEqual(faultPaths(withChange(event, lead, '1')), [lead])
      assert.deepEqual(faultPaths(withChange(event, loan, '1')), [loan])
      continue
    }
    assert.deepEqual(faultPaths(withChange(event, lead, null)), [lead])
    assert.deepEqual(faultPaths(withChange(event, loan, null)), [loan])
    const neither = withChange(withChange(event, lead, null), loan, null)
    assert.deepEqual(faultPaths(neither), type === 'EVENT_PROCESSING_FAILED' ? [] : [lead, loan])
  }
})

test('D3 §6: each side sends only its own events, under its own name', () => {
  const isForbidden = (field: string) => (error: unknown) =>
    error instanceof Refusal && error.kind === 'forbidden' && error.details.field === field
  for (const type of eventTypes)
    for (const side of ['platform', 'partner'] as const) {
      const event = exampleEvent(type, { sender: senders[side] })
      const party = { sender: senders[side], side }
      const isAllowed = senderOf(type) === 'either' || senderOf(type) === side
      if (isAllowed) requireSender(event, party)
      else assert.throws(() => requireSender(event, party), isForbidden('event_type'), `${side} ${type}`)
      assert.throws(() => requireSender({ ...event, sender: 'ANOTHER_SENDER' }, party), isForbidden('sender'))
    }
})

test('D3 §5, §6: an unauthorized sender learns nothing about the fields', () => {
  const isForbidden = (error: unknown) => error instanceof Refusal && error.kind === 'forbidden'
  const party = { sender: senders.partner, side: 'partner' } as const
  for (const json of [{ event_type: 'LEAD_SUBMITTED' }, { event_type: 'NONE', sender: senders.platform, data: 1 }])
    assert.throws(() => requireSender(json, party), isForbidden)
  for (const json of [null, 1, 'x', [], {}, { sender: 1, event_type: 'toString' }]) requireSender(json, party)
})

test('D3 §2.2: later events match all three saved IDs', () => {
  const event = exampleEvent('KYC_UPDATED')
  const { caseRef, leadId, loanId } = exampleIds
  assert.equal(foreignIdentifier(event, { caseRef, leadId, loanId }), null)
  assert.equal(foreignIdentifier(event, { caseRef: 'x', leadId, loanId }), 'correlation.external_reference_id')
  assert.equal(foreignIdentifier(event, { caseRef, leadId: null, loanId }), 'correlation.celestium_lead_id')
  assert.equal(foreignIdentifier(event, { caseRef, leadId, loanId: '1' }), 'correlation.celestium_loan_id')
})

test('D3 §2.2: built events pass validation, and invalid ones cannot be built', () => {
  const { caseRef, leadId, loanId } = exampleIds
  const event = exampleEvent('PAYMENT_UPDATED')
  const outgoing = {
    type: 'PAYMENT_UPDATED' as const,
    eventId: event.event_id,
    occurredAt: new Date(event.occurred_at),
    sender: event.sender,
    entityId: event.entity_id,
    entityVersion: 1,
    ids: { caseRef, leadId, loanId },
    data: exampleData('PAYMENT_UPDATED'),
  }
  assert.deepEqual(envelopeOf(outgoing), event)
  assert.throws(
    () => envelopeOf({ ...outgoing, ids: { caseRef, leadId: null, loanId: null } }),
    /celestium_lead_id must not be null/,
  )
})

test('property: any JSON gets at most one fault per path', () => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.record({ event_type: fc.constantFrom(...eventTypes), data: fc.jsonValue({ maxDepth: 3 }) }),
    fc
      .tuple(fc.constantFrom(...eventTypes), fc.nat(), fc.jsonValue({ maxDepth: 2 }))
      .map(([type, which, value]) => withChange(exampleEvent(type), paths(type)[which % paths(type).length]!, value)),
  )
  fc.assert(
    fc.property(anything, (json) => {
      const found = envelopeFaults(json)
      if (found.length === 0) assert.equal(readEnvelope(json), json)
      else assert.throws(() => readEnvelope(json), Refusal)
      assert.equal(new Set(found.map(({ path }) => path)).size, found.length)
    }),
    { numRuns: roundsOf(500) },
  )
})
