// `lendloom network flows`: which of the network's published flows the platform speaks, and why not where it does not.
import { type Call, command, table } from '#cli/command.ts'
import { networkFlows } from '#contract/network/flows.ts'

export const flows = command({
  name: 'network flows',
  summary: 'the flows that the network publishes: spoken or not, and why',
  usage: '',
  options: {},
  async run(_: Call<Record<never, never>>) {
    const cells = networkFlows.map(({ id, version, section, spoken, about, why }) => {
      return [id, version, section, spoken, why === '' ? about : `${about}: ${why}`]
    })
    return { text: table(['FLOW', 'VERSION', 'FIS12', 'SPOKEN', 'WHAT IT IS'], cells), data: networkFlows }
  },
})
