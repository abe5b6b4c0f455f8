// What comes once an offer is chosen, as a chunk of its own: the final offer, the steps to the money, and the loan.
import { BankScreen } from './bank.tsx'
import { FinalisingScreen, FinalOfferScreen } from './final-offer.tsx'
import { here } from './here.ts'
import { AgreementScreen, KycScreen, LienScreen, MandateScreen, StatementScreen, VisitScreen } from './lender-step.tsx'
import { LineScreen } from './line.tsx'
import { LoanScreen } from './loan.tsx'
import { DisbursalScreen, WorkingScreen } from './working.tsx'

here.fetched = {
  ...here.fetched,
  FINALISING: FinalisingScreen,
  FINAL_OFFER: FinalOfferScreen,
  KYC: KycScreen,
  VISIT: VisitScreen,
  BANK: BankScreen,
  STATEMENT: StatementScreen,
  LIEN: LienScreen,
  E_MANDATE: MandateScreen,
  LOAN_AGREEMENT: AgreementScreen,
  LENDER_WORKING: WorkingScreen,
  DISBURSAL: DisbursalScreen,
  LINE_OPEN: LineScreen,
  DISBURSED: LoanScreen,
  CLOSED: LoanScreen,
}
