// Tables aa_session and aa_redirect.

import type { ConsentReason } from '@lendloom/lending/reason/reason'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { lenderIsOff } from '#platform/lending/lender/switch/store.ts'
import { type AaSession, isOver } from './aa-session.ts'

/** SQL: consent session `s` is over, as `isOver` says. */
export const isOverSession: Fragment = sql`s.state in ('CONFIRMED', 'NOT_REQUIRED', 'FAILED', 'EXPIRED')`

/** Whether an open session has expired because its conversation has ended: no lender remains to be notified. */
const isEnded = sql`(c.stage = 'ENDED' and s.state not in ('CONFIRMED', 'NOT_REQUIRED', 'FAILED'))`
/**
 * Whether the consent is withheld because the lender is switched off. No consent is withheld once the lender was notified
 * or the borrower has chosen the lender's offer.
 */
const isWithheld = sql`(s.purpose = 'UNDERWRITING' and s.dispatched_at is null and o.selected_at is null
  and not ${isOverSession} and not ${isEnded} and ${lenderIsOff})`
const withheldReason: ConsentReason = 'LENDER_NOT_LENDING'

const commonColumns = sql`s.tenant_id, s.journey_id, s.aa_session_id, s.offer_id, s.conversation_id, s.purpose, s.adapter, s.aggregator_id,
  s.consent_handle, s.handle_wanted, s.aa_id_sealed, s.txnid, s.reqdate, s.expires_at, s.redirects, s.returned_code, s.consent_id,
  s.dispatched_at, s.created_at, s.updated_at`
/** Columns with the state and reason that the borrower and the integrator see. */
const visibleColumns = sql`${commonColumns}, case when ${isEnded} then 'EXPIRED' when ${isWithheld} then 'FAILED' else s.state end as state,
  case when ${isWithheld} then ${withheldReason}::text else s.reason end as reason`
/** Columns with the stored state and reason, for internal decisions. */
const storedColumns = sql`${commonColumns}, case when ${isEnded} then 'EXPIRED' else s.state end as state, s.reason, ${isWithheld} as is_withheld`
const sessionAndConversation = sql`aa_session s join conversation c
  on c.bucket = s.bucket and c.tenant_id = s.tenant_id and c.journey_id = s.journey_id and c.conversation_id = s.conversation_id`
const withConversation = sql`${sessionAndConversation}
  join offer o on o.bucket = s.bucket and o.tenant_id = s.tenant_id and o.journey_id = s.journey_id and o.offer_id = s.offer_id`

/**
 * SQL condition for journey `j`: its page asks the borrower for a consent, or for another handle. A borrower who has gone
 * to the aggregator owes us nothing: the poll of the aggregator must end that wait.
 */
export const hasConsentToGive: Fragment = sql`exists (
  select 1 from ${sessionAndConversation}
  where s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.journey_id = j.journey_id
    and s.state in ('REQUIRED', 'REDIRECT_READY') and (s.consent_handle is not null or s.handle_wanted) and not ${isEnded}
    and (s.purpose = 'UNDERWRITING' and j.status in ('STARTED', 'PROFILED', 'OFFERED')
      or s.purpose = 'MONITORING' and j.status = 'LENDER_REDIRECTED'))`

/** SQL condition: a consent to the lender of offer `o` is awaited or given. */
export const hasLiveConsent: Fragment = sql`exists (
  select 1 from aa_session s where s.bucket = o.bucket and s.tenant_id = o.tenant_id and s.journey_id = o.journey_id
    and s.offer_id = o.offer_id and s.state not in ('NOT_REQUIRED', 'FAILED', 'EXPIRED'))`

/** Lists the sessions of a journey, oldest first. */
export const listAaSessions = (db: Run, { tenantId, journeyId }: JourneyKey): Promise<AaSession[]> => db<AaSession>`
  select ${visibleColumns} from ${withConversation}
  where s.bucket = ${bucketOf(journeyId)} and s.tenant_id = ${tenantId} and s.journey_id = ${journeyId} order by s.aa_session_id`

/** Finds a session with the state that the borrower and the integrator see. */
export async function findAaSession(
  db: Run,
  { tenantId, journeyId }: JourneyKey,
  aaSessionId: string,
): Promise<AaSession | undefined> {
  const [row] = await db<AaSession>`
    select ${visibleColumns} from ${withConversation}
    where s.bucket = ${bucketOf(journeyId)} and s.tenant_id = ${tenantId} and s.journey_id = ${journeyId} and s.aa_session_id = ${aaSessionId}`
  return row
}

