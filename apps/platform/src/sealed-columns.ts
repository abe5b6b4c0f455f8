// Lists every column of the platform that contains sealed values: the column, the primary key of its table, and the
// context that a value is bound to. A value cannot be opened with another context.

import type { PlainColumn } from '@lendloom/postgres/seal-plain'
import { type SealedColumn, sealedColumn, sealedMessages } from '@lendloom/seal/sealed-column'

// The primary keys of the tables that have more than one sealed column. A table that is distributed over servers has
// `bucket` in its key.
const journey = 'tenant_id journey_id bucket'
const person = 'tenant_id person_id'
const partnerCase = 'tenant_id case_ref bucket'
const check = 'tenant_id case_ref kind attempt bucket'
const statement = 'tenant_id case_ref attempt bucket'
const document = 'tenant_id case_ref document_reference_id bucket'
const message = 'tenant_id journey_id message_key bucket'
const delivery = 'tenant_id application_id delivery_id bucket'

const plainColumn = (plain: string, sealed: SealedColumn): PlainColumn => ({ plain, sealed })
const stepPage = plainColumn(
  'resource_url',
  sealedColumn(
    'step.resource_url_sealed',
    'tenant_id journey_id name bucket',
    'step.resource_url:{tenant_id}:{journey_id}:{name}',
  ),
)
const paymentPage = plainColumn(
  'url',
  sealedColumn(
    'servicing.url_sealed',
    'tenant_id journey_id operation_id bucket',
    'servicing.url:{tenant_id}:{journey_id}:{operation_id}',
  ),
)
const conversation = 'tenant_id journey_id conversation_id bucket'
// A form may be sent again in another conversation, so its address is bound to the journey.
const formContext = 'conversation.form_url:{tenant_id}:{journey_id}'
const lenderForm = plainColumn('form_url', sealedColumn('conversation.form_url_sealed', conversation, formContext))
const profileForm = plainColumn(
  'profile_form_url',
  sealedColumn('conversation.profile_form_url_sealed', conversation, formContext),
)

/** Addresses of pages of lenders and providers, which earlier versions stored in clear. They open without sign-in. */
export const plainLinks: PlainColumn[] = [stepPage, paymentPage, lenderForm, profileForm]

