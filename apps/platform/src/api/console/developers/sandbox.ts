// Routes of the console's sandbox: start a journey with any fault scenario, and advance the clock.

import { randomInt } from 'node:crypto'
import { readClockOffset, readProgress, writeClockRequest } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { uuidv4 } from '@lendloom/seal/id'
import { JourneyParams } from '@lendloom/wire/console/journeys'
import {
  AdvanceReply,
  AdvanceRequest,
  ClockReply,
  ClockRequest,
  SandboxJourneyReply,
  SandboxJourneyRequest,
} from '@lendloom/wire/console/sandbox-tools'
import { OfTenant } from '@lendloom/wire/console/staff'
import { advance } from '#platform/api/autopilot/advance-journey.ts'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { byDevelopers } from '#platform/api/console/rights.ts'
import { openHosted } from '#platform/api/hosted/create-session.ts'
import { type Context, route } from '#platform/context.ts'
import { findApplication } from '#platform/integrators/access/tenant/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { tenantOf } from '#platform/people/person.ts'

const path = `${consolePrefix}/developers/sandbox`

// Names of made-up borrowers.
const givenNames = ['Asha', 'Ravi', 'Meera', 'Imran', 'Lakshmi', 'Joseph', 'Harpreet', 'Nisha', 'Vikram', 'Farah']
const familyNames = ['Kulkarni', 'Iyer', 'Sharma', 'Khan', 'Reddy', 'Thomas', 'Singh', 'Banerjee', 'Patel', 'Naik']
const pickRandom = (names: string[]): string => names[randomInt(names.length)] ?? ''

const startJourney = route({
  ...byDevelopers,
  method: 'POST',
  path: `${path}/journeys`,
  summary: 'Start a sandbox journey; the PAN selects the scenario',
  query: OfTenant,
  body: SandboxJourneyRequest,
  reply: { 201: SandboxJourneyReply },
  async handle({ who, query, body, at }, ctx) {
    requireSandbox(ctx)
    const tenantId = tenantOf(who, query.tenantId)
    const { applicationId, product, digits = '1234' } = body
    const pan = `ABCPE${digits}F`
    const panName = `${pickRandom(givenNames)} ${pickRandom(familyNames)}`
    const session = await ctx.db.tx(async (tx) => {
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
      const created = await openHosted(
        { ...ctx, tx, at },
        { ...caller, products },
        {
          // The identifier is shown unmasked, so it has nothing of the name.
          borrowerProviderID: `customer-${uuidv4().slice(0, 8)}`,
          journeyType: product,
          profile: { panName, contactNumber: `9${String(randomInt(1e9)).padStart(9, '0')}`, pan },
        },
      )
      const detail = { product, digits }
      await noteStaffAct({ tx, at }, who, {
        act: 'SANDBOX_JOURNEY_BEGUN',
        subject: created.journeyId,
        tenantId,
        detail,
      })
      return created
    })
    return answer(201, { ...session, pan })
  },
})

const advanceJourney = route({
  ...byDevelopers,
  method: 'POST',
  path: `${path}/journeys/{journeyId}/advance`,
  summary: 'Drive a sandbox journey to a lifecycle status, through the acts of a borrower',
  params: JourneyParams,
  query: OfTenant,
  body: AdvanceRequest,
  reply: { 202: AdvanceReply },
  async handle({ who, params: { journeyId }, query, body: { to }, at }, ctx) {
    requireSandbox(ctx)
    const tenantId = tenantOf(who, query.tenantId)
    const status = await ctx.db.tx(async (tx) => {
      const detail = { act: 'SANDBOX_JOURNEY_ADVANCED', subject: journeyId, tenantId, detail: { to } }
      await noteStaffAct({ tx, at }, who, detail)
      return advance({ tx, at }, { tenantId, applicationId: null, journeyId, to })
    })
    return answer(202, { journeyId, status, to })
  },
})

const clock = route({
  ...byDevelopers,
  method: 'GET',
  path: `${path}/clock`,
  summary: 'The simulation time',
  reply: { 200: ClockReply },
  handle: (_call, ctx) => readClock(ctx),
})

const moveClock = route({
  ...consoleCall,
  // All tenants of the sandbox share one clock.
  auth: inConsole('operator', 'admin', 'developer'),
  method: 'POST',
  path: `${path}/clock`,
  summary: 'Advance the simulation clock of every program and tenant',
  body: ClockRequest,
  reply: { 202: ClockReply },
  async handle({ who, body: { hours }, at }, ctx) {
    requireSandbox(ctx)
    const { moving } = readClock(ctx)
    if (moving && !moving.isDone) throw new Refusal('wrong-state', 'another clock move is in progress')
    const act = { act: 'CLOCK_MOVED', tenantId: who.tenantId, detail: { hours } }
    await ctx.db.tx((tx) => noteStaffAct({ tx, at }, who, act))
    writeClockRequest(ctx.config.CLOCK_FILE, { orderId: uuidv4(), spanMs: hours * 3_600_000 })
    return answer(202, readClock(ctx))
  },
})

function requireSandbox({ config }: Pick<Context, 'config'>): void {
  if (!config.SANDBOX) throw new Refusal('wrong-state', 'this installation is not a sandbox')
}

function readClock({ config, clock }: Pick<Context, 'config' | 'clock'>): ClockReply {
  requireSandbox({ config })
  if (config.CLOCK_FILE === '') throw new Refusal('wrong-state', 'the clock of this sandbox cannot be moved')
  const progress = readProgress(config.CLOCK_FILE)
  const { orderId: _, ...moving } = progress ?? { orderId: '' }
  return {
    now: clock().toISOString(),
    aheadMs: readClockOffset(config.CLOCK_FILE).aheadMs,
    moving: 'isAt' in moving ? moving : null,
  }
}

export const sandboxRoutes = [startJourney, advanceJourney, clock, moveClock]
