// English texts for grievance messages to lenders. Network messages have only this language (FIS12 §20).
import type { Topic } from './topic.ts'

export type BorrowerAct = 'RAISED' | 'NOT_SATISFIED' | 'NOT_IN_TIME' | 'WITHDRAWN' | 'CLOSED'

export const actTexts: Record<BorrowerAct, string> = {
  RAISED: 'Complaint raised',
  NOT_SATISFIED: 'Not satisfied with the resolution',
  NOT_IN_TIME: 'Not resolved in time',
  WITHDRAWN: 'Complaint withdrawn',
  CLOSED: 'Complaint closed',
}

export const summaries: Record<Topic, string> = {
  CHARGES: 'Interest or a charge that was not agreed',
  REPAYMENT: 'A payment is missing or was debited twice',
  MONEY: 'The money did not arrive, or not all of it',
  DOCUMENTS: 'A document is missing or wrong',
  CONDUCT: 'How the borrower was treated',
  OTHER: 'Something else about the loan',
}

export const unknownComplainant = 'The borrower'

export const additionText = (text: string): string => `Added: ${text}`
