// One run against a partner or a platform: what every check sends and reads by, with everything that is wrong shown as it went over the wire.
import { setTimeout as pause } from 'node:timers/promises'
import type { SigningKey } from '#contract/exchange/credentials.ts'
import { type DataOf, type EventType, uncheckedEnvelopeOf } from '#contract/exchange/envelope.ts'
import { signedHeaders } from '#contract/exchange/signature.ts'
import { inconsistencies, isFresh, SnapshotStatus } from '#contract/exchange/snapshot.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { fits } from '#kit/http/schema.ts'
import { fieldsOf, jsonIn } from '#kit/runtime/record.ts'
import { isPutOff } from './arriving-events.ts'
import { type HttpAnswer, type HttpRequest, send, shownAnswer, shownRequest } from './http.ts'
import type { Arrival, Memory, PlayedCall } from './memory.ts'
import { Broken, expect, Skip } from './outcome.ts'
import type { Parties, TestedSide } from './party.ts'

export interface RunSettings extends Parties {
  tried: TestedSide
  /** The base address of a partner, the webhook of a platform. */
  url: string
  /** Where the run listens, as the tried side reaches it; null where it does not listen. */
  listensAt: string | null
  memory: Memory
  /** How long a message of the tried side is waited for. */
  waitSeconds: number
  retryAfterSeconds: number
  /** Keeps the state. */
  keep(): void
  /** Prints what is awaited. */
  say(words: string): void
}

type Headers = HttpRequest['headers']

/** An event of the tested side, by field. */
export interface ReceivedEvent {
  eventId: string
  correlation: Record<string, unknown>
  data: Record<string, unknown>
  arrival: Arrival
}

/** Differences of an event from one about the case under its next version. */
interface EnvelopeChange {
  entity_id?: string
  entity_version?: number
  correlation?: object
}

interface AwaitedEvent {
  type: EventType
  isIt?: (received: ReceivedEvent) => boolean
  /** What a person has to do; without them the check is skipped, not failed. */
  person?: string
  /** Our event whose failure ends the waiting. */
  unlessFailed?: string
}

/** How long nothing forbidden may happen. */
const quietMs = 700
const pollMs = 40
const tellAfterMs = 2_000

export class Run {
  readonly settings: RunSettings
  readonly memory: Memory
  /** What went over the wire last, for a failure. */
  last: { sent: string; received: string } | null = null

  constructor(settings: RunSettings) {
    this.settings = settings
    this.memory = settings.memory
  }

  /** What we sign with; there is one at least. */
  get ourKeys(): [SigningKey, ...SigningKey[]] {
    const [first, ...more] = this.settings.ours.keys
    if (!first) throw new Error('there is no key to sign with')
    return [first, ...more]
  }

  /** A request with the credential; `headers` replaces what it has, and `undefined` leaves a header out. */
  async request(method: string, path: string, headers: Headers, body?: Buffer): Promise<HttpAnswer> {
    const { url, ours } = this.settings
    const request: HttpRequest = {
      ...{ method, url: `${url}${path}` },
      headers: { authorization: `Bearer ${ours.bearer}`, ...headers },
      ...(body && { body }),
    }
    this.last = { sent: shownRequest(request), received: '' }
    const answer = await send(request)
    this.last.received = shownAnswer(answer)
    return answer
  }

  postJson(path: string, body: object, headers: Headers = {}): Promise<HttpAnswer> {
    const { request_id } = fieldsOf(body)
    const usual = { 'content-type': 'application/json', 'idempotency-key': String(request_id) }
    return this.request('POST', path, { ...usual, ...headers }, Buffer.from(JSON.stringify(body)))
  }

  /** Posts an event, signed now over these bytes. */
  postEvent(raw: Buffer, headers: Headers = {}): Promise<HttpAnswer> {
    const [{ keyId, secret }] = this.ourKeys
    const { event_id } = fieldsOf(jsonIn(raw.toString('utf8')))
    const usual = {
      'content-type': 'application/json',
      ...(typeof event_id === 'string' && { 'idempotency-key': event_id }),
      ...signedHeaders({ keyId, secret, at: new Date(), raw }),
    }
    return this.request('POST', this.settings.tried === 'partner' ? '/events' : '', { ...usual, ...headers }, raw)
  }

