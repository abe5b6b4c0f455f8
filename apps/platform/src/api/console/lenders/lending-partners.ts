// Routes for lending partners. Admins add and change partners and rotate credentials; operators switch partners off.

import { LenderEffect } from '@lendloom/wire/console/lenders'
import {
  LendingPartner,
  LendingPartnerParams,
  LendingPartners,
  NewCredentials,
  NewPartner,
  PartnerChange,
  PartnerSwitchOff,
  RotateRequest,
} from '@lendloom/wire/console/lending-partners'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { type Context, route } from '#platform/context.ts'
import {
  absentPartner,
  addPartner,
  changePartner,
  rotateCredential,
} from '#platform/lenders/partner/directory/change-partner.ts'
import { lenderKeyOf } from '#platform/lenders/partner/directory/lending-partner.ts'
import type { RotationResult } from '#platform/lenders/partner/directory/rotate-credential.ts'
import { partnersOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { countEffect } from '#platform/lending/lender/switch/store.ts'
import { switchOff, switchOn } from '#platform/lending/lender/switch.ts'
import { platformStaffOnly } from '#platform/people/console-authentication.ts'
import { newCredentialsWire, readLendingPartners } from './lending-partner-view.ts'

const path = `${consolePrefix}/lending-partners`
const partnerPath = `${path}/{partnerId}`
/** Hidden from tenants, because addresses, prices and credentials concern only the platform and its partners. */
const byReaders = { ...consoleCall, auth: platformStaffOnly('viewer', 'operator', 'admin') } as const
const byAdmins = { ...consoleCall, auth: platformStaffOnly('admin') } as const
const bySwitchers = { ...consoleCall, auth: platformStaffOnly('admin', 'operator') } as const

async function readPartner(ctx: Context, partnerId: string, at: Date): Promise<LendingPartner> {
  const [partner] = await readLendingPartners(ctx, at, partnerId.toLowerCase())
  if (!partner) throw absentPartner()
  return partner
}

/** Clears the process's cache, so that the change takes effect at once. */
async function readChangedPartner(ctx: Context, partnerId: string, at: Date): Promise<LendingPartner> {
  partnersOf(ctx).forget()
  return readPartner(ctx, partnerId, at)
}

const respondWithCredentials = async (ctx: Context, rotation: RotationResult, at: Date): Promise<NewCredentials> =>
  newCredentialsWire(await readChangedPartner(ctx, rotation.partner.partnerId, at), rotation)

const list = route({
  ...byReaders,
  method: 'GET',
  path,
  summary: 'Lending partners with pending events and the names of their credentials',
  reply: { 200: LendingPartners },
  async handle({ at }, ctx): Promise<LendingPartners> {
    return { items: await readLendingPartners(ctx, at) }
  },
})

const add = route({
  ...byAdmins,
  method: 'POST',
  path,
  summary: 'Add a lending partner, switched off; its credentials are shown once',
  body: NewPartner,
  reply: { 200: NewCredentials },
  async handle({ who, body, at }, ctx) {
    return respondWithCredentials(ctx, await ctx.db.tx((tx) => addPartner({ ...ctx, tx, at }, who, body)), at)
  },
})

const change = route({
  ...byAdmins,
  method: 'PATCH',
  path: partnerPath,
  summary: 'Change a lending partner; omitted fields stay unchanged',
  params: LendingPartnerParams,
  body: PartnerChange,
  reply: { 200: LendingPartner },
  async handle({ who, params, body, at }, ctx) {
    const { partnerId } = await ctx.db.tx((tx) => changePartner({ ...ctx, tx, at }, who, params.partnerId, body))
    return readChangedPartner(ctx, partnerId, at)
  },
})

const rotate = route({
  ...byAdmins,
  method: 'POST',
  path: `${partnerPath}/rotate`,
  summary: 'Replace a credential of one direction with an overlap; the new one is shown once',
  params: LendingPartnerParams,
  body: RotateRequest,
  reply: { 200: NewCredentials },
  async handle({ who, params, body, at }, ctx) {
    return respondWithCredentials(
      ctx,
      await ctx.db.tx((tx) => rotateCredential({ ...ctx, tx, at }, who, params.partnerId, body)),
      at,
    )
  },
})

const previewEffect = route({
  ...bySwitchers,
  method: 'GET',
  path: `${partnerPath}/effect`,
  summary: 'The number of journeys that switching off this lending partner would affect',
  params: LendingPartnerParams,
  reply: { 200: LenderEffect },
  handle: async ({ params, at }, ctx) =>
    countEffect(ctx.db, lenderKeyOf(await readPartner(ctx, params.partnerId, at)), null, at),
})

const switchOffRoute = route({
  ...bySwitchers,
  method: 'POST',
  path: `${partnerPath}/switch-off`,
  summary: 'Stop sending new requests to a lending partner, for all tenants',
  params: LendingPartnerParams,
  body: PartnerSwitchOff,
  reply: { 200: LendingPartner },
  async handle({ who, params, body, at }, ctx) {
    const lender = { ...lenderKeyOf(await readPartner(ctx, params.partnerId, at)), tenantId: null }
    const { reason, ...expected } = body
    await ctx.db.tx((tx) => switchOff({ ...ctx, tx, at }, who, lender, { reason, expected }))
    return readPartner(ctx, params.partnerId, at)
  },
})

const switchOnRoute = route({
  ...bySwitchers,
  method: 'POST',
  path: `${partnerPath}/switch-on`,
  summary: 'Switch on a lending partner',
  params: LendingPartnerParams,
  reply: { 200: LendingPartner },
  async handle({ who, params, at }, ctx) {
    const lender = { ...lenderKeyOf(await readPartner(ctx, params.partnerId, at)), tenantId: null }
    await ctx.db.tx((tx) => switchOn({ tx, at }, who, lender))
    return readPartner(ctx, params.partnerId, at)
  },
})

export const lendingPartnerRoutes = [list, add, change, rotate, previewEffect, switchOffRoute, switchOnRoute]
