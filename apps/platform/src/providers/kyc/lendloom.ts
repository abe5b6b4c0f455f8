// Adapter of a KYC provider that implements our own provider interface.
import type { KycStatus } from '@lendloom/wire/exchange/event/kyc'
import { KycSession, type KycState } from '@lendloom/wire/provider/provider-interfaces'
import { documentsOf, requestPortOf } from '#platform/providers/lendloom.ts'
import type { KycDocumentType, KycPort, KycStatusReport } from '#platform/providers/ports.ts'
import type { DatedReport } from '#platform/providers/status-report.ts'

const statuses: Record<KycState, KycStatus> = {
  LINK_SENT: 'REQUESTED',
  UNDER_REVIEW: 'REVIEW_READY',
  VERIFIED: 'APPROVED',
  REJECTED: 'REJECTED',
  CALL_ENDED: 'TERMINATED',
  LINK_EXPIRED: 'EXPIRED',
}

const documentTypes: Record<string, KycDocumentType> = {
  kyc_report: 'KYC_REPORT',
  aadhaar_xml_pdf: 'AADHAAR_VERIFICATION_PDF',
  pan_pdf: 'PAN_VERIFICATION_PDF',
  video: 'VKYC_RECORDING',
}

function reportOf(session: KycSession, provider: string): DatedReport<KycStatusReport> {
  const status = statuses[session.state]
  return {
    provider,
    reference: session.id,
    mode: session.mode === 'DIGILOCKER' ? 'STANDARD' : 'VIDEO_AND_MANUAL_REVIEW',
    status,
    verified: status === 'APPROVED',
    providerUpdatedAt: new Date(session.updated_at),
    reasonCode: session.reason_code,
    documents: documentsOf(session.files, documentTypes),
  }
}

const requestPort = requestPortOf('KYC', KycSession, reportOf)

export const lendloomKyc = {
  ...requestPort,
  begin: (ctx, request) =>
    requestPort.begin(ctx, request, { mode: request.mode === 'STANDARD' ? 'DIGILOCKER' : 'VIDEO' }),
} satisfies KycPort
