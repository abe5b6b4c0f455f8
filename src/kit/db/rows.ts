// Rows as a table of a statement: each column has its name, its type and its value in one place.
import { columnOf, Fragment, join, sql } from './statement.ts'

type ColumnType = 'text' | 'smallint' | 'integer' | 'bigint' | 'boolean' | 'date' | 'timestamptz' | 'bytea' | 'uuid'

interface Column<Row> {
  type: ColumnType
  of: (row: Row) => unknown
}

/** The columns of a table of rows, by camelCase names. */
export type Columns<Row> = Record<string, Column<Row>>

const columnOfType =
  <Value>(type: ColumnType) =>
  <Row>(of: (row: Row) => Value | null): Column<Row> => ({ type, of })

export const text = columnOfType<string>('text')
export const smallint = columnOfType<number>('smallint')
export const integer = columnOfType<number>('integer')
export const bigint = columnOfType<bigint | number>('bigint')
export const boolean = columnOfType<boolean>('boolean')
export const date = columnOfType<string>('date')
export const timestamptz = columnOfType<Date>('timestamptz')
export const bytea = columnOfType<Buffer>('bytea')
export const uuid = columnOfType<string>('uuid')

/** The snake_case names of the columns, for the list of an insert or a select: `case_ref, number`. */
export const namesOf = <Row>(columns: Columns<Row>): Fragment => new Fragment([nameList(columns)], [])

/** The rows as a table of this name: `unnest($1::text[], $2::smallint[]) as input (case_ref, number)`. */
export function rowsAs<Row>(name: Fragment, rows: readonly Row[], columns: Columns<Row>): Fragment {
  const arrays = Object.values(columns).map(({ type, of }) => new Fragment(['', `::${type}[]`], [rows.map(of)]))
  return sql`unnest(${join(arrays, ', ')}) as ${name} (${namesOf(columns)})`
}

const nameList = <Row>(columns: Columns<Row>): string => Object.keys(columns).map(columnOf).join(', ')
