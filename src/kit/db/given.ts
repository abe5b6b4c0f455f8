// Rows that a statement of several parts writes only if another part of it yields one.
import { type Fragment, join, sendAll, sql, type Tx } from './sql.ts'

/**
 * What an insert takes: the values, for each row that `given` (a `from` item) yields; by themselves where nothing is given. Only
 * those are sent to one server at once where rows are on several.
 */
export const valuesIf = (given: Fragment | null, values: Fragment): Fragment =>
  given ? sql`select ${values} from ${given} as given` : sql`values (${values})`

/** One insert of several that belong together. */
interface Part {
  /** Its name in one statement of them all. */
  name: Fragment
  /** What writes it, for each row that `given` yields; at once where nothing is given. */
  insert(given: Fragment | null): Fragment
}

export type Parts = readonly [first: Part, ...others: Part[]]

/** All of them as parts of one statement: the first for what `given` yields, the others for what the first wrote. */
export const asParts = ([first, ...others]: Parts, given: Fragment): Fragment =>
  join(
    [
      sql`${first.name} as (${first.insert(given)})`,
      ...others.map(({ name, insert }) => sql`${name} as (${insert(first.name)})`),
    ],
    ', ',
  )

/** Each as a statement of its own, sent together and in their order. */
export const sendParts = (tx: Tx, parts: Parts): Promise<void> =>
  sendAll(
    tx,
    parts.map(({ insert }) => insert(null)),
  )

/** Writes all of them: in one statement, or where rows are on several servers each by its own. */
export async function insertParts(tx: Tx, parts: Parts): Promise<void> {
  if (tx.isDistributed) await sendParts(tx, parts)
  else await tx`with given as (select 1), ${asParts(parts, sql`given`)} select 1 from ${parts[0].name}`
}
