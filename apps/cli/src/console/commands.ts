// Makes the commands of the console's operations, `lendloom <noun> <verb>`, from what `operations.json` says of each
// route: options, input and printed answer.

import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { isObject } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { codeOf } from '@lendloom/foundation/thrown'
import { CannotRun, type Command, type CommandCall, type Group, type Options, UsageError } from '#cli/command.ts'
import { intoNewFile } from '#cli/out-file.ts'
import { plainText } from '#cli/terminal.ts'
import { type ConsoleCaller, consoleOf, type Input } from './ask.ts'
import { argumentName, argumentText, idOfResource, versionOf } from './named-resources.ts'
import { withIds } from './names.ts'
import type { Field, Operation } from './operation.ts'
import operations from './operations.json' with { type: 'json' }
import { listText, objectText } from './show.ts'

const allOperations: Operation[] = operations as Operation[]

/** The commands about a noun that are made from the console's operations. */
export const operationsOf = (noun: string): Group['commands'] =>
  allOperations.filter(({ name }) => name.slice(0, name.lastIndexOf(' ')) === noun).map(commandOf)

const outOption = { type: 'string', value: 'file', about: 'new file for the answer, readable by you alone' } as const

function commandOf(operation: Operation): Command {
  const options: Options = {
    ...Object.fromEntries(optionFields(operation).flatMap(optionsOfField)),
    ...(operation.answersFile && { out: outOption }),
  }
  const usage = usageOf(operation)
  return {
    name: operation.name,
    summary: operation.summary,
    usage,
    args: [
      ...operation.params.map((name) => ({ name: argumentName(name), about: argumentText(name) })),
      ...argumentFields(operation).map(({ field, about }) => ({ name: field, about })),
    ],
    options,
    async run(call) {
      const ask = consoleOf(call.env)
      const callWithIds = await withIds(ask, call, usage)
      const input = await inputOf(operation, ask, callWithIds)
      const out = call.options.out
      const act = () => askInOptions(ask, operation, input)
      const data = await (typeof out === 'string' ? intoNewFile(out, act, bytesOf) : act())
      if (typeof out === 'string') return { text: `wrote ${out}`, data: { file: out } }
      if (Buffer.isBuffer(data)) return { text: textIn(data).trimEnd(), data: jsonOrText(data) }
      if (operation.answersFile) return { text: JSON.stringify(data, null, 2), data }
      return {
        text: textOf(operation, data, input),
        data: data ?? input.params ?? {},
        exitCode: isFine(operation, data) ? 0 : 1,
      }
    },
  }
}

/** Calls the route. A refusal names the option or argument of an invalid field. */
async function askInOptions(ask: ConsoleCaller, operation: Operation, input: Input): Promise<unknown> {
  try {
    return await ask(operation.route, input)
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    const path = String(error.details.field ?? '')
    const field = operation.fields.find((each) => path === each.field || path.startsWith(`${each.field}.`))
    const param = operation.params.find((each) => each === path)
    const inner = field && path.length > field.field.length ? ` ${path.slice(field.field.length + 1)}` : ''
    const name = field ? nameOf(field) + inner : param && `<${argumentName(param)}>`
    if (!name) throw error
    throw new Refusal(error.kind, error.message.replace(path, name), error.details)
  }
}

const nameOf = ({ field, place, option }: Field): string => (place === undefined ? `--${option}` : `<${field}>`)

/** The text of a file. Throws `CannotRun` for other bytes, which a terminal would damage. */
function textIn(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new CannotRun('the answer is no text: write it into a file with --out <file>')
  return bytes.toString('utf8')
}

const bytesOf = (answer: unknown): string | Uint8Array =>
  Buffer.isBuffer(answer) ? answer : `${JSON.stringify(answer, null, 2)}\n`

