// The exchange as one OpenAPI 3.1 document: the partner's four interfaces, and the platform's receiver as a webhook (D3 §1, §4).
import type { OpenApiDocument } from '@lendloom/http/openapi-document'
import { documentTypes } from './document.ts'
import { maxEventBytes } from './envelope.ts'
import { ref, schemas, withDescriptions } from './openapi-schemas.ts'
import { about, dedupeRules, documentRules, statusRules } from './openapi-texts.ts'
import { StatusQuery } from './snapshot.ts'

/** The platform's receiver path; its spelling is fixed. */
const platformReceiverPath = '/api/partner/webhook'

/** Display names of the two groups of operations. */
const groupNames = { partner: 'Partner exchange: the lender', platform: 'Partner exchange: the platform' }

/** Each server passes its own address, and the other side's if there is only one. */
export function exchangeApi({
  partnerUrl,
  platformUrl,
}: {
  partnerUrl: string
  platformUrl?: string
}): OpenApiDocument {
  return withDescriptions({
    openapi: '3.1.0',
    info: {
      title: 'Lending partner exchange',
      version: '2.0',
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: partnerUrl, description: 'The base address of the partner.' }],
    tags: [
      { name: groupNames.partner, description: 'Operations of the lender; the platform calls them.' },
      {
        name: groupNames.platform,
        description: `The operation of the platform, at ${platformReceiverPath}; the lender calls it.`,
      },
    ],
    paths: {
      '/dedupe': { post: dedupe },
      '/documents': { post: documents },
      '/events': { post: events },
      '/status': { get: status },
    },
    webhooks: { partnerEvent: { servers: [receiverAt(platformUrl)], post: partnerEvent } },
    components: { schemas: schemas(), securitySchemes },
  })
}

/** The full address, because a webhook in OpenAPI has no path. */
const receiverAt = (platformUrl?: string) =>
  platformUrl === undefined
    ? {
        url: `https://{platform}${platformReceiverPath}`,
        description: 'The full address of the receiver.',
        variables: { platform: { default: 'platform.example', description: 'The host that onboarding names.' } },
      }
    : { url: `${platformUrl}${platformReceiverPath}`, description: 'The full address of the receiver.' }

const securitySchemes = {
  partnerBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The credential that the partner issued to the platform.',
  },
  platformBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The credential that the platform issued to the partner.',
  },
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const answer = (description: string, schema: object, headers?: object) => ({
  description,
  ...(headers && { headers }),
  ...json(schema),
})

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})
const uuid = { type: 'string', format: 'uuid' }
const idempotencyKey = (field: string) =>
  header('Idempotency-Key', `The ${field} of the body; the same on every retry.`, uuid)
const replayHeader = {
  'Idempotent-Replayed': {
    description: '`true` when this is the answer of an earlier request with the same key.',
    schema: { const: 'true' },
  },
}
const retryAfter = {
  'Retry-After': {
    description: 'Minimum number of seconds to wait. If it is missing, increase the delay with every retry.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
}
const signature = [
  header('X-Key-Id', 'Identifies the signing secret.', { type: 'string' }),
  header('X-Sent-At', 'Unix seconds of this try, without a leading zero, at most 300 from the receiver’s clock.', {
    type: 'string',
    pattern: '^(?:0|[1-9]\\d{0,11})$',
  }),
  header(
    'X-Signature',
    'sha256= and the HMAC-SHA256 over X-Sent-At, a newline and the bytes of the body; see “Signing events”.',
    {
      type: 'string',
      pattern: '^sha256=[0-9a-f]{64}$',
    },
  ),
]

const errorDescriptions = {
  400: 'Cannot be parsed',
  401: 'Missing or invalid credential, or invalid signature',
  403: 'Outside the scope of this credential',
  404: 'Unknown reference',
  409: 'The key was used with other content, or the state of the case does not permit the request',
  413: 'Too large',
  415: 'Unsupported content type',
  422: 'A field is invalid; the body names each of them',
  429: 'Retry with the same key after Retry-After',
  default: 'Other errors: 405 for another method; for 5xx, retry with the same key and increasing delays',
}
const errorResponses = (...statuses: (keyof typeof errorDescriptions)[]) =>
  Object.fromEntries(
    [...statuses, 'default' as const].map((at) => [
      at,
      answer(errorDescriptions[at], ref('Error'), at === 429 || at === 'default' ? retryAfter : undefined),
    ]),
  )

const dedupe = {
  operationId: 'dedupe',
  summary: 'Check existing records before an offer',
  description: `Checks, before an offer, whether the lender already has a record of the applicant. ${dedupeRules}`,
  'x-section': 'D3 §4.1',
  tags: [groupNames.partner],
  security: [{ partnerBearer: [] }],
  parameters: [idempotencyKey('request_id')],
  requestBody: { required: true, ...json(ref('DedupeRequest')) },
  responses: {
    200: answer('The result of the check', ref('DedupeReply'), replayHeader),
    ...errorResponses(400, 401, 403, 409, 413, 415, 422, 429),
  },
}

const status = {
  operationId: 'status',
  summary: 'One consistent snapshot of a case',
  description: `Returns the lender’s complete data of a case as of one instant. ${statusRules}`,
  'x-section': 'D3 §4.4',
  tags: [groupNames.partner],
  security: [{ partnerBearer: [] }],
  parameters: [
    header('X-Request-Id', 'Identifies this request.', uuid),
    {
      name: 'external_reference_id',
      in: 'query',
      required: true,
      schema: StatusQuery.properties.external_reference_id,
    },
  ],
  responses: { 200: answer('The snapshot', ref('Status')), ...errorResponses(401, 403, 404, 422, 429) },
}

const documents = {
  operationId: 'uploadDocument',
  summary: 'Store one file privately',
  description: `Sends one file of a case to the lender. ${documentRules}`,
  'x-section': 'D3 §4.3',
  tags: [groupNames.partner],
  security: [{ partnerBearer: [] }],
  parameters: [idempotencyKey('request_id')],
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: ref('DocumentForm'),
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
    200: answer('Already stored by the same request', ref('DocumentReply'), replayHeader),
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 422, 429),
  },
}

const receiver = (event: string) => ({
  parameters: [idempotencyKey('event_id'), ...signature],
  requestBody: { required: true, ...json(ref(event)) },
  responses: {
    202: answer('Stored, not yet applied', ref('Receipt')),
    200: answer('Already stored; received_at is the original time', ref('Receipt')),
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 422, 429),
  },
})

const receiptRules =
  'A 2xx confirms that the event was stored; it is never a business result. A repeated event returns 200 with the original ' +
  `time, other content under the same event_id 409. At most ${maxEventBytes / 2 ** 20} MiB of JSON in UTF-8: send larger reports as files.`

const events = {
  operationId: 'platformEvent',
  summary: 'Receive leads and all journey events of the platform',
  description: `Notifies the lender of events at the platform, from the lead to a payment claim. ${receiptRules}`,
  'x-section': 'D3 §4.2',
  tags: [groupNames.partner],
  security: [{ partnerBearer: [] }],
  ...receiver('PlatformEvent'),
}

const partnerEvent = {
  operationId: 'partnerEvent',
  summary: 'Receive all decisions and loan events of the partner',
  description: `Notifies the platform of the lender’s decisions and loan events, at \`${platformReceiverPath}\` of the platform. ${receiptRules}`,
  'x-section': 'D3 §4.2',
  tags: [groupNames.platform],
  security: [{ platformBearer: [] }],
  ...receiver('PartnerEvent'),
}
