// Finds the platform to which the events of a case are sent.
import type { Run } from '@lendloom/postgres/sql'

/** Returns the sender of a case. If the case does not exist, returns the sender of the event that is answered. */
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
