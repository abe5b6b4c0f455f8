// The smallest lender outside the network: the duplicate check, the lead and its registration, and the files:
// docs/tutorials/join-as-a-lender.md.
//
//   npm run example:lender         in one terminal; it prints what the platform must be told
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

const document = JSON.parse(readFileSync('docs/reference/openapi/partner.json', 'utf8'))
const example = (name: string) => structuredClone(document.components.schemas[name].examples[0])

// What both sides were given at onboarding: one credential for each direction.
const platform = {
  sender: 'LENDLOOM',
  bearer: 'platform-bearer-0123456789',
  keyId: 'p1',
  secret: 'platform-secret-0123456789',
}
const me = { sender: 'MY_LENDER', bearer: 'my-own-bearer-0123456789', keyId: 'm1', secret: 'my-own-secret-0123456789' }

const macOf = (secret: string, sentAt: unknown, raw: string | Buffer): string =>
  createHmac('sha256', secret).update(`${sentAt}\n`).update(raw).digest('hex')

function isGenuine(headers: IncomingHttpHeaders, raw: Buffer): boolean {
  const expected = Buffer.from(`sha256=${macOf(platform.secret, headers['x-sent-at'], raw)}`)
  const given = Buffer.from(String(headers['x-signature']))
  const isNow = Math.abs(Date.now() / 1000 - Number(headers['x-sent-at'])) <= 300
  return isNow && given.length === expected.length && timingSafeEqual(given, expected)
}

interface Case {
  version: number
  celestium_lead_id: string
  celestium_loan_id: string
}
const cases = new Map<string, Case>()

/** Sends an event to the platform, numbered by its case. */
async function tell(caseRef: string, known: Case, type: string, schema: string, data: object): Promise<void> {
  const { celestium_lead_id, celestium_loan_id } = known
  const body = JSON.stringify({
    ...example(schema),
    event_id: randomUUID(),
    event_type: type,
    occurred_at: new Date().toISOString(),
    sender: me.sender,
    entity_id: caseRef,
    entity_version: ++known.version,
    correlation: { external_reference_id: caseRef, celestium_lead_id, celestium_loan_id },
    data,
  })
  const sentAt = String(Math.floor(Date.now() / 1000))
  const answer = await fetch('http://127.0.0.1:4000/api/partner/webhook', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${me.bearer}`,
      'content-type': 'application/json',
      'idempotency-key': JSON.parse(body).event_id,
      'x-key-id': me.keyId,
      'x-sent-at': sentAt,
      'x-signature': `sha256=${macOf(me.secret, sentAt, body)}`,
    },
    body,
  })
  console.log(type, 'was answered', answer.status, await answer.text())
}

type Answer = [status: number, body: object]
const interfaces: Record<string, (raw: Buffer, headers: IncomingHttpHeaders) => Answer | Promise<Answer>> = {
  'POST /dedupe': (raw) => {
    const { request_id, external_reference_id, applicant } = JSON.parse(raw.toString())
    console.log('duplicate check of', applicant.pan)
    return [200, { ...example('DedupeReply'), request_id, external_reference_id, checked_at: new Date().toISOString() }]
  },
  'POST /events': (raw) => {
    const event = JSON.parse(raw.toString())
    const caseRef = event.correlation.external_reference_id
    console.log('event', event.entity_version, event.event_type)
    if (event.event_type === 'LEAD_SUBMITTED' && !cases.has(caseRef)) {
      const known = { version: 0, celestium_lead_id: randomUUID(), celestium_loan_id: String(Date.now()) }
      cases.set(caseRef, known)
      const expected: { document_reference_id: string }[] = event.data.documents_expected
      const documents_pending = expected.map((each) => each.document_reference_id)
      const status = documents_pending.length > 0 ? 'DOCUMENTS_PENDING' : 'UNDER_REVIEW'
      setTimeout(tell, 500, caseRef, known, 'LEAD_REGISTERED', 'LeadRegisteredEvent', { status, documents_pending })
    }
    return [202, { event_id: event.event_id, receipt_status: 'RECEIVED', received_at: new Date().toISOString() }]
  },
  'POST /documents': async (raw, headers) => {
    const form = await new Response(new Uint8Array(raw), {
      headers: { 'content-type': String(headers['content-type']) },
    }).formData()
    const { file, provider_reference_id: _, ...named } = Object.fromEntries(form)
    if (!(file instanceof File)) throw new Error('the form has no file')
    const bytes = Buffer.from(await file.arrayBuffer())
    console.log('document', named.document_type, bytes.length, 'bytes')
    return [
      201,
      {
        ...example('DocumentReply'),
        ...named,
        document_id: randomUUID(),
        file_name: file.name,
        content_type: file.type,
        size_bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        stored_at: new Date().toISOString(),
      },
    ]
  },
}

const refused = (status: number, code: string, message: string): Answer => [
  status,
  { request_id: null, error: { code, message, retryable: false, fields: [] } },
]

createServer(async (request, response) => {
  const raw = await buffer(request)
  const answer = interfaces[`${request.method} ${request.url}`]
  const isKnown = request.headers.authorization === `Bearer ${platform.bearer}`
  const isSigned = request.url !== '/events' || isGenuine(request.headers, raw)
  const [status, body] =
    isKnown && isSigned
      ? ((await answer?.(raw, request.headers)) ?? refused(404, 'NOT_FOUND', 'not served here'))
      : refused(401, 'UNAUTHORIZED', 'no credential, or a wrong signature')
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}).listen(5100, () => {
  const { sender, bearer, keyId, secret } = me
  const credentials = { ...platform, webhook: { sender, bearer, keys: [{ keyId, secret }] } }
  console.log(
    `PARTNER_URL=http://127.0.0.1:5100\nPARTNER_LENDER_NAME='My Lender'\nPARTNER_CREDENTIALS='${JSON.stringify(credentials)}'`,
  )
})
