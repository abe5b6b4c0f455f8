// Schemas of the published OpenAPI document: the programs' own schemas with examples, and one schema per event.

import { Type } from '@lendloom/foundation/schema'
import { sentenceOf } from '@lendloom/foundation/text'
import { DedupeReply, DedupeRequest } from './dedupe.ts'
import { DocumentForm, DocumentReply } from './document.ts'
import { Correlation, EnvelopeHead } from './envelope.ts'
import { ErrorBody, refusedExchange } from './error.ts'
import { catalogue, type EventType, eventTypes, type Side } from './event-catalogue.ts'
import { EventReceipt, receiptOf } from './event-receipt.ts'
import {
  exampleDedupeReply,
  exampleDedupeRequest,
  exampleDocumentForm,
  exampleDocumentReply,
  exampleStatus,
} from './example/answer.ts'
import { exampleEvent } from './example/event.ts'
import { Id, LoanId } from './fields.ts'
import { dedupeRules, errorRules, eventRules, statusRules } from './openapi-texts.ts'
import { SnapshotStatus } from './snapshot.ts'

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Names the schema: `LEAD_SUBMITTED` becomes `LeadSubmittedEvent`. */
const eventName = (type: string): string =>
  `${type.toLowerCase().replace(/(?:^|_)(\w)/g, (_, character: string) => character.toUpperCase())}Event`

/** Uses the validation message as the field's description. */
export const withDescriptions = <T>(schemas: T): T =>
  JSON.parse(JSON.stringify(schemas), (_, inner) => {
    if (typeof inner?.['x-says'] !== 'string') return inner
    const { 'x-says': says, ...schema } = inner
    return { description: sentenceOf(says), ...schema }
  })

export function schemas(): Record<string, object> {
  const { event_id } = exampleEvent('LEAD_SUBMITTED')
  return {
    PlatformEvent: eventsOf('platform'),
    PartnerEvent: eventsOf('partner'),
    ...Object.fromEntries(eventTypes.map((type) => [eventName(type), eventSchema(type)])),
    Receipt: {
      ...EventReceipt,
      description: 'D3 §2.2. Confirms only that the event was stored. received_at is the time of the first receipt.',
      examples: [receiptOf(event_id, { seen: 'first', receivedAt: new Date('2026-11-20T10:00:00Z') }).body],
    },
    DedupeRequest: { ...DedupeRequest, examples: [exampleDedupeRequest()] },
    DedupeReply: { ...DedupeReply, description: dedupeRules, examples: [exampleDedupeReply()] },
    DocumentForm: {
      ...DocumentForm,
      properties: { ...DocumentForm.properties, file: { contentMediaType: 'application/octet-stream' } },
      required: [...DocumentForm.required, 'file'],
      examples: [{ ...exampleDocumentForm(), file: '(the bytes of the file)' }],
    },
    DocumentReply: { ...DocumentReply, examples: [exampleDocumentReply()] },
    Status: { ...SnapshotStatus, description: statusRules, examples: [exampleStatus()] },
    Error: {
      ...ErrorBody,
      description: errorRules,
      examples: [refusedExchange('bug', { headers: { 'idempotency-key': event_id } }).body],
    },
  }
}

const eventTypesOf = (side: Side): EventType[] =>
  eventTypes.filter((type) => [side, 'either'].includes(catalogue[type].sender))

function eventsOf(side: Side): object {
  const mapping = Object.fromEntries(eventTypesOf(side).map((type) => [type, ref(eventName(type)).$ref]))
  return {
    description: `Events that the ${side} sends.`,
    oneOf: eventTypesOf(side).map((type) => ref(eventName(type))),
    discriminator: { propertyName: 'event_type', mapping },
  }
}

const registered = Type.Object({ ...Correlation.properties, celestium_lead_id: Id, celestium_loan_id: LoanId })
const unregistered = Type.Object({
  ...Correlation.properties,
  celestium_lead_id: Type.Null(),
  celestium_loan_id: Type.Null(),
})
const correlations: { [T in EventType]?: object } = {
  LEAD_SUBMITTED: unregistered,
  EVENT_PROCESSING_FAILED: Correlation,
}

function eventSchema(type: EventType): object {
  const { summary: says, sender, entity, data } = catalogue[type]
  const properties = {
    ...EnvelopeHead.properties,
    event_type: { const: type },
    entity_type: { const: entity },
    correlation: correlations[type] ?? registered,
    data,
  }
  const sentBySide = sender === 'either' ? 'by either side' : `by the ${sender}`
  return {
    ...EnvelopeHead,
    properties,
    description: `${says}. Sent ${sentBySide}. ${eventRules[type]}`,
    examples: [exampleEvent(type)],
  }
}
