// Alerts about webhook endpoints in the console: their settings, recipients and past outages.

import { OfTenant } from '@lendloom/wire/console/staff'
import { AlertSettingsRequest, Alerts } from '@lendloom/wire/console/webhooks'
import { consolePrefix } from '#platform/api/console/console-route.ts'
import { requireExistingTenant } from '#platform/api/console/people/people.ts'
import { byDevelopers } from '#platform/api/console/rights.ts'
import { type Context, route } from '#platform/context.ts'
import { changeSettings, settingsOf } from '#platform/integrators/alert/settings.ts'
import { listOutages } from '#platform/integrators/alert/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { tenantOf } from '#platform/people/person.ts'

const path = `${consolePrefix}/webhooks/alerts`
const maxOutages = 50

async function alertsOf({ db, seal }: Context, tenantId: string): Promise<Alerts> {
  const [settings, outages] = await Promise.all([settingsOf(db, seal, tenantId), listOutages(db, tenantId, maxOutages)])
  return {
    settings,
    outages: outages.map(({ tenantId: _, waitingSince, beganAt, endedAt, ...outage }) => ({
      ...outage,
      waitingSince: waitingSince?.toISOString() ?? null,
      beganAt: beganAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
    })),
  }
}

const show = route({
  ...byDevelopers,
  method: 'GET',
  path,
  summary: 'Alert settings of webhook endpoints, and the outages so far',
  query: OfTenant,
  reply: { 200: Alerts },
  handle: ({ who, query }, ctx) => alertsOf(ctx, tenantOf(who, query.tenantId)),
})

const change = route({
  ...byDevelopers,
  method: 'PUT',
  path,
  summary: 'Change the alert settings of webhook endpoints',
  query: OfTenant,
  body: AlertSettingsRequest,
  reply: { 200: Alerts },
  async handle({ who, query, body, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    await requireExistingTenant(ctx, tenantId)
    await ctx.db.tx(async (tx) => {
      await changeSettings({ ...ctx, tx, at }, tenantId, body)
      const { isOn, failures, waitingMinutes, emails, endpointIds } = body
      const detail = { isOn, failures, waitingMinutes, emails: emails?.length ?? 0, endpoints: endpointIds.length }
      await noteStaffAct({ tx, at }, who, { act: 'WEBHOOK_ALERTS_CHANGED', tenantId, detail })
    })
    return alertsOf(ctx, tenantId)
  },
})

export const alertRoutes = [show, change]
