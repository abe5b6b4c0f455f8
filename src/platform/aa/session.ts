// An account-aggregator session, for one consent that a lender requests: its states and rules (D2 §2.2).
import type { ConsentReason } from '#contract/reason/reason.ts'
import { base62, formatUuid, fromBase62, uuidBytes } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { isTerminal, next, type Table } from '#kit/runtime/machine.ts'
import type { Context } from '#platform/context.ts'
import { aggregatorNamed } from '#platform/provider/account-aggregator/adapters.ts'

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
 * Moves of a session. `minted`: a link was created. `seen`: the borrower opened the link. `returned`: the browser returned.
 * `undecided`: it returned without a decision. `dispatched`: the lender is notified of a proven approval. `doubted`: the
 * aggregator or the lender must be queried again. `confirmed`: the lender continued. `spared`: it continued without the
 * consent.
 */
export type AaMove =
  | 'minted'
  | 'seen'
  | 'returned'
  | 'undecided'
  | 'dispatched'
  | 'doubted'
  | 'confirmed'
  | 'spared'
  | 'failed'
  | 'expired'

/** A borrower who left the aggregator undecided may get a new link until the lender is notified of an approval. */
export const aaMachine: Table<AaState, AaMove> = {
  REQUIRED: { minted: 'REDIRECT_READY', spared: 'NOT_REQUIRED', failed: 'FAILED', expired: 'EXPIRED' },
  REDIRECT_READY: { minted: 'REDIRECT_READY', seen: 'IN_PROGRESS', spared: 'NOT_REQUIRED', expired: 'EXPIRED' },
  IN_PROGRESS: {
    minted: 'REDIRECT_READY',
    seen: 'IN_PROGRESS',
    returned: 'USER_RETURNED',
    dispatched: 'APPROVAL_DISPATCHED',
    doubted: 'RECONCILING',
    spared: 'NOT_REQUIRED',
    expired: 'EXPIRED',
  },
  USER_RETURNED: {
    undecided: 'REDIRECT_READY',
    dispatched: 'APPROVAL_DISPATCHED',
    doubted: 'RECONCILING',
    spared: 'NOT_REQUIRED',
    failed: 'FAILED',
  },
  APPROVAL_DISPATCHED: { doubted: 'RECONCILING', confirmed: 'CONFIRMED' },
  RECONCILING: {
    minted: 'REDIRECT_READY',
    doubted: 'RECONCILING',
    confirmed: 'CONFIRMED',
    spared: 'NOT_REQUIRED',
    failed: 'FAILED',
    expired: 'EXPIRED',
  },
  CONFIRMED: {},
  NOT_REQUIRED: {},
  FAILED: {},
  EXPIRED: {},
}

export const isOver = (state: AaState): boolean => isTerminal(aaMachine, state)

/** Applies moves in order and skips those that are impossible; a final state does not change. */
export const stateAfter = (state: AaState, ...moves: AaMove[]): AaState =>
  moves.reduce((current, move) => next(aaMachine, current, move) ?? current, state)

/** The state after the aggregator's proof or the lender's answer, from any state. */
export const outcomes = {
  approved: (state: AaState): AaState =>
    stateAfter(state, ...(state === 'REQUIRED' ? ['minted' as const] : []), 'seen', 'dispatched'),
  doubted: (state: AaState): AaState => stateAfter(state, 'doubted'),
  failed: (state: AaState): AaState => stateAfter(state, 'seen', 'doubted', 'failed'),
  expired: (state: AaState): AaState => stateAfter(state, 'seen', 'doubted', 'expired'),
}

export type AaPurpose = 'UNDERWRITING' | 'MONITORING'

export interface AaSession {
  tenantId: string
  journeyId: string
  aaSessionId: string
  offerId: string
  conversationId: string
  purpose: AaPurpose
  /** Adapter for the aggregator, and the aggregator's id in its directory. */
  adapter: string
  aggregatorId: string
  /** Null while the lender does not know the borrower by the sent handle (error 80230). */
  consentHandle: string | null
  /** Whether the borrower must name another handle. */
  handleWanted: boolean
  /** The borrower's handle at the aggregator; `aaIdOf` decrypts it. */
  aaIdSealed: Buffer
  state: AaState
  /** The id of the newest redirection. */
  txnid: string | null
  reqdate: string | null
  /** Expiry of the newest link; an unused, expired link is replaced. */
  expiresAt: Date | null
  /** Number of created links. */
  redirects: number
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

/** The client's next action for a session; NONE without a session. */
export function aaActionOf(session: Pick<AaSession, 'state' | 'consentHandle' | 'handleWanted'> | undefined): AaAction {
  if (!session) return 'NONE'
  if (session.consentHandle !== null || isOver(session.state)) return actions[session.state]
  return session.handleWanted ? 'SUBMIT_FORM' : 'WAIT'
}

type Sendable = Pick<AaSession, 'state' | 'dispatchedAt' | 'consentHandle'>

/** Whether the borrower may be sent to the aggregator (again). */
export const maySend = ({ state, dispatchedAt, consentHandle }: Sendable): boolean =>
  consentHandle !== null && dispatchedAt === null && next(aaMachine, state, 'minted') !== undefined

/** Selects the session to show: the newest that waits for the borrower, or else the newest open one. */
export const consentDue = <T extends Sendable & Pick<AaSession, 'handleWanted'>>(sessions: T[]): T | undefined =>
  sessions.findLast((session) => maySend(session) || mustNameHandle(session)) ??
  sessions.findLast(({ state }) => !isOver(state))

/** Whether the borrower must name another handle now. */
export const mustNameHandle = ({ state, handleWanted }: Pick<AaSession, 'state' | 'handleWanted'>): boolean =>
  handleWanted && !isOver(state)

type AaSessionKey = Pick<AaSession, 'tenantId' | 'journeyId' | 'aaSessionId'>

const aaIdContext = ({ tenantId, journeyId, aaSessionId }: AaSessionKey): string =>
  `aa_session.aa_id:${tenantId}:${journeyId}:${aaSessionId}`

export const sealedAaId = ({ seal }: { seal: Seal }, key: AaSessionKey, aaId: string): Buffer =>
  seal.bytes(Buffer.from(aaId), aaIdContext(key))
/** The borrower's handle at the aggregator, such as `9876543210@aggregator`. */
export const aaIdOf = ({ seal }: { seal: Seal }, session: AaSession): string =>
  seal.open(session.aaIdSealed, aaIdContext(session)).toString()

/** The required ending of the borrower's handle at a session's aggregator. */
export const handleEnding = (ctx: Pick<Context, 'config'>, { adapter }: Pick<AaSession, 'adapter'>): string =>
  `@${aggregatorNamed(adapter).identityOf(ctx).handle}`

const idBytes = 16

/** The `sessionid` of a redirection: identifies the session of a return, but proves nothing. */
export const sessionRef = ({ tenantId, journeyId, aaSessionId }: AaSessionKey): string =>
  base62(Buffer.concat([tenantId, journeyId, aaSessionId].map(uuidBytes)))

export function sessionKeyOf(ref: string): AaSessionKey | null {
  const bytes = fromBase62(ref, 3 * idBytes)
  if (!bytes) return null
  const idAt = (index: number): string => formatUuid(bytes.subarray(index * idBytes, (index + 1) * idBytes))
  return { tenantId: idAt(0), journeyId: idAt(1), aaSessionId: idAt(2) }
}
