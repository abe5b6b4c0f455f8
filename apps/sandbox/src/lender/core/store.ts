// The lenders' tables: conversations with the applicant and the account, submitted forms, and messages in both
// directions.

import { required } from '@lendloom/foundation/required'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { FormStatus } from '@lendloom/wire/network/form-status'
import type { AnyAction } from '@lendloom/wire/network/igm/actions'
import type { Action } from '@lendloom/wire/network/sequence'
import type { BorrowerAccount, Conversation } from './conversation.ts'
import type { LoanApplicant } from './lending-decision.ts'
import type { StepHeading } from './step.ts'

const conversationColumns = sql`conversation_id, lender, transaction_id, product, version, assessment, bap_id, bap_uri, bap_address, status, scenario, offered_principal,
  offered_months, annual_bps, principal, months, offer_ttl, lapses_at, agreed_on, order_id, sanctioned_at, disbursed_at, drawn, drawn_at, line_id, finder_fee, buyer_terms,
  payment_id, consent_handle, monitoring_handle, gold_milligrams, gold_purity, branch_id, visit_at, created_at, updated_at`

/** Opens a conversation unless these parties have one in this transaction. */
export async function openConversation(
  tx: Tx,
  conversation: LoanParties & Pick<Conversation, 'conversationId' | 'product' | 'version' | 'bapUri' | 'bapAddress'>,
  at: Date,
): Promise<void> {
  await tx`insert into conversation ${tx({ ...conversation, status: 'SEARCHED', createdAt: at, updatedAt: at })}
    on conflict do nothing`
}

/** Who talks about which loan: it has one conversation, or two if the lender assesses in two ways. */
export type LoanParties = Pick<Conversation, 'lender' | 'bapId' | 'transactionId'>

/** Locks the conversations of these parties, the one with the default assessment first. */
export const lockConversations = (tx: Tx, { lender, bapId, transactionId }: LoanParties): Promise<Conversation[]> =>
  tx<Conversation>`select ${conversationColumns} from conversation
    where lender = ${lender} and bap_id = ${bapId} and transaction_id = ${transactionId}
    order by assessment nulls first for update`

/** Finds the conversations of these parties that have this submission; an id of any form is allowed. */
export async function idsBySubmission(db: Run, { lender, bapId, transactionId }: LoanParties, submissionId: string) {
  const rows = await db<{ conversationId: string }>`
    select s.conversation_id from submission s join conversation c on c.conversation_id = s.conversation_id
    where c.lender = ${lender} and c.bap_id = ${bapId} and c.transaction_id = ${transactionId}
      and s.submission_id::text = ${submissionId}`
  return rows.map(({ conversationId }) => conversationId)
}

/** Opens the conversation for the second assessment, with the borrower's earlier answers. */
export async function openSecondConversation(
  tx: Tx,
  seal: Seal,
  first: Conversation,
  second: Pick<Conversation, 'conversationId' | 'assessment' | 'scenario' | 'status' | 'createdAt'>,
): Promise<Conversation> {
  const { lender, transactionId, product, version, bapId, bapUri, bapAddress } = first
  const { goldMilligrams, goldPurity, finderFee } = first
  const { conversationId } = second
  const parties = { lender, transactionId, product, version, bapId, bapUri, bapAddress }
  const broadcast = { goldMilligrams, goldPurity, finderFee: finderFee && JSON.stringify(finderFee) }
  await tx`insert into conversation ${tx({ ...parties, ...broadcast, ...second, updatedAt: second.createdAt })}`
  const applicant = await applicantOf(tx, seal, first.conversationId)
  if (applicant) await saveApplicant(tx, seal, conversationId, applicant)
  const profile = await submissionOf(tx, first.conversationId, 'PERSONAL_INFORMATION')
  if (profile) await storeSubmission(tx, { ...profile, conversationId })
  return lockConversation(tx, conversationId)
}

/** Locks a conversation until the transaction ends. */
export async function lockConversation(tx: Tx, conversationId: string): Promise<Conversation> {
  const [row] = await tx<Conversation>`
    select ${conversationColumns} from conversation where conversation_id = ${conversationId} for update`
  return required(row, `conversation ${conversationId}`)
}

/** Finds a conversation. */
export async function conversationOf(db: Run, conversationId: string): Promise<Conversation | undefined> {
  const [row] =
    await db<Conversation>`select ${conversationColumns} from conversation where conversation_id = ${conversationId}`
  return row
}

/** Returns a conversation that exists. */
export const requireConversation = async (db: Run, conversationId: string): Promise<Conversation> =>
  required(await conversationOf(db, conversationId), `conversation ${conversationId}`)

