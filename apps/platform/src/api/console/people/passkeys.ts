// Passkeys in the console: signing in, and managing one's own passkeys.

import { Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { addPasskey, offerPasskey, passkeyRequest, removePasskey, signInByPasskey } from '@lendloom/identity/passkey'
import { listPasskeys, type PasskeyRow } from '@lendloom/identity/passkey/store'
import { keyOf } from '@lendloom/identity/person'
import {
  NewPasskeyRequest,
  Passkey,
  PasskeyParams,
  PasskeyRequest,
  PasskeySignInRequest,
  Passkeys,
} from '@lendloom/wire/console/passkey'
import { SignInReply } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix, personWire } from '#platform/api/console/console-route.ts'
import { route } from '#platform/context.ts'
import { fromOwnPage, inConsole } from '#platform/people/console-authentication.ts'

const ownRoute = { ...consoleCall, auth: inConsole() } as const

const signInOptions = route({
  ...consoleCall,
  method: 'POST',
  path: `${consolePrefix}/sign-in/passkey/options`,
  summary: 'Options for signing in with a passkey',
  auth: fromOwnPage,
  handle: ({ at }, ctx) => passkeyRequest(ctx, at),
})

const signIn = route({
  ...consoleCall,
  method: 'POST',
  path: `${consolePrefix}/sign-in/passkey`,
  summary: 'Sign in with a passkey, which replaces password and code',
  auth: fromOwnPage,
  body: PasskeySignInRequest,
  reply: { 200: SignInReply },
  async handle({ body, ip: address, headers, at }, ctx) {
    const signedIn = await signInByPasskey(ctx, { ...body, address, headers }, at)
    if (!signedIn) throw new Refusal('bad-session', 'the passkey is unknown, or the challenge has expired')
    return answer(200, { person: personWire(signedIn.person) }, { 'set-cookie': signedIn.cookies })
  },
})

const createOptions = route({
  ...ownRoute,
  method: 'POST',
  path: `${consolePrefix}/passkeys/options`,
  summary: 'Options for a new passkey; requires the password, and a code if the second factor is on',
  body: NewPasskeyRequest,
  handle: ({ who, body, ip: address, at }, ctx) => offerPasskey(ctx, who, { ...body, address }, at),
})

const add = route({
  ...ownRoute,
  method: 'POST',
  path: `${consolePrefix}/passkeys`,
  summary: 'Register a passkey, and end your other sessions',
  body: PasskeyRequest,
  reply: { 201: Passkey },
  async handle({ who, body, ip: address, headers, at }, ctx) {
    return answer(201, passkeyWire(await addPasskey(ctx, who, { ...body, address, headers }, at)))
  },
})

const list = route({
  ...ownRoute,
  method: 'GET',
  path: `${consolePrefix}/passkeys`,
  summary: 'Your passkeys',
  reply: { 200: Passkeys },
  async handle({ who }, { db }): Promise<Passkeys> {
    return { items: (await listPasskeys(db, keyOf(who))).map(passkeyWire), next: null }
  },
})

const remove = route({
  ...ownRoute,
  method: 'DELETE',
  path: `${consolePrefix}/passkeys/{passkeyId}`,
  summary: 'Remove one of your passkeys, and end your other sessions',
  params: PasskeyParams,
  async handle({ who, params, ip: address, at }, ctx) {
    await removePasskey(ctx, who, { ...params, address }, at)
    return answer(204, null)
  },
})

const passkeyWire = ({ passkeyId, name, createdAt, usedAt }: PasskeyRow): Passkey => ({
  passkeyId,
  name,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
})

export const passkeyRoutes = [signInOptions, signIn, createOptions, add, list, remove]
