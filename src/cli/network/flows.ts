// `lendloom network flows`: which of the network's flows the platform speaks, why not where it does not, and their official ids.
import { type CommandCall, command, table } from '#cli/command.ts'
import { networkFlows } from '#contract/network/flows.ts'

export const flows = command({
  name: 'network flows',
  summary: 'the flows of the network: spoken or not, why not, and the ids under which they are published',
  usage: '',
  options: {},
  async run(_: CommandCall<Record<never, never>>) {
    const cells = networkFlows.map(({ id, version, section, spoken, about, why, official }) => {
      return [id, version, section, spoken, about, why, official.join(', ')]
    })
    const head = ['FLOW', 'VERSION', 'FIS12', 'SPOKEN', 'WHAT IT IS', 'REASON', 'OFFICIAL ID']
    return { text: table(head, cells), data: networkFlows }
  },
})
