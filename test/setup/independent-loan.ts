// A case of a lender that an independent team built: what it was told, what it says of it, and the loan of the document's example.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { type Answer, type Json, type Onboarding, type Published, say, timed } from './independent.ts'

/** What becomes of an applicant: dedupe declines, the lead cannot be applied, the review rejects, or a loan. */
export type Fate = 'DECLINE' | 'FAIL' | 'REJECT' | 'LEND'

/** What a later release might add; receivers ignore it. */
export const addition = { later: { addition: ['of', 2027] }, note: null }

/** A case of that lender; everything that it says goes out one after the other. */
export class LentCase {
  readonly faults: string[] = []
  /** What it was told, by version. */
  readonly taken: Json[] = []
  /** How often Status was read since the last payment. */
  looks = 0
  readonly #document: Published
  readonly #me: Onboarding
  readonly #caseRef: string
  readonly #leadId = randomUUID()
  readonly #loanId = String(Date.now()) + String(Math.floor(Math.random() * 1e6))
  readonly #checks: Record<string, string> = {}
  /** What its provider itself has confirmed. */
  readonly #verified = new Set<string>()
  readonly #stored: Json[] = []
  #expected: string[] = []
  #offer: Json = null
  #rejected = false
  #decision: Json = null
  #disbursement: Json = null
  #payment: Json = null
  #version = 0
  #snapshot = 1
  #changedAt = new Date()
  #outgoing: Promise<unknown> = Promise.resolve()

  readonly fate: Fate

  constructor(document: Published, me: Onboarding, caseRef: string, fate: Fate) {
    this.fate = fate
    this.#document = document
    this.#me = me
    this.#caseRef = caseRef
  }

  take(event: Json): void {
    this.#changed()
    const { event_type, event_id, entity_version, data } = event
    if (entity_version !== this.taken.length + 1) this.faults.push(`version ${entity_version} of ${event_type}`)
    this.taken.push(event)
    if (this.fate === 'FAIL') {
      const failure = { source_event_id: event_id, code: 'VALIDATION_ERROR', message: 'not for us', retryable: false }
      this.#tell('EVENT_PROCESSING_FAILED', failure)
      return
    }
    if (event_type === 'LEAD_SUBMITTED') {
      this.#expected = data.documents_expected.map((each: Json) => each.document_reference_id)
      const status = this.#pending.length > 0 ? 'DOCUMENTS_PENDING' : 'UNDER_REVIEW'
      this.#tell('LEAD_REGISTERED', { status, documents_pending: this.#pending })
    }
    if (event_type === 'OFFER_DECISION_RECORDED') {
      const { offer_id, decision } = data
      this.#decision = { offer_id, decision, source_event_id: event_id, recorded_at: this.#changedAt.toISOString() }
      this.#tell('OFFER_DECISION_CONFIRMED', this.#decision)
    }
    const check = { KYC_UPDATED: 'kyc', MANDATE_UPDATED: 'mandate', ESIGN_UPDATED: 'esign' }[event_type as string]
    if (check) {
      this.#checks[check] = data.status
      if (data.verified) this.#verified.add(check)
    }
    if (event_type === 'EVENT_PROCESSING_FAILED') this.faults.push(JSON.stringify(data))
    this.#goOn()
  }

  async store(form: FormData): Promise<Answer> {
    const file = form.get('file') as File
    const sha256 = createHash('sha256')
      .update(Buffer.from(await file.arrayBuffer()))
      .digest('hex')
    this.#changed()
    const fields = Object.fromEntries([...form.entries()].filter(([name]) => name !== 'file'))
    const { provider_reference_id: _, ...named } = fields
    const document_id = `FILE-${this.#stored.length + 1}`
    const { document_reference_id, document_type } = named
    this.#stored.push({ document_reference_id, document_type, document_id })
    this.#goOn()
    const example = this.#document.example('DocumentReply', this.#changedAt)
    const body = {
      ...example,
      ...named,
      document_id,
      file_name: file.name,
      content_type: file.type,
      size_bytes: file.size,
    }
    return { status: 201, body: { ...body, sha256 } }
  }

