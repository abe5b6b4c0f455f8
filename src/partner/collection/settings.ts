// Program settings for the search of claimed payments.
import { number } from '#kit/runtime/config.ts'

export const collectionSettings = {
  PARTNER_CLAIM_DAYS: number('Days to search bank receipts for a claimed payment', 3, 1, 30),
  PARTNER_CLAIM_EARLY_DAYS: number('Days by which a receipt may precede the claimed date', 1, 0, 7),
}
