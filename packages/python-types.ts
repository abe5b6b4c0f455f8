// Generates the types of sessions and lifecycle updates in Python from the contract's schemas.
import {
  LifecycleInstallment,
  LifecycleJourney,
  LifecycleLender,
  LifecycleOffer,
  LifecycleProfile,
  LifecycleStatus,
  LifecycleUpdate,
} from '#contract/hosted/lifecycle.ts'
import { SessionRequest } from '#contract/hosted/session.ts'

interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** A schema as plain JSON, without TypeBox's symbols. */
const plainSchema = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema))

interface NamedSchema {
  name: string
  schema: Schema
  meaning: string
}
const namedSchemaOf = ([name, schema, meaning]: [string, unknown, string]): NamedSchema => ({
  name,
  schema: plainSchema(schema),
  meaning,
})

/** The schemas that become named types, in the order that Python needs; others are written where they are used. */
const updates: [string, unknown, string][] = [
  ['LifecycleStatus', LifecycleStatus, 'The status that a journey has reached (D1 §3).'],
  ['LifecycleInstallment', LifecycleInstallment, 'An instalment of a disbursed loan (D1 §2.4).'],
  ['LifecycleOffer', LifecycleOffer, 'An offer of a lender; amounts are decimal strings in rupees (D1 §2.4).'],
  ['LifecycleLender', LifecycleLender, 'A lender that was asked for offers, with its contacts (D1 §2.4).'],
  ['LifecycleProfile', LifecycleProfile, 'The known data of the borrower (D1 §2.4).'],
  ['LifecycleJourney', LifecycleJourney, 'The journey that the update is about (D1 §2.4).'],
  ['LifecycleUpdate', LifecycleUpdate, 'The payload of webhooks, callbacks and browser messages (D1 §2.4).'],
]
const sessions: [string, unknown, string][] = [
  ['SessionRequest', SessionRequest, 'The body of POST /api/lab/sessions (D1 §2.1).'],
]
const namedSchemas = [...updates, ...sessions].map(namedSchemaOf)

const about = 'generated from the schemas by npm run client; do not edit.'

const nameOf = (schema: Schema): string | undefined => {
  const text = JSON.stringify(schema)
  return namedSchemas.find((each) => JSON.stringify(each.schema) === text)?.name
}

/** The types as a Python module of typed dictionaries. */
function pythonText(title: string, list: typeof updates): string {
  const classes: string[] = []
  for (const { name, schema, meaning } of list.map(namedSchemaOf))
    if (schema.properties) addClass(classes, name, schema, meaning)
    else
      classes.push(
        `# ${meaning}\n${name} = Literal[\n${(schema.enum ?? []).map((value) => `    "${value}",\n`).join('')}]\n`,
      )
  const body = classes.join('\n\n')
  const used = ['List', 'Literal', 'Optional', 'TypedDict', 'Union'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body),
  )
  const imports = `from __future__ import annotations\n\nfrom typing import ${used.join(', ')}`
  return `"""${title}; ${about}"""\n\n${imports}\n\n\n${body}`
}

/** Adds a typed dictionary after those of its fields. Optional fields go into a base class of their own. */
function addClass(classes: string[], name: string, { properties = {}, required = [] }: Schema, meaning: string): void {
  const line = ([field, schema]: [string, Schema]) => `    ${field}: ${pythonOf(classes, name, field, schema)}\n`
  const fields = Object.entries(properties)
  const optional = fields.filter(([field]) => !required.includes(field)).map(line)
  const needed = fields.filter(([field]) => required.includes(field)).map(line)
  const base = `${name}MayHave`
  if (optional.length > 0)
    classes.push(
      `class ${base}(TypedDict, total=False):\n    """Optional fields of ${name}."""\n\n${optional.join('')}`,
    )
  const bases = optional.length > 0 ? base : 'TypedDict'
  const body = needed.length > 0 ? `\n${needed.join('')}` : ''
  classes.push(`class ${name}(${bases}):\n    """${meaning}"""\n${body}`)
}

function pythonOf(classes: string[], owner: string, field: string, schema: Schema): string {
  const name = nameOf(schema)
  if (name) return name
  const inner = (each: Schema) => pythonOf(classes, owner, field, each)
  if (schema.anyOf) {
    const types = schema.anyOf.filter(({ type }) => type !== 'null').map(inner)
    const all = types.length > 1 ? `Union[${types.join(', ')}]` : types.join('')
    return types.length < schema.anyOf.length ? `Optional[${all}]` : all
  }
  if (schema.enum) return `Literal[${schema.enum.map((value) => `"${value}"`).join(', ')}]`
  if (schema.type === 'array') return `List[${inner(schema.items ?? {})}]`
  if (schema.type === 'object') {
    const own = `${owner}${field[0]?.toUpperCase()}${field.slice(1).replace(/_(.)/g, (_, initial: string) => initial.toUpperCase())}`
    addClass(classes, own, schema, `The field ${field} of ${owner}.`)
    return own
  }
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool' }[schema.type ?? ''] ?? 'object'
}

/** The texts of the generated files, by their paths in the repository. */
export const pythonFiles = (): Record<string, string> => ({
  'packages/server-python/src/lendloom/updates.py': pythonText('Types of the lifecycle update', updates),
  'packages/server-python/src/lendloom/sessions.py': pythonText('Types of a session request', sessions),
})
