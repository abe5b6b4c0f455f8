// Program settings for the search of claimed payments, and for refunds.
import { number } from '@lendloom/foundation/config'

export const collectionSettings = {
  PARTNER_CLAIM_DAYS: number('Days to search bank receipts for a claimed payment', 3, 1, 30),
  PARTNER_CLAIM_EARLY_DAYS: number('Days by which a receipt may precede the claimed date', 1, 0, 7),
  PARTNER_ENACH_RETURN_DAYS: number(
    'Days in which the bank may take an eNACH debit back; its money is not refunded before',
    3,
    0,
    90,
  ),
  PARTNER_UPI_AUTOPAY_RETURN_DAYS: number(
    'Days in which the bank may take a UPI Autopay debit back; its money is not refunded before',
    1,
    0,
    90,
  ),
  PARTNER_TRANSFER_RETURN_DAYS: number(
    'Days in which the bank may take back money that the borrower sent; it is not refunded before',
    0,
    0,
    90,
  ),
}
