// The consent session of an offer, and the redirect of the borrower to the account aggregator (D2 §4 aa/sessions).

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Run } from '@lendloom/postgres/sql'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { findOffer } from '#platform/lending/offer/store.ts'
import { aggregatorNamed } from '#platform/providers/account-aggregator/adapters.ts'
import type { Aggregator } from '#platform/providers/account-aggregator/port.ts'
import { adapterNames } from '#platform/providers/settings.ts'
import {
  type AaSession,
  aaIdOf,
  handleEnding,
  isOver,
  mayRedirect,
  sealAaId,
  sessionRef,
  stateAfter,
} from './aa-session.ts'
import { setAaHandle } from './consent-request.ts'
import { scheduleReconcile } from './poll-consent-status.ts'
import { changeAaSession, findAaSession, insertRedirect, listAaSessions } from './store.ts'

/**
 * Returns the open session of an offer. `aaId` is the borrower's handle at the aggregator if it differs from the mobile
 * number. If the lender did not find the borrower by the earlier handle, the profile is sent again with `aaId`. Throws
 * `absent` for an unknown offer, `wrong-state` if the lender requests no consent now or the consent is already decided,
 * `invalid` for a handle at another aggregator.
 */
export async function createAaSession(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  aaId: string | undefined,
): Promise<AaSession> {
  const { tx, at } = ctx
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  const offerSessions = (await listAaSessions(tx, journey)).filter((session) => session.offerId === offerId)
  const current = offerSessions.find(({ state }) => !isOver(state))
  if (!current)
    throw new Refusal('wrong-state', 'this lender does not request bank data now', {
      aaState: offerSessions.at(-1)?.state ?? 'NOT_REQUIRED',
    })
  if (aaId !== undefined && current.handleWanted) return setAaHandle(ctx, journey, current, aaId)
  if (aaId === undefined || aaId === aaIdOf(ctx, current)) return current
  const ending = handleEnding(ctx, current)
  if (!aaId.endsWith(ending)) throw invalid({ path: 'aaID', message: `must end with ${ending}` })
  if (!mayRedirect(current))
    throw new Refusal('wrong-state', 'the consent is already decided', { aaState: current.state })
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return changeAaSession(tx, current, { aaIdSealed: sealAaId(ctx, current, aaId) }, at)
}

/** Returns a session of the journey. Throws `absent` for an unknown id. */
export async function aaSessionOf(
  db: Run,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
  aaSessionId: string,
): Promise<AaSession> {
  const session = await findAaSession(db, journey, aaSessionId)
  if (!session) throw new Refusal('absent', 'the journey has no such account-aggregator session')
  return session
}

/** Returns the aggregator of a session. Throws `upstream` if the aggregator is unavailable. */
export type AggregatorLookup = (session: Pick<AaSession, 'adapter'>) => Aggregator

/**
 * Looks up all aggregators. Call it before a transaction, so that the transaction does not wait for the network. Throws
 * `upstream` if no aggregator is available. Otherwise an unavailable aggregator affects only its own sessions.
 */
export async function findAggregators(ctx: Context): Promise<AggregatorLookup> {
  const lookups = adapterNames['account-aggregator'].map(async (name) => {
    const aggregator = await aggregatorNamed(name).find(ctx)
    return { name, aggregator }
  })
  const available = (await Promise.allSettled(lookups)).flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  )
  if (available.length === 0) await Promise.all(lookups)
  return ({ adapter }) => {
    const match = available.find(({ name }) => name === adapter)
    if (match) return match.aggregator
    throw new Refusal('upstream', 'the account aggregator did not answer', { retryAfterSeconds: 5 })
  }
}

export interface MintOptions {
  aggregators: AggregatorLookup
  /** URL to which the aggregator returns the borrower; undefined means our own page. */
  returnUrl?: string | undefined
  /** Whether the borrower is redirected immediately, as on the hosted page. */
  isImmediate?: boolean
}

/** A new link and its parameters (D2 §2.3 AA redirect result). */
export interface MintedRedirect {
  session: AaSession
  redirectUrl: string
  reqdate: string
  txnid: string
  expiresAt: Date
}

/**
 * Creates a new link, which replaces older links: a return from an older link does not change the session. Throws
 * `absent` for an unknown session, and `wrong-state` if the lender was notified or the session has ended.
 */
export async function mintRedirect(
  ctx: TxContext,
  journey: Journey,
  aaSessionId: string,
  { aggregators, returnUrl = ownReturnUrl(ctx), isImmediate = false }: MintOptions,
): Promise<MintedRedirect> {
  const { tx, at } = ctx
  const session = await aaSessionOf(tx, journey, aaSessionId)
  if (!mayRedirect(session))
    throw new Refusal(
      'wrong-state',
      `the borrower cannot be sent to the aggregator while this session is ${session.state}`,
      {
        aaState: session.state,
      },
    )
  checkReturnUrl(ctx, returnUrl)
  const txnid = uuidv4(bucketOf(session.journeyId))
  const redirection = {
    txnId: txnid,
    sessionId: sessionRef(session),
    userId: aaIdOf(ctx, session),
    returnUrl,
    handles: [required(session.consentHandle, 'the handle of a consent')],
  }
  const adapter = aggregatorNamed(session.adapter)
  const link = await adapter.redirect(ctx, aggregators(session), redirection, at)
  const { url: redirectUrl, reqdate, expiresAt } = link
  const { tenantId, journeyId } = journey
  await insertRedirect(tx, { tenantId, journeyId, aaSessionId, txnid, reqdate, expiresAt, createdAt: at })
  const redirects = session.redirects + 1
  const state = stateAfter(session.state, 'linkCreated', ...(isImmediate ? ['linkOpened' as const] : []))
  const minted = await changeAaSession(
    tx,
    session,
    { state, txnid, reqdate, expiresAt, redirects, returnedCode: null },
    at,
  )
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  await scheduleReconcile(tx, minted, { series: redirects }, at)
  return { session: minted, redirectUrl, reqdate, txnid, expiresAt }
}

const ownReturnUrl = ({ config }: Pick<Context, 'config'>): string => `${config.PUBLIC_URL}/aa/return`

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/

/**
 * Throws `invalid` unless the URL uses TLS, because the return contains the borrower's decision. Our own page and, in a
 * sandbox, pages on the same machine may use plain HTTP.
 */
function checkReturnUrl({ config }: Context, returnUrl: string): void {
  const url = URL.parse(returnUrl)
  const isLocal = config.SANDBOX && url?.protocol === 'http:' && loopback.test(url.hostname)
  const isSafe = url?.protocol === 'https:' || isLocal || returnUrl === ownReturnUrl({ config })
  if (!isSafe || url?.username !== '' || url.hash !== '')
    throw invalid({ path: 'returnURL', message: 'must be an https URL' })
}
