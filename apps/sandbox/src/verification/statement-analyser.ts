// The sandbox's statement analyser: the borrower shares a statement, and the analyser reports figures later.

import { type Block, pdfOf, tableBlock } from '@lendloom/documents/pdf'
import type { Table } from '@lendloom/foundation/machine'
import { html } from '@lendloom/http/markup'
import { longDayText } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import {
  StatementRequest as Request,
  type StatementAccount,
  type StatementRequest,
  type StatementState,
  StatementStatusReport,
} from '@lendloom/wire/provider/provider-interfaces'
import { facts, masked } from '#sandbox/core/page-frame.ts'
import {
  countReturnedDebits,
  figuresOf,
  meanOf,
  type StatementFigures,
  type StatementMonth,
} from './bank-statement-figures.ts'
import type { CheckOutcome, Provider, ProviderDecision, ProviderVerification, VerificationMove } from './provider.ts'

/** The fact with the id of an uploaded statement; absent when the borrower shares a statement on the page. */
export const uploadFact = 'upload_file_id'

const statementMachine: Table<StatementState, VerificationMove> = {
  AWAITING_STATEMENT: {
    submit: 'PROCESSING',
    refuse: 'CONSENT_DENIED',
    lapse: 'LINK_EXPIRED',
    cancel: 'CONSENT_DENIED',
  },
  PROCESSING: {
    finish: 'INSIGHTS_READY',
    fail: 'PDF_PARSE_FAILED',
    forge: 'PDF_FRAUD_DETECTED',
    mistake: 'STATEMENT_VALIDATION_FAILED',
  },
  INSIGHTS_READY: {},
  PDF_PARSE_FAILED: {},
  PDF_FRAUD_DETECTED: {},
  STATEMENT_VALIDATION_FAILED: {},
  CONSENT_DENIED: {},
  LINK_EXPIRED: {},
}

function borrowerDecision(
  _verification: ProviderVerification<StatementRequest>,
  outcome: CheckOutcome,
): ProviderDecision {
  if (outcome === 'approve') return { move: 'submit' }
  if (outcome === 'lapse') return { move: 'lapse', reasonCode: 'LINK_EXPIRED' }
  return { move: 'refuse', reasonCode: 'CONSENT_DENIED' }
}

function analyserDecision({ scenario }: ProviderVerification<StatementRequest>): ProviderDecision {
  if (scenario === 'statement-unreadable') return { move: 'fail', reasonCode: 'PDF_PARSE_FAILED' }
  if (scenario === 'statement-forged') return { move: 'forge', reasonCode: 'PDF_FRAUD_DETECTED' }
  if (scenario === 'statement-other') return { move: 'mistake', reasonCode: 'ACCOUNT_NUMBER_MISMATCH' }
  return { move: 'finish' }
}

export const statement: Provider<StatementRequest> = {
  kind: 'statement',
  brand: 'Sandbox Statements',
  request: Request,
  reply: StatementStatusReport,
  initialState: 'AWAITING_STATEMENT',
  successState: 'INSIGHTS_READY',
  machine: statementMachine,
  borrowerDecision,
  delayedDecision: (verification) =>
    verification.state === 'PROCESSING' ? { ...analyserDecision(verification), delayFactor: 1 } : null,
  facts({ state, request, scenario }, at) {
    if (state !== 'INSIGHTS_READY') return {}
    const { periodFrom, periodTo, insights } = figuresOf(request.account.account_number, scenario, at)
    return { analysed_at: at.toISOString(), period_from: periodFrom, period_to: periodTo, insights }
  },
  async filesOfState(verification, at, upload) {
    if (verification.state !== 'INSIGHTS_READY') return []
    const uploadId = verification.facts[uploadFact]
    const { account } = verification.request
    const figures = figuresOf(account.account_number, verification.scenario, at)
    const bytes = typeof uploadId === 'string' ? await upload(uploadId) : await statementPaper(account, figures, at)
    const analysis = await analysisPaper(account, figures, at)
    return [
      { kind: 'statement', contentType: 'application/pdf', bytes },
      { kind: 'analysis_report', contentType: 'application/pdf', bytes: analysis },
    ]
  },
  details({ request, facts, state }) {
    const account = state === 'INSIGHTS_READY' ? request.account : null
    const { analysed_at = null, period_from = null, period_to = null, insights = null } = facts
    return { account, analysed_at, period_from, period_to, insights }
  },
  page: ({ request: { account } }) => ({
    title: 'Share your bank statement',
    body: html`<p>Your lender requests your statement of the last six months and uses it only for this application.</p>
${facts([
  ['Account holder', account.holder_name],
  ['Account', `${masked(account.account_number)}, ${account.ifsc}`],
  ['Bank', account.bank_name],
])}`,
    approve: 'Share my statement',
    decline: 'Decline',
    again: 'The statement did not arrive. Please try again.',
  }),
}

function statementPaper(account: StatementAccount, figures: StatementFigures, at: Date): Promise<Buffer> {
  const table = tableBlock(
    [
      { head: 'Month', of: ({ month }) => month, width: 1 },
      { head: 'Credits', of: ({ credits }) => inr(credits), width: 1, isRight: true },
      { head: 'Debits', of: ({ debits }) => inr(debits), width: 1, isRight: true },
      { head: 'Closing balance', of: ({ closing }) => inr(closing), width: 1, isRight: true },
    ],
    figures.months,
  )
  return paper('Account statement', { account, figures }, at, [table])
}

function analysisPaper(account: StatementAccount, figures: StatementFigures, at: Date): Promise<Buffer> {
  const { months } = figures
  const mean = (figureOf: (month: StatementMonth) => bigint): string => inr(meanOf(months, figureOf))
  return paper('Bank statement analysis', { account, figures }, at, [
    tableOf([
      ['Average monthly credits', mean(({ credits }) => credits)],
      ['Average monthly debits', mean(({ debits }) => debits)],
      ['Average closing balance', mean(({ closing }) => closing)],
      ['Average monthly EMIs', mean(({ obligations }) => obligations)],
      ['Returned debits', String(countReturnedDebits(months))],
    ]),
  ])
}

interface StatementAnalysis {
  account: StatementAccount
  figures: StatementFigures
}

function paper(
  title: string,
  { account, figures }: StatementAnalysis,
  createdAt: Date,
  blocks: Block[],
): Promise<Buffer> {
  const { periodFrom, periodTo } = figures
  const facts = tableOf([
    ['Account holder', account.holder_name],
    ['Account number', account.account_number],
    ['Bank', `${account.bank_name}, ${account.ifsc}`],
    ['Period', `${longDayText(periodFrom)} to ${longDayText(periodTo)}`],
  ])
  const notice: Block = { kind: 'text', text: 'This is a sandbox document. The account is fictional.' }
  return pdfOf({ title, author: 'Sandbox Statements', blocks: [facts, ...blocks, notice], createdAt })
}

const tableOf = (rows: string[][]): Block => ({ kind: 'table', head: [], rows, widths: [2, 3] })
