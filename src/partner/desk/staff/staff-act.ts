// Staff permissions and acts: each act has an audit entry in the transaction of its effect, so that neither exists
// without the other.

import type { Tx } from '#kit/db/sql.ts'
import { isKeyOf } from '#kit/runtime/record.ts'
import { addEntry } from '#kit/staff/audit.ts'
import { noTenant } from '#kit/staff/person.ts'
import type { StaffEntry } from '#kit/staff/program.ts'
import { roles as everybody, type Role } from '#partner/desk-person.ts'

const credit = ['credit', 'admin'] as const
const operations = ['operations', 'admin'] as const
const collections = ['collections', 'operations', 'admin'] as const
const accounts = ['accounts', 'operations', 'admin'] as const
const money = ['credit', 'operations', 'collections', 'accounts', 'admin'] as const
const admin = ['admin'] as const

/**
 * The text of each act after a name, `Meera ordered the transfer`, and the roles that may perform it. Everybody may
 * read all pages of the desk except the audit log and the people; only listed acts may be performed.
 */
export const acts = {
  SIGNED_IN: ['signed in', everybody],
  SIGNED_OUT: ['signed out', everybody],
  SIGN_IN_FAILED: ['tried to sign in, in vain', everybody],
  NOT_ALLOWED: ['tried what their roles do not allow', everybody],
  ACT_REFUSED: ['tried what was refused', everybody],
  CODE_REQUESTED: ['gave the right password and was asked for a code', everybody],
  SIGN_IN_PAUSED: ['can no longer sign in this way for a while, after wrong passwords or codes', everybody],
  SECOND_FACTOR_ON: ['set up codes as their second factor', everybody],
  SECOND_FACTOR_OFF: ['switched codes off as their second factor', everybody],
  SECOND_FACTOR_RESET: ['took the second factor of a colleague away', admin],
  OPENID_LINKED: ['signed in by the OpenID provider for the first time', everybody],
  PASSWORD_CHANGED: ['changed their own password', everybody],
  PASSWORD_CHOSEN: ['chose a password by a link', everybody],
  SEARCHED: ['searched for cases', everybody],
  CASE_VIEWED: ['looked at a case', everybody],
  LIST_VIEWED: ['looked at a list of borrowers or their loans', everybody],
  RECEIPT_VIEWED: ['looked at unmatched receipts', accounts],
  STATEMENT_VIEWED: ['looked at what a statement of the bank says of payers', accounts],
  FILE_READ: ['read a file', ['credit', 'operations', 'accounts', 'admin']],
  OFFERED: ['approved, and offered terms', credit],
  REJECTED: ['rejected the application', credit],
  KYC_REVIEWED: ['reviewed the KYC', ['credit', 'operations', 'admin']],
  TRANSFER_ORDERED: ['ordered the transfer', operations],
  IDENTITY_DECIDED: ['decided whether an applicant is a known borrower', ['credit', 'operations', 'admin']],
  NAMES_COMPARED: ['compared the names of an account', operations],
  PAPER_MADE: ['made a paper of the loan', money],
  CASE_STOPPED: ['stopped the application', ['credit', 'operations', 'admin']],
  WAIVED: ['waived what was due', ['credit', 'collections', 'accounts', 'admin']],
  WRITTEN_OFF: ['wrote the loan off', ['credit', 'collections', 'accounts', 'admin']],
  LOSS_DECIDED: ['classified the loans of the borrower as a loss', ['credit', 'accounts', 'admin']],
  REFUND_ORDERED: ['ordered a refund', accounts],
  ACCOUNT_CHANGED: ['changed the bank account of the borrower', accounts],
  RECEIPT_REVERSED: ['took a receipt back', accounts],
  REQUEST_MADE: ['asked for approval', money],
  REQUEST_APPROVED: ['approved what was asked for', ['credit', 'operations', 'accounts', 'admin']],
  REQUEST_REFUSED: ['refused what was asked for', ['credit', 'operations', 'accounts', 'admin']],
  REQUEST_WITHDRAWN: ['withdrew what they had asked for', money],
  LIMITS_CHANGED: ['confirmed a change of the limits of approval', admin],
  POLICY_CHANGED: ['confirmed a change of the policy', admin],
  CHANGE_PROPOSED: ['proposed a change of a setting', admin],
  CHANGE_REFUSED: ['refused a change of a setting', admin],
  CHANGE_WITHDRAWN: ['withdrew a change that they had proposed', admin],
  NOTE_ADDED: ['added a note', money],
  TASK_MADE: ['added a task', money],
  TASK_DONE: ['did a task', money],
  AGENT_ASSIGNED: ['assigned the arrears of the case', collections],
  PROMISE_MADE: ['wrote down a promise to pay', collections],
  CONTACT_NOTED: ['wrote down a contact about arrears', collections],
  DEBITS_HELD: ['held the debits of the case', collections],
  HOLD_RELEASED: ['let debits go on', collections],
  COOLING_OFF_EXIT: ['wrote down that the borrower leaves within the cooling-off period', collections],
  FORECLOSURE_QUOTED: ['quoted what closes the loan', money],
  PART_PAYMENT_CHOICE: ['wrote down what part payments are to leave as it is', collections],
  DEBIT_REQUESTED: ['had the case looked at for a debit', collections],
  COLLECTION_BEGUN: ['had everything due looked at for debits', collections],
  RECEIPT_POSTED: ['posted a receipt', accounts],
  EVENT_LOOKED_AT: ['had a waiting event looked at', operations],
  EVENT_SENT_AGAIN: ['had an event sent again', operations],
  RULES_ON: ['put the rules in force', admin],
  RULES_OFF: ['took over from the rules', admin],
  STATEMENT_UPLOADED: ['uploaded a statement of the bank', accounts],
  STATEMENT_PAIRED: ['paired a line of the bank with an entry of the books', accounts],
  STATEMENT_UNPAIRED: ['undid a pair of a statement', accounts],
  STATEMENT_CLOSED: ['closed a statement of the bank', accounts],
  BOOKS_EXPORTED: ['downloaded the books of a period', accounts],
  REPORT_MADE: ['made a report for bureaus or the regulator', accounts],
  TABLE_EXPORTED: ['downloaded a table', money],
  LOG_READ: ['read the audit log', admin],
  STAFF_ADDED: ['added somebody to the staff', admin],
  STAFF_REMOVED: ['removed somebody from the staff', admin],
  STAFF_PASSWORD: ['reset the password of somebody', admin],
  ROLES_CHANGED: ['changed the roles of somebody', admin],
} as const satisfies Record<string, readonly [text: string, roles: readonly Role[]]>
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

export const mayDo = (act: Act): readonly Role[] => acts[act][1]

/** Whether one of a person's roles permits an act. */
export const can = ({ roles }: { roles: readonly Role[] }, act: Act): boolean =>
  mayDo(act).some((role) => roles.includes(role))

/** The text of an act; its code for one that no longer exists. */
export const actText = (act: string): string => (isKeyOf(acts, act) ? acts[act][0] : act)

/** `subject` is an id or an email address of staff, never anything of a borrower, nor is anything of `detail`. */
export interface StaffActDetails extends Omit<StaffEntry, 'act'> {
  caseRef?: string
}

interface StaffAct {
  /** Null for the command line, and for a failed sign-in. */
  staffId: string | null
  act: Act
  about: StaffActDetails
  at: Date
}

/** The last thing that a transaction does. */
export const noteAct = (
  tx: Tx,
  { staffId: personId, act, about: { caseRef, ...about }, at }: StaffAct,
): Promise<void> =>
  addEntry({ tx, at }, { tenantId: noTenant, personId, act, ...about, more: { caseRef: caseRef ?? null } })
