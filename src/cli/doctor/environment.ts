// The environment that a program is checked with: ours, or that of the running local installation.

import { CannotRun } from '#cli/command.ts'
import { databaseVariable } from '#cli/database.ts'
import { dataDirectory, runOf, storedKeys } from '#cli/installation.ts'
import { isAlive } from '#cli/postgres/cluster.ts'
import type { Program } from '#cli/programs.ts'
import { environments, secretNames } from '#cli/start/environment.ts'
import { startConfig } from '#cli/start/settings.ts'
import { secretText, withSecrets } from '#kit/runtime/config.ts'

/** Undefined if the environment names no database of the program and no local installation runs it. */
export function environmentOf(program: Program, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv | undefined {
  if (secretText(env, databaseVariable[program])) return env
  const directory = dataDirectory(env)
  const run = runOf(directory)
  if (!run?.[program]) return undefined
  if (!isAlive(run.pid))
    throw new CannotRun(`npm start on ${directory} has ended; start it again, or set the environment`)
  const values = withSecrets(env, secretNames)
  const addresses = { PUBLIC_URL: run.platform.url, SANDBOX: run.sandbox ? 'on' : 'off', SANDBOX_URL: run.sandbox?.url }
  const databases = {
    platform: run.platform.databaseUrl,
    partner: run.partner?.databaseUrl ?? '',
    secondPartner: run.secondPartner?.databaseUrl ?? '',
    sandbox: run.sandbox?.databaseUrl ?? '',
  }
  const config = startConfig({ ...values, ...addresses })
  return environments({ env: values, config, directory, databases, keys: storedKeys(directory) })[program]
}
