// Every column with sealed values, and what the values are bound to: what `lendloom keys reseal` goes through.
import type { Program } from '#cli/database.ts'
import type { SealedColumn } from '#kit/reseal.ts'

/** `table.column`, or `table.column.field` of a JSON column; the columns of the primary key; what the values are bound to. */
function column(name: string, key: string, context: string): SealedColumn {
  const [table, column, field] = name.split('.') as [string, string, string?]
  return { table, column, ...(field !== undefined && { field }), key: key.split(' '), context }
}

const journey = 'tenant_id journey_id'
const partnerCase = 'tenant_id case_ref'
const check = 'tenant_id case_ref kind attempt'
const document = 'tenant_id case_ref document_reference_id'
const message = 'tenant_id journey_id message_key'
const delivery = 'tenant_id application_id delivery_id'

const messages = (key: string): SealedColumn[] => [
  column('inbox.body_sealed', 'sender event_id', 'inbox/{sender}/{event_id}'),
  column('outbox.body_sealed', key, 'outbox/{case_ref}/{event_id}'),
]

export const sealedColumns: Record<Program, SealedColumn[]> = {
  platform: [
    column(
      'idempotency.outcome_sealed',
      'tenant_id principal operation key',
      'idempotency:{tenant_id}:{principal}:{operation}:{key}',
    ),
    column('journey.callback_url_sealed', journey, 'journey.callback:{tenant_id}:{journey_id}'),
    column('journey.return_url_sealed', journey, 'journey.return:{tenant_id}:{journey_id}'),
    column('lifecycle_event.payload_sealed', `${journey} status`, 'lifecycle_event:{tenant_id}:{journey_id}:{status}'),
    column('webhook_endpoint.secret_sealed', 'tenant_id endpoint_id', 'webhook_endpoint:{tenant_id}:{endpoint_id}'),
    column('webhook_endpoint.old_secret_sealed', 'tenant_id endpoint_id', 'webhook_endpoint:{tenant_id}:{endpoint_id}'),
    column('webhook_delivery.callback_url_sealed', delivery, 'webhook_delivery.callback_url:{tenant_id}:{journey_id}'),
    column('webhook_delivery.body_sealed', delivery, 'webhook_delivery:{tenant_id}:{journey_id}:{sequence}'),
    column('profile.profile_sealed', journey, 'profile:{tenant_id}:{journey_id}'),
    column('consent.ip_sealed', `${journey} consent_id`, 'consent:{tenant_id}:{consent_id}'),
    column('consent_withdrawal.ip_sealed', `${journey} consent_id`, 'consent_withdrawal.ip:{tenant_id}:{journey_id}'),
    ...['url', 'headers', 'body', 'answer'].map((part) =>
      column(
        `network_message.${part}_sealed`,
        message,
        `network_message.${part}:{tenant_id}:{journey_id}:{message_key}`,
      ),
    ),
    column('happening.detail_sealed', `${journey} happening_id`, 'happening:{tenant_id}:{journey_id}:{happening_id}'),
    column('step.bank_sealed', `${journey} name`, 'step.bank:{tenant_id}:{journey_id}'),
    column('borrower.prefill_sealed', 'tenant_id borrower_id', 'borrower.prefill:{tenant_id}:{borrower_id}'),
    column('journey_note.metadata_sealed', journey, 'journey_note:{tenant_id}:{journey_id}'),
    column(
      'aa_session.aa_id_sealed',
      `${journey} aa_session_id`,
      'aa_session.aa_id:{tenant_id}:{journey_id}:{aa_session_id}',
    ),
    ...messages('tenant_id case_ref event_id'),
    ...['dedupe', 'evidence', 'snapshot'].map((what) =>
      column(`partner_case.${what}_sealed`, partnerCase, `partner_case.${what}:{tenant_id}:{case_ref}`),
    ),
    ...['url', 'result'].map((what) =>
      column(`partner_check.${what}_sealed`, check, `partner_check.${what}:{tenant_id}:{case_ref}:{kind}:{attempt}`),
    ),
    ...['bytes', 'source'].map((what) =>
      column(
        `partner_document.${what}_sealed`,
        document,
        `partner_document.${what}:{tenant_id}:{case_ref}:{document_reference_id}`,
      ),
    ),
    column('hybrid_prefill.prefill_sealed', journey, 'hybrid_prefill:{tenant_id}:{journey_id}'),
    column('portfolio.mfc_sealed', journey, 'portfolio:{tenant_id}:{journey_id}'),
    // What waits to be sent lies in the queue.
    column('job.payload.answers', 'tenant_id job_id', 'network_form:{tenant_id}:{payload.formKey}'),
    column('job.payload.claim', 'tenant_id job_id', 'partner_claim:{payload.operationId}'),
  ],
  partner: [
    ...messages('case_ref event_id'),
    column('stored_document.file_name_sealed', 'case_ref document_reference_id', 'stored_document {document_id}'),
    column('case_lead.lead_sealed', 'case_ref', 'case_lead {case_ref}'),
    column('case_check.facts_sealed', 'case_ref name', 'case_check {case_ref} {name}'),
    column('disbursement.payee_sealed', 'case_ref disbursement_id', 'disbursement {disbursement_id}'),
    column('bank_receipt.words_sealed', 'provider receipt_id', 'bank_receipt {receipt_id}'),
  ],
  sandbox: [
    column('identity.keys_sealed', 'subscriber_id', 'identity/{subscriber_id}'),
    column('conversation.applicant_sealed', 'conversation_id', 'conversation/{conversation_id}/applicant'),
    column('conversation.account_sealed', 'conversation_id', 'conversation/{conversation_id}/account'),
    column('message.body_sealed', 'conversation_id number', 'message/{conversation_id}/{message_id}'),
    column('aa_entity.secret_sealed', 'entity_id', 'aa_entity/{entity_id}/secret'),
    column('aa_signer.private_key_sealed', 'entity_id', 'aa_signer/{entity_id}'),
    column('aa_consent.detail_sealed', 'handle', 'aa_consent/{handle}/detail'),
    column('aa_consent.signed_consent_sealed', 'handle', 'aa_consent/{handle}/signed'),
    column('bank_transfer.request_sealed', 'client_reference', 'bank_transfer {client_reference}'),
    column('bank_debit.request_sealed', 'reference', 'bank_debit {reference}'),
    column('bank_receipt.payer_sealed', 'number', 'bank_receipt {receipt_id}'),
    column('verification.asked_sealed', 'verification_id', 'verification/{verification_id}/asked'),
    column('verification.facts_sealed', 'verification_id', 'verification/{verification_id}/facts'),
    column('verification_file.bytes_sealed', 'verification_id kind', 'verification_file/{file_id}'),
    column('verification_upload.bytes_sealed', 'sha256', 'verification_upload/{sha256}'),
    column('verification_callback.body_sealed', 'event_id', 'verification_callback/{event_id}'),
    column('bureau_report.report_sealed', 'report_id', 'bureau_report/{report_id}'),
    column('bureau_file.bytes_sealed', 'report_id kind', 'bureau_file/{file_id}'),
    column('pledge.offered_sealed', 'conversation_id', 'pledge/{conversation_id}'),
    column('pledge.chosen_sealed', 'conversation_id', 'pledge/{conversation_id}'),
  ],
}
