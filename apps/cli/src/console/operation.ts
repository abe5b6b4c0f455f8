// An operation of the console as the command line knows it. `npm run docs` writes them all from the platform's routes.

/** A field of the query or of the body, which a person gives as an option or an argument. */
export interface Field {
  field: string
  sentIn: 'path' | 'query' | 'body'
  /** The name of the option, without dashes. */
  option: string
  /** `pairs`: `name=value`, may be repeated. `file`: the bytes of a file in base64. */
  kind: 'text' | 'number' | 'flag' | 'pairs' | 'file'
  /** The allowed words, as the API spells them. */
  words?: string[]
  /** What the value is, such as `day`, if the option does not say it. */
  value?: string
  /** The place among the arguments after those of the path, if the field is an argument. */
  place?: number
  isList?: boolean
  /** Whether `--no-<option>` removes the value. */
  isNullable?: boolean
  isRequired?: boolean
  about: string
}

export interface Operation {
  /** Noun and verb, such as `key revoke`. */
  name: string
  summary: string
  /** The method and the path below `/api/console`. */
  route: string
  /** The parameters of the path that are the first arguments. */
  params: string[]
  fields: Field[]
  defaults: Record<string, unknown>
  /** Where the current version is read that the request must name. */
  version?: { route: string; sentIn: Field['sentIn'] }
  /** Whether the answer is a file. */
  answersFile?: boolean
  /** Whether the tenant of the context does not apply by itself. */
  allTenants?: boolean
  /** The path of each column of a list by its head. */
  columns?: Record<string, string>
  blanks?: Record<string, string>
  none?: string
  /** The list of findings in the answer, each of which is fine or not. The exit code is 1 if one is not. */
  check?: string
  done?: string
  /** The paths of amounts in the answer. */
  amounts: string[]
}
