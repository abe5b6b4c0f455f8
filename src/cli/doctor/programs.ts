// The checks of each program.
import { connectTo } from '#cli/database.ts'
import { type Seal, sealFrom } from '#kit/crypto/seal.ts'
import { readClockOffset } from '#kit/runtime/clock.ts'
import { type Config, ConfigError, configFrom, type Settings } from '#kit/runtime/config.ts'
import { settingsFaults as partnerFaults } from '#partner/outside-sandbox.ts'
import { settings as partnerSettings } from '#partner/settings.ts'
import { settingsFaults as platformFaults } from '#platform/outside-sandbox.ts'
import { settings as platformSettings } from '#platform/settings.ts'
import { failed, type HealthCheck, type NamedFinding, ok, runCheck } from './check.ts'
import { checksInDatabase, databaseCheck } from './database.ts'
import { diskOf, mailServerOf, networkEntryOf, scannerOf } from './outside.ts'

type CheckedProgram = 'platform' | 'partner'

/** Runs all checks of a program. Those in a database run only if it can be reached. */
export async function examine(program: CheckedProgram, env: NodeJS.ProcessEnv): Promise<NamedFinding[]> {
  const { checks, seal } = program === 'platform' ? platformChecks(env) : partnerChecks(env)
  const db = connectTo(program, env, 4)
  const aheadMs = env.CLOCK_FILE ? readClockOffset(env.CLOCK_FILE).aheadMs : 0
  try {
    const database = await runCheck(databaseCheck({ program, db }))
    const inDatabase = database.state === 'failed' ? [] : checksInDatabase({ program, db, seal, aheadMs })
    const others = await Promise.all([...checks, ...inDatabase].map(runCheck))
    return [database, ...others]
  } finally {
    await db.close()
  }
}

interface Checks {
  checks: HealthCheck[]
  /** Null if the settings are invalid. */
  seal: Seal | null
}

function platformChecks(env: NodeJS.ProcessEnv): Checks {
  const [settings, config] = settingsCheck(platformSettings, env, platformFaults)
  if (!config) return { checks: [settings], seal: null }
  const checks: HealthCheck[] = [
    settings,
    ['network entry', () => networkEntryOf(config)],
    ['mail server', () => mailServerOf(config)],
    ['malware scanner', () => scannerOf(config.CLAMD, 'CLAMD')],
  ]
  return { checks, seal: sealFrom(config, []) }
}

function partnerChecks(env: NodeJS.ProcessEnv): Checks {
  const [settings, config] = settingsCheck(partnerSettings, env, partnerFaults)
  if (!config) return { checks: [settings], seal: null }
  const checks: HealthCheck[] = [
    settings,
    ['mail server', () => mailServerOf(config)],
    ['malware scanner', () => scannerOf(config.PARTNER_CLAMD, 'PARTNER_CLAMD')],
    ['disk', () => diskOf(config.PARTNER_FILES_DIR)],
  ]
  return { checks, seal: sealFrom(config, []) }
}

function settingsCheck<S extends Settings>(
  settings: S,
  env: NodeJS.ProcessEnv,
  findFaults: (config: Partial<Config<S>>) => string[],
): [check: HealthCheck, config: Config<S> | null] {
  const name = 'settings'
  try {
    const config = configFrom(settings, env, findFaults)
    return [[name, async () => ok('complete and valid')], config]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const faults = error.message.replace(/^configuration:\n {2}/, '')
    return [[name, async () => failed(faults, 'correct these settings: docs/reference/settings.md')], null]
  }
}
