// English text for a lender's grievance desk besides the borrower's words; network messages have one language (FIS12
// §20).
import type { Topic } from './topic.ts'

/** The borrower's act. */
export type OwnAct = 'RAISED' | 'NOT_SATISFIED' | 'NOT_IN_TIME' | 'WITHDRAWN' | 'CLOSED'

/** The text of each of our acts. */
export const actTexts: Record<OwnAct, string> = {
  RAISED: 'Complaint raised',
  NOT_SATISFIED: 'Not satisfied with the resolution',
  NOT_IN_TIME: 'Not resolved in time',
  WITHDRAWN: 'Complaint withdrawn',
  CLOSED: 'Complaint closed',
}

/** The summary that a lender reads. */
export const summaries: Record<Topic, string> = {
  CHARGES: 'Interest or a charge that was not agreed',
  REPAYMENT: 'A payment that is missing or was debited twice',
  MONEY: 'The money did not arrive, or not all of it',
  DOCUMENTS: 'A document is missing or wrong',
  CONDUCT: 'How the borrower was treated',
  OTHER: 'Something else about the loan',
}

/** Used for an unknown name. */
export const unnamed = 'The borrower'

export const added = (text: string): string => `Added: ${text}`
