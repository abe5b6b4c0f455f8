// A loan against mutual funds, or a credit line: in dialect 2.3.0, on units under a lien (FIS12 §10).

import { readSearch } from '#contract/network/v230/search.ts'
import { onStatus, onUpdate } from '#contract/network/v230/update.ts'
import { required } from '#kit/runtime/required.ts'
import type { LendingProduct } from '#sandbox/lender/core/product.ts'
import { borrowerPages } from '#sandbox/lender/pages/borrower-pages.ts'
import { answerLamfOrder } from './answer-order.ts'
import { answerLamfSearch } from './answer-search.ts'
import { answerLamfStatus } from './answer-status.ts'
import { answerLamfUpdate } from './answer-update.ts'
import { scheduleRepayment } from './draw.ts'
import { firstDraw, isLine, lamfLendingOf } from './lending.ts'
import { lien } from './lien-page.ts'
import { line } from './line-page.ts'
import { disbursedLamf } from './loan-state.ts'
import { moves } from './moves.ts'
import { portfolioNews } from './news.ts'
import { lamfItem, requireLamfDraft } from './order.ts'
import { lamfPart, overview } from './pages.ts'
import { unitSecurity } from './security.ts'
import { lamfSteps } from './steps.ts'
import { pledgesOf } from './store.ts'

/** The categories of a search that it answers. */
const categories = ['LOAN', 'SECURED_PERSONAL', 'LAMF']

export const mutualFundLoan: LendingProduct = {
  id: 'LAMF',
  dialect: '2.3.0',
  moves,
  // The first page follows the account.
  begins: 'INITIATED',
  steps: ({ lender }) => lamfSteps(lender),
  lending: lamfLendingOf,
  isLine,
  itemId: (policy) => lamfItem(policy).id,
  isSought(message) {
    const request = readSearch(message)
    return request.kind === 'broadcast' && categories.includes(request.category)
  },
  learn: async (ctx, policy, conversation, request) => ({
    bank: null,
    portfolio: await portfolioNews(ctx, policy, conversation, request),
  }),
  answerers: {
    search: answerLamfSearch,
    select: (tx, request) => answerLamfOrder(tx, request, 'select'),
    init: (tx, request) => answerLamfOrder(tx, request, 'init'),
    confirm: (tx, request) => answerLamfOrder(tx, request, 'confirm'),
    status: answerLamfStatus,
    update: answerLamfUpdate,
  },
  onStatus: async (tx, file, result) => onStatus(await requireLamfDraft(tx, file, result)),
  onUpdate: async (...given) => onUpdate(await disbursedLamf(...given)),
  disbursal: {
    facts: (policy, { principal }, at) =>
      isLine(policy) ? { drawn: firstDraw(required(principal, 'limit of the line')), drawnAt: at } : {},
    // In 2.3.0 the news is an on_update (FIS12 §10.2 row 14, §17.5).
    action: 'on_update',
    mayFollow: () => true,
    message: async (...given) => onUpdate(await disbursedLamf(...given)),
    after: scheduleRepayment,
  },
  // The form with which a borrower applies travels inside the search.
  profileForm: null,
  pages: { ...borrowerPages, lien, line },
  async units(db, seal, conversationId) {
    const pledges = await pledgesOf(db, seal, conversationId)
    return pledges && { offer: pledges.offered, final: pledges.chosen }
  },
  security: (policy, _conversation, stage, units) => unitSecurity(policy, units?.[stage] ?? []),
  needsAccount: false,
  publicPart: lamfPart,
  overview,
}
