// DISBURSEMENT_UPDATED: the transfer to the borrower is pending, failed, or proved by the bank (D3 §2.5, §6).

import { checkDisbursement, Disbursement } from '#contract/exchange/account.ts'
import type { Static } from '#kit/http/schema.ts'

export const DisbursementUpdated = Disbursement
export type DisbursementUpdated = Static<typeof DisbursementUpdated>
export const checkDisbursementUpdated = checkDisbursement
