// Whether the autopilot decides instead of officers. The switch at the desk overrides the setting.

import type { Run, Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context } from '#partner/context.ts'
import { insertSwitch, readSwitch } from './store.ts'

export const recheckKind = 'remind-cases'

type AutopilotSettings = Pick<Context['config'], 'PARTNER_AUTOPILOT' | 'SANDBOX'>

/**
 * Callers read this before each act, so that the switch takes effect in every process at once. Outside a sandbox the
 * autopilot is always off; otherwise an officer could use it to bypass the refusal of a second officer.
 */
export const isAutopilotOn = async (db: Run, config: AutopilotSettings): Promise<boolean> =>
  config.SANDBOX && ((await readSwitch(db))?.isOn ?? config.PARTNER_AUTOPILOT)

/** Switches the autopilot on or off. Acts in progress complete. Switching it on rechecks open cases. */
export async function switchAutopilot(tx: Tx, isOn: boolean, switchedBy: string, at: Date): Promise<void> {
  await insertSwitch(tx, { switchId: uuidv7(at.getTime()), isOn, switchedBy, switchedAt: at })
  if (isOn) await queueRecheck(tx, at)
}

/** Queues a recheck of every case that may wait for the autopilot. */
export const queueRecheck = (tx: Tx, at: Date): Promise<void> =>
  enqueue(tx, { tenantId: noTenantId, kind: recheckKind, payload: {}, dueAt: at })
