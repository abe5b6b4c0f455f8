// Routes by which a command line signs in, and a person allows it.

import { answer } from '@lendloom/http/server'
import {
  BeginSignInRequest,
  BegunSignIn,
  DecisionRequest,
  FinishedSignIn,
  FinishSignInRequest,
  SignInCodeParams,
  WaitingMachine,
} from '@lendloom/wire/console/command-line'
import { consoleCall, consolePrefix, personWire } from '#platform/api/console/console-route.ts'
import { route } from '#platform/context.ts'
import {
  beginCommandLineSignIn,
  decideCommandLineSignIn,
  finishCommandLineSignIn,
  waitingMachine,
} from '#platform/people/command-line-sign-in.ts'
import { fromOwnPage, inConsole } from '#platform/people/console-authentication.ts'

const path = `${consolePrefix}/sign-in/command-line`
const codePath = `${consolePrefix}/command-line/{userCode}`

const begin = route({
  ...consoleCall,
  method: 'POST',
  path,
  summary: 'Begin the sign-in of a command line; a person allows its code in the console',
  auth: fromOwnPage,
  body: BeginSignInRequest,
  reply: { 201: BegunSignIn },
  async handle({ body, ip: address }, ctx) {
    const { userCode, secret, expiresAt } = await beginCommandLineSignIn(ctx, { name: body.machine, address })
    const url = new URL(`/console/command-line/${userCode}`, ctx.config.PUBLIC_URL).href
    return answer(201, { userCode, secret, url, expiresAt: expiresAt.toISOString() })
  },
})

const finish = route({
  ...consoleCall,
  method: 'POST',
  path: `${path}/session`,
  summary: 'Begin the session of a command line that a person has allowed',
  auth: fromOwnPage,
  body: FinishSignInRequest,
  reply: { 200: FinishedSignIn },
  async handle({ body, ip: address, headers, at }, ctx) {
    const finished = await finishCommandLineSignIn(ctx, { ...body, address, headers }, at)
    if (typeof finished === 'string') return answer(200, { state: finished, person: null, expiresAt: null })
    const { person, expiresAt, cookies } = finished
    const reply = { state: 'signed-in', person: personWire(person), expiresAt: expiresAt.toISOString() } as const
    return answer(200, reply, { 'set-cookie': cookies })
  },
})

const get = route({
  ...consoleCall,
  auth: inConsole(),
  method: 'GET',
  path: codePath,
  summary: 'The machine whose command line waits to be allowed',
  params: SignInCodeParams,
  reply: { 200: WaitingMachine },
  handle: ({ params }, ctx): Promise<WaitingMachine> => waitingMachine(ctx, params.userCode),
})

const decide = route({
  ...consoleCall,
  auth: inConsole(),
  method: 'POST',
  path: codePath,
  summary: 'Allow or refuse the sign-in of a command line',
  params: SignInCodeParams,
  body: DecisionRequest,
  async handle({ who, params, body, at }, ctx) {
    await decideCommandLineSignIn(ctx, who, { ...params, ...body }, at)
    return answer(204, null)
  },
})

export const commandLineRoutes = [begin, finish, get, decide]
