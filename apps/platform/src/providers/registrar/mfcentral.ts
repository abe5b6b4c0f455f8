// Adapter of MF Central, which the registrars CAMS and KFintech run. It redirects the investor to MF Central's page and
// fetches the consolidated account statement (CAS) of the investor's mutual funds.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { memoizePerOwner } from '@lendloom/foundation/cache'
import { secondsAfter } from '@lendloom/foundation/clock'
import { jsonIn } from '@lendloom/foundation/json'
import { isObject } from '@lendloom/foundation/record'
import { fits, Type } from '@lendloom/foundation/schema'
import type { HttpAnswer } from '@lendloom/http/client'
import { keyFromJwk, publicJwk, type Signer, signerFrom } from '@lendloom/seal/jws'
import { sharedProviderSettings } from '@lendloom/wire/provider/common-interface'
import {
  CasAcceptance,
  CasDocument,
  CasErrors,
  type CasRequest,
  type CasStart,
  casFaults,
  decryptContent,
  type EnvelopeKey,
  encryptForAddress,
  SignedReply,
  signedRequest,
  TokenReply,
  verifyAndDecrypt,
} from '@lendloom/wire/registrar/encrypted-envelope'
import {
  type ProviderContext,
  type ProviderEndpoint,
  postJson,
  providerUnavailable,
  sendToProvider,
} from '#platform/providers/provider-client.ts'

import type { FundStatementReport, NoStatementReason, RegistrarPort } from './port.ts'

const name = 'MF Central'

interface CachedData {
  /** An access token; `until` is the time in milliseconds at which it is replaced. */
  token?: { text: string; until: number }
  keys?: Keys
}
const cacheOf = memoizePerOwner(
  ({ config }: ProviderContext) => config,
  (): CachedData => ({}),
)

/** Our signing key, and the key that verifies MF Central's signatures. */
interface Keys {
  signer: Signer
  registrarKey: KeyObject
}

const endpointOf = ({ config }: ProviderContext): ProviderEndpoint => ({
  provider: name,
  url: config.MFC_URL,
  headers: {},
  codeIn: (body) => faultIn(body) ?? '',
})

const envelopeKey = ({ config }: ProviderContext): EnvelopeKey => ({
  secret: config.MFC_ENCRYPTION_KEY,
  iv: config.MFC_ENCRYPTION_IV,
})

/** Ten minutes for the one-time password, and five for selecting the funds. */
const pageMinutes = 15

export const mfCentral = {
  name,
  isConfigured: ({ config }) =>
    config.SANDBOX || config.MFC_CLIENT_SECRET !== sharedProviderSettings.MFC_CLIENT_SECRET.fallback,
  async begin(ctx, { clientReference: clientRefNo, pan, mobile: digits, returnUrl: redirectUrl }) {
    const mobile = `+91${digits}`
    const request: CasRequest = { clientRefNo, pan, pekrn: '', mobile, email: '', redirectUrl }
    const { status, value } = await callClientApi(ctx, '/api/client/V1/newCasRequest', request)
    if (status < 300 && fits(CasAcceptance, value)) {
      const { reqId, otpRef } = value
      const start: CasStart = { reqId, otpRef, token: '', pan, email: '', mobile, clientRefNo, redirectUrl }
      return {
        reference: [reqId, otpRef, clientRefNo].join(' '),
        url: `${ctx.config.MFC_PAGE_URL}/api/auth/start?data=${encryptForAddress(start, ctx.config.MFC_URL_KEY)}`,
        expiresAt: secondsAfter(ctx.clock(), pageMinutes * 60),
      }
    }
    const fault = faultIn(value)
    if (fault === casFaults.unknownInvestor || fault === casFaults.noFunds) return null
    throw providerUnavailable(ctx, endpointOf(ctx), `a request for a statement returned ${status} ${fault ?? ''}`)
  },
  async fetch(ctx, reference) {
    const [reqId = '', otpRef = '', clientRefNo = ''] = reference.split(' ')
    const { status, value } = await callClientApi(ctx, '/api/client/V1/getcasdocument', { reqId, otpRef, clientRefNo })
    const report = reportOf(status, value)
    if (report) return report
    throw providerUnavailable(
      ctx,
      endpointOf(ctx),
      `a request for a statement returned ${status} ${faultIn(value) ?? ''}`,
    )
  },
} satisfies RegistrarPort

const failureReasons = new Map<string, NoStatementReason>([
  [casFaults.noFunds, 'NO_FUNDS'],
  [casFaults.declined, 'DECLINED'],
  [casFaults.expired, 'EXPIRED'],
])

/** Converts a response to a report; null for an unexpected response. */
function reportOf(status: number, value: unknown): FundStatementReport | null {
  if (status < 300 && fits(CasDocument, value) && isObject(value)) return { status: 'READY', statement: { ...value } }
  const fault = faultIn(value)
  if (fault === casFaults.pending) return { status: 'PENDING' }
  const reason = fault === null ? undefined : failureReasons.get(fault)
  return reason ? { status: 'FAILED', reason } : null
}

