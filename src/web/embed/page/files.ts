// Where the parts of the page are that are fetched when a journey has come that far: the build writes it into each chunk.

export interface DeferredFiles {
  /** The screens on which an offer is chosen. */
  offers: string
  /** The amount and the time of one offer. */
  choose: string
  /** The final terms of the offer that is chosen. */
  final: string
  /** The screens once they are accepted. */
  loan: string
  /** Where a journey ends without a loan. */
  ended: string
  /** What secures a loan against mutual funds. */
  funds: string
  /** What a loan on gold needs. */
  gold: string
  /** Complaints about a loan. */
  complaints: string
  /** What the lender is asked for in writing. */
  requests: string
  /** Help and complaints of any kind. */
  help: string
  /** The consents given, and the way to take them back. */
  given: string
}

declare const LATER_FILES: DeferredFiles

export const files = (): DeferredFiles => LATER_FILES
