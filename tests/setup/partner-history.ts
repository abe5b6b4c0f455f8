// Plays one loan's messages from the platform to the partner, for many cases at once, each with its own reordering and repeats.
import assert from 'node:assert/strict'
import { sentEvents } from '@lendloom/event-log/outbox'
import { readEntries } from '@lendloom/partner/src/books/ledger/store.ts'
import { noTenantId } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import type { DataOf, Envelope, EventType } from '@lendloom/wire/exchange/envelope'
import { accountEnding } from './bank.ts'
import { type Disorder, DisorderedChannel } from './disorder.ts'
import { samplePdf } from './files.ts'
import type { TestPartner } from './partner.ts'
import { TestCase } from './partner-case.ts'
import { until } from './programs.ts'

const fileOf = async (text: string) => ({ bytes: await samplePdf(text), contentType: 'application/pdf' })

export class LoanHistory {
  readonly loanCase: TestCase
  readonly channel: DisorderedChannel
  private readonly events: { name: string; event: Envelope }[] = []

  /** The last digits of the account number choose what the sandbox's bank does with its debits. */
  constructor(partner: TestPartner, disorder: Disorder | null, digits: string) {
    this.loanCase = new TestCase(partner)
    this.channel = new DisorderedChannel(disorder)
    Object.assign(this.loanCase.lead.banking.account!, accountEnding(digits, 'ASHA KUMAR'))
  }

  /** Adds an event with the next version to this stage. */
  event<T extends EventType>(type: T, data: DataOf<T>): string {
    const event = this.loanCase.event(type, data)
    const name = `${event.entity_version} ${type}`
    this.events.push({ name, event: event as Envelope })
    this.channel.add(name, () => this.loanCase.partner.post(event))
    return event.event_id
  }

  file(documentType: string, reference: string): void {
    const requestId = uuidv4()
    const file = fileOf(documentType)
    this.channel.add(`${documentType} ${reference}`, async () =>
      this.loanCase.upload(documentType, reference, await file, requestId),
    )
  }

  /** Delivers the stage, with some earlier messages again, and waits until all events are settled. */
  async deliver(): Promise<void> {
    await this.channel.deliverStage()
    await until('every event is settled', async () => (await this.outcomes()).length === this.events.length).catch(
      async (error) => {
        throw new Error(`${error.message}: ${JSON.stringify(await this.waitingEvents())}`)
      },
    )
  }

  /** Asserts that other content under a used event ID is refused. */
  async contradict(): Promise<void> {
    for (const { event } of this.events) {
      const { status } = await this.loanCase.partner.post({ ...event, occurred_at: '2026-01-01T00:00:00.000Z' })
      assert.equal(status, 409, event.event_type)
    }
  }

  private outcomes = () => this.loanCase.partner.db<{ eventId: string; outcome: string; reason: string | null }>`
    select event_id, outcome, reason from inbox_outcome where case_ref = ${this.loanCase.caseRef}`

  isSettled = async (id: string): Promise<boolean> => (await this.outcomes()).some(({ eventId }) => eventId === id)

  private waitingEvents = () => this.loanCase.partner.db`
    select entity_version::text, stuck_because from inbox_waiting where case_ref = ${this.loanCase.caseRef} order by 1`

  /** Returns everything that is visible of the case from outside, and its ledger. */
  async snapshot() {
    const { db, ctx } = this.loanCase.partner
    const { caseRef } = this.loanCase
    const { request_id, external_reference_id, ...status } = await this.loanCase.status()
    status.documents.stored.sort((a, b) => a.document_type.localeCompare(b.document_type))
    const settled = new Map((await this.outcomes()).map((row) => [row.eventId, row]))
    const events = await sentEvents(db, ctx.seal, { tenantId: noTenantId, partitionKey: caseRef })
    const eventsOf = Map.groupBy(events, ({ entityType, entityId }) => (entityType === 'CASE' ? 'the case' : entityId))
    const envelopeOf = ({ raw }: { raw: Buffer }) => JSON.parse(raw.toString('utf8')) as Envelope
    const inOrder = (name: string) =>
      (eventsOf.get(name) ?? []).sort((a, b) => a.entityVersion - b.entityVersion).map(envelopeOf)
    assert.equal(eventsOf.size, 1 + status.payments.length, 'every payment has events')
    return {
      status,
      settled: this.events.map(({ name, event }) => {
        const { outcome, reason } = settled.get(event.event_id)!
        return { name, eventId: event.event_id, outcome, reason }
      }),
      events: inOrder('the case'),
      payments: status.payments.map(({ payment_id }) => inOrder(payment_id)),
      ledger: (await readEntries(db, caseRef)).map(({ caseRef: _, ...entry }) => entry),
    }
  }
}
