// Adapter of an e-sign provider that implements our own provider interface.
import type { EsignStatus } from '@lendloom/wire/exchange/event/mandate'
import { Received } from '@lendloom/wire/provider/common-interface'
import { type EsignState, EsignStatusReport as ProviderReport } from '@lendloom/wire/provider/provider-interfaces'
import { documentsOf, endpointOf, postPdf, requestPortOf } from '#platform/providers/lendloom.ts'
import type { EsignPort, EsignStatusReport } from '#platform/providers/ports.ts'
import { askProvider } from '#platform/providers/provider-client.ts'
import type { DatedReport } from '#platform/providers/status-report.ts'

const statuses: Record<EsignState, EsignStatus> = {
  sign_pending: 'REQUESTED',
  signed: 'COMPLETED',
  sign_failed: 'FAILED',
  expired: 'EXPIRED',
  withdrawn: 'CANCELLED',
}

function reportOf(answer: ProviderReport, provider: string): DatedReport<EsignStatusReport> {
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

const requestPort = requestPortOf('ESIGN', ProviderReport, reportOf)

export const lendloomEsign = {
  ...requestPort,
  async begin(ctx, request) {
    const { file_id, sha256 } = await askProvider(
      ctx,
      endpointOf(ctx, 'ESIGN'),
      postPdf('/files', request.pdf),
      Received,
    )
    // The borrower must sign this agreement, not the one that an earlier request with the reference has.
    const isSame = (existing: ProviderReport) => existing.source_sha256 === sha256
    return requestPort.begin(ctx, request, { file_id, title: request.title }, isSame)
  },
} satisfies EsignPort
