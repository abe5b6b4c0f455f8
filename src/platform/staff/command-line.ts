// How the console knows the command line: by a token that only a holder of the platform's keys can make, for one request and a minute.
import { hash } from 'node:crypto'

import type { Seal } from '#kit/crypto/seal.ts'
import { sameDigest } from '#kit/crypto/token.ts'
import type { Db } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { RequestHeaders } from '#kit/http/session-cookie.ts'
import { cache, perDatabase } from '#kit/runtime/cache.ts'
import type { ConsolePerson } from '#platform/context.ts'
import { commandLine } from './person.ts'

/** How far apart the clocks of the two may be. */
const toleranceMs = 60_000
/** Tokens with which something was changed, for as long as they hold: each process refuses its own a second time. */
const usedTokens = perDatabase((_: { db: Db }) =>
  cache<true>({ name: 'command-line-tokens', maxBytes: 1_000_000, forMs: 3 * toleranceMs }),
)
const form = /^Bearer cli_(\d{1,16})_([\w-]{43})$/

interface SignedRequest {
  method: string
  path: string
  search: string
  raw: Uint8Array
}

const digestOf = (seal: Seal, { method, path, search, raw }: SignedRequest, madeAt: string): Buffer =>
  seal.digest(`${madeAt} ${method} ${path}${search} ${hash('sha256', raw, 'hex')}`, 'console.command_line')

/** The header of one request of the command line. */
export function commandLineAuthorization(seal: Seal, request: SignedRequest, at: Date): string {
  const madeAt = String(at.getTime())
  return `Bearer cli_${madeAt}_${digestOf(seal, request, madeAt).toString('base64url')}`
}

/**
 * The command line; null where another caller asks. Refused as `bad-session` where its keys or its clock are not ours, or its token
 * has changed something already.
 */
export function commandLineIn(
  { headers, ...request }: SignedRequest & { headers: RequestHeaders },
  { db, seal, realClock }: { db: Db; seal: Seal; realClock(): Date },
): ConsolePerson | null {
  const [, madeAt, digest] = form.exec(headers.authorization?.toString() ?? '') ?? []
  if (madeAt === undefined || digest === undefined) return null
  const expected = digestOf(seal, request, madeAt)
  const isOurs = sameDigest(expected, Buffer.from(digest, 'base64url'))
  if (!isOurs) throw new Refusal('bad-session', 'the command line has other keys than the platform: set LENDLOOM_KEYS')
  if (Math.abs(realClock().getTime() - Number(madeAt)) > toleranceMs)
    throw new Refusal('bad-session', 'the clock of the command line differs from that of the platform')
  if (request.method !== 'GET') {
    const used = usedTokens({ db })
    // The last character of the token has spare bits: several texts are one token.
    const token = expected.toString('base64url')
    if (used.get(token)) throw new Refusal('bad-session', 'this token of the command line was used before')
    used.set(token, true)
  }
  return commandLine
}
