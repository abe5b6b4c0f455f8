// Routes for lenders in the console: show answers and registry entries, and switch lenders off after a preview.

import {
  LenderDetail,
  LenderEffect,
  LenderListQuery,
  LenderParams,
  Lenders,
  SwitchOffRequest,
} from '@lendloom/wire/console/lenders'
import { warnDays } from '@lendloom/wire/console/lists'
import { RegistryEntries } from '@lendloom/wire/console/network'
import { OfTenant } from '@lendloom/wire/console/staff'
import { badCursor, consoleCall, consolePrefix, pageOf, pageOfRows } from '#platform/api/console/console-route.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { entryOf, ownEntry } from '#platform/lenders/network/registry-entry.ts'
import { partnersOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { countEffect, type LenderKey } from '#platform/lending/lender/switch/store.ts'
import { absentLender, isLender, switchOff, switchOn } from '#platform/lending/lender/switch.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { lenderOfDetail, readLenderDetails } from './lender-detail-view.ts'
import { findLenderKey, listLenders, listSubscribers } from './lender-store.ts'
import { networkLevel } from './network-level.ts'
import { networkReports } from './network-reports.ts'

const path = `${consolePrefix}/lenders`
const lenderPath = `${path}/{lenderId}`
const lenderRoute = { params: LenderParams, query: OfTenant } as const
/** Staff of the platform switch lenders for one tenant or all tenants, staff of a tenant only for that tenant. */
const bySwitchers = { ...consoleCall, auth: inConsole('admin', 'operator') } as const
/** The entries of so many lenders are looked up in the registry for one answer. */
const maxEntries = 60

interface LenderRequest {
  who: ConsolePerson
  params: { lenderId: string }
  query: { tenantId?: string | undefined }
}

/** Throws `absent` for an unknown lender, and to tenant staff for a lender of another tenant. */
async function requireLender(
  { db, channels }: Context,
  { who, params, query }: LenderRequest,
): Promise<LenderKey & { tenantId: string | null }> {
  const tenantId = tenantOrPlatform(who, query.tenantId)
  const lenderKey = await findLenderKey(db, params.lenderId, who.tenantId)
  const lender = lenderKey && { ...lenderKey, tenantId }
  if (!lender || !(await isLender(db, channels, lender))) throw absentLender()
  return lender
}

async function detailOf(ctx: Context, lender: LenderKey & { tenantId: string | null }, at: Date) {
  const lenders = await listLenders(ctx.db, lender.tenantId, { after: null, limit: 1, onlyLender: lender })
  const [detail] = await readLenderDetails(ctx, lender.tenantId, lenders, at)
  if (!detail) throw absentLender()
  return detail
}

const list = route({
  ...byAnyUser,
  method: 'GET',
  path,
  summary: 'Lenders with their answers and switches',
  query: LenderListQuery,
  reply: { 200: Lenders },
  async handle({ who, query, at }, ctx): Promise<Lenders> {
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const page = pageOf(query)
    const rows = await listLenders(ctx.db, tenantId, { after: cursorIn(page.after), limit: page.limit + 1 })
    const { items, next } = pageOfRows(rows, page, {
      item: (row) => row,
      cursor: ({ bppId, providerId }) => JSON.stringify([bppId, providerId]),
    })
    return { items: (await readLenderDetails(ctx, tenantId, items, at)).map(lenderOfDetail), next }
  },
})

function cursorIn(after: string | null): [string, string] | null {
  if (after === null) return null
  try {
    const [bppId, providerId, ...extra]: unknown[] = JSON.parse(after)
    if (typeof bppId === 'string' && typeof providerId === 'string' && extra.length === 0) return [bppId, providerId]
  } catch {
    // The text is not JSON, so it is not one of our cursors.
  }
  throw badCursor()
}

const get = route({
  ...byAnyUser,
  ...lenderRoute,
  method: 'GET',
  path: lenderPath,
  summary: 'A lender with its answers by action and its newest conversations',
  reply: { 200: LenderDetail },
  handle: async (call, ctx) => detailOf(ctx, await requireLender(ctx, call), call.at),
})

const previewEffect = route({
  ...byAnyUser,
  ...lenderRoute,
  method: 'GET',
  path: `${lenderPath}/effect`,
  summary: 'The number of journeys that switching off this lender would affect',
  reply: { 200: LenderEffect },
  async handle(call, ctx) {
    const lender = await requireLender(ctx, call)
    return countEffect(ctx.db, lender, lender.tenantId, call.at)
  },
})

const switchOffRoute = route({
  ...bySwitchers,
  ...lenderRoute,
  method: 'POST',
  path: `${lenderPath}/switch-off`,
  summary: 'Stop sending new requests to a lender, for a tenant or for all',
  body: SwitchOffRequest,
  reply: { 200: LenderDetail },
  async handle(call, ctx) {
    const { who, at } = call
    const { reason, ...expected } = call.body
    const lender = await requireLender(ctx, call)
    await ctx.db.tx((tx) => switchOff({ ...ctx, tx, at }, who, lender, { reason, expected }))
    return detailOf(ctx, lender, at)
  },
})

const switchOnRoute = route({
  ...bySwitchers,
  ...lenderRoute,
  method: 'POST',
  path: `${lenderPath}/switch-on`,
  summary: 'Resume requests to a lender',
  reply: { 200: LenderDetail },
  async handle(call, ctx) {
    const { who, at } = call
    const lender = await requireLender(ctx, call)
    await ctx.db.tx((tx) => switchOn({ tx, at }, who, lender))
    return detailOf(ctx, lender, at)
  },
})

const entries = route({
  ...byAnyUser,
  method: 'GET',
  path: `${consolePrefix}/network/registry`,
  summary: "The registry's entries of the platform and of its lenders",
  query: OfTenant,
  reply: { 200: RegistryEntries },
  async handle({ who, query }, ctx): Promise<RegistryEntries> {
    const partners = new Set((await partnersOf(ctx).all(ctx.db)).map(({ sender }) => sender))
    const subscribers = await listSubscribers(ctx.db, tenantOrPlatform(who, query.tenantId), maxEntries)
    const [own, lenders] = await Promise.all([
      who.tenantId === null ? ownEntry(ctx, warnDays) : null,
      Promise.all(
        subscribers.filter(({ bppId }) => !partners.has(bppId)).map(({ bppId }) => entryOf(ctx, bppId, warnDays)),
      ),
    ])
    return { own, lenders }
  },
})

export const lenderRoutes = [
  list,
  get,
  previewEffect,
  switchOffRoute,
  switchOnRoute,
  entries,
  networkReports,
  networkLevel,
]