/** A session with its stored state. While `isWithheld`, the lender is switched off and is not notified. */
export type StoredAaSession = AaSession & { isWithheld: boolean }

export async function findStoredAaSession(
  db: Run,
  { tenantId, journeyId }: JourneyKey,
  aaSessionId: string,
): Promise<StoredAaSession | undefined> {
  const [row] = await db<StoredAaSession>`
    select ${storedColumns} from ${withConversation}
    where s.bucket = ${bucketOf(journeyId)} and s.tenant_id = ${tenantId} and s.journey_id = ${journeyId} and s.aa_session_id = ${aaSessionId}`
  return row
}

/** Lists the sessions of a conversation, oldest first. */
export const listStoredAaSessions = (
  db: Run,
  { tenantId, journeyId }: JourneyKey,
  conversationId: string,
): Promise<StoredAaSession[]> => db<StoredAaSession>`
  select ${storedColumns} from ${withConversation}
  where s.bucket = ${bucketOf(journeyId)} and s.tenant_id = ${tenantId} and s.journey_id = ${journeyId} and s.conversation_id = ${conversationId}
  order by s.aa_session_id`

/**
 * Inserts a session; returns false if the conversation already has a session for the consent handle. The caller holds the
 * journey's lock.
 */
export async function insertAaSession(
  tx: Tx,
  session: Omit<
    AaSession,
    'txnid' | 'reqdate' | 'expiresAt' | 'redirects' | 'returnedCode' | 'consentId' | 'dispatchedAt' | 'reason'
  >,
): Promise<boolean> {
  const inserted =
    await tx`insert into aa_session ${tx({ bucket: bucketOf(session.journeyId), ...session })} on conflict do nothing returning 1`
  return inserted.length > 0
}

export type AaChange = Partial<
  Pick<
    AaSession,
    | 'state'
    | 'consentHandle'
    | 'handleWanted'
    | 'aaIdSealed'
    | 'txnid'
    | 'reqdate'
    | 'expiresAt'
    | 'redirects'
    | 'returnedCode'
    | 'consentId'
    | 'dispatchedAt'
    | 'reason'
  >
>

/** Writes the changed columns and returns the changed session. */
export async function changeAaSession(tx: Tx, session: AaSession, change: AaChange, at: Date): Promise<AaSession> {
  const s: AaSession = { ...session, ...change, updatedAt: at }
  await tx`
    update aa_session set state = ${s.state}, consent_handle = ${s.consentHandle}, handle_wanted = ${s.handleWanted}, aa_id_sealed = ${s.aaIdSealed}, txnid = ${s.txnid}, reqdate = ${s.reqdate},
      expires_at = ${s.expiresAt}, redirects = ${s.redirects}, returned_code = ${s.returnedCode},
      consent_id = ${s.consentId}, dispatched_at = ${s.dispatchedAt}, reason = ${s.reason}, updated_at = ${at}
    where bucket = ${bucketOf(s.journeyId)} and tenant_id = ${s.tenantId} and journey_id = ${s.journeyId} and aa_session_id = ${s.aaSessionId}`
  return s
}

export interface AaRedirectRow {
  tenantId: string
  journeyId: string
  aaSessionId: string
  txnid: string
  reqdate: string
  expiresAt: Date
  createdAt: Date
}

export async function insertRedirect(tx: Tx, row: AaRedirectRow): Promise<void> {
  await tx`insert into aa_redirect ${tx({ bucket: bucketOf(row.journeyId), ...row })}`
}

type RedirectKey = Pick<AaRedirectRow, 'tenantId' | 'journeyId' | 'aaSessionId' | 'txnid'>

export async function findRedirect(
  db: Run,
  { tenantId, journeyId, aaSessionId, txnid }: RedirectKey,
): Promise<{ returnedAt: Date | null } | undefined> {
  const [row] = await db<{ returnedAt: Date | null }>`
    select returned_at from aa_redirect where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
      and aa_session_id = ${aaSessionId} and txnid = ${txnid}`
  return row
}

export async function recordReturn(
  tx: Tx,
  { tenantId, journeyId, aaSessionId, txnid }: RedirectKey,
  code: number,
  at: Date,
): Promise<void> {
  await tx`update aa_redirect set returned_at = ${at}, returned_code = ${code}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and aa_session_id = ${aaSessionId} and txnid = ${txnid}`
}

/** Finds the open session of a conversation; there is at most one. */
export async function openSessionOf(
  tx: Tx,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
  { conversationId }: Pick<Conversation, 'conversationId'>,
): Promise<AaSession | undefined> {
  const sessions = await listStoredAaSessions(tx, journey, conversationId)
  return sessions.find(({ state }) => !isOver(state))
}
