// People of the console for tests: made without an invitation, signed in without a password, and asked for as a page would.

import type { Role } from '#contract/console/staff.ts'
import { hashPassword } from '#kit/crypto/password.ts'
import { tenantIn } from '#kit/staff/person.ts'
import { beginSession } from '#kit/staff/session.ts'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { addPerson } from '#platform/staff/people.ts'
import { ask, type Reply, type TestPlatform } from './platform.ts'
import './cheap-passwords.ts'

/** The password of everybody who is made here. */
export const consolePassword = 'correct horse battery'
let count = 0

export interface ConsoleUser {
  person: ConsolePerson
  cookie: string
  /** A request behind `/api/console`, as this person. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

export interface UserOptions {
  role: Role
  /** None for the platform. */
  tenantId?: string | null
  email?: string
  name?: string
}

/** Somebody who is signed in already. */
export async function consoleUser(
  { url, ctx }: Pick<TestPlatform, 'url' | 'ctx'>,
  { role, tenantId = null, email = `${role}-${++count}@people.example`, name = `Test ${role}` }: UserOptions,
): Promise<ConsoleUser> {
  const passwordHash = await hashPassword(consolePassword)
  const { cookies, key, sessionId } = await ctx.db.tx(async (tx) => {
    const within: Context & { tx: typeof tx; at: Date } = { ...ctx, tx, at: ctx.clock() }
    const made = await addPerson(within, { email, name, role, tenantId, passwordHash })
    return {
      key: made,
      ...(await beginSession(within, made, { address: '127.0.0.1', headers: {} }, { proof: 'PASSWORD' })),
    }
  })
  const [session = ''] = cookies
  const person = { personId: key.personId, email, name, role, tenantId: tenantIn(key.tenantId), sessionId }
  return userWith(url, session.split(';')[0] ?? '', person)
}

/** Whoever has this cookie. */
export const userWith = (url: string, cookie: string, person: ConsolePerson): ConsoleUser => ({
  person,
  cookie,
  ask: (method, path, body, headers = {}) =>
    ask(`${url}/api/console${path}`, { method, body, headers: { ...(cookie && { cookie }), ...headers } }),
})
