// The loan or credit line against mutual funds, in dialect 2.3.0, secured by a lien on units (FIS12 §10).

import type { Table } from '@lendloom/foundation/machine'
import { required } from '@lendloom/foundation/required'
import { inr } from '@lendloom/lending/money'
import { drawingPower, type UnitShare, worthOf as worthOfUnits } from '@lendloom/wire/hosted/portfolio'
import { readSearch } from '@lendloom/wire/network/v230/search'
import { onStatus, onUpdate } from '@lendloom/wire/network/v230/update-and-status'
import { type LoanMove, type LoanStatus, noMoves } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import type { Loan } from '#sandbox/lender/core/lending-decision.ts'
import { paidUpfrontAfter, type Security } from '#sandbox/lender/core/loan-security.ts'
import { bpsText, ltvText } from '#sandbox/lender/core/message-parts.ts'
import type { LendingProduct } from '#sandbox/lender/core/product.ts'
import { answerIssue, answerIssueStatus } from '#sandbox/lender/grievance/answer-issue.ts'
import { borrowerPages } from '#sandbox/lender/pages/borrower-pages.ts'
import { answerRating, answerSupport, answerTrack } from '#sandbox/lender/servicing/answer-extra.ts'
import { answerLamfOrder, answerLamfStatus, answerLamfUpdate } from './answer-order.ts'
import { answerLamfSearch } from './answer-search.ts'
import { fetchPortfolio } from './fetch-holdings.ts'
import { firstDraw, isLine, lamfLendingOf, loanToValueAt } from './lenders.ts'
import { disbursedLamf, scheduleRepayment } from './loan-state.ts'
import { lamfItem, requireLamfDraft } from './message-parts.ts'
import { lien, line } from './pledge-pages.ts'
import { lamfSection, overview } from './public-pages.ts'
import { lamfSteps } from './steps.ts'
import { pledgesOf } from './store.ts'

/** The application form is part of the search, and the bank account part of the first `init`. */
const moves: Table<LoanStatus, LoanMove> = {
  ...noMoves,
  SEARCHED: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  CONSENTING: { ask: 'CONSENTING', offer: 'OFFERED', refuse: 'REFUSED' },
  OFFERED: { ask: 'CONSENTING', offer: 'OFFERED', quote: 'QUOTED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  QUOTED: { quote: 'QUOTED', initiate: 'INITIATED', refuse: 'REFUSED', lapse: 'EXPIRED' },
  INITIATED: { identify: 'IDENTIFIED', completeAll: 'SIGNED', reject: 'REJECTED', lapse: 'EXPIRED' },
  IDENTIFIED: { pledge: 'PLEDGING', lapse: 'EXPIRED' },
  PLEDGING: { mark: 'PLEDGED', reject: 'REJECTED' },
  PLEDGED: { verify: 'MANDATING' },
  MANDATING: { mandate: 'MANDATED', reject: 'REJECTED' },
  MANDATED: { draft: 'AGREEING' },
  AGREEING: { sign: 'SIGNED', reject: 'REJECTED' },
  SIGNED: { makeReady: 'READY' },
  READY: { sanction: 'SANCTIONED' },
  SANCTIONED: { disburse: 'DISBURSED' },
}

const categories = ['LOAN', 'SECURED_PERSONAL', 'LAMF']

export const mutualFundLoan: LendingProduct = {
  id: 'LAMF',
  dialect: '2.3.0',
  moves,
  // The first page opens after the `init` with the bank account.
  initialStatus: 'INITIATED',
  steps: ({ lender }) => lamfSteps(lender),
  lending: lamfLendingOf,
  isLine,
  itemId: (policy) => lamfItem(policy).id,
  matchesSearch(message) {
    const request = readSearch(message)
    return request.kind === 'broadcast' && categories.includes(request.category)
  },
  fetchExternalData: async (ctx, policy, conversation, request) => ({
    bank: null,
    portfolio: await fetchPortfolio(ctx, policy, conversation, request),
  }),
  handlers: {
    search: answerLamfSearch,
    select: (tx, request) => answerLamfOrder(tx, request, 'select'),
    init: (tx, request) => answerLamfOrder(tx, request, 'init'),
    confirm: (tx, request) => answerLamfOrder(tx, request, 'confirm'),
    status: answerLamfStatus,
    update: answerLamfUpdate,
    support: answerSupport,
    track: answerTrack,
    rating: answerRating,
    issue: answerIssue,
    issue_status: answerIssueStatus,
  },
  onStatus: async (tx, file, result) => onStatus(await requireLamfDraft(tx, file, result)),
  onUpdate: async (...args) => onUpdate(await disbursedLamf(...args)),
  disbursal: {
    facts: (policy, { principal, drawn }, at) => {
      if (!isLine(policy)) return {}
      const first = firstDraw(required(principal, 'limit of the line'))
      return { drawn: drawn !== null && drawn > first ? drawn : first, drawnAt: at }
    },
    // 2.3.0 reports disbursal by on_update (FIS12 §10.2 row 14, §17.5).
    action: 'on_update',
    mayReportAfter: () => true,
    message: async (...args) => onUpdate(await disbursedLamf(...args)),
    after: scheduleRepayment,
  },
  profileForm: null,
  pages: { ...borrowerPages, lien, line },
  async units(db, seal, conversationId) {
    const pledges = await pledgesOf(db, seal, conversationId)
    return pledges && { offer: pledges.offered, final: pledges.chosen }
  },
  security: (policy, _conversation, stage, units) => unitSecurity(policy, units?.[stage] ?? []),
  agreementNeedsAccount: false,
  publicPageSection: lamfSection,
  overview,
}

const loanSecurity = {
  kind: 'loan against mutual funds, secured by a lien on units',
  disbursalSchedule: paidUpfrontAfter('the lien is marked and the agreement signed'),
}
const lineSecurity = {
  kind: 'credit line against mutual funds, secured by a lien on units',
  disbursalSchedule: 'As you draw it, up to the limit, to your own bank account',
}

/** The pledged units, for the key facts statement. */
export const unitSecurity = (policy: LenderPolicy, units: readonly UnitShare[]): Security => ({
  ...(isLine(policy) ? lineSecurity : loanSecurity),
  title: 'The units that you pledge',
  rows: (loan) => securityRows(policy, units, loan),
})

const securityRows = (
  policy: LenderPolicy,
  units: readonly UnitShare[],
  loan: Loan,
): [label: string, value: string][] => [
  ...units.map(({ holding, units: pledged }): [string, string] => [
    holding.schemeName ?? holding.schemeCode,
    `${pledged} units at a NAV of ₹${holding.nav}, of which ${bpsText(loanToValueAt(policy)(holding))} may be lent; folio ${holding.folio}, ${holding.registrar}`,
  ]),
  ['Value', inr(worthOfUnits(units))],
  ['Drawing power', inr(drawingPower(units, loanToValueAt(policy)))],
  ['Loan to value', ltvText(loan.principal, worthOfUnits(units))],
  ['Release of the lien', 'Within 7 working days of full repayment'],
]
