// Store of the table conversation.

import { isUuid } from '@lendloom/foundation/uuid'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { findByTransaction, findJourney } from '#platform/lending/journey/store.ts'
import { isOverSession } from './consent/store.ts'
import type { Conversation, ConversationChange } from './conversation.ts'

/** Finds the tenant of a journey for an operator who knows only the journey's id. */
export async function tenantOfJourney(db: Run, journeyId: string): Promise<string | undefined> {
  if (!isUuid(journeyId)) return undefined
  const [row] = await db<{
    tenantId: string
  }>`select tenant_id from journey where bucket = ${bucketOf(journeyId)} and journey_id = ${journeyId}`
  return row?.tenantId
}

type NewConversation = Pick<
  Conversation,
  | 'tenantId'
  | 'journeyId'
  | 'conversationId'
  | 'lenderId'
  | 'bppId'
  | 'bppUri'
  | 'providerId'
  | 'itemId'
  | 'stage'
  | 'formId'
  | 'formUrlSealed'
  | 'formHeading'
  | 'fulfillmentId'
  | 'categories'
  | 'secondItemId'
  | 'profileFormId'
  | 'profileFormUrlSealed'
  | 'lastMessageAt'
  | 'createdAt'
  | 'updatedAt'
> &
  Partial<Pick<Conversation, 'version' | 'lenderTerms' | 'extras' | 'parentItemId'>> & {
    /** Only of a drawdown, whose transaction is not the journey's. */
    transactionId?: string
  }

/** Returns false when the journey already has a conversation with this lender about this item. */
export async function insertConversation(tx: Tx, conversation: NewConversation): Promise<boolean> {
  const { categories, lenderTerms = null, extras = {} } = conversation
  const row = {
    bucket: bucketOf(conversation.journeyId),
    ...conversation,
    categories: categories && JSON.stringify(categories),
    lenderTerms: lenderTerms && JSON.stringify(lenderTerms),
    extras: JSON.stringify(extras),
  }
  const inserted = await tx`insert into conversation ${tx(row)} on conflict do nothing returning 1`
  return inserted.length > 0
}

const columns = sql`c.tenant_id, c.journey_id, c.conversation_id, c.lender_id, j.type as journey_type,
  coalesce(c.transaction_id, j.network_transaction_id) as transaction_id, c.transaction_id is not null as is_drawdown,
  c.bpp_id, c.bpp_uri, c.provider_id, c.item_id, c.stage, c.form_id, c.form_url, c.form_url_sealed, c.form_heading, c.submission_id, c.answered_submissions, c.branch_id,
  c.version, c.offered_item_id, c.parent_item_id, c.fulfillment_id, c.lender_terms, c.categories,
  c.form_received, c.second_item_id, c.profile_form_id, c.profile_form_url, c.profile_form_url_sealed,
  c.profile_submission_id, c.payment_id, c.order_id, c.extras,
  c.awaited_action, c.awaited_message_id, c.awaited_until, c.awaited_try,
  c.last_message_at, c.ended_because, c.created_at, c.updated_at`
const conversationAndJourney = sql`conversation c join journey j on j.bucket = c.bucket and j.tenant_id = c.tenant_id and j.journey_id = c.journey_id`

/** Reads a conversation. A caller that changes the conversation later must hold the journey's lock. */
export async function readConversation(
  db: Run,
  tenantId: string,
  journeyId: string,
  conversationId: string,
): Promise<Conversation | undefined> {
  const [row] = await db<Conversation>`
    select ${columns} from ${conversationAndJourney}
    where c.bucket = ${bucketOf(journeyId)} and c.tenant_id = ${tenantId} and c.journey_id = ${journeyId} and c.conversation_id = ${conversationId}`
  return row
}

/** Reads the conversations about applications and the loan, not those about drawdowns; or only those with the lender `bppId`. */
export async function readConversations(
  db: Run,
  tenantId: string,
  journeyId: string,
  bppId?: string,
): Promise<Conversation[]> {
  return (await readAllConversations(db, tenantId, journeyId, bppId)).filter(({ isDrawdown }) => !isDrawdown)
}

