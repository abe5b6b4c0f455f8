// The client API of MF Central: issues tokens, and takes requests for statements in signed and encrypted messages.

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { fits, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { type Answer, type Arrival, answer, type Route } from '@lendloom/http/server'
import { uuidv4 } from '@lendloom/seal/id'
import { detachedSignature, keyFromJwk, publicJwk } from '@lendloom/seal/jws'
import { bearer, digestOf, sameDigest } from '@lendloom/seal/token'
import {
  CasQuestion,
  CasRequest,
  casFaults,
  encryptContent,
  SignedRequest,
  verifyAndDecrypt,
} from '@lendloom/wire/registrar/encrypted-envelope'
import { anyParty } from '#sandbox/core/context.ts'
import type { MfCentralContext } from './context.ts'
import { documentOf } from './holdings.ts'
import { clientKeys, type FundStatementRequest, findRequest, insertRequest, storeClientKey } from './store.ts'

/** A route of MF Central that anybody may call. */
export const mfCentralRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  definition: Omit<Route<MfCentralContext, null, B, Q, P>, 'auth' | 'section'>,
): Route<MfCentralContext, null, B, Q, P> => ({
  ...definition,
  section: 'FIS12 §10.1',
  auth: anyParty,
})

/** The context under which a token is sealed. Nothing is stored of it. */
const tokenContext = 'mf token'
/** How long a token is valid, as at MF Central. */
const tokenDays = 30
interface Token {
  clientId: string
  until: number
}

/** Compares secrets in constant time. */
const isSameSecret = (value: unknown, expected: string): boolean =>
  sameDigest(digestOf(String(value ?? '')), digestOf(expected))

/** The route that issues a token. */
export const issueToken = mfCentralRoute({
  method: 'POST',
  path: '/mfcentral/oauth/token',
  summary: "Issues a token for a client's password",
  accepts: 'raw',
  async handle({ headers, raw, at }, { mfCentral: { client }, seal }) {
    const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
    const form = new URLSearchParams(raw.toString('utf8'))
    const isKnown =
      isSameSecret(headers.authorization, basic) &&
      isSameSecret(form.get('username'), client.username) &&
      isSameSecret(form.get('password'), client.password)
    if (!isKnown || form.get('grant_type') !== 'password')
      throw new Refusal('bad-credential', 'these credentials are not known')
    const token: Token = { clientId: client.id, until: daysAfter(at, tokenDays).getTime() }
    return answer(200, {
      access_token: seal.json(token, tokenContext).toString('base64url'),
      token_type: 'bearer',
      expires_in: tokenDays * 86_400 - 1,
    })
  },
})

const Enrolment = Type.Object({
  clientId: Type.String({ minLength: 1, maxLength: 100 }),
  key: Type.Object({ kid: Type.String(), kty: Type.String(), n: Type.String(), e: Type.String() }),
})

/** The route by which a client exchanges keys with us. */
export const enrolClient = mfCentralRoute({
  method: 'POST',
  path: '/mfcentral/clients',
  summary: 'Exchanges public keys with a client, which only a sandbox does without verification',
  body: Enrolment,
  async handle({ body: { clientId, key }, at }, { db, mfCentral }) {
    await storeClientKey(db, clientId, key, at)
    return answer(201, { key: publicJwk(mfCentral.signer) })
  },
})

/** The client of the request's token. Throws `bad-credential`. */
function clientOf({ seal }: MfCentralContext, { headers }: Pick<Arrival, 'headers'>, at: Date): string {
  const text = bearer(headers) ?? ''
  try {
    const { clientId, until } = seal.openJson<Token>(Buffer.from(text, 'base64url'), tokenContext)
    if (until > at.getTime() && headers.clientid === clientId) return clientId
  } catch {
    // The token is forged.
  }
  throw new Refusal('bad-credential', 'the token is not known')
}

