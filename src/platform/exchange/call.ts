// Calls to the partner: its address, our credential, and what an answer that is not the expected one means (D3 §5, §7).
import { call, type Incoming, type Outgoing, Unreached } from '#kit/http/client.ts'
import type { Context } from '#platform/context.ts'
import type { PartnerCredentials } from './credentials.ts'
import { missingContact } from './settings.ts'

/** What speaking with the partner takes. */
export type ExchangeContext = Pick<Context, 'clock' | 'log'> & {
  config: Pick<Context['config'], 'PARTNER_URL' | 'PARTNER_CREDENTIALS' | 'SANDBOX'>
}

type Partnered = Pick<Context['config'], 'PARTNER_URL' | 'PARTNER_CREDENTIALS' | 'PARTNER_CONTACT' | 'SANDBOX'>

/** Whether there is a partner at all: without one everything is as if this exchange did not exist. */
export const isPartnered = ({ config }: { config: Pick<Partnered, 'PARTNER_URL' | 'PARTNER_CREDENTIALS'> }): boolean =>
  config.PARTNER_URL !== '' && config.PARTNER_CREDENTIALS !== null

/** Everything that is missing of a partner that is configured in part, or unsafely (D3 §5); null when nothing is. */
export function halfPartnered({ config }: { config: Partnered }): string | null {
  const { PARTNER_URL, PARTNER_CREDENTIALS, PARTNER_CONTACT, SANDBOX } = config
  if (PARTNER_URL === '') return null
  const missing = missingContact(PARTNER_CONTACT)
  const faults = [
    PARTNER_CREDENTIALS === null && 'PARTNER_URL is set, and PARTNER_CREDENTIALS is not',
    !SANDBOX && !PARTNER_URL.startsWith('https:') && 'PARTNER_URL must be https outside the sandbox',
    !SANDBOX && missing.length > 0 && `PARTNER_CONTACT needs ${missing.join(', ')} outside the sandbox`,
  ].filter((fault) => fault !== false)
  return faults.length === 0 ? null : faults.join('; ')
}

export function credentialsOf({ config }: Pick<ExchangeContext, 'config'>): PartnerCredentials {
  if (!config.PARTNER_CREDENTIALS) throw new Error('PARTNER_CREDENTIALS is not set')
  return config.PARTNER_CREDENTIALS
}

/** Partners are called on the open internet only, unless the sandbox is on. */
export const reachOf = ({ config }: Pick<ExchangeContext, 'config'>): 'anywhere' | 'public' =>
  config.SANDBOX ? 'anywhere' : 'public'

type Request = Omit<Outgoing, 'url' | 'reach'> & { path: string }

/** Calls an interface of the partner. Throws `Unreached` when no complete answer came in time. */
export const askPartner = (ctx: ExchangeContext, { path, headers = {}, ...request }: Request): Promise<Incoming> =>
  call({
    ...request,
    url: `${ctx.config.PARTNER_URL}${path}`,
    headers: { authorization: `Bearer ${credentialsOf(ctx).bearer}`, ...headers },
    egress: reachOf(ctx),
  })

/** Nothing was decided: the same request is made again with the same key (D3 §7). */
export class NoAnswer extends Error {
  readonly retryAfterSeconds: number | null

  constructor(why: string, retryAfterSeconds: number | null = null) {
    super(why)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The same, but what is to be repeated is told apart from what was answered: transport failures, 408, 425, 429 and 5xx. */
export async function callPartner(ctx: ExchangeContext, request: Request): Promise<Incoming> {
  let answer: Incoming
  try {
    answer = await askPartner(ctx, request)
  } catch (error) {
    if (error instanceof Unreached) throw new NoAnswer(error.message)
    throw error
  }
  if (isPassing(answer.status)) throw new NoAnswer(`answered ${answer.status}`, retryAfterIn(answer))
  return answer
}

export const isPassing = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500

/** Seconds of a `Retry-After` in numbers; null without one. */
export function retryAfterIn({ headers }: Pick<Incoming, 'headers'>): number | null {
  const text = headers['retry-after']
  return typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : null
}

/** The JSON of an answer; undefined when it is none. */
export function jsonIn({ body }: Pick<Incoming, 'body'>): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The partner answered, but with nothing that can be used: it is not asked the same again. */
export class WrongAnswer extends Error {}
