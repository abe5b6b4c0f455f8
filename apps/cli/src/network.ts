// `lendloom network …`: messages of the open credit network, complaints, reports, and joining the network.

import { readInbound, subscribe, tenantOfJourney } from '@lendloom/platform/operations/network'
import { CannotRun, type CommandCall, type CommandTree, command, requireArgument } from './command.ts'
import { operationsOf } from './console/commands.ts'
import { fittedTable } from './console/show.ts'
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
      text: fittedTable(data, [
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

export const network: CommandTree = {
  name: 'network',
  summary: 'the open credit network: checks, transcripts, flows, reports, evidence, complaints, subscription',
  commands: [...operationsOf('network'), doctor, transcript, inbound, flows, exportCommand, issue, subscribeCommand],
}
