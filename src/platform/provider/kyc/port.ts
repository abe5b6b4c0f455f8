// What the platform needs of an identity provider: a session in which a borrower proves who they are (D3 §6 KYC_UPDATED).
import type { KycStatus } from '#contract/exchange/event/kyc-updated.ts'
import type { Beginning, RequestPort } from '#platform/provider/request-port.ts'
import type { ProviderDocument, StatusReport } from '#platform/provider/status-report.ts'

/** Papers alone, or a video call with an official's judgement after it. */
export type KycMode = 'STANDARD' | 'VIDEO_AND_MANUAL_REVIEW'

export type KycDocumentType = 'KYC_REPORT' | 'AADHAAR_VERIFICATION_PDF' | 'PAN_VERIFICATION_PDF' | 'VKYC_RECORDING'

export interface KycStatusReport extends StatusReport<KycStatus> {
  mode: KycMode
  /** What the provider has made so far: for video also the recording. Nothing before a review or an approval. */
  documents: ProviderDocument<KycDocumentType>[]
}

interface KycBeginning extends Beginning {
  mode: KycMode
}

export type KycPort = RequestPort<KycBeginning, KycStatusReport>
