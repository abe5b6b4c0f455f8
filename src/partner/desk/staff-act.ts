// What staff did: one row for each act, in the transaction of its effect, so that neither is there without the other.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { isKeyOf } from '#kit/runtime/record.ts'
import { insertAct } from './store.ts'

/** Each act as it is read after a name: `Meera ordered the transfer`. */
export const acts = {
  SIGNED_IN: 'signed in',
  SIGNED_OUT: 'signed out',
  PASSWORD_CHANGED: 'changed their own password',
  OFFERED: 'approved, and offered terms',
  REJECTED: 'rejected the application',
  KYC_REVIEWED: 'reviewed the KYC',
  TRANSFER_ORDERED: 'ordered the transfer',
  HOLD_RELEASED: 'let debits go on',
  COOLING_OFF_EXIT: 'wrote down that the borrower leaves within the cooling-off period',
  FORECLOSURE_QUOTED: 'quoted what closes the loan',
  PART_PAYMENT_CHOICE: 'wrote down what part payments are to leave as it is',
  DEBIT_ASKED: 'had the case looked at for a debit',
  COLLECTION_BEGUN: 'had everything due looked at for debits',
  RECEIPT_POSTED: 'posted a receipt',
  FILE_READ: 'read a file',
  EVENT_LOOKED_AT: 'had a waiting event looked at',
  EVENT_SENT_AGAIN: 'had an event sent again',
  RULES_ON: 'put the rules in force',
  RULES_OFF: 'took over from the rules',
  STAFF_ADDED: 'added somebody to the staff',
  STAFF_REMOVED: 'removed somebody from the staff',
  STAFF_PASSWORD: 'gave somebody another password',
} as const
export type Act = keyof typeof acts

/** What they did, as it is read; an act that is no longer among them by its name. */
export const actText = (act: string): string => (isKeyOf(acts, act) ? acts[act] : act)

export interface About {
  caseRef?: string
  /** An id or an e-mail address of staff, never anything of a borrower. */
  subject?: string
}

interface StaffAct {
  /** Null stands for the command line. */
  staffId: string | null
  act: Act
  about: About
  at: Date
}

/** `staffId` null stands for the command line. */
export const noteAct = (tx: Tx | Run, { staffId, act, about: { caseRef, subject }, at }: StaffAct): Promise<void> =>
  insertAct(tx, {
    actId: uuidv7(at.getTime()),
    staffId,
    act,
    caseRef: caseRef ?? null,
    subject: subject ?? null,
    at,
  })