  /** The bytes of an event of the case, under its next version; a step that is tried again has the same. */
  event<T extends EventType>(step: string, type: T, data: DataOf<T>, change: EnvelopeChange = {}): Buffer {
    const known = this.memory.sent[step]
    if (known) return Buffer.from(known.raw)
    const version = change.entity_version ?? ++this.memory.version
    const envelope = { ...this.envelope(type, data, { reference: this.memory.caseRef, version }), ...change }
    const raw = JSON.stringify(envelope)
    this.memory.sent[step] = { eventId: envelope.event_id, version, raw, tries: 0 }
    this.settings.keep()
    return Buffer.from(raw)
  }

  envelope(type: EventType, data: object, { reference, version }: { reference: string; version: number }) {
    const isOwn = reference === this.memory.caseRef && type !== 'LEAD_SUBMITTED'
    const { leadId = null, loanId = null } = isOwn ? this.memory.found : {}
    const ids = { caseRef: reference, leadId, loanId }
    const own = { eventId: uuidv4(), occurredAt: new Date(), sender: this.settings.ours.sender }
    return uncheckedEnvelopeOf({ ...own, type, entityVersion: version, ids, data })
  }

  /** Posts the event of a step; it must be stored. Gives its ID. */
  async submit<T extends EventType>(step: string, type: T, data: DataOf<T>): Promise<string> {
    const raw = this.event(step, type, data)
    return this.submitRaw(step, raw)
  }

  async submitRaw(step: string, raw: Buffer): Promise<string> {
    const sent = this.sentAs(step)
    const wasTried = sent.tries > 0
    sent.tries++
    this.settings.keep()
    const answer = await this.postEvent(raw)
    const isStored = answer.status === 202 || (wasTried && answer.status === 200)
    expect(isStored, `a new event was answered ${answer.status}, not 202`)
    return sent.eventId
  }

  /** Forgets a step that was not stored: its version is free again when it was the last one. */
  releaseVersion(step: string): void {
    const { version } = this.sentAs(step)
    if (this.memory.version === version) this.memory.version--
    delete this.memory.sent[step]
    this.settings.keep()
  }

  sentAs(step: string) {
    const sent = this.memory.sent[step]
    if (!sent) throw new Skip(`nothing was sent as ${step}`)
    return sent
  }

  found(name: string): string {
    const value = this.memory.found[name]
    if (value === undefined) throw new Skip(`${name} is not known`)
    return value
  }

  remember(found: Record<string, string>): void {
    Object.assign(this.memory.found, found)
    this.settings.keep()
  }

  /** A reference that is not the test borrower's, whose events are taken too. */
  otherReference(): string {
    const reference = `CONFORM-${uuidv4()}`
    this.memory.refs.push(reference)
    return reference
  }

  /** Everything that came of one type, each event once. */
  received(type: EventType): ReceivedEvent[] {
    const seen = new Set<string>()
    return this.memory.arrivals.flatMap((arrival) => {
      if (arrival.type !== type || isPutOff(arrival) || seen.has(arrival.eventId)) return []
      seen.add(arrival.eventId)
      const { data, correlation } = fieldsOf(jsonIn(arrival.raw))
      return [{ eventId: arrival.eventId, data: fieldsOf(data), correlation: fieldsOf(correlation), arrival }]
    })
  }

  /** The first event that is it, as soon as it came. */
  async awaitEvent({ type, isIt = () => true, person, unlessFailed }: AwaitedEvent): Promise<ReceivedEvent> {
    const find = (): ReceivedEvent | undefined => {
      const found = this.received(type).find(isIt)
      if (found) return this.showing(found)
      const failure = unlessFailed ? this.failureOf(unlessFailed) : undefined
      if (!failure) return undefined
      this.showing(failure)
      throw new Broken(`it could not apply the event: ${failure.data.code} ${failure.data.message}`)
    }
    return this.waitFor({ what: type, ...(person !== undefined && { person }), find })
  }

