// Chunk with the screens after acceptance of the final terms: the steps to the payout, and the loan.
import type { ComponentChild } from 'preact'
import { LoanScreen } from './loan/loan.tsx'
import { Requests } from './loan/requests-on-demand.tsx'
import { page } from './page/page-state.ts'
import { BankScreen } from './steps/bank-account.tsx'
import {
  AgreementScreen,
  KycScreen,
  LienScreen,
  MandateScreen,
  StatementScreen,
  VisitScreen,
} from './steps/lender-step.tsx'
import { DisbursalScreen, WorkingScreen } from './steps/lender-working.tsx'

/** Adds the borrower's option to cancel. The step stays mounted behind the confirmation, so that its input is kept. */
const withCancellation = (Step: () => ComponentChild) => () => {
  const isAsking = page.inner.value === 'cancel' && page.view.value.requests.includes('CANCELLATION')
  return (
    <>
      <div hidden={isAsking}>
        <Step />
      </div>
      <Requests />
    </>
  )
}

page.screens = {
  ...page.screens,
  KYC: withCancellation(KycScreen),
  VISIT: withCancellation(VisitScreen),
  BANK: withCancellation(BankScreen),
  STATEMENT: StatementScreen,
  LIEN: LienScreen,
  E_MANDATE: withCancellation(MandateScreen),
  LOAN_AGREEMENT: withCancellation(AgreementScreen),
  LENDER_WORKING: withCancellation(WorkingScreen),
  DISBURSAL: withCancellation(DisbursalScreen),
  LINE_OPEN: LoanScreen,
  DISBURSED: LoanScreen,
  CLOSED: LoanScreen,
}
