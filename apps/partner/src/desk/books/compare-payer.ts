// Compares the payer of an unmatched receipt with the borrower to whose loan an officer would post it.

import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { compareNames, type NameMatch } from '#partner/bank/name-match.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/open-lead.ts'
import { leadOfCase } from '#partner/origination/case/store.ts'
import { receiptTexts } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import type { BankReceipt } from '#partner/servicing/collection/receipt/store.ts'

/** `UNKNOWN`: the bank did not name the payer. */
type PayerMatch = NameMatch | 'UNKNOWN'

export interface PayerComparison {
  payer: string
  remark: string | null
  borrower: string
  match: PayerMatch
}

export const payerWarnings: Record<PayerMatch, string | null> = {
  SAME: null,
  UNCERTAIN: 'The payer may not be the borrower.',
  DIFFERENT: 'The payer is not the borrower.',
  UNKNOWN: 'The bank did not name the payer.',
}

const matchOf = (payer: string, borrower: string): PayerMatch =>
  payer === '' ? 'UNKNOWN' : compareNames(payer, borrower)

/** Reads the names of both. Money of anybody but the borrower is posted by two people, whatever its amount. */
export async function comparePayer(
  db: Run,
  seal: Seal,
  receipt: BankReceipt,
  caseRef: string,
): Promise<PayerComparison> {
  const texts = receiptTexts(seal, receipt)
  const payer = texts.payer?.trim() ?? ''
  const borrower = nameOfBorrower(openLead(seal, caseRef, await leadOfCase(db, caseRef)))
  return { payer, remark: texts.remark, borrower, match: matchOf(payer, borrower) }
}
