// One case at the partner, as its platform sees it: sends events and files, and waits for the partner's events.

import type { Case } from '@lendloom/partner/src/origination/case/lifecycle.ts'
import { lockCase } from '@lendloom/partner/src/origination/case/store.ts'
import { type Offer, productTerms } from '@lendloom/partner/src/origination/review/offer.ts'
import { approveCase } from '@lendloom/partner/src/origination/review/review-case.ts'
import type { ProposedTerms } from '@lendloom/partner/src/origination/terms/terms.ts'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import {
  type DataOf,
  type Envelope,
  type EventOf,
  type EventType,
  uncheckedEnvelopeOf,
} from '@lendloom/wire/exchange/envelope'
import { exampleData, exampleLead } from '@lendloom/wire/exchange/example/event'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { samplePdf } from './files.ts'
import { type Json, platform, type Reply, type TestPartner } from './partner.ts'
import { until } from './programs.ts'

export class TestCase {
  readonly partner: TestPartner
  readonly caseRef = `CASE-${uuidv4()}`
  leadId: string | null = null
  loanId: string | null = null
  version = 0
  lead = exampleLead()

  constructor(partner: TestPartner, pan?: string) {
    this.partner = partner
    this.lead.borrower.pan = pan ?? freshPan()
    this.lead.borrower.mobile = freshMobile()
    this.lead.documents_expected = []
    this.lead.bureau.report_data = { score: 741 }
  }

  /** Returns an event of this case with the next version. */
  event<T extends EventType>(
    type: T,
    data: DataOf<T> = exampleData(type),
    change: Partial<EventOf<T>> = {},
  ): EventOf<T> {
    const envelope = { eventId: uuidv4(), occurredAt: new Date(), sender: platform.sender }
    return { ...uncheckedEnvelopeOf({ ...envelope, type, entityVersion: ++this.version, ids: this, data }), ...change }
  }

  /** Sends an event, requires 202 and returns the event ID. */
  async send<T extends EventType>(
    type: T,
    data: DataOf<T> = exampleData(type),
    change: Partial<EventOf<T>> = {},
  ): Promise<string> {
    const event = this.event(type, data, change)
    const reply = await this.partner.post(event)
    if (reply.status !== 202) throw new Error(`${type} was answered ${reply.status} ${JSON.stringify(reply.body)}`)
    return event.event_id
  }

  async dedupe(): Promise<Json> {
    const { pan, mobile, date_of_birth } = this.lead.borrower
    const { body } = await this.partner.dedupe(this.caseRef, { pan, mobile, date_of_birth })
    this.lead.dedupe_reference_id = body.dedupe_reference_id
    return body
  }

  /** Runs dedupe and LEAD_SUBMITTED and stores the partner's IDs. */
  async register(): Promise<void> {
    await this.dedupe()
    await this.send('LEAD_SUBMITTED', this.lead)
    const { correlation } = await this.waitForEvent('LEAD_REGISTERED')
    this.leadId = correlation.celestium_lead_id
    this.loanId = correlation.celestium_loan_id
  }

  /** Waits for `count` events of that type about this case and returns the last of them. */
  async waitForEvent<T extends EventType>(type: T, count = 1): Promise<EventOf<T>> {
    const all = () => this.partner.events.filter((each) => each.event_type === type && this.isMine(each))
    await until(`${count} ${type}`, () => all().length >= count)
    return all()[count - 1] as EventOf<T>
  }

  isMine = (event: Envelope): boolean => event.correlation.external_reference_id === this.caseRef

  /** Waits for the partner's failure report about an event. */
  async waitForFailure(eventId: string): Promise<DataOf<'EVENT_PROCESSING_FAILED'>> {
    const failureEvent = () =>
      this.partner.events.find(
        (each) => each.event_type === 'EVENT_PROCESSING_FAILED' && each.data.source_event_id === eventId,
      )
    const event = await until(`a failure of ${eventId}`, failureEvent)
    return event.data as DataOf<'EVENT_PROCESSING_FAILED'>
  }

