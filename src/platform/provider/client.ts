// How the platform speaks with its providers: a bearer for each, hard time limits, answers checked against their schema.
import type { Readable } from 'node:stream'
import { agreedWithProviders } from '#contract/provider/agreed.ts'
import { ProviderError } from '#contract/provider/refused.ts'
import type { ProviderFile } from '#contract/provider/request.ts'
import { call, callForStream, type Incoming, type Outgoing, Unreached } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { faults, type Static, type TSchema } from '#kit/http/schema.ts'
import type { Context } from '#platform/context.ts'
import type { ProviderDocument } from './status-report.ts'

export type ProviderContext = Pick<Context, 'config' | 'clock' | 'log'>

/** Where a provider is, and what it knows us by. */
export interface Line {
  /** As the exchange and the logs name it. */
  provider: string
  url: string
  credential: string
}

/** Of everything that is begun with a provider whom the borrower meets. */
export interface Beginning {
  /** Our name for it: the same one again is the same request, and no second one. */
  clientReference: string
  person: { fullName: string; pan: string; dateOfBirth: string; mobile: string }
  /** Where the provider posts what happens. */
  callbackUrl: string
  /** Where the borrower's browser comes back to; null leaves it there. */
  returnUrl: string | null
  /** How long the borrower's page is open; an hour when absent. */
  pageSeconds?: number
}

/** What was begun: the provider's name of it, and the borrower's page. */
export interface Begun {
  reference: string
  url: string
  expiresAt: Date
}

/**
 * The secret a provider signs its callbacks with. Refused `bad-credential` outside the sandbox while it is still the one that
 * everybody can read in this repository.
 */
export function callbackSecret({ config, log }: ProviderContext, name: CallbackSecret): string {
  const secret = config[name]
  if (config.SANDBOX || secret !== agreedWithProviders[name].fallback) return secret
  log.error({ setting: name }, 'a callback cannot be believed: its secret is still that of the sandbox')
  throw new Refusal('bad-credential', 'no secret was agreed on with this provider')
}

export type CallbackSecret = Extract<keyof typeof agreedWithProviders, `${string}_CALLBACK_SECRET`>

const timeoutMs = 10_000

/** Posts JSON. Refused `upstream` when no good answer came. */
export function post<T extends TSchema>(
  ctx: ProviderContext,
  line: Line,
  path: string,
  body: object,
  reply: T,
): Promise<Static<T>> {
  const headers = { 'content-type': 'application/json' }
  return said(ctx, line, { method: 'POST', url: line.url + path, headers, body: JSON.stringify(body) }, reply)
}

/** Posts the bytes of a PDF. Refused as `post` is. */
export function postPdf<T extends TSchema>(
  ctx: ProviderContext,
  line: Line,
  path: string,
  body: Buffer,
  reply: T,
): Promise<Static<T>> {
  const headers = { 'content-type': 'application/pdf' }
  return said(ctx, line, { method: 'POST', url: line.url + path, headers, body, timeoutMs: 30_000 }, reply)
}

/** Refused `absent` when the provider does not know it, `upstream` when no good answer came. */
export function get<T extends TSchema>(ctx: ProviderContext, line: Line, path: string, reply: T): Promise<Static<T>> {
  return said(ctx, line, { method: 'GET', url: line.url + path }, reply)
}

/**
 * The bytes of a provider's file, read as they come. Whoever stores them checks `sha256` and `sizeBytes` of the document.
 * Refused `absent` when the provider does not have it, `upstream` when it did not answer.
 */
export async function download(
  ctx: ProviderContext,
  line: Line,
  reference: string,
  { fileId }: Pick<ProviderDocument, 'fileId'>,
): Promise<Readable> {
  const url = `${line.url}/requests/${encodeURIComponent(reference)}/files/${encodeURIComponent(fileId)}`
  const answer = await reached(ctx, line, () =>
    callForStream({ method: 'GET', url, headers: bearer(line), timeoutMs, egress: reachOf(ctx) }),
  )
  if (answer.status === 200) return answer.body
  answer.body.resume()
  if (answer.status === 404) throw new Refusal('absent', 'the provider does not have this file')
  throw away(ctx, line, `a file answered ${answer.status}`)
}

async function said<T extends TSchema>(
  ctx: ProviderContext,
  line: Line,
  outgoing: Outgoing,
  reply: T,
): Promise<Static<T>> {
  const headers = { ...outgoing.headers, ...bearer(line) }
  const answer = await reached(ctx, line, () =>
    call({ timeoutMs, maxBytes: 4 << 20, ...outgoing, headers, egress: reachOf(ctx) }),
  )
  const value = jsonIn(answer)
  if (answer.status === 200 || answer.status === 201) {
    const [fault] = faults(reply, value)
    if (!fault) return value as Static<T>
    throw away(ctx, line, `its answer is wrong: ${fault.path} ${fault.message}`)
  }
  if (answer.status === 404) throw new Refusal('absent', `the ${line.provider} does not know this reference`)
  const told = faults(ProviderError, value).length === 0 ? (value as Static<typeof ProviderError>).error.code : ''
  throw away(ctx, line, `it answered ${answer.status} ${told}`.trim())
}

const bearer = ({ credential }: Line) => ({ authorization: `Bearer ${credential}` })

/** Providers are called on the open internet only, unless the sandbox plays them. */
const reachOf = ({ config }: ProviderContext): 'anywhere' | 'public' => (config.SANDBOX ? 'anywhere' : 'public')

async function reached<T>(ctx: ProviderContext, line: Line, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof Unreached) throw away(ctx, line, error.message)
    throw error
  }
}

/** The reason is for the log: it may name hosts and credentials that did not fit. */
function away({ log }: ProviderContext, { provider }: Line, why: string): Refusal {
  log.warn({ provider, why }, 'a provider did not answer as agreed')
  return new Refusal('upstream', 'a provider did not answer', { retryAfterSeconds: 5 })
}

function jsonIn({ body }: Incoming): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

/** The provider's files of a type that the partner asks for; others are the provider's own affair. */
export function documentsOf<Type extends string>(
  files: ProviderFile[],
  types: Record<string, Type>,
): ProviderDocument<Type>[] {
  return files.flatMap(({ file_id, kind, content_type, size_bytes, sha256 }) => {
    const type = types[kind]
    return type ? [{ fileId: file_id, type, contentType: content_type, sizeBytes: size_bytes, sha256 }] : []
  })
}

/** What a beginning says on the wire. */
export const beginningOf = ({ clientReference, person, callbackUrl, returnUrl, pageSeconds }: Beginning) => ({
  client_reference: clientReference,
  callback_url: callbackUrl,
  return_url: returnUrl,
  ...(pageSeconds !== undefined && { page_seconds: pageSeconds }),
  person: {
    full_name: person.fullName,
    pan: person.pan,
    date_of_birth: person.dateOfBirth,
    mobile: person.mobile,
  },
})

export const begunOf = (told: { id: string; page_url: string; page_expires_at: string }): Begun => ({
  reference: told.id,
  url: told.page_url,
  expiresAt: new Date(told.page_expires_at),
})
