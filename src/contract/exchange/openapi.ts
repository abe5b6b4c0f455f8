// The exchange as one OpenAPI 3.1 document: the partner's four interfaces, and the platform's as its webhook (D3 §1, §4).
import type { OpenApiDocument } from '#kit/http/openapi.ts'
import { documentTypes } from './document.ts'
import { maxEventBytes } from './envelope.ts'
import { described, ref, schemas } from './openapi-schemas.ts'
import { about, dedupeRules, documentRules, statusRules } from './openapi-texts.ts'
import { StatusQuery } from './snapshot.ts'

/** The platform's receiver path; its spelling is fixed. */
const platformReceiverPath = '/api/partner/webhook'

/** The groups of operations, as readers see them. */
const served = { partner: 'Partner exchange: the lender', platform: 'Partner exchange: the platform' }

/** The server fills in its own address, and the other side's if there is only one. */
export function exchangeApi({
  partnerUrl,
  platformUrl,
}: {
  partnerUrl: string
  platformUrl?: string
}): OpenApiDocument {
  return described({
    openapi: '3.1.0',
    info: {
      title: 'Lending partner exchange',
      version: '2.0',
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: partnerUrl, description: 'The partner. Paths are added to it.' }],
    tags: [
      { name: served.partner, description: 'What the lender serves; the platform calls it.' },
      {
        name: served.platform,
        description: `What the platform serves, at ${platformReceiverPath}; the lender calls it.`,
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

/** The whole address: a webhook has no path that could be added. */
const receiverAt = (platformUrl?: string) =>
  platformUrl === undefined
    ? {
        url: `https://{platform}${platformReceiverPath}`,
        description: 'The whole address of the receiver.',
        variables: { platform: { default: 'platform.example', description: 'The host that onboarding names.' } },
      }
    : { url: `${platformUrl}${platformReceiverPath}`, description: 'The whole address of the receiver.' }

const securitySchemes = {
  partnerBearer: { type: 'http', scheme: 'bearer', description: 'What the partner gave the platform.' },
  platformBearer: { type: 'http', scheme: 'bearer', description: 'What the platform gave the partner.' },
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
const sameAs = (field: string) => header('Idempotency-Key', `The ${field} of the body; the same on every retry.`, uuid)
const replayed = {
  'Idempotent-Replayed': {
    description: '`true` when this is the answer of an earlier request with the same key.',
    schema: { const: 'true' },
  },
}
const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait at least; where it is missing, wait ever longer.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
}
const signature = [
  header('X-Key-Id', 'Names the signing secret.', { type: 'string' }),
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

const refusals = {
  400: 'Not readable',
  401: 'No credential, or a signature that is not right',
  403: 'Not within the scope of this credential',
  404: 'Unknown reference',
  409: 'The key was used with other content, or the case is not in the state for it',
  413: 'Too large',
  415: 'Content of this kind is not supported',
  422: 'A field is wrong; each is named',
  429: 'Try again with the same key after Retry-After',
  default: 'Anything else: 405 for another method; 5xx, to be tried again with the same key and increasing delays',
}
const refused = (...statuses: (keyof typeof refusals)[]) =>
  Object.fromEntries(
    [...statuses, 'default' as const].map((at) => [
      at,
      answer(refusals[at], ref('Error'), at === 429 || at === 'default' ? retryAfter : undefined),
    ]),
  )

const dedupe = {
  operationId: 'dedupe',
  summary: 'Check existing records before an offer',
  description: `Asks the lender, before anything is offered, whether it knows the applicant. ${dedupeRules}`,
  'x-section': 'D3 §4.1',
  tags: [served.partner],
  security: [{ partnerBearer: [] }],
  parameters: [sameAs('request_id')],
  requestBody: { required: true, ...json(ref('DedupeRequest')) },
  responses: {
    200: answer('The check', ref('DedupeReply'), replayed),
    ...refused(400, 401, 403, 409, 413, 415, 422, 429),
  },
}

const status = {
  operationId: 'status',
  summary: 'One consistent snapshot of a case',
  description: `Reads everything that the lender knows of a case, at one moment. ${statusRules}`,
  'x-section': 'D3 §4.4',
  tags: [served.partner],
  security: [{ partnerBearer: [] }],
  parameters: [
    header('X-Request-Id', 'Names this read.', uuid),
    {
      name: 'external_reference_id',
      in: 'query',
      required: true,
      schema: StatusQuery.properties.external_reference_id,
    },
  ],
  responses: { 200: answer('The snapshot', ref('Status')), ...refused(401, 403, 404, 422, 429) },
}

const documents = {
  operationId: 'uploadDocument',
  summary: 'Store one file privately',
  description: `Sends one file of a case to the lender. ${documentRules}`,
  'x-section': 'D3 §4.3',
  tags: [served.partner],
  security: [{ partnerBearer: [] }],
  parameters: [sameAs('request_id')],
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
    200: answer('Stored before, by the same request', ref('DocumentReply'), replayed),
    ...refused(400, 401, 403, 404, 409, 413, 415, 422, 429),
  },
}

const receiver = (event: string) => ({
  parameters: [sameAs('event_id'), ...signature],
  requestBody: { required: true, ...json(ref(event)) },
  responses: {
    202: answer('Stored, and nothing more', ref('Receipt')),
    200: answer('Stored before; the original time', ref('Receipt')),
    ...refused(400, 401, 403, 404, 409, 413, 415, 422, 429),
  },
})

const received =
  'A 2xx says that the event was stored; it is never a business result. The same event again is 200 with the original ' +
  `time, other content under its event_id 409. At most ${maxEventBytes / 2 ** 20} MiB of JSON in UTF-8: larger reports are sent as files.`

const events = {
  operationId: 'platformEvent',
  summary: 'Receive leads and all journey events of the platform',
  description: `Tells the lender what happened on the side of the platform, from the lead to a payment claim. ${received}`,
  'x-section': 'D3 §4.2',
  tags: [served.partner],
  security: [{ partnerBearer: [] }],
  ...receiver('PlatformEvent'),
}

const partnerEvent = {
  operationId: 'partnerEvent',
  summary: 'Receive all decisions and loan events of the partner',
  description: `Tells the platform what the lender decided and did, at \`${platformReceiverPath}\` of the platform. ${received}`,
  'x-section': 'D3 §4.2',
  tags: [served.platform],
  security: [{ platformBearer: [] }],
  ...receiver('PartnerEvent'),
}
