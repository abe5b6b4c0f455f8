// After acceptance of the final terms, as a separate chunk: the steps to the payout, and the loan.
import type { ComponentChild } from 'preact'
import { LineScreen } from './loan/line.tsx'
import { LoanScreen } from './loan/loan.tsx'
import { Requests } from './loan/request.tsx'
import { here } from './page/here.ts'
import { BankScreen } from './steps/bank.tsx'
import {
  AgreementScreen,
  KycScreen,
  LienScreen,
  MandateScreen,
  StatementScreen,
  VisitScreen,
} from './steps/lender-step.tsx'
import { DisbursalScreen, WorkingScreen } from './steps/working.tsx'

/** Steps after an acceptance, while the lender can still be asked to stop. The step stays behind the question. */
const stoppable = (Step: () => ComponentChild) => () => {
  const isAsking = here.inner.value === 'cancel' && here.view.value.requests.includes('CANCELLATION')
  return (
    <>
      <div hidden={isAsking}>
        <Step />
      </div>
      <Requests />
    </>
  )
}

here.fetched = {
  ...here.fetched,
  KYC: stoppable(KycScreen),
  VISIT: stoppable(VisitScreen),
  BANK: stoppable(BankScreen),
  STATEMENT: StatementScreen,
  LIEN: LienScreen,
  E_MANDATE: stoppable(MandateScreen),
  LOAN_AGREEMENT: stoppable(AgreementScreen),
  LENDER_WORKING: stoppable(WorkingScreen),
  DISBURSAL: stoppable(DisbursalScreen),
  LINE_OPEN: LineScreen,
  DISBURSED: LoanScreen,
  CLOSED: LoanScreen,
}
