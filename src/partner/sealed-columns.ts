// Every column of the partner with sealed values, and what the values are bound to.
import { type SealedColumn, sealedColumn, sealedMessages } from '#kit/crypto/sealed-column.ts'

export const partnerColumns: SealedColumn[] = [
  ...sealedMessages('case_ref event_id'),
  sealedColumn('stored_document.file_name_sealed', 'case_ref document_reference_id', 'stored_document {document_id}'),
  sealedColumn('case_lead.lead_sealed', 'case_ref', 'case_lead {case_ref}'),
  sealedColumn('case_check.facts_sealed', 'case_ref name', 'case_check {case_ref} {name}'),
  sealedColumn('disbursement.payee_sealed', 'case_ref disbursement_id', 'disbursement {disbursement_id}'),
  sealedColumn('bank_receipt.words_sealed', 'provider receipt_id', 'bank_receipt {receipt_id}'),
]
