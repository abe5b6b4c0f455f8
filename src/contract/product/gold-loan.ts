// The gold loan, on every wire.
import type { ProductContract } from './product.ts'

export const goldLoan = {
  id: 'GOLD_LOAN',
  name: 'gold loan',
  hybridName: 'gold-loan',
  opensBySession: true,
  isHeadless: true,
  // It is for companies too (D1 §2.1 `constitution`).
  needsPersonPan: false,
  leastIncomeDigits: 1,
  pledgesGold: true,
  pledgesFunds: false,
  visitsBranch: true,
  isAccountFirst: false,
  isRepaidAtLender: false,
} as const satisfies ProductContract
