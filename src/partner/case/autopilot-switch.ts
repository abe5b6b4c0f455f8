// Whether rules decide in place of people: by the program's setting, until the desk switches it.
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { enqueue, noTenantId } from '#kit/messaging/queue.ts'
import type { Context } from '#partner/context.ts'
import { insertSwitch, readSwitch } from './store.ts'

export const remindKind = 'remind-cases'

type Rules = Pick<Context['config'], 'PARTNER_AUTOPILOT' | 'SANDBOX'>

/**
 * Read each time, so that a switch takes effect in every process with the next act. Outside a sandbox people always
 * decide, because one person could otherwise let the rules do what a second one refused.
 */
export const isAutopilotOn = async (db: Run, config: Rules): Promise<boolean> =>
  config.SANDBOX && ((await readSwitch(db))?.isOn ?? config.PARTNER_AUTOPILOT)

/** Acts in progress complete; open cases are checked once the rules are on. */
export async function switchAutopilot(tx: Tx, isOn: boolean, switchedBy: string, at: Date): Promise<void> {
  await insertSwitch(tx, { switchId: uuidv7(at.getTime()), isOn, switchedBy, switchedAt: at })
  if (isOn) await remindCases(tx, at)
}

/** Has the rules look at every case that may wait for them. */
export const remindCases = (tx: Tx, at: Date): Promise<void> =>
  enqueue(tx, { tenantId: noTenantId, kind: remindKind, payload: {}, dueAt: at })
