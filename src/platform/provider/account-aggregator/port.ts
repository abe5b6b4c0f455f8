// The platform's port to an account aggregator: the borrower is redirected there and back, and its server reports the
// consent (D2 §2.2, §4).
import type { KeyObject } from 'node:crypto'
import type { ArtefactStatus, HandleStatus } from '#contract/aggregator/consent.ts'
import type { Redirect, Redirection } from '#contract/aggregator/redirect.ts'
import type { ReturnFault, ReturnHint, ReturnQuery } from '#contract/aggregator/return.ts'
import type { ProviderContext } from '#platform/provider/client.ts'

/** The redirect target of borrowers, and the key owner for verifying reports. */
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
  /** The artefact of an approval; `proven`: the aggregator's signature on it is valid. */
  artefact: { status: ArtefactStatus; proven: boolean } | null
}

export interface AggregatorPort {
  /** Its id in the directory, and what follows the `@` of a borrower's handle there. */
  identityOf(ctx: Pick<ProviderContext, 'config'>): { aggregatorId: string; handle: string }
  /** Its current address. Refused `upstream` when the directory is unavailable. */
  find(ctx: ProviderContext): Promise<Aggregator>
  /** The address that sends a borrower there, good for three minutes from `at`; a new one each time. */
  redirect(
    ctx: Pick<ProviderContext, 'config'>,
    aggregator: Aggregator,
    redirection: Redirection,
    at: Date,
  ): Promise<Redirect>
  /** The browser's parameters, which prove nothing; `wrong-aggregator` when they come from another one. */
  readReturn(
    ctx: Pick<ProviderContext, 'config'>,
    query: ReturnQuery,
    at: Date,
  ): Promise<ReturnHint | { fault: ReturnFault }>
  /** The result of a consent, proven by signatures. Refused `upstream` without a proven answer. */
  fetchConsentStatus(ctx: ProviderContext, consentHandle: string): Promise<ConsentStatusReport>
}
