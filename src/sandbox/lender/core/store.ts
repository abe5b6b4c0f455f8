// The lenders' tables: conversations, what borrowers filled in, and every message, both ways.

import type { FormStatus } from '#contract/network/forms.ts'
import type { AnyAction } from '#contract/network/igm/actions.ts'
import type { Action } from '#contract/network/sequence.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { type Run, sql, type Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'
import type { BorrowerAccount, Conversation } from './conversation.ts'
import type { LoanApplicant } from './decide.ts'
import type { StepHeading } from './step.ts'

const columns = sql`conversation_id, lender, transaction_id, product, assessment, bap_id, bap_uri, bap_address, status, scenario, offered_principal,
  offered_months, annual_bps, principal, months, offer_ttl, lapses_at, agreed_on, order_id, sanctioned_at, disbursed_at, drawn, drawn_at, finder_fee,
  payment_id, consent_handle, monitoring_handle, gold_milligrams, gold_purity, branch_id, visit_at, created_at, updated_at`

/** Opens the conversation that a first search begins; an earlier one of the same parties and transaction stays. */
export async function openConversation(
  tx: Tx,
  fresh: LoanParties & Pick<Conversation, 'conversationId' | 'product' | 'bapUri' | 'bapAddress'>,
  at: Date,
): Promise<void> {
  await tx`insert into conversation ${tx({ ...fresh, status: 'SEARCHED', createdAt: at, updatedAt: at })}
    on conflict do nothing`
}

export type LoanParties = Pick<Conversation, 'lender' | 'bapId' | 'transactionId'>

/** Locks the conversations of these parties: the usual one first, and a second one where both offers are asked for. */
export const lockConversations = (tx: Tx, { lender, bapId, transactionId }: LoanParties): Promise<Conversation[]> =>
  tx<Conversation>`select ${columns} from conversation
    where lender = ${lender} and bap_id = ${bapId} and transaction_id = ${transactionId}
    order by assessment nulls first for update`

/** The conversations of these parties in which a form was answered with this submission. */
export async function withSubmission(db: Run, { lender, bapId, transactionId }: LoanParties, submissionId: string) {
  const found = await db<{ conversationId: string }>`
    select s.conversation_id from submission s join conversation c on c.conversation_id = s.conversation_id
    where c.lender = ${lender} and c.bap_id = ${bapId} and c.transaction_id = ${transactionId}
      and s.submission_id::text = ${submissionId}`
  return found.map(({ conversationId }) => conversationId)
}

/** Opens the second conversation beside the usual one, with the answers that the borrower has already given. */
export async function openSecond(
  tx: Tx,
  seal: Seal,
  usual: Conversation,
  second: Pick<Conversation, 'conversationId' | 'assessment' | 'scenario' | 'status' | 'createdAt'>,
): Promise<Conversation> {
  const { lender, transactionId, product, bapId, bapUri, bapAddress, goldMilligrams, goldPurity, finderFee } = usual
  const { conversationId } = second
  const parties = { lender, transactionId, product, bapId, bapUri, bapAddress }
  const broadcast = { goldMilligrams, goldPurity, finderFee: finderFee && JSON.stringify(finderFee) }
  await tx`insert into conversation ${tx({ ...parties, ...broadcast, ...second, updatedAt: second.createdAt })}`
  const applicant = await applicantOf(tx, seal, usual.conversationId)
  if (applicant) await keepApplicant(tx, seal, conversationId, applicant)
  const profile = await submissionOf(tx, usual.conversationId, 'PERSONAL_INFORMATION')
  if (profile) await keepSubmission(tx, { ...profile, conversationId })
  return lockById(tx, conversationId)
}

export async function lockById(tx: Tx, conversationId: string): Promise<Conversation> {
  const [found] = await tx<Conversation>`
    select ${columns} from conversation where conversation_id = ${conversationId} for update`
  return required(found, `conversation ${conversationId}`)
}

export async function conversationOf(db: Run, conversationId: string): Promise<Conversation | undefined> {
  const [found] = await db<Conversation>`select ${columns} from conversation where conversation_id = ${conversationId}`
  return found
}

