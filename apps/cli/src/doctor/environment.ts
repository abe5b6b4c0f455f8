// The environment that a program is checked with: ours, or that of the running local installation.

import { parseEnv } from 'node:util'
import { secretText, withSecrets } from '@lendloom/foundation/config'
import { type Finding, warning } from '#cli/check.ts'
import { CannotRun } from '#cli/command.ts'
import { databaseVariable } from '#cli/database.ts'
import { dataDirectory, runOf } from '#cli/installation.ts'
import { storedKeys } from '#cli/installation-keys.ts'
import { isAlive } from '#cli/postgres/cluster.ts'
import type { Program } from '#cli/program-names.ts'
import { environments } from '#cli/start/environment.ts'
import { secretNames } from '#cli/start/secret-names.ts'
import { startConfig } from '#cli/start/settings.ts'

/** Warns of a `.env` beside an environment that names the database: programs do not read `.env`. */
export function dotEnvOf(program: Program, env: NodeJS.ProcessEnv, text: string | null): Finding | null {
  const file = parseEnv(text ?? '')
  const variable = databaseVariable[program]
  const differing = Object.keys(file).filter((name) => file[name] !== env[name])
  const isFromFile = [variable, `${variable}_FILE`].some((name) => file[name] && !differing.includes(name))
  if (isFromFile || Object.keys(file).length === 0) return null
  const added = Object.keys(file).filter((name) => !differing.includes(name))
  const found = [
    ...(differing.length > 0 ? [`the environment wins over .env for ${differing.join(', ')}`] : []),
    ...(added.length > 0 ? [`only .env sets ${added.join(', ')}, and the program does not read it`] : []),
  ].join('; ')
  return warning(found, 'keep all settings in the environment file, and remove .env')
}

/** Undefined if the environment names no database of the program and no local installation runs it. */
export function environmentOf(program: Program, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv | undefined {
  if (secretText(env, databaseVariable[program])) return env
  const directory = dataDirectory(env)
  const run = runOf(directory)
  if (!run?.[program]) return undefined
  if (!isAlive(run.pid))
    throw new CannotRun(`npm start on ${directory} has ended; start it again, or set the environment`)
  const values = withSecrets(env, secretNames)
  const smtpPort = run.sandbox?.smtpPort
  const addresses = {
    PUBLIC_URL: run.platform.url,
    SANDBOX: run.sandbox ? 'on' : 'off',
    SANDBOX_URL: run.sandbox?.url,
    ...(smtpPort !== undefined && { SANDBOX_SMTP_PORT: String(smtpPort ?? 'none') }),
  }
  const databases = {
    platform: run.platform.databaseUrl,
    partner: run.partner?.databaseUrl ?? '',
    secondPartner: run.secondPartner?.databaseUrl ?? '',
    sandbox: run.sandbox?.databaseUrl ?? '',
  }
  const config = startConfig({ ...values, ...addresses })
  return environments({ env: values, config, directory, databases, keys: storedKeys(directory) })[program]
}
