// The aggregator's API for lenders and service providers: signed requests and answers, and error codes (ReBIT 2.x).

import { fieldsOf } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import type { Static, TSchema } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { type Answer, type Arrival, answer } from '@lendloom/http/server'
import { uuidv4 } from '@lendloom/seal/id'
import { keyFromJwk } from '@lendloom/seal/jws'
import {
  ConsentRequest,
  FetchRequest,
  HandleRequest,
  readSigned,
  signedBody,
} from '@lendloom/wire/aggregator/consent-api'
import { DataFetch, DataRequest } from '@lendloom/wire/aggregator/data-encryption'
import { type Context, route } from '#sandbox/core/context.ts'
import { type ApiCall, ApiRefusal } from './api-call.ts'
import {
  consentFault,
  customerDigest,
  decisionDeadline,
  detailOf,
  sealedDetail,
  signedConsentOf,
  statusOf,
} from './consent.ts'
import { apiKeyDigest } from './directory.ts'
import { fetchData, openDataSession } from './encrypted-statements.ts'
import { type ConsentRow, consentById, type EntityRow, entityByKey, findConsent, storeConsent } from './store.ts'

const clockSkewMs = 15 * 60_000

/** A route with signed requests and answers, whose callers are identified by their API key. */
const signedRoute = <T extends TSchema>(
  path: string,
  summary: string,
  schema: T,
  act: (call: ApiCall<Static<T>>) => Promise<object>,
) =>
  route({
    method: 'POST',
    path: `/aggregator/api${path}`,
    section: 'FIS12 §7.8',
    summary,
    accepts: 'raw',
    async handle(arrival, ctx: Context) {
      try {
        const { caller, body } = await authenticate(ctx, schema, arrival)
        const content = await act({ ctx, caller, body, at: arrival.at })
        return signedAnswer(ctx, { status: 200, content }, { txnId: String(fieldsOf(body).txnid), at: arrival.at })
      } catch (error) {
        if (!(error instanceof ApiRefusal)) throw error
        const content = { errorCode: error.errorCode, errorMsg: error.message }
        return signedAnswer(ctx, { status: error.status, content }, { txnId: uuidv4(), at: arrival.at })
      }
    },
  })

async function authenticate<T extends TSchema>(ctx: Context, schema: T, { raw, headers, at }: Arrival) {
  const key = headers.client_api_key
  const caller = typeof key === 'string' ? await entityByKey(ctx.db, apiKeyDigest(ctx.seal, key)) : undefined
  if (!caller) throw new ApiRefusal(401, 'Unauthorized', 'client_api_key is not known')
  const publicKeyOf = (kid: string) => {
    const jwk = caller.keys.find((each) => each.kid === kid)
    return (jwk && keyFromJwk(jwk)) ?? undefined
  }
  const signature = headers['x-jws-signature']
  const verified = await readSigned(schema, raw, typeof signature === 'string' ? signature : undefined, publicKeyOf)
  // A service provider's process may have a new key; on 401 the process registers it.
  if ('fault' in verified && verified.fault === 'not signed')
    throw new ApiRefusal(caller.type === 'LSP' ? 401 : 400, 'SignatureDoesNotMatch', 'x-jws-signature does not verify')
  if ('fault' in verified && verified.fault === 'of another version')
    throw new ApiRefusal(404, 'NoSuchVersion', 'ver must be 2.0.0')
  if ('fault' in verified)
    throw new ApiRefusal(400, 'InvalidRequest', `the body is ${verified.fault}: ${verified.at ?? ''}`)
  const { timestamp } = fieldsOf(verified.value)
  if (Math.abs(new Date(String(timestamp)).getTime() - at.getTime()) > clockSkewMs)
    throw new ApiRefusal(400, 'InvalidRequest', 'timestamp is not within fifteen minutes of now')
  return { caller, body: verified.value }
}

async function signedAnswer(
  { signers }: Context,
  { status, content }: { status: number; content: object },
  stamp: { txnId: string; at: Date },
): Promise<Answer> {
  const { body, signature } = await signedBody(content, stamp, signers.aggregator)
  return answer(status, Buffer.from(body), { 'content-type': 'application/json', 'x-jws-signature': signature })
}

const requestConsent = signedRoute(
  '/Consent',
  'A lender requests a consent',
  ConsentRequest,
  async ({ ctx, caller, body, at }) => {
    if (caller.type !== 'FIU') throw new ApiRefusal(403, 'Unauthorized', 'only lenders may request consents')
    const { ConsentDetail: detail, txnid } = body
    const fault = consentFault(detail, at)
    if (fault) throw new ApiRefusal(400, fault.errorCode, fault.errorMsg)
    const { db, seal } = ctx
    const newHandle = uuidv4()
    const handle = await storeConsent(db, {
      handle: newHandle,
      requestor: caller.entityId,
      txnid,
      detailSealed: sealedDetail(seal, newHandle, detail),
      customerDigest: customerDigest(seal, detail.Customer.id),
      status: 'PENDING',
      expiresAt: decisionDeadline(detail, at),
      createdAt: at,
    })
    return { ConsentHandle: handle, Customer: { id: detail.Customer.id } }
  },
)

const readHandle = signedRoute(
  '/Consent/handle',
  'The status of a consent',
  HandleRequest,
  async ({ ctx, caller, body, at }) => {
    const consent = isUuid(body.ConsentHandle) ? await findConsent(ctx.db, body.ConsentHandle) : undefined
    if (!consent || !maySee(caller, consent))
      throw new ApiRefusal(400, 'InvalidConsentHandle', 'there is no such handle')
    const { status } = statusOf(consent, detailOf(ctx.seal, consent), at)
    const id = status === 'APPROVED' ? consent.consentId : null
    return { ConsentHandle: consent.handle, ConsentStatus: { ...(id && { id }), status } }
  },
)

const fetchConsent = signedRoute(
  '/Consent/fetch',
  'The signed consent',
  FetchRequest,
  async ({ ctx, caller, body, at }) => {
    const consent = await requireConsent(ctx, caller, body.consentId)
    const decidedAt = required(consent.decidedAt, 'time of the approval').toISOString()
    return {
      consentId: body.consentId,
      status: statusOf(consent, detailOf(ctx.seal, consent), at).artefactStatus,
      createTimestamp: decidedAt,
      signedConsent: signedConsentOf(ctx.seal, consent),
      ConsentUse: { logUri: '', count: 0, lastUseDateTime: decidedAt },
    }
  },
)

const requestData = signedRoute(
  '/FI/request',
  'A lender requests the data of a consent',
  DataRequest,
  async (request) => {
    const consent = await requireConsent(request.ctx, request.caller, request.body.Consent.id)
    return openDataSession(request, consent)
  },
)

const collectData = signedRoute('/FI/fetch', 'The data, encrypted for the lender', DataFetch, fetchData)

/** A lender sees its own consents. In the sandbox a service provider serves every lender and sees all consents. */
const maySee = (caller: EntityRow, { requestor }: ConsentRow): boolean =>
  caller.type === 'LSP' || caller.entityId === requestor

async function requireConsent(ctx: Context, caller: EntityRow, consentId: string): Promise<ConsentRow> {
  const consent = isUuid(consentId) ? await consentById(ctx.db, consentId) : undefined
  if (!consent || !maySee(caller, consent)) throw new ApiRefusal(400, 'InvalidConsentId', 'there is no such consent')
  return consent
}

export const apiRoutes = [requestConsent, readHandle, fetchConsent, requestData, collectData]