/** As above for one that must exist. */
export const requireConversation = async (db: Run, conversationId: string): Promise<Conversation> =>
  required(await conversationOf(db, conversationId), `conversation ${conversationId}`)

/** The facts that steps fix, written together with the status that they led to. */
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
    | 'paymentId'
    | 'goldMilligrams'
    | 'goldPurity'
    | 'branchId'
    | 'visitAt'
  >
>

export type ConversationChange = ConversationFacts & Pick<Conversation, 'status'>

/** Writes the new status and facts of a locked conversation, and gives it as it now is. */
export async function writeConversation(
  tx: Tx,
  before: Conversation,
  change: ConversationChange,
  at: Date,
): Promise<Conversation> {
  const now = { ...before, ...change, updatedAt: at }
  await tx`update conversation set status = ${now.status}, scenario = ${now.scenario},
    offered_principal = ${now.offeredPrincipal}, offered_months = ${now.offeredMonths}, annual_bps = ${now.annualBps},
    principal = ${now.principal}, months = ${now.months}, offer_ttl = ${now.offerTtl},
    lapses_at = ${now.lapsesAt}, agreed_on = ${now.agreedOn},
    order_id = ${now.orderId}, sanctioned_at = ${now.sanctionedAt}, disbursed_at = ${now.disbursedAt}, drawn = ${now.drawn}, drawn_at = ${now.drawnAt},
    finder_fee = ${now.finderFee === null ? null : JSON.stringify(now.finderFee)}, payment_id = ${now.paymentId},
    consent_handle = ${now.consentHandle}, monitoring_handle = ${now.monitoringHandle},
    gold_milligrams = ${now.goldMilligrams}, gold_purity = ${now.goldPurity}, branch_id = ${now.branchId}, visit_at = ${now.visitAt},
    updated_at = ${at}
    where conversation_id = ${now.conversationId}`
  return now
}

const applicantPlace = (conversationId: string) => `conversation/${conversationId}/applicant`
const accountPlace = (conversationId: string) => `conversation/${conversationId}/account`

export async function keepApplicant(
  tx: Tx,
  seal: Seal,
  conversationId: string,
  applicant: LoanApplicant,
): Promise<void> {
  const plain = { ...applicant, monthlyIncome: applicant.monthlyIncome?.toString() ?? null }
  await tx`update conversation set applicant_sealed = ${seal.json(plain, applicantPlace(conversationId))}
    where conversation_id = ${conversationId}`
}

/** The applicant of a conversation; null before the profile came. */
export async function applicantOf(db: Run, seal: Seal, conversationId: string): Promise<LoanApplicant | null> {
  const [row] = await db<{ applicantSealed: Buffer | null }>`
    select applicant_sealed from conversation where conversation_id = ${conversationId}`
  if (!row?.applicantSealed) return null
  const kept = seal.openJson<Omit<LoanApplicant, 'monthlyIncome'> & { monthlyIncome: string | null }>(
    row.applicantSealed,
    applicantPlace(conversationId),
  )
  return { ...kept, monthlyIncome: kept.monthlyIncome === null ? null : BigInt(kept.monthlyIncome) }
}

/** The same once the profile came. */
export const requireApplicant = async (db: Run, seal: Seal, conversationId: string): Promise<LoanApplicant> =>
  required(await applicantOf(db, seal, conversationId), `applicant of conversation ${conversationId}`)

export async function keepAccount(tx: Tx, seal: Seal, conversationId: string, account: BorrowerAccount): Promise<void> {
  await tx`update conversation set account_sealed = ${seal.json(account, accountPlace(conversationId))}
    where conversation_id = ${conversationId}`
}

/** The borrower's bank account; null before it was given. */
export async function accountOf(db: Run, seal: Seal, conversationId: string): Promise<BorrowerAccount | null> {
  const [row] = await db<{ accountSealed: Buffer | null }>`
    select account_sealed from conversation where conversation_id = ${conversationId}`
  return row?.accountSealed ? seal.openJson<BorrowerAccount>(row.accountSealed, accountPlace(conversationId)) : null
}

