// What comes once a final offer is accepted, as a chunk of its own: the steps to the money, and the loan after disbursal.
import { BankScreen } from './bank.tsx'
import { here } from './here.ts'
import { AgreementScreen, KycScreen, MandateScreen, VisitScreen } from './lender-step.tsx'
import { LoanScreen } from './loan.tsx'
import { DisbursalScreen, WorkingScreen } from './working.tsx'

here.accepted = {
  KYC: KycScreen,
  VISIT: VisitScreen,
  BANK: BankScreen,
  E_MANDATE: MandateScreen,
  LOAN_AGREEMENT: AgreementScreen,
  LENDER_WORKING: WorkingScreen,
  DISBURSAL: DisbursalScreen,
  DISBURSED: LoanScreen,
  CLOSED: LoanScreen,
}
