// The ports of KYC, e-sign and mandates, whose requests a borrower completes: start, look-up, callbacks and files.
import type { Readable } from 'node:stream'
import type { KycStatus } from '#contract/exchange/event/kyc.ts'
import type { EsignStatus, MandateStatus } from '#contract/exchange/event/mandate.ts'
import type { Paise } from '#kit/money/money.ts'
import type { ProviderContext } from './client.ts'
import type { ProviderDocument, SignedReport, StatusReport } from './status-report.ts'

/** What everything has that is begun with a provider whom the borrower meets. */
export interface ProviderRequest {
  /** Our name for it: the same one again is the same request wherever the provider knows repetitions. */
  clientReference: string
  person: Person
  /** Where the provider posts updates; some providers are configured in their dashboard instead. */
  callbackUrl: string
  /** Where the borrower's browser comes back to; null leaves it there. */
  returnUrl: string | null
  /** How long the borrower's page is open, in seconds; an hour when absent. Providers that count in days round up. */
  pageSeconds?: number
}

interface Person {
  fullName: string
  pan: string
  /** YYYY-MM-DD. */
  dateOfBirth: string
  /** Ten digits. */
  mobile: string
  /** Null or absent where the borrower gave none. */
  email?: string | null
}

/** What was begun: the provider's name of it, and the borrower's page. */
export interface Begun {
  reference: string
  url: string
  expiresAt: Date
}

export type CallbackHeaders = Record<string, string | string[] | undefined>

/** `Report` is the state of a request in the exchange's terms. */
export interface RequestPort<Begin extends ProviderRequest, Report> {
  /** Begins a request. Refused `upstream` when the provider is away or does not take it. */
  begin(ctx: ProviderContext, beginning: Begin): Promise<Begun>
  /** The provider's current state. Refused `absent` for an unknown reference, `upstream`. */
  fetch(ctx: ProviderContext, reference: string): Promise<Report>
  /**
   * The verified content of a callback, over its exact bytes. Refused `bad-credential` for a wrong signature, before
   * parsing; `malformed` or `invalid` when it is not the provider's format. An adapter whose callbacks are incomplete
   * asks the provider's server, and is refused as `fetch` is.
   */
  verifyCallback(
    ctx: ProviderContext,
    raw: Buffer,
    headers: CallbackHeaders,
    at: Date,
  ): SignedReport<Report> | Promise<SignedReport<Report>>
  /**
   * The bytes of one of its files, streamed. The caller checks `sha256` and `sizeBytes` of the document. Refused
   * `absent`, `upstream`.
   */
  download(ctx: ProviderContext, reference: string, document: Pick<ProviderDocument, 'fileId'>): Promise<Readable>
}

/** A signature alone is not yet the signed file: that is one of `documents`, to be fetched and stored. */
export interface EsignStatusReport extends StatusReport<EsignStatus> {
  documents: ProviderDocument<'SIGNED_LOAN_AGREEMENT'>[]
}

export interface EsignRequest extends ProviderRequest {
  /** The agreement to be signed, a PDF. */
  pdf: Buffer
  title: string
}

export type EsignPort = RequestPort<EsignRequest, EsignStatusReport>

/** Papers alone, or a video call with an official's judgement after it. */
export type KycMode = 'STANDARD' | 'VIDEO_AND_MANUAL_REVIEW'

export type KycDocumentType = 'KYC_REPORT' | 'AADHAAR_VERIFICATION_PDF' | 'PAN_VERIFICATION_PDF' | 'VKYC_RECORDING'

export interface KycStatusReport extends StatusReport<KycStatus> {
  mode: KycMode
  /** What the provider has made so far: for video also the recording. Nothing before a review or an approval. */
  documents: ProviderDocument<KycDocumentType>[]
}

interface KycRequest extends ProviderRequest {
  mode: KycMode
}

export type KycPort = RequestPort<KycRequest, KycStatusReport>

/** How often the bank lets us debit: once a week, or whenever presented. */
type MandateFrequency = 'WEEKLY' | 'AS_PRESENTED'

/** The authority is null until the bank has accepted it, and whole from then on. */
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