/** The content of a signed request; null if the signature is wrong. */
async function contentOf(
  ctx: MfCentralContext,
  clientId: string,
  { request, signature }: Static<typeof SignedRequest>,
) {
  const keys = await clientKeys(ctx.db, clientId)
  return verifyAndDecrypt(request, signature, ctx.mfCentral.envelope, (kid) => {
    const jwk = keys.find((key) => key.kid === kid)
    return (jwk && keyFromJwk(jwk)) ?? undefined
  })
}

/** An answer that is encrypted for the client and signed. */
async function envelopedAnswer(
  { mfCentral: { envelope, signer } }: MfCentralContext,
  status: number,
  content: object,
): Promise<Answer> {
  const response = encryptContent(content, envelope)
  return answer(status, { signature: await detachedSignature(response, signer), response })
}

const refusal = (ctx: MfCentralContext, message: string, status = 400): Promise<Answer> =>
  envelopedAnswer(ctx, status, { errors: [{ code: 'error', message }] })

/** Mobile numbers that no fund house knows. */
const unknownMobile = /0000$/

interface Caller {
  ctx: MfCentralContext
  clientId: string
  at: Date
}

/** A route of the client API that verifies token, signature and content. */
const signedRoute = <T extends TSchema>(
  { name, summary, content }: { name: string; summary: string; content: T },
  reply: (caller: Caller, content: Static<T>) => Promise<Answer>,
) =>
  mfCentralRoute({
    method: 'POST',
    path: `/mfcentral/api/client/V1/${name}`,
    summary,
    body: SignedRequest,
    async handle({ body, headers, at }, ctx) {
      const clientId = clientOf(ctx, { headers }, at)
      const value = await contentOf(ctx, clientId, body)
      if (!fits(content, value)) return refusal(ctx, 'Invalid signature or request', 422)
      return reply({ ctx, clientId, at }, value)
    },
  })

/** The route that requests a consolidated account statement (CAS). */
export const newCasRequest = signedRoute(
  {
    name: 'newCasRequest',
    summary: 'Requests a statement; the investor gets a one-time password',
    content: CasRequest,
  },
  async ({ ctx, clientId, at }, request) => {
    if ((request.mobile === '') === (request.email === '')) return refusal(ctx, 'Pass exactly one of mobile or email')
    if (unknownMobile.test(request.mobile)) return refusal(ctx, casFaults.unknownInvestor)
    const otpRef = uuidv4()
    const reqId = await insertRequest(ctx.db, ctx.seal, { clientId, otpRef, request, createdAt: at })
    if (reqId === null) return refusal(ctx, 'Duplicate clientRefNo', 422)
    const { clientRefNo } = request
    return envelopedAnswer(ctx, 200, { reqId: Number(reqId), otpRef, userSubjectReference: '', clientRefNo })
  },
)

/** Time for the investor to complete the pages, in seconds. */
const pageSeconds = 900

/** Whether the investor did not complete the pages in time. */
export const hasExpired = ({ status, createdAt }: FundStatementRequest, at: Date): boolean =>
  status === 'PENDING' && at >= secondsAfter(createdAt, pageSeconds)

/** The route that returns the statement, or why there is none. */
export const getCasDocument = signedRoute(
  { name: 'getcasdocument', summary: 'The statement, after the investor has agreed', content: CasQuestion },
  async ({ ctx, at }, { reqId, otpRef }) => {
    const statement = await findRequest(ctx.db, ctx.seal, { reqId: String(reqId), otpRef })
    if (!statement) return refusal(ctx, 'Unknown reqId')
    if (statement.status === 'SHARED') return envelopedAnswer(ctx, 200, documentOf(ctx.seal, statement))
    if (hasExpired(statement, at)) return refusal(ctx, casFaults.expired)
    return refusal(
      ctx,
      { PENDING: casFaults.pending, EMPTY: casFaults.noFunds, DECLINED: casFaults.declined }[statement.status],
    )
  },
)
