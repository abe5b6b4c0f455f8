// Routes of the desk, with the audit entries common to all: refused acts, and views of borrowers' data.

import { Refusal, type RefusalKind } from '#kit/http/refusal.ts'
import type { Call, Route } from '#kit/http/route.ts'
import type { Static, TSchema } from '#kit/http/schema.ts'
import { Answer } from '#kit/http/server.ts'
import { fieldsOf } from '#kit/runtime/record.ts'
import type { Context } from '#partner/context.ts'
import { UnreadableField } from './parts/form-fields.ts'
import { describePaging } from './parts/turn-page.ts'
import { actOf, PermissionRefusal } from './staff/staff.ts'
import { type Act, noteAct, type StaffActDetails } from './staff/staff-act.ts'

export interface DeskRoute<
  Who = unknown,
  B extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  P extends TSchema = TSchema,
> extends Route<Context, Who, B, Q, P> {
  /** The act recorded for each view of its page, also after a refusal; null for a page without borrowers' data. */
  viewAct: Act | null
  /** The page shown after a refusal. Without it, and for missing objects, the answer is a page with only the reason. */
  onRefusal?(call: Call<Who, Static<B>, Static<Q>, Static<P>>, refusal: Refusal, ctx: Context): Answer | Promise<Answer>
}

/** Returns the route, with its types checked. */
export const deskRoute = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: DeskRoute<Who, B, Q, P>,
): DeskRoute<Who, B, Q, P> => value

// biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
export type AnyDeskRoute = DeskRoute<any, any, any, any>

interface View {
  act: Act
  about: StaffActDetails
}

/** An answer with a view entry of its own; null records no view. */
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

/** The HTTP status of a page that explains a refusal. */
export const statusOf = ({ kind }: Refusal): number => statuses[kind] ?? 409

/** Refusals without an entry: the request could not be parsed, or the program failed and logged that. */
const unrecordedKinds: readonly RefusalKind[] = ['malformed', 'too-large', 'unsupported-media', 'damaged', 'upstream']

/**
 * Whether a refusal needs an `ACT_REFUSED` entry. `may` has already recorded acts that the role forbids, and the sign-in
 * records its own failures.
 */
const isRecordedRefusal = ({ method }: AnyDeskRoute, { who }: Pick<AnyCall, 'who'>, refusal: Refusal): boolean =>
  method !== 'GET' && who !== null && !(refusal instanceof PermissionRefusal) && !unrecordedKinds.includes(refusal.kind)

type AnyCall = Call<{ staffId: string } | null, unknown, unknown, unknown>

/** The case and object of a request, by the ids in its address; never input of a form. */
function aboutOf({ path }: AnyDeskRoute, { params }: Pick<AnyCall, 'params'>): StaffActDetails {
  const { caseRef, ...ids } = stringFields(params)
  const subject = Object.values(ids).join(' ')
  if (caseRef === undefined) return { subject: subject || path }
  return { caseRef, ...(subject !== '' && { subject }) }
}

/** The fields of a query or of path parameters that are strings. */
export const stringFields = (input: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(input)).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

/** The filter and page of a list, for its view entry. */
export const viewDetail = (query: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(describePaging(stringFields(query))).filter(([, value]) => value !== ''))

/** The entry of a refused act. It names an unreadable field without its input. */
function refusalEntry(route: AnyDeskRoute, call: AnyCall, refusal: Refusal): View {
  const act = actOf(route.auth)
  const because = refusal instanceof UnreadableField ? refusal.messageWithoutInput : refusal.message
  return {
    act: 'ACT_REFUSED',
    about: { ...aboutOf(route, call), detail: { ...(act && { what: act }), because } },
  }
}

function viewOf(route: AnyDeskRoute, call: AnyCall, answer: unknown): View | null {
  if (answer instanceof ViewedAnswer) return answer.view
  if (route.viewAct === null || (answer instanceof Answer && answer.status === 303)) return null
  return { act: route.viewAct, about: { ...aboutOf(route, call), detail: viewDetail(call.query) } }
}

/**
 * Records refused acts and views before the answer is sent. The entry has a short transaction of its own, because it
 * locks the end of the audit chain. The page is rendered first, so that a refused view is not recorded as seen.
 */
export const withAuditEntries = (route: AnyDeskRoute): AnyDeskRoute => ({
  ...route,
  async handle(call, ctx) {
    const recordEntry = (entry: View) =>
      ctx.db.tx((tx) => noteAct(tx, { staffId: call.who.staffId, at: call.at, ...entry }))
    const answer = await handleWithRefusals(route, call, ctx, recordEntry)
    const view = viewOf(route, call, answer)
    if (view) await recordEntry(view)
    return answer
  },
})

async function handleWithRefusals(
  route: AnyDeskRoute,
  call: AnyCall,
  ctx: Context,
  recordEntry: (entry: View) => Promise<void>,
) {
  try {
    return await route.handle(call, ctx)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (isRecordedRefusal(route, call, error)) await recordEntry(refusalEntry(route, call, error))
    if (!route.onRefusal || error.kind === 'absent') throw error
    return route.onRefusal(call, error, ctx)
  }
}
