// Starts the programs in this process.
import type { RunningProgram } from '@lendloom/foundation/program'
import type { Program } from './database.ts'

/** Starts a program with these settings; resolves when it listens. */
export type ProgramStart = (env: Record<string, string>) => Promise<RunningProgram>

/** Loads the modules of all programs, which takes a second. */
export async function programStarts(): Promise<Record<Program, ProgramStart>> {
  const { configFrom } = await import('@lendloom/foundation/config')
  const platform = { ...(await import('@lendloom/platform/program')), ...(await import('@lendloom/platform/settings')) }
  const partner = { ...(await import('@lendloom/partner/program')), ...(await import('@lendloom/partner/settings')) }
  const sandbox = { ...(await import('@lendloom/sandbox/program')), ...(await import('@lendloom/sandbox/settings')) }
  return {
    platform: (env) => platform.startPlatform(configFrom(platform.settings, env)),
    partner: (env) => partner.startPartner(configFrom(partner.settings, env)),
    sandbox: (env) => sandbox.startSandbox(configFrom(sandbox.settings, env)),
  }
}
