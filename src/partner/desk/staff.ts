// Who is at the desk: signing in with e-mail and password, and a session that lives in a cookie for a working day.
import { randomOctets } from '#kit/chance.ts'
import { secondsAfter } from '#kit/clock.ts'
import type { Auth } from '#kit/http-server.ts'
import { uuidv7 } from '#kit/id.ts'
import { Refusal } from '#kit/refusal.ts'
import { digestOf } from '#kit/secret.ts'
import type { Run, Tx } from '#kit/sql.ts'
import { Buckets } from '#kit/token-bucket.ts'
import type { World } from '#partner/world.ts'
import { hashPassword, isPassword } from './password.ts'
import { noteAct } from './staff-act.ts'
import {
  deleteSession,
  findSession,
  findStaff,
  insertSession,
  insertStaff,
  isKnownStaff,
  removeStaff,
  writePassword,
} from './store.ts'

export interface Staff {
  staffId: string
  email: string
  name: string
}

const sessionSeconds = 8 * 3600
const cookieName = 'desk'
/** Tries of one name, from wherever they come. */
const tries = { perSecond: 1 / 30, burst: 5 }
const buckets = new Buckets()

export const emailOf = (text: string): string => text.trim().toLowerCase()

/** Adds somebody to the staff. Refused: `invalid` at `email` or `password` · `wrong-state` when they work here already. */
export async function addStaff(
  tx: Tx,
  { email, name, password }: { email: string; name: string; password: string },
  at: Date,
): Promise<void> {
  if (!/^[^\s@]+@[^\s@]+$/.test(emailOf(email)))
    throw new Refusal('invalid', 'that is no e-mail address', { field: 'email' })
  const passwordHash = await hashOf(password)
  const row = { staffId: uuidv7(at.getTime()), email: emailOf(email), name, passwordHash }
  if (!(await insertStaff(tx, row, at))) throw new Refusal('wrong-state', `${emailOf(email)} works here already`)
  await noteAct(tx, null, 'STAFF_ADDED', { subject: row.email }, at)
}

/** Another password for somebody who lost theirs; their sessions end. Refused: `invalid` at `password` · `absent`. */
export async function givePassword(tx: Tx, email: string, password: string, at: Date): Promise<void> {
  const staff = await staffOf(tx, email)
  await writePassword(tx, staff.staffId, await hashOf(password), null)
  await noteAct(tx, null, 'STAFF_PASSWORD', { subject: staff.email }, at)
}

/** They sign in no longer, and what they did stays theirs. Refused as `absent` when nobody works here as that. */
export async function removeFromStaff(tx: Tx, email: string, at: Date): Promise<void> {
  const staff = await staffOf(tx, email)
  await removeStaff(tx, staff.staffId, at)
  await noteAct(tx, null, 'STAFF_REMOVED', { subject: staff.email }, at)
}

const leastLength = 12

/** The hash to keep. Refused as `invalid` when the password is too short. */
export async function hashOf(password: string): Promise<string> {
  if (password.length < leastLength)
    throw new Refusal('invalid', `a password has at least ${leastLength} characters`, { field: 'password' })
  return hashPassword(password)
}

/** Whoever works here. Refused as `absent` when nobody does under that address. */
export async function staffOf(db: Run, email: string): Promise<Staff> {
  const staff = await findStaff(db, emailOf(email))
  if (!staff) throw new Refusal('absent', `nobody works here as ${emailOf(email)}`)
  return staff
}

/** Makes sure that the person whom the settings name could sign in once: what was changed since then stays. */
export async function firstStaff({ db, config }: World, at: Date): Promise<void> {
  const { PARTNER_DESK_EMAIL: email, PARTNER_DESK_PASSWORD: password } = config
  if (email === '' || (await isKnownStaff(db, emailOf(email)))) return
  try {
    await db.tx((tx) => addStaff(tx, { email, name: email.split('@')[0]!, password }, at))
  } catch (error) {
    // Another process of the same program was first.
    if (!(error instanceof Refusal && error.kind === 'wrong-state')) throw error
  }
}

/** Whether it is their password. Refused as `rate-limited` after some wrong ones. */
export async function provesPassword(db: Run, email: string, password: string, at: Date): Promise<boolean> {
  const { allowed, secondsUntilNext } = buckets.draw(emailOf(email), tries, at.getTime())
  if (!allowed) throw new Refusal('rate-limited', 'too many tries', { retryAfterSeconds: Math.ceil(secondsUntilNext) })
  return isPassword(password, (await findStaff(db, emailOf(email)))?.passwordHash)
}

/** The cookie of a new session; null when name or password is wrong. Refused as `rate-limited` after some wrong ones. */
export async function signIn(world: World, email: string, password: string, at: Date): Promise<string | null> {
  if (!(await provesPassword(world.db, email, password, at))) return null
  const { staffId } = await staffOf(world.db, email)
  const token = randomOctets(32).toString('base64url')
  await world.db.tx(async (tx) => {
    await insertSession(tx, digestOf(token), staffId, secondsAfter(at, sessionSeconds), at)
    await noteAct(tx, staffId, 'SIGNED_IN', {}, at)
  })
  return cookie(world, token, sessionSeconds)
}

/** Ends the session; the cookie that takes its place is empty. */
export async function signOut(world: World, { staffId }: Staff, headers: Headers, at: Date): Promise<string> {
  await world.db.tx(async (tx) => {
    await deleteSession(tx, sessionOf(headers)!)
    await noteAct(tx, staffId, 'SIGNED_OUT', {}, at)
  })
  return cookie(world, '', 0)
}

/** What the session of this request is kept under. */
export function sessionOf(headers: Headers): Buffer | undefined {
  const token = tokenIn(headers)
  return token === undefined ? undefined : digestOf(token)
}

type Headers = Record<string, string | string[] | undefined>

/** Whoever is signed in; refused as `bad-session`, and as `forbidden` when another site asks for it. */
export const atDesk: Auth<World, Staff> = {
  scheme: null,
  async check({ headers, at }, world) {
    sameSite(headers, world)
    const session = sessionOf(headers)
    const staff = session && (await findSession(world.db, session, at))
    if (!staff) throw new Refusal('bad-session', 'sign in first')
    return staff
  },
}

/** Anybody, but only from a page of our own. */
export const ownPage: Auth<World, null> = {
  scheme: null,
  check({ headers }, world) {
    sameSite(headers, world)
    return null
  },
}

/**
 * From a page of somebody else nothing is taken. Browsers say by themselves whether a request is from one of our own, by
 * whichever name they reached us; of those that do not, the origin must be the one that we are known by.
 */
function sameSite({ origin, 'sec-fetch-site': site }: Headers, { config }: World): void {
  const isOurs =
    site === undefined
      ? origin === undefined || origin === new URL(config.PARTNER_PUBLIC_URL).origin
      : site === 'same-origin' || site === 'none'
  if (!isOurs) throw new Refusal('forbidden', 'this was asked from another site')
}

function tokenIn({ cookie: cookies }: Headers): string | undefined {
  const [, token] = new RegExp(`(?:^|; )${cookieName}=([\\w-]{43})(?:;|$)`).exec(String(cookies ?? '')) ?? []
  return token
}

function cookie({ config }: World, value: string, seconds: number): string {
  const secure = config.PARTNER_PUBLIC_URL.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${value}; Path=/desk; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`
}
