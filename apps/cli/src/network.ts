// `lendloom network …`: messages of the open credit network, complaints, reports, and joining the network.

import { readInbound, subscribe, tenantOfJourney } from '@lendloom/platform/operations/network'
import type { NetworkReports } from '@lendloom/wire/console/network'
import { CannotRun, type CommandCall, type CommandTree, command, requireArgument, table } from './command.ts'
import { consoleCommand } from './console/ask.ts'
import { withDatabase } from './database.ts'
import { doctor } from './network/doctor.ts'
import { exportCommand } from './network/export.ts'
import { flows } from './network/flows.ts'
import { issue } from './network/issue.ts'
import { networkContextOf } from './network/network-context.ts'
import { transcript } from './network/transcript.ts'

const inbound = command({
  name: 'network inbound',
  summary: 'list the received messages of a journey and their state: applied, waiting, ignored or set aside',
  usage: '<journeyID>',
  options: {},
  async run({ args, env }: CommandCall<Record<never, never>>) {
    const journeyId = requireArgument(args, 'the journey id')
    const rows = await withDatabase('platform', env, async (db) => {
      const tenantId = await tenantOfJourney(db, journeyId)
      if (tenantId === undefined) throw new CannotRun(`journey ${journeyId} does not exist`)
      return readInbound(db, tenantId, journeyId)
    })
    const data = rows.map(({ number, at, type, late, state, attempt, appliedAt, note, conversationId }) => {
      return { number, at, type, late, state, attempt, appliedAt, note, conversationId }
    })
    return {
      text: table(data, [
        { head: '#', of: ({ number }) => number },
        { head: 'AT', of: ({ at }) => at.toISOString() },
        { head: 'TYPE', of: ({ type }) => type },
        { head: '', of: ({ late }) => (late ? 'late' : '') },
        { head: 'STATE', of: ({ state }) => state },
        { head: 'NOTE', of: ({ note }) => note },
      ]),
      data,
    }
  },
})

const subscribeCommand = command({
  name: 'network subscribe',
  summary: 'join the network, unless the registry has an entry of this platform; the platform must be running',
  usage: '',
  options: {},
  async run({ env }: CommandCall<Record<never, never>>) {
    const ctx = networkContextOf(env)
    const outcome = await subscribe(ctx)
    const subscriberId = ctx.config.NETWORK_SUBSCRIBER_ID
    const text =
      outcome === 'known' ? `${subscriberId} is on the network already.` : `${subscriberId} has joined the network.`
    return { text, data: { subscriberId, outcome } }
  },
})

const reportsOptions = {
  day: { type: 'string', value: 'day', about: 'day in India, as YYYY-MM-DD (default: today and yesterday)' },
} as const

const reports = consoleCommand({
  name: 'network reports',
  summary: "count the messages that the network's collector has accepted, against the journal",
  usage: '[--day <day>]',
  options: reportsOptions,
  route: 'GET /network/reports',
  input: ({ options: { day } }) => ({ query: { day } }),
  text({ collector }: NetworkReports) {
    if (!collector) return 'No collector is set: see NETWORK_OBSERVABILITY_URL.'
    const { days, refusals } = collector
    const counts = table(days, [
      { head: 'DAY', of: ({ day }) => day },
      { head: 'JOURNAL', of: ({ journal }) => journal },
      { head: 'REPORTED', of: ({ reported }) => reported },
      { head: 'WAITING', of: ({ waiting }) => waiting },
      { head: 'REFUSED', of: ({ refused }) => refused },
      { head: 'DUE', of: ({ dueAt }) => dueAt },
    ])
    const reasons = table(refusals, [
      { head: 'REFUSED', of: ({ action }) => action },
      { head: 'REASON', of: ({ note }) => note },
      { head: 'COUNT', of: ({ count }) => count },
    ])
    return refusals.length === 0 ? counts : `${counts}\n\n${reasons}`
  },
})

export const network: CommandTree = {
  name: 'network',
  summary: 'the open credit network: checks, transcripts, flows, reports, evidence, complaints, subscription',
  commands: [doctor, transcript, inbound, flows, reports, exportCommand, issue, subscribeCommand],
}
