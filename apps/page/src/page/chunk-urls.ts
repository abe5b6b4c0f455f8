// URLs of later chunks, which the build writes into the first of them.

export interface DeferredFiles {
  /** The screens on which an offer is chosen. */
  offers: string
  /** The amount and term of the chosen offer. */
  choose: string
  /** The final terms of the chosen offer. */
  final: string
  /** The screens after acceptance. */
  loan: string
  /** Endings without a loan. */
  ended: string
  /** The security of a loan against mutual funds. */
  funds: string
  /** Parts of gold loans. */
  gold: string
  /** Complaints about a loan. */
  complaints: string
  /** Written requests to the lender. */
  requests: string
  /** Help and complaints of any kind. */
  help: string
  /** The recorded consents and their withdrawal. */
  consents: string
}
