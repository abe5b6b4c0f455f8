// Lenders in the console: answer times, registry entries, and switching off after a preview.

import {
  LenderDetail,
  LenderEffect,
  LenderListQuery,
  LenderParams,
  Lenders,
  NetworkEntries,
  SwitchOffRequest,
} from '#contract/console/lenders.ts'
import { warnDays } from '#contract/console/lists.ts'
import { OfTenant } from '#contract/console/staff.ts'
import type { Run } from '#kit/db/sql.ts'
import { byAnybody } from '#platform/console/rights.ts'
import { badCursor, common, paged, pageOf, prefix } from '#platform/console/route.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { partnersOf } from '#platform/exchange/partners.ts'
import { countEffect, isLender, type LenderName } from '#platform/lender/switch/store.ts'
import { absentLender, switchOff, switchOn } from '#platform/lender/switch.ts'
import { entryOf, ownEntry } from '#platform/network/registry-entry.ts'
import { tenantOrPlatform } from '#platform/staff/person.ts'
import { inConsole } from '#platform/staff/session.ts'
import { lenderNamed, listLenders, subscribersOf } from './lenders-store.ts'
import { listedLender, seenLenders } from './lenders-view.ts'

const path = `${prefix}/lenders`
const one = `${path}/{lenderId}`
const ofOne = { params: LenderParams, query: OfTenant } as const
/** Platform operators and admins for any tenant or all; tenant admins for their own. */
const bySwitchers = { ...common, auth: inConsole('admin', 'operator') } as const
const mostEntries = 60

interface LenderRequest {
  who: ConsolePerson
  params: { lenderId: string }
  query: { tenantId?: string | undefined }
}

/** A lender by id; ids of other tenants look absent to tenant staff. */
async function lenderOf(
  db: Run,
  { who, params, query }: LenderRequest,
): Promise<LenderName & { tenantId: string | null }> {
  const tenantId = tenantOrPlatform(who, query.tenantId)
  const name = await lenderNamed(db, params.lenderId, who.tenantId)
  if (!name || !(await isLender(db, name, tenantId))) throw absentLender()
  return { ...name, tenantId }
}

async function detailOf(ctx: Context, lender: LenderName & { tenantId: string | null }, at: Date) {
  const found = await listLenders(ctx.db, lender.tenantId, { after: null, limit: 1, only: lender })
  const [detail] = await seenLenders(ctx, lender.tenantId, found, at)
  if (!detail) throw absentLender()
  return detail
}

const list = route({
  ...byAnybody,
  method: 'GET',
  path,
  summary: 'Lenders with their answers and switches',
  query: LenderListQuery,
  reply: { 200: Lenders },
  async handle({ who, query, at }, ctx): Promise<Lenders> {
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const page = pageOf(query)
    const rows = await listLenders(ctx.db, tenantId, { after: cursorIn(page.after), limit: page.limit + 1 })
    const { items, next } = paged(rows, page, {
      item: (row) => row,
      cursor: ({ bppId, providerId }) => JSON.stringify([bppId, providerId]),
    })
    return { items: (await seenLenders(ctx, tenantId, items, at)).map(listedLender), next }
  },
})

function cursorIn(after: string | null): [string, string] | null {
  if (after === null) return null
  try {
    const [bppId, providerId, ...more]: unknown[] = JSON.parse(after)
    if (typeof bppId === 'string' && typeof providerId === 'string' && more.length === 0) return [bppId, providerId]
  } catch {
    // Anything but a list of strings is not our cursor.
  }
  throw badCursor()
}

const get = route({
  ...byAnybody,
  ...ofOne,
  method: 'GET',
  path: one,
  summary: 'A lender with its answers by action and its newest conversations',
  reply: { 200: LenderDetail },
  handle: async (call, ctx) => detailOf(ctx, await lenderOf(ctx.db, call), call.at),
})

const effect = route({
  ...byAnybody,
  ...ofOne,
  method: 'GET',
  path: `${one}/effect`,
  summary: 'The number of journeys that switching off this lender would affect',
  reply: { 200: LenderEffect },
  async handle(call, { db }) {
    const lender = await lenderOf(db, call)
    return countEffect(db, lender, lender.tenantId, call.at)
  },
})

const off = route({
  ...bySwitchers,
  ...ofOne,
  method: 'POST',
  path: `${one}/switch-off`,
  summary: 'Stop sending new requests to a lender, for a tenant or for all',
  body: SwitchOffRequest,
  reply: { 200: LenderDetail },
  async handle(call, ctx) {
    const { who, at } = call
    const { reason, ...expected } = call.body
    const lender = await lenderOf(ctx.db, call)
    await ctx.db.tx((tx) => switchOff({ tx, at }, who, lender, { reason, expected }))
    return detailOf(ctx, lender, at)
  },
})

const on = route({
  ...bySwitchers,
  ...ofOne,
  method: 'POST',
  path: `${one}/switch-on`,
  summary: 'Resume requests to a lender',
  reply: { 200: LenderDetail },
  async handle(call, ctx) {
    const { who, at } = call
    const lender = await lenderOf(ctx.db, call)
    await ctx.db.tx((tx) => switchOn({ tx, at }, who, lender))
    return detailOf(ctx, lender, at)
  },
})

const entries = route({
  ...byAnybody,
  method: 'GET',
  path: `${prefix}/network/registry`,
  summary: "The registry's entries of the platform and of its lenders",
  query: OfTenant,
  reply: { 200: NetworkEntries },
  async handle({ who, query }, ctx): Promise<NetworkEntries> {
    const partners = new Set((await partnersOf(ctx).all(ctx.db)).map(({ sender }) => sender))
    const known = await subscribersOf(ctx.db, tenantOrPlatform(who, query.tenantId), mostEntries)
    const [own, lenders] = await Promise.all([
      who.tenantId === null ? ownEntry(ctx, warnDays) : null,
      Promise.all(known.filter(({ bppId }) => !partners.has(bppId)).map(({ bppId }) => entryOf(ctx, bppId, warnDays))),
    ])
    return { own, lenders }
  },
})

export const lenderRoutes = [list, get, effect, off, on, entries]
