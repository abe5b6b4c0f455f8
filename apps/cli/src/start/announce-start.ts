// Announces a start to other commands: the file with the addresses of the programs, that with the sandbox's people and keys,
// and the requests of other commands to move the clock. It loads while PostgreSQL starts, because nothing needs it before.

import { withSecrets } from '@lendloom/foundation/config'
import type { Ready } from '@lendloom/foundation/program'
import { fieldsOf } from '@lendloom/foundation/record'
import { otherDatabaseUrlsOf, programsIn } from '#cli/clock/advance.ts'
import { watchClockRequests } from '#cli/clock/requests.ts'
import { announceRun, clockFile, runOf, sandboxFile, writeSecret } from '#cli/installation.ts'
import { type InstallationKeys, keysOf } from '#cli/installation-keys.ts'
import { deskChecker, deskEmail, type Setup, secondDesk, senders } from './environment.ts'
import { secretNames } from './secret-names.ts'
import type { StartConfig } from './settings.ts'

// `launch.ts` loads what else can wait through this file.
export { copyFilesRegularly } from '#cli/backup/setup.ts'
export { environments as environmentsOf } from './environment.ts'

/** What the programs are started with: the secrets of the environment are read from their files. */
export const setupOf = ({ given, ...rest }: Omit<Setup, 'env' | 'keys'> & { given: NodeJS.ProcessEnv }): Setup => ({
  ...rest,
  env: withSecrets(given, secretNames),
  keys: keysOf(rest.directory),
})

/** Writes the files of the running programs. Returns a function that stops answering requests to move the clock. */
export function announce(setup: Setup, ready: Record<string, Ready>): () => void {
  writeRunFiles(setup, ready)
  const { config, directory, env } = setup
  const running = runOf(directory)
  if (!config.SANDBOX || !running) return () => {}
  const requests = watchClockRequests({
    file: clockFile(directory),
    env,
    programs: programsIn(running),
    otherDatabaseUrls: otherDatabaseUrlsOf(running),
  })
  return () => requests.stop()
}

function writeRunFiles({ directory, config, databases, keys }: Setup, ready: Record<string, Ready>) {
  const platform = { url: config.publicUrl, databaseUrl: databases.platform }
  const partner = config.partnerUrl ? { url: config.partnerUrl, databaseUrl: databases.partner } : null
  const secondPartner = config.secondPartnerUrl
    ? { url: config.secondPartnerUrl, databaseUrl: databases.secondPartner }
    : null
  const sandbox = config.SANDBOX
    ? { url: config.sandboxUrl, databaseUrl: databases.sandbox, smtpPort: config.SANDBOX_SMTP_PORT }
    : null
  announceRun(directory, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    platform,
    partner,
    secondPartner,
    sandbox,
  })
  if (!config.SANDBOX) return
  const seeded = fieldsOf(ready.platform?.announce.sandbox)
  writeSecret(sandboxFile(directory), {
    platform: { url: config.publicUrl },
    sandbox: { url: config.sandboxUrl },
    ...seeded,
    sms: `${config.sandboxUrl}/sms`,
    ...(config.mailUrl !== null && { mailbox: `${config.sandboxUrl}/mailbox` }),
    ...partnersOf(config, keys),
  })
}

/** Lists each partner with the credentials of both directions. The first partner is also in the top-level fields. */
function partnersOf(config: StartConfig, keys: InstallationKeys) {
  const { partnerUrl, secondPartnerUrl } = config
  if (!partnerUrl) return {}
  const webhookUrl = `${config.publicUrl}/api/partner/webhook`
  const { deskPassword: password } = keys
  const checker = { password: deskChecker.passwordFrom(keys) }
  const first = {
    partner: { url: partnerUrl, ...keys.toPartner, sender: senders.platform },
    partnerWebhook: { url: webhookUrl, ...keys.toPlatform, sender: senders.partner },
    desk: { url: `${partnerUrl}/desk`, email: deskEmail, password, checker: { email: deskChecker.email, ...checker } },
  }
  const { partner, partnerWebhook: webhook, desk } = first
  const second = secondPartnerUrl && {
    sender: senders.second,
    partner: { url: secondPartnerUrl, ...keys.toSecondPartner, sender: senders.platform },
    webhook: { url: webhookUrl, ...keys.toPlatformOfSecond, sender: senders.second },
    desk: {
      url: `${secondPartnerUrl}/desk`,
      email: secondDesk.email,
      password,
      checker: { email: secondDesk.checker, ...checker },
    },
  }
  return { ...first, partners: [{ sender: senders.partner, partner, webhook, desk }, ...(second ? [second] : [])] }
}
