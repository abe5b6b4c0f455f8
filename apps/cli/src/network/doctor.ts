// `lendloom network doctor`: checks our place on the network from outside, and says what to do.

import { reportOf, runCheck } from '#cli/check.ts'
import { type CommandCall, command } from '#cli/command.ts'
import { addressChecks } from './doctor/addresses.ts'
import { examineRegistry } from './doctor/registry.ts'
import { networkContextOf } from './network-context.ts'

export const doctor = command({
  name: 'network doctor',
  summary: 'check registry entry, keys, clock, public addresses, certificate and gateway, and say what to do',
  usage: '',
  options: {},
  async run({ env }: CommandCall<Record<never, never>>) {
    const ctx = networkContextOf(env)
    const [inRegistry, atAddresses] = await Promise.all([
      examineRegistry(ctx),
      Promise.all(addressChecks(ctx).map(runCheck)),
    ])
    return reportOf([...inRegistry, ...atAddresses])
  },
})
