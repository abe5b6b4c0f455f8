// A person's own account in the console: password, second factor, sessions.

import { secondsAfter } from '@lendloom/foundation/clock'
import { answer } from '@lendloom/http/server'
import { changePassword, revokeSession } from '@lendloom/identity/own-account'
import { keyOf } from '@lendloom/identity/person'
import { confirmSecondFactor, dropSecondFactor, offerSecondFactor } from '@lendloom/identity/second-factor'
import { openSessionsOf } from '@lendloom/identity/session'
import type { PersonKey } from '@lendloom/identity/sign-in-program'
import {
  CodeRequest,
  FirstCodeRequest,
  ListQuery,
  NewSecondFactor,
  PasswordRequest,
  PresentPasswordRequest,
  RecoveryCodes,
  SessionParams,
  Sessions,
} from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { type Context, route } from '#platform/context.ts'
import { inConsole } from '#platform/people/console-authentication.ts'

const ownRoute = { ...consoleCall, auth: inConsole() } as const

const setPassword = route({
  ...ownRoute,
  method: 'POST',
  path: `${consolePrefix}/password`,
  summary: 'Change your password, end your other sessions, and remove passkeys that you do not keep',
  body: PasswordRequest,
  async handle({ who, body, ip: address, at }, ctx) {
    await changePassword(ctx, who, { ...body, address }, at)
    return answer(204, null)
  },
})

const createTotp = route({
  ...ownRoute,
  method: 'POST',
  path: `${consolePrefix}/totp`,
  summary: 'Create a second-factor secret; requires the password, and a code to activate the secret',
  body: PresentPasswordRequest,
  reply: { 200: NewSecondFactor },
  handle: ({ who, body: { password }, ip: address, at }, ctx): Promise<NewSecondFactor> =>
    offerSecondFactor(ctx, who, { password, address }, at),
})

const confirmTotp = route({
  ...ownRoute,
  method: 'PUT',
  path: `${consolePrefix}/totp`,
  summary: 'Confirm the second factor; returns the recovery codes once',
  body: FirstCodeRequest,
  reply: { 200: RecoveryCodes },
  async handle({ who, body, ip: address, headers, at }, ctx): Promise<RecoveryCodes> {
    const attempt = { ...body, address, headers, isIdentityProven: false }
    return { recoveryCodes: await confirmSecondFactor(ctx, who, attempt, at) }
  },
})

const disableTotp = route({
  ...ownRoute,
  method: 'DELETE',
  path: `${consolePrefix}/totp`,
  summary: 'Disable the second factor',
  body: CodeRequest,
  async handle({ who, body, ip: address, at }, ctx) {
    await dropSecondFactor(ctx, who, { code: body.code, address }, at)
    return answer(204, null)
  },
})

const list = route({
  ...ownRoute,
  method: 'GET',
  path: `${consolePrefix}/sessions`,
  summary: 'Your sessions',
  query: ListQuery,
  reply: { 200: Sessions },
  handle({ who }, ctx): Promise<Sessions> {
    return sessionList(ctx, keyOf(who), who.sessionId)
  },
})

/** An instant of real time, such as the use of a session, by the platform's clock; a sandbox may have moved it. */
export const atPlatform = ({ clock, realClock }: Pick<Context, 'clock' | 'realClock'>, at: Date): string =>
  secondsAfter(at, Math.round((clock().getTime() - realClock().getTime()) / 1000)).toISOString()

/** The sessions of a person, as shown to the person and to admins. */
export async function sessionList(ctx: Context, key: PersonKey, currentId: string): Promise<Sessions> {
  const items = (await openSessionsOf(ctx, key, currentId)).map(({ signedInAt, usedAt, expiresAt, ...session }) => ({
    ...session,
    createdAt: signedInAt.toISOString(),
    usedAt: atPlatform(ctx, usedAt),
    expiresAt: atPlatform(ctx, expiresAt),
  }))
  return { items, next: null }
}

const revoke = route({
  ...ownRoute,
  method: 'DELETE',
  path: `${consolePrefix}/sessions/{sessionId}`,
  summary: 'End one of your sessions',
  params: SessionParams,
  async handle({ who, params, at }, ctx) {
    await revokeSession(ctx, who, params.sessionId, at)
    return answer(204, null)
  },
})

export const ownAccountRoutes = [setPassword, createTotp, confirmTotp, disableTotp, list, revoke]
