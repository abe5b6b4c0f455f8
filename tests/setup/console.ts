// Console users for tests, created without invitation, signed in without a password, with requests as a page makes them.

import { tenantIn } from '@lendloom/identity/person'
import { beginSession } from '@lendloom/identity/session'
import type { ConsolePerson, Context } from '@lendloom/platform/src/context.ts'
import { outgoingMailWorker } from '@lendloom/platform/src/mail/send-mail.ts'
import { addPerson } from '@lendloom/platform/src/people/manage-people.ts'
import { hashPassword } from '@lendloom/seal/password'
import type { Role } from '@lendloom/wire/console/staff'
import type { MailServer } from './mail-server.ts'
import { ask, type Reply, type TestPlatform } from './platform.ts'
import { until } from './programs.ts'
import './cheap-passwords.ts'

/** The password of every user created here. */
export const consolePassword = 'correct horse battery'
let userCount = 0

export interface ConsoleUser {
  person: ConsolePerson
  cookie: string
  /** Makes a request under `/api/console` as this user. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

export interface UserOptions {
  role: Role
  /** Null for platform staff. */
  tenantId?: string | null
  email?: string
  name?: string
}

/** Creates a user who is already signed in. */
export async function consoleUser(
  { url, ctx }: Pick<TestPlatform, 'url' | 'ctx'>,
  { role, tenantId = null, email = `${role}-${++userCount}@people.example`, name = `Test ${role}` }: UserOptions,
): Promise<ConsoleUser> {
  const passwordHash = await hashPassword(consolePassword)
  const { cookies, key, sessionId } = await ctx.db.tx(async (tx) => {
    const transaction: Context & { tx: typeof tx; at: Date } = { ...ctx, tx, at: ctx.clock() }
    const personKey = await addPerson(transaction, { email, name, role, tenantId, passwordHash })
    return {
      key: personKey,
      ...(await beginSession(transaction, personKey, { address: '127.0.0.1', headers: {} }, { proof: 'PASSWORD' })),
    }
  })
  const [session = ''] = cookies
  const person = { personId: key.personId, email, name, role, tenantId: tenantIn(key.tenantId), sessionId }
  return userWith(url, session.split(';')[0] ?? '', person)
}

export const userWith = (url: string, cookie: string, person: ConsolePerson): ConsoleUser => ({
  person,
  cookie,
  ask: (method, path, body, headers = {}) =>
    ask(`${url}/api/console${path}`, { method, body, headers: { ...(cookie && { cookie }), ...headers } }),
})

/** Sends the queued mails until the address has `count`, and returns their subjects, sorted. */
export async function subjectsMailedTo(
  { ctx }: Pick<TestPlatform, 'ctx'>,
  { mails }: Pick<MailServer, 'mails'>,
  { email, count }: { email: string; count: number },
): Promise<(string | undefined)[]> {
  const worker = outgoingMailWorker(ctx)
  const received = await until(`${count} mails`, async () => {
    const found = mails.filter(({ to }) => to.includes(email))
    return found.length >= count && found
  })
  await worker.stop()
  return received.map(({ text }) => /^Subject: (.*?)\r?$/m.exec(text)?.[1]).toSorted()
}
