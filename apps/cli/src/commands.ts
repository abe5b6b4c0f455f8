// The commands of `lendloom`. A command is loaded when it is called: `lendloom key list` does not load the modules of `start`.

import type { Command, CommandTree } from './command.ts'
import type { Summaries } from './help.ts'

export type Commands = Summaries<() => Promise<Command | CommandTree>>

/** Options of every command. */
export const common = {
  help: { type: 'boolean', short: 'h', about: 'explain the command' },
  json: { type: 'boolean', about: 'print JSON, also for errors' },
  context: { type: 'string', value: 'name', about: 'the context of the command: see lendloom help context' },
} as const

/** The command that prints completion scripts for these commands. */
export const completionOf = (known: () => Commands): Commands[string] => ({
  summary: 'shell completion for bash, zsh and fish',
  load: async () => (await import('./completion.ts')).completionGroup({ commands: known(), common }),
})

/** Commands about a noun that are made from the console's operations. */
const ofConsole = (noun: string, summary: string): Commands[string] => ({
  summary,
  load: async () => ({ name: noun, summary, commands: (await import('./console/commands.ts')).operationsOf(noun) }),
})

/** Commands that run on any machine, against the console of a platform. */
export const consoleCommands: Commands = {
  login: {
    summary: 'sign in to a platform, to work with it from any machine',
    load: async () => (await import('./login.ts')).login,
  },
  logout: { summary: 'end the session of the current context', load: async () => (await import('./login.ts')).logout },
  context: {
    summary: 'the platforms to which you have signed in: list, use, set, remove',
    load: async () => (await import('./context.ts')).context,
  },
  status: {
    summary: 'who you are, on which platform, and whether it answers',
    load: async () => (await import('./status.ts')).status,
  },
  doctor: {
    summary: 'check session, API keys, origins and webhook endpoints, and say what to do',
    load: async () => (await import('./doctor/platform.ts')).platformDoctor,
  },
  open: { summary: 'open a page of the console', load: async () => (await import('./open.ts')).open },
  journey: {
    summary: 'journeys: search, list, show, timeline, notes, and actions on a journey',
    load: async () => (await import('./journey.ts')).journey,
  },
  session: {
    summary: 'hosted sessions with an API key: create',
    load: async () => (await import('./session.ts')).session,
  },
  sandbox: ofConsole('sandbox', 'sandbox journeys with any fault scenario'),
  tenant: {
    summary: 'tenants, their applications and the themes of their pages',
    load: async () => (await import('./tenant.ts')).tenant,
  },
  partner: {
    summary: 'lending partners outside the network: add, change, rotate, switch off and on',
    load: async () => (await import('./partner.ts')).partner,
  },
  complaints: ofConsole('complaints', 'borrowers’ complaints: read, answer, resolve, report'),
  webhook: {
    summary: 'webhook endpoints and deliveries',
    load: async () => (await import('./webhook.ts')).webhook,
  },
  figures: {
    summary: 'the figures of the console’s overview: show, csv, rebuild',
    load: async () => (await import('./figures.ts')).figures,
  },
  lenders: ofConsole('lenders', 'health of lenders, and switching a lender off'),
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
  trigger: {
    summary: 'drive a new sandbox journey to a lifecycle status, so that its updates arrive',
    load: async () => (await import('./trigger.ts')).trigger,
  },
  logs: {
    summary: 'API requests of integrators as they arrive',
    load: async () => (await import('./logs.ts')).logs,
  },
  requests: ofConsole('requests', 'API requests of integrators and the responses'),
  views: ofConsole('views', 'saved views of the console’s lists: list, save, delete'),
  mail: ofConsole('mail', 'outgoing, failed and quarantined mail: list, retry'),
  completion: completionOf(() => consoleCommands),
  account: ofConsole('account', 'your own sessions, passkeys and linked accounts'),
  key: ofConsole('key', 'API keys: create, list, roll, revoke'),
}

/** Commands that need the files, databases or keys of an installation. */
export const machineCommands: Commands = {
  exchange: {
    summary: 'the exchange with lending partners: transcripts, pending events, retries, conformance tests',
    load: async () => (await import('./exchange.ts')).exchange,
  },
  scenarios: {
    summary: 'list the fault scenarios of the sandbox by the digits of a PAN',
    load: async () => (await import('./scenarios.ts')).scenarios,
  },
  openapi: { summary: 'print the API as OpenAPI 3.1', load: async () => (await import('./openapi.ts')).openapi },
  run: {
    summary: 'run one program with the settings of the environment',
    load: async () => (await import('./run-program.ts')).runProgram,
  },
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
  migrate: { summary: 'migrate the databases', load: async () => (await import('./migrate.ts')).migrate },
  database: {
    summary: 'databases over several servers: distribute, show',
    load: async () => (await import('./database/group.ts')).database,
  },
  keys: {
    summary: 'the keys that seal personal data: create, list, reseal',
    load: async () => (await import('./keys.ts')).keys,
  },
  archive: {
    summary: 'the archive of old messages: run, list, read',
    load: async () => (await import('./archive.ts')).archive,
  },
  clock: {
    summary: 'the time of the simulation: show, advance',
    load: async () => (await import('./clock.ts')).clock,
  },
  desk: {
    summary: 'users of the lending partner’s desk, its audit log and its reports',
    load: async () => (await import('./desk.ts')).desk,
  },
  network: {
    summary: 'the open credit network: checks, transcripts, evidence, complaints, subscription',
    load: async () => (await import('./network.ts')).network,
  },
}
