// The acts of staff and the roles that may perform them. An act's audit entry is in the same transaction as its effect.

import { isKeyOf } from '@lendloom/foundation/record'
import { addEntry } from '@lendloom/identity/audit'
import { noTenant } from '@lendloom/identity/person'
import type { StaffEntry } from '@lendloom/identity/sign-in-program'
import type { Tx } from '@lendloom/postgres/sql'
import { roles as allRoles, type Role } from '#partner/people/person.ts'

// The roles that may perform an act, each list named after the department.
const credit = ['credit', 'admin'] as const
const operations = ['operations', 'admin'] as const
const collections = ['collections', 'operations', 'admin'] as const
const accounts = ['accounts', 'operations', 'admin'] as const
const money = ['credit', 'operations', 'collections', 'accounts', 'admin'] as const
const admin = ['admin'] as const

/**
 * The text of each act, which continues a user's name (`Meera ordered the transfer`), and the roles that may perform
 * the act. Every role may read all pages of the desk except the audit log and the page of users. The audit log stores
 * the code of an act, so a code stays when its text changes: `EVENT_LOOKED_AT` is a retry.
 */
export const acts = {
  SIGNED_IN: ['signed in', allRoles],
  SIGNED_OUT: ['signed out', allRoles],
  SESSION_REVOKED: ['ended one of their sessions', allRoles],
  SIGN_IN_FAILED: ['failed to sign in', allRoles],
  NOT_ALLOWED: ['tried an act that their roles do not allow', allRoles],
  ACT_REFUSED: ['tried an act that was refused', allRoles],
  CODE_REQUESTED: ['entered the right password and was asked for a code', allRoles],
  SIGN_IN_PAUSED: ['was blocked for a while after wrong passwords or codes', allRoles],
  SECOND_FACTOR_ON: ['turned on codes as their second factor', allRoles],
  SECOND_FACTOR_OFF: ['turned off codes as their second factor', allRoles],
  SECOND_FACTOR_RESET: ['removed a colleague’s second factor', admin],
  OPENID_LINKED: ['signed in by the OpenID provider for the first time', allRoles],
  OPENID_UNLINKED: ['unlinked their account of the OpenID provider', allRoles],
  PASSWORD_CHANGED: ['changed their own password', allRoles],
  PASSWORD_CHOSEN: ['chose a password through a link', allRoles],
  SEARCHED: ['searched for cases', allRoles],
  CASE_VIEWED: ['viewed a case', allRoles],
  LIST_VIEWED: ['viewed a list of borrowers or loans', allRoles],
  RECEIPT_VIEWED: ['viewed unmatched receipts', accounts],
  STATEMENT_VIEWED: ['viewed the payers in a bank statement', accounts],
  FILE_READ: ['viewed a file', ['credit', 'operations', 'accounts', 'admin']],
  PERSONAL_DATA_REVEALED: ['revealed personal data', money],
  OFFERED: ['approved, and offered terms', credit],
  REJECTED: ['rejected the application', credit],
  KYC_REVIEWED: ['reviewed the KYC', ['credit', 'operations', 'admin']],
  TRANSFER_ORDERED: ['ordered the transfer', operations],
  IDENTITY_DECIDED: ['decided whether an applicant is a known borrower', ['credit', 'operations', 'admin']],
  NAMES_COMPARED: ['decided whether an account is the borrower’s', operations],
  PAPER_MADE: ['created a document of the loan', money],
  CASE_STOPPED: ['cancelled the application', ['credit', 'operations', 'admin']],
  WAIVED: ['waived amounts due', ['credit', 'collections', 'accounts', 'admin']],
  ROUNDED_OFF: ['rounded the loan off', ['credit', 'collections', 'accounts', 'admin']],
  WRITTEN_OFF: ['wrote the loan off', ['credit', 'collections', 'accounts', 'admin']],
  SETTLEMENT_AGREED: ['agreed to settle the loan for less', ['credit', 'collections', 'accounts', 'admin']],
  LOSS_DECIDED: ['classified the borrower’s loans as a loss', ['credit', 'accounts', 'admin']],
  REFUND_ORDERED: ['ordered a refund', accounts],
  ACCOUNT_CHANGED: ['changed the bank account of the borrower', accounts],
  RECEIPT_REVERSED: ['reversed a receipt', accounts],
  REQUEST_MADE: ['asked for approval', money],
  REQUEST_APPROVED: ['approved a request', ['credit', 'operations', 'accounts', 'admin']],
  REQUEST_REFUSED: ['refused a request', ['credit', 'operations', 'accounts', 'admin']],
  REQUEST_WITHDRAWN: ['withdrew their request', money],
  LIMITS_CHANGED: ['confirmed a change of the approval limits', admin],
  POLICY_CHANGED: ['confirmed a change of the policy', admin],
  CHANGE_PROPOSED: ['proposed a change of a setting', admin],
  CHANGE_REFUSED: ['refused a change of a setting', admin],
  CHANGE_WITHDRAWN: ['withdrew their proposed change', admin],
  NOTE_ADDED: ['added a note', money],
  TASK_MADE: ['added a task', money],
  TASK_DONE: ['completed a task', money],
  AGENT_ASSIGNED: ['assigned an agent to the case', collections],
  PROMISE_MADE: ['recorded a promise to pay', collections],
  CONTACT_NOTED: ['recorded a contact about arrears', collections],
  DEBITS_HELD: ['put the debits of the case on hold', collections],
  HOLD_RELEASED: ['lifted the hold on debits', collections],
  COOLING_OFF_EXIT: ['recorded a cooling-off cancellation', collections],
  FORECLOSURE_QUOTED: ['quoted the foreclosure amount', money],
  PART_PAYMENT_CHOICE: ['recorded whether part payments keep the instalment or the term', collections],
  DEBIT_REQUESTED: ['started the debit check of the case', collections],
  COLLECTION_BEGUN: ['started the debit check of all cases with dues', collections],
  RECEIPT_POSTED: ['posted a receipt', accounts],
  TRANSFER_RETURNED: ['recorded that the bank gave a transfer back', accounts],
  RETURN_PROPOSED: ['proposed to send a receipt back to its payer', accounts],
  RECEIPT_RETURNED: ['confirmed that a receipt is sent back to its payer', accounts],
  TAKING_BACK_PROPOSED: ['proposed to record that the bank took a receipt back', accounts],
  RECEIPT_TAKEN_BACK: ['confirmed that the bank took a receipt back', accounts],
  RETURN_REFUSED: ['refused the return of a receipt', accounts],
  RETURN_WITHDRAWN: ['withdrew their proposal of the return of a receipt', accounts],
  EVENT_LOOKED_AT: ['retried a waiting event', operations],
  EVENT_SENT_AGAIN: ['resent an event', operations],
  RULES_ON: ['switched on the automatic decision rules', admin],
  RULES_OFF: ['switched off the automatic decision rules', admin],
  STATEMENT_UPLOADED: ['uploaded a bank statement', accounts],
  STATEMENT_PAIRED: ['matched a bank line with a book entry', accounts],
  STATEMENT_UNPAIRED: ['undid a match of a bank statement', accounts],
  STATEMENT_CLOSED: ['closed a bank statement', accounts],
  STATEMENT_CLOSING_PROPOSED: ['proposed to close a bank statement with differences', accounts],
  STATEMENT_CLOSING_REFUSED: ['refused the closing of a bank statement', accounts],
  STATEMENT_CLOSING_WITHDRAWN: ['withdrew their proposal to close a bank statement', accounts],
  BOOKS_EXPORTED: ['downloaded the books of a period', accounts],
  CLOSING_PROPOSED: ['proposed to close a month', accounts],
  MONTH_CLOSED: ['confirmed the closing of a month', accounts],
  CLOSING_REFUSED: ['refused the closing of a month', accounts],
  CLOSING_WITHDRAWN: ['withdrew their proposal to close a month', accounts],
  REPORT_MADE: ['created a report for bureaus or the regulator', accounts],
  TABLE_EXPORTED: ['downloaded a table', money],
  LOG_READ: ['read the audit log', admin],
  STAFF_ADDED: ['added a person', admin],
  STAFF_REMOVED: ['removed a person', admin],
  STAFF_PASSWORD: ['reset a person’s password', admin],
  ROLES_CHANGED: ['changed a person’s roles', admin],
} as const satisfies Record<string, readonly [text: string, roles: readonly Role[]]>
export type Act = keyof typeof acts

