// An account-aggregator session, for one consent that a lender requests: its states and rules (D2 §2.2).

import { isTerminal, next, type Table } from '@lendloom/foundation/machine'
import type { ConsentReason } from '@lendloom/lending/reason/reason'
import { base62, formatUuid, fromBase62, uuidBytes } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { Context } from '#platform/context.ts'
import { aggregatorNamed } from '#platform/providers/account-aggregator/adapters.ts'

export const aaStates = [
  'REQUIRED', // the lender requested consent; the borrower was not redirected yet
  'REDIRECT_READY', // there is a link, valid for three minutes
  'IN_PROGRESS', // the borrower is at the aggregator
  'USER_RETURNED', // the browser returned, which proves nothing
  'APPROVAL_DISPATCHED', // the aggregator's server proved the approval; the lender is being notified
  'RECONCILING', // the reports disagree, or the lender does not answer
  'CONFIRMED', // the approval is proven, and the lender continued with it
  'NOT_REQUIRED', // the lender continued without the consent
  'FAILED',
  'EXPIRED',
] as const
export type AaState = (typeof aaStates)[number]

/**
 * Events of a session. `returnedUndecided`: the borrower returned before a decision. `lenderNotified`: the lender is
 * notified of a proven approval. `checkRequired`: the aggregator or the lender must be queried again. `confirmed`: the
 * lender continued with the consent. `consentSkipped`: the lender continued without the consent.
 */
export type AaEvent =
  | 'linkCreated'
  | 'linkOpened'
  | 'browserReturned'
  | 'returnedUndecided'
  | 'lenderNotified'
  | 'checkRequired'
  | 'confirmed'
  | 'consentSkipped'
  | 'failed'
  | 'expired'

/** A borrower who left the aggregator undecided may get a new link until the lender is notified of an approval. */
export const aaMachine: Table<AaState, AaEvent> = {
  REQUIRED: { linkCreated: 'REDIRECT_READY', consentSkipped: 'NOT_REQUIRED', failed: 'FAILED', expired: 'EXPIRED' },
  REDIRECT_READY: {
    linkCreated: 'REDIRECT_READY',
    linkOpened: 'IN_PROGRESS',
    consentSkipped: 'NOT_REQUIRED',
    expired: 'EXPIRED',
  },
  IN_PROGRESS: {
    linkCreated: 'REDIRECT_READY',
    linkOpened: 'IN_PROGRESS',
    browserReturned: 'USER_RETURNED',
    lenderNotified: 'APPROVAL_DISPATCHED',
    checkRequired: 'RECONCILING',
    consentSkipped: 'NOT_REQUIRED',
    expired: 'EXPIRED',
  },
  USER_RETURNED: {
    returnedUndecided: 'REDIRECT_READY',
    lenderNotified: 'APPROVAL_DISPATCHED',
    checkRequired: 'RECONCILING',
    consentSkipped: 'NOT_REQUIRED',
    failed: 'FAILED',
  },
  APPROVAL_DISPATCHED: { checkRequired: 'RECONCILING', confirmed: 'CONFIRMED' },
  RECONCILING: {
    linkCreated: 'REDIRECT_READY',
    checkRequired: 'RECONCILING',
    confirmed: 'CONFIRMED',
    consentSkipped: 'NOT_REQUIRED',
    failed: 'FAILED',
    expired: 'EXPIRED',
  },
  CONFIRMED: {},
  NOT_REQUIRED: {},
  FAILED: {},
  EXPIRED: {},
}

export const isOver = (state: AaState): boolean => isTerminal(aaMachine, state)

/** Applies events in order and skips impossible ones; a final state does not change. */
export const stateAfter = (state: AaState, ...events: AaEvent[]): AaState =>
  events.reduce((current, event) => next(aaMachine, current, event) ?? current, state)

/** The state after a report of the aggregator's server or an answer of the lender, from any state. */
export const aaOutcomes = {
  approved: (state: AaState): AaState =>
    stateAfter(state, ...(state === 'REQUIRED' ? ['linkCreated' as const] : []), 'linkOpened', 'lenderNotified'),
  checkRequired: (state: AaState): AaState => stateAfter(state, 'checkRequired'),
  failed: (state: AaState): AaState => stateAfter(state, 'linkOpened', 'checkRequired', 'failed'),
  expired: (state: AaState): AaState => stateAfter(state, 'linkOpened', 'checkRequired', 'expired'),
}

export type AaPurpose = 'UNDERWRITING' | 'MONITORING'

