// POST /ondc/on_{action}: verifies, stores and acknowledges a callback, which a worker applies later (FIS12 §3, §5).

import { secondsAfter } from '@lendloom/foundation/clock'
import { fieldsOf } from '@lendloom/foundation/record'
import { type FieldError, invalid, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { isUuid } from '@lendloom/foundation/uuid'
import { jsonBody } from '@lendloom/http/body'
import type { Arrival, Auth } from '@lendloom/http/server'
import { ack, type LenderContext, requireLenderContext } from '@lendloom/wire/network/context'
import { codeOf, nackCodes } from '@lendloom/wire/network/errors'
import type { AnyCallback } from '@lendloom/wire/network/igm/actions'
import { type Callback, callbacks } from '@lendloom/wire/network/sequence'
import { type Context, route } from '#platform/context.ts'
import { acceptedDialect, dialectReaders } from '#platform/lenders/network/dialect.ts'
import { identityOf } from '#platform/lenders/network/identity.ts'
import {
  callbackCounter,
  type ReceiveResult,
  receive,
  storeRefused,
} from '#platform/lenders/network/receive-callback.ts'
import { requireKnownSender, verifySender } from '#platform/lenders/network/registry.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findByTransaction, lockJourney } from '#platform/lending/journey/store.ts'

/** Authenticates the lender by its key, before the body is read, and then by its signature of the raw bytes. */
export const lenderAuth: Auth<Context, string> = {
  scheme: null,
  isUnproven: true,
  check: ({ headers, at }, ctx) => requireKnownSender(ctx, headerText(headers.authorization), at),
  async verifyBody({ raw, headers, at }, _, ctx) {
    await verifySender(ctx, raw, headerText(headers.authorization), at)
  },
}

export const onCallbacks = callbacks.map((action) =>
  route({
    method: 'POST',
    path: `/ondc/${action}`,
    section: 'FIS12 §3.1',
    summary: `Receives a lender's ${action}`,
    auth: lenderAuth,
    accepts: 'raw',
    maxBytes: 1 << 20,
    hidden: true,
    handle: ({ who: sender, ...arrival }, ctx) => acknowledge(ctx, action, { sender, arrival }),
  }),
)

async function acknowledge(ctx: Context, action: Callback, signed: SignedArrival) {
  await receiveCallback(ctx, action, signed, (verified) => storeCallback(action, verified))
  return ack
}

/** A message, and the lender that signed it. */
export interface SignedArrival {
  sender: string
  arrival: Arrival
}

/** A callback with a verified sender, and its journey if the transaction has one. */
export interface VerifiedCallback extends SignedArrival {
  ctx: Context
  journey: Journey | undefined
  body: unknown
}

/** Runs `store`, counts its result, and archives refused messages. */
export async function receiveCallback(
  ctx: Context,
  action: AnyCallback,
  { sender, arrival }: SignedArrival,
  store: (verified: VerifiedCallback) => Promise<ReceiveResult>,
): Promise<void> {
  const body = jsonBody(arrival.raw, headerText(arrival.headers['content-type']))
  const journey = await journeyOf(ctx, body)
  try {
    callbackCounter.inc({ action, outcome: await store({ ctx, sender, journey, body, arrival }) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const code = codeOf('BAP', error)
    callbackCounter.inc({ action, outcome: 'refused' })
    ctx.log.warn({ party: sender, action, code, why: error.message }, 'a callback was rejected')
    if (journey)
      await storeRefused(
        ctx,
        journey,
        { action, sender, code, raw: arrival.raw, headers: evidenceHeaders(arrival), body },
        arrival.at,
      )
    throw error
  }
}

/**
 * Outside the sandbox, names each address at which the lender would get the borrower's data unencrypted: its own, and
 * those of its forms and payment pages.
 */
function insecureAddresses({ config }: Context, body: unknown): FieldError[] {
  if (config.SANDBOX) return []
  const { context, message } = fieldsOf(body)
  const { order, catalog } = fieldsOf(message)
  const { items, payments } = fieldsOf(order)
  const addresses = [
    { path: 'context.bpp_uri', url: fieldsOf(context).bpp_uri },
    ...formAddresses(items, 'message.order.items'),
    ...listOf(fieldsOf(catalog).providers).flatMap((provider, i) =>
      formAddresses(fieldsOf(provider).items, `message.catalog.providers.${i}.items`),
    ),
    ...listOf(payments).map((payment, i) => ({
      path: `message.order.payments.${i}.url`,
      url: fieldsOf(payment).url,
    })),
  ]
  return addresses
    .filter(({ url }) => typeof url === 'string' && !/^https:/i.test(url))
    .map(({ path }) => ({ path, message: 'must be an https URL' }))
}

const formAddresses = (items: unknown, path: string) =>
  listOf(items).map((item, i) => ({
    path: `${path}.${i}.xinput.form.url`,
    url: fieldsOf(fieldsOf(fieldsOf(item).xinput).form).url,
  }))

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Validates a callback: body, signer, recipient, timestamp and journey. Throws `invalid` or `bad-credential`. */
export function validateCallback(
  { ctx, sender, journey, body, arrival }: VerifiedCallback,
  bodyFaults: (journey: Journey | undefined) => FieldError[],
): { context: LenderContext; message: unknown; journey: Journey } {
  const [first, ...more] = [...bodyFaults(journey), ...insecureAddresses(ctx, body)]
  if (first) throw invalid(first, ...more)
  const context = requireLenderContext(body)
  const { message } = fieldsOf(body)
  if (context.bpp_id !== sender)
    throw new Refusal('bad-credential', `the signature is not valid: wrong-sender`, { fault: 'wrong-sender' })
  const { id } = identityOf(ctx.config)
  if (context.bap_id !== id) throw invalid({ path: 'context.bap_id', message: `must be ${id}` })
  // An old callback is valid, because delivery may take an hour; a future timestamp is not.
  if (new Date(context.timestamp) > secondsAfter(arrival.at, skewSeconds))
    throw new Refusal('invalid', 'context.timestamp is in the future', {
      field: 'context.timestamp',
      code: nackCodes.BAP.stale,
    })
  if (!journey) throw invalid({ path: 'context.transaction_id', message: 'is not known' })
  return { context, message, journey }
}

async function storeCallback(action: Callback, verified: VerifiedCallback): Promise<ReceiveResult> {
  const { ctx, sender, body, arrival } = verified
  const { context, message, journey } = validateCallback(verified, (journey) =>
    dialectReaders[journey ? acceptedDialect(journey, body) : '2.0.3'].bodyFaults(action, body),
  )
  const receipt = await ctx.db.tx(async (tx) => {
    const lockedJourney = required(
      await lockJourney(tx, journey.tenantId, journey.journeyId),
      'the journey of a callback',
    )
    const { raw, at } = arrival
    return receive({ ...ctx, tx, at }, lockedJourney, {
      action,
      context,
      message,
      raw,
      headers: evidenceHeaders(arrival),
    })
  })
  if (receipt === 'late') ctx.log.warn({ party: sender, action, code: '80214' }, 'a callback arrived after its ttl')
  return receipt
}

const skewSeconds = 300

async function journeyOf({ db }: Context, body: unknown): Promise<Journey | undefined> {
  const id = fieldsOf(fieldsOf(body).context).transaction_id
  return typeof id === 'string' && isUuid(id) ? findByTransaction(db, id) : undefined
}

export const evidenceHeaders = ({ headers }: Arrival): Record<string, string> =>
  Object.fromEntries(
    ['authorization', 'content-type', 'x-correlation-id'].flatMap((name) => {
      const value = headerText(headers[name])
      return value === undefined ? [] : [[name, value]]
    }),
  )

const headerText = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined
