// Shared code of the adapters whose provider implements our own interface, `packages/wire/src/provider`.

import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { jsonIn } from '@lendloom/foundation/json'
import { ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { fits, parse, type Static, type TSchema } from '@lendloom/foundation/schema'
import type { HttpAnswer } from '@lendloom/http/client'
import {
  FoundRequest,
  ProviderError,
  type ProviderFile,
  RequestReport,
  readCallback,
  sharedProviderSettings,
} from '@lendloom/wire/provider/common-interface'
import { requireRecent } from '@lendloom/wire/webhook/signature'
import type { CallbackHeaders, ProviderRequest, StartedRequest } from './ports.ts'
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
} from './provider-client.ts'
import type { ProviderDocument, SignedReport } from './status-report.ts'

/** The prefix of a provider's settings, such as `KYC` in `KYC_URL`. */
type SettingPrefix = 'KYC' | 'MANDATE' | 'ESIGN' | 'STATEMENT' | 'BUREAU'

/** The URL and credential of the provider whose settings have this prefix. */
export const endpointOf = ({ config }: ProviderContext, prefix: SettingPrefix): ProviderEndpoint => ({
  provider: config[`${prefix}_PROVIDER`],
  url: config[`${prefix}_URL`],
  headers: { authorization: `Bearer ${config[`${prefix}_CREDENTIAL`]}` },
  codeIn: (body) => (fits(ProviderError, body) ? body.error.code : ''),
})

/** The path of the provider's request with this reference, which is the provider's own. */
export const requestPath = (reference: string): string => `/requests/${encodeURIComponent(reference)}`

/** A call that uploads a PDF. */
export const postPdf = (path: string, body: Buffer): ProviderCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/pdf' },
  body,
  hasLongTimeout: true,
})

/**
 * Starts a request, or returns the one that the provider already has under this reference. The provider refuses the
 * reference if any field differs, for example the return URL after our database was restored to an earlier instant. It
 * is then asked what became of the reference, and that request serves us if its content is the same. If it differs, or
 * the provider cannot look it up, the request is sent once more under a new reference.
 */
export async function startOnce<ReplySchema extends TSchema>(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  replySchema: ReplySchema,
  { body, isSame = () => true }: Start<Static<ReplySchema>>,
): Promise<Static<ReplySchema>> {
  const start = (client_reference: string) =>
    sendToProvider(ctx, endpoint, postJson('/requests', { ...body, client_reference }))
  const first = await start(body.client_reference)
  if (!isReferenceTaken(endpoint, first)) return parseAnswer(ctx, endpoint, first, replySchema)
  const existing = await findByReference(ctx, endpoint, body.client_reference, replySchema)
  if (existing && hasSameContent(body, existing.request) && isSame(existing.reply)) return existing.reply
  ctx.log.warn({ provider: endpoint.provider }, 'a provider has another request under our reference')
  const newReference = `${body.client_reference}.${randomBytes(3).toString('hex')}`
  return parseAnswer(ctx, endpoint, await start(newReference), replySchema)
}

const isReferenceTaken = ({ codeIn }: ProviderEndpoint, { status, body }: HttpAnswer): boolean =>
  status === 409 && codeIn(jsonIn(body)) === 'REFERENCE_REUSED'

interface Start<Reply> {
  body: { client_reference: string }
  /** Compares what only the report tells, such as the document of a request; by default the contents suffice. */
  isSame?(reply: Reply): boolean
}

/**
 * Fields that may differ in a repeated request: links, days, and the id of a file that was uploaded again. A bureau's
 * report stays the same report if the borrower's consent was recorded at another time.
 */
const volatileFields = new Set([
  'callback_url',
  'return_url',
  'page_seconds',
  'file_id',
  'first_collection_on',
  'final_collection_on',
  'consent',
])

const hasSameContent = (sent: object, existing: Record<string, unknown>): boolean =>
  Object.entries(sent).every(
    ([name, value]) => volatileFields.has(name) || isDeepStrictEqual(value, ownValue(existing, name)),
  )

/** Returns null if the provider does not know the reference, or has no look-up by reference that tells the request. */
async function findByReference<ReplySchema extends TSchema>(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  clientReference: string,
  replySchema: ReplySchema,
): Promise<{ reply: Static<ReplySchema>; request: Record<string, unknown> } | null> {
  const path = `/requests?client_reference=${encodeURIComponent(clientReference)}`
  const answer = await sendToProvider(ctx, endpoint, { method: 'GET', path })
  if (answer.status === 404 || answer.status === 405) return null
  const reply = parseAnswer(ctx, endpoint, answer, replySchema)
  if (!fits(FoundRequest, reply)) return null
  const { request } = reply
  if (request.client_reference === clientReference) return { reply, request }
  throw providerUnavailable(ctx, endpoint, 'the response is about another request')
}

