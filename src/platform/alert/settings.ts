// A tenant's settings for alerts about its webhook endpoints.

import type { Seal } from '#kit/crypto/seal.ts'
import type { Run } from '#kit/db/sql.ts'
import { invalid } from '#kit/http/refusal.ts'
import type { TxContext } from '#platform/context.ts'
import { findEndpoint } from '#platform/webhook/endpoint/store.ts'
import { type AlertSettings, usualSettings } from './alert.ts'
import { findSettings, keepSettings } from './store.ts'

const place = (tenantId: string): string => `webhook_alert_setting:${tenantId}`

export async function settingsOf(db: Run, seal: Seal, tenantId: string): Promise<AlertSettings> {
  const row = await findSettings(db, tenantId)
  if (!row) return usualSettings
  const { isOn, failures, waitingMinutes, endpointIds, emailsSealed } = row
  const emails = emailsSealed && seal.openJson<string[]>(emailsSealed, place(tenantId))
  return { isOn, failures, waitingMinutes, endpointIds, emails }
}

/** Refused as `invalid` at `endpointIds` when one is not of this tenant. */
export async function changeSettings(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  tenantId: string,
  settings: AlertSettings,
): Promise<void> {
  const { emails, endpointIds, ...rest } = settings
  for (const [i, endpointId] of endpointIds.entries())
    if (!(await findEndpoint(tx, tenantId, endpointId)))
      throw invalid({ path: `endpointIds.${i}`, message: 'is no webhook endpoint of this tenant' })
  const emailsSealed = emails && seal.json(emails, place(tenantId))
  await keepSettings(tx, { tenantId, ...rest, endpointIds: [...new Set(endpointIds)], emailsSealed }, at)
}
