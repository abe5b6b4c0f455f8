// Adapter of Cashfree Verification's e-sign (Secure ID): www.cashfree.com/docs/api-reference/vrs/v2/e-sign.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { countPages } from '@lendloom/documents/pdf-pages'
import { daysAfter } from '@lendloom/foundation/clock'
import { jsonIn } from '@lendloom/foundation/json'
import { Refusal } from '@lendloom/foundation/refusal'
import { fits, Nullable, OneOf, parse, type Static, Type } from '@lendloom/foundation/schema'
import { readJson } from '@lendloom/http/body'
import type { HttpAnswer } from '@lendloom/http/client'
import { maxFileBytes } from '@lendloom/wire/exchange/document'
import type { EsignStatus } from '@lendloom/wire/exchange/event/mandate'
import type { CallbackHeaders, EsignPort, EsignRequest, EsignStatusReport } from '#platform/providers/ports.ts'
import {
  askProvider,
  type ProviderCall,
  type ProviderContext,
  type ProviderEndpoint,
  parseAnswer,
  postJson,
  providerUnavailable,
  securePage,
  sendToProvider,
  streamFromProvider,
} from '#platform/providers/provider-client.ts'
import type { SignedReport } from '#platform/providers/status-report.ts'

const UploadReply = Type.Object({ document_id: Type.Integer() })
const CreateReply = Type.Object({ signing_link: Type.String({ pattern: '^https?://' }) })
const SignatureReport = Type.Object({
  verification_id: Type.String(),
  status: OneOf(['IN_PROGRESS', 'SUCCESS', 'EXPIRED', 'FAILURE']),
  signed_doc_url: Type.Optional(Nullable(Type.String())),
})
type SignatureReport = Static<typeof SignatureReport>
/** We read only the reference of the request, because `fetch` returns its result. */
const Webhook = Type.Object({ data: Type.Object({ verification_id: Type.String({ minLength: 1, maxLength: 50 }) }) })
const VendorError = Type.Object({ code: Type.String() })

const statuses: Record<SignatureReport['status'], EsignStatus> = {
  IN_PROGRESS: 'REQUESTED',
  SUCCESS: 'COMPLETED',
  EXPIRED: 'EXPIRED',
  FAILURE: 'FAILED',
}

const endpointOf = ({ config }: ProviderContext): ProviderEndpoint => ({
  provider: 'CASHFREE',
  url: config.CASHFREE_URL,
  headers: {
    'x-client-id': config.CASHFREE_CLIENT_ID,
    'x-client-secret': config.CASHFREE_CLIENT_SECRET,
    'x-api-version': '2024-12-01',
  },
  codeIn,
})

const codeIn = (body: unknown): string => (fits(VendorError, body) ? body.code : '')

/**
 * Cashfree rejects a `verification_id` that it already has, and returns the link only in the response that creates the
 * request. If the existing request is signed, the borrower does not sign again: its id is returned with the borrower's
 * own return URL. Otherwise we create a request with another id. The first link is then sent to no borrower, and expires
 * unsigned.
 */
async function begin(ctx: ProviderContext, request: EsignRequest) {
  const endpoint = endpointOf(ctx)
  const { document_id } = await askProvider(ctx, endpoint, upload(request.pdf), UploadReply)
  const days = Math.min(Math.ceil((request.pageSeconds ?? 3600) / 86_400), 15)
  const body = { document_id, expiry_in_days: String(days), ...(await signingTerms(request)) }
  const create = (verification_id: string) =>
    sendToProvider(ctx, endpoint, postJson('/esignature', { verification_id, ...body }))
  const defaultId = createHash('sha256').update(request.clientReference).digest('base64url')
  const first = await create(defaultId)
  const { returnUrl } = request
  if (isIdTaken(first) && returnUrl !== null && (await isSigned(ctx, defaultId)))
    return { reference: defaultId, url: returnUrl, expiresAt: ctx.clock() }
  const reference = isIdTaken(first) ? `${defaultId}.${randomBytes(3).toString('hex')}` : defaultId
  const { signing_link } = parseAnswer(
    ctx,
    endpoint,
    reference === defaultId ? first : await create(reference),
    CreateReply,
  )
  return { reference, url: securePage(ctx, endpoint, signing_link), expiresAt: daysAfter(ctx.clock(), days) }
}

/** Whether the borrower has signed the request with this id; false if Cashfree does not know it. */
async function isSigned(ctx: ProviderContext, reference: string): Promise<boolean> {
  try {
    return (await reportOf(ctx, reference)).status === 'SUCCESS'
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'absent') return false
    throw error
  }
}

const isIdTaken = (answer: HttpAnswer): boolean =>
  answer.status === 409 && codeIn(jsonIn(answer.body)) === 'verification_id_already_exists'

