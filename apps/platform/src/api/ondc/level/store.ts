// Reads and writes the table network_answer.
import { bigint, integer, rowsAs, text, timestamptz } from '@lendloom/postgres/rows'
import { type Run, sql } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'

export interface AnswerCount {
  beginsAt: Date
  action: string
  outcome: 'ACK' | 'NACK' | 'FAILED'
  withinMs: number
  count: number
}

/** Adds counts, in the order of the key, so that two processes never wait for each other in a circle. */
export async function addAnswers(db: Run, counts: AnswerCount[]): Promise<void> {
  const keyOf = ({ beginsAt, action, outcome, withinMs }: AnswerCount) =>
    [beginsAt.toISOString(), action, outcome, String(withinMs).padStart(6, '0')].join()
  const rows = counts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  await db`
    insert into network_answer as a (tenant_id, begins_at, action, outcome, within_ms, count)
    select ${noTenantId}::uuid, begins_at, action, outcome, within_ms, count
    from ${rowsAs(sql`input`, rows, {
      beginsAt: timestamptz((row) => row.beginsAt),
      action: text((row) => row.action),
      outcome: text((row) => row.outcome),
      withinMs: integer((row) => row.withinMs),
      count: bigint((row) => row.count),
    })}
    on conflict (tenant_id, begins_at, action, outcome, within_ms) do update set count = a.count + excluded.count`
}

export const listAnswers = (db: Run, { from, until }: { from: Date; until: Date }): Promise<AnswerCount[]> =>
  db<AnswerCount>`
    select begins_at, action, outcome, within_ms, count::float8 as count from network_answer
    where tenant_id = ${noTenantId} and begins_at >= ${from} and begins_at <= ${until}`

export async function deleteAnswers(db: Run, before: Date): Promise<void> {
  await db`delete from network_answer where tenant_id = ${noTenantId} and begins_at < ${before}`
}
