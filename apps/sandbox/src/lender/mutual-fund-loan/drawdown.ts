// The drawdown from an open credit line of a lender with stops: a conversation of its own (FIS12 §27.5).

import type { Table } from '@lendloom/foundation/machine'
import { required } from '@lendloom/foundation/required'
import type { Tx } from '@lendloom/postgres/sql'
import { onUpdate } from '@lendloom/wire/network/v230/update-and-status'
import type { Context } from '#sandbox/core/context.ts'
import { type Conversation, type LoanMove, type LoanStatus, noMoves } from '#sandbox/lender/core/conversation.ts'
import { type LendingProduct, policyUnder } from '#sandbox/lender/core/product.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { writeConversation } from '#sandbox/lender/core/store.ts'
import { answerDrawdownConfirm, answerDrawdownInit, answerDrawdownStatus } from './answer-drawdown.ts'
import { drawdownOrder, lockLine } from './drawdown-order.ts'
import { disbursedLamf } from './loan-state.ts'
import { mutualFundLoanWithStops } from './with-stops.ts'

/** QUOTED: the terms are told; SANCTIONED: the borrower has agreed; DISBURSED: the money is paid out. */
const moves: Table<LoanStatus, LoanMove> = {
  ...noMoves,
  QUOTED: { quote: 'QUOTED', refuse: 'REFUSED', lapse: 'EXPIRED', sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
}

export const drawdown: LendingProduct = {
  ...mutualFundLoanWithStops,
  moves,
  steps: () => [],
  handlers: { init: answerDrawdownInit, confirm: answerDrawdownConfirm, status: answerDrawdownStatus },
  disbursal: {
    facts: () => ({}),
    settle: drawFromLine,
    action: 'on_update',
    mayReportAfter: () => true,
    message: async (tx, file) => drawdownOrder(tx, file, await lockLine(tx, file.conversation)),
    after: reportLine,
  },
  pages: {},
}

/** The drawn part of the line grows with the payout. */
async function drawFromLine(tx: Tx, drawdown: Conversation, at: Date): Promise<void> {
  const line = await lockLine(tx, drawdown)
  const { status, drawn } = line
  const amount = required(drawdown.principal, `amount of drawdown ${drawdown.conversationId}`)
  await writeConversation(tx, line, { status, drawn: (drawn ?? 0n) + amount, drawnAt: at }, at)
}

/** Tells the order of the line, in the transaction of the drawdown. */
async function reportLine(tx: Tx, ctx: Context, conversation: Conversation, at: Date): Promise<void> {
  const line = await lockLine(tx, conversation)
  const policy = policyUnder(mutualFundLoanWithStops, line)
  const message = onUpdate(await disbursedLamf(tx, { deps: ctx, policy, conversation: line }, at))
  await sendCallback(tx, ctx, policy, {
    conversation,
    action: 'on_update',
    content: { message },
    // A message must be later than the one before (FIS12 §3.3).
    at: new Date(at.getTime() + 1),
  })
}
