// Time passes in a world of a test as it does for an operator: by the command, for all three programs.
import { advance } from '#cli/clock/advance.ts'
import { announceRun } from '#cli/installation.ts'
import type { TestWorld } from './world.ts'

/** Lets a span pass, such as `1w`, in a world whose programs read the clock file of `directory`. */
export function passing(world: TestWorld, directory: string) {
  const { platform, partner, sandbox } = world.databaseUrls
  announceRun(directory, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    platform: { url: world.platformUrl, databaseUrl: platform },
    partner: { url: world.partnerUrl, databaseUrl: partner! },
    sandbox: { url: world.sandboxUrl, databaseUrl: sandbox },
  })
  return (span: string, options: { step?: string } = {}) =>
    advance.run({ args: [span], options, json: true, env: { LENDLOOM_DATA_DIR: directory } } as never)
}
