// Adapter of an e-sign provider with our own provider interface.
import type { EsignStatus } from '#contract/exchange/event/mandate.ts'
import { EsignStatusReport as Answered, type EsignState } from '#contract/provider/interfaces.ts'
import { Received } from '#contract/provider/request.ts'
import { ask } from '#platform/provider/client.ts'
import { documentsOf, endpointOf, postPdf, requestsOf } from '#platform/provider/lendloom.ts'
import type { EsignPort, EsignStatusReport } from '#platform/provider/ports.ts'
import type { DatedReport } from '#platform/provider/status-report.ts'

const statuses: Record<EsignState, EsignStatus> = {
  sign_pending: 'REQUESTED',
  signed: 'COMPLETED',
  sign_failed: 'FAILED',
  expired: 'EXPIRED',
  withdrawn: 'CANCELLED',
}

function statusOf(answer: Answered, provider: string): DatedReport<EsignStatusReport> {
  const status = statuses[answer.state]
  return {
    provider,
    reference: answer.id,
    status,
    verified: status === 'COMPLETED',
    providerUpdatedAt: new Date(answer.updated_at),
    reasonCode: answer.reason_code,
    documents: documentsOf(answer.files, { signed_document: 'SIGNED_LOAN_AGREEMENT' }),
  }
}

const requests = requestsOf('ESIGN', Answered, statusOf)

export const lendloomEsign = {
  ...requests,
  async begin(ctx, beginning) {
    const { file_id } = await ask(ctx, endpointOf(ctx, 'ESIGN'), postPdf('/files', beginning.pdf), Received)
    return requests.begin(ctx, beginning, { file_id, title: beginning.title })
  },
} satisfies EsignPort
