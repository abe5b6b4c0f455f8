// The fields of a schema as a table of a reference page, one row each.
import { fieldsOf, type TypePart } from '#kit/http/schema-fields.ts'
import { code, table } from './markdown.ts'

/** Path, type and description of each field of an object, those of inner objects and lists included. */
export const fieldTable = (schema: object): string =>
  table(
    ['Field', 'Type', 'Rule'],
    fieldsOf(schema).map(({ path, type, isRequired, rule }) => [
      code(path),
      type.map(written).join(''),
      [isRequired ? '' : 'may be left out', rule].filter(Boolean).join('; '),
    ]),
  )

const written = (part: TypePart): string =>
  'text' in part ? part.text : 'value' in part ? code(part.value) : part.schema
