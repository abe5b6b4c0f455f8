// Sign-in and sign-out of the console, and the signed-in person.

import { Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { signOut } from '@lendloom/identity/own-account'
import { keyOf } from '@lendloom/identity/person'
import { signIn } from '@lendloom/identity/sign-in'
import { Me, SignInReply, SignInRequest } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix, personWire } from '#platform/api/console/console-route.ts'
import { listTenantNames } from '#platform/api/console/tenant-store.ts'
import { route } from '#platform/context.ts'
import { fromOwnPage, inConsole } from '#platform/people/console-authentication.ts'
import { findPerson } from '#platform/people/store.ts'

const signInRoute = route({
  ...consoleCall,
  method: 'POST',
  path: `${consolePrefix}/sign-in`,
  summary: 'Sign in with email address and password, and a code if the second factor is on',
  auth: fromOwnPage,
  body: SignInRequest,
  reply: { 200: SignInReply },
  async handle({ body, ip: address, headers, at }, ctx) {
    const signedIn = await signIn(ctx, { ...body, address, headers }, at)
    if (signedIn === 'wrong')
      throw new Refusal(
        'bad-session',
        `the email${body.code === undefined ? ' or password' : ', password or code'} is wrong`,
      )
    if ('ticket' in signedIn) return { needs: 'code' }
    return answer(200, { person: personWire(signedIn.person) }, { 'set-cookie': signedIn.cookies })
  },
})

const signOutRoute = route({
  ...consoleCall,
  method: 'POST',
  path: `${consolePrefix}/sign-out`,
  summary: 'End the session',
  auth: inConsole(),
  handle: async ({ who, at }, ctx) => answer(204, null, { 'set-cookie': await signOut(ctx, who, at) }),
})

const me = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/me`,
  summary: 'The signed-in person and their tenants',
  auth: inConsole(),
  reply: { 200: Me },
  async handle({ who }, { db, config }): Promise<Me> {
    const { tenantId, personId } = keyOf(who)
    const [tenants, row] = await Promise.all([listTenantNames(db, who.tenantId), findPerson(db, tenantId, personId)])
    return { person: personWire(who), tenants, twoFactor: Boolean(row?.totpSealed), sandbox: config.SANDBOX }
  },
})

export const signInRoutes = [signInRoute, signOutRoute, me]
