// The smallest lender that passes `lendloom exchange conform`, with nothing but Node: README.md beside it says how it works.
//
//   node examples/partner/partner.ts examples/partner/credentials.json
//
// PORT, WEBHOOK_URL, STATE_FILE (kept in memory without it) and RETRY_SECONDS may be set.
import { createHash, createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const { PORT = '5100', STATE_FILE, RETRY_SECONDS, WEBHOOK_URL } = process.env
const home = `http://127.0.0.1:${PORT}`
const webhookUrl = WEBHOOK_URL ?? 'http://127.0.0.1:4000/api/partner/webhook'
const retrySeconds = RETRY_SECONDS ? Array(5).fill(Number(RETRY_SECONDS)) : [60, 300, 900, 3600, 14_400]

// What both sides were given at onboarding: what the platform presents, and in `webhook` what this lender presents.
const platform = JSON.parse(readFileSync(process.argv[2] ?? 'examples/partner/credentials.json', 'utf8'))
const me = platform.webhook

// biome-ignore lint/suspicious/noExplicitAny: this is JSON; what may stand in it is checked below
type Json = any

// ---- What is kept: all of it in one file, which is replaced before anything is answered ---------------------------

interface Case {
  ref: string
  /** Null until the lead is registered. */
  leadId: string | null
  loanId: string | null
  /** Counts changes, for Status. */
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
  /** Events that came and wait for an earlier one, and the version that is applied next. */
  waiting: Json[]
  next: number
  /** The last version of this lender's own events about the case. */
  sent: number
}
const state: {
  cases: Record<string, Case>
  /** What was answered under a key, and the digest of what it was the answer to. */
  answers: Record<string, { digest: string; answer: Json }>
  /** Events that the platform has not taken yet. */
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
/** A day in India. */
const dayAfter = (days: number): string =>
  new Date(Date.now() + 5.5 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)

/** The answer of the first time, when the same came under this key before; a conflict when it was something else. */
function answeredBefore(key: string, digest: string): Json {
  const before = state.answers[key]
  if (before && before.digest !== digest) throw new Refusal(409, 'CONFLICT', 'this key was used with other content')
  return before?.answer
}

// ---- Refusals (D3 §7) and what may stand in a field (D3 §2.1) -----------------------------------------------------

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

/** Passes when every field is right; else one refusal names all that are not. */
function requireFields(fields: Record<string, boolean>): void {
  const wrong = Object.keys(fields).filter((path) => !fields[path])
  if (wrong.length > 0) throw new Refusal(422, 'VALIDATION_ERROR', `wrong: ${wrong.join(', ')}`, wrong)
}

function jsonIn(raw: Buffer, headers: IncomingHttpHeaders): Json {
  if (!/^application\/json\s*(;|$)/i.test(String(headers['content-type'])))
    throw new Refusal(415, 'UNSUPPORTED_MEDIA', 'the body must be application/json')
  try {
    const json = JSON.parse(raw.toString('utf8'))
    if (isObject(json)) return json
  } catch {}
  throw new Refusal(400, 'VALIDATION_ERROR', 'the body is no JSON object')
}

// ---- Who calls (D3 §5) --------------------------------------------------------------------------------------------

const macOf = (secret: string, sentAt: string, raw: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(`${sentAt}\n`).update(raw).digest('hex')}`
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)))

function requireBearer(headers: IncomingHttpHeaders): void {
  if (!isSame(String(headers.authorization), `Bearer ${platform.bearer}`))
    throw new Refusal(401, 'UNAUTHORIZED', 'the credential is missing or unknown')
}

/** Over the exact bytes, before any of them is read. A header that comes twice is none of these. */
function requireSignature(headers: IncomingHttpHeaders, raw: Buffer): void {
  const sentAt = String(headers['x-sent-at'])
  const isRecent = /^[1-9]\d{0,11}$/.test(sentAt) && Math.abs(Math.floor(Date.now() / 1000) - Number(sentAt)) <= 300
  const isSigned = isSame(String(headers['x-signature']), macOf(platform.secret, sentAt, raw))
  if (!isRecent || !isSigned || headers['x-key-id'] !== platform.keyId)
    throw new Refusal(401, 'UNAUTHORIZED', 'the signature is missing, too old, or that of other bytes')
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
  const before = answeredBefore(`dedupe ${request_id}`, digest)
  if (before) return [200, before]
  // A real lender searches its records here. This example has none and lends to everyone.
  const answer = {
    ...{ request_id, external_reference_id, dedupe_reference_id: randomUUID() },
    ...{ match_status: 'NO_MATCH', decision: 'PROCEED', reason_code: 'NO_RECORD' },
    ...{ reason_message: 'No record of this applicant', checked_at: now() },
    ...{ existing_celestium_lead_id: null, existing_celestium_loan_id: null },
  }
  state.answers[`dedupe ${request_id}`] = { digest, answer }
  const person = JSON.stringify([external_reference_id, pan, mobile, date_of_birth])
  state.answers[`permission ${answer.dedupe_reference_id}`] = { digest: digestOf(person), answer: null }
  return [200, answer]
}

// ---- POST /events (D3 §4.2): stored first, applied afterwards, by entity_version ----------------------------------

const platformTypes = [
  ...['LEAD_SUBMITTED', 'OFFER_DECISION_RECORDED', 'KYC_UPDATED', 'MANDATE_UPDATED', 'ESIGN_UPDATED'],
  ...['PAYMENT_CLAIM_SUBMITTED', 'EVENT_PROCESSING_FAILED'],
]
const partnerTypes = [
  ...['LEAD_REGISTERED', 'MANUAL_REVIEW_DECIDED', 'OFFER_DECISION_CONFIRMED', 'KYC_REVIEW_DECIDED'],
  ...['DISBURSEMENT_UPDATED', 'PAYMENT_UPDATED', 'LOAN_STATUS_UPDATED'],
]

function events(raw: Buffer, headers: IncomingHttpHeaders): Reply {
  requireSignature(headers, raw)
  const event = jsonIn(raw, headers)
  if (event.sender !== platform.sender || partnerTypes.includes(event.event_type))
    throw new Refusal(403, 'FORBIDDEN', 'this party may not send this event', ['sender'])
  requireEnvelope(event)
  const ref = event.correlation.external_reference_id
  const isLead = event.event_type === 'LEAD_SUBMITTED'
  if (!isLead && !state.cases[ref]) throw new Refusal(404, 'NOT_FOUND', 'there is no case of this reference')
  const before = answeredBefore(`event ${event.event_id}`, digestOf(raw))
  if (before) return [200, before]
  const answer = { event_id: event.event_id, receipt_status: 'RECEIVED', received_at: now() }
  state.answers[`event ${event.event_id}`] = { digest: digestOf(raw), answer }
  state.cases[ref] ??= {
    ...{ ref, leadId: null, loanId: null, version: 1, changedAt: now(), expected: [], files: [], offer: null },
    ...{ schedule: [], decision: null, checks: {}, disbursement: null, payments: [], waiting: [], next: 1, sent: 0 },
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
    event_type: platformTypes.includes(type),
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

/** Applies what is next, as long as there is something: what came after a gap waits. */
function applyAll(ref: string): void {
  const known = caseOf(ref)
  for (;;) {
    const event = known.waiting.find(({ entity_version }) => entity_version === known.next)
    known.waiting = known.waiting.filter(({ entity_version }) => entity_version > known.next)
    if (!event) break
    known.next++
    try {
      apply(known, event)
      goOn(known)
    } catch (error) {
      if (!(error instanceof Failure)) console.error(error)
      // A failure is never answered by another one (D3 §6 rule 6).
      if (event.event_type === 'EVENT_PROCESSING_FAILED') continue
      const { code, message } = error instanceof Failure ? error : new Failure('PROCESSING_ERROR', 'people look at it')
      const failure = { source_event_id: event.event_id, code, message, retryable: false, failed_at: now() }
      tell(known, 'EVENT_PROCESSING_FAILED', failure)
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
  const known = state.cases[ref]
  if (!known) throw new Refusal(404, 'NOT_FOUND', 'there is no case of this reference')
  return known
}

function changed(known: Case): void {
  known.version++
  known.changedAt = now()
}

const checkOf: Record<string, string> = { KYC_UPDATED: 'kyc', MANDATE_UPDATED: 'mandate', ESIGN_UPDATED: 'esign' }

function apply(known: Case, { event_type: type, event_id, correlation, data }: Json): void {
  if (type === 'LEAD_SUBMITTED') register(known, data)
  else if (correlation.celestium_lead_id !== known.leadId || correlation.celestium_loan_id !== known.loanId)
    throw new Failure('IDENTITY_CONFLICT', 'these are not the IDs of the case')
  const check = checkOf[type]
  if (type === 'EVENT_PROCESSING_FAILED') console.error('the platform could not apply', data)
  else if (type === 'OFFER_DECISION_RECORDED') decide(known, event_id, data)
  else if (type === 'PAYMENT_CLAIM_SUBMITTED') claim(known, data)
  else if (check && known.decision?.decision !== 'ACCEPT') throw new Failure('INVALID_STATE', 'no offer is accepted')
  else if (check) known.checks[check] = data.verified || !isEnd(data.status) ? data.status : 'PENDING'
  changed(known)
}
/** What counts only when its provider has confirmed it. */
const isEnd = (status: string): boolean => ['APPROVED', 'ACTIVE', 'COMPLETED'].includes(status)

function register(known: Case, { dedupe_reference_id, borrower, documents_expected, proposed_offer }: Json): void {
  if (known.leadId) throw new Failure('IDENTITY_CONFLICT', 'there is a case of this reference already')
  const person = JSON.stringify([known.ref, borrower.pan, borrower.mobile, borrower.date_of_birth])
  if (state.answers[`permission ${dedupe_reference_id}`]?.digest !== digestOf(person))
    throw new Failure('VALIDATION_ERROR', 'dedupe_reference_id is no permission for this person')
  known.leadId = String(randomInt(1e12, 9e12))
  known.loanId = String(randomInt(1e12, 9e12))
  known.expected = documents_expected.map((each: Json) => each.document_reference_id)
  known.offer = { loan_amount: proposed_offer.loan_amount }
  const status = known.expected.length > 0 ? 'DOCUMENTS_PENDING' : 'UNDER_REVIEW'
  tell(known, 'LEAD_REGISTERED', { status, documents_pending: known.expected })
}

function decide(known: Case, eventId: string, { offer_id, decision }: Json): void {
  if (known.offer?.offer_id !== offer_id) throw new Failure('STALE_OFFER', 'this is not the current offer')
  if (known.decision) throw new Failure('INVALID_STATE', `the offer was decided: ${known.decision.decision}`)
  if (Date.parse(known.offer.valid_until) < Date.now()) throw new Failure('STALE_OFFER', 'the offer is over')
  known.decision = { offer_id, decision, source_event_id: eventId, recorded_at: now() }
  tell(known, 'OFFER_DECISION_CONFIRMED', known.decision)
}

/** Kept for verification: nothing is posted before the money is found on the account (D3 §6 rule 4). */
function claim(known: Case, { claim_reference, amount, method, transaction_reference }: Json): void {
  if (known.disbursement?.status !== 'DISBURSED') throw new Failure('INVALID_STATE', 'there is no loan yet')
  if (known.payments.some((payment) => payment.claim_reference === claim_reference)) return
  const payment = {
    ...{ payment_id: randomUUID(), claim_reference, collection_id: null, mandate_reference: null },
    ...{ installment_ids: [], method, status: 'PENDING_VERIFICATION', amount, currency: 'INR' },
    ...{ bank_reference: null, provider_reference: transaction_reference, value_date: null, updated_at: now() },
    ...{ reason_code: null, reversal_of_payment_id: null },
  }
  known.payments.push(payment)
  tell(known, 'PAYMENT_UPDATED', payment, { entity_type: 'PAYMENT', entity_id: payment.payment_id, entity_version: 1 })
}

// ---- What the lender does next. People decide in a real one; here the first look decides -------------------------

const pendingOf = ({ expected, files }: Case): string[] =>
  expected.filter((reference) => !files.some((file) => file.document_reference_id === reference))
/** Which of them there is depends on the KYC provider. */
const evidence = ['KYC_REPORT', 'AADHAAR_VERIFICATION_PDF', 'PAN_VERIFICATION_PDF', 'VKYC_RECORDING']
const rupees = (paise: number): string => (paise / 100).toFixed(2)

function goOn(known: Case): void {
  if (known.leadId && !known.offer.offer_id && pendingOf(known).length === 0) review(known)
  const types = known.files.map(({ document_type }) => document_type)
  const { kyc, mandate, esign } = known.checks
  const isChecked = kyc === 'APPROVED' && mandate === 'ACTIVE' && esign === 'COMPLETED'
  const isIdentified = evidence.some((type) => types.includes(type))
  const isFiled = types.includes('SIGNED_LOAN_AGREEMENT') && isIdentified
  if (isChecked && isFiled && pendingOf(known).length === 0 && !known.disbursement) payOut(known)
}

/** 24 % a year on what is left of the principal, in 22 weekly installments, without a fee. */
function review(known: Case): void {
  const principal = Math.round(Number(known.offer.loan_amount) * 100)
  const rate = 0.24 / 52
  const regular = Math.ceil((principal * rate) / (1 - (1 + rate) ** -22))
  let left = principal
  known.schedule = Array.from({ length: 22 }, (_, i) => {
    const interest = Math.round(left * rate)
    const part = i === 21 ? left : regular - interest
    left -= part
    const amount = rupees(part + interest)
    return {
      ...{ installment_id: `INST-${i + 1}`, installment_number: i + 1, due_date: dayAfter(7 * (i + 1)) },
      ...{ principal: rupees(part), interest: rupees(interest), charges: '0.00', amount },
      ...{ paid_amount: '0.00', unpaid_amount: amount, status: 'DUE' },
    }
  })
  const total = known.schedule.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
  const offer_id = randomUUID()
  known.offer = {
    ...{ offer_id, currency: 'INR', loan_amount: rupees(principal), tenure_weeks: 22, installment_frequency: 'WEEKLY' },
    ...{ number_of_installments: 22, installment_amount: rupees(regular), annual_interest_rate_percent: '24.00' },
    ...{ apr_percent: '24.00', interest_rate_type: 'FIXED', processing_fee_amount: '0.00', tax_amount: '0.00' },
    ...{ other_upfront_charges: '0.00', net_disbursed_amount: rupees(principal) },
    ...{ total_interest_amount: rupees(total - principal), total_payable_amount: rupees(total) },
    valid_until: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    ...{ kfs_url: `${home}/kfs/${offer_id}`, terms_url: `${home}/terms/${offer_id}` },
  }
  changed(known)
  const why = { reason_code: 'POLICY_OK', reason_message: 'Meets policy', reviewed_at: now() }
  tell(known, 'MANUAL_REVIEW_DECIDED', { decision: 'APPROVED', ...why, offer: known.offer })
}

/** A real lender orders the transfer here, and continues when its bank has confirmed it. */
function payOut(known: Case): void {
  const pending = { disbursement_id: randomUUID(), status: 'PENDING', amount: known.offer.net_disbursed_amount }
  const rest = { currency: 'INR', bank_reference: null, updated_at: now(), reason_code: null }
  tell(known, 'DISBURSEMENT_UPDATED', { ...pending, ...rest })
  known.disbursement = { ...pending, ...rest, status: 'DISBURSED', bank_reference: `UTR${randomInt(1e12)}` }
  changed(known)
  tell(known, 'DISBURSEMENT_UPDATED', known.disbursement)
  const active = { loan_status: 'ACTIVE', snapshot_version: known.version, updated_at: now() }
  tell(known, 'LOAN_STATUS_UPDATED', { ...active, reason_code: 'ACCOUNT_OPENED' })
}

// ---- POST /documents (D3 §4.3) ------------------------------------------------------------------------------------

const MiB = 1024 * 1024
const starts = (bytes: Buffer, hex: string): boolean => bytes.subarray(0, hex.length / 2).toString('hex') === hex
/** Whether the bytes are what their type says: the name of a file proves nothing. */
const contents: Record<string, (bytes: Buffer) => boolean> = {
  'application/pdf': (bytes) =>
    bytes.subarray(0, 5).toString() === '%PDF-' && bytes.subarray(-32).toString().includes('%%EOF'),
  'application/json': (bytes) => {
    try {
      return isObject(JSON.parse(bytes.toString('utf8')))
    } catch {
      return false
    }
  },
  'image/png': (bytes) => starts(bytes, '89504e470d0a1a0a'),
  'image/jpeg': (bytes) => starts(bytes, 'ffd8ff'),
  'video/mp4': (bytes) => bytes.subarray(4, 8).toString() === 'ftyp',
}
const papers = { types: ['application/pdf'], most: 20 * MiB }
const reports = { types: ['application/pdf', 'application/json'], most: 20 * MiB }
const documentTypes: Record<string, { types: string[]; most: number }> = {
  ...{ BUREAU_REPORT: reports, BANK_ANALYSIS_REPORT: reports, BANK_STATEMENT: papers, KYC_REPORT: papers },
  ...{ AADHAAR_VERIFICATION_PDF: papers, PAN_VERIFICATION_PDF: papers, SIGNED_LOAN_AGREEMENT: papers },
  ...{ MANDATE_DOCUMENT: papers, VKYC_RECORDING: { types: ['video/mp4'], most: 250 * MiB } },
  PAYMENT_SCREENSHOT: { types: ['application/pdf', 'image/png', 'image/jpeg'], most: 5 * MiB },
}

async function documents(raw: Buffer, headers: IncomingHttpHeaders): Promise<Reply> {
  const whole = new Response(new Uint8Array(raw), { headers: { 'content-type': String(headers['content-type']) } })
  const form: FormData = await whole.formData().catch(() => {
    throw new Refusal(400, 'VALIDATION_ERROR', 'the body is no form')
  })
  const file = form.get('file')
  const [request_id, external_reference_id, celestium_lead_id, celestium_loan_id, document_reference_id] = [
    ...['request_id', 'external_reference_id', 'celestium_lead_id', 'celestium_loan_id', 'document_reference_id'],
  ].map((name) => String(form.get(name) ?? ''))
  const document_type = String(form.get('document_type'))
  const rule = documentTypes[document_type]
  requireFields({
    request_id: isUuid(request_id),
    'Idempotency-Key': headers['idempotency-key'] === request_id,
    ...{ external_reference_id: isText(external_reference_id), document_reference_id: isText(document_reference_id) },
    ...{ celestium_lead_id: isText(celestium_lead_id), celestium_loan_id: isText(celestium_loan_id) },
    ...{ document_type: rule !== undefined, file: file instanceof File },
  })
  if (!rule || !(file instanceof File)) throw new Refusal(500, 'INTERNAL_ERROR', 'not reached')
  const known = caseOf(String(external_reference_id))
  if (known.leadId !== celestium_lead_id || known.loanId !== celestium_loan_id)
    throw new Refusal(409, 'CONFLICT', 'these are not the IDs of the case', ['celestium_lead_id'])
  if (file.size > rule.most) throw new Refusal(413, 'TOO_LARGE', `${document_type} has at most ${rule.most} bytes`)
  const bytes = Buffer.from(await file.arrayBuffer())
  if (!rule.types.includes(file.type) || !contents[file.type]?.(bytes))
    throw new Refusal(415, 'UNSUPPORTED_MEDIA', `this is no ${document_type} in ${rule.types.join(' or ')}`)
  const sha256 = digestOf(bytes)
  const named = { request_id, external_reference_id, celestium_lead_id, celestium_loan_id, document_reference_id }
  const digest = digestOf(JSON.stringify([named, document_type, sha256]))
  const before = answeredBefore(`document ${request_id}`, digest)
  if (before) return [200, before]
  if (known.files.some((each) => each.document_reference_id === document_reference_id))
    throw new Refusal(409, 'CONFLICT', 'a replacement has a reference of its own', ['document_reference_id'])
  const document_id = randomUUID()
  // A real lender puts the bytes into private storage here, and answers when they are there.
  if (STATE_FILE) writeFileSync(`${STATE_FILE}.${document_id}`, bytes, { mode: 0o600 })
  const about = { file_name: file.name, content_type: file.type, size_bytes: bytes.length, sha256 }
  const answer = { ...named, document_id, document_type, ...about, status: 'STORED', stored_at: now() }
  state.answers[`document ${request_id}`] = { digest, answer }
  known.files.push({ document_reference_id, document_id, document_type })
  changed(known)
  goOn(known)
  return [201, answer]
}

// ---- GET /status (D3 §4.4): one consistent snapshot ----------------------------------------------------------------

function caseStatus(known: Case): string {
  const { offer, decision, checks } = known
  if (known.disbursement) return 'DISBURSED'
  if (!offer.offer_id) return pendingOf(known).length > 0 ? 'DOCUMENTS_PENDING' : 'UNDER_REVIEW'
  if (!decision) return 'OFFERED'
  if (decision.decision !== 'ACCEPT') return decision.decision === 'REJECT' ? 'REJECTED' : 'EXPIRED'
  if (!checks.kyc) return 'OFFER_ACCEPTED'
  if (checks.kyc !== 'APPROVED') return 'KYC_PENDING'
  return checks.mandate === 'ACTIVE' ? 'ESIGN_PENDING' : 'MANDATE_PENDING'
}

function status(_raw: Buffer, headers: IncomingHttpHeaders, query: URLSearchParams): Reply {
  const [request_id, ref] = [headers['x-request-id'], query.get('external_reference_id')]
  requireFields({ 'X-Request-Id': isUuid(request_id), external_reference_id: isText(ref) })
  const known = caseOf(String(ref))
  if (!known.leadId) throw new Refusal(404, 'NOT_FOUND', 'there is no case of this reference')
  const { offer, decision, disbursement, schedule, changedAt: updated_at } = known
  const undecided = { decision: 'PENDING', source_event_id: null, recorded_at: null }
  const rows = schedule.map((row) => ({ ...row, updated_at }))
  const principal = offer.loan_amount
  const soa = {
    ...{ currency: 'INR', updated_at, disbursed_amount: offer.net_disbursed_amount, principal_outstanding: principal },
    ...{ interest_outstanding: '0.00', penalty_outstanding: '0.00', charges_outstanding: '0.00' },
    ...{ total_outstanding: principal, total_overdue: '0.00' },
  }
  const body = {
    ...{ request_id, external_reference_id: ref, celestium_lead_id: known.leadId, celestium_loan_id: known.loanId },
    ...{ snapshot_version: known.version, snapshot_at: now(), case_status: caseStatus(known) },
    loan_status: disbursement ? 'ACTIVE' : 'NOT_CREATED',
    loan_account_id: disbursement ? `LA${known.loanId}` : null,
    offer: offer.offer_id ? (decision ?? { offer_id: offer.offer_id, ...undecided }) : null,
    checks: {
      ...{ kyc: 'NOT_STARTED', mandate: 'NOT_STARTED', esign: 'NOT_STARTED', ...known.checks },
      lender_kyc_review: 'NOT_REQUIRED',
    },
    documents: { stored: known.files, pending: pendingOf(known) },
    disbursement,
    soa: disbursement ? soa : null,
    amortization_schedule: disbursement
      ? { schedule_version: 1, updated_at, frequency: 'WEEKLY', installments: rows }
      : null,
    payments: known.payments,
  }
  return [200, body]
}

// ---- Events of this lender: stored until the platform accepts them, the same bytes with a new signature per try -------------

function tell(known: Case, type: string, data: Json, entity: object = {}): void {
  const isPayment = type === 'PAYMENT_UPDATED'
  const event = {
    ...{ event_version: '2.0', event_id: randomUUID(), event_type: type, occurred_at: now(), sender: me.sender },
    ...{ entity_type: 'CASE', entity_id: known.ref, entity_version: isPayment ? 1 : ++known.sent, ...entity },
    correlation: {
      ...{ external_reference_id: known.ref, celestium_lead_id: known.leadId, celestium_loan_id: known.loanId },
    },
    data,
  }
  state.outbox.push({ id: event.event_id, raw: JSON.stringify(event), tries: 0, dueAt: 0 })
}

async function deliver(event: (typeof state.outbox)[number]): Promise<void> {
  const [{ keyId, secret }] = me.keys
  const sentAt = String(Math.floor(Date.now() / 1000))
  const signature = { 'x-key-id': keyId, 'x-sent-at': sentAt, 'x-signature': macOf(secret, sentAt, event.raw) }
  const headers = { 'content-type': 'application/json', 'idempotency-key': event.id, ...signature }
  const answer = await fetch(webhookUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${me.bearer}`, ...headers },
    body: event.raw,
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null)
  if (answer?.status === 200 || answer?.status === 202) {
    state.outbox = state.outbox.filter(({ id }) => id !== event.id)
    return save()
  }
  // 429, 5xx and silence are tried again; anything else is for people to look at. Nothing is discarded (D3 §6 rule 8).
  const isWorthIt = answer === null || answer.status === 429 || answer.status >= 500
  const delay = isWorthIt ? retrySeconds[event.tries++] : undefined
  const seconds = Math.max(delay ?? 0, Number(answer?.headers.get('retry-after')) || 0)
  event.dueAt = delay === undefined ? null : Date.now() + seconds * 1000
  if (event.dueAt === null) console.error('given up, and kept:', answer?.status, event.raw)
  save()
}