/** Returns the message of the first error in a response; null if it contains none. */
const faultIn = (value: unknown): string | null => (fits(CasErrors, value) ? (value.errors[0]?.message ?? null) : null)

interface RegistrarAnswer {
  status: number
  value: unknown
}

/** Sends a request. After a 401 response, fetches a new token and retries once. */
async function callClientApi(ctx: ProviderContext, path: string, content: object): Promise<RegistrarAnswer> {
  const keys = await keysOf(ctx)
  const body = JSON.stringify(await signedRequest(content, envelopeKey(ctx), keys.signer))
  let answer = await post(ctx, path, body)
  if (answer.status === 401) {
    delete cacheOf(ctx).token
    answer = await post(ctx, path, body)
  }
  return { status: answer.status, value: await contentOf(ctx, answer, keys) }
}

/** Decrypts a response. A successful response must be signed; an error may be unsigned, and in plain text. */
async function contentOf(ctx: ProviderContext, answer: HttpAnswer, { registrarKey }: Keys): Promise<unknown> {
  const body = jsonIn(answer.body)
  if (!fits(SignedReply, body)) return body
  const { signature, response } = body
  const value = await verifyAndDecrypt(response, signature, envelopeKey(ctx), () => registrarKey)
  if (value !== null) return value
  if (answer.status < 300) throw providerUnavailable(ctx, endpointOf(ctx), 'the response is not validly signed')
  return decryptContent(response, envelopeKey(ctx)) ?? jsonIn(response)
}

async function post(ctx: ProviderContext, path: string, body: string): Promise<HttpAnswer> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${await tokenOf(ctx)}`,
    clientid: ctx.config.MFC_CLIENT_ID,
  }
  return sendToProvider(ctx, endpointOf(ctx), { method: 'POST', path, headers, body, hasLongTimeout: true })
}

/** Returns the access token. A new token replaces it a day before it expires, but not in the first half of its life. */
async function tokenOf(ctx: ProviderContext): Promise<string> {
  const cached = cacheOf(ctx)
  const now = ctx.clock().getTime()
  if (cached.token && now < cached.token.until) return cached.token.text
  const { MFC_CLIENT_ID, MFC_CLIENT_SECRET, MFC_USERNAME, MFC_PASSWORD } = ctx.config
  const answer = await sendToProvider(ctx, endpointOf(ctx), {
    method: 'POST',
    path: '/oauth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${MFC_CLIENT_ID}:${MFC_CLIENT_SECRET}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'password',
      username: MFC_USERNAME,
      password: MFC_PASSWORD,
    }).toString(),
  })
  const reply = jsonIn(answer.body)
  if (answer.status !== 200 || !fits(TokenReply, reply))
    throw providerUnavailable(ctx, endpointOf(ctx), `a request for a token returned ${answer.status}`)
  const lifetimeMs = reply.expires_in * 1000
  cached.token = { text: reply.access_token, until: now + Math.max(lifetimeMs / 2, lifetimeMs - 86_400_000) }
  return cached.token.text
}

async function keysOf(ctx: ProviderContext): Promise<Keys> {
  const cached = cacheOf(ctx)
  cached.keys ??= await loadKeys(ctx)
  return cached.keys
}

async function loadKeys(ctx: ProviderContext): Promise<Keys> {
  const { MFC_SIGNING_KEY, MFC_SIGNING_KEY_ID: kid, MFC_PUBLIC_KEY, SANDBOX } = ctx.config
  const signer = signerFrom(kid, MFC_SIGNING_KEY)
  if (!SANDBOX)
    return {
      signer,
      registrarKey: createPublicKey({ key: Buffer.from(MFC_PUBLIC_KEY, 'base64'), format: 'der', type: 'spki' }),
    }
  return { signer, registrarKey: await exchangeKeys(ctx, signer) }
}

const ClientReply = Type.Object({ key: Type.Record(Type.String(), Type.Unknown()) })

/**
 * Sends our public key to the sandbox and returns the key of its MF Central. In production, the parties exchange their
 * keys when they sign the contract.
 */
async function exchangeKeys(ctx: ProviderContext, signer: Signer): Promise<KeyObject> {
  const body = { clientId: ctx.config.MFC_CLIENT_ID, key: publicJwk(signer) }
  const answer = await sendToProvider(ctx, endpointOf(ctx), postJson('/clients', body))
  const reply = jsonIn(answer.body)
  const key = fits(ClientReply, reply) ? keyFromJwk(reply.key) : null
  if (key) return key
  throw providerUnavailable(ctx, endpointOf(ctx), `the registrar did not accept our key: ${answer.status}`)
}