  async status(): Promise<SnapshotStatus> {
    const { status, body } = await this.partner.status(this.caseRef)
    if (status !== 200) throw new Error(`status was answered ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** Polls until the case has this status. */
  async waitForStatus(caseStatus: SnapshotStatus['case_status']): Promise<SnapshotStatus> {
    return until(caseStatus, async () => {
      const status = await this.status()
      return status.case_status === caseStatus && status
    })
  }

  async upload(
    documentType: string,
    reference: string = uuidv4(),
    file?: { bytes: Buffer; contentType: string },
    requestId: string = uuidv4(),
  ): Promise<Reply> {
    const form = new FormData()
    const fields = {
      request_id: requestId,
      external_reference_id: this.caseRef,
      celestium_lead_id: String(this.leadId),
      celestium_loan_id: String(this.loanId),
      document_reference_id: reference,
      document_type: documentType,
    }
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const bytes = file?.bytes ?? (await samplePdf(documentType))
    form.set('file', new Blob([new Uint8Array(bytes)], { type: file?.contentType ?? 'application/pdf' }), 'file.pdf')
    const headers = { authorization: `Bearer ${platform.bearer}`, 'idempotency-key': requestId }
    return this.partner.ask('POST', '/documents', { headers, body: form })
  }

  /** Acts on this case as a desk user. */
  act<T>(work: (tx: Tx, loanCase: Case, at: Date) => Promise<T>): Promise<T> {
    const { ctx } = this.partner
    return ctx.db.tx(async (tx) => work(tx, await lockCase(tx, this.caseRef), ctx.clock()))
  }

  /** Approves the recommended terms, with these changes. */
  approve(change: Partial<ProposedTerms> = {}, validUntil?: Date): Promise<Offer> {
    const { ctx } = this.partner
    const terms = { ...productTerms(ctx.config, paiseOf(this.lead.proposed_offer.loan_amount), 22), ...change }
    const approval = { reviewerReference: 'staff-7', terms, ...(validUntil && { validUntil }) }
    return this.act((tx, loanCase, at) => approveCase(tx, ctx, loanCase, { ...approval, at }))
  }

  /** Runs a new case up to the accepted offer. */
  async runToAcceptedOffer(): Promise<void> {
    await this.register()
    await this.approve()
    await this.decide()
    await this.waitForEvent('OFFER_DECISION_CONFIRMED')
  }

  /** Runs a new case up to the disbursement by autopilot. */
  async runToDisbursement(): Promise<void> {
    await this.register()
    await this.decide()
    await this.waitForEvent('OFFER_DECISION_CONFIRMED')
    await this.verify()
    await this.waitForStatus('DISBURSED')
  }

  /** Sends the borrower's decision on the newest offer. */
  async decide(decision: 'ACCEPT' | 'REJECT' | 'EXPIRE' = 'ACCEPT'): Promise<string> {
    const { data } = await this.waitForEvent('MANUAL_REVIEW_DECIDED')
    const decided_at = new Date().toISOString()
    return this.send('OFFER_DECISION_RECORDED', { offer_id: data.offer!.offer_id, decision, decided_at, reason: null })
  }

  /** Sends verified KYC, mandate and signature with their files. */
  async verify(): Promise<void> {
    const { body } = await this.upload('KYC_REPORT')
    await this.send('KYC_UPDATED', { ...exampleData('KYC_UPDATED'), document_ids: [body.document_id] })
    await this.send('MANDATE_UPDATED')
    await this.send('ESIGN_UPDATED')
    await this.upload('SIGNED_LOAN_AGREEMENT')
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
let panCount = Math.floor(Math.random() * 17_000)

/** Returns a PAN that is unique in this process; the default digits trigger no sandbox scenario. */
export function freshPan(digits = '1234'): string {
  panCount++
  const first = panCount % 26
  const second = Math.floor(panCount / 26) % 26
  const third = Math.floor(panCount / 676) % 26
  return `${letters[first]}${letters[second]}${letters[third]}PE${digits}F`
}
const freshMobile = (): string => `+919${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`
