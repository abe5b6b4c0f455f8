// Common parts of the adapters with our own provider interface, `src/contract/provider`.

import type { Readable } from 'node:stream'
import {
  agreedWithProviders,
  ProviderError,
  type ProviderFile,
  RequestReport,
  readCallback,
} from '#contract/provider/request.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { fits, parse, type Static, type TSchema } from '#kit/http/schema.ts'
import { ownValue } from '#kit/runtime/record.ts'
import { ask, type ProviderCall, type ProviderContext, type ProviderEndpoint, postJson, stream } from './client.ts'
import type { CallbackHeaders, ProviderRequest, StartedRequest } from './ports.ts'
import type { ProviderDocument, SignedReport } from './status-report.ts'

/** The prefix of the settings with a provider's address and credentials. */
type Name = 'KYC' | 'MANDATE' | 'ESIGN' | 'STATEMENT' | 'BUREAU'

export const endpointOf = ({ config }: ProviderContext, name: Name): ProviderEndpoint => ({
  provider: config[`${name}_PROVIDER`],
  url: config[`${name}_URL`],
  headers: { authorization: `Bearer ${config[`${name}_CREDENTIAL`]}` },
  codeIn: (body) => (fits(ProviderError, body) ? body.error.code : ''),
})

/** Returns the path of a request by its reference. */
export const requestPath = (reference: string): string => `/requests/${encodeURIComponent(reference)}`

/** A call that uploads a PDF. */
export const postPdf = (path: string, body: Buffer): ProviderCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/pdf' },
  body,
  isLong: true,
})

/** Streams a file of a request. */
export function download(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  reference: string,
  { fileId }: Pick<ProviderDocument, 'fileId'>,
): Promise<Readable> {
  const url = `${endpoint.url}${requestPath(reference)}/files/${encodeURIComponent(fileId)}`
  return stream(ctx, endpoint, url, endpoint.headers)
}

/** Builds the port of a kind: `answer` is the provider's schema of a request, `statusOf` converts it to our terms. */
export function requestsOf<Answer extends TSchema, Report>(
  name: Exclude<Name, 'BUREAU'>,
  answer: Answer,
  statusOf: (reply: Static<Answer>, provider: string) => Report,
) {
  const report = (ctx: ProviderContext, reply: Static<Answer>): Report =>
    statusOf(reply, endpointOf(ctx, name).provider)
  return {
    /**
     * Starts a request; a repeated `clientReference` returns the same one. `more` has the fields of this kind.
     */
    async begin(ctx: ProviderContext, beginning: ProviderRequest, extraFields: object): Promise<StartedRequest> {
      const body = { ...requestBody(beginning), ...extraFields }
      const reply = await ask(ctx, endpointOf(ctx, name), postJson('/requests', body), answer)
      return startedOf(parse(RequestReport, reply))
    },
    fetch: async (ctx: ProviderContext, reference: string): Promise<Report> =>
      report(ctx, await ask(ctx, endpointOf(ctx, name), { method: 'GET', path: requestPath(reference) }, answer)),
    /** Cancels a request and returns its new status. Throws as `fetch` does. */
    cancel: async (ctx: ProviderContext, reference: string): Promise<Report> =>
      report(ctx, await ask(ctx, endpointOf(ctx, name), postJson(`${requestPath(reference)}/cancel`, {}), answer)),
    verifyCallback(ctx: ProviderContext, raw: Buffer, headers: CallbackHeaders, at: Date): SignedReport<Report> {
      const secret = callbackSecret(ctx, `${name}_CALLBACK_SECRET`)
      const { eventId, data } = readCallback(answer, secret, { raw, headers, at })
      return { providerEventId: eventId, report: report(ctx, data) }
    },
    download: (
      ctx: ProviderContext,
      reference: string,
      document: Pick<ProviderDocument, 'fileId'>,
    ): Promise<Readable> => download(ctx, endpointOf(ctx, name), reference, document),
  }
}

type CallbackSecret = Extract<keyof typeof agreedWithProviders, `${string}_CALLBACK_SECRET`>

/**
 * Returns the secret with which a provider signs its callbacks. Throws `bad-credential` outside the sandbox while it is
 * the public default of this repository.
 */
function callbackSecret({ config, log }: ProviderContext, name: CallbackSecret): string {
  const secret = config[name]
  if (config.SANDBOX || secret !== agreedWithProviders[name].fallback) return secret
  log.error({ setting: name }, "a callback was refused because its secret is still the sandbox's")
  throw new Refusal('bad-credential', 'no secret is configured for this provider')
}

/** Returns the provider's files of the types that the partner needs. */
export function documentsOf<Type extends string>(
  files: ProviderFile[],
  types: Record<string, Type>,
): ProviderDocument<Type>[] {
  return files.flatMap(({ file_id, kind, content_type, size_bytes, sha256 }) => {
    const type = ownValue(types, kind)
    return type ? [{ fileId: file_id, type, contentType: content_type, sizeBytes: size_bytes, sha256 }] : []
  })
}

/** The wire form of a new request. */
const requestBody = ({ clientReference, person, callbackUrl, returnUrl, pageSeconds }: ProviderRequest) => ({
  client_reference: clientReference,
  callback_url: callbackUrl,
  return_url: returnUrl,
  ...(pageSeconds !== undefined && { page_seconds: pageSeconds }),
  person: personOf(person),
})

export const personOf = ({ fullName, pan, dateOfBirth, mobile }: ProviderRequest['person']) => ({
  full_name: fullName,
  pan,
  date_of_birth: dateOfBirth,
  mobile,
})

const startedOf = (report: RequestReport): StartedRequest => ({
  reference: report.id,
  url: report.page_url,
  expiresAt: new Date(report.page_expires_at),
})
