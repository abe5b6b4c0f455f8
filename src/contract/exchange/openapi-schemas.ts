// The schemas of the published document: what the programs check with, an example of each, and one schema for each event.
import { Type } from '#kit/http/schema.ts'
import { catalogue, type EventType, eventTypes, type Side } from './catalogue.ts'
import { DedupeReply, DedupeRequest } from './dedupe.ts'
import { DocumentForm, DocumentReply } from './document.ts'
import { Correlation, EnvelopeHead, EventReceipt, receiptOf } from './envelope.ts'
import { ErrorBody, refusedExchange } from './error.ts'
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

/** `LEAD_SUBMITTED` is `LeadSubmittedEvent`. */
const eventName = (type: string): string =>
  `${type.toLowerCase().replace(/(?:^|_)(\w)/g, (_, character: string) => character.toUpperCase())}Event`

/** Uses the validation message as the field's description. */
export const described = <T>(schemas: T): T =>
  JSON.parse(JSON.stringify(schemas), (_, inner) => {
    if (typeof inner?.['x-says'] !== 'string') return inner
    const { 'x-says': says, ...schema } = inner
    return { description: `${says[0].toUpperCase()}${says.slice(1)}.`, ...schema }
  })

export function schemas(): Record<string, object> {
  const { event_id } = exampleEvent('LEAD_SUBMITTED')
  return {
    PlatformEvent: eventsOf('platform'),
    PartnerEvent: eventsOf('partner'),
    ...Object.fromEntries(eventTypes.map((type) => [eventName(type), eventSchema(type)])),
    Receipt: {
      ...EventReceipt,
      description: 'D3 §2.2. The event was stored, and nothing more. received_at is that of the first time.',
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

const sentBy = (side: Side): EventType[] =>
  eventTypes.filter((type) => [side, 'either'].includes(catalogue[type].sender))

function eventsOf(side: Side): object {
  const mapping = Object.fromEntries(sentBy(side).map((type) => [type, ref(eventName(type)).$ref]))
  return {
    description: `What the ${side} sends.`,
    oneOf: sentBy(side).map((type) => ref(eventName(type))),
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
  const { says, sender, entity, data } = catalogue[type]
  const properties = {
    ...EnvelopeHead.properties,
    event_type: { const: type },
    entity_type: { const: entity },
    correlation: correlations[type] ?? registered,
    data,
  }
  const by = sender === 'either' ? 'by either side' : `by the ${sender}`
  return {
    ...EnvelopeHead,
    properties,
    description: `${says}. Sent ${by}. ${eventRules[type]}`,
    examples: [exampleEvent(type)],
  }
}
