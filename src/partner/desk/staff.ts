// Who is at the desk: signing in with e-mail and password, and a session that lives in a cookie for a working day.
import { createHash } from 'node:crypto'
import { randomOctets } from '#kit/chance.ts'
import { secondsAfter } from '#kit/clock.ts'
import type { Auth } from '#kit/http-server.ts'
import { uuidv7 } from '#kit/id.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import { Buckets } from '#kit/token-bucket.ts'
import type { World } from '#partner/world.ts'
import { hashPassword, isPassword } from './password.ts'
import { deleteSession, findSession, findStaff, insertSession, putStaff } from './store.ts'

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

/** Adds somebody to the staff, or gives them another password. Refused as `invalid` when the password is too short. */
export async function addStaff(tx: Tx, email: string, name: string, password: string, at: Date): Promise<void> {
  if (!/^[^\s@]+@[^\s@]+$/.test(emailOf(email)))
    throw new Refusal('invalid', 'that is no e-mail address', { field: 'email' })
  if (password.length < 12) throw new Refusal('invalid', 'a password has at least 12 characters', { field: 'password' })
  const passwordHash = await hashPassword(password)
  await putStaff(tx, { staffId: uuidv7(at.getTime()), email: emailOf(email), name, passwordHash }, at)
}

/** Makes sure that the person whom the settings name can sign in; nothing changes when they can. */
export async function firstStaff({ db, config }: World, at: Date): Promise<void> {
  const { PARTNER_DESK_EMAIL: email, PARTNER_DESK_PASSWORD: password } = config
  if (email === '' || (await isPassword(password, (await findStaff(db, emailOf(email)))?.passwordHash))) return
  await db.tx((tx) => addStaff(tx, email, email.split('@')[0]!, password, at))
}

/** The cookie of a new session; null when name or password is wrong. Refused as `rate-limited` after some wrong ones. */
export async function signIn(world: World, email: string, password: string, at: Date): Promise<string | null> {
  const { allowed, secondsUntilNext } = buckets.draw(emailOf(email), tries, at.getTime())
  if (!allowed) throw new Refusal('rate-limited', 'too many tries', { retryAfterSeconds: Math.ceil(secondsUntilNext) })
  const staff = await findStaff(world.db, emailOf(email))
  if (!(await isPassword(password, staff?.passwordHash))) return null
  const token = randomOctets(32).toString('base64url')
  await world.db.tx((tx) => insertSession(tx, digestOf(token), staff!.staffId, secondsAfter(at, sessionSeconds), at))
  return cookie(world, token, sessionSeconds)
}

/** Ends the session; the cookie that takes its place is empty. */
export async function signOut(world: World, headers: Headers): Promise<string> {
  const token = tokenIn(headers)
  if (token) await deleteSession(world.db, digestOf(token))
  return cookie(world, '', 0)
}

type Headers = Record<string, string | string[] | undefined>

/** Whoever is signed in; refused as `bad-session`, and as `forbidden` when another site asks for it. */
export const atDesk: Auth<World, Staff> = {
  scheme: null,
  async check({ headers, at }, world) {
    sameSite(headers, world)
    const token = tokenIn(headers)
    const staff = token && (await findSession(world.db, digestOf(token), at))
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

/** Browsers say where a request comes from: from a page of somebody else nothing is taken. */
function sameSite({ origin, 'sec-fetch-site': site }: Headers, { config }: World): void {
  const foreign = site === 'cross-site' || site === 'same-site'
  if (foreign || (origin !== undefined && origin !== new URL(config.PARTNER_PUBLIC_URL).origin))
    throw new Refusal('forbidden', 'this was asked from another site')
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

function tokenIn({ cookie: cookies }: Headers): string | undefined {
  const [, token] = new RegExp(`(?:^|; )${cookieName}=([\\w-]{43})(?:;|$)`).exec(String(cookies ?? '')) ?? []
  return token
}

function cookie({ config }: World, value: string, seconds: number): string {
  const secure = config.PARTNER_PUBLIC_URL.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${value}; Path=/desk; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`
}
