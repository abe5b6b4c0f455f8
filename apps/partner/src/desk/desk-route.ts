// Routes of the desk: each checks the user's roles, records refused acts and views of borrowers' data in the audit log, and
// keeps the frame in which its page, or the page of its refusal, is shown.

import { fieldsOf } from '@lendloom/foundation/record'
import { Refusal, type RefusalKind } from '@lendloom/foundation/refusal'
import type { Static, TSchema } from '@lendloom/foundation/schema'
import type { Arrival, Call, Route } from '@lendloom/http/route'
import { Answer } from '@lendloom/http/server'
import type { Context } from '#partner/context.ts'
import { areaNames, type Frame, viewerFrame } from './frame.ts'
import { describePaging } from './parts/paging.ts'
import { UnreadableField } from './parts/read-fields.ts'
import { refusedPage } from './refusal-page.ts'
import { actOf, PermissionRefusal, type SignedIn } from './staff/desk-auth.ts'
import { type Act, noteAct, type StaffActDetails } from './staff/staff-acts.ts'

export interface DeskRoute<
  Who = unknown,
  B extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  P extends TSchema = TSchema,
> extends Route<Context, Who, B, Q, P> {
  /** The act that records a view of the page, also after a refusal. Null for a page without borrowers' data. */
  viewAct: Act | null
  /** Renders the page after a refusal. By default, and if the object is absent, the page has only the reason. */
  onRefusal?(call: Call<Who, Static<B>, Static<Q>, Static<P>>, refusal: Refusal, ctx: Context): Answer | Promise<Answer>
}

/** Returns the route unchanged; infers and checks its types. */
export const deskRoute = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: DeskRoute<Who, B, Q, P>,
): DeskRoute<Who, B, Q, P> => value

// biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
export type AnyDeskRoute = DeskRoute<any, any, any, any>

interface AuditEntry {
  act: Act
  about: StaffActDetails
}

/** An answer with its own audit entry in place of the view entry of its route. With null, no view is recorded. */
export class AuditedAnswer extends Answer {
  readonly auditEntry: AuditEntry | null

  constructor({ status, body, headers }: Answer, auditEntry: AuditEntry | null) {
    super(status, body, headers)
    this.auditEntry = auditEntry
  }
}

/** Refusals without an audit entry: the request could not be parsed, or the program failed and logged the failure. */
const kindsWithoutEntry: readonly RefusalKind[] = ['malformed', 'too-large', 'unsupported-media', 'damaged', 'upstream']

/**
 * Whether a refusal needs an `ACT_REFUSED` entry. `may` has already recorded acts that the role forbids, and failed
 * sign-ins have their own entries.
 */
const needsRefusalEntry = ({ method }: AnyDeskRoute, { who }: Pick<AnyCall, 'who'>, refusal: Refusal): boolean =>
  method !== 'GET' &&
  who !== null &&
  !(refusal instanceof PermissionRefusal) &&
  !kindsWithoutEntry.includes(refusal.kind)

type AnyCall = Call<SignedIn | null, unknown, unknown, unknown>

/** Returns the case and the object that the ids in the path name. Input of a form is not included. */
function aboutOf({ path }: AnyDeskRoute, { params }: Pick<AnyCall, 'params'>): StaffActDetails {
  const { caseRef, ...ids } = stringFields(params)
  const subject = Object.values(ids).join(' ')
  if (caseRef === undefined) return { subject: subject || path }
  return { caseRef, ...(subject !== '' && { subject }) }
}

/** Returns the string fields of a query or of path parameters. */
export const stringFields = (input: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(input)).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

/** Returns the filter and the page of a list, for the view entry. `done` only says what the page before has done. */
export const viewDetail = (query: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(describePaging(stringFields(query))).filter(([name, value]) => value !== '' && name !== 'done'),
  )

/** Returns the entry of a refused act. For an unreadable field, the entry does not contain the input. */
function refusalEntry(route: AnyDeskRoute, call: AnyCall, refusal: Refusal): AuditEntry {
  const act = actOf(route.auth)
  const because = refusal instanceof UnreadableField ? refusal.messageWithoutInput : refusal.message
  return {
    act: 'ACT_REFUSED',
    about: { ...aboutOf(route, call), detail: { ...(act && { what: act }), because } },
  }
}

/** Returns the entry of an answered call; null if nothing is recorded. */
function entryOf(route: AnyDeskRoute, call: AnyCall, answer: unknown): AuditEntry | null {
  if (answer instanceof AuditedAnswer) return answer.auditEntry
  if (route.viewAct === null || (answer instanceof Answer && answer.status === 303)) return null
  return { act: route.viewAct, about: { ...aboutOf(route, call), detail: viewDetail(call.query) } }
}

/**
 * Records refused acts and views before the answer is sent. Each entry has its own short transaction, because it locks
 * the end of the audit chain. The page is rendered first, so that a refused view is not recorded as a view.
 */
export const withAuditEntries = (route: AnyDeskRoute): AnyDeskRoute => ({
  ...route,
  auth: { ...route.auth, check: (arrival, ctx) => checkRoles(route, arrival, ctx) },
  async handle(call, ctx) {
    const recordEntry = (entry: AuditEntry) =>
      ctx.db.tx((tx) => noteAct(tx, { staffId: call.who.staffId, at: call.at, ...entry }))
    const answer = await handleWithRefusals(route, call, ctx, recordEntry)
    const answeredEntry = entryOf(route, call, answer)
    if (answeredEntry) await recordEntry(answeredEntry)
    return answer
  },
})

/** By request, because a refusal's page is made where the signed-in user is no longer known. */
const frames = new WeakMap<object, ReturnType<typeof viewerFrame>>()

export const frameOf = (arrival: object): Pick<Frame, 'staff' | 'lender' | 'isSandbox'> =>
  frames.get(arrival) ?? { staff: null, lender: 'The desk' }

/**
 * Checks the user’s roles, and keeps the frame of the page. A refusal says what the user may not do: for a page its name in
 * the menu, for an act the summary of its route.
 */
async function checkRoles({ auth, summary, method, path }: AnyDeskRoute, arrival: Arrival, ctx: Context) {
  try {
    const who = await auth.check(arrival, ctx)
    frames.set(arrival, viewerFrame(ctx, who))
    return who
  } catch (error) {
    if (error instanceof PermissionRefusal) {
      error.routeName = (method === 'GET' && areaNames.get(path)) || summary
      frames.set(arrival, viewerFrame(ctx, error.staff))
    }
    throw error
  }
}

async function handleWithRefusals(
  route: AnyDeskRoute,
  call: AnyCall,
  ctx: Context,
  recordEntry: (entry: AuditEntry) => Promise<void>,
) {
  try {
    return await route.handle(call, ctx)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (needsRefusalEntry(route, call, error)) await recordEntry(refusalEntry(route, call, error))
    if (route.onRefusal && error.kind !== 'absent') return route.onRefusal(call, error, ctx)
    if (!call.who || kindsWithoutEntry.includes(error.kind)) throw error
    return new AuditedAnswer(refusedPage(ctx, call.who, error, route.path), null)
  }
}
