// All sealed columns of the partner, with the context to which each value is bound.
import { type SealedColumn, sealedColumn, sealedMessages } from '@lendloom/seal/sealed-column'

const person = 'tenant_id person_id'

export const partnerColumns: SealedColumn[] = [
  ...sealedMessages('case_ref event_id'),
  sealedColumn('archive_key.key_sealed', 'case_ref', 'archive_key:{case_ref}'),
  sealedColumn('stored_document.file_name_sealed', 'case_ref document_reference_id', 'stored_document {document_id}'),
  sealedColumn('case_lead.lead_sealed', 'case_ref', 'case_lead {case_ref}'),
  sealedColumn('case_bank_review.review_sealed', 'case_ref', 'case_bank_review:{case_ref}'),
  sealedColumn('case_check.facts_sealed', 'case_ref name', 'case_check {case_ref} {name}'),
  sealedColumn('dedupe_review.applicant_sealed', 'review_id', 'dedupe_review {review_id}'),
  sealedColumn('name_review.names_sealed', 'case_ref names_digest', 'name_review {case_ref}'),
  sealedColumn('disbursement.payee_sealed', 'case_ref disbursement_id', 'disbursement {disbursement_id}'),
  sealedColumn('account_change.account_sealed', 'case_ref number', 'account_change {case_ref}'),
  sealedColumn('refund.payee_sealed', 'case_ref refund_id', 'refund {refund_id}'),
  sealedColumn('receipt_return.payee_sealed', 'return_id', 'receipt_return {return_id}'),
  sealedColumn('receipt_return_proposal.account_sealed', 'proposal_id', 'receipt_return_proposal {proposal_id}'),
  sealedColumn('approval_request.payload_sealed', 'case_ref request_id', 'approval_request {request_id}'),
  sealedColumn('bank_statement_line.words_sealed', 'statement_id line', 'bank_statement {statement_id} {line}'),
  sealedColumn('contact_note.text_sealed', 'case_ref note_id', 'contact_note {note_id}'),
  sealedColumn('case_note.text_sealed', 'case_ref note_id', 'case_note {note_id}'),
  sealedColumn('case_task.text_sealed', 'case_ref task_id', 'case_task {task_id}'),
  ...['totp', 'totp_pending'].map((which) =>
    sealedColumn(`person_totp.${which}_sealed`, person, 'person_totp:{tenant_id}:{person_id}'),
  ),
  sealedColumn('person_session.client_sealed', 'tenant_id session_id', 'person_session:{tenant_id}:{session_id}'),
  sealedColumn('sign_in_failure.detail_sealed', 'tenant_id failure_id', 'sign_in_failure:{tenant_id}:{failure_id}'),
  sealedColumn('bank_receipt.words_sealed', 'provider receipt_id', 'bank_receipt {receipt_id}'),
]
