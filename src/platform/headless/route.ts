// How a route of the headless API is written once: the envelope around its answer, one effect per Idempotency-Key, the journey that it is about.
import { enveloped, success } from '#contract/headless/envelope.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import type { Static, TSchema } from '#kit/http/schema.ts'
import { Answer, type Call, type Route } from '#kit/http/server.ts'
import { isObject } from '#kit/runtime/record.ts'
import { type BorrowerOfApplication, borrowerSession, type HeadlessBorrower } from '#platform/access/headless/caller.ts'
import { idempotencyKey, once, settled } from '#platform/access/idempotency.ts'
import { type Context, route } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { findJourney, lockJourney } from '#platform/journey/store.ts'
import { productOf } from '#platform/product/products.ts'
import { statusIn } from './journey-wire.ts'
import { findJourneyRow } from './store.ts'

interface RouteDescription<Q extends TSchema, P extends TSchema> {
  /** Below `/api/v1/headless`. */
  path: string
  section: string
  summary: string
  query?: Q
  params?: P
  /** The envelope's data. */
  data: TSchema
}

export const base = '/api/v1/headless'

type BorrowersCall<B extends TSchema, Q extends TSchema, P extends TSchema> = Call<
  HeadlessBorrower,
  Static<B>,
  Static<Q>,
  Static<P>
>

interface ReadRoute<Q extends TSchema, P extends TSchema> extends RouteDescription<Q, P> {
  read(call: BorrowersCall<TSchema, Q, P>, ctx: Context): Promise<unknown>
}

/** A GET route for the borrower of a session token: `read` returns the envelope's data. */
export const reading = <Q extends TSchema = TSchema, P extends TSchema = TSchema>({
  path,
  data,
  read,
  ...about
}: ReadRoute<Q, P>): Route<Context, HeadlessBorrower, TSchema, Q, P> =>
  route({
    method: 'GET',
    path: base + path,
    ...about,
    auth: borrowerSession,
    reply: { 200: enveloped(data) },
    handle: async (call, ctx) => success(await read(call, ctx), call),
  })

interface PreparedAct<B extends TSchema, Q extends TSchema, P extends TSchema, Ready> extends RouteDescription<Q, P> {
  method: 'POST' | 'PUT' | 'PATCH'
  body: B
  /** The statuses of its answers when they are not just 200. */
  statuses?: readonly number[]
  /** External requests before the transaction, which must not wait for the network. */
  prepare: (ctx: Context) => Promise<Ready>
  /**
   * The whole effect, in the given transaction: it locks its journey first and makes no external call. It locks only
   * its borrower's own rows, because it may share the transaction with effects of other borrowers.
   */
  act(tx: Tx, call: BorrowersCall<B, Q, P>, ctx: Context, ready: Ready): Promise<unknown>
}

/**
 * A POST, PUT or PATCH route for the borrower of a session token. `act` returns the envelope's data, or an `Answer`
 * with data and status. The same Idempotency-Key returns the same answer for the life of the journey, in any session.
 */
export const acting = <B extends TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  given: Omit<PreparedAct<B, Q, P, undefined>, 'prepare'>,
): Route<Context, HeadlessBorrower, B, Q, P> => actingPrepared({ ...given, prepare: async () => undefined })

/** As above for an act with external requests. */
export const actingPrepared = <B extends TSchema, Q extends TSchema, P extends TSchema, Ready>(
  given: PreparedAct<B, Q, P, Ready>,
): Route<Context, HeadlessBorrower, B, Q, P> => {
  const { path, data, act, prepare, statuses = [200], ...about } = given
  return route({
    path: base + path,
    ...about,
    auth: borrowerSession,
    reply: Object.fromEntries(statuses.map((status) => [status, enveloped(data)])),
    async handle(call: BorrowersCall<B, Q, P>, ctx: Context) {
      // A repeated answer needs no external data, so a failed request is reported by the effect.
      const ready = await settled(prepare(ctx))
      const { tenantId, applicationId, borrowerId } = call.who
      // A borrower is one person to all applications of a tenant, and each of these sees its own journeys alone.
      const principal = `borrower:${borrowerId}:${applicationId}`
      const of = { tenantId, principal, operation: `${given.method} ${path}` }
      const effect = async (tx: Tx) => act(tx, call, ctx, ready())
      return onceFor(ctx, { ...of, replaySeconds: null, owner: borrowerId }, call, effect).catch(async (error) => {
        throw await withJourneyStatus(error, ctx, call)
      })
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
  /** Further content that a repetition must match, besides path, query and body. */
  more?: unknown
}

/** Runs `effect` once per Idempotency-Key, which is required (D2 §8), and keeps its answer in the envelope. */
export function onceFor(
  ctx: Context,
  { more, ...operation }: IdempotencyScope,
  call: AnyCall,
  effect: (tx: Tx) => Promise<unknown>,
): Promise<Answer> {
  const key = idempotencyKey(call.headers)
  if (key === null) throw invalid({ path: 'Idempotency-Key', message: 'is required on every POST, PUT and PATCH' })
  const content = { path: call.path, query: call.query ?? null, body: call.body ?? null, more }
  return once(ctx, { ...operation, key, content }, call.at, async (tx) => {
    const result = await effect(tx)
    const { status, body, headers } = result instanceof Answer ? result : new Answer(200, result)
    return new Answer(status, success(body, call), headers)
  })
}

/** The thrown error; a refusal for the journey's status gets that status in its details. */
async function withJourneyStatus(
  error: unknown,
  { db }: Context,
  { who, params }: { who: BorrowerOfApplication; params: unknown },
): Promise<unknown> {
  const journeyID = isObject(params) ? params.journeyID : undefined
  if (!(error instanceof Refusal) || error.kind !== 'wrong-state' || typeof journeyID !== 'string') return error
  const row = await findJourneyRow(db, who, journeyID)
  if (!row) return error
  const { status, nextAction, pendingOperations } = statusIn(row)
  return new Refusal(error.kind, error.message, { ...error.details, status, nextAction, pendingOperations })
}

/** The journey, locked until the transaction ends; `absent` when it is not one of this borrower. */
export const journeyOf = async (tx: Tx, who: BorrowerOfApplication, journeyId: string): Promise<Journey> =>
  own(who, await lockJourney(tx, who.tenantId, journeyId))

/** As above, read-only. */
export const journeySeen = async (db: Run, who: BorrowerOfApplication, journeyId: string): Promise<Journey> =>
  own(who, await findJourney(db, who.tenantId, journeyId))

/** The journey, locked, where something can still be done: `wrong-state` when it has ended or expired. */
export async function activeJourneyOf(tx: Tx, who: BorrowerOfApplication, journeyId: string): Promise<Journey> {
  const journey = await journeyOf(tx, who, journeyId)
  if (!journey.active) throw new Refusal('wrong-state', 'this application has ended', { status: journey.status })
  return journey
}

function own(who: BorrowerOfApplication, journey: Journey | undefined): Journey {
  const isOwn = journey?.borrowerId === who.borrowerId && journey.applicationId === who.applicationId
  if (!journey || !isOwn || !productOf(journey).isHeadless) throw new Refusal('absent', 'there is no such journey')
  return journey
}
