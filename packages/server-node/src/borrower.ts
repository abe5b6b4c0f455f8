// The operations of a borrower's session, which is renewed before it ends (D2 §5).
import { LendloomError } from './error.ts'
import { type CallByName, type MethodsWith, methodsFor } from './methods.ts'
import type { RefreshResult } from './schemas.ts'

export interface BorrowerOptions {
  /** The token pair of `createHeadlessSession`, or the newest that `onTokens` got. */
  tokens: RefreshResult
  /** Called with every new pair, for callers that store tokens. */
  onTokens?(tokens: RefreshResult): void
}

/** The operations that need a borrower's session, by their names in the API reference. */
export type Borrower = MethodsWith<'sessionToken'>

/** A session is renewed this long before it expires. */
const renewalMarginMs = 30_000

/**
 * Sends the session token with every call. Renews the session shortly before it expires or when the platform rejects the
 * token, once for all waiting calls.
 */
export function borrowerClient(call: CallByName, { tokens, onTokens = () => {} }: BorrowerOptions): Borrower {
  let current = tokens
  // Kept until an answer arrives: to repeat a lost renewal under a new key would end the session.
  let renewalKey = crypto.randomUUID()
  let renewing: Promise<void> | undefined

  async function renew(): Promise<void> {
    const input = { token: current.refreshToken, idempotencyKey: renewalKey }
    current = (await call('refreshHeadlessSession', input)) as RefreshResult
    renewalKey = crypto.randomUUID()
    onTokens(current)
  }
  const renewOnce = (): Promise<void> => {
    renewing ??= renew().finally(() => {
      renewing = undefined
    })
    return renewing
  }
  const isExpiring = (): boolean => Date.parse(current.sessionExpiresAt) - Date.now() < renewalMarginMs

  const callWithSession: CallByName = async (name, given) => {
    if (renewing || isExpiring()) await unlessAborted(renewOnce(), given.signal)
    const input = { ...given, idempotencyKey: given.idempotencyKey ?? crypto.randomUUID() }
    const sentToken = current.sessionToken
    try {
      return await call(name, { ...input, token: sentToken })
    } catch (error) {
      if (!(error instanceof LendloomError) || error.code !== 'AUTH_INVALID_SESSION') throw error
      // Skips the renewal if another call has renewed the session meanwhile. The call is repeated with the same key.
      if (sentToken === current.sessionToken) await unlessAborted(renewOnce(), input.signal)
      return call(name, { ...input, token: current.sessionToken })
    }
  }
  return methodsFor('sessionToken', callWithSession) as unknown as Borrower
}

/** Settles as the promise does; rejects with the signal's reason when the signal is aborted first. */
function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
