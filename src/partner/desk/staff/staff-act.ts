// What staff did: an entry of the audit log for each act, in the transaction of its effect, so that neither is there without the other.

import type { Tx } from '#kit/db/sql.ts'
import { isKeyOf } from '#kit/runtime/record.ts'
import { addEntry } from '#kit/staff/audit.ts'
import { noTenant } from '#kit/staff/person.ts'
import type { StaffEntry } from '#kit/staff/program.ts'

/** Each act as it is read after a name: `Meera ordered the transfer`. */
export const acts = {
  SIGNED_IN: 'signed in',
  SIGNED_OUT: 'signed out',
  SIGN_IN_FAILED: 'tried to sign in, in vain',
  NOT_ALLOWED: 'tried what their roles do not allow',
  ACT_REFUSED: 'tried what was refused',
  CODE_REQUESTED: 'gave the right password and was asked for a code',
  SIGN_IN_PAUSED: 'can no longer sign in this way for a while, after wrong passwords or codes',
  SECOND_FACTOR_ON: 'set up codes as their second factor',
  SECOND_FACTOR_OFF: 'switched codes off as their second factor',
  SECOND_FACTOR_RESET: 'took the second factor of a colleague away',
  PASSKEY_ADDED: 'added a passkey',
  PASSKEY_REMOVED: 'removed a passkey',
  OPENID_LINKED: 'signed in by the OpenID provider for the first time',
  PASSWORD_CHANGED: 'changed their own password',
  PASSWORD_CHOSEN: 'chose a password by a link',
  SEARCHED: 'searched for cases',
  CASE_VIEWED: 'looked at a case',
  LIST_VIEWED: 'looked at a list of borrowers or their loans',
  RECEIPT_VIEWED: 'looked at unmatched receipts',
  STATEMENT_VIEWED: 'looked at what a statement of the bank says of payers',
  FILE_READ: 'read a file',
  OFFERED: 'approved, and offered terms',
  REJECTED: 'rejected the application',
  KYC_REVIEWED: 'reviewed the KYC',
  TRANSFER_ORDERED: 'ordered the transfer',
  IDENTITY_DECIDED: 'decided whether an applicant is a known borrower',
  NAMES_COMPARED: 'compared the names of an account',
  PAPER_MADE: 'made a paper of the loan',
  CASE_STOPPED: 'stopped the application',
  WAIVED: 'waived what was due',
  WRITTEN_OFF: 'wrote the loan off',
  LOSS_DECIDED: 'classified the loans of the borrower as a loss',
  REFUND_ORDERED: 'ordered a refund',
  ACCOUNT_CHANGED: 'changed the bank account of the borrower',
  RECEIPT_REVERSED: 'took a receipt back',
  REQUEST_MADE: 'asked for approval',
  REQUEST_APPROVED: 'approved what was asked for',
  REQUEST_REFUSED: 'refused what was asked for',
  REQUEST_WITHDRAWN: 'withdrew what they had asked for',
  LIMITS_CHANGED: 'confirmed a change of the limits of approval',
  POLICY_CHANGED: 'confirmed a change of the policy',
  CHANGE_PROPOSED: 'proposed a change of a setting',
  CHANGE_REFUSED: 'refused a change of a setting',
  CHANGE_WITHDRAWN: 'withdrew a change that they had proposed',
  NOTE_ADDED: 'added a note',
  TASK_MADE: 'added a task',
  TASK_DONE: 'did a task',
  AGENT_ASSIGNED: 'assigned the arrears of the case',
  PROMISE_MADE: 'wrote down a promise to pay',
  CONTACT_NOTED: 'wrote down a contact about arrears',
  DEBITS_HELD: 'held the debits of the case',
  HOLD_RELEASED: 'let debits go on',
  COOLING_OFF_EXIT: 'wrote down that the borrower leaves within the cooling-off period',
  FORECLOSURE_QUOTED: 'quoted what closes the loan',
  PART_PAYMENT_CHOICE: 'wrote down what part payments are to leave as it is',
  DEBIT_REQUESTED: 'had the case looked at for a debit',
  COLLECTION_BEGUN: 'had everything due looked at for debits',
  RECEIPT_POSTED: 'posted a receipt',
  EVENT_LOOKED_AT: 'had a waiting event looked at',
  EVENT_SENT_AGAIN: 'had an event sent again',
  RULES_ON: 'put the rules in force',
  RULES_OFF: 'took over from the rules',
  STATEMENT_UPLOADED: 'uploaded a statement of the bank',
  STATEMENT_PAIRED: 'paired a line of the bank with an entry of the books',
  STATEMENT_UNPAIRED: 'undid a pair of a statement',
  STATEMENT_CLOSED: 'closed a statement of the bank',
  BOOKS_EXPORTED: 'downloaded the books of a period',
  REPORT_MADE: 'made a report for bureaus or the regulator',
  TABLE_EXPORTED: 'downloaded a table',
  LOG_READ: 'read the audit log',
  STAFF_ADDED: 'added somebody to the staff',
  STAFF_REMOVED: 'removed somebody from the staff',
  STAFF_PASSWORD: 'reset the password of somebody',
  ROLES_CHANGED: 'changed the roles of somebody',
} as const
export type Act = keyof typeof acts

/** Acts that only look, and tries: the history of a case leaves them out, the audit log has them. */
export const looking: readonly Act[] = [
  'CASE_VIEWED',
  'LIST_VIEWED',
  'RECEIPT_VIEWED',
  'STATEMENT_VIEWED',
  'NOT_ALLOWED',
  'ACT_REFUSED',
]

/** What they did, as it is read; an act that is no longer among them by its name. */
export const actText = (act: string): string => (isKeyOf(acts, act) ? acts[act] : act)

/** `subject` is an id or an e-mail address of staff, never anything of a borrower, nor is anything of `detail`. */
export interface About extends Omit<StaffEntry, 'act'> {
  caseRef?: string
}

interface StaffAct {
  /** Null stands for the command line, and for whoever did not get in. */
  staffId: string | null
  act: Act
  about: About
  at: Date
}

/** The last thing that a transaction does. */
export const noteAct = (
  tx: Tx,
  { staffId: personId, act, about: { caseRef, ...about }, at }: StaffAct,
): Promise<void> =>
  addEntry({ tx, at }, { tenantId: noTenant, personId, act, ...about, more: { caseRef: caseRef ?? null } })
