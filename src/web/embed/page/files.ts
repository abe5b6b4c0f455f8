// The addresses of chunks that are loaded later: the build writes them into each chunk.

export interface DeferredFiles {
  /** The screens on which an offer is chosen. */
  offers: string
  /** The amount and the time of one offer. */
  choose: string
  /** The final terms of the offer that is chosen. */
  final: string
  /** The screens once they are accepted. */
  loan: string
  /** For an end without a loan. */
  ended: string
  /** The security of a loan against mutual funds. */
  funds: string
  /** For gold loans. */
  gold: string
  /** Complaints about a loan. */
  complaints: string
  /** Written requests to the lender. */
  requests: string
  /** Help and complaints of any kind. */
  help: string
  /** The consents given, and the way to take them back. */
  given: string
}

declare const LATER_FILES: DeferredFiles

export const files = (): DeferredFiles => LATER_FILES