/** No notifications, because our own page redirects the borrower. The signature is at the foot of the last page. */
const signingTerms = async ({ person: { fullName, mobile, email }, returnUrl, pdf }: EsignRequest) => ({
  notification_modes: [],
  auth_type: 'AADHAAR',
  capture_location: false,
  signers: [
    {
      name: fullName,
      ...(email && { email }),
      phone: mobile,
      sequence: 1,
      sign_positions: [{ page: await countPages(pdf), ...signaturePosition }],
    },
  ],
  ...(returnUrl !== null && { redirect_url: returnUrl }),
})

/** The corners of the signature in points, measured from the lower left corner of the page. */
const signaturePosition = {
  top_left_x_coordinate: 400,
  bottom_right_x_coordinate: 550,
  top_left_y_coordinate: 110,
  bottom_right_y_coordinate: 50,
}

function upload(pdf: Buffer): ProviderCall {
  const boundary = `lendloom-${randomBytes(12).toString('hex')}`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="document"; filename="agreement.pdf"\r\ncontent-type: application/pdf\r\n\r\n`
  return {
    method: 'POST',
    path: '/esignature/document',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), pdf, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    hasLongTimeout: true,
  }
}

async function reportOf(ctx: ProviderContext, reference: string): Promise<SignatureReport> {
  const path = `/esignature?verification_id=${encodeURIComponent(reference)}`
  const answer = await askProvider(ctx, endpointOf(ctx), { method: 'GET', path }, SignatureReport)
  if (answer.verification_id === reference) return answer
  throw providerUnavailable(ctx, endpointOf(ctx), 'the response is about another request')
}

/** Cashfree reports neither the time of a change, nor a reason for a failure, nor the digest of a file. */
async function fetch(ctx: ProviderContext, reference: string): Promise<EsignStatusReport> {
  const answer = await reportOf(ctx, reference)
  const status = statuses[answer.status]
  const verified = status === 'COMPLETED'
  return {
    provider: endpointOf(ctx).provider,
    reference,
    status,
    verified,
    providerUpdatedAt: null,
    reasonCode: null,
    documents: verified ? [await signedFile(ctx, answer)] : [],
  }
}

/** Downloads the signed file to compute its size and digest. */
async function signedFile(
  ctx: ProviderContext,
  answer: SignatureReport,
): Promise<EsignStatusReport['documents'][number]> {
  const digest = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of await signedBytes(ctx, answer)) {
    digest.update(chunk)
    sizeBytes += chunk.length
    if (sizeBytes > maxFileBytes) throw providerUnavailable(ctx, endpointOf(ctx), 'the signed file is too large')
  }
  return {
    fileId: answer.verification_id,
    type: 'SIGNED_LOAN_AGREEMENT',
    contentType: 'application/pdf',
    sizeBytes,
    sha256: digest.digest('hex'),
  }
}

/** Sends no credentials, because the URL of the file is on another host and needs none. */
function signedBytes(ctx: ProviderContext, { signed_doc_url: url }: SignatureReport) {
  if (!url) throw providerUnavailable(ctx, endpointOf(ctx), 'the completed request has no signed file')
  if (!ctx.config.SANDBOX && !url.startsWith('https:'))
    throw providerUnavailable(ctx, endpointOf(ctx), "the signed file's URL is not https")
  return streamFromProvider(ctx, endpointOf(ctx), url, {})
}

/**
 * The signature covers the timestamp and the body. An old timestamp is accepted: a webhook only makes us query Cashfree
 * for the status of the request, so that a replayed webhook is harmless.
 */
async function verifyCallback(
  ctx: ProviderContext,
  raw: Buffer,
  headers: CallbackHeaders,
): Promise<SignedReport<EsignStatusReport>> {
  const { timestamp, signature } = requireSignatureHeaders(headers)
  const secret = ctx.config.CASHFREE_WEBHOOK_SECRET || ctx.config.CASHFREE_CLIENT_SECRET
  if (secret === '') throw new Refusal('bad-credential', 'no secret is configured for this provider')
  const expected = createHmac('sha256', secret).update(timestamp).update(raw).digest()
  const received = Buffer.from(signature, 'base64')
  if (received.length !== expected.length || !timingSafeEqual(received, expected))
    throw new Refusal('bad-credential', 'x-webhook-signature does not match the body')
  const { data } = parse(Webhook, readJson(raw))
  return { providerEventId: null, report: await fetch(ctx, data.verification_id) }
}

function requireSignatureHeaders(headers: CallbackHeaders): { timestamp: string; signature: string } {
  const { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature } = headers
  if (typeof timestamp !== 'string' || typeof signature !== 'string')
    throw new Refusal('bad-credential', 'x-webhook-timestamp and x-webhook-signature are both required')
  return { timestamp, signature }
}

export const cashfreeEsign = {
  begin,
  fetch,
  checkCallbackHeaders: (headers) => void requireSignatureHeaders(headers),
  verifyCallback,
  download: async (ctx, reference) => signedBytes(ctx, await reportOf(ctx, reference)),
} satisfies EsignPort
