// The environment of each program: its own database and keys, and the addresses of the other programs.
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import type { PartnerCredentials } from '@lendloom/wire/exchange/credentials'
import { partnerClientOf } from '@lendloom/wire/exchange/platform-credentials'
import { collectorToken, sandboxProviders, smsKey } from '@lendloom/wire/sandbox/provider-settings'
import { clockFile } from '#cli/installation.ts'
import type { InstallationKeys, LenderCredential } from '#cli/installation-keys.ts'
import { secondPartnerProduct, secondPartnerRow, secondSender } from './second-partner.ts'
import { inheritedEnvironment, type StartConfig, smtpUrl } from './settings.ts'

export interface Setup {
  env: NodeJS.ProcessEnv
  config: StartConfig
  directory: string
  databases: { platform: string; partner: string; secondPartner: string; sandbox: string }
  keys: InstallationKeys
}

/** The environment of each program to run, by name. Settings of the operator take precedence. */
export function environments(setup: Setup): Record<string, NodeJS.ProcessEnv> {
  const { config } = setup
  const common = commonOf(setup)
  const platform = platformOf(setup, common)
  if (!config.SANDBOX) return { platform }
  const sandbox = sandboxOf(setup, common)
  return {
    sandbox,
    ...(config.partnerUrl && { partner: partnerOf(setup, common) }),
    ...(config.secondPartnerUrl && { 'second-partner': secondPartnerOf(setup, common) }),
    platform,
  }
}

const commonOf = ({ env, config, directory }: Setup): NodeJS.ProcessEnv => ({
  ...inheritedEnvironment(env, directory),
  HOST: config.HOST,
  LENDLOOM_DATA_DIR: directory,
  SANDBOX: config.SANDBOX ? 'on' : 'off',
  CLOCK_FILE: config.SANDBOX ? clockFile(directory) : '',
  // No load balancer needs time to notice the end of a program.
  DRAIN_SECONDS: env.DRAIN_SECONDS || '0',
})

