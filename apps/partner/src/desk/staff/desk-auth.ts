// Who may do what at the desk: checks the session of a user, and the roles for an act.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Auth } from '@lendloom/http/server'
import { type RequestHeaders, refuseOtherSites } from '@lendloom/http/session-cookie'
import { keyOf } from '@lendloom/identity/person'
import { type OpenSession, sessionIn } from '@lendloom/identity/session'
import { lockSession } from '@lendloom/identity/session/store'
import type { Tx } from '@lendloom/postgres/sql'
import type { Context } from '#partner/context.ts'
import { requireProof } from '#partner/people/one-person.ts'
import type { DeskPerson, DeskTheme } from '#partner/people/person.ts'
import { findStaffById } from '#partner/people/store.ts'
import { type Act, can, noteAct, rolesFor } from './staff-acts.ts'

/** A user who is signed in. */
export interface SignedIn extends DeskPerson {
  /** Whether the session may approve: `decidesAt` of the second factor has passed, or the OpenID sign-in is fresh. */
  isProven: boolean
  theme?: DeskTheme | null
}

/** Seconds for which an OpenID sign-in, or a password chosen through a mailed link, counts as proof of identity. */
export const proofSeconds = 3600

/** Allows every signed-in user: `bad-session` without a session · `forbidden` for another site. */
export const anyStaff: Auth<Context, SignedIn> = {
  scheme: null,
  async check({ headers }, ctx) {
    refuseOtherSites(headers, ctx.config.PARTNER_PUBLIC_URL)
    const session = await sessionIn(ctx, headers)
    if (!session) throw new Refusal('bad-session', 'sign in first')
    return { ...session.person, isProven: isProven(session, session.person, ctx), theme: themeIn(headers) }
  },
  nameOf: ({ staffId }) => staffId,
}

const themeIn = ({ cookie }: RequestHeaders): DeskTheme | null => {
  const [, theme] = /(?:^|; )desk-theme=(light|dark)(?:;|$)/.exec(String(cookie ?? '')) ?? []
  return theme === 'light' || theme === 'dark' ? theme : null
}

function isProven(
  { proof, createdAt }: Pick<OpenSession<DeskPerson>, 'proof' | 'createdAt'>,
  { decidesAt }: Pick<DeskPerson, 'decidesAt'>,
  { config, realClock }: Context,
): boolean {
  if (config.PARTNER_DESK_SECOND_FACTOR === 'optional') return true
  if (proof === 'CODE') return decidesAt !== null && decidesAt <= realClock()
  return proof === 'OPENID' && secondsAfter(createdAt, proofSeconds) > realClock()
}

/**
 * Locks the session of a user who proposes, refuses or withdraws. Refused: `bad-session` if the session has ended, for
 * example because of a reset · `forbidden` if the roles have changed since the request began.
 */
export async function lockSignedIn(tx: Tx, who: DeskPerson) {
  const session = await lockSession(tx, keyOf(who), who.sessionId)
  const now = session && (await findStaffById(tx, who.staffId))
  if (!now) throw new Refusal('bad-session', 'sign in first')
  if (now.roles.join() !== who.roles.join())
    throw new Refusal('forbidden', 'your roles have just changed: reload the page')
  return { session, now }
}

/** Locks the session of a user who approves. Refused as `lockSignedIn`, and as `forbidden` without a second factor. */
export async function lockDecider(tx: Tx, who: SignedIn, ctx: Context): Promise<void> {
  const { session, now } = await lockSignedIn(tx, who)
  requireProof({ isProven: isProven(session, now, ctx) })
}

const orList = new Intl.ListFormat('en-IN', { type: 'disjunction' })

/** A refusal because the user's roles do not permit the act; `may` has recorded it. */
export class PermissionRefusal extends Refusal {
  readonly staff: SignedIn
  /** The name of the refused page or act. */
  routeName = ''
  constructor(staff: SignedIn, act: Act) {
    super(
      'forbidden',
      `this needs the role ${orList.format(rolesFor(act))}. Your role is ${staff.roles.join(', ')}, so nothing was opened or changed; ask an admin to change your role`,
      { act },
    )
    this.staff = staff
  }
}

interface ActAuth extends Auth<Context, SignedIn> {
  act: Act
}

/** Allows users whose roles permit the act. Refuses and records other users' requests as `forbidden`. */
export const may = (act: Act): ActAuth => ({
  ...anyStaff,
  act,
  async check(arrival, ctx) {
    const who = await anyStaff.check(arrival, ctx)
    if (can(who, act)) return who
    const { at, path } = arrival
    const about = { subject: act, detail: { path } }
    await ctx.db.tx((tx) => noteAct(tx, { staffId: who.staffId, act: 'NOT_ALLOWED', about, at }))
    throw new PermissionRefusal(who, act)
  },
})

/** Returns the act that a route requires; undefined if every role may use the route. */
export const actOf = (auth: Auth<Context, unknown> | ActAuth): Act | undefined => ('act' in auth ? auth.act : undefined)

/** Allows requests without a session, but only from pages of this site. */
export const sameSite: Auth<Context, null> = {
  scheme: null,
  isPublic: true,
  check({ headers }, ctx) {
    refuseOtherSites(headers, ctx.config.PARTNER_PUBLIC_URL)
    return null
  },
}
