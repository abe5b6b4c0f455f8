// Saved views of console lists, private or shared.

import { Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { tenantKeyOf } from '@lendloom/identity/person'
import {
  DeleteViewQuery,
  NewViewRequest,
  SavedView,
  SavedViews,
  ViewParams,
  ViewRequest,
  ViewsQuery,
} from '@lendloom/wire/console/saved-views'
import { OfTenant } from '@lendloom/wire/console/staff'
import { consolePrefix } from '#platform/api/console/console-route.ts'
import { namesOf } from '#platform/api/console/people/staff-names.ts'
import { listIdentities } from '#platform/api/console/people/staff-store.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { listViews, type ViewRow } from '#platform/people/saved-view/store.ts'
import { changeView, mayChange, removeView, saveView, type ViewScope, viewListOf } from '#platform/people/saved-view.ts'

const path = `${consolePrefix}/views`

/** The scope whose views the caller may manage. Only platform admins may select the scope of a tenant. */
function scopeOf(who: ConsolePerson, { tenantId }: { tenantId?: string }): ViewScope {
  const scopeTenantId = tenantOrPlatform(who, tenantId)
  if (scopeTenantId !== who.tenantId && who.role !== 'admin')
    throw new Refusal('forbidden', "only a platform admin may manage a tenant's views")
  return { tenantId: tenantKeyOf(scopeTenantId), who }
}

async function savedViewsOf(
  { db, seal }: Context,
  { tenantId, who }: ViewScope,
  rows: ViewRow[],
): Promise<SavedView[]> {
  const people = [...new Set(rows.map(({ personId }) => personId))]
  const names = namesOf(seal, await listIdentities(db, tenantId, people))
  return rows.map((row) => ({
    viewId: row.viewId,
    list: viewListOf(row),
    name: row.name,
    filters: JSON.parse(row.filters),
    isShared: row.isShared,
    isOwn: row.personId === who.personId,
    mayChange: mayChange(who, row),
    by: names.get(row.personId) ?? null,
    version: row.version,
  }))
}

async function savedViewOf(ctx: Context, scope: ViewScope, row: ViewRow): Promise<SavedView> {
  const [view] = await savedViewsOf(ctx, scope, [row])
  if (!view) throw new Error('a stored view is missing')
  return view
}

const list = route({
  ...byAnyUser,
  method: 'GET',
  path,
  summary: 'Saved views: private ones and those shared by colleagues',
  query: ViewsQuery,
  reply: { 200: SavedViews },
  async handle({ who, query }, ctx): Promise<SavedViews> {
    const scope = scopeOf(who, query)
    const rows = await listViews(ctx.db, { ...scope, personId: who.personId }, query.list ?? null)
    return { items: await savedViewsOf(ctx, scope, rows), next: null }
  },
})

const save = route({
  ...byAnyUser,
  method: 'POST',
  path,
  summary: 'Save the filters of a list as a view',
  query: OfTenant,
  body: NewViewRequest,
  reply: { 201: SavedView },
  async handle({ who, query, body, at }, ctx) {
    const scope = scopeOf(who, query)
    const row = await ctx.db.tx((tx) => saveView({ tx, at }, scope, body))
    return answer(201, await savedViewOf(ctx, scope, row))
  },
})

const change = route({
  ...byAnyUser,
  method: 'PATCH',
  path: `${path}/{viewId}`,
  summary: "Change a view's name, filters or sharing",
  params: ViewParams,
  query: OfTenant,
  body: ViewRequest,
  reply: { 200: SavedView },
  async handle({ who, params, query, body, at }, ctx): Promise<SavedView> {
    const scope = scopeOf(who, query)
    return savedViewOf(ctx, scope, await ctx.db.tx((tx) => changeView({ tx, at }, scope, params.viewId, body)))
  },
})

const remove = route({
  ...byAnyUser,
  method: 'DELETE',
  path: `${path}/{viewId}`,
  summary: 'Remove a view',
  params: ViewParams,
  query: DeleteViewQuery,
  async handle({ who, params, query, at }, ctx) {
    const version = query.version === undefined ? null : Number(query.version)
    await ctx.db.tx((tx) => removeView({ tx, at }, scopeOf(who, query), params.viewId, version))
    return answer(204, null)
  },
})

export const viewRoutes = [list, save, change, remove]
