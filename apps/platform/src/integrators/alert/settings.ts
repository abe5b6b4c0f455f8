// A tenant's settings for alerts about its webhook endpoints.

import { invalid } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { TxContext } from '#platform/context.ts'
import { findEndpoint } from '#platform/integrators/webhook/endpoint/store.ts'
import { type AlertSettings, defaultAlertSettings } from './outage.ts'
import { findSettings, saveAlertSettings } from './store.ts'

const sealContext = (tenantId: string): string => `webhook_alert_setting:${tenantId}`

export async function settingsOf(db: Run, seal: Seal, tenantId: string): Promise<AlertSettings> {
  const row = await findSettings(db, tenantId)
  if (!row) return defaultAlertSettings
  const { isOn, failures, waitingMinutes, endpointIds, emailsSealed } = row
  const emails = emailsSealed && seal.openJson<string[]>(emailsSealed, sealContext(tenantId))
  return { isOn, failures, waitingMinutes, endpointIds, emails }
}

/** Stores the settings. Throws `invalid` at `endpointIds` for an endpoint that the tenant does not have. */
export async function changeSettings(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  tenantId: string,
  settings: AlertSettings,
): Promise<void> {
  const { emails, endpointIds, ...thresholds } = settings
  for (const [i, endpointId] of endpointIds.entries())
    if (!(await findEndpoint(tx, tenantId, endpointId)))
      throw invalid({ path: `endpointIds.${i}`, message: 'is not a webhook endpoint of this tenant' })
  const emailsSealed = emails && seal.json(emails, sealContext(tenantId))
  await saveAlertSettings(tx, { tenantId, ...thresholds, endpointIds: [...new Set(endpointIds)], emailsSealed }, at)
}