/** The facts that a step may set, written together with the new status. */
export type ConversationFacts = Partial<
  Pick<
    Conversation,
    | 'scenario'
    | 'offeredPrincipal'
    | 'offeredMonths'
    | 'annualBps'
    | 'principal'
    | 'months'
    | 'offerTtl'
    | 'lapsesAt'
    | 'agreedOn'
    | 'consentHandle'
    | 'monitoringHandle'
    | 'orderId'
    | 'sanctionedAt'
    | 'disbursedAt'
    | 'drawn'
    | 'drawnAt'
    | 'finderFee'
    | 'buyerTerms'
    | 'paymentId'
    | 'goldMilligrams'
    | 'goldPurity'
    | 'branchId'
    | 'visitAt'
  >
>

export type ConversationChange = ConversationFacts & Pick<Conversation, 'status'>

/** Writes the new status and facts of a locked conversation, and returns the new row. */
export async function writeConversation(
  tx: Tx,
  before: Conversation,
  change: ConversationChange,
  at: Date,
): Promise<Conversation> {
  const after = { ...before, ...change, updatedAt: at }
  await tx`update conversation set status = ${after.status}, scenario = ${after.scenario},
    offered_principal = ${after.offeredPrincipal}, offered_months = ${after.offeredMonths}, annual_bps = ${after.annualBps},
    principal = ${after.principal}, months = ${after.months}, offer_ttl = ${after.offerTtl},
    lapses_at = ${after.lapsesAt}, agreed_on = ${after.agreedOn},
    order_id = ${after.orderId}, sanctioned_at = ${after.sanctionedAt}, disbursed_at = ${after.disbursedAt}, drawn = ${after.drawn}, drawn_at = ${after.drawnAt},
    finder_fee = ${after.finderFee === null ? null : JSON.stringify(after.finderFee)},
    buyer_terms = ${after.buyerTerms === null ? null : JSON.stringify(after.buyerTerms)}, payment_id = ${after.paymentId},
    consent_handle = ${after.consentHandle}, monitoring_handle = ${after.monitoringHandle},
    gold_milligrams = ${after.goldMilligrams}, gold_purity = ${after.goldPurity}, branch_id = ${after.branchId}, visit_at = ${after.visitAt},
    updated_at = ${at}
    where conversation_id = ${after.conversationId}`
  return after
}

const applicantContext = (conversationId: string) => `conversation/${conversationId}/applicant`
const accountContext = (conversationId: string) => `conversation/${conversationId}/account`

/** Stores the applicant as the profile form gives them. */
export async function saveApplicant(
  tx: Tx,
  seal: Seal,
  conversationId: string,
  applicant: LoanApplicant,
): Promise<void> {
  const serializable = { ...applicant, monthlyIncome: applicant.monthlyIncome?.toString() ?? null }
  await tx`update conversation set applicant_sealed = ${seal.json(serializable, applicantContext(conversationId))}
    where conversation_id = ${conversationId}`
}

/** The applicant of a conversation; null before the profile form is submitted. */
export async function applicantOf(db: Run, seal: Seal, conversationId: string): Promise<LoanApplicant | null> {
  const [row] = await db<{ applicantSealed: Buffer | null }>`
    select applicant_sealed from conversation where conversation_id = ${conversationId}`
  if (!row?.applicantSealed) return null
  const stored = seal.openJson<Omit<LoanApplicant, 'monthlyIncome'> & { monthlyIncome: string | null }>(
    row.applicantSealed,
    applicantContext(conversationId),
  )
  return { ...stored, monthlyIncome: stored.monthlyIncome === null ? null : BigInt(stored.monthlyIncome) }
}

/** Returns the applicant after the profile form. */
export const requireApplicant = async (db: Run, seal: Seal, conversationId: string): Promise<LoanApplicant> =>
  required(await applicantOf(db, seal, conversationId), `applicant of conversation ${conversationId}`)

/** Stores the account as the bank form gives it. */
export async function saveAccount(tx: Tx, seal: Seal, conversationId: string, account: BorrowerAccount): Promise<void> {
  await tx`update conversation set account_sealed = ${seal.json(account, accountContext(conversationId))}
    where conversation_id = ${conversationId}`
}

/** The borrower's bank account; null before the bank form is submitted. */
export async function accountOf(db: Run, seal: Seal, conversationId: string): Promise<BorrowerAccount | null> {
  const [row] = await db<{ accountSealed: Buffer | null }>`
    select account_sealed from conversation where conversation_id = ${conversationId}`
  return row?.accountSealed ? seal.openJson<BorrowerAccount>(row.accountSealed, accountContext(conversationId)) : null
}

export interface Submission {
  conversationId: string
  heading: StepHeading
  submissionId: string
  /** Keyed digest of the form input; null for a page, which has only an outcome. */
  digest: Buffer | null
  outcome: FormStatus
  attempt: number
  submittedAt: Date
}

/** Returns the latest submission of a step; undefined before the first. */
export async function submissionOf(
  db: Run,
  conversationId: string,
  heading: StepHeading,
): Promise<Submission | undefined> {
  const [row] = await db<Submission>`
    select conversation_id, heading, submission_id, digest, outcome, attempt, submitted_at from submission
    where conversation_id = ${conversationId} and heading = ${heading}`
  return row
}