const platformOf = (
  { env, config, directory, databases, keys }: Setup,
  common: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv => ({
  ...common,
  ...(config.SANDBOX && {
    NETWORK_REGISTRY_URL: env.NETWORK_REGISTRY_URL || `${config.sandboxUrl}/registry`,
    NETWORK_GATEWAY_URL: env.NETWORK_GATEWAY_URL || `${config.sandboxUrl}/gateway`,
    NETWORK_DOMAINS: env.NETWORK_DOMAINS || 'ONDC:FIS12,ONDC:FIS12:SL',
    NETWORK_EXTRA_ACTIONS: env.NETWORK_EXTRA_ACTIONS ?? 'sahyadri.sandbox.example:cancel+support+track+rating',
    NETWORK_OBSERVABILITY_URL:
      env.NETWORK_OBSERVABILITY_URL ?? `${config.sandboxUrl}/observability/v1/api/push-txn-logs`,
    NETWORK_OBSERVABILITY_TOKEN: env.NETWORK_OBSERVABILITY_TOKEN || collectorToken,
    AA_REGISTRY_URL: env.AA_REGISTRY_URL || `${config.sandboxUrl}/aggregator/registry`,
    SMS_URL: env.SMS_URL || `${config.sandboxUrl}/sms/messages`,
    SMS_API_KEY: env.SMS_API_KEY || smsKey,
    ...withDefaults(env, sandboxProviders(config.sandboxUrl)),
  }),
  ...mailOf(env, config),
  ...(config.SANDBOX && { MAIL_IN_PORT: String(config.MAIL_IN_PORT ?? 'none') }),
  PORT: String(config.PORT),
  ARCHIVE_DIR: env.ARCHIVE_DIR || join(directory, 'platform-archive'),
  PUBLIC_URL: config.publicUrl,
  DATABASE_URL: databases.platform,
  LENDLOOM_KEYS: config.LENDLOOM_KEYS || keys.platform,
  LENDLOOM_DIGEST_KEY: config.LENDLOOM_KEYS ? env.LENDLOOM_DIGEST_KEY || '' : keys.digest?.platform || '',
  NETWORK_SIGNING_KEY: env.NETWORK_SIGNING_KEY || keys.networkSigningKey,
  NETWORK_ENCRYPTION_KEY: env.NETWORK_ENCRYPTION_KEY || keys.networkEncryptionKey,
  PARTNER_URL: config.PARTNER_URL || config.partnerUrl || '',
  PARTNER_CREDENTIALS: env.PARTNER_CREDENTIALS || (config.partnerUrl ? JSON.stringify(firstCredentials(keys)) : ''),
  SANDBOX_PARTNERS:
    env.SANDBOX_PARTNERS ||
    (config.secondPartnerUrl
      ? JSON.stringify([secondPartnerRow(config.secondPartnerUrl, secondCredentials(keys))])
      : '[]'),
})

/** A sandbox sends all mail to its own mailbox, including alerts to operators. */
const mailOf = (env: NodeJS.ProcessEnv, { mailUrl }: StartConfig): NodeJS.ProcessEnv =>
  mailUrl === null
    ? {}
    : { SMTP_URL: env.SMTP_URL || mailUrl, ALERT_EMAIL: env.ALERT_EMAIL || 'operators@lendloom.example' }

const sandboxOf = ({ env, config, databases, keys }: Setup, common: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...common,
  SANDBOX_PORT: String(config.SANDBOX_PORT),
  SANDBOX_URL: config.sandboxUrl,
  SANDBOX_DEMO_URL: env.SANDBOX_DEMO_URL || `${config.publicUrl}/demo`,
  SANDBOX_SMTP_PORT: String(config.SANDBOX_SMTP_PORT ?? 'none'),
  PLATFORM_MAIL_URL: config.MAIL_IN_PORT === null ? 'none' : smtpUrl(config.HOST, config.MAIL_IN_PORT),
  ...(env.MAIL_DOMAIN && { PLATFORM_MAIL_ADDRESS: `grievance@${env.MAIL_DOMAIN}` }),
  // Lenders of each shape; an empty text leaves all in the one with a page per step.
  SANDBOX_LENDER_VERSIONS: env.SANDBOX_LENDER_VERSIONS ?? 'tulsi=2.0.3-stops+2.3.0-stops,sahyadri=2.3.0-stops',
  SANDBOX_DATABASE_URL: databases.sandbox,
  LENDLOOM_KEYS: keys.sandbox,
  LENDLOOM_DIGEST_KEY: keys.digest?.sandbox || '',
  SANDBOX_BANK_BEARER: keys.bankBearer,
  SANDBOX_BANK_LENDER: env.SANDBOX_BANK_LENDER || env.PARTNER_LENDER_NAME || '',
  SANDBOX_BANK_OTHERS: JSON.stringify({
    [senders.second]: { name: secondPartnerProduct.PARTNER_LENDER_NAME, bearer: keys.secondBankBearer },
  }),
})