/** All sealed columns, by which values are sealed again under a new key. */
export const platformColumns: SealedColumn[] = [
  sealedColumn(
    'idempotency.outcome_sealed',
    'tenant_id principal operation key',
    'idempotency:{tenant_id}:{principal}:{operation}:{key}',
  ),
  sealedColumn('journey.callback_url_sealed', journey, 'journey.callback:{tenant_id}:{journey_id}'),
  sealedColumn('journey.return_url_sealed', journey, 'journey.return:{tenant_id}:{journey_id}'),
  sealedColumn(
    'lifecycle_event.payload_sealed',
    'tenant_id journey_id status bucket',
    'lifecycle_event:{tenant_id}:{journey_id}:{status}',
  ),
  sealedColumn('webhook_endpoint.secret_sealed', 'tenant_id endpoint_id', 'webhook_endpoint:{tenant_id}:{endpoint_id}'),
  sealedColumn(
    'webhook_endpoint.old_secret_sealed',
    'tenant_id endpoint_id',
    'webhook_endpoint:{tenant_id}:{endpoint_id}',
  ),
  sealedColumn('watched_loan.state_sealed', journey, 'watched_loan.state:{tenant_id}:{journey_id}'),
  sealedColumn(
    'webhook_endpoint.access_sealed',
    'tenant_id endpoint_id',
    'webhook_endpoint.access:{tenant_id}:{endpoint_id}',
  ),
  sealedColumn(
    'webhook_delivery.callback_url_sealed',
    delivery,
    'webhook_delivery.callback_url:{tenant_id}:{journey_id}',
  ),
  sealedColumn('webhook_delivery.body_sealed', delivery, 'webhook_delivery:{tenant_id}:{journey_id}:{sequence}'),
  sealedColumn('staff_note.text_sealed', 'tenant_id journey_id note_id bucket', 'staff_note:{tenant_id}:{note_id}'),
  sealedColumn('api_request.bodies_sealed', 'tenant_id request_id', 'api_request:{tenant_id}:{request_id}'),
  sealedColumn(
    'webhook_try.answer_sealed',
    'tenant_id application_id delivery_id number bucket',
    'webhook_try:{tenant_id}:{delivery_id}',
  ),
  sealedColumn('profile.profile_sealed', journey, 'profile:{tenant_id}:{journey_id}'),
  sealedColumn('consent.ip_sealed', 'tenant_id journey_id consent_id bucket', 'consent:{tenant_id}:{consent_id}'),
  sealedColumn(
    'consent_withdrawal.ip_sealed',
    'tenant_id journey_id consent_id bucket',
    'consent_withdrawal.ip:{tenant_id}:{journey_id}',
  ),
  ...['url', 'headers', 'body', 'answer'].map((part) =>
    sealedColumn(
      `network_message.${part}_sealed`,
      message,
      `network_message.${part}:{tenant_id}:{journey_id}:{message_key}`,
    ),
  ),
  sealedColumn(
    'inbound_message.detail_sealed',
    'tenant_id journey_id inbound_message_id bucket',
    'inbound_message:{tenant_id}:{journey_id}:{inbound_message_id}',
  ),
  stepPage.sealed,
  paymentPage.sealed,
  lenderForm.sealed,
  profileForm.sealed,
  sealedColumn('step.bank_sealed', 'tenant_id journey_id name bucket', 'step.bank:{tenant_id}:{journey_id}'),
  sealedColumn('borrower.prefill_sealed', 'tenant_id borrower_id bucket', 'borrower.prefill:{tenant_id}:{borrower_id}'),
  sealedColumn('journey_note.metadata_sealed', journey, 'journey_note:{tenant_id}:{journey_id}'),
  sealedColumn(
    'aa_session.aa_id_sealed',
    'tenant_id journey_id aa_session_id bucket',
    'aa_session.aa_id:{tenant_id}:{journey_id}:{aa_session_id}',
  ),
  ...sealedMessages('tenant_id case_ref event_id'),
  sealedColumn(
    'lending_partner.credentials_sealed',
    'tenant_id partner_id',
    'lending_partner:{tenant_id}:{partner_id}',
  ),
  ...['dedupe', 'evidence', 'snapshot'].map((what) =>
    sealedColumn(`partner_case.${what}_sealed`, partnerCase, `partner_case.${what}:{tenant_id}:{case_ref}`),
  ),
  ...['url', 'result'].map((what) =>
    sealedColumn(
      `partner_check.${what}_sealed`,
      check,
      `partner_check.${what}:{tenant_id}:{case_ref}:{kind}:{attempt}`,
    ),
  ),
  ...['url', 'report'].map((what) =>
    sealedColumn(
      `partner_statement.${what}_sealed`,
      statement,
      `partner_statement.${what}:{tenant_id}:{case_ref}:{attempt}`,
    ),
  ),
  ...['bytes', 'source'].map((what) =>
    sealedColumn(
      `partner_document.${what}_sealed`,
      document,
      `partner_document.${what}:{tenant_id}:{case_ref}:{document_reference_id}`,
    ),
  ),
  sealedColumn(
    'offer.documents_sealed',
    'tenant_id journey_id offer_id bucket',
    'offer.documents:{tenant_id}:{journey_id}:{offer_id}',
  ),
  sealedColumn('hybrid_prefill.prefill_sealed', journey, 'hybrid_prefill:{tenant_id}:{journey_id}'),
  sealedColumn(
    'grievance.detail_sealed',
    'tenant_id journey_id grievance_id bucket',
    'grievance:{tenant_id}:{journey_id}:{grievance_id}',
  ),
  sealedColumn('complaint.contact_sealed', 'tenant_id complaint_id', 'complaint:{tenant_id}:{complaint_id}'),
  sealedColumn(
    'complaint_entry.body_sealed',
    'tenant_id complaint_id entry_id',
    'complaint_entry:{tenant_id}:{complaint_id}:{entry_id}',
  ),
  sealedColumn(
    'complaint_officer.contact_sealed',
    'tenant_id party level',
    'complaint_officer:{tenant_id}:{party}:{level}',
  ),
  sealedColumn('portfolio.mfc_sealed', journey, 'portfolio:{tenant_id}:{journey_id}'),
  sealedColumn('person.identity_sealed', person, 'person:{tenant_id}:{person_id}'),
  ...['totp', 'totp_pending'].map((which) =>
    sealedColumn(`person_totp.${which}_sealed`, person, 'person_totp:{tenant_id}:{person_id}'),
  ),
  sealedColumn('person_session.client_sealed', 'tenant_id session_id', 'person_session:{tenant_id}:{session_id}'),
  sealedColumn('command_line_sign_in.client_sealed', 'user_code', 'command_line_sign_in:{user_code}'),
  sealedColumn('sign_in_failure.detail_sealed', 'tenant_id failure_id', 'sign_in_failure:{tenant_id}:{failure_id}'),
  sealedColumn(
    'person_invitation.identity_sealed',
    'tenant_id invitation_id',
    'person_invitation:{tenant_id}:{invitation_id}',
  ),
  sealedColumn('webhook_alert_setting.emails_sealed', 'tenant_id', 'webhook_alert_setting:{tenant_id}'),
  sealedColumn('mail_out.content_sealed', 'tenant_id mail_id', 'mail_out:{tenant_id}:{mail_id}'),
  ...['envelope', 'message'].map((part) =>
    sealedColumn(`mail_in.${part}_sealed`, 'tenant_id mail_id', `mail_in.${part}:{tenant_id}:{mail_id}`),
  ),
  sealedColumn('mail_file.content_sealed', 'tenant_id file_id', 'mail_file:{tenant_id}:{file_id}'),
  sealedColumn('audit_reason.reason_sealed', 'tenant_id sequence', 'audit_reason:{tenant_id}:{sequence}'),
  sealedColumn('erasure.reason_sealed', 'tenant_id erasure_id', 'erasure:{tenant_id}:{erasure_id}'),
  sealedColumn('legal_hold.reason_sealed', 'tenant_id hold_id', 'legal_hold:{tenant_id}:{hold_id}'),
  sealedColumn('nominee.nominee_sealed', 'tenant_id borrower_id bucket', 'nominee:{tenant_id}:{borrower_id}'),
  sealedColumn('archive_key.key_sealed', journey, 'archive_key:{tenant_id}:{journey_id}'),
  // Values in the payload of a queued job.
  sealedColumn('job.payload.answers', 'tenant_id job_id', 'network_form:{tenant_id}:{payload.formKey}'),
  sealedColumn('job.payload.form', 'tenant_id job_id', 'network_form:{tenant_id}:{payload.formKey}'),
  sealedColumn('job.payload.page', 'tenant_id job_id', 'lender_page:{tenant_id}:{payload.journeyId}'),
  sealedColumn('job.payload.sms', 'tenant_id job_id', 'sms:{tenant_id}:{payload.smsId}'),
  sealedColumn('job.payload.claim', 'tenant_id job_id', 'partner_claim:{payload.operationId}'),
]
