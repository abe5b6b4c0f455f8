// The settings of `lendloom start`; each program has its own settings.
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import {
  type Config,
  configFrom,
  databaseUrl,
  flag,
  port,
  portOrNone,
  type Setting,
  secret,
  text,
  url,
} from '@lendloom/foundation/config'

/** A setting that may be absent, which is read as null. */
const optional = <T>(setting: Setting<T>): Setting<T | null> => ({
  ...setting,
  fallback: '',
  read: (value) => (value === '' ? null : setting.read(value)),
})

export const settings = {
  LENDLOOM_DATA_DIR: text('the directory of data, keys and logs (default: .lendloom in this folder)', ''),
  HOST: text('the address on which all programs listen', '127.0.0.1'),
  PORT: port('the port of the platform', 4000),
  PUBLIC_URL: optional(url('the URL at which browsers and lenders reach the platform (default: from HOST and PORT)')),
  SANDBOX: flag('whether the sandbox simulates all other parties: network, lenders, providers', 'on'),
  PARTNER_PORT: port('the port of the reference lending partner', 4100),
  SECOND_PARTNER_PORT: portOrNone(
    'the port of the second lending partner of the sandbox; with none, or with PARTNER_URL, that partner does not run',
    '4101',
  ),
  PARTNER_URL: optional(url('the URL of your own lending partner, instead of the reference partner')),
  SANDBOX_PORT: port('the port of the sandbox', 4200),
  SANDBOX_URL: optional(url('the URL of the sandbox (default: from HOST and SANDBOX_PORT)')),
  SANDBOX_SMTP_PORT: portOrNone(
    'the port of the mail server of the sandbox, which shows every mail at /mailbox',
    '4225',
  ),
  MAIL_IN_PORT: portOrNone('the port on which the platform receives mail (none without the sandbox)', '4025'),
  DATABASE_URL: optional(databaseUrl('the platform’s database on your own PostgreSQL, instead of the embedded one')),
  PARTNER_DATABASE_URL: optional(
    databaseUrl('the partner’s database on your own PostgreSQL (default: on the server of DATABASE_URL)'),
  ),
  SECOND_PARTNER_DATABASE_URL: optional(
    databaseUrl('the second partner’s database on your own PostgreSQL (default: on the server of DATABASE_URL)'),
  ),
  SANDBOX_DATABASE_URL: optional(
    databaseUrl('the sandbox’s database on your own PostgreSQL (default: on the server of DATABASE_URL)'),
  ),
  POSTGRES_PORT: optional(port('the port of the embedded PostgreSQL (default: a free one from 20000 on)', 20_000)),
  LENDLOOM_KEYS: secret(
    'keys that seal personal data, id:base64 of 32 bytes (default: generated once into keys.json)',
    '',
  ),
}

/** The settings with the addresses that follow from them. */
export type StartConfig = Config<typeof settings> & {
  publicUrl: string
  sandboxUrl: string
  mailUrl: string | null
  /** The URLs of the reference partner and of the second one; null if it does not run. */
  partnerUrl: string | null
  secondPartnerUrl: string | null
}

/** Reads the settings. Throws `ConfigError` with all invalid settings at once. */
export function startConfig(env: NodeJS.ProcessEnv): StartConfig {
  const config = configFrom(settings, env)
  const hasReferencePartner = config.SANDBOX && !config.PARTNER_URL
  return {
    ...config,
    publicUrl: config.PUBLIC_URL || localUrl(config.HOST, config.PORT),
    sandboxUrl: config.SANDBOX_URL || localUrl(config.HOST, config.SANDBOX_PORT),
    mailUrl:
      config.SANDBOX && config.SANDBOX_SMTP_PORT !== null ? smtpUrl(config.HOST, config.SANDBOX_SMTP_PORT) : null,
    partnerUrl: hasReferencePartner ? localUrl(config.HOST, config.PARTNER_PORT) : null,
    secondPartnerUrl:
      hasReferencePartner && config.SECOND_PARTNER_PORT !== null
        ? localUrl(config.HOST, config.SECOND_PARTNER_PORT)
        : null,
  }
}

/** A URL that a browser on this machine can open. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** The URL of a mail server on this machine. */
export const smtpUrl = (host: string, port: number): string => localUrl(host, port).replace(/^http:/, 'smtp:')

/** The programs to start, in this order: the platform needs the others. */
export const programNames = ({ SANDBOX, partnerUrl, secondPartnerUrl }: StartConfig): string[] => [
  ...(SANDBOX ? ['sandbox'] : []),
  ...(partnerUrl ? ['partner'] : []),
  ...(secondPartnerUrl ? ['second-partner'] : []),
  'platform',
]

/** Settings with a separate value for each program, so the programs do not inherit them. */
const perProgram = [
  'DATABASE_URL',
  'PARTNER_DATABASE_URL',
  'SECOND_PARTNER_DATABASE_URL',
  'SANDBOX_DATABASE_URL',
  'LENDLOOM_KEYS',
  'LENDLOOM_DIGEST_KEY',
  'SANDBOX_PARTNERS',
  'SANDBOX_BANK_OTHERS',
  'CLOCK_FILE',
  'NETWORK_SIGNING_KEY',
  'NETWORK_ENCRYPTION_KEY',
  'PARTNER_CREDENTIALS',
  'PARTNER_CLIENTS',
  'BANK_BEARER',
  'SANDBOX_BANK_BEARER',
]

/** The environment that all programs inherit. */
export const inheritedEnvironment = (env: NodeJS.ProcessEnv, directory: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !perProgram.includes(name))),
  // A compile cache halves the start time; this directory is used if the cache beside the packages is not writable.
  ...(!getCompileCacheDir() && { NODE_COMPILE_CACHE: join(directory, 'compiled') }),
})
