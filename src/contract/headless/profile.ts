// The profile of a journey as D2 §4 spells it: the snapshot, what is merged into it, and sending it.

import { Text } from '#contract/atoms.ts'
import { Metadata } from '#contract/headless/journey.ts'
import { AccountType } from '#contract/headless/step.ts'
import {
  Address,
  ContactNumber,
  EndUse,
  FreeText,
  GoldProfile,
  maybe,
  PersonalFields,
  WorkProfile,
} from '#contract/hosted/profile.ts'
import { accountNumberPattern, ifscPattern } from '#contract/identifier.ts'
import { AnyObject, Closed, Personal, type Static, Type } from '#kit/http/schema.ts'

/** The account for the disbursal, if known in advance; the bank mandate's form overrides it. */
export const BankingInformation = Personal(
  {
    accountHolderName: maybe(FreeText(100)),
    accountNumber: maybe(
      Type.String({ pattern: accountNumberPattern, 'x-says': 'must be an account number of 9 to 18 digits' }),
    ),
    ifsc: maybe(Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC, such as HDFC0000001' })),
    accountType: maybe(AccountType),
  },
  ['accountType'],
)
export type BankingInformation = Static<typeof BankingInformation>

/** Given fields replace existing ones; the session's mobile number stays. */
export const ProfileRequest = Closed({
  profile: maybe(Closed({ contactNumber: maybe(ContactNumber), ...PersonalFields })),
  workProfile: maybe(WorkProfile),
  address: maybe(Address),
  bankingInformation: maybe(BankingInformation),
  /** A gold loan only: what the borrower brings. */
  goldLoan: maybe(GoldProfile),
  metadata: maybe(Metadata),
  /** The purpose of the loan; `other` by default. */
  endUse: maybe(EndUse),
})
export type ProfileRequest = Static<typeof ProfileRequest>

/** GET and PUT answer with it: the snapshot, and what lenders need to know before they can be asked. */
export const ProfileSnapshot = Closed({
  profile: Closed({ contactNumber: Text, ...PersonalFields }),
  workProfile: WorkProfile,
  address: Address,
  bankingInformation: BankingInformation,
  /** Only of a gold loan. */
  goldLoan: maybe(GoldProfile),
  metadata: AnyObject,
  endUse: maybe(EndUse),
  /** Paths as in a PUT, such as `workProfile.income`. */
  requiredFields: Type.Array(Text),
  missingFields: Type.Array(Text),
})
export type ProfileSnapshot = Static<typeof ProfileSnapshot>

export const ProfileSubmitRequest = Closed({ bureauConsent: Type.Boolean() })
export type ProfileSubmitRequest = Static<typeof ProfileSubmitRequest>
