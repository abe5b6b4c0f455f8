// Creates the rows of partners that the settings describe, when the platform starts.

import { ConfigError } from '@lendloom/foundation/config'
import { uuidv7 } from '@lendloom/seal/id'
import type { PartnerCredentials } from '@lendloom/wire/exchange/credentials'
import type { Context } from '#platform/context.ts'
import { missingContact, sandboxContact } from '#platform/lenders/partner/partner-contact.ts'
import { partnersOf, rowOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { rulesFrom, type SandboxPartner } from '#platform/lenders/partner/settings.ts'
import { partnerProviderFaults } from '#platform/providers/partner-providers.ts'
import { emptyPartner, insertValidPartner, lockAllPartners } from './change-partner.ts'
import { firstPartnerId, type Partner } from './lending-partner.ts'
import { updatePartner } from './store.ts'

type Config = Pick<Context['config'], 'PARTNER_URL' | 'PARTNER_CREDENTIALS' | 'PARTNER_CONTACT' | 'SANDBOX'>

/** Returns why the PARTNER_ settings are unsafe (D3 §5), or incomplete for an old partner; null without PARTNER_URL. */
export function partnerConfigFault({ config }: { config: Config }): string | null {
  const { PARTNER_URL, PARTNER_CREDENTIALS, PARTNER_CONTACT, SANDBOX } = config
  if (PARTNER_URL === '') return null
  const missing = missingContact(PARTNER_CONTACT).filter((name) => name !== 'repaymentAccount')
  const faults = [
    PARTNER_CREDENTIALS === null && 'PARTNER_URL is set, but PARTNER_CREDENTIALS is not',
    !SANDBOX && !PARTNER_URL.startsWith('https:') && 'PARTNER_URL must be https outside the sandbox',
    !SANDBOX && missing.length > 0 && `PARTNER_CONTACT needs ${missing.join(', ')} outside the sandbox`,
  ].filter((fault) => fault !== false)
  return faults.length === 0 ? null : faults.join('; ')
}

/**
 * Creates the missing partners; the lock admits one process at a time. Outside the sandbox, existing partners do not
 * change, but need the settings of providers. In a sandbox, they get the address and credentials of the settings, because the launcher chooses them.
 */
export async function partnersFromSettings(ctx: Context, at: Date): Promise<void> {
  await requireProviders(ctx)
  const configured = partnersInSettings(ctx.config, at)
  if (configured.length === 0) return
  const created = await ctx.db.tx(async (tx) => {
    const existing = await lockAllPartners({ ...ctx, tx })
    const added: Partner[] = []
    for (const partner of configured) {
      const before = existing.find(({ sender }) => sender === partner.sender)
      if (!before) {
        const isFirst = existing.length === 0 && added.length === 0
        const newPartner = isFirst ? { ...partner, partnerId: firstPartnerId } : partner
        await insertValidPartner({ ...ctx, tx, at }, newPartner)
        added.push(newPartner)
      } else if (ctx.config.SANDBOX && isConnectionChanged(before, partner)) {
        const { url, credentials } = partner
        await updatePartner(tx, rowOf(ctx.seal, { ...before, url, credentials, updatedAt: at }))
      } else if (!ctx.config.SANDBOX)
        ctx.log.info({ sender: before.sender }, 'ignored the settings of a lending partner that already exists')
    }
    return added
  })
  partnersOf(ctx).forget()
  for (const { sender, partnerId } of created)
    ctx.log.info(
      { sender, partnerId },
      'created a lending partner from the settings; change it with lendloom partner or the console from now on',
    )
}

/** Throws `ConfigError` if partners exist whose applications need providers that the settings lack. */
async function requireProviders({ db, config }: Context): Promise<void> {
  const missing = partnerProviderFaults(config)
  if (missing.length === 0 || (await db`select from lending_partner limit 1`).length === 0) return
  throw new ConfigError(`configuration, required by the lending partners in the database:\n  ${missing.join('\n  ')}`)
}

function partnersInSettings(config: Context['config'], at: Date): Partner[] {
  const { PARTNER_URL: url, PARTNER_CREDENTIALS: credentials, PARTNER_LENDER_NAME: name, SANDBOX } = config
  const contact = { ...(SANDBOX && sandboxContact), ...config.PARTNER_CONTACT }
  const mainPartner =
    url === '' || credentials === null
      ? []
      : [partnerFrom({ name, url, credentials, rules: rulesFrom(config), contact }, at)]
  const sandboxPartners = SANDBOX ? config.SANDBOX_PARTNERS : []
  return [...mainPartner, ...sandboxPartners.map((each) => partnerFrom(each, at))]
}

function partnerFrom(input: SandboxPartner, at: Date): Partner {
  const { name, url, credentials, rules, contact } = input
  const partner = emptyPartner(uuidv7(at.getTime()), credentials.webhook.sender, at)
  return {
    ...partner,
    name,
    url,
    rules: { ...partner.rules, ...rules },
    contact: { ...partner.contact, ...contact },
    credentials: credentialsFrom(credentials, at),
  }
}

/** During a rotation the settings have two keys, which stay valid until the older key is replaced. */
const credentialsFrom = ({ sender, webhook, ...outgoing }: PartnerCredentials, at: Date): Partner['credentials'] => ({
  ourSender: sender,
  outgoing: [{ ...outgoing, from: at.toISOString() }],
  incoming: webhook.keys.map((key) => ({ bearer: webhook.bearer, ...key, until: null })),
})

/** Whether the address or a credential differs; ignores validity periods. */
function isConnectionChanged(before: Partner, after: Partner): boolean {
  const connectionOf = ({ url, credentials }: Partner) =>
    JSON.stringify([
      url,
      credentials.ourSender,
      credentials.outgoing.map(({ bearer, keyId, secret }) => [bearer, keyId, secret]),
      credentials.incoming.map(({ bearer, keyId, secret }) => [bearer, keyId, secret]),
    ])
  return connectionOf(before) !== connectionOf(after)
}
