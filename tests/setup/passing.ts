// Moves the clock of all three programs in a test with the same command that an operator uses.
import { advance } from '@lendloom/cli/src/clock/advance.ts'
import { announceRun } from '@lendloom/cli/src/installation.ts'
import type { Programs } from './programs.ts'

/** Moves the clock forward by a duration such as `1w` for programs that read the clock file in `directory`. */
export function clockAdvancer(
  ctx: Pick<Programs, 'platformUrl' | 'partnerUrl' | 'sandboxUrl' | 'databaseUrls'>,
  directory: string,
) {
  const { platform, partner, sandbox } = ctx.databaseUrls
  announceRun(directory, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    platform: { url: ctx.platformUrl, databaseUrl: platform },
    partner: { url: ctx.partnerUrl, databaseUrl: partner! },
    sandbox: { url: ctx.sandboxUrl, databaseUrl: sandbox },
  })
  return (span: string, options: { step?: string } = {}) =>
    advance.run({ args: [span], options, json: true, env: { LENDLOOM_DATA_DIR: directory } } as never)
}