/** Streams a file that belongs to the request with this reference. */
export function downloadFile(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  reference: string,
  { fileId }: Pick<ProviderDocument, 'fileId'>,
): Promise<Readable> {
  const url = `${endpoint.url}${requestPath(reference)}/files/${encodeURIComponent(fileId)}`
  return streamFromProvider(ctx, endpoint, url, endpoint.headers)
}

/**
 * Builds the port to a kind of provider. `replySchema` is the schema of the provider's responses about a request;
 * `reportOf` converts a response to the exchange's terms.
 */
export function requestPortOf<ReplySchema extends TSchema, Report>(
  prefix: Exclude<SettingPrefix, 'BUREAU'>,
  replySchema: ReplySchema,
  reportOf: (reply: Static<ReplySchema>, provider: string) => Report,
) {
  const toReport = (ctx: ProviderContext, reply: Static<ReplySchema>): Report =>
    reportOf(reply, endpointOf(ctx, prefix).provider)
  return {
    /**
     * `extraFields` are the fields that only this kind of provider has. `isSame` compares what only the report on an
     * existing request tells.
     */
    async begin(
      ctx: ProviderContext,
      request: ProviderRequest,
      extraFields: object,
      isSame?: (reply: Static<ReplySchema>) => boolean,
    ): Promise<StartedRequest> {
      const body = { ...requestBody(request), ...extraFields }
      const reply = await startOnce(ctx, endpointOf(ctx, prefix), replySchema, { body, ...(isSame && { isSame }) })
      const { id: reference, page_url, page_expires_at } = parse(RequestReport, reply)
      const url = securePage(ctx, endpointOf(ctx, prefix), page_url)
      return { reference, url, expiresAt: new Date(page_expires_at) }
    },
    fetch: async (ctx: ProviderContext, reference: string): Promise<Report> =>
      toReport(
        ctx,
        await askProvider(ctx, endpointOf(ctx, prefix), { method: 'GET', path: requestPath(reference) }, replySchema),
      ),
    /** Cancels a request and returns its new status. Throws the errors of `fetch`. */
    cancel: async (ctx: ProviderContext, reference: string): Promise<Report> =>
      toReport(
        ctx,
        await askProvider(ctx, endpointOf(ctx, prefix), postJson(`${requestPath(reference)}/cancel`, {}), replySchema),
      ),
    checkCallbackHeaders(headers: CallbackHeaders, at: Date): void {
      requireRecent(headers, at)
    },
    verifyCallback(ctx: ProviderContext, raw: Buffer, headers: CallbackHeaders, at: Date): SignedReport<Report> {
      const secret = callbackSecret(ctx, `${prefix}_CALLBACK_SECRET`)
      const { eventId, data } = readCallback(replySchema, secret, { raw, headers, at })
      return { providerEventId: eventId, report: toReport(ctx, data) }
    },
    download: (
      ctx: ProviderContext,
      reference: string,
      document: Pick<ProviderDocument, 'fileId'>,
    ): Promise<Readable> => downloadFile(ctx, endpointOf(ctx, prefix), reference, document),
  }
}

type SecretName = Extract<keyof typeof sharedProviderSettings, `${string}_CALLBACK_SECRET`>

/**
 * Returns the secret with which a provider signs its callbacks. Throws `bad-credential` outside the sandbox while the
 * setting has its default, which is public in this repository.
 */
function callbackSecret({ config, log }: ProviderContext, name: SecretName): string {
  const secret = config[name]
  if (config.SANDBOX || secret !== sharedProviderSettings[name].fallback) return secret
  log.error({ setting: name }, "a callback was refused because the setting of its secret still has the sandbox's value")
  throw new Refusal('bad-credential', 'no secret is configured for this provider')
}

/** Converts the files of a response. `types` maps kinds of files to our types; a file of another kind is omitted. */
export function documentsOf<Type extends string>(
  files: ProviderFile[],
  types: Record<string, Type>,
): ProviderDocument<Type>[] {
  return files.flatMap(({ file_id, kind, content_type, size_bytes, sha256 }) => {
    const type = ownValue(types, kind)
    return type ? [{ fileId: file_id, type, contentType: content_type, sizeBytes: size_bytes, sha256 }] : []
  })
}

const requestBody = ({ clientReference, person, callbackUrl, returnUrl, pageSeconds }: ProviderRequest) => ({
  client_reference: clientReference,
  callback_url: callbackUrl,
  return_url: returnUrl,
  ...(pageSeconds !== undefined && { page_seconds: pageSeconds }),
  person: personOf(person),
})

/** Converts the borrower of a request to the fields of our interface. */
export const personOf = ({ fullName, pan, dateOfBirth, mobile }: ProviderRequest['person']) => ({
  full_name: fullName,
  pan,
  date_of_birth: dateOfBirth,
  mobile,
})
