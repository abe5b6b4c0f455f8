// The text of the published document: signing, order of events, and every rule between fields (D3).
import { documentTypes } from './document.ts'
import type { EventType } from './envelope.ts'
import { sign, toleranceSeconds } from './signature.ts'

const signed = {
  secret: 'lendloom-exchange-vector-secret-1',
  sentAt: 1795168800,
  body: '{"event_version":"2.0","event_id":"0190f5a0-0000-7000-8000-000000000001"}',
}
const signature = sign({ ...signed, raw: Buffer.from(signed.body) })

export const about = `
What a platform and a lending partner say to each other of one application: dedupe, documents, events and status at the
partner, and one receiver of the partner’s events at the platform. \`external_reference_id\` is the platform’s name of the
case and the same everywhere.

## Values
Money is a string in rupees with exactly two decimals. Dates are days in Asia/Kolkata; instants are in UTC with \`Z\`. Every
listed key is required unless it says otherwise, and null only where its type says so. Keys that are not listed are additions:
ignore them. Full Aadhaar numbers and bank-login credentials are refused wherever they stand.

## Credentials
Each side is given at onboarding, for each direction: a bearer credential, a key ID with its signing secret, and the
\`sender\` that its events carry. \`Authorization: Bearer <credential>\` is on every request. Up to two signing secrets are
valid at a time, so that one can replace the other.

## Signing events
\`X-Sent-At\` is the Unix time in seconds without a leading zero, \`X-Key-Id\` the ID of the key, and \`X-Signature\` is \`sha256=\` and the
hexadecimal in lower case of HMAC-SHA256, whose key is the UTF-8 bytes of the secret, over \`X-Sent-At\`, one newline (0x0A)
and the exact bytes of the body. A receiver checks it, in constant time, before it reads the body; a send time more than
${toleranceSeconds} seconds away, in the past or ahead, is refused (401). Every try is signed afresh; its body stays the same byte for byte.
To check an implementation:

    secret       ${signed.secret}
    X-Sent-At    ${signed.sentAt}
    body         ${signed.body}
    X-Signature  ${signature}

More, to accept and to refuse, are served at \`/api/partner/signature-vectors.json\` of the platform. \`lendloom exchange conform\`
tries a partner against all of this document, and with \`--platform\` a platform.

## Doing a thing once
\`Idempotency-Key\` is the \`request_id\` or \`event_id\` of the body. The same request under the same key has the same answer
however often it is made: after a timeout, a 429 or a 5xx repeat it with the same key, for an event after 1, 5, 15, 60 and 240
minutes, or after \`Retry-After\` where that is longer. Other content under a used key is 409. Allow 10 seconds for an event.

## The order of events
\`entity_version\` counts from 1, without a gap, what one sender says of one object: of the case (\`entity_type\` CASE, \`entity_id\`
the \`external_reference_id\`) all its events, of each payment (PAYMENT, the \`payment_id\`) its own. Receivers apply by version and
not by arrival: after a gap an event waits, an older one is passed over. 202 says that an event was stored. What becomes of
it is said by an event in return or by Status; what cannot be applied is answered by EVENT_PROCESSING_FAILED, whose version
counts as well, and which is never answered by another. A corrected event has a new \`event_id\` and the next version.

## The way of a case
1. Platform: \`POST /dedupe\`; only \`decision\` PROCEED goes on, to a lead of the same applicant at most 24 hours later.
2. Platform: LEAD_SUBMITTED. Partner: LEAD_REGISTERED, whose \`correlation\` brings \`celestium_lead_id\` and \`celestium_loan_id\`. Every
   later event carries the three IDs. Platform: \`POST /documents\` for each of \`documents_expected\`.
3. Partner, when all of those are stored: MANUAL_REVIEW_DECIDED with the final offer, or a rejection, which ends the case.
4. Platform: OFFER_DECISION_RECORDED. Partner: OFFER_DECISION_CONFIRMED. Status shows the decision too; after ACCEPT either permits KYC.
   REJECT and EXPIRE end the case.
5. Platform: KYC_UPDATED until it is APPROVED and \`verified\`; for \`mode\` VIDEO_AND_MANUAL_REVIEW the partner adds KYC_REVIEW_DECIDED.
   Then MANDATE_UPDATED until ACTIVE and \`verified\`, with a \`maximum_amount\` of at least an installment, and ESIGN_UPDATED until
   COMPLETED and \`verified\`. Platform: \`POST /documents\` for the evidence of KYC (KYC_REPORT, AADHAAR_VERIFICATION_PDF or
   PAN_VERIFICATION_PDF; for a video VKYC_RECORDING) and the SIGNED_LOAN_AGREEMENT; \`document_ids\` names the \`document_id\` of files
   that are stored.
6. Partner: DISBURSEMENT_UPDATED, PENDING and then DISBURSED with the bank’s reference; from then on PAYMENT_UPDATED for every
   attempt and receipt, and LOAN_STATUS_UPDATED. After each the platform reads Status, where alone balances are.
7. Platform: PAYMENT_CLAIM_SUBMITTED when a borrower says that they paid. It changes no balance; PAYMENT_UPDATED answers it.
`.trim()

