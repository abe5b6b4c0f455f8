// Adapter of a credit bureau that implements our own provider interface.

import { BureauReport } from '@lendloom/wire/provider/provider-interfaces'
import {
  documentsOf,
  downloadFile,
  endpointOf,
  personOf,
  requestPath,
  startOnce,
} from '#platform/providers/lendloom.ts'
import { askProvider } from '#platform/providers/provider-client.ts'
import type { BureauPort, BureauStatusReport } from './port.ts'

export const lendloomBureau = {
  async pull(ctx, { clientReference, person, consentedAt }) {
    const endpoint = endpointOf(ctx, 'BUREAU')
    const body = {
      client_reference: clientReference,
      consent: { given_at: consentedAt.toISOString(), purpose: 'LOAN_UNDERWRITING' },
      person: personOf(person),
    }
    return reportOf(await startOnce(ctx, endpoint, BureauReport, { body }), endpoint.provider)
  },
  async fetch(ctx, reference) {
    const endpoint = endpointOf(ctx, 'BUREAU')
    return reportOf(
      await askProvider(ctx, endpoint, { method: 'GET', path: requestPath(reference) }, BureauReport),
      endpoint.provider,
    )
  },
  download: (ctx, reference, document) => downloadFile(ctx, endpointOf(ctx, 'BUREAU'), reference, document),
} satisfies BureauPort

const statuses = { HIT: 'AVAILABLE', NO_RECORD: 'NO_HIT', SOURCE_FAILED: 'FAILED' } as const

function reportOf(answer: BureauReport, provider: string): BureauStatusReport {
  const status = statuses[answer.result]
  const reason = { AVAILABLE: null, NO_HIT: 'NO_RECORD', FAILED: answer.error_code ?? answer.result }[status]
  return {
    provider,
    status,
    reference: answer.report_id,
    pulledAt: new Date(answer.pulled_at),
    score: status === 'AVAILABLE' ? answer.score : null,
    reportData: answer.report,
    unavailableReason: reason,
    documents: documentsOf(answer.files, { report: 'BUREAU_REPORT' }),
  }
}
