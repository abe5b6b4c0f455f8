// The command line of Lendloom: finds the command, parses its options, prints its result or error.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withUnwrappedKeys } from '#kit/crypto/key-source.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { ConfigError } from '#kit/runtime/config.ts'
import { quickenImports } from '#kit/runtime/quick-imports.ts'
import { codeOf, messageOf } from '#kit/runtime/record.ts'
import { CannotRun, type Command, type CommandTree, UsageError } from './command.ts'
import { helpFor, overview, type Summaries } from './help.ts'
import { dotEnvFile } from './installation.ts'
import { nearest } from './nearest.ts'

// A command is loaded when it is called: `lendloom key list` does not load the modules of `start`.
export const commands: Summaries<() => Promise<Command | CommandTree>> = {
  start: { summary: 'run everything until interrupted', load: async () => (await import('./start.ts')).start },
  backup: {
    summary: 'back up the embedded PostgreSQL and the files of npm start, and archive every change from then on',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    summary: 'restore a backup of npm start, to any instant in its archive',
    load: async () => (await import('./restore.ts')).restore,
  },
  doctor: {
    summary: 'check settings, databases, keys, network, mail and disks, and say what to do',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  init: {
    summary: 'make the keys and the environment file of a program for real use',
    load: async () => (await import('./init.ts')).init,
  },
  settings: { summary: 'list all settings', load: async () => (await import('./settings.ts')).settings },
  scenarios: {
    summary: 'list the fault scenarios of the sandbox by the digits of a PAN',
    load: async () => (await import('./scenarios.ts')).scenarios,
  },
  openapi: { summary: 'print the API as OpenAPI 3.1', load: async () => (await import('./openapi.ts')).openapi },
  migrate: { summary: 'migrate the databases', load: async () => (await import('./migrate.ts')).migrate },
  database: {
    summary: 'databases over several servers: distribute, show',
    load: async () => (await import('./database/group.ts')).database,
  },
  journey: {
    summary: 'journeys: search, list, show, timeline, notes, and actions on a journey',
    load: async () => (await import('./journey.ts')).journey,
  },
  sandbox: {
    summary: 'sandbox journeys with any fault scenario',
    load: async () => (await import('./sandbox.ts')).sandbox,
  },
  tenant: {
    summary: 'tenants, their applications and the themes of their pages',
    load: async () => (await import('./tenant.ts')).tenant,
  },
  clock: {
    summary: 'the time of the simulation: show, advance',
    load: async () => (await import('./clock.ts')).clock,
  },
  exchange: {
    summary: 'the exchange with lending partners: transcripts, pending events, retries, conformance tests',
    load: async () => (await import('./exchange.ts')).exchange,
  },
  partner: {
    summary: 'lending partners outside the network: add, change, rotate, switch off and on',
    load: async () => (await import('./partner.ts')).partner,
  },
  desk: {
    summary: 'users of the lending partner’s desk, its audit log and its reports',
    load: async () => (await import('./desk.ts')).desk,
  },
  network: {
    summary: 'the open credit network: transcripts, complaints, subscription',
    load: async () => (await import('./network.ts')).network,
  },
  complaints: {
    summary: 'borrowers’ complaints: read, answer, resolve, report',
    load: async () => (await import('./complaints.ts')).complaints,
  },
  webhook: {
    summary: 'webhook endpoints and deliveries',
    load: async () => (await import('./webhook.ts')).webhook,
  },
  figures: {
    summary: 'the figures of the console’s overview: show, csv, rebuild',
    load: async () => (await import('./figures.ts')).figures,
  },
  keys: {
    summary: 'the keys that seal personal data: create, list, reseal',
    load: async () => (await import('./keys.ts')).keys,
  },
  lenders: {
    summary: 'health of lenders, and switching a lender off',
    load: async () => (await import('./lenders.ts')).lenders,
  },
  people: {
    summary: 'users of the console and their roles',
    load: async () => (await import('./people.ts')).people,
  },
  audit: {
    summary: 'the audit log of the console: list, verify',
    load: async () => (await import('./audit.ts')).audit,
  },
  privacy: {
    summary: 'borrowers’ data: show, export, erase, legal hold, nominee, periods',
    load: async () => (await import('./privacy.ts')).privacy,
  },
  archive: {
    summary: 'the archive of old messages: run, list, read',
    load: async () => (await import('./archive.ts')).archive,
  },
  requests: {
    summary: 'API requests of integrators and the responses',
    load: async () => (await import('./requests.ts')).requests,
  },
  views: {
    summary: 'saved views of the console’s lists: list, save, delete',
    load: async () => (await import('./views.ts')).views,
  },
  mail: {
    summary: 'outgoing, failed and quarantined mail: list, retry',
    load: async () => (await import('./mail.ts')).mail,
  },
  completion: {
    summary: 'shell completion for bash, zsh and fish',
    load: async () => (await import('./completion.ts')).completionOf({ commands, common }),
  },
  key: { summary: 'API keys: create, list, roll, revoke', load: async () => (await import('./key.ts')).key },
}

const { version }: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
)

