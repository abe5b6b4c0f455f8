// Prose of the published OpenAPI document: signing, order of events, rules between fields (D3).
import { isOneOf } from '@lendloom/foundation/record'
import { documentTypes } from './document.ts'
import type { EventType } from './envelope.ts'
import { sign, toleranceSeconds } from './signature.ts'

const example = {
  secret: 'lendloom-exchange-vector-secret-1',
  sentAt: 1795168800,
  body: '{"event_version":"2.0","event_id":"0190f5a0-0000-7000-8000-000000000001"}',
}
const signature = sign({ ...example, raw: Buffer.from(example.body) })

export const about = `
The interfaces of a platform and a lending partner for one application: dedupe, documents, events and status at the partner,
and one receiver of the partner’s events at the platform. \`external_reference_id\` is the platform’s name of the case and
the same everywhere.

## Values
Money is a string in rupees with exactly two decimals. Dates are days in Asia/Kolkata; instants are in UTC with \`Z\`. Every
listed key is required unless its description says otherwise, and null only if its type allows it. Ignore unlisted keys: they
are additions. Full Aadhaar numbers and bank-login credentials are refused in any field.

## Credentials
At onboarding the sides agree, for each direction, on a bearer credential, a key ID with its signing secret, and the \`sender\`
of the events. Every request has \`Authorization: Bearer <credential>\`. Up to two signing secrets are valid at a time, for
rotation.

## Signing events
\`X-Sent-At\` is the Unix time in seconds without a leading zero, \`X-Key-Id\` the ID of the key, and \`X-Signature\` is \`sha256=\`
and the lower-case hexadecimal of HMAC-SHA256 over \`X-Sent-At\`, one newline (0x0A) and the exact bytes of the body. The key is
the UTF-8 bytes of the secret. A receiver verifies it in constant time before it parses the body, and refuses (401) a send time
that differs from its clock by more than ${toleranceSeconds} seconds. Each try has a new signature over the same bytes.
To check an implementation:

    secret       ${example.secret}
    X-Sent-At    ${example.sentAt}
    body         ${example.body}
    X-Signature  ${signature}

The platform serves more valid and invalid examples at \`/api/partner/signature-vectors.json\`. \`lendloom exchange conform\`
tests a partner against this document, and with \`--platform\` a platform.

## Idempotency
\`Idempotency-Key\` is the \`request_id\` or \`event_id\` of the body. Repeating a request with the same key returns the same answer.
After a timeout, a 429 or a 5xx retry with the same key; retry an event after 1, 5, 15, 60 and 240 minutes, or after a longer
\`Retry-After\`. Other content with a used key returns 409. Allow 10 seconds for an event.

## Order of events
\`entity_version\` numbers the events of one sender about one object from 1 without a gap: those of the case (\`entity_type\` CASE,
\`entity_id\` the \`external_reference_id\`), and those of each payment (PAYMENT, the \`payment_id\`). Receivers apply events by version
instead of arrival: an event after a gap waits, an older one is skipped. 202 means that an event was stored. An event in return,
or Status, shows its effect. An event that cannot be applied is answered by EVENT_PROCESSING_FAILED, which has a version too and
is never answered by another. A corrected event has a new \`event_id\` and the next version.

## Lifecycle of a case
1. Platform: \`POST /dedupe\`; only \`decision\` PROCEED permits a lead, of the same applicant within 24 hours.
2. Platform: LEAD_SUBMITTED. Partner: LEAD_REGISTERED, whose \`correlation\` has \`celestium_lead_id\` and \`celestium_loan_id\`. Every
   later event carries the three IDs. Platform: \`POST /documents\` for each of \`documents_expected\`.
3. Partner, when all of those are stored: MANUAL_REVIEW_DECIDED with the final offer or a rejection, which ends the case.
4. Platform: OFFER_DECISION_RECORDED. Partner: OFFER_DECISION_CONFIRMED. Status shows the decision too; either permits KYC after ACCEPT.
   REJECT and EXPIRE end the case.
5. Platform: KYC_UPDATED until it is APPROVED and \`verified\`; for \`mode\` VIDEO_AND_MANUAL_REVIEW the partner adds KYC_REVIEW_DECIDED.
   Then MANDATE_UPDATED until ACTIVE and \`verified\`, with a \`maximum_amount\` of at least an installment, and ESIGN_UPDATED until
   COMPLETED and \`verified\`. Platform: \`POST /documents\` for the evidence of KYC (KYC_REPORT, AADHAAR_VERIFICATION_PDF or
   PAN_VERIFICATION_PDF; for a video VKYC_RECORDING) and the SIGNED_LOAN_AGREEMENT; \`document_ids\` has the \`document_id\` of stored
   files.
6. Partner: DISBURSEMENT_UPDATED, PENDING and then DISBURSED with the bank’s reference; then PAYMENT_UPDATED for every attempt
   and receipt, and LOAN_STATUS_UPDATED. After each the platform reads Status, the only source of balances.
7. Platform: PAYMENT_CLAIM_SUBMITTED when a borrower claims a payment. It changes no balance; PAYMENT_UPDATED answers it.
`.trim()

