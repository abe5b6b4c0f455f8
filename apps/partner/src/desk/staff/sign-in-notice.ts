// Queues the mail that notifies a user of failed sign-ins or of a new second factor.

import { daysAfter } from '@lendloom/foundation/clock'
import { noticeMail } from '@lendloom/identity/mail-texts-en'
import type { StaffPerson, StaffProgram } from '@lendloom/identity/sign-in-program'
import { enqueue, noTenantId } from '@lendloom/queue/queue'

export const noticeQueue = 'staff-sign-in-notice'

export interface NoticeJob extends ReturnType<typeof noticeMail> {
  staffId: string
  /** ISO 8601 time a day after the end of the sign-in lock; null if the notice does not expire. */
  expiresAt: string | null
}

export const queueNotice =
  (lender: string): StaffProgram<StaffPerson>['mailNotice'] =>
  ({ tx, at }, { personId: staffId, name }, notice) => {
    const mail = noticeMail({ name, account: `your account at the desk of ${lender}` }, notice)
    const expiresAt = notice.ends ? daysAfter(notice.ends, 1).toISOString() : null
    const payload: NoticeJob = { ...mail, staffId, expiresAt }
    return enqueue(tx, { tenantId: noTenantId, kind: noticeQueue, payload, dueAt: at })
  }
