// Composes inserts of one row or of many rows into tables whose columns are declared once.

import { keysOf } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import { bigints, booleans, byteas, instants, texts, uuids } from './binary-array.ts'
import { columnOf, Fragment, sql } from './sql.ts'

/** The type of a column. The values of many rows are sent as one array of `element`. */
interface ColumnType<Value> {
  type: string
  element: string
  arrayOf(values: readonly Value[]): Buffer
}

const columnType = <Value>(arrayOf: ColumnType<Value>['arrayOf'], type: string, element = type): ColumnType<Value> => ({
  type,
  element,
  arrayOf,
})

export const uuid = columnType(uuids, 'uuid')
export const text = columnType(texts, 'text')
export const bytea = columnType(byteas, 'bytea')
export const boolean = columnType(booleans, 'boolean')
export const integer = columnType(bigints, 'integer', 'bigint')
export const timestamptz = columnType(instants, 'timestamptz')
const smallint = columnType(bigints, 'smallint', 'bigint')

/** A table with a bucket column, and its other columns by the fields of a row. */
interface Table<Row> {
  /** `insert into` and the table name, so that a text search for writes to a table finds them here. */
  insert: string
  bucketOf(row: Row): number
  columns: { readonly [Field in keyof Row]?: ColumnType<Row[Field]> }
  /** The field that is compared with the rows of `given`. */
  key: keyof Row & string
  /** The clauses after the rows: `on conflict`, `returning`. */
  ending?: string
}

/** Returns the constant SQL of a list, with a parameter before each item. */
const listOf = (opening: string, items: readonly string[], closing: string): readonly string[] =>
  Object.freeze([opening, ...items.map((item, i) => (i < items.length - 1 ? `${item}, ` : item + closing))])

const constantSql = (text: string): Fragment => new Fragment(Object.freeze([text]), [])

/**
 * Returns a function that composes an insert of rows. With `given` (a `from` item with the key), inserts only the rows
 * whose key is in `given`. Many rows are sent as one array per column. A single row is sent as values, because arrays
 * cost twice as much; without `given` as `values (…)`, because Citus sends only that form directly to one server.
 */
export function insertInto<Row>({ insert, bucketOf, columns, key, ending = '' }: Table<Row>) {
  const bucket = { ...smallint, valueIn: bucketOf, arrayOf: (rows: readonly Row[]) => bigints(rows.map(bucketOf)) }
  const columnOfRows = <Field extends keyof Row & string>(field: Field) => {
    const declared: ColumnType<Row[Field]> | undefined = columns[field]
    const { arrayOf, ...type } = required(declared, 'the type of a column')
    return {
      ...type,
      valueIn: (row: Row) => row[field],
      arrayOf: (rows: readonly Row[]) => arrayOf(rows.map((row) => row[field])),
    }
  }
  const fields = keysOf<keyof Row & string>(columns)
  const names = ['bucket', ...fields.map(columnOf)]
  const allColumns = [bucket, ...fields.map(columnOfRows)]
  const values = allColumns.map(({ type }) => `::${type}`)
  const arrays = allColumns.map(({ element }) => `::${element}[]`)
  const namedValues = values.map((value, i) => `${value} as ${names[i]}`)
  const singleRow = listOf('values (', values, ')')
  const joinedRow = listOf('select row.* from (select ', namedValues, ') as row')
  const manyRows = listOf('select row.* from unnest(', arrays, `) as row (${names.join(', ')})`)
  const before = constantSql(`${insert} (${names.join(', ')}) `)
  const after = constantSql(` ${ending}`)
  const keyColumn = constantSql(columnOf(key))
  return (rows: readonly Row[], given: Fragment | null): Fragment => {
    const [first, ...others] = rows
    const source =
      first && others.length === 0
        ? new Fragment(
            given ? joinedRow : singleRow,
            allColumns.map(({ valueIn }) => valueIn(first)),
          )
        : new Fragment(
            manyRows,
            allColumns.map(({ arrayOf }) => arrayOf(rows)),
          )
    const joinClause = given ? sql` join ${given} as given on given.${keyColumn} = row.${keyColumn}` : sql``
    return sql`${before}${source}${joinClause}${after}`
  }
}
