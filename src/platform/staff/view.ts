// Saved views: the filters of a list under a name, for oneself or for one's colleagues. They hold no personal data.

import { filtersOf, isFilterOf, mostViews, type ViewListName, viewListNames } from '#contract/console/lists.ts'
import type { NewViewRequest, ViewRequest } from '#contract/console/overview.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { canonicalJson, isOneOf } from '#kit/runtime/record.ts'
import { tenantIn } from '#kit/staff/person.ts'
import type { ConsolePerson, TxContext } from '#platform/context.ts'
import { noteStaffAct } from './audit.ts'
import { commandLine } from './person.ts'
import { deleteView, insertView, lockView, namesIn, type ViewRow, writeView } from './view/store.ts'

type ViewDeps = Pick<TxContext, 'tx' | 'at'>

/** The scope of views: a person's own, and those that colleagues share. */
export interface ViewPlace {
  tenantId: string
  who: ConsolePerson
}

const keyIn = ({ tenantId, who: { personId } }: ViewPlace) => ({ tenantId, personId })

/** Refused: `invalid` for a name or filter that may not be · `wrong-state` with the most views there may be. */
export async function saveView(ctx: ViewDeps, place: ViewPlace, given: NewViewRequest): Promise<ViewRow> {
  const viewId = uuidv7(ctx.at.getTime())
  const isShared = place.who === commandLine || (given.isShared ?? false)
  const row = {
    ...keyIn(place),
    ...{ viewId, list: given.list, name: nameFrom(given.name), filters: filtersFrom(given.list, given.filters) },
    ...{ isShared, version: 1, changedAt: ctx.at },
  }
  await mustFit(ctx, row)
  await insertView(ctx.tx, row)
  if (isShared) await note(ctx, place, row, 'VIEW_SHARED')
  return row
}

/** Refused: `absent` · `forbidden` · `invalid` · `wrong-state` when it was changed meanwhile. */
export async function changeView(
  ctx: ViewDeps,
  place: ViewPlace,
  viewId: string,
  given: ViewRequest,
): Promise<ViewRow> {
  const before = await held(ctx, place, viewId, given.version)
  const list = listOf(before)
  const row = {
    ...before,
    name: given.name === undefined ? before.name : nameFrom(given.name),
    filters: given.filters === undefined ? before.filters : filtersFrom(list, given.filters),
    isShared: given.isShared ?? before.isShared,
    version: before.version + 1,
    changedAt: ctx.at,
  }
  await mustFit(ctx, row)
  await writeView(ctx.tx, row)
  if (row.isShared || before.isShared) await note(ctx, place, row, row.isShared ? 'VIEW_SHARED' : 'VIEW_UNSHARED')
  return row
}

/** Refused: `absent` · `forbidden` · `wrong-state` when it was changed meanwhile. */
export async function removeView(
  ctx: ViewDeps,
  place: ViewPlace,
  viewId: string,
  version: number | null,
): Promise<void> {
  const row = await held(ctx, place, viewId, version)
  await deleteView(ctx.tx, row)
  if (row.isShared) await note(ctx, place, row, 'VIEW_REMOVED')
}

/** Its author changes a view, and an admin one that is shared. */
export const mayChange = ({ personId, role }: ConsolePerson, row: Pick<ViewRow, 'personId' | 'isShared'>): boolean =>
  row.personId === personId || (row.isShared && role === 'admin')

async function held(ctx: ViewDeps, place: ViewPlace, viewId: string, version: number | null): Promise<ViewRow> {
  const row = await lockView(ctx.tx, keyIn(place), viewId)
  if (!row) throw new Refusal('absent', 'there is no such view')
  if (!mayChange(place.who, row)) throw new Refusal('forbidden', 'only who shared it, or an admin, may change it')
  if (version !== null && row.version !== version)
    throw new Refusal('wrong-state', 'somebody has changed this view meanwhile; look at it again', {
      version: row.version,
    })
  return row
}

export function listOf({ list }: Pick<ViewRow, 'list'>): ViewListName {
  if (!isOneOf(viewListNames, list)) throw new Error(`the console has no list ${list}`)
  return list
}

/** Colleagues read these names: anything that looks like a person's number, PAN or address is refused. */
function nameFrom(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ')
  if (/(?:\d[ -]?){8}|[A-Z]{5}\d{4}[A-Z]|@/i.test(name))
    throw invalid({ path: 'name', message: 'must not hold a number or address of somebody' })
  return name
}

function filtersFrom(list: ViewListName, filters: Record<string, string>): string {
  const [first, ...more] = Object.entries(filters)
    .filter(([name, value]) => !isFilterOf(list, name, value))
    .map(([name]) => ({
      path: `filters.${name}`,
      message: Object.hasOwn(filtersOf(list), name)
        ? 'cannot have this value'
        : 'is no filter of this list that is saved',
    }))
  if (first) throw invalid(first, ...more)
  return canonicalJson(filters)
}

async function mustFit({ tx }: ViewDeps, row: ViewRow): Promise<void> {
  const names = await namesIn(tx, row, row.list, row.viewId)
  if (names.includes(row.name.toLowerCase()))
    throw invalid({ path: 'name', message: 'is the name of another view of this list' })
  if (names.length >= mostViews)
    throw new Refusal('wrong-state', `there are ${mostViews} views of this list already; remove one first`)
}

const note = (
  { tx, at }: ViewDeps,
  { who }: ViewPlace,
  { tenantId, viewId, list }: ViewRow,
  act: string,
): Promise<void> =>
  noteStaffAct({ tx, at }, who, { act, subject: viewId, tenantId: tenantIn(tenantId), detail: { list } })
