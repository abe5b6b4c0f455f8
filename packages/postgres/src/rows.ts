// Rows as a table of a statement: each column has its name, its type and its value in one place.
import { bigints, byteas, instants, texts, uuids } from './binary-array.ts'
import { columnOf, Fragment, join, sql } from './statement.ts'

interface Column<Row> {
  /** The values of all rows as one array: `$1::text[]`. */
  arrayOf(rows: readonly Row[]): Fragment
}

/** The columns of a table of rows, by camelCase names. */
export type Columns<Row> = Record<string, Column<Row>>

type Encode<Value> = (values: readonly (Value | null)[]) => unknown

function columnOfType<Value>(type: string, encode: Encode<Value> = (values) => values) {
  const strings = Object.freeze(['', `::${type}[]`])
  return <Row>(of: (row: Row) => Value | null): Column<Row> => ({
    arrayOf: (rows) => new Fragment(strings, [encode(rows.map(of))]),
  })
}

// Each takes a function that reads the value from a row: `uuid((row) => row.journeyId)`.

export const text = columnOfType('text', texts)
export const smallint = columnOfType<number>('smallint')
export const integer = columnOfType<number>('integer')
export const bigint = columnOfType('bigint', bigints)
export const boolean = columnOfType<boolean>('boolean')
export const date = columnOfType<string>('date')
export const timestamptz = columnOfType('timestamptz', instants)
export const bytea = columnOfType('bytea', byteas)
export const uuid = columnOfType('uuid', uuids)

/** The snake_case names of the columns, for the list of an insert or a select: `case_ref, number`. */
export const namesOf = <Row>(columns: Columns<Row>): Fragment => new Fragment([nameList(columns)], [])

/** The rows as a table of this name: `unnest($1::text[], $2::smallint[]) as input (case_ref, number)`. */
export const rowsAs = <Row>(name: Fragment, rows: readonly Row[], columns: Columns<Row>): Fragment =>
  sql`${arraysOf(rows, columns)} as ${name} (${namesOf(columns)})`

/** The rows as a table like `rowsAs`, with their places from 1 as the last column. */
export const numberedRowsAs = <Row>(name: Fragment, rows: readonly Row[], columns: Columns<Row>): Fragment =>
  sql`${arraysOf(rows, columns)} with ordinality as ${name} (${namesOf(columns)}, place)`

function arraysOf<Row>(rows: readonly Row[], columns: Columns<Row>): Fragment {
  const arrays = Object.values(columns).map(({ arrayOf }) => arrayOf(rows))
  return sql`unnest(${join(arrays, ', ')})`
}

const nameList = <Row>(columns: Columns<Row>): string => Object.keys(columns).map(columnOf).join(', ')
