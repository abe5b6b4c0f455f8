// What the routes for lenders' callbacks share: the sender's proof, the checks of a callback, and the refused ones.

import { secondsAfter } from '@lendloom/foundation/clock'
import { fieldsOf } from '@lendloom/foundation/record'
import { type FieldError, invalid, Refusal } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { jsonBody } from '@lendloom/http/body'
import type { Arrival, Auth } from '@lendloom/http/server'
import { domainIn, type LenderContext, requireLenderContext } from '@lendloom/wire/network/context'
import { codeOf, nackCodes } from '@lendloom/wire/network/errors'
import type { AnyCallback } from '@lendloom/wire/network/igm/actions'
import type { Context } from '#platform/context.ts'
import { identityOf } from '#platform/lenders/network/own-identity.ts'
import {
  archiveRefusedMessage,
  callbackCounter,
  type ReceiveResult,
} from '#platform/lenders/network/receive-callback.ts'
import { requireKnownSender, requireSenderInDomain, verifySender } from '#platform/lenders/network/registry.ts'
import { journeyOfTransaction } from '#platform/lenders/network/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'

/** Authenticates the lender by its key, before the body is read, and then by its signature of the raw bytes. */
export const lenderAuth: Auth<Context, string> = {
  scheme: null,
  isUnproven: true,
  check: ({ headers, at }, ctx) => requireKnownSender(ctx, headerText(headers.authorization), at),
  async verifyBody({ raw, headers, at }, _, ctx) {
    await verifySender(ctx, raw, headerText(headers.authorization), at)
  },
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

/** Runs `receive`, counts its result, and archives a refused message. */
export async function receiveSigned(
  ctx: Context,
  action: AnyCallback,
  { sender, arrival }: SignedArrival,
  receive: (verified: VerifiedCallback) => Promise<ReceiveResult>,
): Promise<void> {
  const body = jsonBody(arrival.raw, headerText(arrival.headers['content-type']))
  const journey = await journeyOf(ctx, body)
  await requireSenderInDomain(ctx, headerText(arrival.headers.authorization), {
    domain: domainIn(body),
    at: arrival.at,
  })
  try {
    callbackCounter.inc({ action, outcome: await receive({ ctx, sender, journey, body, arrival }) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const code = codeOf('BAP', error)
    callbackCounter.inc({ action, outcome: 'refused' })
    ctx.log.warn({ party: sender, action, code, why: error.message }, 'a callback was rejected')
    if (journey)
      await archiveRefusedMessage(
        ctx,
        journey,
        { action, sender, code, why: error.message, raw: arrival.raw, headers: evidenceHeaders(arrival), body },
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
  const [first, ...otherFaults] = [...bodyFaults(journey), ...insecureAddresses(ctx, body)]
  if (first) throw invalid(first, ...otherFaults)
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

/** The lender's clock may be ahead of ours by this much. */
const skewSeconds = 300

async function journeyOf({ db }: Context, body: unknown): Promise<Journey | undefined> {
  const id = fieldsOf(fieldsOf(body).context).transaction_id
  return typeof id === 'string' && isUuid(id) ? journeyOfTransaction(db, id) : undefined
}

/** The headers that are archived with a message, because they prove who sent it. */
export const evidenceHeaders = ({ headers }: Arrival): Record<string, string> =>
  Object.fromEntries(
    ['authorization', 'content-type', 'x-correlation-id'].flatMap((name) => {
      const value = headerText(headers[name])
      return value === undefined ? [] : [[name, value]]
    }),
  )

const headerText = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined
