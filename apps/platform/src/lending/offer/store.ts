// Store of the table offer.

import type { Lender } from '@lendloom/lending/lender'
import type { Paise } from '@lendloom/lending/money'
import type { Pledge } from '@lendloom/lending/pledge'
import type { OfferReason } from '@lendloom/lending/reason/reason'
import { type Fragment, join, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import type { StoredTerms } from '#platform/lending/journey/stored-terms.ts'
import { lenderIsOff } from '#platform/lending/lender/switch/store.ts'
import type { Limits, Offer } from './offer.ts'

/** Whether an offer is hidden because its lender is switched off. A selected offer is never hidden. */
const isWithheld = sql`(o.selected_at is null and o.status <> 'NO_OFFER_AVAILABLE' and ${lenderIsOff})`
const withheldReason: OfferReason = 'LENDER_NOT_LENDING'
/** Status and reason of offer `o` as the borrower sees them. */
export const shownStatus = sql`case when ${isWithheld} then 'NO_OFFER_AVAILABLE' else o.status end`
const shownReason = sql`case when ${isWithheld} then ${withheldReason}::text else o.reason end`

const otherColumns = sql`
  o.tenant_id, o.journey_id, o.offer_id, o.conversation_id, o.lender_id, o.via as channel, o.assessment, o.terms, o.first_terms,
    o.limits, o.final_terms, o.accepted, o.requested_amount_paise, o.lock_source, o.selected_at, o.accepted_at, o.rejected_at,
    o.rejected_stage, o.rejected_because, o.valid_until, o.installments, o.payout_reference, o.documents_sealed, o.branches, o.branch_id, o.agent, o.visit_booked_at, o.visit_at,
    o.schemes, o.pledges, o.own_page, o.credit_line, o.line_opened_at, o.line_limit_paise, o.line_utilised_paise, o.line_changed_at`
/** Columns of offer `o`, with status and reason as the borrower sees them. */
export const offerColumns = sql`${otherColumns}, ${shownStatus} as status, ${shownReason} as reason`
/** Columns with the stored status, even if the lender is switched off. */
const storedColumns = sql`${otherColumns}, o.status, o.reason`

/** Lists the offers of a journey, as the borrower sees them. */
export const listOffers = (db: Run, { tenantId, journeyId }: JourneyKey) => db<Offer>`
  select ${offerColumns} from offer o where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId} order by o.offer_id`

/** Reads every offer of a journey with the current description of its lender. */
export const listWithLenders = (db: Run, { tenantId, journeyId }: JourneyKey) => db<Offer & { lender: Lender }>`
  select ${offerColumns}, l.identity as lender from offer o join lender l on l.tenant_id = o.tenant_id and l.lender_id = o.lender_id
  where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId} order by o.offer_id`

/** Finds an offer, as the borrower sees it. */
export const findOffer = (db: Run, key: JourneyKey, offerId: string) =>
  findOfferWhere(db, key, offerColumns, sql`o.offer_id = ${offerId}`)

/** Finds an offer with its stored status, because what its lender sends also counts while the lender is switched off. */
export const findByConversation = (db: Run, key: JourneyKey, conversationId: string) =>
  findOfferWhere(db, key, storedColumns, sql`o.conversation_id = ${conversationId}`)

/** Finds the offer that the borrower chose and has not rejected since. */
export const findSelected = (db: Run, key: JourneyKey) =>
  findOfferWhere(db, key, storedColumns, sql`o.selected_at is not null and o.rejected_at is null`)

async function findOfferWhere(
  db: Run,
  { tenantId, journeyId }: JourneyKey,
  selected: Fragment,
  condition: Fragment,
): Promise<Offer | undefined> {
  const [row] = await db<Offer>`
    select ${selected} from offer o
    where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId} and ${condition}`
  return row
}

/** Whether the lender of an offer is switched off. */
export async function isLenderOff(
  db: Run,
  { tenantId, journeyId, offerId }: JourneyKey & { offerId: string },
): Promise<boolean> {
  const rows = await db`
    select 1 from offer o where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId} and o.offer_id = ${offerId}
      and ${lenderIsOff}`
  return rows.length > 0
}

export interface NewOffer extends Pick<Offer, 'offerId' | 'conversationId' | 'lenderId' | 'channel' | 'assessment'> {
  limits: Limits
}

/** Inserts an awaited offer. An existing offer of the conversation is awaited again, unless it has terms. */
export async function insertAwaited(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  { channel, limits, ...offer }: NewOffer,
  at: Date,
): Promise<void> {
  const row = {
    bucket: bucketOf(journeyId),
    tenantId,
    journeyId,
    ...offer,
    via: channel,
    limits: JSON.stringify(limits),
    status: 'OFFER_AWAITED',
    createdAt: at,
    updatedAt: at,
  }
  await tx`
    insert into offer ${tx(row)}
    on conflict (bucket, tenant_id, journey_id, conversation_id) do update set status = 'OFFER_AWAITED', reason = null, updated_at = ${at}
    where offer.terms is null`
}

/** Marks an offer without terms as awaited again. */
export async function setAwaited(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  conversationId: string,
  at: Date,
): Promise<void> {
  await tx`
    update offer set status = 'OFFER_AWAITED', reason = null, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and conversation_id = ${conversationId} and terms is null`
}

export interface TermsRow {
  terms: StoredTerms
  firstTerms: StoredTerms
  limits: Limits
  finalTerms: boolean
  validUntil: Date | null
}

/** Stores the terms that a lender offers, so that the offer is received. */
export async function setTerms(
  tx: Tx,
  { tenantId, journeyId, offerId }: Offer,
  row: TermsRow,
  at: Date,
): Promise<void> {
  await tx`
    update offer set status = 'OFFER_RECEIVED', reason = null, terms = ${JSON.stringify(row.terms)}, first_terms = ${JSON.stringify(row.firstTerms)},
      limits = ${JSON.stringify(row.limits)}, final_terms = ${row.finalTerms}, valid_until = ${row.validUntil}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

/** Ends an offer for a reason that the borrower sees. */
export async function setNoOffer(
  tx: Tx,
  { tenantId, journeyId, offerId }: Pick<Offer, 'tenantId' | 'journeyId' | 'offerId'>,
  reason: OfferReason,
  at: Date,
): Promise<void> {
  await tx`
    update offer set status = 'NO_OFFER_AVAILABLE', reason = ${reason}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

const silentReason: OfferReason = 'LENDER_SILENT'

/** Ends the wait for lenders that have not answered, except where a condition on offer `o` holds. */
export async function endWaitingForSilent(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  exceptions: Fragment[],
  at: Date,
): Promise<void> {
  const isNoException = join(
    exceptions.map((exception) => sql`not ${exception}`),
    ' and ',
  )
  await tx`
    update offer o set status = 'NO_OFFER_AVAILABLE', reason = ${silentReason}, updated_at = ${at}
    where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId} and o.status = 'OFFER_AWAITED'
      and ${isNoException}`
}

/** Ends the wait for every awaited offer. */
export async function endWaiting(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  reason: OfferReason,
  at: Date,
): Promise<void> {
  await tx`
    update offer set status = 'NO_OFFER_AVAILABLE', reason = ${reason}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and status = 'OFFER_AWAITED'`
}

export interface Selection {
  offerId: string
  lockSource: string
  branchId: string | null
  pledges: Pledge[]
}

/** Marks an offer as the one that the borrower chose, with the branch and the pledges if its product has them. */
export async function setSelected(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  { offerId, lockSource, branchId, pledges }: Selection,
  at: Date,
): Promise<void> {
  await tx`
    update offer set selected_at = ${at}, lock_source = ${lockSource}, branch_id = ${branchId}, pledges = ${JSON.stringify(pledges)}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

export async function setRequestedAmount(
  tx: Tx,
  { tenantId, journeyId, offerId }: Offer,
  amount: Paise,
  at: Date,
): Promise<void> {
  await tx`
    update offer set requested_amount_paise = ${amount}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

export async function setAccepted(tx: Tx, { tenantId, journeyId, offerId }: Offer, at: Date): Promise<void> {
  await tx`
    update offer set accepted = true, accepted_at = ${at}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

export interface Rejection {
  stage: string | null
  because: string | null
  /** The reason that the borrower sees. */
  reason: OfferReason
}

/** Marks an offer as rejected, with the reason that the borrower sees; it no longer counts as selected. */
export async function setRejected(
  tx: Tx,
  { tenantId, journeyId, offerId }: Offer,
  { stage, because, reason }: Rejection,
  at: Date,
): Promise<void> {
  await tx`
    update offer set status = 'NO_OFFER_AVAILABLE', reason = ${reason}, rejected_at = ${at}, rejected_stage = ${stage}, rejected_because = ${because},
      updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

/** Stores the branches of a gold loan and, after the choice, the contact at the chosen branch. */
export async function setBranches(
  tx: Tx,
  { tenantId, journeyId, offerId }: Offer,
  { branches, agent }: Pick<Offer, 'branches' | 'agent'>,
  at: Date,
): Promise<void> {
  await tx`
    update offer set branches = ${JSON.stringify(branches)}, agent = ${agent && JSON.stringify(agent)}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

/** Stores the required units, the kind of the loan, and whether the lender's own page has all steps. */
export async function setSecurity(
  tx: Tx,
  { tenantId, journeyId, offerId }: Offer,
  { schemes, ownPage, creditLine }: Pick<Offer, 'schemes' | 'ownPage' | 'creditLine'>,
  at: Date,
): Promise<void> {
  await tx`
    update offer set schemes = ${JSON.stringify(schemes)}, own_page = ${ownPage}, credit_line = ${creditLine}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

/** Stores what the lender reported about the credit line of the offer. */
export async function setLine(
  tx: Tx,
  { tenantId, journeyId, offerId }: Offer,
  line: Pick<Offer, 'lineOpenedAt' | 'lineLimitPaise' | 'lineUtilisedPaise' | 'lineChangedAt'>,
  at: Date,
): Promise<void> {
  await tx`
    update offer set line_opened_at = ${line.lineOpenedAt}, line_limit_paise = ${line.lineLimitPaise},
      line_utilised_paise = ${line.lineUtilisedPaise}, line_changed_at = ${line.lineChangedAt}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

/** Keeps the time of the first report, and the time of the visit until the lender sends another. */
export async function setVisitBooked(
  tx: Tx,
  { tenantId, journeyId, offerId }: Offer,
  visitAt: Date | null,
  at: Date,
): Promise<void> {
  await tx`
    update offer set visit_booked_at = coalesce(visit_booked_at, ${at}), visit_at = coalesce(${visitAt}, visit_at), updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

/** Forgets a visit that was booked. */
export async function clearVisitBooked(tx: Tx, { tenantId, journeyId, offerId }: Offer, at: Date): Promise<void> {
  await tx`
    update offer set visit_booked_at = null, visit_at = null, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

export async function setDocuments(
  tx: Tx,
  { tenantId, journeyId, offerId }: Pick<Offer, 'tenantId' | 'journeyId' | 'offerId'>,
  documentsSealed: Buffer,
  at: Date,
): Promise<void> {
  await tx`
    update offer set documents_sealed = ${documentsSealed}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}`
}

/** Stores the schedule. An equal schedule changes nothing. */
export async function setInstallments(
  tx: Tx,
  { tenantId, journeyId, offerId }: Offer,
  installments: Installment[],
  at: Date,
): Promise<void> {
  const stored = JSON.stringify(installments)
  await tx`
    update offer set installments = ${stored}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and offer_id = ${offerId}
      and installments is distinct from ${stored}::jsonb`
}

/** Stores the reference of the payout with the selected offer; an equal reference changes nothing. */
export const setPayoutReference = (tx: Tx, { tenantId, journeyId }: JourneyKey, reference: string) => tx`
  update offer set payout_reference = ${reference}
  where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and selected_at is not null and rejected_at is null
    and payout_reference is distinct from ${reference}`
