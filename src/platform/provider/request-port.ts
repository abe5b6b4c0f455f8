// What the ports have in common whose requests a borrower meets: begun, looked up, told of by callbacks, their files fetched.
import type { Readable } from 'node:stream'
import type { ProviderContext } from './client.ts'
import type { ProviderDocument, SignedReport } from './status-report.ts'

/** What everything has that is begun with a provider whom the borrower meets. */
export interface Beginning {
  /** Our name for it: the same one again is the same request wherever the provider knows repetitions. */
  clientReference: string
  person: Person
  /** Where the provider posts what happens; a provider that is told in its dashboard is not told here. */
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

/** `Report` says how a request stands, in the words of the exchange. */
export interface RequestPort<Begin extends Beginning, Report> {
  /** Begins a request. Refused `upstream` when the provider is away or does not take it. */
  begin(ctx: ProviderContext, beginning: Begin): Promise<Begun>
  /** What the provider's server says now. Refused `absent` for a reference it does not know, `upstream`. */
  fetch(ctx: ProviderContext, reference: string): Promise<Report>
  /**
   * What a callback proves, over its exact bytes. Refused `bad-credential` when its signature does not hold, before anything
   * is parsed; `malformed` or `invalid` when it is not what the provider sends. An adapter whose callbacks do not say enough
   * asks the provider's server, and is refused as `fetch` is.
   */
  verifyCallback(
    ctx: ProviderContext,
    raw: Buffer,
    headers: CallbackHeaders,
    at: Date,
  ): SignedReport<Report> | Promise<SignedReport<Report>>
  /**
   * The bytes of one of its files, read as they come. Whoever stores them checks `sha256` and `sizeBytes` of the document.
   * Refused `absent`, `upstream`.
   */
  download(ctx: ProviderContext, reference: string, document: Pick<ProviderDocument, 'fileId'>): Promise<Readable>
}
