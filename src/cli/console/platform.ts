// A platform for one command: its context, from the environment or from the installation that runs here, without a server.

import { databaseUrlOf, sealOf, withDatabase } from '#cli/database.ts'
import { dataDirectory, keysOf, runOf } from '#cli/installation.ts'
import { environments } from '#cli/start/environment.ts'
import { startConfig } from '#cli/start/settings.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { type Config, configFrom } from '#kit/runtime/config.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { movableClock } from '#kit/runtime/movable-clock.ts'
import type { Context } from '#platform/context.ts'
import { memoryOf } from '#platform/memory.ts'
import { settings } from '#platform/settings.ts'

/** Opens the platform for the time of `work`, at the time of its simulation. Throws `CannotRun` when there is no database. */
export function withPlatform<T>(env: NodeJS.ProcessEnv, work: (ctx: Context) => Promise<T>): Promise<T> {
  const config = configFor(env)
  return withDatabase('platform', env, async (db) => {
    const seal = sealOf(env)
    const moved = movableClock(config.SANDBOX ? config.CLOCK_FILE : null)
    const [log, clock] = [quietLog, moved.clock]
    try {
      const opened = { db, seal, clock, realClock: systemClock, config, log }
      return await work({ ...opened, ...memoryOf(opened) })
    } finally {
      moved.stop()
    }
  })
}

/** As the platform itself was told; throws `ConfigError` when the environment is wrong. */
function configFor(env: NodeJS.ProcessEnv): Config<typeof settings> {
  const DATABASE_URL = databaseUrlOf('platform', env)
  const directory = dataDirectory(env)
  const running = env.DATABASE_URL ? null : runOf(directory)
  if (!running) return configFrom(settings, { ...ownKeys(env, directory), ...env, DATABASE_URL })
  const databases = { platform: DATABASE_URL, partner: '', secondPartner: '', sandbox: '' }
  const setup = { env, config: startConfig(env), directory, databases, keys: keysOf(directory) }
  return configFrom(settings, { ...environments(setup).platform, PUBLIC_URL: running.platform.url })
}

/** What the installation keeps where the environment says nothing. */
function ownKeys(env: NodeJS.ProcessEnv, directory: string): NodeJS.ProcessEnv {
  if (env.LENDLOOM_KEYS && env.NETWORK_SIGNING_KEY) return {}
  const { platform, networkSigningKey, networkEncryptionKey } = keysOf(directory)
  return {
    LENDLOOM_KEYS: platform,
    NETWORK_SIGNING_KEY: networkSigningKey,
    NETWORK_ENCRYPTION_KEY: networkEncryptionKey,
  }
}
