// Reopens a completed page if the lender rejects the page in its answer to the next request (FIS12 §3.4).

import type { Tx } from '#kit/db/sql.ts'
import { next } from '#kit/runtime/machine.ts'
import { ownValue } from '#kit/runtime/record.ts'
import { type Conversation, noAwaitedAnswer } from './conversation.ts'
import { type InboundMove, stages } from './stage.ts'
import { changeConversation } from './store.ts'

const moves: Record<string, InboundMove> = {
  KYC: 'kycRequested',
  LIEN_MARKING: 'lienRequested',
  EMANDATE: 'mandateRequested',
  LOAN_AGREEMENT: 'agreementRequested',
}

/** Reopens the last completed page. Returns undefined if no page can be reopened at the current stage. */
export async function reopenPage(tx: Tx, conversation: Conversation, at: Date): Promise<Conversation | undefined> {
  const { formHeading } = conversation
  const move = conversation.stage === 'CONFIRM_SENT' ? 'unsigned' : ownValue(moves, formHeading ?? '')
  const stage = move && next(stages, conversation.stage, move)
  return stage && changeConversation(tx, conversation, { ...noAwaitedAnswer, stage, submissionId: null }, at)
}
