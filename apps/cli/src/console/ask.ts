// Calls the console's routes over HTTP, and makes commands that call one route and print its answer.

import { existsSync } from 'node:fs'
import { secretText } from '@lendloom/foundation/config'
import { fieldsOf, keysOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import type { SignedRequest } from '@lendloom/platform/operations/staff'
import { codes } from '@lendloom/wire/headless/envelope'
import { CannotRun, type Command, type CommandCall, command, type Options } from '#cli/command.ts'
import { contextOf } from '#cli/contexts.ts'
import { dataDirectory, keyFile } from '#cli/installation.ts'
import { plainText } from '#cli/terminal.ts'
import { version } from '#cli/version.ts'
import { queryWithIds, withIds } from './names.ts'

/** The input of a route; undefined values are omitted. */
export interface Input {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: Record<string, unknown>
  signal?: AbortSignal
}

/** Calls a route by its method and path below `/api/console`. Returns the parsed JSON, or the bytes of a file. */
export type ConsoleCaller = <T>(route: string, input?: Input) => Promise<T>

interface ConsoleReply<T> {
  data: T
  /** The session cookie that the response sets, as `name=value`. */
  cookie: string | undefined
}

export type HeadersOf = (request: SignedRequest) => Record<string, string>

/** Calls a platform with the given headers, by default its console. A refused call throws the platform's `Refusal`. */
export const callerAt =
  (platformUrl: string | URL, headers: Record<string, string> | HeadersOf, prefix = '/api/console') =>
  async <T>(route: string, { params = {}, query = {}, body, signal }: Input = {}): Promise<ConsoleReply<T>> => {
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    const url = new URL(`${prefix}${path}`, addressOf(platformUrl))
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    const raw = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const own =
      typeof headers === 'function' ? headers({ method, path: url.pathname, search: url.search, raw }) : headers
    const reply = await fetch(url, {
      method,
      redirect: 'error',
      headers: { 'user-agent': userAgent, ...own, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: raw }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      const { cause = error } = error instanceof Error ? error : {}
      // Other errors may quote what was sent, such as a key with a line break in it.
      const reason = codeOf(cause) ?? (cause === error ? 'the request is not valid HTTP' : messageOf(cause))
      throw new CannotRun(`the platform at ${url.origin} is not reachable: ${reason}`)
    })
    if (!reply.ok) throw refusalIn(reply.status, await reply.text())
    const cookie = reply.headers.getSetCookie()[0]?.split(';')[0]
    return { data: await answerIn(reply), cookie }
  }

/** Throws `CannotRun` for an address that is no URL. */
function addressOf(platformUrl: string | URL): URL {
  const url = URL.parse(String(platformUrl))
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CannotRun('the address of the platform is not an http or https URL')
  return url
}

const userAgent = `lendloom-cli/${version} (${{ linux: 'Linux', darwin: 'Macintosh', win32: 'Windows' }[String(process.platform)] ?? process.platform})`

/**
 * Loads the modules with which a call is signed only when there is no context. They need a newer Node than the package of
 * the command line.
 */
const lazyLocalCaller =
  (env: NodeJS.ProcessEnv): ReturnType<typeof callerAt> =>
  async (route, input) => {
    const hasKeys = secretText(env, 'LENDLOOM_KEYS') || existsSync(keyFile(dataDirectory(env)))
    if (!hasKeys) throw new CannotRun('not signed in; run lendloom login <url>')
    return callerAt(...(await import('./local.ts')).localPlatform(env))(route, input)
  }

/** The session of the context has ended: a later call cannot succeed before another login. */
export class EndedSession extends CannotRun {}

/** Calls the platform of the current context, or the one at PUBLIC_URL or of the installation on this machine. */
export function consoleOf(env: NodeJS.ProcessEnv): ConsoleCaller {
  const context = contextOf(env)
  const call = context ? callerAt(context.url, { cookie: context.cookie }) : lazyLocalCaller(env)
  const ask: ConsoleCaller = async (route, input = {}) => {
    try {
      const query = await queryWithIds(ask, input.query ?? {})
      return (await call<never>(route, { ...input, query })).data
    } catch (error) {
      if (context && error instanceof Refusal && error.kind === 'bad-session')
        throw new EndedSession(`your session at ${context.url} has ended; run lendloom login ${context.url}`)
      throw error
    }
  }
  return ask
}

// biome-ignore lint/suspicious/noExplicitAny: the caller knows the schema of the route
async function answerIn(reply: Response): Promise<any> {
  if (reply.headers.has('content-disposition')) return Buffer.from(await reply.arrayBuffer())
  const text = await reply.text()
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    throw new CannotRun(`the server at ${reply.url} is not a Lendloom console`)
  }
}

/** The console's refusal; `CannotRun` if the platform failed or another server responded. */
function refusalIn(status: number, text: string): Refusal | CannotRun {
  const { error, requestID } = envelopeIn(text)
  const { code, message, retryable, details } = fieldsOf(error)
  const kind = keysOf(codes).findLast((each) => String(codes[each]) === String([status, code, retryable]))
  if (kind) return new Refusal(kind, plainText(String(message)), fieldsOf(details))
  const explanation =
    typeof message === 'string' && requestID !== undefined
      ? `${plainText(message)}; see its log for the request ${requestID}`
      : `HTTP ${status}, not an answer of Lendloom`
  return new CannotRun(`the platform failed: ${explanation}`)
}

function envelopeIn(text: string): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

interface ConsoleCommand<O extends Options, T> extends Omit<Command<O>, 'run'> {
  route: string
  input(call: CommandCall<O>, ask: ConsoleCaller): Input | Promise<Input>
  /** The response as text; `--json` prints the response itself. */
  text(answer: T, call: CommandCall<O>): string
  /** For a check: whether it passed. The exit code is 1 otherwise. */
  isFine?(answer: T): boolean
}

/** Reads all items of a list, page by page. */
export async function everyItem<T>(
  ask: ConsoleCaller,
  route: string,
  { params = {}, query = {} }: Input = {},
): Promise<T[]> {
  const items: T[] = []
  let after: string | undefined
  do {
    const page = await ask<Page<T>>(route, { params, query: { limit: '200', ...query, after } })
    items.push(...page.items)
    after = page.next ?? undefined
  } while (after !== undefined)
  return items
}

interface Page<T> {
  items: T[]
  next: string | null
}

/** Creates a command that calls one route of the console. */
export const consoleCommand = <const O extends Options, T>({
  route,
  input,
  text,
  isFine,
  ...rest
}: ConsoleCommand<O, T>): Command<O> =>
  command<O>({
    ...rest,
    async run(call) {
      const ask = consoleOf(call.env)
      const callWithIds = await withIds(ask, call, rest.usage)
      const request = await input(callWithIds, ask)
      const data = await ask<T>(route, request)
      return {
        text: text(data, callWithIds),
        data: data ?? request.params ?? {},
        exitCode: isFine?.(data) === false ? 1 : 0,
      }
    },
  })
