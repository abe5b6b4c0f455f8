// Starts the databases and programs in order, prints a summary, and stops them in reverse order.

import { rmSync, watch as watchFiles } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyFilesRegularly } from '#cli/backup/setup.ts'
import { otherDatabaseUrlsOf, programsIn } from '#cli/clock/advance.ts'
import { watchClockRequests } from '#cli/clock/requests.ts'
import { CannotRun } from '#cli/command.ts'
import {
  announceRun,
  clockFile,
  dataDirectory,
  forgetRun,
  home,
  prepareDataDirectory,
  runOf,
  sandboxFile,
  writeSecret,
} from '#cli/installation.ts'
import { type InstallationKeys, keysOf } from '#cli/installation-keys.ts'
import { portIsFree } from '#cli/postgres/server.ts'
import { withSecrets } from '#kit/runtime/config.ts'
import type { Ready } from '#kit/runtime/program.ts'
import { fieldsOf, required } from '#kit/runtime/record.ts'
import { type Databases, openDatabases } from './databases.ts'
import { deskChecker, deskEmail, environments, secondDesk, secretNames, senders } from './environment.ts'
import { type ChildProgram, startProgram } from './program.ts'
import { localUrl, type StartConfig, startConfig } from './settings.ts'
import { summary } from './summary.ts'

export interface LaunchOptions {
  logs: boolean
  watch: boolean
  json: boolean
  env: NodeJS.ProcessEnv
}

/** Resolves when everything has stopped. Throws `CannotRun` if a database or program cannot start. */
export async function launch({ logs, watch, json, env: given }: LaunchOptions): Promise<void> {
  const env = withSecrets(given, secretNames)
  const config = startConfig(env)
  const directory = dataDirectory(env)
  const say = (line: string): void => void process.stderr.write(`lendloom: ${line}\n`)
  const signals = new Signals()
  prepareDataDirectory(directory)

  await using stack = new AsyncDisposableStack()
  const databases = await openDatabases(directory, config, say)
  stack.defer(() => databases.stop())
  await waitForPorts(directory, config)
  rmSync(sandboxFile(directory), { force: true })
  stack.defer(() => forgetRun(directory))

  const keys = keysOf(directory)
  const programs = new Map(
    Object.entries(environments({ env, config, directory, databases, keys })).map(([name, programEnv]) => {
      const log = logs ? null : join(directory, 'logs', `${name}.log`)
      return [
        name,
        startProgram({ name, entry: `src/${name.replace('second-', '')}/main.ts`, env: programEnv, log, say }),
      ]
    }),
  )
  stack.defer(copyFilesRegularly({ data: directory, env, say }))
  stack.defer(() => stopAll(programs))
  signals.onSecond(() => {
    for (const program of programs.values()) program.kill()
  })

  const ready = await Promise.race([waitUntilReady(programs, config), signals.first])
  if (typeof ready === 'string') return
  writeRunFiles({ directory, config, databases, keys }, ready)
  process.stdout.write(
    json ? `${JSON.stringify(jsonSummary(directory, config))}\n` : summary({ config, directory, logs }),
  )
  const running = runOf(directory)
  if (config.SANDBOX && running) {
    const requestWatcher = watchClockRequests({
      file: clockFile(directory),
      env,
      programs: programsIn(running),
      otherDatabaseUrls: otherDatabaseUrlsOf(running),
    })
    stack.defer(async () => requestWatcher.stop())
  }
  if (watch) restartOnChange(programs, say)
  say(`${await signals.first}: stopping; press Ctrl-C again to stop at once`)
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

type AllReady = Record<string, Ready>

/** Waits until every program has reported that it is ready and its /readyz succeeds. */
async function waitUntilReady(programs: Map<string, ChildProgram>, config: StartConfig): Promise<AllReady> {
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
    while (!(await isReachable(`${localUrl(config.HOST, port)}/readyz`))) await sleep(50)
    return [name, message] as const
  })
  return Object.fromEntries(await Promise.all(started))
}