export interface AaSession {
  tenantId: string
  journeyId: string
  aaSessionId: string
  offerId: string
  conversationId: string
  purpose: AaPurpose
  /** Name of our adapter for the aggregator. */
  adapter: string
  aggregatorId: string
  /** Null after error 80230, until the lender requests the consent for the borrower's new handle. */
  consentHandle: string | null
  /** Whether the borrower must enter another handle. */
  handleWanted: boolean
  /** The borrower's handle at the aggregator; `aaIdOf` decrypts it. */
  aaIdSealed: Buffer
  state: AaState
  /** Transaction id of the newest link. */
  txnid: string | null
  reqdate: string | null
  /** Expiry of the newest link. */
  expiresAt: Date | null
  /** Number of created links. */
  redirects: number
  /** Error code of the browser's return from the newest link; 0 means approved. */
  returnedCode: number | null
  consentId: string | null
  dispatchedAt: Date | null
  /** Reason of the failure, shown to the borrower. */
  reason: ConsentReason | null
  createdAt: Date
  updatedAt: Date
}

/** D2 §2.2 ActionRequired. */
export type AaAction = 'NONE' | 'SUBMIT_FORM' | 'REDIRECT' | 'AWAIT_CALLBACK' | 'RECONCILE' | 'WAIT'

const actions: Record<AaState, AaAction> = {
  REQUIRED: 'REDIRECT',
  REDIRECT_READY: 'REDIRECT',
  IN_PROGRESS: 'AWAIT_CALLBACK',
  USER_RETURNED: 'WAIT',
  APPROVAL_DISPATCHED: 'WAIT',
  RECONCILING: 'RECONCILE',
  CONFIRMED: 'NONE',
  NOT_REQUIRED: 'NONE',
  FAILED: 'NONE',
  EXPIRED: 'NONE',
}

/** The action that the client must take next; NONE without a session. */
export function aaActionOf(session: Pick<AaSession, 'state' | 'consentHandle' | 'handleWanted'> | undefined): AaAction {
  if (!session) return 'NONE'
  if (session.consentHandle !== null || isOver(session.state)) return actions[session.state]
  return session.handleWanted ? 'SUBMIT_FORM' : 'WAIT'
}

type RedirectFields = Pick<AaSession, 'state' | 'dispatchedAt' | 'consentHandle'>

/** Whether the borrower may be redirected to the aggregator, also repeatedly. */
export const mayRedirect = ({ state, dispatchedAt, consentHandle }: RedirectFields): boolean =>
  consentHandle !== null && dispatchedAt === null && next(aaMachine, state, 'linkCreated') !== undefined

/** Returns the newest session that waits for the borrower, or else the newest open session. */
export const sessionToShow = <T extends RedirectFields & Pick<AaSession, 'handleWanted'>>(
  sessions: T[],
): T | undefined =>
  sessions.findLast((session) => mayRedirect(session) || mustEnterHandle(session)) ??
  sessions.findLast(({ state }) => !isOver(state))

/** Whether the borrower must enter another handle now. */
export const mustEnterHandle = ({ state, handleWanted }: Pick<AaSession, 'state' | 'handleWanted'>): boolean =>
  handleWanted && !isOver(state)

type AaSessionKey = Pick<AaSession, 'tenantId' | 'journeyId' | 'aaSessionId'>

const aaIdContext = ({ tenantId, journeyId, aaSessionId }: AaSessionKey): string =>
  `aa_session.aa_id:${tenantId}:${journeyId}:${aaSessionId}`

export const sealAaId = ({ seal }: { seal: Seal }, key: AaSessionKey, aaId: string): Buffer =>
  seal.bytes(Buffer.from(aaId), aaIdContext(key))
/** The borrower's handle at the aggregator, such as `9876543210@aggregator`. */
export const aaIdOf = ({ seal }: { seal: Seal }, session: AaSession): string =>
  seal.open(session.aaIdSealed, aaIdContext(session)).toString()

/** The ending that the borrower's handle at the session's aggregator must have. */
export const handleEnding = (ctx: Pick<Context, 'config'>, { adapter }: Pick<AaSession, 'adapter'>): string =>
  `@${aggregatorNamed(adapter).identityOf(ctx).handle}`

const idBytes = 16

/** The `sessionid` of a link. It identifies the session when the browser returns, but proves nothing. */
export const sessionRef = ({ tenantId, journeyId, aaSessionId }: AaSessionKey): string =>
  base62(Buffer.concat([tenantId, journeyId, aaSessionId].map(uuidBytes)))

/** Decodes a `sessionid`; null if it is malformed. */
export function sessionKeyOf(ref: string): AaSessionKey | null {
  const bytes = fromBase62(ref, 3 * idBytes)
  if (!bytes) return null
  const idAt = (index: number): string => formatUuid(bytes.subarray(index * idBytes, (index + 1) * idBytes))
  return { tenantId: idAt(0), journeyId: idAt(1), aaSessionId: idAt(2) }
}
