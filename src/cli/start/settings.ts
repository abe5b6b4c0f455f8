// What `lendloom start` reads from the environment; what the programs read is in their own settings.
import { type Config, configFrom, flag, port, text, url } from '#kit/config.ts'

export const settings = {
  LENDLOOM_DATA_DIR: text('where data, keys and logs are kept (default: .lendloom in this folder)', ''),
  HOST: text('the address that everything listens on', '127.0.0.1'),
  PORT: port('the port of the platform', 4000),
  SANDBOX: flag('whether the outside world is simulated: network, lenders, providers', 'on'),
  SANDBOX_PORT: port('the port of the sandbox', 4200),
  DATABASE_URL: text('a PostgreSQL of your own for the platform, instead of the embedded one', ''),
  SANDBOX_DATABASE_URL: text('a PostgreSQL of your own for the sandbox (default: beside DATABASE_URL)', ''),
  POSTGRES_PORT: text('the port of the embedded PostgreSQL (default: a free one from 20000 on)', ''),
  LENDLOOM_KEYS: text(
    'keys that seal personal data, id:base64 of 32 bytes (default: made once, kept in keys.json)',
    '',
  ),
}

export type StartConfig = Config<typeof settings> & {
  publicUrl: string
  sandboxUrl: string
  postgresPort: number | undefined
}

/** Throws `ConfigError`, listing everything wrong at once. */
export function startConfig(env: NodeJS.ProcessEnv): StartConfig {
  const config = configFrom(settings, env)
  const own = configFrom(
    {
      PUBLIC_URL: url('where browsers and lenders reach the platform', localUrl(config.HOST, config.PORT)),
      SANDBOX_URL: url('where the sandbox is reached', localUrl(config.HOST, config.SANDBOX_PORT)),
      ...(config.POSTGRES_PORT && { POSTGRES_PORT: port(settings.POSTGRES_PORT.about, 0) }),
    },
    env,
  )
  const postgresPort = 'POSTGRES_PORT' in own ? Number(own.POSTGRES_PORT) : undefined
  return { ...config, publicUrl: own.PUBLIC_URL, sandboxUrl: own.SANDBOX_URL, postgresPort }
}

/** An address that a browser on this machine can open. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
