// The lenders' client of the account aggregator: requests consents and collects the shared data (ReBIT 2.x).

import { type KeyObject, randomUUID } from 'node:crypto'
import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { parseJson } from '@lendloom/foundation/json'
import { required } from '@lendloom/foundation/required'
import { parse, type TSchema } from '@lendloom/foundation/schema'
import { call } from '@lendloom/http/client'
import { keyFromJwk, openCompactJws } from '@lendloom/seal/jws'
import {
  type ConsentDetail,
  ConsentReply,
  EntityReply,
  FetchReply,
  HandleReply,
  readSigned,
  SignedConsent,
  signedBody,
} from '@lendloom/wire/aggregator/consent-api'
import {
  DataFetched,
  DataReply,
  decryptData,
  keyMaterialOf,
  newEphemeral,
  sessionOf,
} from '@lendloom/wire/aggregator/data-encryption'
import { aggregatorId, lendersApiKey } from '#sandbox/aggregator/directory.ts'
import type { Context } from '#sandbox/core/context.ts'
import { type LenderPolicy, subscriberId } from '#sandbox/lender/core/lender-policies.ts'

type Keys = ReadonlyMap<string, KeyObject>

/** The aggregator's address and public keys, from its directory. */
async function directory({ url }: Context): Promise<{ baseUrl: string; keys: Keys }> {
  const { status, body } = await call({
    method: 'GET',
    url: `${url}/aggregator/registry/entityInfo/AA/${aggregatorId}`,
  })
  if (status !== 200) throw new Error(`the aggregator's directory answered ${status}`)
  const { entityinfo } = parse(EntityReply, parseJson(body))
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
  /** Identifies a repeated request; random by default. */
  txnId?: string
}

async function callAggregator<T extends TSchema>(
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
  const answerSignature = answer.headers['x-jws-signature']
  const verified = await readSigned(schema, answer.body, String(answerSignature ?? ''), (kid) => keys.get(kid))
  if (answer.status !== 200 || 'fault' in verified)
    throw new Error(
      `the aggregator answered ${path} with ${answer.status}: ${answer.body.toString('utf8').slice(0, 200)}`,
    )
  return { value: verified.value, keys }
}

export interface ConsentTerms {
  policy: LenderPolicy
  customer: string
  purpose: keyof typeof purposes
  /** The validity of the consent. */
  seconds: number
  /** Idempotency key: a repeated request returns the same consent. */
  requestedId: string
}

const monthsBack = 12

const purposes = {
  underwriting: { code: '103', text: 'To decide how much you can borrow', fiType: 'DEPOSIT' },
  holdings: {
    code: '103',
    text: 'To decide how much you can borrow against your mutual funds',
    fiType: 'MUTUAL_FUNDS',
  },
  monitoring: { code: '104', text: 'To watch the account while your loan is repaid', fiType: 'DEPOSIT' },
} as const

export async function requestConsent(ctx: Context, terms: ConsentTerms): Promise<string> {
  const content = { ConsentDetail: detailOf(terms, ctx.clock()) }
  const { value } = await callAggregator(ctx, { path: '/Consent', content, txnId: terms.requestedId }, ConsentReply)
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

/** The state of a consent; `refused` also covers expiry. */
export type ConsentStatus =
  | { state: 'pending' }
  | { state: 'refused' }
  | { state: 'active'; consentId: string; consent: SignedConsent; signature: string }

/** Reads the status of a consent and verifies the aggregator's signature on it. */
export async function fetchConsentStatus(ctx: Context, handle: string): Promise<ConsentStatus> {
  const { value: reply } = await callAggregator(
    ctx,
    { path: '/Consent/handle', content: { ConsentHandle: handle } },
    HandleReply,
  )
  const { status, id } = reply.ConsentStatus
  if (status === 'PENDING') return { state: 'pending' }
  if ((status !== 'READY' && status !== 'APPROVED') || !id) return { state: 'refused' }
  const { value: artefact, keys } = await callAggregator(
    ctx,
    { path: '/Consent/fetch', content: { consentId: id } },
    FetchReply,
  )
  const consent = await openCompactJws(artefact.signedConsent, (kid) => keys.get(kid))
  if (artefact.status !== 'ACTIVE' || consent === null) return { state: 'refused' }
  const signature = required(artefact.signedConsent.split('.')[2], 'signature of the consent')
  return { state: 'active', consentId: id, consent: parse(SignedConsent, consent), signature }
}

/** Collects and decrypts the data of every shared account, under a single-use key. */
export async function collectShared(
  ctx: Context,
  active: Extract<ConsentStatus, { state: 'active' }>,
): Promise<string[]> {
  const ephemeral = newEphemeral()
  const request = {
    FIDataRange: active.consent.FIDataRange,
    Consent: { id: active.consentId, digitalSignature: active.signature },
    KeyMaterial: keyMaterialOf(ephemeral, daysAfter(ctx.clock(), 1)),
  }
  const { value: dataSession } = await callAggregator(ctx, { path: '/FI/request', content: request }, DataReply)
  const { value: sharedData } = await callAggregator(
    ctx,
    { path: '/FI/fetch', content: { sessionId: dataSession.sessionId } },
    DataFetched,
  )
  return sharedData.FI.flatMap(({ data, KeyMaterial }) => {
    const session = sessionOf(ephemeral, KeyMaterial)
    return data.map(({ encryptedFI }) => decryptData(session, encryptedFI))
  })
}