/** Rules between the fields of each event that its schema cannot express. */
export const eventRules: Record<EventType, string> = {
  LEAD_SUBMITTED:
    'Both partner IDs of `correlation` are null. The consents to submission and data_sharing must be given, bureau unless the ' +
    'bureau FAILED, bank_analysis when banking is COMPLETED. A bureau AVAILABLE needs report_reference_id, pulled_at and score, ' +
    'and its report: in report_data, or as a BUREAU_REPORT in documents_expected; else unavailable_reason. Banking COMPLETED needs ' +
    'analysis_reference_id, analyzed_at, period_from and period_to, and its report: in report_data, or as a BANK_ANALYSIS_REPORT ' +
    'or BANK_STATEMENT in documents_expected; else unavailable_reason. period_to is not before period_from. A gstin has the ' +
    'right check character. No document_reference_id stands twice. bre_decision is not INELIGIBLE. The dedupe must have said ' +
    'PROCEED for this case, pan, mobile and date_of_birth. A second lead of a case makes no second case.',
  LEAD_REGISTERED:
    '`correlation` brings the partner IDs, which stay. documents_pending has references while status is DOCUMENTS_PENDING and none ' +
    'when it is UNDER_REVIEW.',
  MANUAL_REVIEW_DECIDED:
    'APPROVED needs an offer; REJECTED needs offer null, reason_code and reason_message. valid_until is after reviewed_at; ' +
    'net_disbursed_amount is at most loan_amount; total_payable_amount is at least loan_amount and total_interest_amount together, and ' +
    'more than the regular installments before the last, as the last may differ. Other terms have another offer_id. Borrowers open ' +
    'kfs_url and terms_url. An offer above loan_amount of the proposed_offer, or whose apr_percent is not the yearly rate of its ' +
    'payments on net_disbursed_amount (365/7 or 52 times the weekly one, or compounded), is answered by EVENT_PROCESSING_FAILED.',
  OFFER_DECISION_RECORDED:
    'offer_id is that of the newest offer, decided_at not after its valid_until. One decision stands; another for the same offer is ' +
    'answered by EVENT_PROCESSING_FAILED.',
  OFFER_DECISION_CONFIRMED: 'source_event_id is the event_id of the OFFER_DECISION_RECORDED.',
  KYC_UPDATED:
    'Only after an accepted offer. verified is true only when the provider itself confirmed APPROVED. REJECTED, TERMINATED and ' +
    'EXPIRED need a reason_code. document_ids are those of stored files. Another attempt has another provider_reference_id; there is none ' +
    'after APPROVED.',
  KYC_REVIEW_DECIDED:
    'provider_reference_id is that of the newest KYC_UPDATED. It does not replace the provider’s word: both must approve.',
  MANDATE_UPDATED:
    'Only after a verified KYC. ACTIVE needs umrn, maximum_amount, frequency, valid_from and valid_until. verified is true only when ' +
    'the provider itself confirmed ACTIVE. valid_until is not before valid_from. REJECTED and EXPIRED need a reason_code. ' +
    'Another attempt has another provider_reference_id, and replaces the mandate before it.',
  ESIGN_UPDATED:
    'Only after a verified KYC. verified is true only when the provider itself confirmed COMPLETED. EXPIRED and FAILED need a ' +
    'reason_code. document_ids may be empty while the signed file is being uploaded. Another attempt has another ' +
    'provider_reference_id; there is none after COMPLETED.',
  DISBURSEMENT_UPDATED: 'bank_reference is required when status is DISBURSED and null while it is PENDING.',
  PAYMENT_CLAIM_SUBMITTED: 'Only for a disbursed loan. document_ids names stored PAYMENT_SCREENSHOT files, or none.',
  PAYMENT_UPDATED:
    '`entity_type` is PAYMENT and `entity_id` the payment_id. FAILED needs a reason_code. A reversal is a payment of its own: REVERSED, ' +
    'its amount positive, reversal_of_payment_id the receipt that it takes back.',
  LOAN_STATUS_UPDATED: 'A Status of this snapshot_version, or a later one, can be read.',
  EVENT_PROCESSING_FAILED:
    'source_event_id is the event that could not be applied. Both partner IDs are null when that was before the lead was registered, ' +
    'and it is never sent about another of its kind. VALIDATION_ERROR: its content; IDENTITY_CONFLICT: its IDs are not those of the case, ' +
    'or were used before; STALE_OFFER: an offer that is not the newest, or has expired; INVALID_STATE: the case is not waiting for it; ' +
    'PROCESSING_ERROR: anything else.',
}