/** Rules between the fields of each event that its schema cannot express. */
export const eventRules: Record<EventType, string> = {
  LEAD_SUBMITTED:
    'Both partner IDs of `correlation` are null. The consents submission and data_sharing are required, bureau unless the bureau ' +
    'FAILED, bank_analysis if banking is COMPLETED. A bureau AVAILABLE requires report_reference_id, pulled_at, score and a report: ' +
    'in report_data, or as a BUREAU_REPORT in documents_expected; otherwise unavailable_reason is required. Banking COMPLETED ' +
    'requires analysis_reference_id, analyzed_at, period_from, period_to and a report: in report_data, or as a ' +
    'BANK_ANALYSIS_REPORT or BANK_STATEMENT in documents_expected; otherwise unavailable_reason is required. period_to is not before ' +
    'period_from. A gstin has a valid check character. Each document_reference_id occurs once. bre_decision is not INELIGIBLE. The ' +
    'dedupe returned PROCEED for this case, pan, mobile and date_of_birth. A second lead of a case does not create another case.',
  LEAD_REGISTERED:
    '`correlation` has the partner IDs, which never change. documents_pending has references if status is DOCUMENTS_PENDING, and is ' +
    'empty if it is UNDER_REVIEW.',
  MANUAL_REVIEW_DECIDED:
    'APPROVED requires an offer; REJECTED requires offer null, reason_code and reason_message. valid_until is after reviewed_at. ' +
    'net_disbursed_amount is at most loan_amount. total_payable_amount is at least the sum of loan_amount and ' +
    'total_interest_amount, and more than the regular installments before the last, which may differ. Other terms have another ' +
    'offer_id. Borrowers open kfs_url and terms_url. The platform answers with EVENT_PROCESSING_FAILED if the offer exceeds ' +
    'loan_amount of the proposed_offer, or if apr_percent is not the yearly rate of its payments on net_disbursed_amount (365/7 or ' +
    '52 times the weekly one, or compounded).',
  OFFER_DECISION_RECORDED:
    'offer_id is that of the newest offer, and decided_at is not after its valid_until. An offer has one decision; another one is ' +
    'answered by EVENT_PROCESSING_FAILED.',
  OFFER_DECISION_CONFIRMED: 'source_event_id is the event_id of the OFFER_DECISION_RECORDED.',
  KYC_UPDATED:
    'Only after an accepted offer. verified is true only if the provider itself confirmed APPROVED; without it, APPROVED changes ' +
    'nothing, and Status does not show it. REJECTED, TERMINATED and EXPIRED require a reason_code. document_ids are those of ' +
    'stored files. Another attempt has another provider_reference_id; there is none after a verified APPROVED.',
  KYC_REVIEW_DECIDED:
    'provider_reference_id is that of the newest KYC_UPDATED. The review does not replace the provider’s result: both must approve.',
  MANDATE_UPDATED:
    'Only after a verified KYC. ACTIVE requires umrn, maximum_amount, frequency, valid_from and valid_until. verified is true only ' +
    'if the provider itself confirmed ACTIVE; without it, ACTIVE changes nothing, and Status does not show it. valid_until is not ' +
    'before valid_from. REJECTED and EXPIRED require a reason_code. Another attempt has another provider_reference_id, and ' +
    'replaces the previous mandate.',
  ESIGN_UPDATED:
    'Only after a verified KYC. verified is true only if the provider itself confirmed COMPLETED; without it, COMPLETED changes ' +
    'nothing, and Status does not show it. EXPIRED and FAILED require a reason_code. document_ids may be empty during the upload ' +
    'of the signed file. Another attempt has another provider_reference_id; there is none after a verified COMPLETED.',
  DISBURSEMENT_UPDATED: 'bank_reference is required if status is DISBURSED, and null if it is PENDING.',
  PAYMENT_CLAIM_SUBMITTED: 'Only for a disbursed loan. document_ids has stored PAYMENT_SCREENSHOT files, or none.',
  PAYMENT_UPDATED:
    '`entity_type` is PAYMENT and `entity_id` the payment_id. FAILED requires a reason_code. A reversal is a separate payment: ' +
    'REVERSED, with a positive amount, and reversal_of_payment_id of the reversed receipt.',
  LOAN_STATUS_UPDATED: 'A Status of this snapshot_version or a later one is available.',
  EVENT_PROCESSING_FAILED:
    'source_event_id is the event that could not be applied, never another EVENT_PROCESSING_FAILED. Both partner IDs are null ' +
    'before the lead was registered. VALIDATION_ERROR: invalid content; IDENTITY_CONFLICT: IDs that are not those of the case, or ' +
    'were used before; STALE_OFFER: an offer that is not the newest or has expired; INVALID_STATE: the case does not wait for this ' +
    'event; PROCESSING_ERROR: any other reason.',
}

