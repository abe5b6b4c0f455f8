// Speaks with the e-sign provider: hands in an agreement, looks its signature up, fetches the signed one (D3 §6 ESIGN_UPDATED).
import type { EsignStatus } from '#contract/exchange/event/esign-updated.ts'
import { EsignStanding as Answered, type EsignState } from '#contract/provider/esign.ts'
import { Received } from '#contract/provider/request.ts'
import { lineTo, requestsOf } from './requests.ts'
import { type Beginning, type Begun, documentsOf, postPdf, type Speaker } from './speak.ts'
import type { ProviderDocument, Standing } from './standing.ts'

/** A signature alone is not yet the signed file: that is one of `documents`, to be fetched and stored. */
export interface EsignStanding extends Standing<EsignStatus> {
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

function standingOf(told: Answered, provider: string): EsignStanding {
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

const requests = requestsOf('ESIGN', Answered, standingOf)

/** Hands the agreement in and asks for its signature; the same `clientReference` again gives the same request. Refused `upstream`. */
export async function createEsign(world: Speaker, beginning: EsignBeginning): Promise<Begun> {
  const { file_id } = await postPdf(world, lineTo(world, 'ESIGN'), '/files', beginning.pdf, Received)
  return requests.begin(world, beginning, { file_id, title: beginning.title })
}

export const {
  fetch: fetchEsign,
  cancel: cancelEsign,
  verifyCallback: verifyEsignCallback,
  download: downloadEsign,
} = requests
