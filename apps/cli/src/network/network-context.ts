// The platform's network identity and keys for the command line: from the environment, or from the local installation.

import { configFrom, secretText } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { type NetworkContext, networkSettings } from '@lendloom/platform/operations/network'
import { settings } from '@lendloom/platform/settings'
import { clockOf, dataDirectory, runOf } from '#cli/installation.ts'
import { storedKeys } from '#cli/installation-keys.ts'

/** Throws `ConfigError` if the environment is invalid. */
export function networkContextOf(env: NodeJS.ProcessEnv): NetworkContext {
  const directory = dataDirectory(env)
  const run = runOf(directory)
  const localKeys = secretText(env, 'NETWORK_SIGNING_KEY') ? null : storedKeys(directory)
  const localSettings = {
    ...(localKeys && {
      NETWORK_SIGNING_KEY: localKeys.networkSigningKey,
      NETWORK_ENCRYPTION_KEY: localKeys.networkEncryptionKey,
    }),
    ...(run && { PUBLIC_URL: run.platform.url }),
    ...(run?.sandbox && {
      NETWORK_REGISTRY_URL: `${run.sandbox.url}/registry`,
      NETWORK_GATEWAY_URL: `${run.sandbox.url}/gateway`,
    }),
  }
  const { PUBLIC_URL, SANDBOX } = settings
  return {
    config: configFrom({ ...networkSettings, PUBLIC_URL, SANDBOX }, { ...localSettings, ...env }),
    clock: clockOf(env),
    log: quietLog,
  }
}
