// Records the browser's return from the aggregator. The return is validated, but does not prove a consent (D2 §4 complete).

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { isUuid } from '@lendloom/foundation/uuid'
import type { Write } from '@lendloom/postgres/write'
import type { ReturnFault, ReturnHint, ReturnQuery } from '@lendloom/wire/aggregator/redirect-back'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { aggregatorNamed } from '#platform/providers/account-aggregator/adapters.ts'
import { adapterNames } from '#platform/providers/settings.ts'
import { type AaSession, sessionKeyOf, sessionRef, stateAfter } from './aa-session.ts'
import { aaSessionOf } from './aggregator-redirect.ts'
import { scheduleReconcile } from './poll-consent-status.ts'
import { changeAaSession, findRedirect, findStoredAaSession, recordReturn } from './store.ts'

/**
 * Records the borrower's return and polls the aggregator's server at once. Repeating the call changes nothing. A return
 * from an older link is recorded, but does not change the session. Throws `invalid` at the invalid parameter, `absent`
 * for an unknown session.
 */
export async function completeAaSession(
  ctx: TxContext,
  journey: Journey,
  aaSessionId: string,
  query: ReturnQuery,
): Promise<AaSession> {
  const { tx, at } = ctx
  const session = await aaSessionOf(tx, journey, aaSessionId)
  const hint = await readReturnHint(ctx, query, at)
  if (hint.sessionId !== sessionRef(session) || hint.adapter !== session.adapter)
    throw invalid({ path: 'ecres', message: 'belongs to another session' })
  return recordHint(ctx, journey, session, hint)
}

/** Like `completeAaSession`, but for a return to our own page: finds the session by the parameters of the return. */
export async function completeFromReturn(ctx: Context, query: ReturnQuery, at: Date): Promise<AaSession> {
  const hint = await readReturnHint(ctx, query, at)
  const sessionKey = sessionKeyOf(hint.sessionId)
  if (!sessionKey) throw invalid({ path: 'ecres', message: 'does not belong to a session' })
  return ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, sessionKey.tenantId, sessionKey.journeyId)
    if (!journey) throw new Refusal('absent', 'the journey does not exist')
    const session = await aaSessionOf(tx, journey, sessionKey.aaSessionId)
    if (hint.adapter !== session.adapter) throw invalid({ path: 'fi', message: 'is not the account aggregator' })
    return recordHint({ tx, at }, journey, session, hint)
  })
}

/** Tries each aggregator's adapter until one decrypts the return, because only the content identifies the aggregator. */
async function readReturnHint(ctx: Context, query: ReturnQuery, at: Date): Promise<ReturnHint & { adapter: string }> {
  let fault: ReturnFault = 'wrong-aggregator'
  for (const adapter of adapterNames['account-aggregator']) {
    const hint = await aggregatorNamed(adapter).readReturn(ctx, query, at)
    if (!('fault' in hint)) return { ...hint, adapter }
    fault = hint.fault
    if (fault !== 'wrong-aggregator') break
  }
  if (fault === 'stale') throw invalid({ path: 'resdate', message: 'is not within three minutes of now' })
  if (fault === 'wrong-aggregator') throw invalid({ path: 'fi', message: 'is not the account aggregator' })
  throw invalid({ path: 'ecres', message: 'cannot be read' })
}

async function recordHint(
  { tx, at }: Write,
  journey: Journey,
  current: AaSession,
  { txnId, handles, errorCode }: ReturnHint,
): Promise<AaSession> {
  // Reads the stored session, because the return is recorded even while the lender is switched off.
  const session = required(await findStoredAaSession(tx, journey, current.aaSessionId), 'the session of a return')
  const key = { ...session, txnid: txnId }
  const redirect = isUuid(txnId) ? await findRedirect(tx, key) : undefined
  if (!redirect) throw invalid({ path: 'ecres', message: 'does not match a link of this session' })
  if (handles.some((handle) => handle !== session.consentHandle))
    throw invalid({ path: 'ecres', message: 'names a consent that was never requested' })
  if (redirect.returnedAt !== null) return current
  await recordReturn(tx, key, errorCode, at)
  if (session.txnid !== txnId) return current
  const state = stateAfter(session.state, 'linkOpened', 'browserReturned')
  const updated = await changeAaSession(tx, session, { state, returnedCode: errorCode }, at)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  await scheduleReconcile(tx, updated, { occasion: txnId }, at)
  return session.isWithheld ? current : updated
}