  status(request_id: string): Json {
    this.looks++
    const example = this.#document.example('Status', this.#changedAt)
    const paidOut = this.#disbursement?.status === 'DISBURSED'
    const { offer_id } = this.#offer ?? {}
    const undecided = { offer_id, decision: 'PENDING', source_event_id: null, recorded_at: null }
    const none = { loan_status: 'NOT_CREATED', loan_account_id: null, soa: null, amortization_schedule: null }
    return {
      ...example,
      ...(!paidOut && none),
      ...(paidOut && !this.#payment && this.#untouched(example)),
      request_id,
      external_reference_id: this.#caseRef,
      celestium_lead_id: this.#leadId,
      celestium_loan_id: this.#loanId,
      snapshot_version: this.#snapshot,
      snapshot_at: new Date().toISOString(),
      case_status: this.#caseStatus,
      offer: this.#offer && (this.#decision ?? undecided),
      checks: {
        ...{ kyc: 'NOT_STARTED', mandate: 'NOT_STARTED', esign: 'NOT_STARTED' },
        ...this.#checks,
        lender_kyc_review: 'NOT_REQUIRED',
      },
      documents: { stored: this.#stored, pending: this.#pending },
      disbursement: this.#disbursement,
      payments: this.#payment ? [this.#payment] : [],
    }
  }

  /** The first debit has been paid: the example’s own loan. */
  collect(): void {
    this.#changed()
    this.looks = 0
    const example = this.#document.example('PAYMENT_UPDATED', this.#changedAt)
    this.#payment = { ...example.data, payment_id: `PAY-${randomUUID()}` }
    const { payment_id } = this.#payment
    this.#post({ ...example, entity_id: payment_id, entity_version: 1, data: this.#payment })
  }

  get #pending(): string[] {
    const stored = this.#stored.map(({ document_reference_id }) => document_reference_id)
    return this.#expected.filter((reference) => !stored.includes(reference))
  }

  get #caseStatus(): string {
    if (this.#disbursement) return this.#disbursement.status === 'DISBURSED' ? 'DISBURSED' : 'DISBURSEMENT_PENDING'
    if (this.#rejected) return 'REJECTED'
    if (this.#pending.length > 0 && !this.#offer) return 'DOCUMENTS_PENDING'
    if (!this.#offer) return 'UNDER_REVIEW'
    if (!this.#decision) return 'OFFERED'
    if (this.#decision.decision !== 'ACCEPT') return this.#decision.decision === 'REJECT' ? 'REJECTED' : 'EXPIRED'
    if (this.#checks.kyc !== 'APPROVED') return 'KYC_PENDING'
    return this.#checks.mandate === 'ACTIVE' ? 'ESIGN_PENDING' : 'MANDATE_PENDING'
  }

  /** The loan of the example before anything is paid. */
  #untouched({ soa, amortization_schedule: schedule }: Json): Json {
    const installments = schedule.installments.map((row: Json) => {
      return { ...row, paid_amount: '0.00', unpaid_amount: row.amount, status: 'DUE' }
    })
    const zero = { interest_outstanding: '0.00', penalty_outstanding: '0.00', charges_outstanding: '0.00' }
    return {
      soa: { ...soa, ...zero, principal_outstanding: '100000.00', total_outstanding: '100000.00' },
      amortization_schedule: { ...schedule, installments },
    }
  }

  #goOn(): void {
    const isReviewable = !this.#offer && !this.#rejected && this.#pending.length === 0
    if (isReviewable && this.fate === 'REJECT') this.#reject()
    else if (isReviewable) {
      const { data } = this.#document.example('MANUAL_REVIEW_DECIDED', this.#changedAt)
      const valid_until = new Date(Date.now() + 5 * 86_400_000).toISOString()
      this.#offer = { ...data.offer, offer_id: `OFFER-${randomUUID()}`, valid_until }
      this.#tell('MANUAL_REVIEW_DECIDED', { offer: this.#offer })
    }
    const types = this.#stored.map(({ document_type }) => document_type)
    const evidence = ['KYC_REPORT', 'AADHAAR_VERIFICATION_PDF', 'PAN_VERIFICATION_PDF']
    const isProved = types.includes('SIGNED_LOAN_AGREEMENT') && types.some((type) => evidence.includes(type))
    const isVerified = ['kyc', 'mandate', 'esign'].every((check) => this.#verified.has(check))
    const isReady = this.#caseStatus === 'ESIGN_PENDING' && isVerified && isProved
    if (isReady && this.#pending.length === 0) this.#payOut()
  }

  #reject(): void {
    this.#rejected = true
    const why = { reason_code: 'POLICY', reason_message: 'The turnover is too low' }
    this.#tell('MANUAL_REVIEW_DECIDED', { decision: 'REJECTED', offer: null, ...why })
  }

  #payOut(): void {
    const { data } = this.#document.example('DISBURSEMENT_UPDATED', this.#changedAt)
    const disbursement = { ...data, amount: this.#offer.net_disbursed_amount }
    this.#disbursement = { ...disbursement, status: 'PENDING', bank_reference: null }
    this.#tell('DISBURSEMENT_UPDATED', this.#disbursement)
    this.#disbursement = disbursement
    this.#tell('DISBURSEMENT_UPDATED', disbursement)
    this.#tell('LOAN_STATUS_UPDATED', { loan_status: 'ACTIVE', snapshot_version: this.#snapshot })
  }

  #changed(): void {
    this.#snapshot++
    this.#changedAt = new Date()
  }

  #tell(type: string, change: object): void {
    const example = this.#document.example(type, this.#changedAt)
    const data = { ...example.data, ...change, ...addition }
    this.#post({ ...example, entity_id: this.#caseRef, entity_version: ++this.#version, data })
  }

  #post(event: Json): void {
    const isRegistered = this.fate !== 'FAIL'
    const correlation = {
      external_reference_id: this.#caseRef,
      celestium_lead_id: isRegistered ? this.#leadId : null,
      celestium_loan_id: isRegistered ? this.#loanId : null,
    }
    const body = {
      ...addition,
      ...timed(event, this.#changedAt),
      event_id: randomUUID(),
      sender: this.#me.sender,
      correlation,
    }
    this.#outgoing = this.#outgoing
      .then(() => this.#document.takes('partnerEvent', body))
      .then(() => say(this.#document, 'partnerEvent', this.#me, { body }))
      .then(({ status }) => assert.equal(status, 202))
      .catch((error: Error) => this.faults.push(`${body.event_type}: ${error.message}`))
  }
}