const partnerOf = (
  { env, config, directory, databases, keys }: Setup,
  common: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv => ({
  ...common,
  ...mailOf(env, config),
  PARTNER_PORT: String(config.PARTNER_PORT),
  PARTNER_PUBLIC_URL: env.PARTNER_PUBLIC_URL || config.partnerUrl || '',
  PARTNER_DATABASE_URL: databases.partner,
  LENDLOOM_KEYS: keys.partner,
  LENDLOOM_DIGEST_KEY: keys.digest?.partner || '',
  PARTNER_CLIENTS: env.PARTNER_CLIENTS || partnerClients(firstCredentials(keys)),
  PLATFORM_WEBHOOK_URL: env.PLATFORM_WEBHOOK_URL || `${config.publicUrl}/api/partner/webhook`,
  BANK_URL: env.BANK_URL || `${config.sandboxUrl}/bank`,
  // Short, so that a trial installation does not wait for the bank.
  BANK_POLL_SECONDS: env.BANK_POLL_SECONDS || '5',
  BANK_BEARER: env.BANK_BEARER || keys.bankBearer,
  PARTNER_FILES_DIR: env.PARTNER_FILES_DIR || join(directory, 'partner-files'),
  PARTNER_DESK_EMAIL: env.PARTNER_DESK_EMAIL || deskEmail,
  PARTNER_DESK_NAME: env.PARTNER_DESK_NAME || 'Devika Rao',
  PARTNER_DESK_PASSWORD: env.PARTNER_DESK_PASSWORD || keys.deskPassword,
  PARTNER_DESK_CHECKER_EMAIL: env.PARTNER_DESK_CHECKER_EMAIL || deskChecker.email,
  PARTNER_DESK_CHECKER_NAME: env.PARTNER_DESK_CHECKER_NAME || 'Farhan Shaikh',
  PARTNER_DESK_CHECKER_PASSWORD: env.PARTNER_DESK_CHECKER_PASSWORD || deskChecker.passwordFrom(keys),
})

/** The second partner is the same program with its own database, keys, prices and names. */
const secondPartnerOf = (setup: Setup, common: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const { config, directory, databases, keys } = setup
  const first = partnerOf({ ...setup, env: {} }, common)
  return {
    ...first,
    ...secondPartnerProduct,
    PARTNER_PORT: String(config.SECOND_PARTNER_PORT),
    PARTNER_OPERATIONS_PORT: 'none',
    PARTNER_PUBLIC_URL: config.secondPartnerUrl ?? '',
    PARTNER_DATABASE_URL: databases.secondPartner,
    LENDLOOM_KEYS: keys.secondPartner,
    LENDLOOM_DIGEST_KEY: '',
    PARTNER_CLIENTS: partnerClients(secondCredentials(keys)),
    BANK_BEARER: keys.secondBankBearer,
    PARTNER_FILES_DIR: join(directory, 'second-partner-files'),
    PARTNER_DESK_EMAIL: secondDesk.email,
    PARTNER_DESK_CHECKER_EMAIL: secondDesk.checker,
    PARTNER_DESK_NAME: 'Leela Nair',
    PARTNER_DESK_CHECKER_NAME: 'Ravi Kulkarni',
  }
}

export const deskEmail = 'desk@celestium.example'
export const secondDesk = { email: 'desk@kaveri.example', checker: 'checker@kaveri.example' }

/** The desk's second user, who approves requests of the first user; its password is derived from the first user's. */
export const deskChecker = {
  email: 'checker@celestium.example',
  passwordFrom: ({ deskPassword }: Pick<InstallationKeys, 'deskPassword'>): string =>
    createHmac('sha256', deskPassword).update('checker').digest('base64url').slice(0, 16),
}

export const senders = { platform: 'LENDLOOM', partner: 'CELESTIUM', second: secondSender }

const firstCredentials = ({ toPartner, toPlatform }: InstallationKeys): PartnerCredentials =>
  credentialsOf(senders.partner, toPartner, toPlatform)

const secondCredentials = ({
  toSecondPartner,
  toPlatformOfSecond: secondPartnerToPlatform,
}: InstallationKeys): PartnerCredentials => credentialsOf(senders.second, toSecondPartner, secondPartnerToPlatform)

const credentialsOf = (sender: string, outgoing: LenderCredential, incoming: LenderCredential): PartnerCredentials => ({
  sender: senders.platform,
  bearer: outgoing.bearer,
  keyId: outgoing.keyId,
  secret: outgoing.signingSecret,
  webhook: {
    sender,
    bearer: incoming.bearer,
    keys: [{ keyId: incoming.keyId, secret: incoming.signingSecret }],
  },
})

const partnerClients = (credentials: PartnerCredentials): string => JSON.stringify([partnerClientOf(credentials)])

const withDefaults = (env: NodeJS.ProcessEnv, defaults: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, env[name] || value]))
