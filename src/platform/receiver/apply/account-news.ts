// LOAN_STATUS_UPDATED: the account has a newer state, which is read from Status (D3 §6 rule 5).
import { Refusal } from '#kit/refusal.ts'
import { askStatus } from '#platform/exchange/status.ts'
import type { Applier } from '#platform/receiver/apply.ts'

export const onAccountNews: Applier<'LOAN_STATUS_UPDATED'> = async (tx, _, { kase }, { event_id, data }, at) => {
  if (kase.leadId === null) throw new Refusal('wrong-state', 'there is no loan yet')
  const isKnown = kase.snapshotVersion !== null && kase.snapshotVersion >= data.snapshot_version
  if (!isKnown) await askStatus(tx, kase, event_id, at)
}
