// The aggregator's interface for lenders and service providers: every body signed both ways, every refusal with its code (ReBIT 2.x).

import { ConsentRequest, FetchRequest, HandleRequest, readSigned, signedBody } from '#contract/aggregator/consent.ts'
import { DataFetch, DataRequest } from '#contract/aggregator/data.ts'
import { isUuid, uuidv4 } from '#kit/crypto/id.ts'
import { keyFromJwk } from '#kit/crypto/jws.ts'
import type { Static, TSchema } from '#kit/http/schema.ts'
import { type Answer, type Arrival, answer } from '#kit/http/server.ts'
import { fieldsOf, required } from '#kit/runtime/record.ts'
import { type Context, route } from '#sandbox/core/context.ts'
import { type ApiCall, ApiRefusal } from './api-call.ts'
import { consentFault, customerDigest, detailOf, sealedDetail, signedOf, statusOf, waitsUntil } from './consent.ts'
import { fetchData, openDataSession } from './data.ts'
import { apiKeyDigest } from './parties.ts'
import { type ConsentRow, consentById, type EntityRow, entityByKey, findConsent, keepConsent } from './store.ts'

const skewMs = 15 * 60_000

/** One call: its key identifies the caller, its signature covers the body, and the answer is signed too. */
const call = <T extends TSchema>(
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
        const { who, body } = await proven(ctx, schema, arrival)
        const content = await act({ ctx, who, body, at: arrival.at })
        return signed(ctx, { status: 200, content }, { txnId: String(fieldsOf(body).txnid), at: arrival.at })
      } catch (error) {
        if (!(error instanceof ApiRefusal)) throw error
        const content = { errorCode: error.errorCode, errorMsg: error.message }
        return signed(ctx, { status: error.status, content }, { txnId: uuidv4(), at: arrival.at })
      }
    },
  })

async function proven<T extends TSchema>(ctx: Context, schema: T, { raw, headers, at }: Arrival) {
  const key = headers.client_api_key
  const who = typeof key === 'string' ? await entityByKey(ctx.db, apiKeyDigest(ctx.seal, key)) : undefined
  if (!who) throw new ApiRefusal(401, 'Unauthorized', 'client_api_key is not known')
  const keyOf = (kid: string) => {
    const jwk = who.keys.find((each) => each.kid === kid)
    return (jwk && keyFromJwk(jwk)) ?? undefined
  }
  const signature = headers['x-jws-signature']
  const read = await readSigned(schema, raw, typeof signature === 'string' ? signature : undefined, keyOf)
  // A party whose process has a new key is asked to enter it first.
  if ('fault' in read && read.fault === 'not signed')
    throw new ApiRefusal(who.type === 'LSP' ? 401 : 400, 'SignatureDoesNotMatch', 'x-jws-signature does not verify')
  if ('fault' in read && read.fault === 'of another version')
    throw new ApiRefusal(404, 'NoSuchVersion', 'ver must be 2.0.0')
  if ('fault' in read) throw new ApiRefusal(400, 'InvalidRequest', `the body is ${read.fault}: ${read.at ?? ''}`)
  const { timestamp } = fieldsOf(read.value)
  if (Math.abs(new Date(String(timestamp)).getTime() - at.getTime()) > skewMs)
    throw new ApiRefusal(400, 'InvalidRequest', 'timestamp is not within fifteen minutes of now')
  return { who, body: read.value }
}

async function signed(
  { signers }: Context,
  { status, content }: { status: number; content: object },
  stamp: { txnId: string; at: Date },
): Promise<Answer> {
  const { body, signature } = await signedBody(content, stamp, signers.aggregator)
  return answer(status, Buffer.from(body), { 'content-type': 'application/json', 'x-jws-signature': signature })
}

const askConsent = call('/Consent', 'A lender asks for a consent', ConsentRequest, async ({ ctx, who, body, at }) => {
  if (who.type !== 'FIU') throw new ApiRefusal(403, 'Unauthorized', 'only lenders ask for consents')
  const { ConsentDetail: detail, txnid } = body
  const fault = consentFault(detail, at)
  if (fault) throw new ApiRefusal(400, fault.errorCode, fault.errorMsg)
  const { db, seal } = ctx
  const fresh = uuidv4()
  const handle = await keepConsent(db, {
    handle: fresh,
    requestor: who.entityId,
    txnid,
    detailSealed: sealedDetail(seal, fresh, detail),
    customerDigest: customerDigest(seal, detail.Customer.id),
    status: 'PENDING',
    expiresAt: waitsUntil(detail, at),
    createdAt: at,
  })
  return { ConsentHandle: handle, Customer: { id: detail.Customer.id } }
})

const readHandle = call(
  '/Consent/handle',
  'What became of a consent',
  HandleRequest,
  async ({ ctx, who, body, at }) => {
    const consent = isUuid(body.ConsentHandle) ? await findConsent(ctx.db, body.ConsentHandle) : undefined
    if (!consent || !maySee(who, consent)) throw new ApiRefusal(400, 'InvalidConsentHandle', 'there is no such handle')
    const { status } = statusOf(consent, detailOf(ctx.seal, consent), at)
    const id = status === 'APPROVED' ? consent.consentId : null
    return { ConsentHandle: consent.handle, ConsentStatus: { ...(id && { id }), status } }
  },
)

const fetchConsent = call('/Consent/fetch', 'The signed consent', FetchRequest, async ({ ctx, who, body, at }) => {
  const consent = await approved(ctx, who, body.consentId)
  const decidedAt = required(consent.decidedAt, 'time of the approval').toISOString()
  return {
    consentId: body.consentId,
    status: statusOf(consent, detailOf(ctx.seal, consent), at).artefactStatus,
    createTimestamp: decidedAt,
    signedConsent: signedOf(ctx.seal, consent),
    ConsentUse: { logUri: '', count: 0, lastUseDateTime: decidedAt },
  }
})

const requestData = call('/FI/request', 'A lender asks for the data of a consent', DataRequest, async (given) => {
  const consent = await approved(given.ctx, given.who, given.body.Consent.id)
  return openDataSession(given, consent)
})

const collectData = call('/FI/fetch', 'The data, encrypted for the lender', DataFetch, fetchData)

/** A lender sees its own consents. Service providers see the consents that lenders requested: in the sandbox they serve all of them. */
const maySee = (who: EntityRow, { requestor }: ConsentRow): boolean => who.type === 'LSP' || who.entityId === requestor

async function approved(ctx: Context, who: EntityRow, consentId: string): Promise<ConsentRow> {
  const consent = isUuid(consentId) ? await consentById(ctx.db, consentId) : undefined
  if (!consent || !maySee(who, consent)) throw new ApiRefusal(400, 'InvalidConsentId', 'there is no such consent')
  return consent
}

export const apiRoutes = [askConsent, readHandle, fetchConsent, requestData, collectData]
