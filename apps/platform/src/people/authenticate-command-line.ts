// Authenticates the CLI to the console. The CLI signs each request with the platform's keys. A token is valid for a
// minute.
import { hash } from 'node:crypto'
import { cache, perDatabase } from '@lendloom/foundation/cache'
import { Refusal } from '@lendloom/foundation/refusal'
import type { RequestHeaders } from '@lendloom/http/session-cookie'
import type { Db } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { sameDigest } from '@lendloom/seal/token'
import type { ConsolePerson } from '#platform/context.ts'
import { commandLine } from './person.ts'

/** How far the clocks of command line and platform may differ. */
const toleranceMs = 60_000
/** Unexpired tokens that were used for a write. A process detects only replays of tokens that it received itself. */
const usedTokens = perDatabase((_: { db: Db }) =>
  cache<true>({ name: 'command-line-tokens', maxBytes: 1_000_000, lifetimeMs: 3 * toleranceMs }),
)
const tokenPattern = /^Bearer cli_(\d{1,16})_([0-9a-f]{64})_([\w-]{43})$/

export interface SignedRequest {
  method: string
  path: string
  search: string
  raw: Uint8Array
}

/** What a token covers. It contains the digest of the body, so that it can be verified before the body is read. */
interface TokenContent {
  createdAt: string
  bodyDigest: string
}

const bodyDigestOf = (raw: Uint8Array): string => hash('sha256', raw, 'hex')

const digestOf = (
  seal: Seal,
  { method, path, search }: Omit<SignedRequest, 'raw'>,
  { createdAt, bodyDigest }: TokenContent,
): Buffer => seal.digest(`${createdAt} ${method} ${path}${search} ${bodyDigest}`, 'console.command_line')

/** The Authorization header of one CLI request. */
export function commandLineAuthorization(seal: Seal, request: SignedRequest, at: Date): string {
  const content = { createdAt: String(at.getTime()), bodyDigest: bodyDigestOf(request.raw) }
  const digest = digestOf(seal, request, content).toString('base64url')
  return `Bearer cli_${content.createdAt}_${content.bodyDigest}_${digest}`
}

/**
 * Returns the CLI actor, or null for another caller. Throws `bad-session` if the keys differ, the clocks differ by more
 * than a minute, or the token was already used for a write.
 */
export function authenticateCommandLine(
  { headers, ...request }: Omit<SignedRequest, 'raw'> & { headers: RequestHeaders },
  { db, seal, realClock }: { db: Db; seal: Seal; realClock(): Date },
): ConsolePerson | null {
  const [, createdAt, bodyDigest, digest] = tokenPattern.exec(headers.authorization?.toString() ?? '') ?? []
  if (createdAt === undefined || bodyDigest === undefined || digest === undefined) return null
  const expected = digestOf(seal, request, { createdAt, bodyDigest })
  const isValid = sameDigest(expected, Buffer.from(digest, 'base64url'))
  if (!isValid) throw new Refusal('bad-session', 'LENDLOOM_KEYS of the command line differs from that of the platform')
  if (Math.abs(realClock().getTime() - Number(createdAt)) > toleranceMs)
    throw new Refusal('bad-session', 'the clock of the command line differs from that of the platform')
  if (request.method !== 'GET') {
    const tokens = usedTokens({ db })
    // base64url leaves unused bits in the last character, so several strings decode to the same token.
    const token = expected.toString('base64url')
    if (tokens.get(token)) throw new Refusal('bad-session', 'this command line token was already used')
    tokens.set(token, true)
  }
  return commandLine
}

/** Throws `bad-session` if the body is not the one that the command line signed. */
export function requireSignedBody({ headers, raw }: { headers: RequestHeaders; raw: Uint8Array }): void {
  const [, , bodyDigest] = tokenPattern.exec(headers.authorization?.toString() ?? '') ?? []
  if (bodyDigest === undefined) return
  // The bytes of a form are read later, so that the digest could not cover them.
  const isForm = /^(multipart\/|application\/x-www-form-urlencoded)/i.test(String(headers['content-type'] ?? ''))
  if (isForm || bodyDigest !== bodyDigestOf(raw))
    throw new Refusal('bad-session', 'the body is not the one that the command line signed')
}
