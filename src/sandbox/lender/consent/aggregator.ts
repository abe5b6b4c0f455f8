// The lenders' desk at the account aggregator: asks for consents, looks at them, collects what was shared (ReBIT 2.x).

import { type KeyObject, randomUUID } from 'node:crypto'
import {
  type ConsentDetail,
  ConsentReply,
  EntityReply,
  FetchReply,
  HandleReply,
  readSigned,
  SignedConsent,
  signedBody,
} from '#contract/aggregator/consent.ts'
import {
  DataFetched,
  DataReply,
  decryptData,
  keyMaterialOf,
  newEphemeral,
  sessionOf,
} from '#contract/aggregator/data.ts'
import { keyFromJwk, openCompactJws } from '#kit/crypto/jws.ts'
import { call } from '#kit/http/client.ts'
import { parse, type TSchema } from '#kit/http/schema.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import { required } from '#kit/runtime/record.ts'
import { aggregatorId, lendersApiKey } from '#sandbox/aggregator/parties.ts'
import type { Context } from '#sandbox/core/context.ts'
import { type LenderPolicy, subscriberId } from '#sandbox/lender/core/policy.ts'

type Keys = ReadonlyMap<string, KeyObject>

/** The aggregator as its directory has it: where to call it, and whose signature counts. */
async function directory({ url }: Context): Promise<{ baseUrl: string; keys: Keys }> {
  const { status, body } = await call({
    method: 'GET',
    url: `${url}/aggregator/registry/entityInfo/AA/${aggregatorId}`,
  })
  if (status !== 200) throw new Error(`the aggregator's directory answered ${status}`)
  const { entityinfo } = parse(EntityReply, JSON.parse(body.toString('utf8')))
  const keys = entityinfo.keys.flatMap((jwk) => {
    const key = keyFromJwk(jwk)
    return key ? [[jwk.kid, key] as const] : []
  })
  return {
    baseUrl: required(entityinfo.baseurl, 'address of the aggregator in its directory'),
    keys: new Map(keys),
  }
}

interface AggregatorRequest {
  path: string
  content: object
  /** A fresh one where the same is not asked again. */
  txnId?: string
}

async function ask<T extends TSchema>(
  ctx: Context,
  { path, content, txnId = randomUUID() }: AggregatorRequest,
  schema: T,
) {
  const { baseUrl, keys } = await directory(ctx)
  const { body, signature } = await signedBody(content, { txnId, at: ctx.clock() }, ctx.signers.lenders)
  const headers = {
    'content-type': 'application/json',
    client_api_key: lendersApiKey(ctx.seal),
    'x-jws-signature': signature,
  }
  const answer = await call({ method: 'POST', url: `${baseUrl}${path}`, headers, body })
  const signed = answer.headers['x-jws-signature']
  const read = await readSigned(schema, answer.body, String(signed ?? ''), (kid) => keys.get(kid))
  if (answer.status !== 200 || 'fault' in read)
    throw new Error(
      `the aggregator answered ${path} with ${answer.status}: ${answer.body.toString('utf8').slice(0, 200)}`,
    )
  return { value: read.value, keys }
}

export interface ConsentTerms {
  policy: LenderPolicy
  /** The customer's handle at the aggregator. */
  customer: string
  purpose: keyof typeof purposes
  /** How long the consent may be given and used. */
  seconds: number
  /** A repeated request is the same consent. */
  requestedId: string
}

const monthsBack = 12

const purposes = {
  underwriting: { code: '103', text: 'To see what loan your account can carry', fiType: 'DEPOSIT' },
  holdings: { code: '103', text: 'To see what loan your mutual funds can carry', fiType: 'MUTUAL_FUNDS' },
  monitoring: { code: '104', text: 'To watch the account while your loan is repaid', fiType: 'DEPOSIT' },
} as const

/** Asks for a consent and gives its handle. */
export async function requestConsent(ctx: Context, requested: ConsentTerms): Promise<string> {
  const content = { ConsentDetail: detailOf(requested, ctx.clock()) }
  const { value } = await ask(ctx, { path: '/Consent', content, txnId: requested.requestedId }, ConsentReply)
  return value.ConsentHandle
}

function detailOf({ policy, customer, purpose, seconds }: ConsentTerms, at: Date): ConsentDetail {
  const { code, text, fiType } = purposes[purpose]
  const [mobile = customer] = customer.split('@')
  return {
    consentStart: at.toISOString(),
    consentExpiry: secondsAfter(at, seconds).toISOString(),
    consentMode: 'STORE',
    fetchType: purpose === 'monitoring' ? 'PERIODIC' : 'ONETIME',
    consentTypes: ['PROFILE', 'SUMMARY', 'TRANSACTIONS'],
    fiTypes: [fiType],
    DataConsumer: { id: subscriberId(policy), type: 'FIU' },
    Customer: { id: customer, Identifiers: [{ type: 'MOBILE', value: mobile }] },
    Purpose: {
      code,
      refUri: `https://api.rebit.org.in/aa/purpose/${code}.xml`,
      text,
      Category: { type: 'Financial Reporting' },
    },
    FIDataRange: { from: daysAfter(at, -30 * monthsBack).toISOString(), to: at.toISOString() },
    DataLife: { unit: 'MONTH', value: 1 },
    Frequency: { unit: 'MONTH', value: purpose === 'monitoring' ? 2 : 1 },
  }
}

/** The state of a consent: decisions and expiries are final. */
export type ConsentStatus =
  | { is: 'pending' }
  | { is: 'refused' }
  | { is: 'active'; consentId: string; consent: SignedConsent; signature: string }

/** Looks at a consent, and at the aggregator's signature on what was approved. */
export async function fetchConsentStatus(ctx: Context, handle: string): Promise<ConsentStatus> {
  const { value: reply } = await ask(ctx, { path: '/Consent/handle', content: { ConsentHandle: handle } }, HandleReply)
  const { status, id } = reply.ConsentStatus
  if (status === 'PENDING') return { is: 'pending' }
  if ((status !== 'READY' && status !== 'APPROVED') || !id) return { is: 'refused' }
  const { value: artefact, keys } = await ask(ctx, { path: '/Consent/fetch', content: { consentId: id } }, FetchReply)
  const consent = await openCompactJws(artefact.signedConsent, (kid) => keys.get(kid))
  if (artefact.status !== 'ACTIVE' || consent === null) return { is: 'refused' }
  const signature = required(artefact.signedConsent.split('.')[2], 'signature of the consent')
  return { is: 'active', consentId: id, consent: parse(SignedConsent, consent), signature }
}

/** Collects what was shared of every account, decrypted; the keys are used once and forgotten. */
export async function collectShared(ctx: Context, active: Extract<ConsentStatus, { is: 'active' }>): Promise<string[]> {
  const own = newEphemeral()
  const request = {
    FIDataRange: active.consent.FIDataRange,
    Consent: { id: active.consentId, digitalSignature: active.signature },
    KeyMaterial: keyMaterialOf(own, daysAfter(ctx.clock(), 1)),
  }
  const { value: opened } = await ask(ctx, { path: '/FI/request', content: request }, DataReply)
  const { value: fetched } = await ask(
    ctx,
    { path: '/FI/fetch', content: { sessionId: opened.sessionId } },
    DataFetched,
  )
  return fetched.FI.flatMap(({ data, KeyMaterial }) => {
    const session = sessionOf(own, KeyMaterial)
    return data.map(({ encryptedFI }) => decryptData(session, encryptedFI))
  })
}
