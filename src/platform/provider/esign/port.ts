// What the platform needs of an e-sign provider: an agreement is handed in, signed, and fetched as it was signed (D3 §6 ESIGN_UPDATED).
import type { EsignStatus } from '#contract/exchange/event/esign-updated.ts'
import type { Beginning, RequestPort } from '#platform/provider/request-port.ts'
import type { ProviderDocument, StatusReport } from '#platform/provider/status-report.ts'

/** A signature alone is not yet the signed file: that is one of `documents`, to be fetched and stored. */
export interface EsignStatusReport extends StatusReport<EsignStatus> {
  documents: ProviderDocument<'SIGNED_LOAN_AGREEMENT'>[]
}

export interface EsignBeginning extends Beginning {
  /** The agreement to be signed, a PDF. */
  pdf: Buffer
  title: string
}

export type EsignPort = RequestPort<EsignBeginning, EsignStatusReport>
