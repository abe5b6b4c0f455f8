// The loan or credit line against mutual funds of a lender with one page, which places the order by itself (FIS12 §27).

import type { Table } from '@lendloom/foundation/machine'
import { type LoanMove, type LoanStatus, noMoves } from '#sandbox/lender/core/conversation.ts'
import type { LendingProduct } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { answerPageDone } from './answer-page-done.ts'
import { mutualFundLoan } from './mutual-fund-loan.ts'
import { fundsPage } from './one-page.ts'

const moves: Table<LoanStatus, LoanMove> = {
  ...noMoves,
  SEARCHED: { offer: 'OFFERED', refuse: 'REFUSED' },
  OFFERED: { offer: 'OFFERED', quote: 'QUOTED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  // Each move on the page is reported as it is made; the last one is the completion.
  QUOTED: {
    quote: 'QUOTED',
    identify: 'IDENTIFIED',
    mandate: 'MANDATED',
    mark: 'PLEDGED',
    sign: 'SIGNED',
    refuse: 'REFUSED',
    reject: 'REJECTED',
    lapse: 'EXPIRED',
  },
  SIGNED: { makeReady: 'READY' },
  READY: { sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
}

const page: LenderStep = {
  heading: 'SINGLE_REDIRECTION',
  formId: 'FORM-LAMF-ONE-PAGE',
  mimeType: 'application/html',
  headings: ['SINGLE_REDIRECTION'],
  reportedMoves: ['identify', 'mandate', 'mark'],
  completionMove: 'sign',
  success: 'SUCCESS',
  tellsApp: true,
  request: 'select',
  callback: 'on_select',
  move: 'makeReady',
  statusAfter: 'READY',
}

const { init: _none, confirm: __none, ...handlers } = mutualFundLoan.handlers

export const mutualFundLoanWithStops: LendingProduct = {
  ...mutualFundLoan,
  moves,
  initialStatus: 'QUOTED',
  steps: () => [page],
  handlers: { ...handlers, select: answerPageDone },
  pages: { journey: fundsPage },
}
