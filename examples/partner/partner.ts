// The smallest lender that passes `lendloom exchange conform`, without dependencies; see README.md in this folder.
//
//   npm run example:lender
//
// Optional settings: PORT, WEBHOOK_URL, RETRY_SECONDS, and STATE_FILE (without it the state stays in memory).
import { createHash, createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const { PORT = '5100', STATE_FILE, RETRY_SECONDS, WEBHOOK_URL } = process.env
const baseUrl = `http://127.0.0.1:${PORT}`
const webhookUrl = WEBHOOK_URL ?? 'http://127.0.0.1:4000/api/partner/webhook'
const retrySeconds = RETRY_SECONDS ? Array(5).fill(Number(RETRY_SECONDS)) : [60, 300, 900, 3600, 14_400]

// The credentials agreed at onboarding. `webhook` contains this lender's credentials.
const platform = JSON.parse(readFileSync(process.argv[2] ?? 'examples/partner/credentials.json', 'utf8'))
const lender = platform.webhook

// biome-ignore lint/suspicious/noExplicitAny: JSON, whose fields are validated below
type Json = any

// ---- State: one file, which is replaced before each answer --------------------------------------------------------

interface Case {
  ref: string
  /** Null until the lead is registered. */
  leadId: string | null
  loanId: string | null
  /** Counts changes; the `snapshot_version` of Status. */
  version: number
  changedAt: string
  expected: string[]
  files: Json[]
  offer: Json
  schedule: Json[]
  decision: Json
  checks: Record<string, string>
  disbursement: Json
  payments: Json[]
  /** Events that are stored but not applied, and the version of the next event to apply. */
  waiting: Json[]
  nextVersion: number
  /** The version of this lender's last event about the case. */
  sentVersion: number
}
const state: {
  cases: Record<string, Case>
  /** Saved answers by idempotency key, with the digest of their request. */
  answers: Record<string, { digest: string; answer: Json }>
  /** Events that the platform has not accepted yet; `dueAt` is null when no retry is left. */
  outbox: { id: string; raw: string; tries: number; dueAt: number | null }[]
} =
  STATE_FILE && existsSync(STATE_FILE)
    ? JSON.parse(readFileSync(STATE_FILE, 'utf8'))
    : { cases: {}, answers: {}, outbox: [] }

function save(): void {
  if (!STATE_FILE) return
  writeFileSync(`${STATE_FILE}.new`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${STATE_FILE}.new`, STATE_FILE)
}

const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
const now = (): string => new Date().toISOString()
/** The date in India after this number of days. */
const dayAfter = (days: number): string =>
  new Date(Date.now() + 5.5 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)

/** Returns the saved answer to a repeated request, if any. Throws a conflict if the request's content differs. */
function savedAnswer(key: string, digest: string): Json {
  const before = state.answers[key]
  if (before && before.digest !== digest) throw new Refusal(409, 'CONFLICT', 'this key was used with other content')
  return before?.answer
}

// ---- Refusals (D3 §7) and field formats (D3 §2.1) -----------------------------------------------------------------

class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly fields: string[]
  constructor(status: number, code: string, message: string, fields: string[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

const isText = (value: Json): boolean => typeof value === 'string' && value.trim() !== ''
const isObject = (value: Json): boolean => typeof value === 'object' && value !== null
const isUuid = (value: Json): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value))
const isTime = (value: Json): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) && !!Date.parse(value)
const isDay = (value: Json): boolean => /^\d{4}-\d\d-\d\d$/.test(value) && !!Date.parse(value)
const isMoney = (value: Json): boolean => typeof value === 'string' && /^(0|[1-9]\d*)\.\d\d$/.test(value)
const isPan = (value: Json): boolean => /^[A-Z]{3}P[A-Z]\d{4}[A-Z]$/.test(value)
const isMobile = (value: Json): boolean => /^(\+?91)?[6-9]\d{9}$/.test(value)

/** Throws one refusal that names every invalid field. */
function requireFields(fields: Record<string, boolean>): void {
  const invalid = Object.keys(fields).filter((path) => !fields[path])
  if (invalid.length > 0) throw new Refusal(422, 'VALIDATION_ERROR', `invalid: ${invalid.join(', ')}`, invalid)
}

function jsonIn(raw: Buffer, headers: IncomingHttpHeaders): Json {
  if (!/^application\/json\s*(;|$)/i.test(String(headers['content-type'])))
    throw new Refusal(415, 'UNSUPPORTED_MEDIA', 'the body must be application/json')
  try {
    const json = JSON.parse(raw.toString('utf8'))
    if (isObject(json)) return json
  } catch {}
  throw new Refusal(400, 'VALIDATION_ERROR', 'the body is not a JSON object')
}

// ---- Authentication (D3 §5) ---------------------------------------------------------------------------------------

const macOf = (secret: string, sentAt: string, raw: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(`${sentAt}\n`).update(raw).digest('hex')}`
const isSame = (actual: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(actual)), Buffer.from(digestOf(expected)))

function requireBearer(headers: IncomingHttpHeaders): void {
  if (!isSame(String(headers.authorization), `Bearer ${platform.bearer}`))
    throw new Refusal(401, 'UNAUTHORIZED', 'the credential is missing or unknown')
}

/** Verifies the exact bytes, before they are parsed. A repeated header never matches. */
function requireSignature(headers: IncomingHttpHeaders, raw: Buffer): void {
  const sentAt = String(headers['x-sent-at'])
  const isRecent = /^[1-9]\d{0,11}$/.test(sentAt) && Math.abs(Math.floor(Date.now() / 1000) - Number(sentAt)) <= 300
  const isSigned = isSame(String(headers['x-signature']), macOf(platform.secret, sentAt, raw))
  if (!isRecent || !isSigned || headers['x-key-id'] !== platform.keyId)
    throw new Refusal(401, 'UNAUTHORIZED', 'the signature is missing, expired or invalid')
}

// ---- POST /dedupe (D3 §4.1) ---------------------------------------------------------------------------------------

type Reply = [status: number, body: Json]

function dedupe(raw: Buffer, headers: IncomingHttpHeaders): Reply {
  const { request_id, external_reference_id, product, applicant } = jsonIn(raw, headers)
  requireFields({
    request_id: isUuid(request_id),
    'Idempotency-Key': headers['idempotency-key'] === request_id,
    external_reference_id: isText(external_reference_id),
    product: product === 'BUSINESS_LOAN',
    'applicant.pan': isPan(applicant?.pan),
    'applicant.mobile': isMobile(applicant?.mobile),
    'applicant.date_of_birth': isDay(applicant?.date_of_birth),
    'applicant.name': isText(applicant?.name),
  })
  const { pan, mobile, date_of_birth, name } = applicant
  const digest = digestOf(JSON.stringify([external_reference_id, pan, mobile, date_of_birth, name]))
  const before = savedAnswer(`dedupe ${request_id}`, digest)
  if (before) return [200, before]
  // A real lender searches its records here. This example has none and lends to everyone.
  const answer = {
    request_id,
    external_reference_id,
    dedupe_reference_id: randomUUID(),
    match_status: 'NO_MATCH',
    decision: 'PROCEED',
    reason_code: 'NO_RECORD',
    reason_message: 'No record of this applicant',
    checked_at: now(),
    existing_celestium_lead_id: null,
    existing_celestium_loan_id: null,
  }
  state.answers[`dedupe ${request_id}`] = { digest, answer }
  const person = JSON.stringify([external_reference_id, pan, mobile, date_of_birth])
  state.answers[`permission ${answer.dedupe_reference_id}`] = { digest: digestOf(person), answer: null }
  return [200, answer]
}

// ---- POST /events (D3 §4.2): stored first, applied afterwards, by entity_version ----------------------------------

const platformEventTypes = [
  'LEAD_SUBMITTED',
  'OFFER_DECISION_RECORDED',
  'KYC_UPDATED',
  'MANDATE_UPDATED',
  'ESIGN_UPDATED',
  'PAYMENT_CLAIM_SUBMITTED',
  'EVENT_PROCESSING_FAILED',
]
const partnerEventTypes = [
  'LEAD_REGISTERED',
  'MANUAL_REVIEW_DECIDED',
  'OFFER_DECISION_CONFIRMED',
  'KYC_REVIEW_DECIDED',
  'DISBURSEMENT_UPDATED',
  'PAYMENT_UPDATED',
  'LOAN_STATUS_UPDATED',
]

function events(raw: Buffer, headers: IncomingHttpHeaders): Reply {
  requireSignature(headers, raw)
  const event = jsonIn(raw, headers)
  if (event.sender !== platform.sender || partnerEventTypes.includes(event.event_type))
    throw new Refusal(403, 'FORBIDDEN', 'this party may not send this event', ['sender'])
  requireEnvelope(event)
  const ref = event.correlation.external_reference_id
  const isLead = event.event_type === 'LEAD_SUBMITTED'
  if (!isLead && !state.cases[ref]) throw new Refusal(404, 'NOT_FOUND', 'no case has this reference')
  const before = savedAnswer(`event ${event.event_id}`, digestOf(raw))
  if (before) return [200, before]
  const answer = { event_id: event.event_id, receipt_status: 'RECEIVED', received_at: now() }
  state.answers[`event ${event.event_id}`] = { digest: digestOf(raw), answer }
  state.cases[ref] ??= {
    ref,
    leadId: null,
    loanId: null,
    version: 1,
    changedAt: now(),
    expected: [],
    files: [],
    offer: null,
    schedule: [],
    decision: null,
    checks: {},
    disbursement: null,
    payments: [],
    waiting: [],
    nextVersion: 1,
    sentVersion: 0,
  }
  state.cases[ref].waiting.push(event)
  setImmediate(applyAll, ref)
  return [202, answer]
}

function requireEnvelope(event: Json): void {
  const { event_type: type, correlation, data } = event
  requireFields({
    event_version: event.event_version === '2.0',
    event_id: isUuid(event.event_id),
    event_type: platformEventTypes.includes(type),
    occurred_at: isTime(event.occurred_at),
    entity_type: event.entity_type === 'CASE',
    entity_id: isText(event.entity_id) && event.entity_id === correlation?.external_reference_id,
    entity_version: Number.isInteger(event.entity_version) && event.entity_version > 0,
    correlation: isObject(correlation),
    data: isObject(data),
  })
  if (type === 'LEAD_SUBMITTED') {
    const { borrower, bureau, banking, proposed_offer: proposed, consents } = data
    requireFields({
      'data.dedupe_reference_id': isText(data.dedupe_reference_id),
      'data.documents_expected': Array.isArray(data.documents_expected),
      'data.consents.submission.accepted': consents?.submission?.accepted === true,
      'data.borrower.pan': isPan(borrower?.pan),
      'data.borrower.mobile': isMobile(borrower?.mobile),
      'data.borrower.date_of_birth': isDay(borrower?.date_of_birth),
      'data.borrower.employment_type': borrower?.employment_type === 'SELF_EMPLOYED',
      'data.bureau.unavailable_reason': bureau?.status === 'AVAILABLE' || isText(bureau?.unavailable_reason),
      'data.banking.unavailable_reason': banking?.status === 'COMPLETED' || isText(banking?.unavailable_reason),
      'data.proposed_offer.loan_amount': isMoney(proposed?.loan_amount) && proposed.loan_amount !== '0.00',
      'data.proposed_offer.tenure_weeks': proposed?.tenure_weeks === 22,
    })
  }
  if (type === 'PAYMENT_CLAIM_SUBMITTED')
    requireFields({
      'data.claim_reference': isText(data.claim_reference),
      'data.service_type': ['MISSED_EMI', 'PRE_PART_PAYMENT'].includes(data.service_type),
      'data.amount': isMoney(data.amount) && data.amount !== '0.00',
      'data.transaction_reference': isText(data.transaction_reference),
    })
}

/** Applies the waiting events by version; an event after a gap keeps waiting. */
function applyAll(ref: string): void {
  const loanCase = caseOf(ref)
  for (;;) {
    const event = loanCase.waiting.find(({ entity_version }) => entity_version === loanCase.nextVersion)
    loanCase.waiting = loanCase.waiting.filter(({ entity_version }) => entity_version > loanCase.nextVersion)
    if (!event) break
    loanCase.nextVersion++
    try {
      apply(loanCase, event)
      continueCase(loanCase)
    } catch (error) {
      if (!(error instanceof Failure)) console.error(error)
      // A failure event is never answered with a failure event (D3 §6 rule 6).
      if (event.event_type === 'EVENT_PROCESSING_FAILED') continue
      const { code, message } =
        error instanceof Failure ? error : new Failure('PROCESSING_ERROR', 'staff must examine this event')
      const failure = { source_event_id: event.event_id, code, message, retryable: false, failed_at: now() }
      queueEvent(loanCase, 'EVENT_PROCESSING_FAILED', failure)
    }
  }
  save()
}

class Failure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

function caseOf(ref: string): Case {
  const loanCase = state.cases[ref]
  if (!loanCase) throw new Refusal(404, 'NOT_FOUND', 'no case has this reference')
  return loanCase
}

function countChange(loanCase: Case): void {
  loanCase.version++
  loanCase.changedAt = now()
}

const checkByType: Record<string, string> = { KYC_UPDATED: 'kyc', MANDATE_UPDATED: 'mandate', ESIGN_UPDATED: 'esign' }

function apply(loanCase: Case, { event_type: type, event_id, correlation, data }: Json): void {
  if (type === 'LEAD_SUBMITTED') register(loanCase, data)
  else if (correlation.celestium_lead_id !== loanCase.leadId || correlation.celestium_loan_id !== loanCase.loanId)
    throw new Failure('IDENTITY_CONFLICT', 'the partner IDs are not those of the case')
  const check = checkByType[type]
  if (type === 'EVENT_PROCESSING_FAILED') console.error('the platform could not apply', data)
  else if (type === 'OFFER_DECISION_RECORDED') decide(loanCase, event_id, data)
  else if (type === 'PAYMENT_CLAIM_SUBMITTED') claim(loanCase, data)
  else if (check && loanCase.decision?.decision !== 'ACCEPT') throw new Failure('INVALID_STATE', 'no offer is accepted')
  else if (check && (data.verified || !isFinal(data.status))) loanCase.checks[check] = data.status
  countChange(loanCase)
}
/** A final status counts, and is shown, only after the provider has verified it. */
const isFinal = (status: string): boolean => ['APPROVED', 'ACTIVE', 'COMPLETED'].includes(status)

function register(loanCase: Case, { dedupe_reference_id, borrower, documents_expected, proposed_offer }: Json): void {
  if (loanCase.leadId) throw new Failure('IDENTITY_CONFLICT', 'this reference already has a case')
  const person = JSON.stringify([loanCase.ref, borrower.pan, borrower.mobile, borrower.date_of_birth])
  if (state.answers[`permission ${dedupe_reference_id}`]?.digest !== digestOf(person))
    throw new Failure('VALIDATION_ERROR', 'dedupe_reference_id does not permit this applicant')
  loanCase.leadId = String(randomInt(1e12, 9e12))
  loanCase.loanId = String(randomInt(1e12, 9e12))
  loanCase.expected = documents_expected.map((each: Json) => each.document_reference_id)
  loanCase.offer = { loan_amount: proposed_offer.loan_amount }
  const status = loanCase.expected.length > 0 ? 'DOCUMENTS_PENDING' : 'UNDER_REVIEW'
  queueEvent(loanCase, 'LEAD_REGISTERED', { status, documents_pending: loanCase.expected })
}

function decide(loanCase: Case, eventId: string, { offer_id, decision }: Json): void {
  if (loanCase.offer?.offer_id !== offer_id) throw new Failure('STALE_OFFER', 'this is not the current offer')
  if (loanCase.decision)
    throw new Failure('INVALID_STATE', `the offer is already decided: ${loanCase.decision.decision}`)
  if (Date.parse(loanCase.offer.valid_until) < Date.now()) throw new Failure('STALE_OFFER', 'the offer has expired')
  loanCase.decision = { offer_id, decision, source_event_id: eventId, recorded_at: now() }
  queueEvent(loanCase, 'OFFER_DECISION_CONFIRMED', loanCase.decision)
}

/** Records the claim; the payment is posted only after the money is found on the account (D3 §6 rule 4). */
function claim(loanCase: Case, { claim_reference, amount, method, transaction_reference }: Json): void {
  if (loanCase.disbursement?.status !== 'DISBURSED') throw new Failure('INVALID_STATE', 'there is no loan yet')
  if (loanCase.payments.some((payment) => payment.claim_reference === claim_reference)) return
  const payment = {
    payment_id: randomUUID(),
    claim_reference,
    collection_id: null,
    mandate_reference: null,
    installment_ids: [],
    method,
    status: 'PENDING_VERIFICATION',
    amount,
    currency: 'INR',
    bank_reference: null,
    provider_reference: transaction_reference,
    value_date: null,
    updated_at: now(),
    reason_code: null,
    reversal_of_payment_id: null,
  }
  loanCase.payments.push(payment)
  queueEvent(loanCase, 'PAYMENT_UPDATED', payment, {
    entity_type: 'PAYMENT',
    entity_id: payment.payment_id,
    entity_version: 1,
  })
}

// ---- Decisions. In a real lender staff decide; this example approves at once ---------------------------------------

const pendingOf = ({ expected, files }: Case): string[] =>
  expected.filter((reference) => !files.some((file) => file.document_reference_id === reference))
/** KYC documents. The provider determines which of these documents exist. */
const evidence = ['KYC_REPORT', 'AADHAAR_VERIFICATION_PDF', 'PAN_VERIFICATION_PDF', 'VKYC_RECORDING']
const rupees = (paise: number): string => (paise / 100).toFixed(2)

function continueCase(loanCase: Case): void {
  if (loanCase.leadId && !loanCase.offer.offer_id && pendingOf(loanCase).length === 0) review(loanCase)
  const types = loanCase.files.map(({ document_type }) => document_type)
  const { kyc, mandate, esign } = loanCase.checks
  const isChecked = kyc === 'APPROVED' && mandate === 'ACTIVE' && esign === 'COMPLETED'
  const isIdentified = evidence.some((type) => types.includes(type))
  const isFiled = types.includes('SIGNED_LOAN_AGREEMENT') && isIdentified
  if (isChecked && isFiled && pendingOf(loanCase).length === 0 && !loanCase.disbursement) payOut(loanCase)
}

/** Offers 24 % a year on the outstanding principal, in 22 weekly installments, without a fee. */
function review(loanCase: Case): void {
  const principal = Math.round(Number(loanCase.offer.loan_amount) * 100)
  const rate = 0.24 / 52
  const regular = Math.ceil((principal * rate) / (1 - (1 + rate) ** -22))
  let outstanding = principal
  loanCase.schedule = Array.from({ length: 22 }, (_, i) => {
    const interest = Math.round(outstanding * rate)
    const principalPart = i === 21 ? outstanding : regular - interest
    outstanding -= principalPart
    const amount = rupees(principalPart + interest)
    return {
      installment_id: `INST-${i + 1}`,
      installment_number: i + 1,
      due_date: dayAfter(7 * (i + 1)),
      principal: rupees(principalPart),
      interest: rupees(interest),
      charges: '0.00',
      amount,
      paid_amount: '0.00',
      unpaid_amount: amount,
      status: 'DUE',
    }
  })
  const total = loanCase.schedule.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
  const offer_id = randomUUID()
  loanCase.offer = {
    offer_id,
    currency: 'INR',
    loan_amount: rupees(principal),
    tenure_weeks: 22,
    installment_frequency: 'WEEKLY',
    number_of_installments: 22,
    installment_amount: rupees(regular),
    annual_interest_rate_percent: '24.00',
    apr_percent: '24.00',
    interest_rate_type: 'FIXED',
    processing_fee_amount: '0.00',
    tax_amount: '0.00',
    other_upfront_charges: '0.00',
    net_disbursed_amount: rupees(principal),
    total_interest_amount: rupees(total - principal),
    total_payable_amount: rupees(total),
    valid_until: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    kfs_url: `${baseUrl}/kfs/${offer_id}`,
    terms_url: `${baseUrl}/terms/${offer_id}`,
  }
  countChange(loanCase)
  const reason = { reason_code: 'POLICY_OK', reason_message: 'Meets policy', reviewed_at: now() }
  queueEvent(loanCase, 'MANUAL_REVIEW_DECIDED', { decision: 'APPROVED', ...reason, offer: loanCase.offer })
}

/** A real lender orders the transfer here, and continues after its bank has confirmed it. */
function payOut(loanCase: Case): void {
  const pending = { disbursement_id: randomUUID(), status: 'PENDING', amount: loanCase.offer.net_disbursed_amount }
  const details = { currency: 'INR', bank_reference: null, updated_at: now(), reason_code: null }
  queueEvent(loanCase, 'DISBURSEMENT_UPDATED', { ...pending, ...details })
  loanCase.disbursement = { ...pending, ...details, status: 'DISBURSED', bank_reference: `UTR${randomInt(1e12)}` }
  countChange(loanCase)
  queueEvent(loanCase, 'DISBURSEMENT_UPDATED', loanCase.disbursement)
  const active = { loan_status: 'ACTIVE', snapshot_version: loanCase.version, updated_at: now() }
  queueEvent(loanCase, 'LOAN_STATUS_UPDATED', { ...active, reason_code: 'ACCOUNT_OPENED' })
}

// ---- POST /documents (D3 §4.3) ------------------------------------------------------------------------------------

const MiB = 1024 * 1024
const startsWith = (bytes: Buffer, hex: string): boolean => bytes.subarray(0, hex.length / 2).toString('hex') === hex
/** Whether the bytes match their content type; a file name proves nothing. */
const contentChecks: Record<string, (bytes: Buffer) => boolean> = {
  'application/pdf': (bytes) =>
    bytes.subarray(0, 5).toString() === '%PDF-' && bytes.subarray(-32).toString().includes('%%EOF'),
  'application/json': (bytes) => {
    try {
      return isObject(JSON.parse(bytes.toString('utf8')))
    } catch {
      return false
    }
  },
  'image/png': (bytes) => startsWith(bytes, '89504e470d0a1a0a'),
  'image/jpeg': (bytes) => startsWith(bytes, 'ffd8ff'),
  'video/mp4': (bytes) => bytes.subarray(4, 8).toString() === 'ftyp',
}
const pdfOnly = { types: ['application/pdf'], maxBytes: 20 * MiB }
const pdfOrJson = { types: ['application/pdf', 'application/json'], maxBytes: 20 * MiB }
const documentTypes: Record<string, { types: string[]; maxBytes: number }> = {
  BUREAU_REPORT: pdfOrJson,
  BANK_ANALYSIS_REPORT: pdfOrJson,
  BANK_STATEMENT: pdfOnly,
  KYC_REPORT: pdfOnly,
  AADHAAR_VERIFICATION_PDF: pdfOnly,
  PAN_VERIFICATION_PDF: pdfOnly,
  SIGNED_LOAN_AGREEMENT: pdfOnly,
  MANDATE_DOCUMENT: pdfOnly,
  VKYC_RECORDING: { types: ['video/mp4'], maxBytes: 250 * MiB },
  PAYMENT_SCREENSHOT: { types: ['application/pdf', 'image/png', 'image/jpeg'], maxBytes: 5 * MiB },
}

async function documents(raw: Buffer, headers: IncomingHttpHeaders): Promise<Reply> {
  const response = new Response(new Uint8Array(raw), { headers: { 'content-type': String(headers['content-type']) } })
  const form: FormData = await response.formData().catch(() => {
    throw new Refusal(400, 'VALIDATION_ERROR', 'the body is not form data')
  })
  const file = form.get('file')
  const [request_id, external_reference_id, celestium_lead_id, celestium_loan_id, document_reference_id] = [
    'request_id',
    'external_reference_id',
    'celestium_lead_id',
    'celestium_loan_id',
    'document_reference_id',
  ].map((name) => String(form.get(name) ?? ''))
  const document_type = String(form.get('document_type'))
  const rule = documentTypes[document_type]
  requireFields({
    request_id: isUuid(request_id),
    'Idempotency-Key': headers['idempotency-key'] === request_id,
    external_reference_id: isText(external_reference_id),
    document_reference_id: isText(document_reference_id),
    celestium_lead_id: isText(celestium_lead_id),
    celestium_loan_id: isText(celestium_loan_id),
    document_type: rule !== undefined,
    file: file instanceof File,
  })
  if (!rule || !(file instanceof File)) throw new Refusal(500, 'INTERNAL_ERROR', 'unreachable')
  const loanCase = caseOf(String(external_reference_id))
  if (loanCase.leadId !== celestium_lead_id || loanCase.loanId !== celestium_loan_id)
    throw new Refusal(409, 'CONFLICT', 'the partner IDs are not those of the case', ['celestium_lead_id'])
  if (file.size > rule.maxBytes)
    throw new Refusal(413, 'TOO_LARGE', `${document_type} may have at most ${rule.maxBytes} bytes`)
  const bytes = Buffer.from(await file.arrayBuffer())
  if (!rule.types.includes(file.type) || !contentChecks[file.type]?.(bytes))
    throw new Refusal(415, 'UNSUPPORTED_MEDIA', `${document_type} must be valid ${rule.types.join(' or ')}`)
  const sha256 = digestOf(bytes)
  const ids = { request_id, external_reference_id, celestium_lead_id, celestium_loan_id, document_reference_id }
  const digest = digestOf(JSON.stringify([ids, document_type, sha256]))
  const before = savedAnswer(`document ${request_id}`, digest)
  if (before) return [200, before]
  if (loanCase.files.some((each) => each.document_reference_id === document_reference_id))
    throw new Refusal(409, 'CONFLICT', 'a replacement needs its own reference', ['document_reference_id'])
  const document_id = randomUUID()
  // A real lender stores the bytes privately here, before it answers.
  if (STATE_FILE) writeFileSync(`${STATE_FILE}.${document_id}`, bytes, { mode: 0o600 })
  const fileFields = { file_name: file.name, content_type: file.type, size_bytes: bytes.length, sha256 }
  const answer = { ...ids, document_id, document_type, ...fileFields, status: 'STORED', stored_at: now() }
  state.answers[`document ${request_id}`] = { digest, answer }
  loanCase.files.push({ document_reference_id, document_id, document_type })
  countChange(loanCase)
  continueCase(loanCase)
  return [201, answer]
}

// ---- GET /status (D3 §4.4): one consistent snapshot ----------------------------------------------------------------

function caseStatus(loanCase: Case): string {
  const { offer, decision, checks } = loanCase
  if (loanCase.disbursement) return 'DISBURSED'
  if (!offer.offer_id) return pendingOf(loanCase).length > 0 ? 'DOCUMENTS_PENDING' : 'UNDER_REVIEW'
  if (!decision) return 'OFFERED'
  if (decision.decision !== 'ACCEPT') return decision.decision === 'REJECT' ? 'REJECTED' : 'EXPIRED'
  if (!checks.kyc) return 'OFFER_ACCEPTED'
  if (checks.kyc !== 'APPROVED') return 'KYC_PENDING'
  return checks.mandate === 'ACTIVE' ? 'ESIGN_PENDING' : 'MANDATE_PENDING'
}

function status(_raw: Buffer, headers: IncomingHttpHeaders, query: URLSearchParams): Reply {
  const request_id = headers['x-request-id']
  const ref = query.get('external_reference_id')
  requireFields({ 'X-Request-Id': isUuid(request_id), external_reference_id: isText(ref) })
  const loanCase = caseOf(String(ref))
  if (!loanCase.leadId) throw new Refusal(404, 'NOT_FOUND', 'no case has this reference')
  const { offer, decision, disbursement, schedule, changedAt: updated_at } = loanCase
  const undecided = { decision: 'PENDING', source_event_id: null, recorded_at: null }
  const rows = schedule.map((row) => ({ ...row, updated_at }))
  const principal = offer.loan_amount
  const soa = {
    currency: 'INR',
    updated_at,
    disbursed_amount: offer.net_disbursed_amount,
    principal_outstanding: principal,
    interest_outstanding: '0.00',
    penalty_outstanding: '0.00',
    charges_outstanding: '0.00',
    total_outstanding: principal,
    total_overdue: '0.00',
  }
  const body = {
    request_id,
    external_reference_id: ref,
    celestium_lead_id: loanCase.leadId,
    celestium_loan_id: loanCase.loanId,
    snapshot_version: loanCase.version,
    snapshot_at: now(),
    case_status: caseStatus(loanCase),
    loan_status: disbursement ? 'ACTIVE' : 'NOT_CREATED',
    loan_account_id: disbursement ? `LA${loanCase.loanId}` : null,
    offer: offer.offer_id ? (decision ?? { offer_id: offer.offer_id, ...undecided }) : null,
    checks: {
      kyc: 'NOT_STARTED',
      mandate: 'NOT_STARTED',
      esign: 'NOT_STARTED',
      ...loanCase.checks,
      lender_kyc_review: 'NOT_REQUIRED',
    },
    documents: { stored: loanCase.files, pending: pendingOf(loanCase) },
    disbursement,
    soa: disbursement ? soa : null,
    amortization_schedule: disbursement
      ? { schedule_version: 1, updated_at, frequency: 'WEEKLY', installments: rows }
      : null,
    payments: loanCase.payments,
  }
  return [200, body]
}

// ---- This lender's events: stored until accepted, sent with the same bytes and a new signature per attempt ---------

function queueEvent(loanCase: Case, type: string, data: Json, entity: object = {}): void {
  const isPayment = type === 'PAYMENT_UPDATED'
  const event = {
    event_version: '2.0',
    event_id: randomUUID(),
    event_type: type,
    occurred_at: now(),
    sender: lender.sender,
    entity_type: 'CASE',
    entity_id: loanCase.ref,
    entity_version: isPayment ? 1 : ++loanCase.sentVersion,
    ...entity,
    correlation: {
      external_reference_id: loanCase.ref,
      celestium_lead_id: loanCase.leadId,
      celestium_loan_id: loanCase.loanId,
    },
    data,
  }
  state.outbox.push({ id: event.event_id, raw: JSON.stringify(event), tries: 0, dueAt: 0 })
}

async function deliver(event: (typeof state.outbox)[number]): Promise<void> {
  const [{ keyId, secret }] = lender.keys
  const sentAt = String(Math.floor(Date.now() / 1000))
  const signature = { 'x-key-id': keyId, 'x-sent-at': sentAt, 'x-signature': macOf(secret, sentAt, event.raw) }
  const headers = { 'content-type': 'application/json', 'idempotency-key': event.id, ...signature }
  const answer = await fetch(webhookUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${lender.bearer}`, ...headers },
    body: event.raw,
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null)
  if (answer?.status === 200 || answer?.status === 202) {
    state.outbox = state.outbox.filter(({ id }) => id !== event.id)
    return save()
  }
  // Retries after 429, 5xx or no answer. Staff handle any other status. No event is discarded (D3 §6 rule 8).
  const isRetryable = answer === null || answer.status === 429 || answer.status >= 500
  const delay = isRetryable ? retrySeconds[event.tries++] : undefined
  const seconds = Math.max(delay ?? 0, Number(answer?.headers.get('retry-after')) || 0)
  event.dueAt = delay === undefined ? null : Date.now() + seconds * 1000
  if (event.dueAt === null) console.error('not delivered, kept for staff:', answer?.status, event.raw)
  save()
}

async function deliverAll(): Promise<void> {
  for (;;) {
    for (const event of state.outbox.filter(({ dueAt }) => dueAt !== null && dueAt <= Date.now())) await deliver(event)
    await sleep(50)
  }
}

// ---- The server ----------------------------------------------------------------------------------------------------

type Serve = (raw: Buffer, headers: IncomingHttpHeaders, query: URLSearchParams) => Reply | Promise<Reply>
const endpoints: Record<string, { serve: Serve; maxBytes: number }> = {
  'POST /dedupe': { serve: dedupe, maxBytes: MiB },
  'POST /events': { serve: events, maxBytes: 2 * MiB },
  'POST /documents': { serve: documents, maxBytes: 251 * MiB },
  'GET /status': { serve: status, maxBytes: 0 },
}

/** The `event_id` of an event, else the ID of the request, else null (D3 §7). */
function requestIdOf(raw: Buffer, headers: IncomingHttpHeaders): string | null {
  const [, eventId] = /"event_id":\s*"([^"]+)"/.exec(raw.subarray(0, 4096).toString('utf8')) ?? []
  const ids = [eventId, headers['x-request-id'], headers['idempotency-key']]
  return (ids.find(isUuid) as string | undefined) ?? null
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(String(request.url), baseUrl)
  const end = (code: number, body: string, type = 'application/json') =>
    response.writeHead(code, { 'content-type': type }).end(body)
  const [, page, offerId] = /^\/(kfs|terms)\/([0-9a-f-]{36})$/.exec(pathname) ?? []
  const offeredCase = Object.values(state.cases).find(({ offer }) => offerId && offer?.offer_id === offerId)
  if (page && offeredCase) return end(200, JSON.stringify(offeredCase.offer, null, 2), 'text/plain; charset=utf-8')

  let raw = Buffer.alloc(0)
  try {
    const endpoint = endpoints[`${request.method} ${pathname}`]
    if (!endpoint) throw new Refusal(404, 'NOT_FOUND', 'this address has no such interface')
    const chunks: Buffer[] = []
    let size = 0
    // The server reads an oversized body to its end without storing it, so that the client gets the answer.
    for await (const chunk of request) {
      size += chunk.length
      if (size <= endpoint.maxBytes) chunks.push(chunk)
    }
    raw = Buffer.concat(chunks)
    requireBearer(request.headers)
    if (size > endpoint.maxBytes) throw new Refusal(413, 'TOO_LARGE', `at most ${endpoint.maxBytes} bytes`)
    const [code, body] = await endpoint.serve(raw, request.headers, searchParams)
    save()
    end(code, JSON.stringify(body))
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error)
    const refusal = error instanceof Refusal ? error : new Refusal(500, 'INTERNAL_ERROR', 'retry with the same key')
    const fields = refusal.fields.map((path) => ({ path, message: 'is missing or invalid' }))
    const { status: code, message } = refusal
    const answer = { code: refusal.code, message, retryable: code >= 500, fields }
    end(code, JSON.stringify({ request_id: requestIdOf(raw, request.headers), error: answer }))
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`lending at ${baseUrl}`))

for (const ref of Object.keys(state.cases)) applyAll(ref)
void deliverAll()
