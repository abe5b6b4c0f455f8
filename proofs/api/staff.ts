// Contexts of the running programs in this process, and signed-in staff of the desk.

import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { noTenant } from '@lendloom/identity/person'
import { beginSession } from '@lendloom/identity/session'
import { settings as partnerSettings } from '@lendloom/partner/settings'
import { deskSignIn } from '@lendloom/partner/src/desk/staff/desk-sign-in.ts'
import { addStaff, staffOf } from '@lendloom/partner/src/desk/staff/staff.ts'
import { type Role as DeskRole, roles as deskRoles } from '@lendloom/partner/src/people/person.ts'
import { partnerColumns } from '@lendloom/partner/src/sealed-columns.ts'
import { settings } from '@lendloom/platform/settings'
import type { Context } from '@lendloom/platform/src/context.ts'
import { lenderChannels } from '@lendloom/platform/src/lenders/channels.ts'
import { processPartsOf } from '@lendloom/platform/src/process-parts.ts'
import { sealWith } from '@lendloom/seal/seal'
import type { Installation } from '../setup/installation.ts'

/** The platform's context on its database, for what no API offers, such as expired credentials. */
export function platformContext({ db, seal, env }: Installation): Context {
  const config = configFrom(settings, env.platform)
  const clock = () => new Date()
  return {
    db,
    seal,
    config,
    clock,
    realClock: clock,
    log: quietLog,
    channels: lenderChannels,
    ...processPartsOf({ db, seal, config }),
  }
}

const password = 'correct horse battery'
const emailOf = (role: DeskRole): string => `${role}@wall.example`

/** Adds a person per role to the desk; returns the session cookie of each. */
export async function deskCookies(installation: Installation): Promise<Map<DeskRole, string>> {
  const cookies = new Map<DeskRole, string>()
  for (const role of deskRoles) {
    const person = { email: emailOf(role), name: role, password, roles: [role] }
    await installation.partnerDb.tx((tx) => addStaff(tx, person, new Date()))
    cookies.set(role, await signInAtDesk(installation, role))
  }
  return cookies
}

/** Starts a session without a password, because the desk limits attempts; returns its cookie. */
export async function signInAtDesk({ partnerDb, env }: Installation, role: DeskRole): Promise<string> {
  const config = configFrom(partnerSettings, env.partner)
  const seal = sealWith(config.LENDLOOM_KEYS, '', partnerColumns)
  const { staff, realClock } = deskSignIn({ config })
  const { cookies } = await partnerDb.tx(async (tx) => {
    const { staffId } = await staffOf(tx, emailOf(role))
    const key = { tenantId: noTenant, personId: staffId }
    return beginSession(
      { tx, at: realClock(), seal, staff, realClock },
      key,
      { address: '127.0.0.1', headers: {} },
      { proof: 'PASSWORD' },
    )
  })
  return cookies[0]?.split(';')[0] ?? ''
}