async function deliverAll(): Promise<void> {
  for (;;) {
    for (const event of state.outbox.filter(({ dueAt }) => dueAt !== null && dueAt <= Date.now())) await deliver(event)
    await pause(50)
  }
}

// ---- The server ----------------------------------------------------------------------------------------------------

type Serve = (raw: Buffer, headers: IncomingHttpHeaders, query: URLSearchParams) => Reply | Promise<Reply>
const interfaces: Record<string, { serve: Serve; most: number }> = {
  'POST /dedupe': { serve: dedupe, most: MiB },
  'POST /events': { serve: events, most: 2 * MiB },
  'POST /documents': { serve: documents, most: 251 * MiB },
  'GET /status': { serve: status, most: 0 },
}

/** The `event_id` of an event, else the ID of the request, else null (D3 §7). */
function requestIdOf(raw: Buffer, headers: IncomingHttpHeaders): string | null {
  const [, eventId] = /"event_id":\s*"([^"]+)"/.exec(raw.subarray(0, 4096).toString('utf8')) ?? []
  const ids = [eventId, headers['x-request-id'], headers['idempotency-key']]
  return (ids.find(isUuid) as string | undefined) ?? null
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(String(request.url), home)
  const end = (code: number, body: string, type = 'application/json') =>
    response.writeHead(code, { 'content-type': type }).end(body)
  const [, page, offerId] = /^\/(kfs|terms)\/([0-9a-f-]{36})$/.exec(pathname) ?? []
  const shown = Object.values(state.cases).find(({ offer }) => offerId && offer?.offer_id === offerId)
  if (page && shown) return end(200, JSON.stringify(shown.offer, null, 2), 'text/plain; charset=utf-8')

  let raw = Buffer.alloc(0)
  try {
    const found = interfaces[`${request.method} ${pathname}`]
    if (!found) throw new Refusal(404, 'NOT_FOUND', 'nothing is served here')
    const chunks: Buffer[] = []
    let size = 0
    // What is too large is read to its end, so that the answer arrives, and not kept.
    for await (const chunk of request) {
      size += chunk.length
      if (size <= found.most) chunks.push(chunk)
    }
    raw = Buffer.concat(chunks)
    requireBearer(request.headers)
    if (size > found.most) throw new Refusal(413, 'TOO_LARGE', `at most ${found.most} bytes`)
    const [code, body] = await found.serve(raw, request.headers, searchParams)
    save()
    end(code, JSON.stringify(body))
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error)
    const known = error instanceof Refusal ? error : new Refusal(500, 'INTERNAL_ERROR', 'try again with the same key')
    const fields = known.fields.map((path) => ({ path, message: 'is missing or wrong' }))
    const { status: code, message } = known
    const refusal = { code: known.code, message, retryable: code >= 500, fields }
    end(code, JSON.stringify({ request_id: requestIdOf(raw, request.headers), error: refusal }))
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`lending at ${home}`))

for (const ref of Object.keys(state.cases)) applyAll(ref)
void deliverAll()