/** D3 §4.1. */
export const dedupeRules =
  'A decline returns 200. The same request returns the stored check; a new check needs a new request_id. match_status ' +
  'AMBIGUOUS always has decision REVIEW_REQUIRED; NO_MATCH has both existing IDs null. request_id and external_reference_id are ' +
  'those of the request. Only PROCEED permits a lead; a timeout does not.'

const limits = Object.entries(documentTypes)
  .map(([type, { contentTypes, maxBytes, mayHaveOwnerPassword }]) => {
    const ownerPassword = isOneOf<string>(contentTypes, 'application/pdf') ? (mayHaveOwnerPassword ? 'yes' : 'no') : ''
    return `| ${type} | ${contentTypes.join(', ')} | ${maxBytes / 2 ** 20} MiB | ${ownerPassword} |`
  })
  .join('\n')

/** D3 §4.3. */
export const documentRules = `Only when both partner IDs are known. STORED means validated and durably stored. Send the fields before the file, and
the file as bytes with a file name and its own Content-Type; its content is checked too. The same request_id with other fields or
bytes returns 409, as does a document_reference_id that already has a file. document_reference_id is an entry of
documents_expected, with its type, or a new name for a later document. A PDF must open without a password. Whether it may have
an owner password, which only forbids to print or change it, depends on the type.

| document_type | content | at most | owner password |
|---|---|---|---|
${limits}`

/** D3 §4.4. */
export const statusRules = `All sections have the same snapshot_version, which never decreases. All times are those of the lender’s own changes, none
later than snapshot_at. A platform accepts a snapshot only if it is consistent:
- Both partner IDs are set, except in RECEIVED, REJECTED and EXPIRED. \`request_id\` is the X-Request-Id.
- documents: no stored document is pending or stored twice; DOCUMENTS_PENDING has a pending document.
- offer: null before review; required from OFFERED on; ACCEPT from OFFER_ACCEPTED on. source_event_id and recorded_at are null if
  decision is PENDING, and set for ACCEPT; source_event_id is the event_id of the OFFER_DECISION_RECORDED.
- READY_TO_DISBURSE, DISBURSEMENT_PENDING and DISBURSED: kyc APPROVED, esign COMPLETED, nothing pending, a SIGNED_LOAN_AGREEMENT stored
  and a KYC_REPORT, AADHAAR_VERIFICATION_PDF, PAN_VERIFICATION_PDF or VKYC_RECORDING.
- disbursement: null before a transfer; DISBURSED, with a bank_reference, exactly when case_status is.
- loan_status is NOT_CREATED or CANCELLED until then. loan_account_id, soa and amortization_schedule are set together: required for
  ACTIVE, OVERDUE and CLOSED, null for NOT_CREATED; payments are empty without them. CLOSED has no outstanding amount, OVERDUE an overdue one.
- soa: total_outstanding is the sum of outstanding principal, interest, penalty and charges; total_overdue is at most that.
- schedule: version 1 has all 22 rows, numbered from 1, with increasing due dates and unique installment_ids. In each row amount is
  the sum of principal, interest and charges, and of paid_amount and unpaid_amount. DUE: nothing paid, an unpaid amount;
  PART_PAID: both; PAID: nothing unpaid; OVERDUE: an unpaid amount.
- payments: payment_ids are unique; FAILED has a reason_code; REVERSED names a payment of the same snapshot in reversal_of_payment_id.

No decision about money may use a snapshot older than 15 minutes.`

/** D3 §7. */
export const errorRules = `Every error has this body. request_id is the event_id of a readable event, else the X-Request-Id, else the
Idempotency-Key, else null. \`fields\` has each invalid field by its path, such as data.borrower.pan, and is empty for other errors.

| status | code | |
|---|---|---|
| 400 | VALIDATION_ERROR | cannot be parsed |
| 401 | UNAUTHORIZED | bearer or signature |
| 403 | FORBIDDEN | the sender of another credential, a type of the other side, a case of another platform |
| 404, 405 | NOT_FOUND | unknown reference, path or method |
| 409 | CONFLICT | key reused with other content, or wrong state of the case; retryable while the same request is still running |
| 413 | TOO_LARGE | |
| 415 | UNSUPPORTED_MEDIA | |
| 422 | VALIDATION_ERROR | a field is invalid |
| 429 | RATE_LIMITED | retry after Retry-After with the same key |
| 5xx | INTERNAL_ERROR | retry later with the same key |`
