// Saved views: named list filters, private or shared, without personal data.

import { canonicalJson } from '@lendloom/foundation/json'
import { isOneOf } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { tenantIn } from '@lendloom/identity/person'
import { uuidv7 } from '@lendloom/seal/id'
import {
  filtersOf,
  isFilterOf,
  maxViews,
  type ViewListName,
  viewListNames,
} from '@lendloom/wire/console/saved-view-lists'
import type { NewViewRequest, ViewRequest } from '@lendloom/wire/console/saved-views'
import type { ConsolePerson, TxContext } from '#platform/context.ts'
import { noteStaffAct } from './audit.ts'
import { commandLine } from './person.ts'
import { deleteView, insertView, listOtherNames, lockView, type ViewRow, writeView } from './saved-view/store.ts'

type ViewDeps = Pick<TxContext, 'tx' | 'at'>

/** The tenant and the person whose views are read or changed. */
export interface ViewScope {
  tenantId: string
  who: ConsolePerson
}

const keyOfScope = ({ tenantId, who: { personId } }: ViewScope) => ({ tenantId, personId })

/** Saves a view. Throws `invalid` for an invalid name or filter, `wrong-state` when the person has `maxViews` views. */
export async function saveView(ctx: ViewDeps, scope: ViewScope, input: NewViewRequest): Promise<ViewRow> {
  const viewId = uuidv7(ctx.at.getTime())
  const isShared = scope.who === commandLine || (input.isShared ?? false)
  const row = {
    ...keyOfScope(scope),
    viewId,
    list: input.list,
    name: nameFrom(input.name),
    filters: filtersFrom(input.list, input.filters),
    isShared,
    version: 1,
    changedAt: ctx.at,
  }
  await checkNameAndLimit(ctx, row)
  await insertView(ctx.tx, row)
  if (isShared) await noteAct(ctx, scope, row, 'VIEW_SHARED')
  return row
}

/** Changes a view. Throws `absent`, `forbidden`, `invalid`, or `wrong-state` when another request has changed it. */
export async function changeView(
  ctx: ViewDeps,
  scope: ViewScope,
  viewId: string,
  input: ViewRequest,
): Promise<ViewRow> {
  const oldRow = await requireLockedView(ctx, scope, viewId, input.version)
  const list = viewListOf(oldRow)
  const row = {
    ...oldRow,
    name: input.name === undefined ? oldRow.name : nameFrom(input.name),
    filters: input.filters === undefined ? oldRow.filters : filtersFrom(list, input.filters),
    isShared: input.isShared ?? oldRow.isShared,
    version: oldRow.version + 1,
    changedAt: ctx.at,
  }
  await checkNameAndLimit(ctx, row)
  await writeView(ctx.tx, row)
  if (row.isShared || oldRow.isShared) await noteAct(ctx, scope, row, row.isShared ? 'VIEW_SHARED' : 'VIEW_UNSHARED')
  return row
}

/** Removes a view. Throws `absent`, `forbidden`, or `wrong-state` when another request has changed the view. */
export async function removeView(
  ctx: ViewDeps,
  scope: ViewScope,
  viewId: string,
  version: number | null,
): Promise<void> {
  const row = await requireLockedView(ctx, scope, viewId, version)
  await deleteView(ctx.tx, row)
  if (row.isShared) await noteAct(ctx, scope, row, 'VIEW_REMOVED')
}

/** Whether the person may change the view. Authors may change their own views, and admins every shared view. */
export const mayChange = ({ personId, role }: ConsolePerson, row: Pick<ViewRow, 'personId' | 'isShared'>): boolean =>
  row.personId === personId || (row.isShared && role === 'admin')

async function requireLockedView(
  ctx: ViewDeps,
  scope: ViewScope,
  viewId: string,
  version: number | null,
): Promise<ViewRow> {
  const row = await lockView(ctx.tx, keyOfScope(scope), viewId)
  if (!row) throw new Refusal('absent', 'there is no such view')
  if (!mayChange(scope.who, row)) throw new Refusal('forbidden', 'only its author or an admin may change this view')
  if (version !== null && row.version !== version)
    throw new Refusal('wrong-state', 'the view has changed since you opened it; reload it', {
      version: row.version,
    })
  return row
}

/** The list that a view filters. Throws for a list that the console no longer has. */
export function viewListOf({ list }: Pick<ViewRow, 'list'>): ViewListName {
  if (!isOneOf(viewListNames, list)) throw new Error(`the console has no list ${list}`)
  return list
}

/** Rejects names with a long number, a PAN or an email address, because colleagues read the names. */
function nameFrom(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ')
  if (/(?:\d[ -]?){8}|[A-Z]{5}\d{4}[A-Z]|@/i.test(name))
    throw invalid({ path: 'name', message: 'must not contain a person’s number or address' })
  return name
}

function filtersFrom(list: ViewListName, filters: Record<string, string>): string {
  const [first, ...otherFaults] = Object.entries(filters)
    .filter(([name, value]) => !isFilterOf(list, name, value))
    .map(([name]) => ({
      path: `filters.${name}`,
      message: Object.hasOwn(filtersOf(list), name) ? 'cannot have this value' : 'is not a filter of this list',
    }))
  if (first) throw invalid(first, ...otherFaults)
  return canonicalJson(filters)
}

async function checkNameAndLimit({ tx }: ViewDeps, row: ViewRow): Promise<void> {
  const names = await listOtherNames(tx, row, row.list, row.viewId)
  if (names.includes(row.name.toLowerCase()))
    throw invalid({ path: 'name', message: 'is the name of another view of this list' })
  if (names.length >= maxViews)
    throw new Refusal('wrong-state', `a list has at most ${maxViews} views; remove one first`)
}

const noteAct = (
  { tx, at }: ViewDeps,
  { who }: ViewScope,
  { tenantId, viewId, list }: ViewRow,
  act: string,
): Promise<void> =>
  noteStaffAct({ tx, at }, who, { act, subject: viewId, tenantId: tenantIn(tenantId), detail: { list } })