export interface Submission {
  conversationId: string
  heading: StepHeading
  submissionId: string
  /** Keyed digest of what was filled in; null for a page, where only the outcome counts. */
  digest: Buffer | null
  outcome: FormStatus
  /** How many times this step was completed or failed. */
  attempt: number
  submittedAt: Date
}

export async function submissionOf(
  db: Run,
  conversationId: string,
  heading: StepHeading,
): Promise<Submission | undefined> {
  const [found] = await db<Submission>`
    select conversation_id, heading, submission_id, digest, outcome, attempt, submitted_at from submission
    where conversation_id = ${conversationId} and heading = ${heading}`
  return found
}

/** Every step that was filled in, in the order of its newest filling. */
export const submissionsOf = (db: Run, conversationId: string): Promise<Submission[]> =>
  db<Submission>`
    select conversation_id, heading, submission_id, digest, outcome, attempt, submitted_at from submission
    where conversation_id = ${conversationId} order by submitted_at`

/** The newest filling takes the place of the one before. */
export async function keepSubmission(tx: Tx, submission: Submission): Promise<void> {
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

const messagePlace = (conversationId: string, messageId: string) => `message/${conversationId}/${messageId}`

/** Keeps a message and gives its number; null when the same request was kept before. */
export async function keepMessage(tx: Tx, seal: Seal, { body, ...message }: NewMessage): Promise<bigint | null> {
  const bodySealed = seal.bytes(body, messagePlace(message.conversationId, message.messageId))
  const [kept] = await tx<{ number: bigint }>`
    insert into message ${tx({ ...message, bodySealed })} on conflict do nothing returning number`
  return kept?.number ?? null
}

export interface KeptMessage extends Omit<NewMessage, 'direction'> {
  number: bigint
  sentAt: Date | null
}

export async function messageOf(db: Run, seal: Seal, conversationId: string, number: bigint): Promise<KeptMessage> {
  const [row] = await db<Omit<KeptMessage, 'body'> & { bodySealed: Buffer }>`
    select conversation_id, number, action, message_id, error_code, body_sealed, at, sent_at
    from message where conversation_id = ${conversationId} and number = ${number}`
  const { bodySealed, ...kept } = required(row, `message ${number} of conversation ${conversationId}`)
  return { ...kept, body: seal.open(bodySealed, messagePlace(conversationId, kept.messageId)) }
}

/** Whether an earlier callback of the conversation still waits to be delivered. */
export async function hasEarlierUnsent(db: Run, conversationId: string, number: bigint): Promise<boolean> {
  const found = await db`select number from message where conversation_id = ${conversationId} and number < ${number}
    and direction = 'out' and sent_at is null and given_up_at is null limit 1`
  return found.length > 0
}

/** Which message of which conversation. */
export interface MessageId {
  conversationId: string
  number: bigint
}

export async function markSent(tx: Run, sent: MessageId, answer: string, at: Date): Promise<void> {
  await tx`update message set sent_at = ${at}, answer = ${answer}
    where conversation_id = ${sent.conversationId} and number = ${sent.number}`
}

export async function markGivenUp(tx: Run, sent: MessageId, why: string, at: Date): Promise<void> {
  await tx`update message set given_up_at = ${at}, answer = ${why}
    where conversation_id = ${sent.conversationId} and number = ${sent.number}`
}

/** Whether the buyer app sent this action before in the conversation. */
export async function hasReceived(db: Run, conversationId: string, action: AnyAction): Promise<boolean> {
  const found = await db`select number from message
    where conversation_id = ${conversationId} and direction = 'in' and action = ${action} limit 1`
  return found.length > 0
}

/** The last message about the loan, of either side; complaints about it have an order of their own. */
export async function lastAction(db: Run, conversationId: string): Promise<Action | undefined> {
  const [last] = await db<{ action: Action }>`
    select action from message where conversation_id = ${conversationId} and action not like '%issue%'
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
