// The collector's table: the reports of messages, accepted or refused.
import { oneRow, type Run } from '@lendloom/postgres/sql'

interface CollectedReport {
  messageId: string
  type: string
  bppId: string
  transactionId: string
  fault: string | null
  receivedAt: Date
}

export async function storeReport(db: Run, report: CollectedReport): Promise<void> {
  await db`
    insert into collected_report ${db({ ...report })}
    on conflict (message_id, type, bpp_id) do update set times = collected_report.times + 1, fault = excluded.fault`
}

export interface CollectedCounts {
  accepted: number
  refused: number
  repeated: number
}

export const countCollected = async (db: Run): Promise<CollectedCounts> =>
  oneRow(
    await db<CollectedCounts>`
      select count(*) filter (where fault is null)::float8 as accepted, count(*) filter (where fault is not null)::float8 as refused,
        count(*) filter (where times > 1)::float8 as repeated
      from collected_report`,
  )
