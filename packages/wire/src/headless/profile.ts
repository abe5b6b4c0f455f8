// The profile of a journey (D2 §4): reading, changing and submitting it.

import { AnyObject, Closed, Personal, type Static, Type } from '@lendloom/foundation/schema'
import { Text } from '#wire/basic-schemas.ts'
import {
  Address,
  ContactNumber,
  EndUse,
  FreeText,
  GoldProfile,
  PersonalFields,
  WorkProfile,
} from '#wire/hosted/profile.ts'
import { accountNumberPattern, ifscPattern } from '#wire/identifier.ts'
import { AccountType } from './bank-mandate.ts'
import { Metadata } from './journey.ts'

/** The account for the disbursal, if known in advance; the bank mandate's form overrides it. */
export const BankingInformation = Personal(
  {
    accountHolderName: Type.Optional(FreeText(100)),
    accountNumber: Type.Optional(
      Type.String({ pattern: accountNumberPattern, 'x-says': 'must be an account number of 9 to 18 digits' }),
    ),
    ifsc: Type.Optional(Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC, such as HDFC0000001' })),
    accountType: Type.Optional(AccountType),
  },
  ['accountType'],
)
export type BankingInformation = Static<typeof BankingInformation>

export const PersonalChange = Closed({ contactNumber: Type.Optional(ContactNumber), ...PersonalFields })

/** The fields to change; the session's mobile number cannot be changed. */
export const ProfileRequest = Closed({
  profile: Type.Optional(PersonalChange),
  workProfile: Type.Optional(WorkProfile),
  address: Type.Optional(Address),
  bankingInformation: Type.Optional(BankingInformation),
  /** Gold loans only: the gold that the borrower brings. */
  goldLoan: Type.Optional(GoldProfile),
  metadata: Type.Optional(Metadata),
  /** The purpose of the loan; `other` by default. */
  endUse: Type.Optional(EndUse),
})
export type ProfileRequest = Static<typeof ProfileRequest>

export const StoredPersonalProfile = Closed({ contactNumber: Text, ...PersonalFields })

/** The response of GET and PUT: the stored profile, and the fields that lenders require. */
export const ProfileSnapshot = Closed({
  profile: StoredPersonalProfile,
  workProfile: WorkProfile,
  address: Address,
  bankingInformation: BankingInformation,
  goldLoan: Type.Optional(GoldProfile),
  metadata: AnyObject,
  endUse: Type.Optional(EndUse),
  /** Paths as in a PUT, such as `workProfile.income`. */
  requiredFields: Type.Array(Text),
  missingFields: Type.Array(Text),
})
export type ProfileSnapshot = Static<typeof ProfileSnapshot>

export const ProfileSubmitRequest = Closed({ bureauConsent: Type.Boolean() })
export type ProfileSubmitRequest = Static<typeof ProfileSubmitRequest>
