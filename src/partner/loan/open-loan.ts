// Opens the loan account with the verified bank transfer, never before (D3 §1.1 rule 6).

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { plusDays } from '#kit/money/calendar.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { posting } from '#partner/ledger/store.ts'
import { postInBooks } from './end-of-day.ts'
import { type Loan, statusAfter } from './loan.ts'
import { type InstallmentRow, newRow, nothing } from './row.ts'
import { insertLoan, insertRows, lockAccount } from './store.ts'
import { type LoanTerms, scheduleOf } from './terms.ts'

export interface DisbursedLoan {
  caseRef: string
  loanId: string
  loanAccountId: string
  terms: LoanTerms
  disbursedPaise: Paise
  /** The day of the transfer: interest runs from it, and the first row is due a week later. */
  disbursedOn: string
  bankReference: string
}

/**
 * Opens the account under the lock of its case. Refused as `wrong-state` when there is one already, or when the transfer
 * was not of exactly the net amount of the terms.
 */
export async function openLoan(tx: Tx, given: DisbursedLoan, at: Date): Promise<Loan> {
  const { caseRef, terms, disbursedPaise, disbursedOn } = given
  if (await lockAccount(tx, caseRef)) throw new Refusal('wrong-state', 'this case has its loan account already')
  if (disbursedPaise !== terms.netPaise)
    throw new Refusal('wrong-state', `${rupees(disbursedPaise)} is not the net amount ${rupees(terms.netPaise)}`)
  const loan: Loan = {
    ...given,
    status: statusAfter('NOT_CREATED', 'opened'),
    installmentPaise: terms.installmentPaise,
    partPaymentKeeps: 'INSTALLMENT',
    exitUntil: null,
    exitRequestedOn: null,
    exitReference: null,
    writtenOffOn: null,
    assetClass: 'STANDARD',
    npaOn: null,
    scheduleVersion: 1,
    scheduleUpdatedAt: at,
    openedAt: at,
    updatedAt: at,
  }
  const rows = rowsOf(terms, disbursedOn, at)
  await Promise.all([
    insertLoan(tx, loan, rows),
    insertRows(
      tx,
      rows.map((row) => ({ caseRef, row })),
    ),
    postInBooks(tx, [disbursementOf(given)], at),
  ])
  return loan
}

/** The schedule with its dates: a row every seven days from the transfer. */
export const rowsOf = (terms: LoanTerms, disbursedOn: string, at: Date): InstallmentRow[] =>
  scheduleOf(terms).map(({ number, interest, principal }) => ({
    ...newRow(number, plusDays(disbursedOn, 7 * number), at),
    due: { ...nothing, interest, principal },
  }))

/** The borrower owes the whole amount; what was not transferred paid for fee, tax and other charges. */
export const disbursementOf = ({ caseRef, terms, disbursedOn }: DisbursedLoan) => ({
  caseRef,
  entryId: 'disbursement',
  kind: 'DISBURSEMENT' as const,
  businessOn: disbursedOn,
  reverses: null,
  postings: [
    ...posting('PRINCIPAL', 'BANK', terms.netPaise),
    ...posting('PRINCIPAL', 'FEE_INCOME', terms.feePaise),
    ...posting('PRINCIPAL', 'TAX_PAYABLE', terms.taxPaise),
    ...posting('PRINCIPAL', 'CHARGES_INCOME', terms.otherChargesPaise),
  ],
})
