// `lendloom init`: makes the keys and the environment file of a program that runs outside the sandbox.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { isOneOf } from '@lendloom/foundation/record'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { networkNames } from '@lendloom/platform/operations/network'
import { CannotRun, type CommandCall, command, requireArgument, UsageError } from './command.ts'
import {
  type Creation,
  type InitAnswers,
  type MissingSetting,
  type Profile,
  profiles,
  type Question,
} from './init/profiles.ts'
import { programOf, realPrograms } from './program-names.ts'

const options = {
  program: { type: 'string', value: realPrograms.join('|'), about: 'the program (default: platform)' },
  url: { type: 'string', value: 'https://…', about: 'public URL of the program' },
  database: { type: 'string', value: 'postgres://…', about: 'URL of its database' },
  files: {
    type: 'string',
    value: 'path',
    about: 'directory for the files of a partner (default: /var/lib/lendloom/files)',
  },
  subscriber: { type: 'string', value: 'domain', about: 'subscriber id on the network (default: the host of --url)' },
  network: { type: 'string', value: networkNames.join('|'), about: 'environment of the network (default: preprod)' },
  mail: { type: 'string', value: 'smtp://…', about: 'URL of the mail server' },
  alerts: { type: 'string', value: 'address', about: 'e-mail address for alerts' },
  mounted: { type: 'string', value: 'path', about: 'where the program will see the directory (default: where it is)' },
} as const

export const init = command({
  name: 'init',
  summary: 'make the keys and the environment file of a program for real use, in a new directory',
  usage:
    '<directory> [--program platform|partner] [--url <url>] [--database <url>] [--files <path>] [--subscriber <domain>] [--network <name>] [--mail <url>] [--alerts <address>] [--mounted <path>]',
  options,
  async run({ args, options: given }: CommandCall<typeof options>) {
    const directory = resolve(requireArgument(args, 'the new directory'))
    const program = programOf(given.program ?? 'platform', realPrograms)
    const mounted = given.mounted ?? directory
    for (const path of [directory, mounted]) requirePlainPath(path)
    requireNewDirectory(directory)
    const profile = profiles[program]
    const answers = await answersTo(profile.questions, given)
    const { secrets, settings, publicKeys } = creationOf(profile, answers)
    const values: Record<string, string> = { SANDBOX: 'off', ...settings }
    const missingAtFirst = profile.missing({ ...values, ...secrets })
    requireValidAnswers(profile.questions, missingAtFirst)
    for (const setting of process.stdin.isTTY ? missingAtFirst.filter(({ fields }) => fields.length > 0) : []) {
      const value = await askForFields(
        setting,
        (text) =>
          profile.missing({ ...values, ...secrets, [setting.name]: text }).find(({ name }) => name === setting.name)
            ?.fault,
      )
      if (value !== undefined) (setting.isSecret ? secrets : values)[setting.name] = value
    }
    const missing = profile.missing({ ...values, ...secrets })
    const files = {
      ...Object.fromEntries(Object.entries(secrets).map(([name, text]) => [join('secrets', name), `${text}\n`])),
      [`${program}.env`]: environmentFile(program, { values, secretNames: Object.keys(secrets), mounted, missing }),
    }
    writeDirectory(directory, files)
    const missingNames = missing.map(({ name }) => name)
    const text = summaryOf({ program, directory, publicKeys, missing: missingNames })
    return { text, data: { directory, files: Object.keys(files), publicKeys, missing: missingNames } }
  },
})

