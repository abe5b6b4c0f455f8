// The sandbox in the console: a journey that begins with any fault scenario, and time that passes.

import { randomInt } from 'node:crypto'
import { ClockReply, ClockRequest, SandboxJourneyReply, SandboxJourneyRequest } from '#contract/console/developers.ts'
import { OfTenant } from '#contract/console/staff.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { answer } from '#kit/http/server.ts'
import { leaveOrder, readAhead, readProgress } from '#kit/runtime/clock.ts'
import { findApplication } from '#platform/access/tenant/store.ts'
import { byDevelopers } from '#platform/console/rights.ts'
import { common, prefix } from '#platform/console/route.ts'
import { type Context, route } from '#platform/context.ts'
import { openHosted } from '#platform/hosted/create-session.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { tenantOf } from '#platform/staff/person.ts'
import { inConsole } from '#platform/staff/session.ts'

const path = `${prefix}/developers/sandbox`

const givenNames = ['Asha', 'Ravi', 'Meera', 'Imran', 'Lakshmi', 'Joseph', 'Harpreet', 'Nisha', 'Vikram', 'Farah']
const familyNames = ['Kulkarni', 'Iyer', 'Sharma', 'Khan', 'Reddy', 'Thomas', 'Singh', 'Banerjee', 'Patel', 'Naik']
const oneOf = (names: string[]): string => names[randomInt(names.length)] ?? ''

const begin = route({
  ...byDevelopers,
  method: 'POST',
  path: `${path}/journeys`,
  summary: 'Begin a journey in the sandbox, whose PAN says what goes wrong',
  query: OfTenant,
  body: SandboxJourneyRequest,
  reply: { 201: SandboxJourneyReply },
  async handle({ who, query, body, at }, ctx) {
    needSandbox(ctx)
    const tenantId = tenantOf(who, query.tenantId)
    const { applicationId, product, digits = '1234' } = body
    const pan = `ABCPE${digits}F`
    const panName = `${oneOf(givenNames)} ${oneOf(familyNames)}`
    const made = await ctx.db.tx(async (tx) => {
      const application = await findApplication(tx, tenantId, applicationId)
      if (!application) throw new Refusal('absent', 'there is no such application')
      const { products } = application
      const caller = {
        tenantId,
        applicationId,
        keyId: 'console',
        scopes: ['sessions'],
        apiVersion: null,
        addresses: [],
      }
      const opened = await openHosted(
        { ...ctx, tx, at },
        { ...caller, products },
        {
          borrowerProviderID: `${panName.toLowerCase().replace(' ', '-')}-${uuidv4().slice(0, 8)}`,
          journeyType: product,
          profile: { panName, contactNumber: `9${String(randomInt(1e9)).padStart(9, '0')}`, pan },
        },
      )
      const detail = { product, digits }
      await noteStaffAct({ tx, at }, who, { act: 'SANDBOX_JOURNEY_BEGUN', subject: opened.journeyId, tenantId, detail })
      return opened
    })
    return answer(201, { ...made, pan })
  },
})

const clock = route({
  ...byDevelopers,
  method: 'GET',
  path: `${path}/clock`,
  summary: 'What time it is in the simulation',
  reply: { 200: ClockReply },
  handle: (_call, ctx) => clockNow(ctx),
})

const passTime = route({
  ...common,
  // One clock for all tenants: moving it affects everybody on this sandbox.
  auth: inConsole('operator', 'admin', 'developer'),
  method: 'POST',
  path: `${path}/clock`,
  summary: 'Let time pass in the simulation, for every program and every tenant of it',
  body: ClockRequest,
  reply: { 202: ClockReply },
  async handle({ who, body: { hours }, at }, ctx) {
    needSandbox(ctx)
    const { moving } = clockNow(ctx)
    if (moving && !moving.isDone)
      throw new Refusal('wrong-state', 'the clock is being moved already; wait until it is there')
    const act = { act: 'CLOCK_MOVED', tenantId: who.tenantId, detail: { hours } }
    await ctx.db.tx((tx) => noteStaffAct({ tx, at }, who, act))
    leaveOrder(ctx.config.CLOCK_FILE, { orderId: uuidv4(), spanMs: hours * 3_600_000 })
    return answer(202, clockNow(ctx))
  },
})

function needSandbox({ config }: Pick<Context, 'config'>): void {
  if (!config.SANDBOX) throw new Refusal('wrong-state', 'there is no sandbox here: journeys and time are real')
}

function clockNow({ config, clock }: Pick<Context, 'config' | 'clock'>): ClockReply {
  needSandbox({ config })
  if (config.CLOCK_FILE === '') throw new Refusal('wrong-state', 'this sandbox has a clock that nobody can move')
  const progress = readProgress(config.CLOCK_FILE)
  const { orderId: _, ...moving } = progress ?? { orderId: '' }
  return {
    now: clock().toISOString(),
    aheadMs: readAhead(config.CLOCK_FILE).aheadMs,
    moving: 'isAt' in moving ? moving : null,
  }
}

export const sandboxRoutes = [begin, clock, passTime]
