// Reports to the network in console and command line: the counts of a day against the journal, for platform staff only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'

const url = 'http://127.0.0.1:9/collect'
const platform = await testPlatform({ NETWORK_OBSERVABILITY_URL: url, NETWORK_OBSERVABILITY_TOKEN: 'x' })
const { ctx, tenant } = platform
const viewer = await consoleUser(platform, { role: 'viewer' })
const tenantAdmin = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })

async function addMessage(at: Date, action: string, state: string | null): Promise<void> {
  const key = { bucket: 7, tenantId: tenant.tenantId, journeyId: uuidv7(at.getTime(), 7), messageKey: uuidv7() }
  assert.equal(bucketOf(key.journeyId), 7)
  const message = { ...key, direction: 'received', party: 'x.example', action, messageId: 'm', outcome: 'ACK', at }
  await ctx.db`insert into network_message ${ctx.db({ ...message, bodySealed: Buffer.alloc(1) })}`
  const note = state === 'REFUSED' ? 'on_select: 4003 $.type' : null
  if (state) await ctx.db`insert into network_report ${ctx.db({ ...key, at, state, note })}`
}

/** Adds six messages of the last second of a day in India, of which the journal counts five, and one of the next day. */
async function addMessagesOf(day: string): Promise<void> {
  const at = secondsAfter(startOf(plusDays(day, 1)), -1)
  for (const state of ['REPORTED', 'REPORTED', 'REFUSED', 'WAITING', null]) await addMessage(at, 'on_select', state)
  await addMessage(at, 'support', null)
  await addMessage(secondsAfter(at, 1), 'on_select', null)
}
const daysAgo = (days: number): string => plusDays(businessDate(ctx.clock()), -days)
/** 02:00 of the next day in India. */
const dueAtOf = (day: string): string => secondsAfter(startOf(plusDays(day, 1)), 7200).toISOString()

test('FIS12 §23: the console counts a day in India against the journal, and tenant users see nothing of it', async () => {
  const day = daysAgo(10)
  const dueAt = dueAtOf(day)
  await addMessagesOf(day)
  const { status, body } = await viewer.ask('GET', `/network/reports?day=${day}`)
  assert.equal(status, 200, JSON.stringify(body))
  const [refusal] = body.collector.refusals
  assert.deepEqual(body.collector.days, [{ day, dueAt, journal: 5, reported: 2, waiting: 2, refused: 1 }])
  assert.deepEqual(refusal, { action: 'on_select', note: 'on_select: 4003 $.type', count: 1 })
  assert.deepEqual((await tenantAdmin.ask('GET', '/network/reports')).body, { collector: null })
  const days = (await viewer.ask('GET', '/network/reports')).body.collector.days
  assert.equal(days.length, 2)
  const tooOld = daysAgo(91)
  for (const wrong of ['2026-02-30', 'yesterday', '2026-13-01', tooOld])
    assert.equal((await viewer.ask('GET', `/network/reports?day=${wrong}`)).status, 400, wrong)
})

test('FIS12 §23: the command line prints the counts and the reasons of refusals', async () => {
  const day = daysAgo(20)
  await addMessagesOf(day)
  const lendloom = commandLine({ ...keysAndAddressOf(ctx), DATABASE_URL: ctx.config.DATABASE_URL })
  const { text } = await lendloom.run('network', 'reports', '--day', day)
  assert.match(text, /DAY +DUE AT +JOURNAL +REPORTED +WAITING +REFUSED\n/)
  assert.match(text.replace(/ +/g, ' '), new RegExp(`\\n${day} \\S+ \\S+ 5 2 2 1`))
  assert.match(text, /on_select +on_select: 4003 \$\.type +1/)
  assert.match((await lendloom.runFailing('network', 'reports', '--day', 'x')).errorOutput, /must be a day/)
})

test('FIS12 §23: late and refused reports need the attention of platform staff, for a week', async () => {
  const now = ctx.clock()
  for (const [seconds, state] of [
    [-7300, 'WAITING'],
    [-60, 'WAITING'],
    [-60, 'REFUSED'],
  ] as const)
    await addMessage(secondsAfter(now, seconds), 'on_select', state)
  await ctx.db`update network_report set due_at = at where state = 'WAITING' and at > ${secondsAfter(now, -86_400)}`
  await addMessage(secondsAfter(now, -8 * 86_400), 'on_select', 'REFUSED')
  const itemsOf = async ({ ask }: typeof viewer) =>
    (await ask('GET', '/attention')).body.items.map(({ kind, count }: Record<string, unknown>) => ({ kind, count }))
  assert.deepEqual(await itemsOf(viewer), [
    { kind: 'LATE_REPORTS', count: 1 },
    { kind: 'REFUSED_REPORTS', count: 1 },
  ])
  assert.deepEqual(await itemsOf(tenantAdmin), [])
})
