// Routes of the headless API: the envelope, one effect per Idempotency-Key, and the caller's journey.

import { isObject } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Static, TSchema } from '@lendloom/foundation/schema'
import { Answer, type Call, type Route } from '@lendloom/http/server'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { enveloped, success } from '@lendloom/wire/headless/envelope'
import { type Context, route } from '#platform/context.ts'
import {
  type BorrowerOfApplication,
  borrowerSession,
  type HeadlessBorrower,
} from '#platform/integrators/access/headless/authentication.ts'
import { captureResult, idempotencyKey, runOnceForKey } from '#platform/integrators/access/idempotency.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findJourney, lockInSharedCommit } from '#platform/lending/journey/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { overviewOf } from './journey-wire.ts'
import { findJourneyRow } from './store.ts'

interface RouteDescription<Q extends TSchema, P extends TSchema> {
  /** The path after `/api/v1/headless`. */
  path: string
  section: string
  operationId: string
  summary: string
  query?: Q
  params?: P
  data: TSchema
}

export const headlessPrefix = '/api/v1/headless'

type BorrowerCall<B extends TSchema, Q extends TSchema, P extends TSchema> = Call<
  HeadlessBorrower,
  Static<B>,
  Static<Q>,
  Static<P>
>

interface ReadRoute<Q extends TSchema, P extends TSchema> extends RouteDescription<Q, P> {
  read(call: BorrowerCall<TSchema, Q, P>, ctx: Context): Promise<unknown>
}

/** Defines a GET route for the borrower of a session token. `read` returns the envelope's data. */
export const readRoute = <Q extends TSchema = TSchema, P extends TSchema = TSchema>({
  path,
  data,
  read,
  ...rest
}: ReadRoute<Q, P>): Route<Context, HeadlessBorrower, TSchema, Q, P> =>
  route({
    method: 'GET',
    path: headlessPrefix + path,
    ...rest,
    auth: borrowerSession,
    reply: { 200: enveloped(data) },
    handle: async (call, ctx) => success(await read(call, ctx), call),
  })

interface PreparedRoute<B extends TSchema, Q extends TSchema, P extends TSchema, Prepared>
  extends RouteDescription<Q, P> {
  method: 'POST' | 'PUT' | 'PATCH'
  body: B
  /** Statuses of successful responses; 200 when omitted. */
  statuses?: readonly number[]
  /** Makes external requests before the transaction, because the transaction must not wait for the network. */
  prepare: (ctx: Context) => Promise<Prepared>
  /**
   * Runs in the transaction. It must lock the journey first, make no external request, and lock only rows of the
   * borrower, because requests of other borrowers may share the transaction.
   */
  act(tx: Tx, call: BorrowerCall<B, Q, P>, ctx: Context, prepared: Prepared): Promise<unknown>
}

/**
 * Defines a POST, PUT or PATCH route for the borrower of a session token. `act` returns the envelope's data, or an
 * `Answer` with data and status. The same Idempotency-Key returns the same response for the life of the journey, in any session.
 */
export const actRoute = <B extends TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  definition: Omit<PreparedRoute<B, Q, P, undefined>, 'prepare'>,
): Route<Context, HeadlessBorrower, B, Q, P> => preparedActRoute({ ...definition, prepare: async () => undefined })

