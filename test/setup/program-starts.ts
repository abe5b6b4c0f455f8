// Starts the programs in this process.
import type { RunningProgram } from '#kit/runtime/program.ts'
import type { Program } from './database.ts'

/** Starts a program with these settings; resolves when it listens. */
export type ProgramStart = (env: Record<string, string>) => Promise<RunningProgram>

/** Loads the modules of all programs, which takes a second. */
export async function programStarts(): Promise<Record<Program, ProgramStart>> {
  const { configFrom } = await import('#kit/runtime/config.ts')
  const platform = { ...(await import('#platform/program.ts')), ...(await import('#platform/settings.ts')) }
  const partner = { ...(await import('#partner/program.ts')), ...(await import('#partner/settings.ts')) }
  const sandbox = { ...(await import('#sandbox/program.ts')), ...(await import('#sandbox/settings.ts')) }
  return {
    platform: (env) => platform.startPlatform(configFrom(platform.settings, env)),
    partner: (env) => partner.startPartner(configFrom(partner.settings, env)),
    sandbox: (env) => sandbox.startSandbox(configFrom(sandbox.settings, env)),
  }
}
