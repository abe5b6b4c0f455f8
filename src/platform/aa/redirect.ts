// Makes the link that sends the borrower to the aggregator: a new one each time, good for three minutes (D2 §2.3, §3).

import { bucketOf, uuidv4 } from '#kit/crypto/id.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { required } from '#kit/runtime/required.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { Aggregator } from '#platform/provider/account-aggregator/port.ts'
import { adapterNamed } from '#platform/provider/adapters.ts'
import { adapterNames } from '#platform/provider/settings.ts'
import { aaSessionOf } from './create.ts'
import { scheduleReconcile } from './reconcile.ts'
import { type AaSession, aaIdOf, after, maySend, sessionRef } from './session.ts'
import { changeAaSession, insertRedirect } from './store.ts'

/** The aggregator of a session. Refused `upstream` when its directory was away. */
export type FoundAggregators = (session: Pick<AaSession, 'adapter'>) => Aggregator

/**
 * Where the aggregators are, asked before a transaction: inside one nobody is waited for. Refused `upstream` when none can be
 * found; one that is away alone is refused to its own sessions.
 */
export async function findAggregators(ctx: Context): Promise<FoundAggregators> {
  const lookups = adapterNames['account-aggregator'].map(async (name) => {
    const aggregator = await adapterNamed('account-aggregator', name).find(ctx)
    return { name, aggregator }
  })
  const found = (await Promise.allSettled(lookups)).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (found.length === 0) await Promise.all(lookups)
  return ({ adapter }) => {
    const one = found.find(({ name }) => name === adapter)
    if (one) return one.aggregator
    throw new Refusal('upstream', 'the account aggregator did not answer', { retryAfterSeconds: 5 })
  }
}

export interface MintOptions {
  aggregators: FoundAggregators
  /** Where the borrower comes back to; our own page when undefined. */
  returnUrl?: string | undefined
  /** Whether the borrower goes there at once, as from the hosted page. */
  goes?: boolean
}

/** D2 §2.3 AA redirect result. */
export interface MintedRedirect {
  session: AaSession
  redirectUrl: string
  reqdate: string
  txnid: string
  expiresAt: Date
}

/**
 * Makes a link, or a new one: all four values change each time, and what comes back of an older link moves nothing.
 * `absent` without such a session, `wrong-state` once the lender was told or the session is over.
 */
export async function mintRedirect(
  ctx: TxContext,
  journey: Journey,
  aaSessionId: string,
  { aggregators, returnUrl = ownReturnUrl(ctx), goes = false }: MintOptions,
): Promise<MintedRedirect> {
  const { tx, at } = ctx
  const session = await aaSessionOf(tx, journey, aaSessionId)
  if (!maySend(session))
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
  const there = adapterNamed('account-aggregator', session.adapter)
  const made = await there.redirect(ctx, aggregators(session), redirection, at)
  const { url: redirectUrl, reqdate, expiresAt } = made
  const { tenantId, journeyId } = journey
  await insertRedirect(tx, { tenantId, journeyId, aaSessionId, txnid, reqdate, expiresAt, createdAt: at })
  const redirects = session.redirects + 1
  const state = after(session.state, 'minted', ...(goes ? ['seen' as const] : []))
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

/** The answer travels in this address, so it goes over TLS, or stays on the machine of a sandbox. */
function checkReturnUrl({ config }: Context, returnUrl: string): void {
  const url = URL.parse(returnUrl)
  const isLocal = config.SANDBOX && url?.protocol === 'http:' && loopback.test(url.hostname)
  const isSafe = url?.protocol === 'https:' || isLocal || returnUrl === ownReturnUrl({ config })
  if (!isSafe || url?.username !== '' || url.hash !== '')
    throw invalid({ path: 'returnURL', message: 'must be an https URL' })
}
