// The partner as borrowers see it among the lenders: its name, and whom to turn to (D1 §2.4 lenders).
import type { Lender, LenderContact } from '#contract/network/v203/lender.ts'
import type { World } from '#platform/world.ts'

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

export const identityOfPartner = ({
  PARTNER_LENDER_NAME,
  PARTNER_CONTACT,
}: Pick<World['config'], 'PARTNER_LENDER_NAME' | 'PARTNER_CONTACT'>): Lender => ({
  providerId: 'partner',
  name: PARTNER_LENDER_NAME,
  shortDescription: null,
  longDescription: null,
  logoUrl: null,
  contact: { ...nobody, ...PARTNER_CONTACT },
  serviceProvider: { name: null, email: null, contactNumber: null, address: null },
})
