// The partner as borrowers see it among the lenders: its name, and whom to turn to (D1 §2.4 lenders).
import type { Lender, LenderContact } from '#contract/network/v203/lender.ts'
import type { Context } from '#platform/context.ts'
import type { LenderName } from '#platform/lender/switch/store.ts'
import { credentialsOf } from './call.ts'
import { sandboxContact } from './settings.ts'

const nobody: LenderContact = {
  groName: null,
  groEmail: null,
  groContactNumber: null,
  groDesignation: null,
  groAddress: null,
  customerSupportLink: null,
  customerSupportContactNumber: null,
  customerSupportEmail: null,
}

type Config = Pick<Context['config'], 'PARTNER_LENDER_NAME' | 'PARTNER_CONTACT' | 'SANDBOX'>

/** Outside the sandbox a start without a whole contact is refused. */
export const contactOf = ({
  PARTNER_CONTACT,
  SANDBOX,
}: Pick<Config, 'PARTNER_CONTACT' | 'SANDBOX'>): LenderContact => ({
  ...nobody,
  ...(SANDBOX && sandboxContact),
  ...PARTNER_CONTACT,
})

export const identityOfPartner = (config: Config): Lender => ({
  providerId: 'partner',
  name: config.PARTNER_LENDER_NAME,
  shortDescription: null,
  longDescription: null,
  logoUrl: null,
  contact: contactOf(config),
  serviceProvider: { name: null, email: null, contactNumber: null, address: null },
})

/** What it is known by among the lenders. */
export const partnerName = (ctx: Parameters<typeof credentialsOf>[0]): LenderName => ({
  bppId: credentialsOf(ctx).webhook.sender,
  providerId: 'partner',
})
