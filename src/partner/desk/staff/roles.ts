// Who may do what at the desk: the roles of its people, and the one table that names for each act the roles that may do it.

import { type Role, roles } from '#partner/desk-person.ts'
import type { Act } from './staff-act.ts'

const everybody = roles
const credit = ['credit', 'admin'] as const
const operations = ['operations', 'admin'] as const
const collections = ['collections', 'operations', 'admin'] as const
const accounts = ['accounts', 'operations', 'admin'] as const
const money = ['credit', 'operations', 'collections', 'accounts', 'admin'] as const
const admin = ['admin'] as const

/** Of the pages of the desk everybody reads all but the audit log and the people; only what is written here may be done. */
export const mayDo: Record<Act, readonly Role[]> = {
  SIGNED_IN: everybody,
  SIGNED_OUT: everybody,
  SIGN_IN_FAILED: everybody,
  NOT_ALLOWED: everybody,
  ACT_REFUSED: everybody,
  CODE_REQUESTED: everybody,
  SIGN_IN_PAUSED: everybody,
  SECOND_FACTOR_ON: everybody,
  SECOND_FACTOR_OFF: everybody,
  SECOND_FACTOR_RESET: admin,
  PASSKEY_ADDED: everybody,
  PASSKEY_REMOVED: everybody,
  OPENID_LINKED: everybody,
  PASSWORD_CHANGED: everybody,
  PASSWORD_CHOSEN: everybody,
  SEARCHED: everybody,
  CASE_VIEWED: everybody,
  LIST_VIEWED: everybody,
  RECEIPT_VIEWED: accounts,
  STATEMENT_VIEWED: accounts,
  FILE_READ: ['credit', 'operations', 'accounts', 'admin'],
  OFFERED: credit,
  REJECTED: credit,
  KYC_REVIEWED: ['credit', 'operations', 'admin'],
  TRANSFER_ORDERED: operations,
  RECEIPT_REVERSED: accounts,
  REFUND_ORDERED: accounts,
  ACCOUNT_CHANGED: accounts,
  CASE_STOPPED: ['credit', 'operations', 'admin'],
  IDENTITY_DECIDED: ['credit', 'operations', 'admin'],
  NAMES_COMPARED: operations,
  PAPER_MADE: money,
  WAIVED: ['credit', 'collections', 'accounts', 'admin'],
  WRITTEN_OFF: ['credit', 'collections', 'accounts', 'admin'],
  LOSS_DECIDED: ['credit', 'accounts', 'admin'],
  REQUEST_MADE: money,
  REQUEST_APPROVED: ['credit', 'operations', 'accounts', 'admin'],
  REQUEST_REFUSED: ['credit', 'operations', 'accounts', 'admin'],
  REQUEST_WITHDRAWN: money,
  LIMITS_CHANGED: admin,
  POLICY_CHANGED: admin,
  CHANGE_PROPOSED: admin,
  CHANGE_REFUSED: admin,
  CHANGE_WITHDRAWN: admin,
  NOTE_ADDED: money,
  TASK_MADE: money,
  TASK_DONE: money,
  AGENT_ASSIGNED: collections,
  PROMISE_MADE: collections,
  CONTACT_NOTED: collections,
  DEBITS_HELD: collections,
  HOLD_RELEASED: collections,
  COOLING_OFF_EXIT: collections,
  FORECLOSURE_QUOTED: money,
  PART_PAYMENT_CHOICE: collections,
  DEBIT_REQUESTED: collections,
  COLLECTION_BEGUN: collections,
  RECEIPT_POSTED: accounts,
  EVENT_LOOKED_AT: operations,
  EVENT_SENT_AGAIN: operations,
  RULES_ON: admin,
  RULES_OFF: admin,
  BOOKS_EXPORTED: accounts,
  REPORT_MADE: accounts,
  STATEMENT_UPLOADED: accounts,
  STATEMENT_PAIRED: accounts,
  STATEMENT_UNPAIRED: accounts,
  STATEMENT_CLOSED: accounts,
  TABLE_EXPORTED: money,
  LOG_READ: admin,
  STAFF_ADDED: admin,
  STAFF_REMOVED: admin,
  STAFF_PASSWORD: admin,
  ROLES_CHANGED: admin,
}

/** Whether somebody may do it in one of their roles. */
export const can = ({ roles: had }: { roles: readonly Role[] }, act: Act): boolean =>
  mayDo[act].some((role) => had.includes(role))

export const isRole = (text: string): text is Role => roles.some((role) => role === text)
