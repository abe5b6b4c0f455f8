// Saved views of console lists, private or shared.

import {
  DeleteViewQuery,
  NewViewRequest,
  SavedView,
  SavedViews,
  ViewParams,
  ViewRequest,
  ViewsQuery,
} from '#contract/console/overview.ts'
import { OfTenant } from '#contract/console/staff.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { answer } from '#kit/http/server.ts'
import { tenantKeyOf } from '#kit/staff/person.ts'
import { namesOf } from '#platform/console/people/staff-names.ts'
import { listIdentities } from '#platform/console/people/staff-store.ts'
import { byAnybody } from '#platform/console/rights.ts'
import { prefix } from '#platform/console/route.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { tenantOrPlatform } from '#platform/staff/person.ts'
import { listViews, type ViewRow } from '#platform/staff/view/store.ts'
import { changeView, listOf, mayChange, removeView, saveView, type ViewPlace } from '#platform/staff/view.ts'

const path = `${prefix}/views`

/** The scope of views: the own tenant or the platform; platform admins may manage a tenant's views. */
function placeOf(who: ConsolePerson, { tenantId }: { tenantId?: string }): ViewPlace {
  const of = tenantOrPlatform(who, tenantId)
  if (of !== who.tenantId && who.role !== 'admin')
    throw new Refusal('forbidden', "only a platform admin may manage a tenant's views")
  return { tenantId: tenantKeyOf(of), who }
}

async function wired({ db, seal }: Context, { tenantId, who }: ViewPlace, rows: ViewRow[]): Promise<SavedView[]> {
  const people = [...new Set(rows.map(({ personId }) => personId))]
  const names = namesOf(seal, await listIdentities(db, tenantId, people))
  return rows.map((row) => ({
    ...{ viewId: row.viewId, list: listOf(row), name: row.name, filters: JSON.parse(row.filters) },
    ...{ isShared: row.isShared, isOwn: row.personId === who.personId, mayChange: mayChange(who, row) },
    ...{ by: names.get(row.personId) ?? null, version: row.version },
  }))
}

async function one(ctx: Context, place: ViewPlace, row: ViewRow): Promise<SavedView> {
  const [view] = await wired(ctx, place, [row])
  if (!view) throw new Error('a view that was written is shown')
  return view
}

const list = route({
  ...byAnybody,
  method: 'GET',
  path,
  summary: 'Saved views: private ones and those shared by colleagues',
  query: ViewsQuery,
  reply: { 200: SavedViews },
  async handle({ who, query }, ctx): Promise<SavedViews> {
    const place = placeOf(who, query)
    const rows = await listViews(ctx.db, { ...place, personId: who.personId }, query.list ?? null)
    return { items: await wired(ctx, place, rows), next: null }
  },
})

const save = route({
  ...byAnybody,
  method: 'POST',
  path,
  summary: 'Save the filters of a list as a view',
  query: OfTenant,
  body: NewViewRequest,
  reply: { 201: SavedView },
  async handle({ who, query, body, at }, ctx) {
    const place = placeOf(who, query)
    const row = await ctx.db.tx((tx) => saveView({ tx, at }, place, body))
    return answer(201, await one(ctx, place, row))
  },
})

const change = route({
  ...byAnybody,
  method: 'PATCH',
  path: `${path}/{viewId}`,
  summary: "Change a view's name, filters or sharing",
  params: ViewParams,
  query: OfTenant,
  body: ViewRequest,
  reply: { 200: SavedView },
  async handle({ who, params, query, body, at }, ctx): Promise<SavedView> {
    const place = placeOf(who, query)
    return one(ctx, place, await ctx.db.tx((tx) => changeView({ tx, at }, place, params.viewId, body)))
  },
})

const remove = route({
  ...byAnybody,
  method: 'DELETE',
  path: `${path}/{viewId}`,
  summary: 'Remove a view',
  params: ViewParams,
  query: DeleteViewQuery,
  async handle({ who, params, query, at }, ctx) {
    const version = query.version === undefined ? null : Number(query.version)
    await ctx.db.tx((tx) => removeView({ tx, at }, placeOf(who, query), params.viewId, version))
    return answer(204, null)
  },
})

export const viewRoutes = [list, save, change, remove]
