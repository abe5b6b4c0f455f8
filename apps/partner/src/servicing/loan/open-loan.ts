// Opens the loan account after the bank verified the transfer (D3 §1.1 rule 6).

import { Refusal } from '@lendloom/foundation/refusal'
import { plusDays } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { posting } from '#partner/books/ledger/entry.ts'
import { type LoanTerms, scheduleOf } from '#partner/origination/terms/terms.ts'
import { type InstallmentRow, newRow, noAmounts } from './installment-row.ts'
import { type Loan, statusAfter } from './loan.ts'
import { postInBooks } from './post-in-books.ts'
import { insertLoan, insertRows, lockAccount } from './store.ts'

export interface DisbursedLoan {
  caseRef: string
  loanId: string
  loanAccountId: string
  terms: LoanTerms
  disbursedPaise: Paise
  /** The day of the transfer. Interest starts on this day, and the first row is due a week later. */
  disbursedOn: string
  bankReference: string
}

/**
 * Opens the account, under the lock of its case. Throws `wrong-state` when the case has an account, or when the
 * transferred amount is not exactly the net amount of the terms.
 */
export async function openLoan(tx: Tx, disbursed: DisbursedLoan, at: Date): Promise<Loan> {
  const { caseRef, terms, disbursedPaise, disbursedOn } = disbursed
  if (await lockAccount(tx, caseRef)) throw new Refusal('wrong-state', 'this case already has a loan account')
  if (disbursedPaise !== terms.netPaise)
    throw new Refusal(
      'wrong-state',
      `the transfer of ${rupees(disbursedPaise)} is not the net amount ${rupees(terms.netPaise)}`,
    )
  const loan: Loan = {
    ...disbursed,
    status: statusAfter('NOT_CREATED', 'opened'),
    installmentPaise: terms.installmentPaise,
    partPaymentKeeps: 'INSTALLMENT',
    exitUntil: null,
    exitRequestedOn: null,
    exitReference: null,
    writtenOffOn: null,
    settlementPaise: null,
    settlementAgreedOn: null,
    settlementUntil: null,
    settlementEarlierIds: [],
    settledOn: null,
    assetClass: 'STANDARD',
    npaOn: null,
    scheduleVersion: 1,
    scheduleUpdatedAt: at,
    openedAt: at,
    updatedAt: at,
  }
  const rows = initialInstallments(terms, disbursedOn, at)
  await Promise.all([
    insertLoan(tx, loan, rows),
    insertRows(
      tx,
      rows.map((row) => ({ caseRef, row })),
    ),
    postInBooks(tx, [disbursementEntry(disbursed)], at),
  ])
  return loan
}

/** Returns the dated schedule: a row every seven days from the transfer. */
export const initialInstallments = (terms: LoanTerms, disbursedOn: string, at: Date): InstallmentRow[] =>
  scheduleOf(terms).map(({ number, interest, principal }) => ({
    ...newRow(number, plusDays(disbursedOn, 7 * number), at),
    due: { ...noAmounts, interest, principal },
  }))

/** Posts the whole amount as principal: the untransferred part pays the fee, tax and other charges. */
export const disbursementEntry = ({ caseRef, terms, disbursedOn }: DisbursedLoan) => ({
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
