// Port to an account aggregator, which holds the borrower's consent to share bank data: builds the redirect to the
// aggregator, and queries its server for the status of the consent (D2 §2.2, §4).
import type { KeyObject } from 'node:crypto'
import type { ArtefactStatus, HandleStatus } from '@lendloom/wire/aggregator/consent-api'
import type { Redirect, Redirection } from '@lendloom/wire/aggregator/redirect'
import type { ReturnFault, ReturnHint, ReturnQuery } from '@lendloom/wire/aggregator/redirect-back'
import type { ProviderContext } from '#platform/providers/provider-client.ts'

/** An account aggregator as the directory lists it. `keys` verify its signatures, by key id. */
export interface Aggregator {
  id: string
  webViewUrl: string
  baseUrl: string
  keys: ReadonlyMap<string, KeyObject>
}

/** The status of a consent, as the aggregator's server reports it. */
export interface ConsentStatusReport {
  status: HandleStatus
  consentId: string | null
  /** The consent artefact, which the aggregator signs when the borrower approves; null before. */
  artefact: { status: ArtefactStatus; isSignatureValid: boolean } | null
}

export interface AggregatorPort {
  /** Returns the aggregator's id in the directory, and `handle`: the part of a borrower's handle after the `@`. */
  identityOf(ctx: Pick<ProviderContext, 'config'>): { aggregatorId: string; handle: string }
  /** Looks up the aggregator in the directory. Throws `upstream` when the directory is unavailable. */
  find(ctx: ProviderContext): Promise<Aggregator>
  /** Builds a redirect of the borrower to the aggregator. Its URL expires three minutes after `at`. */
  redirect(
    ctx: Pick<ProviderContext, 'config'>,
    aggregator: Aggregator,
    redirection: Redirection,
    at: Date,
  ): Promise<Redirect>
  /**
   * Parses the URL parameters of a borrower who returns from the aggregator. They prove nothing. The fault is
   * `wrong-aggregator` if the parameters come from another aggregator.
   */
  readReturn(
    ctx: Pick<ProviderContext, 'config'>,
    query: ReturnQuery,
    at: Date,
  ): Promise<ReturnHint | { fault: ReturnFault }>
  /** Queries the status of a consent. Throws `upstream` if the aggregator sends no validly signed response. */
  fetchConsentStatus(ctx: ProviderContext, consentHandle: string): Promise<ConsentStatusReport>
}
