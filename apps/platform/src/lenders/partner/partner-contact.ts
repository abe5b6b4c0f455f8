// The contact of a lending partner that borrowers see: which fields are missing, and that of the sandbox.

import { isObject, recordOf } from '@lendloom/foundation/record'
import type { PartnerContact } from '@lendloom/wire/console/lending-partners'
import { contactNames } from '@lendloom/wire/console/lists'

/** Contact of the reference partner, used in a sandbox. */
export const sandboxContact: PartnerContact = {
  groName: 'Meera Iyer',
  groEmail: 'nodal@celestium.example',
  groContactNumber: '080-40001200',
  groDesignation: 'Principal Nodal Officer',
  groAddress: '14 Residency Road, Bengaluru 560025',
  customerSupportLink: 'https://celestium.example/support',
  customerSupportContactNumber: '1800-120-4000',
  customerSupportEmail: 'care@celestium.example',
  repaymentAccount: 'Celestium Finance Limited, Sandbox Bank, account 50200047110101, IFSC SBXB0000101',
}

/** The contact of a partner before anything is entered. */
export const noContact: PartnerContact = recordOf(contactNames, () => '')

/** Names of the contact fields that a lender has not filled in (D1 §2.4 lenders). */
export const missingContact = (contact: Partial<PartnerContact>): string[] =>
  contactNames.filter((name) => !contact[name]?.trim())

export const isContact = (value: unknown): value is Partial<PartnerContact> =>
  isObject(value) &&
  Object.entries(value).every(
    ([name, text]) => contactNames.some((contactName) => contactName === name) && typeof text === 'string',
  )
