// The platform's port to an account aggregator: the borrower is redirected there and back, and its server reports the
// consent (D2 §2.2, §4).
import type { KeyObject } from 'node:crypto'
import type { ArtefactStatus, HandleStatus } from '#contract/aggregator/consent.ts'
import type { Redirect, Redirection } from '#contract/aggregator/redirect.ts'
import type { ReturnFault, ReturnHint, ReturnQuery } from '#contract/aggregator/return.ts'
import type { ProviderContext } from '#platform/provider/client.ts'

/** Where borrowers are sent, and whose keys its words are checked with. */
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
  /** Where it is now. Refused `upstream` when the directory is away. */
  find(ctx: ProviderContext): Promise<Aggregator>
  /** The address that sends a borrower there, good for three minutes from `at`; a new one each time. */
  redirect(
    ctx: Pick<ProviderContext, 'config'>,
    aggregator: Aggregator,
    redirection: Redirection,
    at: Date,
  ): Promise<Redirect>
  /** What the browser carried back, which proves nothing; `wrong-aggregator` when it does not come from this one. */
  readReturn(
    ctx: Pick<ProviderContext, 'config'>,
    query: ReturnQuery,
    at: Date,
  ): Promise<ReturnHint | { fault: ReturnFault }>
  /** What became of a consent, proven by signatures. Refused `upstream` when no answer came that they prove. */
  fetchConsentStatus(ctx: ProviderContext, consentHandle: string): Promise<ConsentStatusReport>
}