  /** What is found, as soon as it is there. Fails after the time; skipped where a `person` has to do something for it. */
  async waitFor<T>({ what, person, find }: { what: string; person?: string; find(): T | undefined }): Promise<T> {
    const began = Date.now()
    const { waitSeconds, say } = this.settings
    for (let isShown = false; ; await pause(pollMs)) {
      const found = find()
      if (found !== undefined) return found
      const waitedMs = Date.now() - began
      if (waitedMs > waitSeconds * 1000) {
        const because = `no ${what} came within ${waitSeconds} s`
        throw person ? new Skip(`${because}: ${person}, and run this again with the same --state`) : new Broken(because)
      }
      if (!isShown && waitedMs > tellAfterMs) {
        isShown = true
        say(`waiting up to ${waitSeconds} s for ${what}${person ? `: ${person}` : ''}`)
      }
    }
  }

  /** The call of that name that came as `after` others had, as soon as it is there. */
  awaitCall(name: PlayedCall['name'], { after = 0, person }: { after?: number; person?: string } = {}) {
    const find = () => this.memory.calls.filter((call) => call.name === name)[after]
    return this.waitFor({ what: name, ...(person !== undefined && { person }), find })
  }

  /** A failure shows what came, too. */
  private showing(received: ReceivedEvent): ReceivedEvent {
    this.last = { sent: this.last?.sent ?? '', received: `event that came in:\n${received.arrival.raw}` }
    return received
  }

  failureOf(eventId: string): ReceivedEvent | undefined {
    return this.received('EVENT_PROCESSING_FAILED').find(({ data }) => data.source_event_id === eventId)
  }

  /** The snapshot of the test borrower's case: whole, consistent, ours, recent, and not older than the last one. */
  async status(): Promise<SnapshotStatus> {
    const requestId = uuidv4()
    const { caseRef, found } = this.memory
    const answer = await this.getStatus(caseRef, requestId)
    expect(answer.status === 200, `GET /status was answered ${answer.status}, not 200`)
    const faults = inconsistencies(answer.json)
    expect(faults.length === 0, `the snapshot is not consistent: ${faults.join('; ')}`)
    const status = answer.json
    if (!fits(SnapshotStatus, status)) throw new Broken('the snapshot is not whole')
    expect(status.request_id === requestId, 'request_id is not the X-Request-Id')
    expect(status.external_reference_id === caseRef, 'external_reference_id is another')
    if (found.leadId)
      expect(status.celestium_lead_id === found.leadId, 'celestium_lead_id is not that of LEAD_REGISTERED')
    if (found.loanId)
      expect(status.celestium_loan_id === found.loanId, 'celestium_loan_id is not that of LEAD_REGISTERED')
    expect(isFresh(status, new Date()), 'snapshot_at is not within 15 minutes of now')
    expect(
      status.snapshot_version >= this.memory.lastSnapshot,
      `snapshot_version is ${status.snapshot_version} after ${this.memory.lastSnapshot}`,
    )
    this.memory.lastSnapshot = status.snapshot_version
    return status
  }

  getStatus(reference: string, requestId: string | undefined): Promise<HttpAnswer> {
    const path = `/status?external_reference_id=${encodeURIComponent(reference)}`
    return this.request('GET', path, { 'x-request-id': requestId })
  }

  /** Reads Status until it is so; events are applied by a worker, after their receipt. */
  async statusUntil(isSo: (status: SnapshotStatus) => boolean, otherwise: string): Promise<SnapshotStatus> {
    const began = Date.now()
    for (;;) {
      const status = await this.status()
      if (isSo(status)) return status
      if (Date.now() - began > this.settings.waitSeconds * 1000)
        throw new Broken(`${otherwise} within ${this.settings.waitSeconds} s`)
      await pause(Math.min(2000, 100 + (Date.now() - began) / 4))
    }
  }

  /** Waits for as long as something that must not happen would take to happen. */
  quiet = (): Promise<void> => pause(quietMs)
  pause = pause
}
