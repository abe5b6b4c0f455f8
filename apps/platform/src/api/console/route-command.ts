// How the command line offers an operation of the console: `lendloom <noun> <verb>`.

/** The options of a command are the fields of the route's query and body. */
export interface RouteCommand {
  /** Noun and verb, such as `key revoke`. */
  name: string
  /** What it does, if a person at a terminal needs more or other words than the route's summary. */
  summary?: string
  /** Fields that follow the parameters of the path as arguments; the last may be a list. */
  args?: readonly string[]
  /** Names of options, where the field's own name is not what a person would type. */
  options?: Readonly<Record<string, string>>
  /** What the help says of a field, where the words that all commands share do not suffice. */
  about?: Readonly<Record<string, string>>
  /** Values of fields for which a person gives none. */
  defaults?: Readonly<Record<string, unknown>>
  /** Optional fields that are no options: secrets, which a terminal would keep and show to every process. */
  without?: readonly string[]
  /** Fields that are read from a file, whose bytes are sent in base64. */
  files?: readonly string[]
  /** Whether the answer is a file, which `--out` writes. */
  answersFile?: true
  /** Whether the tenant only narrows a list, so that the tenant of the context does not apply by itself. */
  allTenants?: true
  /** The columns of a list: the path of each field by its head, such as `'LAST DAY': 'lastDay.delivered'`. */
  columns?: Readonly<Record<string, string>>
  /** What a cell shows that has no value, by the head of its column. */
  blanks?: Readonly<Record<string, string>>
  /** What is printed in place of an empty list. */
  none?: string
  /** The list of findings in the answer, each with `isFine`: the exit code is 1 if one is not. */
  check?: string
  /** What is printed after success, with fields of request and answer in braces: `revoked {keyId}`. */
  done?: string
}
