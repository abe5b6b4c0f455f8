// The owner's rows in a database: its identifiers, and whether a request changed a row.
import type { Db } from '@lendloom/postgres/sql'

type Row = Record<string, unknown>

/** The text of every row, by table, without the columns and tables that any request may change. */
export async function rowsOf(db: Db, isOwned: (text: string) => boolean): Promise<Map<string, string[]>> {
  const tables = await db<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`
  const rows = new Map<string, string[]>()
  for (const { name } of tables) {
    if (volatileTables.has(name)) continue
    const { rows: all } = await db.pool.query<{ row: Row }>(`select to_jsonb(t) as row from "${name}" t`)
    const texts = all.map(({ row }) => JSON.stringify(withoutVolatile(row))).filter(isOwned)
    rows.set(name, texts.sort())
  }
  return rows
}

/** Logs of requests and of sign-ins, statistics, and the queue, which no worker empties meanwhile. */
const volatileTables = new Set([
  'api_request',
  'audit_entry',
  'audit_chain',
  'figure',
  'figure_turn',
  'figure_progress',
  'guess_count',
  'idempotency',
  'job',
  'person',
  'person_email',
  'person_session',
  'person_device',
  'sign_in_failure',
  'request_count',
  'staff',
  'passkey_challenge_used',
  'headless_session',
  'embed_session',
  'embed_token',
])

const withoutVolatile = ({ last_used_on: _used, api_version: _version, ...row }: Row): Row => row

const identifier = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export const identifiersIn = (text: string): string[] => text.toLowerCase().match(identifier) ?? []

/** Identifiers of the owner's rows that no other row has. */
export async function ownIdentifiers(db: Db, isOwned: (text: string) => boolean): Promise<Set<string>> {
  const all = await rowsOf(db, () => true)
  const own = new Set<string>()
  const others = new Set<string>()
  for (const texts of all.values())
    for (const text of texts) for (const id of identifiersIn(text)) (isOwned(text) ? own : others).add(id)
  return new Set([...own].filter((id) => !others.has(id)))
}

/** Owned rows that are new, changed or gone, each with its table. */
export function changedRows(before: Map<string, string[]>, after: Map<string, string[]>): string[] {
  return [...before].flatMap(([table, rows]) => {
    const old = new Set(rows)
    const current = new Set(after.get(table) ?? [])
    const gone = [...old].filter((row) => !current.has(row)).map((row) => `${table} was ${row}`)
    return [...gone, ...[...current].filter((row) => !old.has(row)).map((row) => `${table} is ${row}`)]
  })
}
