// The number by which the desk names a case, the same on all pages: of the loan once there is one, else of the application.

export interface NumberedCase {
  hasLoan: boolean
  loanId: string
  leadId: string
}

const caseNumber = ({ hasLoan, loanId, leadId }: NumberedCase): string => (hasLoan ? loanId : leadId)

/** `Loan 474305901230035232`, or `Application 326363169419560112`. */
export const caseNumberText = (numbered: NumberedCase): string =>
  `${numbered.hasLoan ? 'Loan' : 'Application'} ${caseNumber(numbered)}`

/** For the middle of a sentence: `loan 474305901230035232`. */
export const inlineCaseNumber = (numbered: NumberedCase): string =>
  `${numbered.hasLoan ? 'loan' : 'application'} ${caseNumber(numbered)}`

/** The last digits of the number, for a list in which the name of the borrower stands elsewhere. */
export const shortCaseNumber = (numbered: NumberedCase): string =>
  `${numbered.hasLoan ? 'Loan' : 'Application'} …${caseNumber(numbered).slice(-4)}`
