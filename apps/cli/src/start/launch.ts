// Starts the databases and programs in order, prints a summary, and stops them in reverse order.

import { rmSync, watch as watchFiles } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ready } from '@lendloom/foundation/program'
import { required } from '@lendloom/foundation/required'
import { CannotRun } from '#cli/command.ts'
import { dataDirectory, forgetRun, home, prepareDataDirectory, runOf, sandboxFile } from '#cli/installation.ts'
import { portIsFree } from '#cli/postgres/server.ts'
import { type ChildProgram, startProgram } from './child-program.ts'
import { openDatabases } from './databases.ts'
import { inheritedEnvironment, localUrl, programNames, type StartConfig, startConfig } from './settings.ts'
import { summary } from './summary.ts'

export interface LaunchOptions {
  logs: boolean
  watch: boolean
  json: boolean
  env: NodeJS.ProcessEnv
}

/** Resolves when everything has stopped. Throws `CannotRun` if a database or program cannot start. */
export async function launch({ logs, watch, json, env: given }: LaunchOptions): Promise<void> {
  const config = startConfig(given)
  const directory = dataDirectory(given)
  const say = (line: string): void => void process.stderr.write(`lendloom: ${line}\n`)
  const signals = new Signals()
  prepareDataDirectory(directory)
  say(`starting ${programNames(config).length} programs; their data is in ${directory}`)
  // What an earlier run left still holds its ports; then the database below says whether that run goes on.
  if (!runOf(directory)) await waitForPorts(directory, config)

  await using outer = new AsyncDisposableStack()
  await using stack = new AsyncDisposableStack()
  const environments = Promise.withResolvers<Record<string, NodeJS.ProcessEnv>>()
  const programs = new Map<string, ChildProgram>()
  stack.defer(() => stopAll(programs))
  startPrograms(programs, { logs, directory, config, given, say }, environments.promise)
  const allReady = waitUntilReady(programs, config, say)
  allReady.catch(() => {})
  signals.onSecond(() => {
    for (const program of programs.values()) program.kill()
  })
  const opening = openDatabases(directory, config, say, signals.first)
  const runFiles = import('./announce-start.ts')
  const databases = await opening
  say(`the database is ready ${sinceStart()}`)
  outer.defer(() => databases.stop())
  await waitForPorts(directory, config)
  rmSync(sandboxFile(directory), { force: true })
  outer.defer(() => forgetRun(directory))

  const { setupOf, environmentsOf, announce, copyFilesRegularly } = await runFiles
  const setup = setupOf({ given, config, directory, databases })
  environments.resolve(environmentsOf(setup))
  outer.defer(copyFilesRegularly({ data: directory, env: setup.env, say }))

  const ready = await Promise.race([allReady, signals.first])
  if (typeof ready === 'string') return
  stack.defer(announce(setup, ready))
  process.stdout.write(
    json ? `${JSON.stringify(jsonSummary(directory, config))}\n` : summary({ config, directory, logs }),
  )
  if (watch) stack.defer(restartOnChange(programs, say))
  say(`${await signals.first}: stopping; press Ctrl-C again to stop at once`)
}

interface Start extends Pick<LaunchOptions, 'logs'> {
  directory: string
  config: StartConfig
  given: NodeJS.ProcessEnv
  say(line: string): void
}

/** Starts the programs while the databases start: they load their modules, and then wait for their environment. */
function startPrograms(
  programs: Map<string, ChildProgram>,
  { logs, directory, config, given, say }: Start,
  environments: Promise<Record<string, NodeJS.ProcessEnv>>,
): void {
  const inherited = inheritedEnvironment(given, directory)
  for (const name of programNames(config)) {
    const log = logs ? null : join(directory, 'logs', `${name}.log`)
    const env = environments.then((all) => required(all[name], `environment of the ${name}`))
    const entry = `apps/${name.replace('second-', '')}/src/main.ts`
    programs.set(name, startProgram({ name, entry, inherited, env, log, say }))
  }
}

/** The first signal stops the programs gracefully, the second one at once. */
class Signals {
  readonly first: Promise<string>
  #forceStop = () => {}

