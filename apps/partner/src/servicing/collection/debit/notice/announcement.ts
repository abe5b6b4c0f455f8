// Whether a notice announces a debit in time (RBI, e-mandate framework).
import { secondsAfter } from '@lendloom/foundation/clock'
import type { Rail } from '#partner/bank/rail/rail.ts'
import type { Announcement } from '#partner/servicing/collection/debit/plan-debit.ts'
import type { DebitNotice } from './store.ts'

interface AnnouncedDebit {
  umrn: string
  notice: DebitNotice | undefined
  at: Date
}

export function announcementOf(rail: Rail, { umrn, notice, at }: AnnouncedDebit): Announcement {
  if (!rail.isNotifiedByBank) return { upToPaise: rail.maxDebitPaise }
  if (notice?.umrn !== umrn) return { blocked: 'NOT_ANNOUNCED' }
  if (notice.state === 'REFUSED') return { blocked: 'ANNOUNCEMENT_REFUSED' }
  if (at < secondsAfter(notice.noticedAt, rail.noticeHours * 3600)) return { blocked: 'ANNOUNCED_TOO_LATE' }
  return { upToPaise: notice.amountPaise }
}