export const common = {
  help: { type: 'boolean', short: 'h', about: 'explain the command' },
  json: { type: 'boolean', about: 'print JSON, also for errors' },
} as const

export interface Terminal {
  env: NodeJS.ProcessEnv
  print(text: string): void
  complain(text: string): void
}

/** Runs one command line. Returns its exit code: 0 success, 1 failure or failed check, 2 wrong usage. */
export async function main(argv: string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(argv, terminal)
  } catch (error) {
    const { code, message, details } = describeError(error)
    const json = argv.includes('--json')
    terminal.complain(json ? JSON.stringify({ error: { code, message, details } }) : `lendloom: ${message}`)
    return code === 'usage' ? 2 : 1
  }
}

async function dispatch(argv: string[], terminal: Terminal): Promise<number> {
  const print = (text: string) => printAndSucceed(terminal, text)
  const [name, ...rest] = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  if (name === undefined || name.startsWith('-')) {
    if (name === '--version' || name === '-v') return print(version)
    if (name !== undefined && !['--help', '-h', '--json'].includes(name)) throw new UsageError(`unknown option ${name}`)
    return print(overview(commands))
  }
  const entry = commands[name]
  if (!entry) throw unknownCommand(name, Object.keys(commands), 'lendloom help')
  return runFound(await entry.load(), rest, terminal)
}

async function runFound(found: Command | CommandTree, argv: string[], terminal: Terminal): Promise<number> {
  if (!('commands' in found)) return runCommand(found, argv, terminal)
  const [verb, ...args] = argv
  if (verb === undefined || verb === 'help' || verb.startsWith('-'))
    return printAndSucceed(terminal, helpFor(found, common))
  const names = found.commands.map(({ name }) => name)
  const chosen = found.commands.find(({ name }) => name === `${found.name} ${verb}`)
  if (chosen) return runFound(chosen, args, terminal)
  throw unknownCommand(`${found.name} ${verb}`, names, `lendloom help ${found.name}`)
}

function unknownCommand(name: string, known: string[], help: string): UsageError {
  const suggestion = nearest(name, known)
  return new UsageError(`unknown command "${name}"; ${suggestion ? `did you mean "${suggestion}"?` : `see ${help}`}`)
}

async function runCommand(command: Command, argv: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseOptions(command, argv)
  if (values.help) return printAndSucceed(terminal, helpFor(command, common))
  if (positionals.length > 0 && !/^\[?</.test(command.usage))
    throw new UsageError(`unexpected argument "${positionals[0]}"; see lendloom help ${command.name}`)
  const json = values.json === true
  const env = await withUnwrappedKeys(terminal.env)
  const output = await command.run({ args: positionals, options: values, json, env })
  if (output) terminal.print(json ? JSON.stringify(output.data, bigintAsText, 2) : output.text)
  return output?.exitCode ?? 0
}

function printAndSucceed({ print }: Terminal, text: string): 0 {
  print(text)
  return 0
}

function parseOptions(command: Command, argv: string[]) {
  try {
    return parseArgs({ args: argv, options: { ...command.options, ...common }, allowPositionals: true, strict: true })
  } catch (error) {
    if (!String(codeOf(error)).startsWith('ERR_PARSE_ARGS')) throw error
    const [message = ''] = messageOf(error).split(/\. To specify|\. Did you/)
    throw new UsageError(`${message.replace(/\.$/, '')}; see lendloom help ${command.name}`)
  }
}

function describeError(error: unknown): { code: string; message: string; details?: unknown } {
  if (error instanceof UsageError) return { code: 'usage', message: error.message }
  if (error instanceof Refusal) return { code: error.kind, message: error.message, details: error.details }
  if (error instanceof CannotRun) return { code: 'impossible', message: error.message }
  if (error instanceof ConfigError) return { code: 'configuration', message: error.message }
  return { code: 'failed', message: String(error instanceof Error ? error.stack : error) }
}

const bigintAsText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

export async function runCommandLine(): Promise<void> {
  quickenImports()
  if (existsSync(dotEnvFile)) process.loadEnvFile(dotEnvFile)
  // `lendloom … | head` closes our output early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  process.exitCode = await main(process.argv.slice(2), {
    env: process.env,
    print: (text) => void write(process.stdout, text),
    complain: (text) => void write(process.stderr, text),
  })
}

const write = (to: NodeJS.WriteStream, text: string) => to.write(`${to.isTTY ? withoutControls(text) : text}\n`)

/** Output contains text of lenders and borrowers, so colours are the only control sequences that reach a terminal. */
export const withoutControls = (text: string): string =>
  text.replace(/(?!\n|\t|\r\n)\p{Cc}(\[[\d;]*m)?/gu, (found, colour) =>
    colour !== undefined && found.startsWith('\u001b') ? found : '\ufffd',
  )

if (import.meta.main) await runCommandLine()
