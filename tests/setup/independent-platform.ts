// A platform written only from the published document: runs cases at the partner and verifies everything that it receives.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import {
  type Answer,
  type HttpAnswer,
  type Json,
  type Onboarding,
  onboarding,
  type PublishedDocument,
  sendRequest,
  serveOperations,
} from './independent.ts'

export interface IndependentPlatform {
  /** The partner's settings for this platform. */
  client: object
  /** Credentials that it presents to the partner. */
  me: Onboarding
  faults: string[]
  /** The partner's events in order of arrival, without duplicates. */
  received: Json[]
  /** Delivery attempts by event ID, with signing time and bytes. */
  tries: Map<string, { sentAt: number; raw: Buffer }[]>
  /** Whether to answer 503 to the first attempt of an event. */
  busyFor: (event: Json) => boolean
  read(document: PublishedDocument): void
}

/** Returns receipts: 202 for a new event, 200 with the first time for a repeated one. */
function receipts() {
  const times = new Map<string, string>()
  return ({ event_id }: Json): Answer & { isNew: boolean } => {
    const firstReceivedAt = times.get(event_id)
    const received_at = firstReceivedAt ?? new Date().toISOString()
    times.set(event_id, received_at)
    return {
      status: firstReceivedAt ? 200 : 202,
      body: { event_id, receipt_status: 'RECEIVED', received_at },
      isNew: !firstReceivedAt,
    }
  }
}

export async function startIndependentPlatform(partnerSender: string): Promise<IndependentPlatform> {
  const me = onboarding('STRANGE_APP')
  const partnerCredentials = onboarding(partnerSender)
  const received: Json[] = []
  const receipt = receipts()
  const tries: IndependentPlatform['tries'] = new Map()
  const server = await serveOperations({ 'POST /in': 'partnerEvent' }, partnerCredentials, ({ body, headers, raw }) => {
    const before = tries.get(body.event_id) ?? []
    tries.set(body.event_id, [...before, { sentAt: Number(headers['x-sent-at']), raw }])
    if (before.length === 0 && platform.busyFor(body)) {
      const error = { code: 'INTERNAL_ERROR', message: 'not now', retryable: true, fields: [] }
      return { status: 503, body: { request_id: body.event_id, error } }
    }
    const { isNew, ...answer } = receipt(body)
    if (isNew) received.push(body)
    return answer
  })
  const { keyId, secret, bearer } = partnerCredentials
  const client = {
    sender: me.sender,
    bearer: me.bearer,
    keys: [{ keyId: me.keyId, secret: me.secret }],
    webhook: { url: `${server.url}/in`, bearer, keyId, secret },
  }
  const { faults, read } = server
  const platform: IndependentPlatform = { client, me, received, tries, busyFor: () => false, faults, read }
  return platform
}

export class IndependentCase {
  readonly caseRef = `STRANGE-${randomUUID()}`
  readonly #document: PublishedDocument
  readonly #platform: IndependentPlatform
  #leadId: string | null = null
  #loanId: string | null = null
  #version = 0

  constructor(document: PublishedDocument, platform: IndependentPlatform) {
    this.#document = document
    this.#platform = platform
  }

  dedupe(change: object = {}, requestId: string = randomUUID()): Promise<HttpAnswer> {
    const example = this.#document.example('DedupeRequest', new Date())
    const body = { ...example, request_id: requestId, external_reference_id: this.caseRef }
    return sendRequest(this.#document, 'dedupe', this.#platform.me, {
      body: { ...body, applicant: { ...body.applicant, ...change } },
    })
  }

  example(type: string): Json {
    return this.#document.example(type, new Date())
  }

  /** Returns the document's example event for this case; `change` overrides its data. */
  event(type: string, change: object = {}): Json {
    const at = new Date()
    const example = this.#document.example(type, at)
    return {
      ...example,
      event_id: randomUUID(),
      sender: this.#platform.me.sender,
      entity_id: this.caseRef,
      entity_version: ++this.#version,
      correlation: {
        external_reference_id: this.caseRef,
        celestium_lead_id: this.#leadId,
        celestium_loan_id: this.#loanId,
      },
      data: { ...example.data, ...change },
    }
  }

  post(event: Json): Promise<HttpAnswer> {
    return sendRequest(this.#document, 'platformEvent', this.#platform.me, { body: event })
  }

  async send(type: string, change: object = {}): Promise<Json> {
    const event = this.event(type, change)
    this.#document.assertRequestBody('platformEvent', event)
    const { status, body } = await this.post(event)
    assert.equal(status, 202, JSON.stringify(body))
    return event
  }

  /** The partner's events about this case so far, by version. */
  get events(): Json[] {
    return this.#platform.received
      .filter(({ correlation }) => correlation.external_reference_id === this.caseRef)
      .toSorted((a, b) => a.entity_version - b.entity_version)
  }

  find(type: string, matches: (data: Json) => boolean = () => true): Json | undefined {
    const failure = this.events.find((event) => event.event_type === 'EVENT_PROCESSING_FAILED')
    assert.equal(failure, undefined, JSON.stringify(failure?.data))
    return this.events.find((event) => event.event_type === type && matches(event.data))
  }

  /** Uses the IDs that the partner has reserved in later events. */
  useReservedIds({ correlation }: Json): void {
    this.#leadId = correlation.celestium_lead_id
    this.#loanId = correlation.celestium_loan_id
  }

  async upload(type: string, bytes: Buffer, reference: string = randomUUID(), requestId: string = randomUUID()) {
    const { file: _, ...example } = this.#document.example('DocumentForm', new Date())
    const form = {
      ...example,
      request_id: requestId,
      external_reference_id: this.caseRef,
      celestium_lead_id: this.#leadId,
      celestium_loan_id: this.#loanId,
      document_reference_id: reference,
      document_type: type,
    }
    const file = { name: 'report.pdf', type: 'application/pdf', bytes }
    const answer = await sendRequest(this.#document, 'uploadDocument', this.#platform.me, { form, file })
    if (answer.status < 300) assert.equal(answer.body.sha256, createHash('sha256').update(bytes).digest('hex'))
    return answer
  }

  async status(): Promise<Json> {
    const query = { external_reference_id: this.caseRef }
    const { status, body } = await sendRequest(this.#document, 'status', this.#platform.me, { query })
    assert.equal(status, 200)
    return body
  }
}
