// The exchange as one OpenAPI 3.1 document: the partner's four interfaces, and the platform's as its webhook (D3 §1, §4).
import type { TSchema } from '#kit/schema.ts'
import { catalogue, eventTypes } from './catalogue.ts'
import { DedupeReply, DedupeRequest } from './dedupe.ts'
import { DocumentForm, DocumentReply, documentTypes } from './document.ts'
import { EnvelopeHead } from './envelope.ts'
import { ErrorBody } from './error.ts'
import { Receipt } from './receipt.ts'
import { Status, StatusQuery } from './status.ts'

/** Where the platform receives; the spelling is fixed. */
export const platformReceiverPath = '/api/partner/webhook'

export function exchangeApi({ partnerUrl }: { partnerUrl: string }): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lending partner exchange',
      version: '2.0',
      description:
        'What a platform and a lending partner say to each other of one application: dedupe, status, documents and ' +
        'events at the partner, and one receiver of the partner’s events at the platform. Keys that are not listed are ' +
        'additions and may be ignored. Money is in rupees with exactly two decimals; dates are days in Asia/Kolkata.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: partnerUrl }],
    paths: {
      '/dedupe': { post: dedupe },
      '/documents': { post: documents },
      '/events': { post: events },
      '/status': { get: status },
    },
    webhooks: { partnerEvent: { post: partnerEvent } },
    components: { schemas: schemas(), securitySchemes },
  }
}

const securitySchemes = {
  partnerBearer: { type: 'http', scheme: 'bearer', description: 'What the partner gave the platform.' },
  platformBearer: { type: 'http', scheme: 'bearer', description: 'What the platform gave the partner.' },
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const answer = (description: string, schema: object) => ({ description, ...json(schema) })

/** `LEAD_SUBMITTED` is `LeadSubmittedEvent`. */
const eventName = (type: string): string =>
  `${type.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

function schemas(): Record<string, object> {
  const names = Object.fromEntries(eventTypes.map((type) => [type, ref(eventName(type)).$ref]))
  const eventsByName = eventTypes.map((type) => {
    const { says, sender, entity, data } = catalogue[type]
    const sent = sender === 'either' ? 'by either side' : `by the ${sender}`
    const properties = {
      ...EnvelopeHead.properties,
      event_type: { const: type },
      entity_type: { const: entity },
      data,
    }
    return [eventName(type), { ...EnvelopeHead, properties, description: `${says}. Sent ${sent}.` }]
  })
  return {
    Event: {
      oneOf: eventTypes.map((type) => ref(eventName(type))),
      discriminator: { propertyName: 'event_type', mapping: names },
    },
    ...Object.fromEntries(eventsByName),
    Receipt,
    DedupeRequest,
    DedupeReply,
    DocumentReply,
    Status,
    Error: ErrorBody,
  }
}

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})
const uuid = { type: 'string', format: 'uuid' }
const sameAs = (field: string) => header('Idempotency-Key', `The ${field} of the body; the same on every retry.`, uuid)
const signature = [
  header('X-Key-Id', 'Names the signing secret.', { type: 'string' }),
  header('X-Sent-At', 'Unix seconds of this try, at most 300 away.', { type: 'string', pattern: '^\\d{1,12}$' }),
  header('X-Signature', 'HMAC-SHA256 over X-Sent-At, a newline and the raw bytes.', {
    type: 'string',
    pattern: '^sha256=[0-9a-f]{64}$',
  }),
]

const refusals: Record<string, string> = {
  400: 'Not readable',
  401: 'No credential, or a signature that is not right',
  403: 'Not within the scope of this credential',
  404: 'Unknown reference',
  409: 'The key was used with other content, or the case is not in the state for it',
  413: 'Too large',
  415: 'Content of this kind is not supported',
  422: 'A field is wrong; each is named',
  429: 'Try again with the same key after Retry-After',
  default: 'Try again with the same key and increasing delays',
}
const refused = (...statuses: number[]) =>
  Object.fromEntries([...statuses, 'default'].map((at) => [at, answer(refusals[at]!, ref('Error'))]))

const dedupe = {
  operationId: 'dedupe',
  summary: 'Check existing records before an offer',
  description:
    'D3 §4.1. A business decline is 200; the same request gives the saved check; a fresh one needs a new request_id.',
  tags: ['partner'],
  security: [{ partnerBearer: [] }],
  parameters: [sameAs('request_id')],
  requestBody: { required: true, ...json(ref('DedupeRequest')) },
  responses: { 200: answer('The check', ref('DedupeReply')), ...refused(400, 401, 403, 409, 413, 415, 422, 429) },
}

const status = {
  operationId: 'status',
  summary: 'One consistent snapshot of a case',
  description: 'D3 §4.4. Every section is of the same snapshot_version; nothing missing is shown as zero.',
  tags: ['partner'],
  security: [{ partnerBearer: [] }],
  parameters: [
    header('X-Request-Id', 'Names this read.', uuid),
    {
      name: 'external_reference_id',
      in: 'query',
      required: true,
      schema: StatusQuery.properties.external_reference_id as TSchema,
    },
  ],
  responses: { 200: answer('The snapshot', ref('Status')), ...refused(401, 403, 404, 422, 429) },
}

const limits = Object.entries(documentTypes)
  .map(([type, { contentTypes, maxBytes }]) => `${type}: ${contentTypes.join(', ')}, ${maxBytes / 2 ** 20} MiB`)
  .join('; ')

const documents = {
  operationId: 'uploadDocument',
  summary: 'Store one file privately',
  description: `D3 §4.3. STORED is said after validation and durable storage. ${limits}.`,
  tags: ['partner'],
  security: [{ partnerBearer: [] }],
  parameters: [sameAs('request_id')],
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          ...DocumentForm,
          properties: { ...DocumentForm.properties, file: { contentMediaType: 'application/octet-stream' } },
          required: [...DocumentForm.required, 'file'],
        },
        encoding: {
          file: {
            contentType: [...new Set(Object.values(documentTypes).flatMap((rule) => [...rule.contentTypes]))].join(
              ', ',
            ),
          },
        },
      },
    },
  },
  responses: {
    201: answer('Stored', ref('DocumentReply')),
    200: answer('Stored before, by the same request', ref('DocumentReply')),
    ...refused(400, 401, 403, 404, 409, 413, 415, 422, 429),
  },
}

const receiver = {
  requestBody: { required: true, ...json(ref('Event')) },
  responses: {
    202: answer('Stored, and nothing more', ref('Receipt')),
    200: answer('Stored before; the original time', ref('Receipt')),
    ...refused(400, 401, 403, 404, 409, 413, 415, 422, 429),
  },
}

const events = {
  operationId: 'platformEvent',
  summary: 'Receive leads and all journey events of the platform',
  description: `D3 §4.2. ${sentBy('platform')}`,
  tags: ['partner'],
  security: [{ partnerBearer: [] }],
  parameters: [sameAs('event_id'), ...signature],
  ...receiver,
}

const partnerEvent = {
  operationId: 'partnerEvent',
  summary: 'Receive all decisions and loan events of the partner',
  description: `D3 §4.2. At \`${platformReceiverPath}\` of the platform. ${sentBy('partner')}`,
  tags: ['platform'],
  security: [{ platformBearer: [] }],
  parameters: [sameAs('event_id'), ...signature],
  ...receiver,
}

function sentBy(side: string): string {
  const types = eventTypes.filter((type) => [side, 'either'].includes(catalogue[type].sender))
  return `Types: ${types.join(', ')}. A 2xx says that the event was stored; it is never a business result.`
}
