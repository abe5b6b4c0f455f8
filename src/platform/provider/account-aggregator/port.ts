// Port to an account aggregator: redirects of the borrower, and consent reports from its server (D2 §2.2, §4).
import type { KeyObject } from 'node:crypto'
import type { ArtefactStatus, HandleStatus } from '#contract/aggregator/consent.ts'
import type { Redirect, Redirection } from '#contract/aggregator/redirect.ts'
import type { ReturnFault, ReturnHint, ReturnQuery } from '#contract/aggregator/return.ts'
import type { ProviderContext } from '#platform/provider/client.ts'

/** An account aggregator from the directory, with the keys that verify its reports. */
export interface Aggregator {
  id: string
  webViewUrl: string
  baseUrl: string
  keys: ReadonlyMap<string, KeyObject>
}

/** A consent status from the aggregator's own server. */
export interface ConsentStatusReport {
  status: HandleStatus
  consentId: string | null
  /** The artefact of an approval; `proven` if the aggregator's signature on it is valid. */
  artefact: { status: ArtefactStatus; proven: boolean } | null
}

export interface AggregatorPort {
  /** Returns the aggregator's id in the directory, and the part of a borrower's handle after the `@`. */
  identityOf(ctx: Pick<ProviderContext, 'config'>): { aggregatorId: string; handle: string }
  /** Looks up the aggregator; throws `upstream` when the directory is unavailable. */
  find(ctx: ProviderContext): Promise<Aggregator>
  /** Returns a new redirect URL for a borrower, valid for three minutes from `at`. */
  redirect(
    ctx: Pick<ProviderContext, 'config'>,
    aggregator: Aggregator,
    redirection: Redirection,
    at: Date,
  ): Promise<Redirect>
  /** Parses the browser's parameters, which prove nothing; `wrong-aggregator` if they come from another aggregator. */
  readReturn(
    ctx: Pick<ProviderContext, 'config'>,
    query: ReturnQuery,
    at: Date,
  ): Promise<ReturnHint | { fault: ReturnFault }>
  /** Returns the status of a consent; throws `upstream` without a validly signed response. */
  fetchConsentStatus(ctx: ProviderContext, consentHandle: string): Promise<ConsentStatusReport>
}
