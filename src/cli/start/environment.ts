// What each program is told: its own database, its own keys, and where the others are; nothing that is not its business.
import { join } from 'node:path'
import { clockFile, type Keys } from '#cli/installation.ts'
import { sandboxProviders } from '#platform/provider/settings.ts'
import type { StartConfig } from './settings.ts'

interface World {
  env: NodeJS.ProcessEnv
  config: StartConfig
  directory: string
  databases: { platform: string; sandbox: string }
  keys: Keys
}

/** The environment of each program that is to run, by its name. What the operator has set wins, where it is theirs to set. */
export function environments({ env, config, directory, databases, keys }: World): Record<string, NodeJS.ProcessEnv> {
  const own = [
    'DATABASE_URL',
    'SANDBOX_DATABASE_URL',
    'LENDLOOM_KEYS',
    'NETWORK_SIGNING_KEY',
    'NETWORK_ENCRYPTION_KEY',
    'CLOCK_FILE',
  ]
  const common = {
    ...without(env, own),
    HOST: config.HOST,
    LENDLOOM_DATA_DIR: directory,
    SANDBOX: config.SANDBOX ? 'on' : 'off',
    CLOCK_FILE: clockFile(directory),
    // Compiled code is kept between starts, which halves the time they take.
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE || join(directory, 'compiled'),
  }
  const network = config.SANDBOX && {
    NETWORK_REGISTRY_URL: env.NETWORK_REGISTRY_URL || `${config.sandboxUrl}/registry`,
    NETWORK_GATEWAY_URL: env.NETWORK_GATEWAY_URL || `${config.sandboxUrl}/gateway`,
    AA_REGISTRY_URL: env.AA_REGISTRY_URL || `${config.sandboxUrl}/aggregator/registry`,
    ...unlessSet(env, sandboxProviders(config.sandboxUrl)),
  }
  const platform = {
    ...common,
    ...network,
    PORT: String(config.PORT),
    PUBLIC_URL: config.publicUrl,
    DATABASE_URL: databases.platform,
    LENDLOOM_KEYS: config.LENDLOOM_KEYS || keys.platform,
    NETWORK_SIGNING_KEY: env.NETWORK_SIGNING_KEY || keys.networkSigningKey,
    NETWORK_ENCRYPTION_KEY: env.NETWORK_ENCRYPTION_KEY || keys.networkEncryptionKey,
  }
  if (!config.SANDBOX) return { platform }
  const sandbox = {
    ...common,
    SANDBOX_PORT: String(config.SANDBOX_PORT),
    SANDBOX_URL: config.sandboxUrl,
    SANDBOX_DATABASE_URL: databases.sandbox,
    LENDLOOM_KEYS: keys.sandbox,
  }
  return { sandbox, platform }
}

const without = (env: NodeJS.ProcessEnv, names: string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))

const unlessSet = (env: NodeJS.ProcessEnv, usual: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, env[name] || value]))
