// A client of the headless API: typed by its operations, with safe retries and session renewal.
import type { Api } from './api.ts'
import { HttpError, type Transport, unlessAborted } from './transport.ts'

type OperationName = keyof Api

/** The arguments of an operation. */
type Input<Name extends OperationName> = Omit<Api[Name], 'data'> & CallOptions

export interface CallOptions {
  /** Makes repeated calls idempotent; generated per call by default. */
  idempotencyKey?: string
  correlationId?: string
  /** Aborts the call, also while it waits for a retry or for session renewal. */
  signal?: AbortSignal
}

export type Data<Name extends OperationName> = Api[Name]['data']

/** Calls an operation by name, such as `call('GET /journeys/{journeyID}/state', { params: { journeyID } })`. */
export type Caller = <Name extends OperationName>(name: Name, ...input: InputArgs<Name>) => Promise<Data<Name>>

/** The argument is optional if all of its fields are optional. */
type InputArgs<Name extends OperationName> = Partial<Input<Name>> extends Input<Name> ? [Input<Name>?] : [Input<Name>]

/** The token pair of a borrower's session (D2 §2.3). */
export interface Tokens {
  sessionToken: string
  refreshToken: string
  sessionExpiresAt: string
  refreshExpiresAt: string
}

type NewSession = Data<'POST /sessions'>

/** For an app's server: opens or resumes a borrower's context with the API key (D2 §5). */
export async function openSession(
  transport: Transport,
  apiKey: string,
  body: Api['POST /sessions']['body'],
  options: CallOptions = {},
): Promise<NewSession> {
  const { data } = await transport.send<NewSession>({ name: 'POST /sessions', token: apiKey, body, ...options })
  return data
}

export interface BorrowerOptions {
  tokens: Tokens
  /** Called with every new pair, for callers that store tokens. */
  onTokens?(tokens: Tokens): void
}

/** A session is renewed this long before it expires. */
const renewalMarginSeconds = 30

/**
 * For the borrower's runtime: sends the session token with every call. Renews the session shortly before it expires or
 * when the platform rejects the token, once for all waiting calls. Throws an `HttpError` for an error response.
 */
export function borrower(transport: Transport, { tokens, onTokens = () => {} }: BorrowerOptions): Caller {
  let current = tokens
  // Kept until a response arrives: to repeat a lost renewal under a new key would end the session.
  let renewalKey = transport.newKey()
  let renewing: Promise<Tokens> | undefined

  function renew(): Promise<Tokens> {
    renewing ??= transport
      .send<Tokens>({ name: 'POST /sessions/refresh', token: current.refreshToken, idempotencyKey: renewalKey })
      .then(({ data }) => {
        current = data
        renewalKey = transport.newKey()
        onTokens(data)
        return data
      })
      .finally(() => {
        renewing = undefined
      })
    return renewing
  }

  const isExpiring = (): boolean => Date.parse(current.sessionExpiresAt) - Date.now() < renewalMarginSeconds * 1000

  const caller: Caller = async <Name extends OperationName>(name: Name, ...[input]: InputArgs<Name>) => {
    if (renewing || isExpiring()) await unlessAborted(renew(), input?.signal)
    const idempotencyKey = input?.idempotencyKey ?? transport.newKey()
    const call = () => transport.send<Data<Name>>({ name, token: current.sessionToken, ...input, idempotencyKey })
    const sentToken = current.sessionToken
    try {
      return (await call()).data
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== 'AUTH_INVALID_SESSION') throw error
      // Skips the renewal if another call has renewed the session meanwhile. The call is repeated with the same key.
      if (sentToken === current.sessionToken) await unlessAborted(renew(), input?.signal)
      return (await call()).data
    }
  }
  return caller
}
