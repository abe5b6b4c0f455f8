// Contexts of the running programs in this process, and signed-in staff of the desk.
import { sealWith } from '#kit/crypto/seal.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { noTenant } from '#kit/staff/person.ts'
import { beginSession } from '#kit/staff/session.ts'
import { deskSignIn } from '#partner/desk/staff/program.ts'
import { addStaff, staffOf } from '#partner/desk/staff/staff.ts'
import { type Role as DeskRole, roles as deskRoles } from '#partner/desk-person.ts'
import { partnerColumns } from '#partner/sealed-columns.ts'
import { settings as partnerSettings } from '#partner/settings.ts'
import type { Context } from '#platform/context.ts'
import { memoryOf } from '#platform/memory.ts'
import { settings } from '#platform/settings.ts'
import type { Installation } from '../setup/installation.ts'

/** The platform's context on its database, for what no API offers, such as expired credentials. */
export function platformContext({ db, seal, env }: Installation): Context {
  const config = configFrom(settings, env.platform)
  const clock = () => new Date()
  return { db, seal, config, clock, realClock: clock, log: quietLog, ...memoryOf({ db, seal, config }) }
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
      { tx, seal, staff, realClock },
      key,
      { address: '127.0.0.1', headers: {} },
      { proof: 'PASSWORD' },
    )
  })
  return cookies[0]?.split(';')[0] ?? ''
}
