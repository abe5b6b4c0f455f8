// The loan against mutual funds, on every wire.
import type { ProductContract } from './product.ts'

export const mutualFundLoan = {
  id: 'LAMF_LOAN',
  name: 'loan against mutual funds',
  hybridName: 'lamf',
  opensBySession: false,
  isHeadless: false,
  needsPersonPan: false,
  leastIncomeDigits: 1,
  pledgesGold: false,
  pledgesFunds: true,
  visitsBranch: false,
  isAccountFirst: true,
  isRepaidAtLender: true,
} as const satisfies ProductContract