/** Characters that the readers of environment files (Node, systemd, podman) take in different ways. */
const ambiguous = /[\s#'"`\\$\p{Cc}]/u
const ambiguousInJson = /[#'`\\$]/

function requirePlainPath(path: string): void {
  if (!isAbsolute(path)) throw new UsageError(`--mounted must be an absolute path, not "${path}"`)
  if (ambiguous.test(path)) throw new UsageError(`the path must have no blanks, quotes, #, $ or \\: ${path}`)
}

/** Throws `CannotRun` unless the directory is missing or empty. */
function requireNewDirectory(directory: string): void {
  let files: string[]
  try {
    files = readdirSync(directory)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw new CannotRun(`${directory} cannot be used: ${messageOf(error)}`)
  }
  if (files.length > 0) throw new CannotRun(`${directory} is not empty; name a new directory, so that no key is lost`)
}

/** Asks at a terminal for what no option answers. Throws `UsageError` elsewhere, and for an invalid answer. */
async function answersTo(
  questions: Question[],
  given: Readonly<Record<string, string | undefined>>,
): Promise<InitAnswers> {
  const answers: InitAnswers = {}
  for (const { option, ask, suggest, isOptional } of questions) {
    const suggestion = suggest?.(answers)
    const answer = given[option] ?? (process.stdin.isTTY ? await askFor(ask, suggestion) : undefined) ?? suggestion
    if (!answer && isOptional) continue
    if (!answer) throw new UsageError(`--${option} is missing: ${ask}`)
    if (ambiguous.test(answer)) throw new UsageError(`--${option} must have no blanks, quotes, #, $ or \\`)
    answers[option] = answer
  }
  if (answers.network !== undefined && !isOneOf(networkNames, answers.network))
    throw new UsageError(`--network must be ${networkNames.join(' or ')}, not "${answers.network}"`)
  requirePublicUrl(answers.url ?? '')
  return answers
}

function requirePublicUrl(text: string): void {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:') throw new UsageError('--url must begin with https://')
  if (url.username || url.password || url.search || url.hash)
    throw new UsageError('--url must have no user, password, query or fragment')
}

/** Throws `UsageError` for an answer that the program would refuse. */
function requireValidAnswers(questions: Question[], refused: MissingSetting[]): void {
  for (const { option, setting, ask } of questions)
    if (refused.some(({ name }) => name === setting)) throw new UsageError(`--${option} is not valid: ${ask}`)
}

async function askFor(question: string, suggestion = ''): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question}${suggestion && ` [${suggestion}]`}: `)
  terminal.close()
  return answer.trim() || undefined
}

/** Asks for each field of a JSON setting, until they are valid. Undefined if the operator leaves the first one empty. */
async function askForFields(
  { name, about, fields }: MissingSetting,
  faultOf: (value: string) => string | undefined,
): Promise<string | undefined> {
  process.stderr.write(`\n${about}\n(empty: set it later)\n`)
  for (;;) {
    const entries: [field: string, answer: string][] = []
    for (const field of fields) {
      const answer = await askFor(`  ${field}`)
      if (!answer && entries.length === 0) return undefined
      entries.push([field, answer ?? ''])
    }
    const value = JSON.stringify(Object.fromEntries(entries))
    const fault = ambiguousInJson.test(value) ? `${name} must have no #, ', \`, \\ or $` : faultOf(value)
    if (fault === undefined) return value
    process.stderr.write(`${fault}\n`)
  }
}

function creationOf(profile: Profile, answers: InitAnswers): Creation {
  const { secrets, settings, publicKeys } = profile.create()
  const answered = profile.questions.filter(({ option }) => answers[option] !== undefined)
  const valuesOf = (list: Question[]) =>
    Object.fromEntries(list.map(({ option, setting }) => [setting, answers[option] ?? '']))
  return {
    secrets: { ...valuesOf(answered.filter(({ isSecret }) => isSecret)), ...secrets },
    settings: { ...valuesOf(answered.filter(({ isSecret }) => !isSecret)), ...settings },
    publicKeys,
  }
}

interface EnvironmentFile {
  values: Record<string, string>
  secretNames: string[]
  mounted: string
  missing: MissingSetting[]
}

function environmentFile(program: string, { values, secretNames, mounted, missing }: EnvironmentFile): string {
  return [
    `# Settings of the ${program}, made by lendloom init. All others: lendloom settings`,
    '# One NAME=value a line, without quotes and comments behind the value. For a secret, NAME_FILE may name a file.',
    ...Object.entries(values).map(([name, value]) => `${name}=${value}`),
    ...secretNames.map((name) => `${name}_FILE=${join(mounted, 'secrets', name)}`),
    ...(missing.length > 0 ? ['', '# Still to be set, each with your own value'] : []),
    ...missing.flatMap(({ name, about, fields }) => ['', `# ${about}`, `#${name}=${templateOf(fields)}`]),
    '',
  ].join('\n')
}

const templateOf = (fields: readonly string[]): string =>
  fields.length === 0 ? '' : JSON.stringify(Object.fromEntries(fields.map((field) => [field, ''])))

/** Creates the directory with all files or not at all; only its owner may read it. */
function writeDirectory(directory: string, files: Record<string, string>): void {
  let temporary: string | undefined
  try {
    mkdirSync(dirname(directory), { recursive: true })
    temporary = mkdtempSync(`${directory}.new-`)
    mkdirSync(join(temporary, 'secrets'), { mode: 0o700 })
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(temporary, name), text, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(temporary, directory)
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
    throw new CannotRun(`${directory} cannot be written: ${messageOf(error)}`)
  }
}

interface Summary {
  program: string
  directory: string
  publicKeys: Record<string, string>
  missing: string[]
}

function summaryOf({ program, directory, publicKeys, missing }: Summary): string {
  const env = join(directory, `${program}.env`)
  const keys = Object.entries(publicKeys).map(([whose, key]) => `  ${whose}:\n    ${key}`)
  return [
    `Made ${env} and the keys in ${join(directory, 'secrets')}.`,
    'Back both up where only you can read them: without LENDLOOM_KEYS nobody can read the personal data.',
    `Only you may read them now. If the program runs as another user: chown -R USER ${directory}`,
    ...(keys.length > 0 ? ['', 'Public keys, for those who register you:', ...keys] : []),
    '',
    'Next:',
    ...(missing.length > 0 ? [`  set ${missing.length} more settings, listed at the end of ${env}`] : []),
    `  node --env-file=${env} bin/lendloom.js doctor`,
    `  node --env-file=${env} --max-semi-space-size=32 --max-old-space-size=1408 apps/${program}/src/main.ts`,
  ].join('\n')
}
