// `lendloom network flows`: the published flows of the network, whether the platform supports them, and the reason.
import { type CommandCall, command, table } from '#cli/command.ts'
import { networkFlows } from '#contract/network/flows.ts'

export const flows = command({
  name: 'network flows',
  summary: 'list the published flows of the network, whether the platform supports them, and the reason',
  usage: '',
  options: {},
  async run(_: CommandCall<Record<never, never>>) {
    const cells = networkFlows.map(({ id, version, section, spoken, about, why, official }) => {
      return [id, version, section, spoken, about, why, official.join(', ')]
    })
    const head = ['FLOW', 'VERSION', 'FIS12', 'SUPPORTED', 'ABOUT', 'REASON', 'OFFICIAL ID']
    return { text: table(head, cells), data: networkFlows }
  },
})
