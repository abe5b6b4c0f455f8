// Ports to KYC, e-sign and mandate providers. The platform starts a request, and the borrower completes the request on
// the provider's page.
import type { Readable } from 'node:stream'
import type { Paise } from '@lendloom/lending/money'
import type { KycStatus } from '@lendloom/wire/exchange/event/kyc'
import type { EsignStatus, MandateStatus } from '@lendloom/wire/exchange/event/mandate'
import type { ProviderContext } from './provider-client.ts'
import type { ProviderDocument, SignedReport, StatusReport } from './status-report.ts'

/** The fields that requests to all kinds of providers have. */
export interface ProviderRequest {
  /**
   * Our id of the request, which identifies its content (`clientReferenceOf`). A repeated id returns the existing request,
   * even if its URLs or days differ, but never one with other content.
   */
  clientReference: string
  person: Person
  /** The URL for callbacks. Some providers ignore it, because the URL is configured in their dashboard. */
  callbackUrl: string
  /** The provider redirects the borrower to this URL afterwards; null: the borrower stays on the provider's page. */
  returnUrl: string | null
  /** Lifetime of the borrower's page in seconds, an hour by default. An adapter may round it up to whole days. */
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

export interface StartedRequest {
  reference: string
  /** The provider's page for the borrower. */
  url: string
  expiresAt: Date
}

export type CallbackHeaders = Record<string, string | string[] | undefined>

/** `Report` is the type of a report on the status of a request. */
export interface RequestPort<Request extends ProviderRequest, Report> {
  /**
   * Starts a request, or returns the one that the provider has under the reference, which may already have ended. If that
   * one has other content, starts a request under a new reference. Throws `upstream` when the provider is unavailable or
   * refuses the request.
   */
  begin(ctx: ProviderContext, request: Request): Promise<StartedRequest>
  /** Returns the current status. Throws `absent` for an unknown reference, and `upstream` without a valid response. */
  fetch(ctx: ProviderContext, reference: string): Promise<Report>
  /** Refuses a callback as `bad-credential` if its headers alone show that it is unsigned, before its body is read. */
  checkCallbackHeaders(headers: CallbackHeaders, at: Date): void
  /**
   * Verifies the signature of a callback and returns its report. Throws `bad-credential` for a wrong signature, before
   * it parses the body, and `malformed` or `invalid` for a body with a wrong format. If callbacks do not contain the
   * whole report, the adapter queries the provider's server, and also throws the errors of `fetch`.
   */
  verifyCallback(
    ctx: ProviderContext,
    raw: Buffer,
    headers: CallbackHeaders,
    at: Date,
  ): SignedReport<Report> | Promise<SignedReport<Report>>
  /**
   * Streams a file of the request. The caller must compare the bytes with `sha256` and `sizeBytes` of the document.
   * Throws the errors of `fetch`.
   */
  download(ctx: ProviderContext, reference: string, document: Pick<ProviderDocument, 'fileId'>): Promise<Readable>
}

/** `documents` contains the signed file when the request is COMPLETED. */
export interface EsignStatusReport extends StatusReport<EsignStatus> {
  documents: ProviderDocument<'SIGNED_LOAN_AGREEMENT'>[]
}

export interface EsignRequest extends ProviderRequest {
  pdf: Buffer
  title: string
}

export type EsignPort = RequestPort<EsignRequest, EsignStatusReport>

/** STANDARD checks documents only; the other mode adds a video call that an official reviews. */
export type KycMode = 'STANDARD' | 'VIDEO_AND_MANUAL_REVIEW'

export type KycDocumentType = 'KYC_REPORT' | 'AADHAAR_VERIFICATION_PDF' | 'PAN_VERIFICATION_PDF' | 'VKYC_RECORDING'

export interface KycStatusReport extends StatusReport<KycStatus> {
  mode: KycMode
  /** The files that the provider has so far, including the recording of a video call. */
  documents: ProviderDocument<KycDocumentType>[]
}

interface KycRequest extends ProviderRequest {
  mode: KycMode
}

export type KycPort = RequestPort<KycRequest, KycStatusReport>

/** How often a lender may debit the account: every week, or whenever the lender presents a debit. */
type MandateFrequency = 'WEEKLY' | 'AS_PRESENTED'

/** The fields below may be null before the bank has accepted the mandate, and are all set when it is ACTIVE. */
export interface MandateStatusReport extends StatusReport<MandateStatus> {
  /** Unique mandate reference number, which the bank assigns. */
  umrn: string | null
  maximumPaise: Paise | null
  frequency: MandateFrequency | null
  /** A business date, YYYY-MM-DD. */
  validFrom: string | null
  validUntil: string | null
  documents: ProviderDocument<'MANDATE_DOCUMENT'>[]
}

export interface MandateRequest extends ProviderRequest {
  account: { holderName: string; accountNumber: string; ifsc: string; type: 'SAVINGS' | 'CURRENT' }
  maximumPaise: Paise
  frequency: MandateFrequency
  /** Business date of the first debit that the mandate must allow. */
  validFrom: string
  /** Business date of the last debit that the mandate must allow. */
  validUntil: string
}

export type MandatePort = RequestPort<MandateRequest, MandateStatusReport>
