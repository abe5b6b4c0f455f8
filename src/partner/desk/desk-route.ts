// Routes of the desk, and their entries in the audit log that are the same for all: tries that were refused, and views of what is about borrowers.

import { Refusal, type RefusalKind } from '#kit/http/refusal.ts'
import type { Call, Route } from '#kit/http/route.ts'
import type { Static, TSchema } from '#kit/http/schema.ts'
import { Answer } from '#kit/http/server.ts'
import { fieldsOf } from '#kit/runtime/record.ts'
import type { Context } from '#partner/context.ts'
import { Unreadable } from './parts/form-fields.ts'
import { turnTexts } from './parts/turn-page.ts'
import { actOf, PermissionRefusal } from './staff/staff.ts'
import { type Act, noteAct, type StaffActDetails } from './staff/staff-act.ts'

export interface DeskRoute<
  Who = unknown,
  B extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  P extends TSchema = TSchema,
> extends Route<Context, Who, B, Q, P> {
  /** The entry for each look at its page, or at the page that answers a refusal; null where nothing there is about a borrower. */
  shows: Act | null
  /** The page that is shown again after a refusal; without it, and for missing objects, a page with the reason. */
  again?(call: Call<Who, Static<B>, Static<Q>, Static<P>>, refusal: Refusal, ctx: Context): Answer | Promise<Answer>
}

/** Types a route of the desk; the value is the route itself. */
export const deskRoute = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: DeskRoute<Who, B, Q, P>,
): DeskRoute<Who, B, Q, P> => value

// biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
export type AnyDeskRoute = DeskRoute<any, any, any, any>

interface View {
  act: Act
  about: StaffActDetails
}

/** An answer that overrides its route's view entry: null for no view. */
export class ViewedAnswer extends Answer {
  readonly view: View | null

  constructor({ status, body, headers }: Answer, view: View | null) {
    super(status, body, headers)
    this.view = view
  }
}

const statuses: Partial<Record<RefusalKind, number>> = {
  malformed: 400,
  invalid: 400,
  forbidden: 403,
  absent: 404,
  'wrong-method': 405,
  'too-large': 413,
  'rate-limited': 429,
  damaged: 500,
  upstream: 503,
}

/** Of a page that explains a refusal. */
export const statusOf = ({ kind }: Refusal): number => statuses[kind] ?? 409

/** Refusals that are not recorded: the form could not be parsed, or the program failed and has its own log. */
const unrecorded: readonly RefusalKind[] = ['malformed', 'too-large', 'unsupported-media', 'damaged', 'upstream']

/**
 * Whether this is a refused act without an entry. `may` records forbidden acts, and the sign-in records its own
 * failures.
 */
const isTry = ({ method }: AnyDeskRoute, { who }: Pick<AnyCall, 'who'>, refusal: Refusal): boolean =>
  method !== 'GET' && who !== null && !(refusal instanceof PermissionRefusal) && !unrecorded.includes(refusal.kind)

type AnyCall = Call<{ staffId: string } | null, unknown, unknown, unknown>

/** Which case, and which other thing or list: ids of its address, nothing that was typed into a form. */
function aboutOf({ path }: AnyDeskRoute, { params }: Pick<AnyCall, 'params'>): StaffActDetails {
  const { caseRef, ...ids } = textsOf(params)
  const subject = Object.values(ids).join(' ')
  if (caseRef === undefined) return { subject: subject || path }
  return { caseRef, ...(subject !== '' && { subject }) }
}

/** The texts of a query or a path. */
export const textsOf = (given: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(given)).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

/** The filter and page of a list, from its address. */
export const shownBy = (query: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(turnTexts(textsOf(query))).filter(([, value]) => value !== ''))

/** Input is not logged: an unreadable field is logged by name. */
function refusedTry(route: AnyDeskRoute, call: AnyCall, refusal: Refusal): View {
  const what = actOf(route.auth)
  const because = refusal instanceof Unreadable ? refusal.unread : refusal.message
  return {
    act: 'ACT_REFUSED',
    about: { ...aboutOf(route, call), detail: { ...(what && { what }), because } },
  }
}

function viewOf(route: AnyDeskRoute, call: AnyCall, made: unknown): View | null {
  if (made instanceof ViewedAnswer) return made.view
  if (route.shows === null || (made instanceof Answer && made.status === 303)) return null
  return { act: route.shows, about: { ...aboutOf(route, call), detail: shownBy(call.query) } }
}

/**
 * Records refused tries and views before their answers are sent, in a transaction that locks the end of the chain only
 * for two statements. The page is rendered first, so that a refused view is not recorded as seen.
 */
export const recorded = (route: AnyDeskRoute): AnyDeskRoute => ({
  ...route,
  async handle(call, ctx) {
    const note = (entry: View) => ctx.db.tx((tx) => noteAct(tx, { staffId: call.who.staffId, at: call.at, ...entry }))
    const made = await answered(route, call, ctx, note)
    const view = viewOf(route, call, made)
    if (view) await note(view)
    return made
  },
})

async function answered(route: AnyDeskRoute, call: AnyCall, ctx: Context, note: (entry: View) => Promise<void>) {
  try {
    return await route.handle(call, ctx)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (isTry(route, call, error)) await note(refusedTry(route, call, error))
    if (!route.again || error.kind === 'absent') throw error
    return route.again(call, error, ctx)
  }
}
