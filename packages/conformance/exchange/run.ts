// One run against a partner or a platform: sends and awaits messages, and keeps the last exchange for reports.
import { setTimeout as pause } from 'node:timers/promises'
import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import { fits } from '@lendloom/foundation/schema'
import { uuidv4 } from '@lendloom/seal/id'
import type { SigningKey } from '@lendloom/wire/exchange/credentials'
import { type DataOf, type EventType, uncheckedEnvelopeOf } from '@lendloom/wire/exchange/envelope'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import { inconsistencies, isFresh, SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { isPostponed } from './arriving-events.ts'
import { expect, Skip, Violation } from './check-result.ts'
import type { Parties, TestedSide } from './run-credentials.ts'
import type { Arrival, Memory, PlayedCall } from './run-memory.ts'
import { answerText, type HttpAnswer, type HttpRequest, requestText, send } from './send-request.ts'

export interface RunSettings extends Parties {
  testedSide: TestedSide
  /** The base URL of a partner, or the webhook URL of a platform. */
  url: string
  /** The URL of the run's listener for the tested side; null without a listener. */
  listensAt: string | null
  memory: Memory
  /** The timeout for a message of the tested side. */
  waitSeconds: number
  retryAfterSeconds: number
  /** Saves the state. */
  save(): void
  /** Prints what the run waits for. */
  say(text: string): void
}

type Headers = HttpRequest['headers']

/** An event of the tested side, by field. */
export interface ReceivedEvent {
  eventId: string
  correlation: Record<string, unknown>
  data: Record<string, unknown>
  arrival: Arrival
}

/** Replaced envelope fields of an event about the case. */
interface EnvelopeChange {
  entity_id?: string
  entity_version?: number
  correlation?: object
}

interface AwaitedEvent {
  type: EventType
  matches?: (received: ReceivedEvent) => boolean
  /** What a person has to do first; after the timeout the check is then skipped, not failed. */
  person?: string
  /** The ID of our event that causes the awaited one; its failure fails the check. */
  causedBy?: string
}

/** How long a check waits for an event that must not come. */
const quietMs = 700
const pollMs = 40
const announceAfterMs = 2_000

export class Run {
  readonly settings: RunSettings
  readonly memory: Memory
  /** The last request and answer, for the report of a failure. */
  last: { sent: string; received: string } | null = null

  constructor(settings: RunSettings) {
    this.settings = settings
    this.memory = settings.memory
  }

  /** The keys of the run; the first one signs. */
  get ourKeys(): [SigningKey, ...SigningKey[]] {
    const [first, ...further] = this.settings.ours.keys
    if (!first) throw new Error('there is no signing key')
    return [first, ...further]
  }

  /** Sends a request with the credential; `headers` replaces headers, and `undefined` omits one. */
  async request(method: string, path: string, headers: Headers, body?: Buffer): Promise<HttpAnswer> {
    const { url, ours } = this.settings
    const request: HttpRequest = {
      method,
      url: `${url}${path}`,
      headers: { authorization: `Bearer ${ours.bearer}`, ...headers },
      ...(body && { body }),
    }
    this.last = { sent: requestText(request), received: '' }
    const answer = await send(request)
    this.last.received = answerText(answer)
    return answer
  }

  postJson(path: string, body: object, headers: Headers = {}): Promise<HttpAnswer> {
    const { request_id } = fieldsOf(body)
    const defaults = { 'content-type': 'application/json', 'idempotency-key': String(request_id) }
    return this.request('POST', path, { ...defaults, ...headers }, Buffer.from(JSON.stringify(body)))
  }

  /** Posts an event, signed now over these bytes. */
  postEvent(raw: Buffer, headers: Headers = {}): Promise<HttpAnswer> {
    const [{ keyId, secret }] = this.ourKeys
    const { event_id } = fieldsOf(jsonIn(raw.toString('utf8')))
    const defaults = {
      'content-type': 'application/json',
      ...(typeof event_id === 'string' && { 'idempotency-key': event_id }),
      ...signedHeaders({ keyId, secret, at: new Date(), raw }),
    }
    return this.request(
      'POST',
      this.settings.testedSide === 'partner' ? '/events' : '',
      { ...defaults, ...headers },
      raw,
    )
  }

  /** The bytes of a step's event about the case, under its next version; a repeated step gets the same bytes. */
  event<T extends EventType>(step: string, type: T, data: DataOf<T>, change: EnvelopeChange = {}): Buffer {
    const known = this.memory.sent[step]
    if (known) return Buffer.from(known.raw)
    const version = change.entity_version ?? ++this.memory.version
    const envelope = { ...this.envelope(type, data, { reference: this.memory.caseRef, version }), ...change }
    const raw = JSON.stringify(envelope)
    this.memory.sent[step] = { eventId: envelope.event_id, version, raw, tries: 0 }
    this.settings.save()
    return Buffer.from(raw)
  }

  envelope(type: EventType, data: object, { reference, version }: { reference: string; version: number }) {
    const isOwn = reference === this.memory.caseRef && type !== 'LEAD_SUBMITTED'
    const { leadId = null, loanId = null } = isOwn ? this.memory.found : {}
    const ids = { caseRef: reference, leadId, loanId }
    const sourceFields = { eventId: uuidv4(), occurredAt: new Date(), sender: this.settings.ours.sender }
    return uncheckedEnvelopeOf({ ...sourceFields, type, entityVersion: version, ids, data })
  }

  /** Posts the event of a step, which must be stored, and returns its ID. */
  async submit<T extends EventType>(step: string, type: T, data: DataOf<T>): Promise<string> {
    const raw = this.event(step, type, data)
    return this.submitRaw(step, raw)
  }

  async submitRaw(step: string, raw: Buffer): Promise<string> {
    const sent = this.sentAs(step)
    const wasTried = sent.tries > 0
    sent.tries++
    this.settings.save()
    const answer = await this.postEvent(raw)
    const isStored = answer.status === 202 || (wasTried && answer.status === 200)
    expect(isStored, `got status ${answer.status} for a new event, expected 202`)
    return sent.eventId
  }

  /** Forgets a step whose event was not stored; the last version becomes free again. */
  releaseVersion(step: string): void {
    const { version } = this.sentAs(step)
    if (this.memory.version === version) this.memory.version--
    delete this.memory.sent[step]
    this.settings.save()
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
    this.settings.save()
  }

  /** Creates another reference, whose events the run accepts too. */
  otherReference(): string {
    const reference = `CONFORM-${uuidv4()}`
    this.memory.refs.push(reference)
    return reference
  }

  /** The events of a type, each once; without those that were only postponed so far. */
  received(type: EventType): ReceivedEvent[] {
    const eventIds = new Set<string>()
    return this.memory.arrivals.flatMap((arrival) => {
      if (arrival.type !== type || isPostponed(arrival) || eventIds.has(arrival.eventId)) return []
      eventIds.add(arrival.eventId)
      const { data, correlation } = fieldsOf(jsonIn(arrival.raw))
      return [{ eventId: arrival.eventId, data: fieldsOf(data), correlation: fieldsOf(correlation), arrival }]
    })
  }

  async awaitEvent({ type, matches = () => true, person, causedBy }: AwaitedEvent): Promise<ReceivedEvent> {
    const find = (): ReceivedEvent | undefined => {
      const found = this.received(type).find(matches)
      if (found) return this.keepForReport(found)
      const failure = causedBy ? this.failureOf(causedBy) : undefined
      if (!failure) return undefined
      this.keepForReport(failure)
      throw new Violation(`the event could not be applied: ${failure.data.code} ${failure.data.message}`)
    }
    return this.waitFor({ what: type, ...(person !== undefined && { person }), find })
  }

  /** Waits until `find` finds a value. After the timeout the check fails, or is skipped if a `person` has to act. */
  async waitFor<T>({ what, person, find }: { what: string; person?: string; find(): T | undefined }): Promise<T> {
    const startedAt = Date.now()
    const { waitSeconds, say } = this.settings
    for (let isAnnounced = false; ; await pause(pollMs)) {
      const found = find()
      if (found !== undefined) return found
      const waitedMs = Date.now() - startedAt
      if (waitedMs > waitSeconds * 1000) {
        const because = `no ${what} came within ${waitSeconds} s`
        throw person
          ? new Skip(`${because}: ${person}, and run this again with the same --state`)
          : new Violation(because)
      }
      if (!isAnnounced && waitedMs > announceAfterMs) {
        isAnnounced = true
        say(`waiting up to ${waitSeconds} s for ${what}${person ? `: ${person}` : ''}`)
      }
    }
  }

  /** Waits for the call of that name after the first `after` ones. */
  awaitCall(name: PlayedCall['name'], { after = 0, person }: { after?: number; person?: string } = {}) {
    const find = () => this.memory.calls.filter((call) => call.name === name)[after]
    return this.waitFor({ what: name, ...(person !== undefined && { person }), find })
  }

  private keepForReport(received: ReceivedEvent): ReceivedEvent {
    this.last = { sent: this.last?.sent ?? '', received: `received event:\n${received.arrival.raw}` }
    return received
  }

  failureOf(eventId: string): ReceivedEvent | undefined {
    return this.received('EVENT_PROCESSING_FAILED').find(({ data }) => data.source_event_id === eventId)
  }

  /** Reads Status of the case, which must be consistent, recent and not older than the last snapshot. */
  async status(): Promise<SnapshotStatus> {
    const requestId = uuidv4()
    const { caseRef, found } = this.memory
    const answer = await this.getStatus(caseRef, requestId)
    expect(answer.status === 200, `got status ${answer.status} from GET /status, expected 200`)
    const faults = inconsistencies(answer.json)
    expect(faults.length === 0, `the snapshot is inconsistent: ${faults.join('; ')}`)
    const status = answer.json
    if (!fits(SnapshotStatus, status)) throw new Violation('the snapshot is incomplete')
    expect(status.request_id === requestId, 'request_id is not the X-Request-Id')
    expect(status.external_reference_id === caseRef, 'external_reference_id is not that of the case')
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

  /** Reads Status until `isReached`, because events are applied after their receipt. */
  async statusUntil(isReached: (status: SnapshotStatus) => boolean, otherwise: string): Promise<SnapshotStatus> {
    const startedAt = Date.now()
    for (;;) {
      const status = await this.status()
      if (isReached(status)) return status
      if (Date.now() - startedAt > this.settings.waitSeconds * 1000)
        throw new Violation(`${otherwise} within ${this.settings.waitSeconds} s`)
      await pause(Math.min(2000, 100 + (Date.now() - startedAt) / 4))
    }
  }

  /** Waits long enough for a forbidden event to arrive. */
  waitUntilQuiet = (): Promise<void> => pause(quietMs)
  pause = pause
}
