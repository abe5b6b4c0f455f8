// The identifiers of an owner's objects by the names that paths, queries and bodies use for them.

import { firstPartnerId } from '@lendloom/platform/src/lenders/partner/directory/lending-partner.ts'
import { findMainCase } from '@lendloom/platform/src/lenders/partner/store.ts'
import { uuidv7 } from '@lendloom/seal/id'
import type { Installation } from '../setup/installation.ts'
import type { Owner } from './owner.ts'

export type Ids = Record<string, string>

/** Parameters that name no object of an owner. */
export const freeParameters = new Set([
  'product',
  'borrowerProviderID',
  'step',
  'kind',
  'ifsc',
  'pincode',
  'file',
  'direction',
  'index',
  'area',
  'id',
  'part',
  'name',
  'provider',
  'sender',
  'lender',
  'form',
  'page',
  'stage',
  'type',
  'action',
  'number',
  'partnerId',
  'email',
])

const free: Ids = {
  product: 'lamf',
  step: 'kyc',
  kind: 'pre-part-payment',
  ifsc: 'HDFC0000001',
  direction: 'sent',
  index: '0',
  pincode: '380001',
  area: 'journeys',
  part: 'timeline',
  name: 'statement',
  provider: 'BANK',
  sender: 'LENDLOOM',
}

/** The value of the first row's first column; a new id when there is no row. */
async function first({ db }: Pick<Installation, 'db'>, query: string, tenantId: string): Promise<string> {
  const { rows } = await db.pool.query({ text: query, values: [tenantId], rowMode: 'array' })
  return String(rows[0]?.[0] ?? uuidv7(Date.now()))
}

const platformQueries: Ids = {
  operationID: 'select operation_id from operation where tenant_id = $1',
  aaSessionID: 'select aa_session_id from aa_session where tenant_id = $1',
  grievanceID: 'select grievance_id from grievance where tenant_id = $1',
  complaintId: 'select complaint_id from complaint where tenant_id = $1',
  personId: 'select person_id from person where tenant_id = $1 order by person_id desc',
  sessionId: 'select session_id from person_session where tenant_id = $1 order by created_at',
  invitationId: 'select invitation_id from person_invitation where tenant_id = $1',
  viewId: 'select view_id from staff_view where tenant_id = $1',
  keyId: `select key_id from api_key where tenant_id = $1 and label not in ('sandbox', 'wall')`,
  requestId: 'select request_id from api_request where tenant_id = $1',
  lenderId: 'select lender_id from lender where tenant_id = $1',
  documentReferenceId: 'select document_reference_id from partner_document where tenant_id = $1',
  eventId: 'select event_id from outbox where tenant_id = $1',
  endpointId: 'select endpoint_id from webhook_endpoint where tenant_id = $1',
  deliveryId: 'select delivery_id from webhook_delivery where tenant_id = $1 order by delivery_id',
  replayId: 'select replay_id from webhook_replay where tenant_id = $1',
  mailId: 'select mail_id from mail_out where tenant_id = $1',
}

const partnerQueries: Ids = {
  documentId: 'select document_id from stored_document where case_ref = $1',
  receiptId: 'select receipt_id from bank_receipt where case_ref = $1',
  reviewId: 'select review_id from dedupe_review where case_ref = $1',
}

/** Of an owner: everything except the objects that exist only after further acts, which get new ids. */
export async function idsOf(installation: Installation, owner: Owner): Promise<Ids> {
  const { tenant, headless, offerId, embed, people } = owner
  const { tenantId, applicationId } = tenant
  const found: Ids = {}
  for (const [name, query] of Object.entries(platformQueries)) found[name] = await first(installation, query, tenantId)
  const { journeyId } = headless
  const loanCase = await findMainCase(installation.db, { tenantId, journeyId })
  const caseRef = loanCase?.caseRef ?? ''
  const atPartner = { db: installation.partnerDb }
  for (const [name, query] of Object.entries(partnerQueries)) found[name] = await first(atPartner, query, caseRef)
  const complaintID = found.complaintId ?? ''
  const entries = 'select entry_id from complaint_entry where tenant_id = $1 order by entry_id'
  return {
    ...free,
    ...found,
    tenantId,
    applicationId,
    journeyID: journeyId,
    journeyId: embed.journeyId,
    offerID: offerId,
    embedOfferID: embed.view.selected?.offerId ?? '',
    caseRef,
    external_reference_id: caseRef,
    complaintID,
    entryId: await first(installation, entries, tenantId),
    partnerId: firstPartnerId,
    id: found.endpointId ?? '',
    passkeyId: uuidv7(Date.now()),
    linkId: uuidv7(Date.now()),
    changeId: uuidv7(Date.now()),
    statementId: uuidv7(Date.now()),
    email: 'viewer@wall.example',
    borrowerProviderID: people[2]?.request.borrowerProviderID ?? '',
    file: 'journeys.csv',
    borrowerExternalID: headless.externalId,
    refreshToken: headless.refreshToken,
  }
}

/** The ids at the paths of one program and API, where the same name means different objects. */
export function idAt(ids: Ids, { path, name }: { path: string; name: string }): string | undefined {
  if (path.startsWith('/api/embed/') && name === 'offerID') return ids.embedOfferID
  if (path.startsWith('/api/lab/webhook-deliveries/') && name === 'id') return ids.deliveryId
  if (path.startsWith('/console/') && name === 'id') return ids.journeyId
  return ids[name]
}