/** Acts that only the audit log shows: the history of a case omits views and refused acts. */
export const viewActs: readonly Act[] = [
  'CASE_VIEWED',
  'LIST_VIEWED',
  'RECEIPT_VIEWED',
  'STATEMENT_VIEWED',
  'FILE_READ',
  'PERSONAL_DATA_REVEALED',
  'NOT_ALLOWED',
  'ACT_REFUSED',
]

/** Returns the roles that may perform an act. */
export const rolesFor = (act: Act): readonly Role[] => acts[act][1]

/** Whether one of a person's roles permits an act. */
export const can = ({ roles }: { roles: readonly Role[] }, act: Act): boolean =>
  rolesFor(act).some((role) => roles.includes(role))

/** Returns the text of an act, or the code of an act that is no longer in the list. */
export const actText = (act: string): string => (isKeyOf(acts, act) ? acts[act][0] : act)

/** `subject` is an id or a user's email address. `subject` and `detail` never contain a borrower's personal data. */
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

/** Records an act. Call it last in a transaction, because it locks the end of the audit chain. */
export async function noteAct(
  tx: Tx,
  { staffId: personId, act, about: { caseRef, ...about }, at }: StaffAct,
): Promise<void> {
  const programColumns = { caseRef: caseRef ?? null }
  await addEntry({ tx, at }, { tenantId: noTenant, personId, act, ...about, programColumns })
}
