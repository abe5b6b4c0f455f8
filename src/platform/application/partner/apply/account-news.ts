// LOAN_STATUS_UPDATED: the account has a newer state, which is read from Status (D3 §6 rule 5).
import { Refusal } from '#kit/http/refusal.ts'
import type { Applier } from '#platform/application/partner/applier.ts'
import { askStatus } from '#platform/exchange/status.ts'

export const onAccountNews: Applier<'LOAN_STATUS_UPDATED'> = async (
  { tx, at },
  { application },
  { event_id, data },
) => {
  if (application.leadId === null) throw new Refusal('wrong-state', 'there is no loan yet')
  const isKnown = application.snapshotVersion !== null && application.snapshotVersion >= data.snapshot_version
  if (!isKnown) await askStatus(tx, application, event_id, at)
}
