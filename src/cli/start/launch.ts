// Starts everything in order, prints a short summary, and stops in reverse order.

import { rmSync, watch as watchFiles } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { furtherDatabases, programsIn } from '#cli/clock/advance.ts'
import { takeClockOrders } from '#cli/clock/orders.ts'
import { CannotRun } from '#cli/command.ts'
import {
  announceRun,
  clockFile,
  dataDirectory,
  forgetRun,
  home,
  type InstallationKeys,
  keysOf,
  prepare,
  runOf,
  sandboxFile,
  writeSecret,
} from '#cli/installation.ts'
import { portIsFree } from '#cli/postgres/server.ts'
import type { Ready } from '#kit/runtime/program.ts'
import { fieldsOf, required } from '#kit/runtime/record.ts'
import { type Databases, openDatabases } from './databases.ts'
import { deskChecker, deskEmail, environments, secondDesk, senders } from './environment.ts'
import { type ChildProgram, startProgram } from './program.ts'
import { localUrl, type StartConfig, startConfig } from './settings.ts'
import { summary } from './summary.ts'

export interface LaunchOptions {
  logs: boolean
  watch: boolean
  json: boolean
  env: NodeJS.ProcessEnv
}

/** Resolves when everything has stopped. Throws `CannotRun` if something cannot start. */
export async function launch({ logs, watch, json, env }: LaunchOptions): Promise<void> {
  const config = startConfig(env)
  const directory = dataDirectory(env)
  const say = (line: string): void => void process.stderr.write(`lendloom: ${line}\n`)
  const signals = new Signals()
  prepare(directory)

  await using stack = new AsyncDisposableStack()
  const databases = await openDatabases(directory, config, say)
  stack.defer(() => databases.stop())
  await portsAreFree(directory, config)
  rmSync(sandboxFile(directory), { force: true })
  stack.defer(() => forgetRun(directory))

  const keys = keysOf(directory)
  const envs = environments({ env, config, directory, databases, keys })
  const programs = new Map(
    Object.entries(envs).map(([name, own]) => {
      const log = logs ? null : join(directory, 'logs', `${name}.log`)
      return [name, startProgram({ name, entry: `src/${name.replace('second-', '')}/main.ts`, env: own, log, say })]
    }),
  )
  stack.defer(() => allStopped(programs))
  signals.onSecond(() => {
    for (const program of programs.values()) program.kill()
  })

  const ready = await Promise.race([allReady(programs, config), signals.first])
  if (typeof ready === 'string') return
  write({ directory, config, databases, keys }, ready)
  process.stdout.write(json ? `${JSON.stringify(brief(directory, config))}\n` : summary({ config, directory, logs }))
  const running = runOf(directory)
  if (config.SANDBOX && running) {
    const orders = takeClockOrders({
      file: clockFile(directory),
      env,
      programs: programsIn(running),
      more: furtherDatabases(running),
    })
    stack.defer(async () => orders.stop())
  }
  if (watch) restartOnChange(programs, say)
  say(`${await signals.first}: stopping; press Ctrl+C again to stop at once`)
}

/** The first signal stops gracefully, the second one at once. */
class Signals {
  readonly first: Promise<string>
  #insist = () => {}

  constructor() {
    this.first = new Promise((resolve) => {
      let isStopping = false
      const receive = (signal: string) => {
        if (isStopping) this.#insist()
        isStopping = true
        resolve(signal)
      }
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive)
      if (process.env.npm_lifecycle_event) whenOrphaned(() => receive('npm is gone'))
    })
  }

  onSecond(act: () => void): void {
    this.#insist = act
  }
}

/** npm forwards signals, but if it is killed, the programs would keep running. */
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
async function portsAreFree(directory: string, config: StartConfig): Promise<void> {
  const deadline = Date.now() + (runOf(directory) ? leftoverPatienceMs : 0)
  const wanted = {
    PORT: config.PORT,
    ...(config.SANDBOX && {
      SANDBOX_PORT: config.SANDBOX_PORT,
      SANDBOX_SMTP_PORT: config.SANDBOX_SMTP_PORT,
      MAIL_IN_PORT: config.MAIL_IN_PORT,
    }),
    ...(config.partnerUrl && { PARTNER_PORT: config.PARTNER_PORT }),
    ...(config.secondPartnerUrl && { SECOND_PARTNER_PORT: config.SECOND_PARTNER_PORT }),
  }
  for (const [variable, port] of Object.entries(wanted))
    while (port !== null && !(await portIsFree(port, config.HOST))) {
      if (Date.now() > deadline)
        throw new CannotRun(`port ${port} on ${config.HOST} is taken; free it, or set ${variable} to another one`)
      await sleep(100)
    }
}

type AllReady = Record<string, Ready>

/** Ready: the program reported it, and its /readyz succeeds. */
async function allReady(programs: Map<string, ChildProgram>, config: StartConfig): Promise<AllReady> {
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
    while (!(await answers(`${localUrl(config.HOST, port)}/readyz`))) await sleep(50)
    return [name, message] as const
  })
  return Object.fromEntries(await Promise.all(started))
}

async function answers(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(url, { signal: AbortSignal.timeout(2000) })
    return ok
  } catch {
    return false
  }
}

const allStopped = async (programs: Map<string, ChildProgram>): Promise<void> =>
  void (await Promise.all([...programs.values()].map((program) => program.stop())))

/** The output of `--json` when everything is ready. */
const brief = (directory: string, config: StartConfig) => ({
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

function write({ directory, config, databases, keys }: LaunchContext, ready: AllReady) {
  const platform = { url: config.publicUrl, databaseUrl: databases.platform }
  const partner = config.partnerUrl ? { url: config.partnerUrl, databaseUrl: databases.partner } : null
  const secondPartner = config.secondPartnerUrl
    ? { url: config.secondPartnerUrl, databaseUrl: databases.secondPartner }
    : null
  const sandbox = config.SANDBOX ? { url: config.sandboxUrl, databaseUrl: databases.sandbox } : null
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

/** Each partner with the credentials of both sides; the first one also has its own field names. */
function partnersOf(config: StartConfig, keys: InstallationKeys) {
  const { partnerUrl, secondPartnerUrl } = config
  if (!partnerUrl) return {}
  const webhookUrl = `${config.publicUrl}/api/partner/webhook`
  const { deskPassword: password } = keys
  const checker = { password: deskChecker.passwordBy(keys) }
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
      say(`${file} changed, starting the programs again`)
      for (const program of programs.values()) void program.restart()
    }, 150)
  }).unref()
}
