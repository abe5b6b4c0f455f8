// Contexts of the running programs in this process, and signed-in staff of console and desk.

import { configFrom } from '#kit/runtime/config.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { addStaff } from '#partner/desk/staff/staff.ts'
import { type Role as DeskRole, roles as deskRoles } from '#partner/desk-person.ts'
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

/** Adds a person per role to the desk; returns the session cookie of each. */
export async function deskCookies({ partnerDb, partnerUrl }: Installation): Promise<Map<DeskRole, string>> {
  const cookies = new Map<DeskRole, string>()
  for (const role of deskRoles) {
    const person = { email: emailOf(role), name: role, password, roles: [role] }
    await partnerDb.tx((tx) => addStaff(tx, person, new Date()))
    cookies.set(role, await signInAtDesk(partnerUrl, role))
  }
  return cookies
}

const emailOf = (role: DeskRole): string => `${role}@wall.example`

/** Returns the cookie of a new session. */
export async function signInAtDesk(partnerUrl: string, role: DeskRole): Promise<string> {
  const body = new URLSearchParams({ email: emailOf(role), password })
  const answer = await fetch(`${partnerUrl}/desk/sign-in`, { method: 'POST', body, redirect: 'manual' })
  const [cookie] = (answer.headers.get('set-cookie') ?? '').split(';')
  if (!cookie) throw new Error(`the desk did not let ${role} in: ${answer.status}`)
  return cookie
}
