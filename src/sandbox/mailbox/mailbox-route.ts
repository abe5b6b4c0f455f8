// A route of the mailbox: anybody may look, as everywhere in the sandbox.

import type { TSchema } from '#kit/http/schema.ts'
import type { Route } from '#kit/http/server.ts'
import { anyone } from '#kit/http/server.ts'
import type { MailboxContext } from './receive.ts'

export const mailboxRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  given: Omit<Route<MailboxContext, null, B, Q, P>, 'auth' | 'section'>,
): Route<MailboxContext, null, B, Q, P> => ({ ...given, auth: anyone, section: 'operation' })
