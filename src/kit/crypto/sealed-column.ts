// Columns with sealed values: their tables, and the contexts that the values are bound to.

/** The location of sealed values, and their binding context. */
export interface SealedColumn {
  table: string
  column: string
  /** For a value in base64 inside of a JSON column: its field. */
  field?: string
  /** The columns of the primary key. */
  key: string[]
  /** The context that the values are bound to, with `{column}` or `{column.field}` for a value of the row. */
  context: string
}

/** `table.column`, or `table.column.field` of a JSON column; the columns of the primary key; what the values are bound to. */
export function sealedColumn(name: string, key: string, context: string): SealedColumn {
  const [table, column, field] = name.split('.')
  if (!table || !column) throw new Error(`${name} is not table.column`)
  return { table, column, ...(field !== undefined && { field }), key: key.split(' '), context }
}

/** The inbox and the outbox of a program that exchanges events; `key` is that of its outbox. */
export const sealedMessages = (key: string): SealedColumn[] => [
  sealedColumn('inbox.body_sealed', 'sender event_id', 'inbox/{sender}/{event_id}'),
  sealedColumn('outbox.body_sealed', key, 'outbox/{case_ref}/{event_id}'),
]

/**
 * `table.column` of a value, by its binding context; all of them when several columns share it, null when none matches.
 */
export function columnsOf(columns: SealedColumn[], context: string): string | null {
  const found = columns.filter((each) => patternOf(each.context).test(context))
  const names = found.map(({ table, column, field }) => [table, column, field].filter(Boolean).join('.'))
  return names.length === 0 ? null : names.join(' or ')
}

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[\w.\\]+\}/g, '[^]*')}$`)
