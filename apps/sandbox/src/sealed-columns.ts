// Every sealed column of the sandbox, with the context that its values are bound to.
import { type SealedColumn, sealedColumn } from '@lendloom/seal/sealed-column'

export const sandboxColumns: SealedColumn[] = [
  sealedColumn('identity.keys_sealed', 'subscriber_id', 'identity/{subscriber_id}'),
  sealedColumn('conversation.applicant_sealed', 'conversation_id', 'conversation/{conversation_id}/applicant'),
  sealedColumn('conversation.account_sealed', 'conversation_id', 'conversation/{conversation_id}/account'),
  sealedColumn('message.body_sealed', 'conversation_id number', 'message/{conversation_id}/{message_id}'),
  sealedColumn('aa_entity.secret_sealed', 'entity_id', 'aa_entity/{entity_id}/secret'),
  sealedColumn('aa_signer.private_key_sealed', 'entity_id', 'aa_signer/{entity_id}'),
  sealedColumn('aa_consent.detail_sealed', 'handle', 'aa_consent/{handle}/detail'),
  sealedColumn('aa_consent.signed_consent_sealed', 'handle', 'aa_consent/{handle}/signed'),
  sealedColumn('bank_transfer.request_sealed', 'client_reference', 'bank_transfer {client_reference}'),
  sealedColumn('bank_debit.request_sealed', 'reference', 'bank_debit {reference}'),
  sealedColumn('bank_receipt.payer_sealed', 'number', 'bank_receipt {receipt_id}'),
  sealedColumn('verification.request_sealed', 'verification_id', 'verification/{verification_id}/asked'),
  sealedColumn('verification.facts_sealed', 'verification_id', 'verification/{verification_id}/facts'),
  sealedColumn('verification_file.bytes_sealed', 'verification_id kind', 'verification_file/{file_id}'),
  sealedColumn('verification_upload.bytes_sealed', 'sha256', 'verification_upload/{sha256}'),
  sealedColumn('verification_callback.body_sealed', 'event_id', 'verification_callback/{event_id}'),
  sealedColumn('bureau_report.report_sealed', 'report_id', 'bureau_report/{report_id}'),
  sealedColumn('bureau_file.bytes_sealed', 'report_id kind', 'bureau_file/{file_id}'),
  sealedColumn('mailbox_mail.head_sealed', 'mail_id', 'mailbox_mail.head/{mail_id}'),
  sealedColumn('mailbox_mail.message_sealed', 'mail_id', 'mailbox_mail.message/{mail_id}'),
  sealedColumn('sms_message.message_sealed', 'sms_id', 'sms_message/{sms_id}'),
  sealedColumn('mf_request.request_sealed', 'request_id', 'mf_request/{otp_ref}'),
  sealedColumn('pledge.offered_sealed', 'conversation_id', 'pledge/{conversation_id}'),
  sealedColumn('pledge.chosen_sealed', 'conversation_id', 'pledge/{conversation_id}'),
]
