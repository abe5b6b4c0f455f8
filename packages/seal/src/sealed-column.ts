// Columns with sealed values: their tables, and the contexts to which the values are bound.

/** The location of sealed values, and their binding context. */
export interface SealedColumn {
  table: string
  column: string
  /** The field of a JSON column that contains the value in base64. */
  field?: string
  key: string[]
  /** The context to which the values are bound, with `{column}` or `{column.field}` for a value of the row. */
  context: string
}

/** `name` is `table.column`, or `table.column.field` of a JSON column. `key` lists the columns of the primary key. */
export function sealedColumn(name: string, key: string, context: string): SealedColumn {
  const [table, column, field] = name.split('.')
  if (!table || !column) throw new Error(`${name} is not table.column`)
  return { table, column, ...(field !== undefined && { field }), key: key.split(' '), context }
}

/** The inbox and the outbox of a program that exchanges events. `key` is the primary key of the outbox. */
export const sealedMessages = (key: string): SealedColumn[] => [
  sealedColumn('inbox.body_sealed', 'sender event_id', 'inbox/{sender}/{event_id}'),
  sealedColumn('outbox.body_sealed', key, 'outbox/{case_ref}/{event_id}'),
]

/** Names the columns whose values are bound to such a context; null when there are none. */
export function columnsOf(columns: SealedColumn[], context: string): string | null {
  const matches = columns.filter((each) => patternOf(each.context).test(context))
  const names = matches.map(({ table, column, field }) => [table, column, field].filter(Boolean).join('.'))
  return names.length === 0 ? null : names.join(' or ')
}

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[\w.\\]+\}/g, '[^]*')}$`)
