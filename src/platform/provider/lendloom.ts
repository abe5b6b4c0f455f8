// The provider interface of our own, `src/contract/provider`: what the adapters of every kind that speak it have in common.

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
import { ask, type Line, type ProviderContext, postJson, type Question, stream } from './client.ts'
import type { Begun, CallbackHeaders, ProviderRequest } from './ports.ts'
import type { ProviderDocument, SignedReport } from './status-report.ts'

/** The settings that begin with this tell where a provider is, and what both know each other by. */
type Name = 'KYC' | 'MANDATE' | 'ESIGN' | 'STATEMENT' | 'BUREAU'

export const lineTo = ({ config }: ProviderContext, name: Name): Line => ({
  provider: config[`${name}_PROVIDER`],
  url: config[`${name}_URL`],
  headers: { authorization: `Bearer ${config[`${name}_CREDENTIAL`]}` },
  codeIn: (body) => (fits(ProviderError, body) ? body.error.code : ''),
})

/** Where a request of this reference is found. */
export const requestPath = (reference: string): string => `/requests/${encodeURIComponent(reference)}`

/** The bytes of a PDF. */
export const postPdf = (path: string, body: Buffer): Question => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/pdf' },
  body,
  isLong: true,
})

/** The bytes of one of the files of a request. */
export function download(
  ctx: ProviderContext,
  line: Line,
  reference: string,
  { fileId }: Pick<ProviderDocument, 'fileId'>,
): Promise<Readable> {
  const url = `${line.url}${requestPath(reference)}/files/${encodeURIComponent(fileId)}`
  return stream(ctx, line, url, line.headers)
}

/** `answer` is the provider's schema of a request, `statusOf` maps it to our terms. */
export function requestsOf<Answer extends TSchema, Report>(
  name: Exclude<Name, 'BUREAU'>,
  answer: Answer,
  statusOf: (reply: Static<Answer>, provider: string) => Report,
) {
  const report = (ctx: ProviderContext, reply: Static<Answer>): Report => statusOf(reply, lineTo(ctx, name).provider)
  return {
    /**
     * The same `clientReference` returns the same request. `more` has the fields of this kind beside the common ones.
     */
    async begin(ctx: ProviderContext, beginning: ProviderRequest, more: object): Promise<Begun> {
      const body = { ...beginningOf(beginning), ...more }
      const reply = await ask(ctx, lineTo(ctx, name), postJson('/requests', body), answer)
      return begunOf(parse(RequestReport, reply))
    },
    fetch: async (ctx: ProviderContext, reference: string): Promise<Report> =>
      report(ctx, await ask(ctx, lineTo(ctx, name), { method: 'GET', path: requestPath(reference) }, answer)),
    /** Withdraws a request and gives what it is now. Refused as `fetch` is. */
    cancel: async (ctx: ProviderContext, reference: string): Promise<Report> =>
      report(ctx, await ask(ctx, lineTo(ctx, name), postJson(`${requestPath(reference)}/cancel`, {}), answer)),
    verifyCallback(ctx: ProviderContext, raw: Buffer, headers: CallbackHeaders, at: Date): SignedReport<Report> {
      const secret = callbackSecret(ctx, `${name}_CALLBACK_SECRET`)
      const { eventId, data } = readCallback(answer, secret, { raw, headers, at })
      return { providerEventId: eventId, report: report(ctx, data) }
    },
    download: (
      ctx: ProviderContext,
      reference: string,
      document: Pick<ProviderDocument, 'fileId'>,
    ): Promise<Readable> => download(ctx, lineTo(ctx, name), reference, document),
  }
}

type CallbackSecret = Extract<keyof typeof agreedWithProviders, `${string}_CALLBACK_SECRET`>

/**
 * The secret a provider signs its callbacks with. Refused `bad-credential` outside the sandbox while it is still the one that
 * everybody can read in this repository.
 */
function callbackSecret({ config, log }: ProviderContext, name: CallbackSecret): string {
  const secret = config[name]
  if (config.SANDBOX || secret !== agreedWithProviders[name].fallback) return secret
  log.error({ setting: name }, 'a callback cannot be believed: its secret is still that of the sandbox')
  throw new Refusal('bad-credential', 'no secret was agreed on with this provider')
}

/** The provider's files of a type that the partner asks for; others are the provider's own affair. */
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
const beginningOf = ({ clientReference, person, callbackUrl, returnUrl, pageSeconds }: ProviderRequest) => ({
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

const begunOf = (report: RequestReport): Begun => ({
  reference: report.id,
  url: report.page_url,
  expiresAt: new Date(report.page_expires_at),
})
