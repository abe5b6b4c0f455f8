// What the products in dialect 2.0.3 have in common: their messages, the order of them, and how paying out is told.

import { readSearch } from '#contract/network/v203/search.ts'
import { onStatus } from '#contract/network/v203/status.ts'
import { onUpdate } from '#contract/network/v203/update.ts'
import { applicantOf } from '#sandbox/lender/core/store.ts'
import { answerIssue, answerIssueStatus } from '#sandbox/lender/grievance/answer-issue.ts'
import { answerOrder } from './answer-order.ts'
import { answerSearch } from './answer-search.ts'
import { answerStatus } from './answer-status.ts'
import { answerUpdate } from './answer-update.ts'
import { bankNews } from './bank-news.ts'
import { disbursedOrder } from './disbursed-order.ts'
import { draftOf } from './draft.ts'
import { moves } from './moves.ts'
import type { Policy203, ProductIn203 } from './product.ts'
import { sanctionedOrder } from './sanctioned-order.ts'

type Answered = Pick<
  ProductIn203,
  | 'dialect'
  | 'moves'
  | 'begins'
  | 'isLine'
  | 'isSought'
  | 'itemId'
  | 'learn'
  | 'answerers'
  | 'onStatus'
  | 'onUpdate'
  | 'disbursal'
  | 'units'
>

/** `suffix` ends the ids of its items. */
export const answeredIn203 = (id: ProductIn203['id'], suffix: string): Answered => ({
  dialect: '2.0.3',
  moves,
  begins: 'SEARCHED',
  isLine: () => false,
  isSought: (message) => readSearch(message).category === id,
  itemId: ({ slug }, assessment) => `ITEM-${slug.toUpperCase()}-${suffix}${assessment ? '-AA' : ''}`,
  learn: async (ctx, policy: Policy203, conversation, request) => ({
    bank: await bankNews(ctx, policy, conversation, request),
    portfolio: null,
  }),
  answerers: {
    search: answerSearch,
    select: answerOrder,
    init: answerOrder,
    confirm: answerOrder,
    status: answerStatus,
    update: answerUpdate,
    issue: answerIssue,
    issue_status: answerIssueStatus,
  },
  async onStatus(tx, place, policy: Policy203, conversation, result) {
    const applicant = (await applicantOf(tx, place.seal, conversation.conversationId))!
    return onStatus(draftOf(place, policy, conversation, applicant, result)!)
  },
  async onUpdate(tx, place, policy: Policy203, conversation, at) {
    if (conversation.disbursedAt !== null) return onUpdate(await disbursedOrder(tx, place, policy, conversation, at))
    const applicant = (await applicantOf(tx, place.seal, conversation.conversationId))!
    return onUpdate(sanctionedOrder(place, policy, conversation, applicant))
  },
  disbursal: {
    facts: () => ({}),
    // Without account monitoring the news is an unsolicited on_status (FIS12 §8.1, variants).
    action: 'on_status',
    // No on_status follows another: a buyer app that has begun to ask finds the money when it asks next (FIS12 §4.1).
    mayFollow: (last) => last !== 'status' && last !== 'on_status',
    message: async (tx, place, policy: Policy203, conversation, at) =>
      onStatus(await disbursedOrder(tx, place, policy, conversation, at)),
  },
  units: async () => null,
})
