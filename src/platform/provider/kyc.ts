// Speaks with the identity provider: begins a session, looks it up, believes its signed callbacks, fetches its papers (D3 §6 KYC_UPDATED).
import type { KycStatus } from '#contract/exchange/event/kyc-updated.ts'
import { KycSession, type KycState } from '#contract/provider/kyc.ts'
import { type Beginning, type Begun, documentsOf, type ProviderContext } from './client.ts'
import { requestsOf } from './requests.ts'
import type { ProviderDocument, StatusReport } from './status-report.ts'

/** Papers alone, or a video call with an official's judgement after it. */
export type KycMode = 'STANDARD' | 'VIDEO_AND_MANUAL_REVIEW'

export type KycDocumentType = 'KYC_REPORT' | 'AADHAAR_VERIFICATION_PDF' | 'PAN_VERIFICATION_PDF' | 'VKYC_RECORDING'

export interface KycStatusReport extends StatusReport<KycStatus> {
  mode: KycMode
  /** What the provider has made so far: for video also the recording. Nothing before a review or an approval. */
  documents: ProviderDocument<KycDocumentType>[]
}

export interface KycBeginning extends Beginning {
  mode: KycMode
}

const statuses: Record<KycState, KycStatus> = {
  LINK_SENT: 'REQUESTED',
  UNDER_REVIEW: 'REVIEW_READY',
  VERIFIED: 'APPROVED',
  REJECTED: 'REJECTED',
  CALL_ENDED: 'TERMINATED',
  LINK_EXPIRED: 'EXPIRED',
}

const types: Record<string, KycDocumentType> = {
  kyc_report: 'KYC_REPORT',
  aadhaar_xml_pdf: 'AADHAAR_VERIFICATION_PDF',
  pan_pdf: 'PAN_VERIFICATION_PDF',
  video: 'VKYC_RECORDING',
}

function statusOf(session: KycSession, provider: string): KycStatusReport {
  const status = statuses[session.state]
  return {
    provider,
    reference: session.id,
    mode: session.mode === 'DIGILOCKER' ? 'STANDARD' : 'VIDEO_AND_MANUAL_REVIEW',
    status,
    verified: status === 'APPROVED',
    providerUpdatedAt: new Date(session.updated_at),
    reasonCode: session.reason_code,
    documents: documentsOf(session.files, types),
  }
}

const requests = requestsOf('KYC', KycSession, statusOf)

/** Begins a session; the same `clientReference` again gives the same one. Refused `upstream`. */
export const createKyc = (ctx: ProviderContext, beginning: KycBeginning): Promise<Begun> =>
  requests.begin(ctx, beginning, { mode: beginning.mode === 'STANDARD' ? 'DIGILOCKER' : 'VIDEO' })

export const { fetch: fetchKyc, verifyCallback: verifyKycCallback, download: downloadKyc } = requests