/** Reads all conversations of a journey, or only those with the lender `bppId`. */
export function readAllConversations(
  db: Run,
  tenantId: string,
  journeyId: string,
  bppId?: string,
): Promise<Conversation[]> {
  const lenderCondition = bppId === undefined ? sql`` : sql` and c.bpp_id = ${bppId}`
  return db<Conversation>`
    select ${columns} from ${conversationAndJourney}
    where c.bucket = ${bucketOf(journeyId)} and c.tenant_id = ${tenantId} and c.journey_id = ${journeyId}${lenderCondition} order by c.conversation_id`
}

/** The journey that a message with this transaction id is about: of an application, or of a drawdown. */
export async function journeyOfTransaction(db: Run, transactionId: string): Promise<Journey | undefined> {
  const journey = await findByTransaction(db, transactionId)
  if (journey) return journey
  const [row] = await db<JourneyKey>`
    select tenant_id, journey_id from conversation
    where bucket = ${bucketOf(transactionId)} and transaction_id = ${transactionId}`
  return row && findJourney(db, row.tenantId, row.journeyId)
}

/** SQL that selects the lenders that have received the borrower's form. */
export const informedLenders = ({ tenantId, journeyId }: JourneyKey): Fragment => sql`
  select c.lender_id from conversation c
  where c.bucket = ${bucketOf(journeyId)} and c.tenant_id = ${tenantId} and c.journey_id = ${journeyId} and c.form_received`

/** SQL condition: a lender has paid out the loan of `journey`, which it records only after our confirmation. */
export const hasPaidOut: Fragment = sql`exists (
  select 1 from conversation c
  where c.bucket = journey.bucket and c.tenant_id = journey.tenant_id and c.journey_id = journey.journey_id
    and c.stage <> 'ENDED' and c.extras -> 'progress' @> '{"isPaidOut": true}')`

/** Writes all mutable columns, and returns the conversation. The caller holds the journey's lock. */
export async function changeConversation(
  tx: Tx,
  before: Conversation,
  change: ConversationChange,
  at: Date,
): Promise<Conversation> {
  const c: Conversation = { ...before, ...change, updatedAt: at }
  await tx`
    update conversation set stage = ${c.stage}, form_id = ${c.formId}, form_url = ${c.formUrl}, form_url_sealed = ${c.formUrlSealed},
      form_heading = ${c.formHeading}, submission_id = ${c.submissionId},
      answered_submissions = ${c.answeredSubmissions}, branch_id = ${c.branchId},
      offered_item_id = ${c.offeredItemId}, parent_item_id = ${c.parentItemId}, fulfillment_id = ${c.fulfillmentId},
      lender_terms = ${c.lenderTerms && JSON.stringify(c.lenderTerms)}, form_received = ${c.formReceived},
      profile_submission_id = ${c.profileSubmissionId},
      payment_id = ${c.paymentId}, order_id = ${c.orderId}, extras = ${JSON.stringify(c.extras)}, awaited_action = ${c.awaitedAction},
      awaited_message_id = ${c.awaitedMessageId}, awaited_until = ${c.awaitedUntil}, awaited_try = ${c.awaitedTry},
      last_message_at = ${c.lastMessageAt}, ended_because = ${c.endedBecause}, updated_at = ${at}
    where bucket = ${bucketOf(c.journeyId)} and tenant_id = ${c.tenantId} and journey_id = ${c.journeyId} and conversation_id = ${c.conversationId}`
  return c
}

/** Whether the consent with this handle needs no answer any more: it was for the offer, was given, or is over. */
export async function isAnsweredConsent(
  db: Run,
  { tenantId, journeyId }: Pick<Conversation, 'tenantId' | 'journeyId'>,
  handle: string,
): Promise<boolean> {
  const found = await db`
    select 1 from aa_session s
    where s.bucket = ${bucketOf(journeyId)} and s.tenant_id = ${tenantId} and s.journey_id = ${journeyId}
      and s.consent_handle = ${handle}
      and (s.purpose = 'UNDERWRITING' or s.dispatched_at is not null or ${isOverSession})`
  return found.length > 0
}