async function isReachable(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(url, { signal: AbortSignal.timeout(2000) })
    return ok
  } catch {
    return false
  }
}

const stopAll = async (programs: Map<string, ChildProgram>): Promise<void> =>
  void (await Promise.all([...programs.values()].map((program) => program.stop())))

/** The output of `--json` when everything is ready. */
const jsonSummary = (directory: string, config: StartConfig) => ({
  pid: process.pid,
  platform: config.publicUrl,
  ...(config.partnerUrl && { partner: config.partnerUrl }),
  ...(config.secondPartnerUrl && { secondPartner: config.secondPartnerUrl }),
  ...(config.SANDBOX && { sandbox: config.sandboxUrl, credentials: sandboxFile(directory) }),
})

interface LaunchContext {
  directory: string
  config: StartConfig
  databases: Databases
  keys: InstallationKeys
}

function writeRunFiles({ directory, config, databases, keys }: LaunchContext, ready: AllReady) {
  const platform = { url: config.publicUrl, databaseUrl: databases.platform }
  const partner = config.partnerUrl ? { url: config.partnerUrl, databaseUrl: databases.partner } : null
  const secondPartner = config.secondPartnerUrl
    ? { url: config.secondPartnerUrl, databaseUrl: databases.secondPartner }
    : null
  const sandbox = config.SANDBOX
    ? { url: config.sandboxUrl, databaseUrl: databases.sandbox, smtpPort: config.SANDBOX_SMTP_PORT }
    : null
  announceRun(directory, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    platform,
    partner,
    secondPartner,
    sandbox,
  })
  if (!config.SANDBOX) return
  const seeded = fieldsOf(ready.platform?.announce.sandbox)
  writeSecret(sandboxFile(directory), {
    platform: { url: config.publicUrl },
    sandbox: { url: config.sandboxUrl },
    ...seeded,
    ...(config.mailUrl !== null && { mailbox: `${config.sandboxUrl}/mailbox` }),
    ...partnersOf(config, keys),
  })
}

/** Lists each partner with the credentials of both directions. The first partner is also in the top-level fields. */
function partnersOf(config: StartConfig, keys: InstallationKeys) {
  const { partnerUrl, secondPartnerUrl } = config
  if (!partnerUrl) return {}
  const webhookUrl = `${config.publicUrl}/api/partner/webhook`
  const { deskPassword: password } = keys
  const checker = { password: deskChecker.passwordFrom(keys) }
  const first = {
    partner: { url: partnerUrl, ...keys.toPartner, sender: senders.platform },
    partnerWebhook: { url: webhookUrl, ...keys.toPlatform, sender: senders.partner },
    desk: { url: `${partnerUrl}/desk`, email: deskEmail, password, checker: { email: deskChecker.email, ...checker } },
  }
  const { partner, partnerWebhook: webhook, desk } = first
  const second = secondPartnerUrl && {
    sender: senders.second,
    ...{ partner: { url: secondPartnerUrl, ...keys.toSecondPartner, sender: senders.platform } },
    webhook: { url: webhookUrl, ...keys.toPlatformOfSecond, sender: senders.second },
    desk: {
      ...{ url: `${secondPartnerUrl}/desk`, email: secondDesk.email, password },
      checker: { email: secondDesk.checker, ...checker },
    },
  }
  return { ...first, partners: [{ sender: senders.partner, partner, webhook, desk }, ...(second ? [second] : [])] }
}

function restartOnChange(programs: Map<string, ChildProgram>, say: (line: string) => void): void {
  let timer: NodeJS.Timeout | undefined
  watchFiles(join(home, 'src'), { recursive: true }, (_event, file) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      say(`${file} changed; restarting the programs`)
      for (const program of programs.values()) void program.restart()
    }, 150)
  }).unref()
}