/** The submissions of a conversation, in order of their latest attempt. */
export const submissionsOf = (db: Run, conversationId: string): Promise<Submission[]> =>
  db<Submission>`
    select conversation_id, heading, submission_id, digest, outcome, attempt, submitted_at from submission
    where conversation_id = ${conversationId} order by submitted_at`

/** Stores a submission in place of an earlier one of the step. */
export async function storeSubmission(tx: Tx, submission: Submission): Promise<void> {
  const { submissionId, digest, outcome, attempt, submittedAt } = submission
  await tx`insert into submission ${tx({ ...submission })}
    on conflict (conversation_id, heading) do update set submission_id = ${submissionId}, digest = ${digest},
      outcome = ${outcome}, attempt = ${attempt}, submitted_at = ${submittedAt}`
}

export interface NewMessage {
  conversationId: string
  direction: 'in' | 'out'
  action: AnyAction
  messageId: string
  errorCode: string | null
  body: Buffer
  at: Date
}

/** The context under which the body of a message is sealed. */
export const messageContext = (conversationId: string, messageId: string) => `message/${conversationId}/${messageId}`

/** Stores a message and returns its number; null for a repeated request. */
export async function storeMessage(tx: Tx, seal: Seal, { body, ...message }: NewMessage): Promise<bigint | null> {
  const bodySealed = seal.bytes(body, messageContext(message.conversationId, message.messageId))
  const [stored] = await tx<{ number: bigint }>`
    insert into message ${tx({ ...message, bodySealed })} on conflict do nothing returning number`
  return stored?.number ?? null
}

export interface StoredMessage extends Omit<NewMessage, 'direction'> {
  number: bigint
  sentAt: Date | null
}

/** Returns a message with its body. */
export async function messageOf(db: Run, seal: Seal, conversationId: string, number: bigint): Promise<StoredMessage> {
  const [row] = await db<Omit<StoredMessage, 'body'> & { bodySealed: Buffer }>`
    select conversation_id, number, action, message_id, error_code, body_sealed, at, sent_at
    from message where conversation_id = ${conversationId} and number = ${number}`
  const { bodySealed, ...stored } = required(row, `message ${number} of conversation ${conversationId}`)
  return { ...stored, body: seal.open(bodySealed, messageContext(conversationId, stored.messageId)) }
}

/** Whether an earlier callback of the conversation is still undelivered. */
export async function hasEarlierUnsent(db: Run, conversationId: string, number: bigint): Promise<boolean> {
  const rows = await db`select number from message where conversation_id = ${conversationId} and number < ${number}
    and direction = 'out' and sent_at is null and given_up_at is null limit 1`
  return rows.length > 0
}

export interface MessageKey {
  conversationId: string
  number: bigint
}

/** Records that the buyer app acknowledged a message. */
export async function markSent(tx: Run, key: MessageKey, answer: string, at: Date): Promise<void> {
  await tx`update message set sent_at = ${at}, answer = ${answer}
    where conversation_id = ${key.conversationId} and number = ${key.number}`
}

/** Records that a message is not sent any more. */
export async function markGivenUp(tx: Run, key: MessageKey, reason: string, at: Date): Promise<void> {
  await tx`update message set given_up_at = ${at}, answer = ${reason}
    where conversation_id = ${key.conversationId} and number = ${key.number}`
}

/** Whether the buyer app sent this action before in the conversation. */
export async function hasReceived(db: Run, conversationId: string, action: AnyAction): Promise<boolean> {
  const rows = await db`select number from message
    where conversation_id = ${conversationId} and direction = 'in' and action = ${action} limit 1`
  return rows.length > 0
}

/** The last action by either side, except for complaint actions and those beside the loan's steps (FIS12 §25). */
export async function lastAction(db: Run, conversationId: string): Promise<Action | undefined> {
  const [last] = await db<{ action: Action }>`
    select action from message where conversation_id = ${conversationId} and action not like '%issue%'
      and action not like '%support' and action not like '%track' and action not like '%rating'
    order by number desc limit 1`
  return last?.action
}

export interface Traffic {
  transactionId: string
  lender: string
  status: Conversation['status']
  direction: 'in' | 'out'
  action: Action
  errorCode: string | null
  at: Date
  sentAt: Date | null
  answer: string | null
}

/** The messages of the latest transactions, newest first, without their content. */
export const recentTraffic = (db: Run, transactions: number): Promise<Traffic[]> =>
  db<Traffic>`
    select c.transaction_id, c.lender, c.status, m.direction, m.action, m.error_code, m.at, m.sent_at, m.answer
    from (select transaction_id, max(updated_at) as moved_at from conversation
          group by transaction_id order by moved_at desc limit ${transactions}) as recent
    join conversation c using (transaction_id) join message m using (conversation_id)
    order by recent.moved_at desc, recent.transaction_id, m.at, m.number`