/** D3 §4.1. */
export const dedupeRules =
  'A business decline is 200; the same request gives the saved check; a fresh one needs a new request_id. match_status ' +
  'AMBIGUOUS always has decision REVIEW_REQUIRED; NO_MATCH has both existing IDs null. request_id and external_reference_id are ' +
  'those of the request. Only PROCEED goes on; a timeout is no permission.'

const limits = Object.entries(documentTypes)
  .map(([type, { contentTypes, maxBytes }]) => `| ${type} | ${contentTypes.join(', ')} | ${maxBytes / 2 ** 20} MiB |`)
  .join('\n')

/** D3 §4.3. */
export const documentRules = `Only when both partner IDs are known. STORED is said after validation and durable storage. Send the fields before
the file, and the file as its bytes with a file name and its own Content-Type; its content is looked at too. The same request_id
with other fields or bytes is 409, and so is a document_reference_id that has a file: another file has another one.
document_reference_id is an entry of documents_expected, with its type, or a new name for what came later.

| document_type | content | at most |
|---|---|---|
${limits}`

/** D3 §4.4. */
export const statusRules = `Every section is of the same snapshot_version, which never goes back; all times are those of the lender’s own changes and none
is later than snapshot_at. A platform believes a snapshot only when it agrees with itself:
- Both partner IDs are there, except in RECEIVED, REJECTED and EXPIRED. \`request_id\` is the X-Request-Id.
- documents: nothing stored is pending, nothing is stored twice; DOCUMENTS_PENDING has something pending.
- offer: null before review; needed from OFFERED on; ACCEPT from OFFER_ACCEPTED on. source_event_id and recorded_at are null while
  decision is PENDING, and both there for ACCEPT; source_event_id is the event_id of the OFFER_DECISION_RECORDED.
- READY_TO_DISBURSE, DISBURSEMENT_PENDING and DISBURSED: kyc APPROVED, esign COMPLETED, nothing pending, a SIGNED_LOAN_AGREEMENT stored
  and a KYC_REPORT, AADHAAR_VERIFICATION_PDF, PAN_VERIFICATION_PDF or VKYC_RECORDING.
- disbursement: null before there is a transfer; DISBURSED, with a bank_reference, exactly when case_status is.
- loan_status is NOT_CREATED or CANCELLED until then. loan_account_id, soa and amortization_schedule are there together, needed for
  ACTIVE, OVERDUE and CLOSED, null for NOT_CREATED; payments are empty without them. CLOSED has nothing outstanding, OVERDUE something overdue.
- soa: total_outstanding is principal, interest, penalty and charges outstanding together; total_overdue is not more.
- schedule version 1 has all 22 rows; they are numbered from 1, due dates rise, no installment_id stands twice. Of each row amount is
  principal, interest and charges together, and paid_amount and unpaid_amount together; DUE: nothing paid and something unpaid;
  PART_PAID: some of both; PAID: nothing unpaid; OVERDUE: something unpaid.
- payments: no payment_id twice; FAILED has a reason_code; REVERSED names a payment of the same snapshot in reversal_of_payment_id.

Nothing that has to do with money rests on a snapshot older than 15 minutes.`

/** D3 §7. */
export const errorRules = `Every refusal has this body. request_id is the event_id of an event that can be read, else the X-Request-Id, else
the Idempotency-Key, else null. \`fields\` has every wrong field by its path, such as data.borrower.pan, and is empty when no field is to blame.

| status | code | |
|---|---|---|
| 400 | VALIDATION_ERROR | not readable |
| 401 | UNAUTHORIZED | bearer or signature |
| 403 | FORBIDDEN | the sender of another credential, a type of the other side, a case of another platform |
| 404, 405 | NOT_FOUND | unknown reference, address or method |
| 409 | CONFLICT | key used with other content, or the case is not in the state for it; retryable while the same request is still running |
| 413 | TOO_LARGE | |
| 415 | UNSUPPORTED_MEDIA | |
| 422 | VALIDATION_ERROR | a field is wrong |
| 429 | RATE_LIMITED | after Retry-After with the same key |
| 5xx | INTERNAL_ERROR | later with the same key |`
