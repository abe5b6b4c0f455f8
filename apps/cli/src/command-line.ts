// Runs a command line: finds the command, parses its options, prints its result or error.

import { parseArgs } from 'node:util'
import { ConfigError } from '@lendloom/foundation/config'
import { ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { withUnwrappedKeys } from '@lendloom/seal/key-source'
import { CannotRun, type Command, type CommandTree, type Options, UsageError } from './command.ts'
import { type Commands, common } from './commands.ts'
import { checkRequired, withDefaults } from './console/names.ts'
import { helpFor, overview } from './help.ts'
import { nearest } from './nearest.ts'
import { write } from './terminal.ts'
import { version } from './version.ts'

export interface Terminal {
  commands: Commands
  /** Where to find help if a command is unknown. */
  help?: string
  env: NodeJS.ProcessEnv
  print(text: string): void
  complain(text: string): void
}

/** Runs one command line. Returns its exit code: 0 success, 1 failure or failed check, 2 wrong usage. */
export async function run(argv: string[], terminal: Terminal): Promise<number> {
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
  const { commands: known, help = 'lendloom help' } = terminal
  const print = (text: string) => printAndSucceed(terminal, text)
  const [name, ...rest] = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  if (name === undefined || name.startsWith('-')) {
    if (name === '--version' || name === '-v') return print(version)
    if (name !== undefined && !['--help', '-h', '--json'].includes(name)) throw new UsageError(`unknown option ${name}`)
    return print(overview(known))
  }
  const entry = ownValue(known, name)
  if (!entry) throw unknownCommand(name, Object.keys(known), help)
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
  // An unset variable of a script must not select the current context.
  if (values.context === '') throw new UsageError('the name after --context is missing')
  const json = values.json === true
  const given =
    values.context === undefined ? terminal.env : { ...terminal.env, LENDLOOM_CONTEXT: String(values.context) }
  const options = withDefaults(command, values, given)
  checkRequired(command, options)
  const env = await withUnwrappedKeys(given)
  const output = await command.run({ args: positionals, options, json, env })
  if (output?.notice) terminal.complain(output.notice)
  if (output) terminal.print(json ? jsonOf(output.data) : output.text)
  return output?.exitCode ?? 0
}

/** Every list has the shape of a page of the API. */
const jsonOf = (data: unknown): string =>
  JSON.stringify(Array.isArray(data) ? { items: data, next: null } : data, bigintAsText, 2)

function printAndSucceed({ print }: Terminal, text: string): 0 {
  print(text)
  return 0
}

function parseOptions(command: Command, argv: string[]) {
  try {
    const options = { ...command.options, ...common }
    const parsed = parseArgs({ args: argv, options, allowPositionals: true, strict: true, tokens: true })
    checkGivenOnce(parsed.tokens, options)
    return parsed
  } catch (error) {
    if (!String(codeOf(error)).startsWith('ERR_PARSE_ARGS')) throw error
    const [message = ''] = messageOf(error).split(/\.\s+(?:To specify|Did you)/)
    throw new UsageError(`${message.replace(/\.$/, '')}; see lendloom help ${command.name}`)
  }
}

/** Throws `UsageError` for an option that is given twice but takes one value, and for `--no-x` beside `--x`. */
function checkGivenOnce(tokens: { kind: string; name?: string }[], options: Options): void {
  const names = tokens.flatMap(({ kind, name }) => (kind === 'option' && name !== undefined ? [name] : []))
  const repeated = names.find((name, at) => names.indexOf(name) !== at && !options[name]?.multiple)
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice`)
  const opposite = names.find((name) => names.includes(`no-${name}`))
  if (opposite !== undefined) throw new UsageError(`--${opposite} and --no-${opposite} exclude each other`)
}

function describeError(error: unknown): { code: string; message: string; details?: unknown } {
  if (error instanceof UsageError) return { code: 'usage', message: error.message }
  if (error instanceof Refusal) return { code: error.kind, message: error.message, details: error.details }
  if (error instanceof CannotRun) return { code: 'impossible', message: error.message }
  if (error instanceof ConfigError) return { code: 'configuration', message: error.message }
  return { code: 'failed', message: String(error instanceof Error ? error.stack : error) }
}

const bigintAsText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

export async function runProcess(known: Pick<Terminal, 'commands' | 'help'>): Promise<void> {
  // `lendloom … | head` closes our output early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  process.exitCode = await run(process.argv.slice(2), {
    ...known,
    env: process.env,
    print: (text) => void write(process.stdout, text),
    complain: (text) => void write(process.stderr, text),
  })
}
