// Program settings for debits and for the search of claimed payments.
import { number } from '#kit/runtime/config.ts'

export const collectionSettings = {
  PARTNER_COLLECT_FROM_HOUR: number('Hour (IST) from which debits are presented', 0, 0, 23),
  PARTNER_COLLECT_UNTIL_HOUR: number("The bank's cut-off: hour (IST) until which debits are presented", 24, 1, 24),
  PARTNER_NOTICE_HOURS: number('Hours between sending the schedule and its first debit', 24, 0, 168),
  PARTNER_CLAIM_DAYS: number('Days to search bank receipts for a claimed payment', 3, 1, 30),
  PARTNER_CLAIM_EARLY_DAYS: number('Days by which a receipt may precede the claimed date', 1, 0, 7),
}
