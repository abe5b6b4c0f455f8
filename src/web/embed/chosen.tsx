// What comes once an offer is chosen, as a chunk of its own: the final offer, the steps to the money, and the loan.
import type { ComponentChild } from 'preact'
import { BankScreen } from './bank.tsx'
import { FinalisingScreen, FinalOfferScreen } from './final-offer.tsx'
import { here } from './here.ts'
import { AgreementScreen, KycScreen, LienScreen, MandateScreen, StatementScreen, VisitScreen } from './lender-step.tsx'
import { LineScreen } from './line.tsx'
import { LoanScreen } from './loan.tsx'
import { Requests } from './request.tsx'
import { DisbursalScreen, WorkingScreen } from './working.tsx'

/** The steps after an acceptance, while the lender can still be asked to stop. The step stays as it is behind the question. */
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
  FINALISING: FinalisingScreen,
  FINAL_OFFER: FinalOfferScreen,
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
