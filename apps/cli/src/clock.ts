// `lendloom clock …`: shows the time of the simulation and moves it forward.
import { readClockOffset } from '@lendloom/foundation/clock'
import { advance } from './clock/advance.ts'
import { type CommandCall, command, type Group } from './command.ts'
import { localTime } from './console/show.ts'
import { clockFile, dataDirectory } from './installation.ts'

const show = command({
  name: 'clock show',
  summary: 'show the time of the simulation',
  usage: '',
  options: {},
  async run({ env }: CommandCall<Record<never, never>>) {
    const { aheadMs } = readClockOffset(clockFile(dataDirectory(env)))
    const now = new Date(Date.now() + aheadMs).toISOString()
    const shown = localTime(now)
    const days = Math.round(aheadMs / 86_400_000)
    return {
      text: aheadMs === 0 ? `${shown}, the real time` : `${shown}, about ${days} days ahead`,
      data: { now, aheadMs },
    }
  },
})

export const clock: Group = {
  name: 'clock',
  summary: 'the time of the simulation: show, advance',
  commands: [show, advance],
}
