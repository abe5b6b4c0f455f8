// `lendloom network flows`: the published flows of the network, whether the platform supports them, and the reason.

import { networkFlows } from '@lendloom/wire/network/flows'
import { type CommandCall, command } from '#cli/command.ts'
import { fittedTable } from '#cli/console/show.ts'

export const flows = command({
  name: 'network flows',
  summary: 'list the published flows of the network, whether the platform supports them, and the reason',
  usage: '',
  options: {},
  async run(_: CommandCall<Record<never, never>>) {
    return {
      text: fittedTable(
        networkFlows,
        [
          { head: 'FLOW', of: ({ id }) => id },
          { head: 'VERSION', of: ({ version }) => version },
          { head: 'FIS12', of: ({ section }) => section },
          { head: 'SUPPORTED', of: ({ spoken }) => spoken },
          { head: 'ABOUT', of: ({ about }) => about },
          { head: 'REASON', of: ({ why }) => why },
          { head: 'OFFICIAL ID', of: ({ official }) => official.join(', ') },
        ],
        { isWhole: true },
      ),
      data: networkFlows,
    }
  },
})
