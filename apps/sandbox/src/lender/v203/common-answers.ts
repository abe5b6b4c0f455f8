// The answers to order messages that the products of dialect 2.0.3 share.

import { businessDate } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { readSearch } from '@lendloom/wire/network/v203/search'
import { onStatus, onUpdate } from '@lendloom/wire/network/v203/update-and-status'
import type { LoanFile } from '#sandbox/lender/core/message-parts.ts'
import { lastResult } from '#sandbox/lender/core/status-request.ts'
import { requireApplicant, submissionsOf } from '#sandbox/lender/core/store.ts'
import { answerIssue, answerIssueStatus } from '#sandbox/lender/grievance/answer-issue.ts'
import { answerRating, answerSupport, answerTrack } from '#sandbox/lender/servicing/answer-extra.ts'
import { answerCancel } from './answer-cancel.ts'
import { answerOrder, answerSearch, answerSelectWithStops, answerStatus, answerUpdate } from './answer-order.ts'
import { fetchBankData } from './fetch-bank-data.ts'
import { disbursedOrder, draftOf, sanctionedOrder } from './message-parts.ts'
import { moves, movesWithStops, type Policy203, type ProductIn203 } from './product.ts'

type AnswerSet = Pick<
  ProductIn203,
  | 'dialect'
  | 'moves'
  | 'initialStatus'
  | 'isLine'
  | 'matchesSearch'
  | 'itemId'
  | 'fetchExternalData'
  | 'handlers'
  | 'onStatus'
  | 'onUpdate'
  | 'disbursal'
  | 'units'
>

/** `suffix` is part of the item ids. */
export const answersIn203 = (id: ProductIn203['id'], suffix: string): AnswerSet => ({
  dialect: '2.0.3',
  moves,
  initialStatus: 'SEARCHED',
  isLine: () => false,
  matchesSearch: (message) => readSearch(message).category === id,
  itemId: ({ slug }, assessment) => `ITEM-${slug.toUpperCase()}-${suffix}${assessment ? '-AA' : ''}`,
  fetchExternalData: async (ctx, policy: Policy203, conversation, request) => ({
    bank: await fetchBankData(ctx, policy, conversation, request),
    portfolio: null,
  }),
  handlers: {
    search: answerSearch,
    select: answerOrder,
    init: answerOrder,
    confirm: answerOrder,
    status: answerStatus,
    update: answerUpdate,
    cancel: answerCancel,
    support: answerSupport,
    track: answerTrack,
    rating: answerRating,
    issue: answerIssue,
    issue_status: answerIssueStatus,
  },
  async onStatus(tx, file: LoanFile<Policy203>, result) {
    return onStatus(draftOf(file, await applicantIn(tx, file), result))
  },
  async onUpdate(tx, file: LoanFile<Policy203>, at) {
    if (file.conversation.disbursedAt !== null) return onUpdate(await disbursedOrder(tx, file, at))
    return onUpdate(sanctionedOrder(file, await applicantIn(tx, file)))
  },
  disbursal: {
    facts: () => ({}),
    // Without account monitoring, an unsolicited on_status reports disbursal (FIS12 §8.1, variants).
    action: 'on_status',
    // No unsolicited on_status after a status: the buyer app learns of the disbursal from its next status (FIS12 §4.1).
    mayReportAfter: (last) => last !== 'status' && last !== 'on_status',
    message: async (tx, file: LoanFile<Policy203>, at) => onStatus(await disbursedOrder(tx, file, at)),
  },
  units: async () => null,
})

/** With stops there is no `init`, and the lender pays out before the confirmation (FIS12 §26.2). */
export function answersWithStops(id: ProductIn203['id'], suffix: string): AnswerSet {
  const answers = answersIn203(id, suffix)
  const { init: _none, ...handlers } = answers.handlers
  return {
    ...answers,
    moves: movesWithStops,
    handlers: { ...handlers, select: answerSelectWithStops },
    disbursal: {
      // The borrower has signed on the page, where the money is awaited.
      facts: (_policy, _conversation, at) => ({ agreedOn: businessDate(at), sanctionedAt: at }),
      action: 'on_status',
      mayReportAfter: () => true,
      reportsDuePayments: true,
      async message(tx, file: LoanFile<Policy203>, at) {
        const { policy, conversation } = file
        if (conversation.orderId !== null) return onStatus(await disbursedOrder(tx, file, at))
        const submissions = await submissionsOf(tx, conversation.conversationId)
        const result = lastResult(policy.product, conversation, submissions)
        return onStatus(draftOf(file, await applicantIn(tx, file), result))
      },
    },
  }
}

const applicantIn = (tx: Tx, { deps, conversation }: LoanFile) =>
  requireApplicant(tx, deps.seal, conversation.conversationId)
