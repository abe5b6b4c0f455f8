// `lendloom login` and `lendloom logout`: a person signs in on a page of the console and allows this command line.

import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '@lendloom/foundation/refusal'
import { messageOf } from '@lendloom/foundation/thrown'
import type { BegunSignIn, FinishedSignIn } from '@lendloom/wire/console/command-line'
import { CannotRun, command, requireArgument, UsageError } from './command.ts'
import { callerAt, consoleOf } from './console/ask.ts'
import { forgetContext } from './context.ts'
import { changeContexts, contextName, localName } from './contexts.ts'
import { dataDirectory, runOf } from './installation.ts'
import { openPage } from './open-page.ts'
import { write } from './terminal.ts'

/** The pause between two questions whether the person has allowed the command line. */
const secondsBetweenTries = 2
/** Added to the pause each time the platform refuses a try as too early (RFC 8628 §3.5). */
const secondsToSlowDown = 5

export const login = command({
  name: 'login',
  summary: 'sign in to a platform: allow this command line on a page of its console',
  usage: '[<url>] [--name <name>] [--no-browser]',
  options: {
    name: { type: 'string', value: 'name', about: 'name of the context (default: the host of the url)' },
    'no-browser': { type: 'boolean', about: 'print the address of the page instead of opening it' },
  },
  async run({ args, options, env, json }) {
    const url = platformUrl(args, env)
    const name = options.name ?? url.hostname
    if (!/^[\w.-]{1,100}$/.test(name) || name === localName)
      throw new UsageError(`--name must be letters, digits, dots and dashes, and not "${localName}"`)
    const call = callerAt(url, {})
    const machine =
      hostname()
        .replace(/[^\w.-]/g, '-')
        .slice(0, 64) || 'unknown'
    const { data: begun } = await call<BegunSignIn>('POST /sign-in/command-line', { body: { machine } })
    const page = pageOf(begun, url)
    const prompt = `Allow this command line on the page\n  ${page}\nIts code is ${codeInTwoParts(begun.userCode)}.`
    if (!json) write(process.stderr, prompt)
    if (!options['no-browser']) openPage(page)
    const { person, expiresAt, cookie } = await signedIn(call, begun)
    changeContexts(env, (file) => {
      const before = file.contexts[name]
      const { tenant, application } = before?.url === url.href ? before : {}
      file.contexts[name] = { url: url.href, cookie, person, expiresAt, tenant, application }
      file.current = name
    })
    const { email, role } = person
    const text = `Signed in to ${url.host} as ${email} (${role}) until ${expiresAt}, or until you sign out there. Commands now use the context ${name}.`
    return { text, data: { name, url: url.href, email, role, tenantId: person.tenantId, expiresAt } }
  },
})

/** The platform to sign in to: the given one, or the one that runs on this machine. */
function platformUrl(args: string[], env: NodeJS.ProcessEnv): URL {
  const given = args.length === 0 ? runOf(dataDirectory(env))?.platform.url : requireArgument(args, 'the url')
  if (given === undefined) throw new UsageError('the url of the platform is missing, such as https://loans.example.in')
  const url = URL.parse(given)
  const isHere = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)))
    throw new UsageError(`the url must be an https address, not "${given}"`)
  return new URL(url.origin)
}

/** The page at the public address of the platform, which may differ from the one that is called. */
function pageOf({ url: text, userCode }: BegunSignIn, platform: URL): string {
  const url = URL.parse(text)
  const isPage = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isPage ? url.href : new URL(`/console/command-line/${userCode}`, platform).href
}

const codeInTwoParts = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`

/** Waits until a person has decided. Throws `CannotRun` if the sign-in was refused or has expired. */
async function signedIn(call: ReturnType<typeof callerAt>, { userCode, secret }: BegunSignIn) {
  let pauseSeconds = secondsBetweenTries
  for (;;) {
    const reply = await call<FinishedSignIn>('POST /sign-in/command-line/session', {
      body: { userCode, secret },
    }).catch((error: unknown) => {
      if (error instanceof Refusal && error.kind === 'rate-limited') return null
      throw error
    })
    if (!reply) {
      pauseSeconds += secondsToSlowDown
      await sleep(pauseSeconds * 1000)
      continue
    }
    const { data, cookie } = reply
    const { state, person, expiresAt } = data
    if (state === 'ended') throw new CannotRun('the sign-in was refused or has expired; run lendloom login again')
    if (state === 'signed-in' && person && expiresAt && cookie) return { person, expiresAt, cookie }
    await sleep(pauseSeconds * 1000)
  }
}

export const logout = command({
  name: 'logout',
  summary: 'end the session of the current context, and remove the context from this machine',
  usage: '',
  options: {},
  async run({ env }) {
    const name = contextName(env)
    if (name === null) throw new CannotRun('no context is in use; see lendloom context list')
    const problem = await consoleOf(env)('POST /sign-out').then(() => null, messageOf)
    forgetContext(env, name)
    const text = problem === null ? `Signed out of ${name}.` : `Removed ${name}; its session was not ended: ${problem}`
    return { text, data: { name, problem } }
  },
})
