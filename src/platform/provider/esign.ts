// Speaks with the e-sign provider: hands in an agreement, looks its signature up, fetches the signed one (D3 §6 ESIGN_UPDATED).
import type { EsignStatus } from '#contract/exchange/event/esign-updated.ts'
import { EsignStatusReport as Answered, type EsignState } from '#contract/provider/esign.ts'
import { Received } from '#contract/provider/request.ts'
import { type Beginning, type Begun, documentsOf, type ProviderContext, postPdf } from './client.ts'
import { lineTo, requestsOf } from './requests.ts'
import type { ProviderDocument, StatusReport } from './status-report.ts'

/** A signature alone is not yet the signed file: that is one of `documents`, to be fetched and stored. */
export interface EsignStatusReport extends StatusReport<EsignStatus> {
  documents: ProviderDocument<'SIGNED_LOAN_AGREEMENT'>[]
}

export interface EsignBeginning extends Beginning {
  /** The agreement to be signed, a PDF. */
  pdf: Buffer
  title: string
}

const statuses: Record<EsignState, EsignStatus> = {
  sign_pending: 'REQUESTED',
  signed: 'COMPLETED',
  sign_failed: 'FAILED',
  expired: 'EXPIRED',
  withdrawn: 'CANCELLED',
}

function statusOf(told: Answered, provider: string): EsignStatusReport {
  const status = statuses[told.state]
  return {
    provider,
    reference: told.id,
    status,
    verified: status === 'COMPLETED',
    providerUpdatedAt: new Date(told.updated_at),
    reasonCode: told.reason_code,
    documents: documentsOf(told.files, { signed_document: 'SIGNED_LOAN_AGREEMENT' }),
  }
}

const requests = requestsOf('ESIGN', Answered, statusOf)

/** Hands the agreement in and asks for its signature; the same `clientReference` again gives the same request. Refused `upstream`. */
export async function createEsign(ctx: ProviderContext, beginning: EsignBeginning): Promise<Begun> {
  const { file_id } = await postPdf(ctx, lineTo(ctx, 'ESIGN'), '/files', beginning.pdf, Received)
  return requests.begin(ctx, beginning, { file_id, title: beginning.title })
}

export const {
  fetch: fetchEsign,
  cancel: cancelEsign,
  verifyCallback: verifyEsignCallback,
  download: downloadEsign,
} = requests
