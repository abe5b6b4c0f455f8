// The English texts of the desk about asset classes.
import type { AssetClass, ClassReason } from '#partner/servicing/loan/class/asset-class.ts'

export const classNames: Record<AssetClass, string> = {
  STANDARD: 'Standard',
  SMA_0: 'SMA-0',
  SMA_1: 'SMA-1',
  SMA_2: 'SMA-2',
  SUB_STANDARD: 'Sub-standard',
  DOUBTFUL_1: 'Doubtful, up to 1 year',
  DOUBTFUL_2: 'Doubtful, 1 to 3 years',
  DOUBTFUL_3: 'Doubtful, over 3 years',
  LOSS: 'Loss',
}

export const reasonTexts: Record<ClassReason, string> = {
  ARREARS: 'This loan is overdue',
  OTHER_LOAN: 'Another loan of the borrower is overdue',
  AGE: 'Time since it became an NPA',
  ARREARS_PAID: 'All arrears of the borrower are paid',
  ARREARS_WAIVED: 'All arrears of the borrower are paid or waived',
  DECISION: 'Decided by staff',
}

export const noDayClosed = 'No business day has been closed yet.'
export const provisionNote =
  'Provisions are a share of the outstanding principal, by asset class. Unpaid interest and charges of NPAs are held in suspense.'
