// Adapter of a bank statement analyser that implements our own provider interface.

import { fits } from '@lendloom/foundation/schema'
import { checkedPaise } from '@lendloom/lending/money'
import {
  StatementStatusReport as AnalyserReport,
  StatementInsights,
  type StatementState,
} from '@lendloom/wire/provider/provider-interfaces'
import { documentsOf, endpointOf, postPdf, requestPath, requestPortOf } from '#platform/providers/lendloom.ts'
import { askProvider } from '#platform/providers/provider-client.ts'
import type { StatementFigures, StatementPort, StatementStatusReport } from './port.ts'

const statuses: Record<StatementState, StatementStatusReport['status']> = {
  AWAITING_STATEMENT: 'PENDING',
  PROCESSING: 'PENDING',
  INSIGHTS_READY: 'COMPLETED',
  PDF_PARSE_FAILED: 'FAILED',
  PDF_FRAUD_DETECTED: 'FAILED',
  STATEMENT_VALIDATION_FAILED: 'FAILED',
  CONSENT_DENIED: 'FAILED',
  LINK_EXPIRED: 'FAILED',
}

function reportOf(answer: AnalyserReport, provider: string): StatementStatusReport {
  const status = statuses[answer.state]
  const { account, analysed_at, period_from, period_to } = answer
  return {
    provider,
    reference: answer.id,
    status,
    unavailableReason: status === 'FAILED' ? answer.state : null,
    providerUpdatedAt: new Date(answer.updated_at),
    analyzedAt: analysed_at === null ? null : new Date(analysed_at),
    periodFrom: period_from,
    periodTo: period_to,
    reportData: answer.insights,
    figures: answer.insights && figuresOf(answer.insights),
    account: account && {
      holderName: account.holder_name,
      accountNumber: account.account_number,
      ifsc: account.ifsc,
      accountType: account.account_type,
      bankName: account.bank_name,
    },
    documents: documentsOf(answer.files, { statement: 'BANK_STATEMENT', analysis_report: 'BANK_ANALYSIS_REPORT' }),
  }
}

/** Rounds the percentage up. An analyser need not report every figure. */
function figuresOf(insights: object): StatementFigures {
  if (!fits(StatementInsights, insights)) return { returnedDebits: null, obligationsPercent: null }
  const { returned_debits: returnedDebits = null, average_monthly_credits, average_monthly_obligations } = insights
  const credits = average_monthly_credits === undefined ? 0n : checkedPaise(average_monthly_credits)
  if (average_monthly_obligations === undefined || credits === 0n) return { returnedDebits, obligationsPercent: null }
  const obligations = checkedPaise(average_monthly_obligations)
  return { returnedDebits, obligationsPercent: Number((obligations * 100n + credits - 1n) / credits) }
}

const requestPort = requestPortOf('STATEMENT', AnalyserReport, reportOf)

export const lendloomStatement = {
  ...requestPort,
  begin(ctx, request) {
    const { holderName, accountNumber, ifsc, accountType, bankName } = request.account
    const account = {
      holder_name: holderName,
      account_number: accountNumber,
      ifsc,
      account_type: accountType,
      bank_name: bankName,
    }
    return requestPort.begin(ctx, request, { account })
  },
  async submit(ctx, reference, pdf) {
    const endpoint = endpointOf(ctx, 'STATEMENT')
    return reportOf(
      await askProvider(ctx, endpoint, postPdf(`${requestPath(reference)}/statement`, pdf), AnalyserReport),
      endpoint.provider,
    )
  },
} satisfies StatementPort
