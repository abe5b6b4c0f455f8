// Writes the types of lifecycle updates from the contract's schemas, in TypeScript and in Python.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  LifecycleInstallment,
  LifecycleJourney,
  LifecycleLender,
  LifecycleOffer,
  LifecycleProfile,
  LifecycleStatus,
  LifecycleUpdate,
} from '#contract/hosted/lifecycle.ts'

interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** A schema as JSON says it, without the types that belong to it here. */
const plain = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema))

/** What has a name of its own, in the order in which Python needs them; anything else is written where it is used. */
const named = [
  ['LifecycleStatus', LifecycleStatus, 'What a journey has reached (D1 §3).'],
  ['LifecycleInstallment', LifecycleInstallment, 'An instalment of the loan; there once it is disbursed (D1 §2.4).'],
  ['LifecycleOffer', LifecycleOffer, 'An offer of a lender; amounts are decimal strings in rupees (D1 §2.4).'],
  ['LifecycleLender', LifecycleLender, 'A lender that was asked, and whom to turn to there (D1 §2.4).'],
  ['LifecycleProfile', LifecycleProfile, 'What is known of the borrower (D1 §2.4).'],
  ['LifecycleJourney', LifecycleJourney, 'The journey that the update is about (D1 §2.4).'],
  ['LifecycleUpdate', LifecycleUpdate, 'The one payload of webhooks, callbacks and browser messages (D1 §2.4).'],
].map(([name, schema, meaning]) => ({ name: String(name), schema: plain(schema), meaning: String(meaning) }))

const about = 'Types of the lifecycle update; written by packages/lifecycle-types.ts from the schemas, not by hand.'

const nameOf = (schema: Schema): string | undefined => {
  const text = JSON.stringify(schema)
  return named.find((each) => JSON.stringify(each.schema) === text)?.name
}

/** The types as a TypeScript module. */
export function typescriptText(): string {
  const types = named.map(({ name, schema, meaning }) =>
    schema.properties
      ? `/** ${meaning} */\nexport interface ${name} ${fieldsOf(schema, '')}\n`
      : `/** ${meaning} */\nexport type ${name} =${(schema.enum ?? []).map((value) => `\n  | '${value}'`).join('')}\n`,
  )
  return `// ${about}\n\n${types.join('\n')}`
}

function fieldsOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(
    ([name, schema]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${typescriptOf(schema, inner)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

function typescriptOf(schema: Schema, indent: string): string {
  const name = nameOf(schema)
  if (name) return name
  if (schema.anyOf) return schema.anyOf.map((each) => typescriptOf(each, indent)).join(' | ')
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ')
  if (schema.type === 'array') return `${typescriptOf(schema.items ?? {}, indent)}[]`
  if (schema.type === 'object') return fieldsOf(schema, indent)
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown')
}

/** The types as a Python module of typed dictionaries. */
export function pythonText(): string {
  const classes: string[] = []
  for (const { name, schema, meaning } of named)
    if (schema.properties) addClass(classes, name, schema, meaning)
    else
      classes.push(
        `# ${meaning}\n${name} = Literal[\n${(schema.enum ?? []).map((value) => `    "${value}",\n`).join('')}]\n`,
      )
  return [
    `"""${about}"""\n`,
    'from __future__ import annotations\n',
    'from typing import List, Literal, Optional, TypedDict\n\n',
    classes.join('\n\n'),
  ].join('\n')
}

/** Adds a typed dictionary, after those that its fields need. Fields that may be left out are in a class of their own. */
function addClass(classes: string[], name: string, { properties = {}, required = [] }: Schema, meaning: string): void {
  const line = ([field, schema]: [string, Schema]) => `    ${field}: ${pythonOf(classes, name, field, schema)}\n`
  const fields = Object.entries(properties)
  const optional = fields.filter(([field]) => !required.includes(field)).map(line)
  const needed = fields.filter(([field]) => required.includes(field)).map(line)
  const base = `${name}MayHave`
  if (optional.length > 0)
    classes.push(
      `class ${base}(TypedDict, total=False):\n    """Fields of ${name} that may be left out."""\n\n${optional.join('')}`,
    )
  const bases = optional.length > 0 ? base : 'TypedDict'
  classes.push(`class ${name}(${bases}):\n    """${meaning}"""\n\n${needed.join('')}`)
}

function pythonOf(classes: string[], owner: string, field: string, schema: Schema): string {
  const name = nameOf(schema)
  if (name) return name
  const inner = (each: Schema) => pythonOf(classes, owner, field, each)
  if (schema.anyOf) {
    const types = schema.anyOf.filter(({ type }) => type !== 'null').map(inner)
    return types.length < schema.anyOf.length ? `Optional[${types.join(', ')}]` : types.join(' | ')
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

/** The files that carry these types, by their paths in the repository. */
export const typeFiles = (): Record<string, string> => ({
  'packages/server-node/src/updates.ts': typescriptText(),
  'packages/server-python/src/lendloom/updates.py': pythonText(),
})

const root = join(import.meta.dirname, '..')
/** The committed files that are not what the schemas say. */
export const outdatedTypeFiles = (): string[] =>
  Object.entries(typeFiles())
    .filter(([path, text]) => readFileSync(join(root, path), 'utf8') !== text)
    .map(([path]) => path)

if (import.meta.main) for (const [path, text] of Object.entries(typeFiles())) writeFileSync(join(root, path), text)