  constructor() {
    this.first = new Promise((resolve) => {
      let isStopping = false
      const receive = (signal: string) => {
        if (isStopping) this.#forceStop()
        isStopping = true
        resolve(signal)
      }
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive)
      if (process.env.npm_lifecycle_event) whenOrphaned(() => receive('npm has ended'))
    })
  }

  onSecond(act: () => void): void {
    this.#forceStop = act
  }
}

/** npm forwards signals; but if npm is killed, the programs would keep running without this check. */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, 500)
  timer.unref()
}

const leftoverPatienceMs = 10_000

/** Programs of a killed launcher take a moment to exit; any other process on our ports is an error. */
async function waitForPorts(directory: string, config: StartConfig): Promise<void> {
  const deadline = Date.now() + (runOf(directory) ? leftoverPatienceMs : 0)
  const ports = {
    PORT: config.PORT,
    ...(config.SANDBOX && {
      SANDBOX_PORT: config.SANDBOX_PORT,
      SANDBOX_SMTP_PORT: config.SANDBOX_SMTP_PORT,
      MAIL_IN_PORT: config.MAIL_IN_PORT,
    }),
    ...(config.partnerUrl && { PARTNER_PORT: config.PARTNER_PORT }),
    ...(config.secondPartnerUrl && { SECOND_PARTNER_PORT: config.SECOND_PARTNER_PORT }),
  }
  for (const [variable, port] of Object.entries(ports))
    while (port !== null && !(await portIsFree(port, config.HOST))) {
      if (Date.now() > deadline)
        throw new CannotRun(`port ${port} on ${config.HOST} is taken; free it, or set ${variable} to another one`)
      await sleep(100)
    }
}

/** The time since this process began, such as `after 1.4 s`. */
const sinceStart = (): string => `after ${(performance.now() / 1000).toFixed(1)} s`

type AllReady = Record<string, Ready>

/** Waits until every program has reported that it is ready and its /readyz succeeds. */
async function waitUntilReady(
  programs: Map<string, ChildProgram>,
  config: StartConfig,
  say: (line: string) => void,
): Promise<AllReady> {
  const started = [...programs].map(async ([name, { ready }]) => {
    const message = await ready
    const ports = new Map(
      Object.entries({
        platform: config.PORT,
        partner: config.PARTNER_PORT,
        'second-partner': config.SECOND_PARTNER_PORT,
        sandbox: config.SANDBOX_PORT,
      }),
    )
    const port = required(ports.get(name), `port of the ${name}`)
    while (!(await isReachable(`${localUrl(config.HOST, port)}/readyz`))) await sleep(50, undefined, { ref: false })
    say(`the ${name.replace('-', ' ')} is ready ${sinceStart()}`)
    return [name, message] as const
  })
  return Object.fromEntries(await Promise.all(started))
}

// `fetch` and an import of `node:http` would load the HTTP client of Node, which takes long.
const isReachable = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { get } = process.getBuiltinModule('node:http')
    const options = { agent: false, signal: AbortSignal.timeout(2000) }
    get(url, options, (answer) => resolve(answer.resume().statusCode === 200)).on('error', () => resolve(false))
  })

const stopAll = async (programs: Map<string, ChildProgram>): Promise<void> =>
  void (await Promise.all([...programs.values()].map((program) => program.stop())))

const jsonSummary = (directory: string, config: StartConfig) => ({
  pid: process.pid,
  platform: config.publicUrl,
  ...(config.partnerUrl && { partner: config.partnerUrl }),
  ...(config.secondPartnerUrl && { secondPartner: config.secondPartnerUrl }),
  ...(config.SANDBOX && { sandbox: config.sandboxUrl, credentials: sandboxFile(directory) }),
})

/** Returns a function that ends the watch, which would keep the launcher running: Node ignores `unref` of it. */
function restartOnChange(programs: Map<string, ChildProgram>, say: (line: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const onChange = (_event: string, file: string | null) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      say(`${file} changed; restarting the programs`)
      for (const program of programs.values()) void program.restart()
    }, 150)
  }
  const watchers = ['apps', 'packages'].map((folder) => watchFiles(join(home, folder), { recursive: true }, onChange))
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