/** Returns the JSON in a downloaded file, else its text, for `--json`. */
function jsonOrText(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The fields that are given as arguments, in their order. */
const argumentFields = ({ fields }: Operation): Field[] =>
  fields.filter(({ place }) => place !== undefined).sort((a, b) => (a.place ?? 0) - (b.place ?? 0))

/** The fields that are given as options. */
const optionFields = ({ fields }: Operation): Field[] => fields.filter(({ place }) => place === undefined)

/** The option of a field; one that can be removed has a second option `--no-…`. */
function optionsOfField(field: Field): [name: string, option: Options[string]][] {
  const { option, kind, isList, isNullable, about } = field
  const main: [string, Options[string]] =
    kind === 'flag' && !needsWord(field)
      ? [option, { type: 'boolean', about }]
      : [option, { type: 'string', about, value: placeholderOf(field), multiple: isList || kind === 'pairs' }]
  return isNullable ? [main, [`no-${option}`, { type: 'boolean', about: `remove it: no ${option}` }]] : [main]
}

/** Whether a flag must be answered, so that its absence decides nothing. */
const needsWord = ({ kind, isRequired, words }: Field): boolean =>
  kind === 'flag' && words === undefined && isRequired === true

/** What stands for the value in the help: the allowed words, if they are few, or what the value is. */
function placeholderOf(field: Field): string {
  const { option, kind, words, value } = field
  if (needsWord(field)) return 'yes|no'
  if (kind === 'file') return 'file'
  if (kind === 'pairs') return 'name=value'
  if (kind === 'number') return 'number'
  return words && words.length <= 8 ? words.join('|') : (value ?? option)
}

/** The arguments and options of a command, those in brackets optional. */
function usageOf(operation: Operation): string {
  const args = [
    ...operation.params.map((name) => `<${argumentName(name)}>`),
    ...argumentFields(operation).map(({ field, isList, isRequired }) => {
      const text = `<${field}>${isList ? '…' : ''}`
      return isRequired || isList ? text : `[${text}]`
    }),
  ]
  const options = optionFields(operation).map((field) => {
    const value = placeholderOf(field).includes('|') && !needsWord(field) ? field.option : placeholderOf(field)
    const isFlag = field.kind === 'flag' && !needsWord(field)
    const text = `--${field.option}${isFlag ? '' : ` <${value}>${field.isList || field.kind === 'pairs' ? '…' : ''}`}`
    if (field.isNullable) return `[${text} | --no-${field.option}]`
    const isRequired = field.field === 'tenantId' ? !operation.allTenants : field.isRequired
    return isRequired ? text : `[${text}]`
  })
  const isOptional = (text: string) => text.startsWith('[')
  const required = options.filter((text) => !isOptional(text))
  const optional = options.filter(isOptional)
  const out = operation.answersFile ? ['[--out <file>]'] : []
  return [...args, ...required, ...optional, ...out].join(' ')
}

/** Reads the input of a route from a command line. Throws `UsageError` for a missing or surplus argument. */
async function inputOf(operation: Operation, ask: ConsoleCaller, call: CommandCall<Options>): Promise<Input> {
  const { params: names, defaults, version, name: command } = operation
  const known = argumentFields(operation)
  const takesRest = known.at(-1)?.isList === true
  const extraArgument = call.args[names.length + known.length]
  if (extraArgument !== undefined && !takesRest) throw new UsageError(`unexpected argument "${extraArgument}"`)
  const query = fieldsSentIn(operation, 'query')
  const tenantId = call.options[query.find(({ field }) => field === 'tenantId')?.option ?? '']
  const scope: Record<string, string> = typeof tenantId === 'string' ? { tenantId } : {}
  const params: Record<string, string> = {}
  for (const [i, name] of names.entries()) {
    const given = call.args[i]
    if (given === undefined || given.trim() === '')
      throw new UsageError(`<${argumentName(name)}> is missing; see lendloom help ${command}`)
    params[name] = await idOfResource(ask, name, given, scope)
  }
  const given: Record<string, unknown> = {}
  for (const field of operation.fields) {
    const value = await givenFor(field, call, names.length + (field.place ?? 0))
    given[field.field] = typeof value === 'string' ? await idOfResource(ask, field.field, value, scope) : value
  }
  const unanswered = optionFields(operation).find(
    ({ field, isNullable, isRequired }) => isNullable && isRequired && given[field] === undefined,
  )
  if (unanswered) throw new UsageError(`--${unanswered.option} or --no-${unanswered.option} is missing`)
  const missing = known.find(({ field, isRequired }) => isRequired && given[field] === undefined)
  if (missing) throw new UsageError(`<${missing.field}> is missing; see lendloom help ${command}`)
  const values = { ...defaults, ...withoutAbsent(given) }
  const current = version && { version: await versionOf(ask, version.route, params, scope) }
  const body = fieldsSentIn(operation, 'body')
  return {
    params: { ...params, ...pick(values, fieldsSentIn(operation, 'path')) },
    query: {
      ...pick(values, query),
      ...(version?.sentIn === 'query' && current && { version: String(current.version) }),
    },
    ...((body.length > 0 || version?.sentIn === 'body') && {
      body: { ...pick(values, body), ...(version?.sentIn === 'body' && current) },
    }),
  } as Input
}

const fieldsSentIn = ({ fields }: Operation, place: Field['sentIn']): Field[] =>
  fields.filter(({ sentIn }) => sentIn === place)

const pick = (values: Record<string, unknown>, fields: Field[]): Record<string, unknown> =>
  withoutAbsent(Object.fromEntries(fields.map(({ field }) => [field, values[field]])))

const withoutAbsent = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Stands for an empty list, where words are expected. */
const noItem = '-'

/** The value that a person has given for a field; undefined if none. */
async function givenFor(field: Field, { args, options }: CommandCall<Options>, valueAt: number): Promise<unknown> {
  if (field.place !== undefined) {
    if (!field.isList) return args[valueAt] === undefined ? undefined : wordOf(field, args[valueAt])
    const given = args.slice(valueAt)
    // Nothing at all is more often forgotten than meant: it would remove what is there.
    if (given.length === 0) throw new UsageError(`<${field.field}> is missing; give ${noItem} for none`)
    return given.length === 1 && given[0] === noItem ? [] : given.map((each) => wordOf(field, each))
  }
  if (field.isNullable && options[`no-${field.option}`]) return null
  const given = options[field.option]
  if (given === undefined) return undefined
  if (typeof given === 'boolean') return field.words?.[0] ?? given
  if (Array.isArray(given)) {
    const words = given.map(String)
    return field.kind === 'pairs' ? pairsOf(field, words) : words.map((each) => wordOf(field, each))
  }
  if (field.kind === 'file') return base64Of(given)
  if (field.kind === 'text' && given === '-')
    return Buffer.concat(await Readable.from(process.stdin).toArray()).toString('utf8')
  return wordOf(field, given)
}

/** Parses a word as the value of a field. Allowed words may be written in lower case and with dashes. */
function wordOf(field: Field, given: string): string | number | boolean {
  const { option, kind, words } = field
  if (needsWord(field)) {
    if (given !== 'yes' && given !== 'no') throw new UsageError(`--${option} must be yes or no, not "${given}"`)
    return given === 'yes'
  }
  if (kind === 'number') {
    if (!/^\d{1,9}$/.test(given)) throw new UsageError(`--${option} must be a whole number, not "${given}"`)
    return Number(given)
  }
  if (!words) return given
  const found = words.find((word) => word.toUpperCase() === given.toUpperCase().replaceAll('-', '_'))
  const exact = words.find((word) => word.toUpperCase() === given.toUpperCase())
  if (exact === undefined && found === undefined)
    throw new UsageError(`--${option} must be one of ${words.join(', ')}, not "${given}"`)
  return exact ?? found ?? given
}

/** Parses words such as `name=value`. */
function pairsOf({ option }: Field, given: string[]): Record<string, string> {
  const pairs = given.map((word) => {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/s.exec(word) ?? []
    if (name === '') throw new UsageError(`--${option} must be <name>=<value>, not "${word}"`)
    return [name, value]
  })
  return Object.fromEntries(pairs)
}

/** Returns the content of a file, as routes take it. */
function base64Of(path: string): string {
  try {
    return readFileSync(path, 'base64')
  } catch (error) {
    throw new CannotRun(`${path} cannot be read: ${codeOf(error) ?? 'not a file'}`)
  }
}

/** What a person reads of an answer: the sentence of the operation, a list or an object. */
function textOf(operation: Operation, answer: unknown, { params = {}, query = {}, body = {} }: Input): string {
  if (operation.done !== undefined) {
    const values: Record<string, unknown> = { ...query, ...body, ...params, ...(isObject(answer) && answer) }
    const done = operation.done.replaceAll(/\{([\w.]+)\}/g, (_, path) => wordsFor(valueAt(values, path)))
    return plainText(done)
  }
  if (!isObject(answer)) return 'Done.'
  const { items, next } = answer
  if (!Array.isArray(items)) return objectText(answer, operation.amounts)
  return listText(items, operation, typeof next === 'string' ? next : null)
}

const wordsFor = (value: unknown): string => (Array.isArray(value) ? value.join(', ') || 'none' : String(value ?? ''))

/** Whether every finding of a check is fine; true for an operation that checks nothing. */
function isFine({ check }: Operation, answer: unknown): boolean {
  const findings = check === undefined ? [] : valueAt(answer, check)
  return !Array.isArray(findings) || findings.every((each) => !isObject(each) || each.isFine !== false)
}

/** Returns the value at a path such as `person.email`; undefined without one. */
const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)
