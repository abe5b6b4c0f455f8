// The type of a `lendloom` command. To add a command, export it from a file in this folder and list it in main.ts.

/** An option of a command, as the parser and `--help` need it. */
export interface Option {
  type: 'string' | 'boolean'
  about: string
  /** The placeholder of the value in the help, as in `--name <text>`. */
  value?: string
  multiple?: boolean
}

export type Options = Record<string, Option>

type Value<O extends Option> = Option extends O
  ? string | boolean | (string | boolean)[] | undefined
  : O['type'] extends 'boolean'
    ? boolean | undefined
    : O['multiple'] extends true
      ? string[] | undefined
      : string | undefined

export interface CommandCall<O extends Options> {
  args: string[]
  options: { readonly [Name in keyof O]: Value<O[Name]> }
  json: boolean
  env: NodeJS.ProcessEnv
}

/** The output of a command: `text` for people, or `data` as JSON with `--json`. */
export interface CommandOutput {
  text: string
  data: unknown
  /** Printed to standard error, beside the data. */
  notice?: string
  /** 1 if a check failed; 0 by default. */
  exitCode?: 0 | 1
}

export interface Command<O extends Options = Options> {
  /** The full name after `lendloom`, such as `key create`. */
  name: string
  summary: string
  /** The arguments after the name, such as `<tenantId> [--live]`. */
  usage: string
  /** What the help says of the arguments, where the usage does not suffice. */
  args?: readonly { name: string; about: string }[]
  options: O
  run(call: CommandCall<O>): Promise<CommandOutput | undefined>
}

/** Several commands about one noun: `lendloom key create`, `lendloom key list`. */
export interface Group {
  /** The full name after `lendloom`, such as `network issue`. */
  name: string
  summary: string
  // biome-ignore lint/suspicious/noExplicitAny: commands with every set of options live in one list
  commands: Command<any>[]
}

/** A group that may hold other groups: `lendloom network issue raise`. */
export interface CommandTree extends Omit<Group, 'commands'> {
  commands: (Group['commands'][number] | Group)[]
}

/** Infers the type of the options for `call.options`. */
export const command = <const O extends Options>(value: Command<O>): Command<O> => value

/** The command line is invalid: exit code 2. */
export class UsageError extends Error {}

/** The command cannot run now, for a reason that the user can fix: exit code 1. */
export class CannotRun extends Error {}

/** Returns the only positional argument. Throws `UsageError` if it is missing or not the only one. */
export function requireArgument(args: string[], what: string): string {
  const [first, ...extraArguments] = args
  if (first === undefined || first.trim() === '') throw new UsageError(`${what} is missing`)
  if (extraArguments.length > 0) throw new UsageError(`unexpected argument "${extraArguments[0]}"`)
  return first
}

/** Returns the value of a required option. Throws `UsageError` if it is missing. */
export function requireOption(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`)
  return value
}

/** A column of a table: its head, and the content of its cell in a row; null leaves the cell empty. */
export interface Column<Row> {
  head: string
  of: (row: Row) => string | number | null | undefined
}

/** A plain-text table: one line per row, columns as wide as their content. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const heads = columns.map(({ head }) => head)
  const lines = [heads, ...rows.map((row) => columns.map(({ of }) => String(of(row) ?? '')))]
  const widths = heads.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