/** Defines an `actRoute` whose act needs external data. */
export const preparedActRoute = <B extends TSchema, Q extends TSchema, P extends TSchema, Prepared>(
  definition: PreparedRoute<B, Q, P, Prepared>,
): Route<Context, HeadlessBorrower, B, Q, P> => {
  const { path, data, act, prepare, statuses = [200], ...rest } = definition
  return route({
    path: headlessPrefix + path,
    ...rest,
    auth: borrowerSession,
    reply: Object.fromEntries(statuses.map((status) => [status, enveloped(data)])),
    async handle(call: BorrowerCall<B, Q, P>, ctx: Context) {
      // `getPrepared` throws the error of `prepare`. A replayed response needs no external data, so it does not fail.
      const getPrepared = await captureResult(prepare(ctx))
      const { tenantId, applicationId, borrowerId } = call.who
      // Applications of a tenant share borrowers, but each sees only its own journeys.
      const principal = `borrower:${borrowerId}:${applicationId}`
      const operation = { tenantId, principal, operation: `${definition.method} ${path}` }
      const effect = async (tx: Tx) => act(tx, call, ctx, getPrepared())
      return onceFor(ctx, { ...operation, replaySeconds: null, owner: borrowerId }, call, effect).catch(
        async (error) => {
          throw await withJourneyStatus(error, ctx, call)
        },
      )
    },
  })
}

type AnyCall = Call<unknown, unknown, unknown, unknown>

interface IdempotencyScope {
  tenantId: string
  principal: string
  operation: string
  replaySeconds: number | null
  owner?: string
  /** Further content that a repeated request must match, besides path, query and body. */
  furtherContent?: unknown
}

/** Runs `effect` once per Idempotency-Key, which is required (D2 §8), and stores its response in the envelope. */
export function onceFor(
  ctx: Context,
  { furtherContent, ...operation }: IdempotencyScope,
  call: AnyCall,
  effect: (tx: Tx) => Promise<unknown>,
): Promise<Answer> {
  const key = idempotencyKey(call.headers)
  if (key === null) throw invalid({ path: 'Idempotency-Key', message: 'is required on every POST, PUT and PATCH' })
  const content = { path: call.path, query: call.query ?? null, body: call.body ?? null, more: furtherContent }
  return runOnceForKey(ctx, { ...operation, key, content }, call.at, async (tx) => {
    const result = await effect(tx)
    const { status, body, headers } = result instanceof Answer ? result : new Answer(200, result)
    return new Answer(status, success(body, call), headers)
  })
}

/** Adds the journey's status to a `wrong-state` refusal. Returns other errors unchanged. */
async function withJourneyStatus(
  error: unknown,
  { db }: Context,
  { who, params }: { who: BorrowerOfApplication; params: unknown },
): Promise<unknown> {
  const journeyID = isObject(params) ? params.journeyID : undefined
  if (!(error instanceof Refusal) || error.kind !== 'wrong-state' || typeof journeyID !== 'string') return error
  const row = await findJourneyRow(db, who, journeyID)
  if (!row) return error
  const { status, nextAction, pendingOperations } = overviewOf(row)
  return new Refusal(error.kind, error.message, { ...error.details, status, nextAction, pendingOperations })
}

/** Locks and returns the borrower's journey; throws `absent` for any other journey. */
export const lockOwnJourney = async (tx: Tx, who: BorrowerOfApplication, journeyId: string): Promise<Journey> =>
  requireOwn(who, await lockInSharedCommit(tx, { tenantId: who.tenantId, journeyId }))

/** Returns the borrower's journey without a lock; throws `absent` for any other journey. */
export const readJourney = async (db: Run, who: BorrowerOfApplication, journeyId: string): Promise<Journey> =>
  requireOwn(who, await findJourney(db, who.tenantId, journeyId))

/** Locks and returns the borrower's journey; throws `wrong-state` when the journey has ended or expired. */
export async function lockActiveJourney(tx: Tx, who: BorrowerOfApplication, journeyId: string): Promise<Journey> {
  const journey = await lockOwnJourney(tx, who, journeyId)
  if (!journey.active) throw new Refusal('wrong-state', 'this application has ended', { status: journey.status })
  return journey
}

function requireOwn(who: BorrowerOfApplication, journey: Journey | undefined): Journey {
  const isOwn = journey?.borrowerId === who.borrowerId && journey.applicationId === who.applicationId
  if (!journey || !isOwn || !productOf(journey).isHeadless) throw new Refusal('absent', 'there is no such journey')
  return journey
}
