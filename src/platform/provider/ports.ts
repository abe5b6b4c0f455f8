// Ports to KYC, e-sign and mandate providers: requests that a borrower completes, with look-up, callbacks and files.
import type { Readable } from 'node:stream'
import type { KycStatus } from '#contract/exchange/event/kyc.ts'
import type { EsignStatus, MandateStatus } from '#contract/exchange/event/mandate.ts'
import type { Paise } from '#kit/money/money.ts'
import type { ProviderContext } from './client.ts'
import type { ProviderDocument, SignedReport, StatusReport } from './status-report.ts'

/** The common fields of a request that the borrower completes at a provider. */
export interface ProviderRequest {
  /** Our id of the request. A provider with idempotent requests returns the same request for the same id. */
  clientReference: string
  person: Person
  /** The URL for callbacks; some providers are configured in their dashboard instead. */
  callbackUrl: string
  /** The URL that the borrower returns to; null to stay at the provider. */
  returnUrl: string | null
  /** Lifetime of the borrower's page in seconds, by default an hour. Providers that count in days round up. */
  pageSeconds?: number
}

interface Person {
  fullName: string
  pan: string
  /** YYYY-MM-DD. */
  dateOfBirth: string
  /** Ten digits. */
  mobile: string
  /** Null or absent if unknown. */
  email?: string | null
}

/** A started request: the provider's reference, and the borrower's page. */
export interface StartedRequest {
  reference: string
  url: string
  expiresAt: Date
}

export type CallbackHeaders = Record<string, string | string[] | undefined>

/** `Report` is the state of a request in the exchange's terms. */
export interface RequestPort<Begin extends ProviderRequest, Report> {
  /** Starts a request; throws `upstream` when the provider is unavailable or refuses it. */
  begin(ctx: ProviderContext, beginning: Begin): Promise<StartedRequest>
  /** Returns the current status; throws `absent` for an unknown reference, `upstream` without a response. */
  fetch(ctx: ProviderContext, reference: string): Promise<Report>
  /**
   * Verifies a callback over its exact bytes and returns its content. Throws `bad-credential` for a wrong signature,
   * before parsing; `malformed` or `invalid` for an invalid format. An adapter with incomplete callbacks queries the
   * provider's server, and throws like `fetch`.
   */
  verifyCallback(
    ctx: ProviderContext,
    raw: Buffer,
    headers: CallbackHeaders,
    at: Date,
  ): SignedReport<Report> | Promise<SignedReport<Report>>
  /**
   * Streams a file of the request. The caller verifies `sha256` and `sizeBytes` of the document. Throws `absent` or
   * `upstream`.
   */
  download(ctx: ProviderContext, reference: string, document: Pick<ProviderDocument, 'fileId'>): Promise<Readable>
}

/** A completed request has the signed file in `documents`; the platform downloads and stores it. */
export interface EsignStatusReport extends StatusReport<EsignStatus> {
  documents: ProviderDocument<'SIGNED_LOAN_AGREEMENT'>[]
}

export interface EsignRequest extends ProviderRequest {
  /** The agreement to sign, as a PDF. */
  pdf: Buffer
  title: string
}

export type EsignPort = RequestPort<EsignRequest, EsignStatusReport>

/** Whether the check uses documents only, or a video call that an official reviews. */
export type KycMode = 'STANDARD' | 'VIDEO_AND_MANUAL_REVIEW'

export type KycDocumentType = 'KYC_REPORT' | 'AADHAAR_VERIFICATION_PDF' | 'PAN_VERIFICATION_PDF' | 'VKYC_RECORDING'

export interface KycStatusReport extends StatusReport<KycStatus> {
  mode: KycMode
  /** The files so far, with the recording of a video call. Empty before a review or an approval. */
  documents: ProviderDocument<KycDocumentType>[]
}

interface KycRequest extends ProviderRequest {
  mode: KycMode
}

export type KycPort = RequestPort<KycRequest, KycStatusReport>

/** How often the mandate allows a debit: weekly, or at each presentation. */
type MandateFrequency = 'WEEKLY' | 'AS_PRESENTED'

/** The fields of the mandate are null until the bank has accepted it, and all set afterwards. */
export interface MandateStatusReport extends StatusReport<MandateStatus> {
  umrn: string | null
  maximumPaise: Paise | null
  frequency: MandateFrequency | null
  /** Business dates, YYYY-MM-DD. */
  validFrom: string | null
  validUntil: string | null
  documents: ProviderDocument<'MANDATE_DOCUMENT'>[]
}

export interface MandateRequest extends ProviderRequest {
  account: { holderName: string; accountNumber: string; ifsc: string; type: 'SAVINGS' | 'CURRENT' }
  maximumPaise: Paise
  frequency: MandateFrequency
  /** Business dates of the first and the last debit that the mandate must allow. */
  validFrom: string
  validUntil: string
}

export type MandatePort = RequestPort<MandateRequest, MandateStatusReport>
