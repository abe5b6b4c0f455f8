// The personal loan, on every wire.
import type { ProductContract } from './product.ts'

export const personalLoan = {
  id: 'PERSONAL_LOAN',
  name: 'personal loan',
  hybridName: 'personal-loan',
  opensBySession: true,
  isHeadless: true,
  needsPersonPan: true,
  leastIncomeDigits: 4,
  pledgesGold: false,
  pledgesFunds: false,
  visitsBranch: false,
  isAccountFirst: false,
  isRepaidAtLender: false,
} as const satisfies ProductContract
