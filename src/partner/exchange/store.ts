// Finds the recipient of a case's events.
import type { Run } from '#kit/db/sql.ts'

/**
 * Returns the platform of a case. For a case that was never created, returns the sender of the answered event.
 */
export async function senderOfCase(
  db: Run,
  caseRef: string,
  answeredEventId: string | null,
): Promise<string | undefined> {
  const [row] = await db<{ sender: string }>`
    select sender from case_file where case_ref = ${caseRef}
    union all
    select sender from inbox_outcome where case_ref = ${caseRef} and event_id = ${answeredEventId}::uuid limit 1`
  return row?.sender
}
