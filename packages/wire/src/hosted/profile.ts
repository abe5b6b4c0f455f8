// Schemas of a borrower's data (D1 §2.1): personal, work, address and gold; every field may be missing.

import { keysOf, recordOf } from '@lendloom/foundation/record'
import { Nullable, OneOf, Personal, type Static, Type } from '@lendloom/foundation/schema'
import { endUses } from '@lendloom/lending/product/products'
import {
  emailPattern,
  gstinPattern,
  mobilePattern,
  panPattern,
  pincodePattern,
  rupeesPattern,
  udyamPattern,
} from '#wire/identifier.ts'
import { constitutions, industries } from './business-details.ts'

/** Text a person wrote: bounded, not blank, without control characters. */
export const FreeText = (maxLength = 200) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$',
    'x-says': `must be text of 1 to ${maxLength} characters`,
  })

export const ContactNumber = Type.String({
  pattern: mobilePattern,
  maxLength: 20,
  'x-says': 'must be an Indian mobile number of 10 digits, +91 optional',
  examples: ['9876543210'],
})
export const Pan = Type.String({
  pattern: panPattern,
  'x-says': 'must be a valid PAN, such as ABCPE1234F',
  examples: ['ABCPE1234F'],
})
export const Email = Type.String({
  pattern: emailPattern,
  maxLength: 254,
  'x-says': 'must be a valid e-mail address',
  examples: ['asha@mail.example'],
})
const DateOfBirth = Type.String({
  maxLength: 30,
  'x-says': 'must be a date of birth as YYYY-MM-DD',
  examples: ['1992-02-29'],
})
const Gender = Type.String({
  pattern: '^\\s*(?:[Mm][Aa][Ll][Ee]|[Ff][Ee][Mm][Aa][Ll][Ee]|[Tt][Rr][Aa][Nn][Ss][Gg][Ee][Nn][Dd][Ee][Rr])\\s*$',
  'x-says': 'must be male, female or transgender',
})
const EmploymentType = Type.String({
  pattern: '^\\s*(?:[Ss][Aa][Ll][Aa][Rr][Ii][Ee][Dd]|[Ss][Ee][Ll][Ff][- ]?[Ee][Mm][Pp][Ll][Oo][Yy][Ee][Dd])\\s*$',
  'x-says': 'must be salaried or selfEmployed',
})
const incomeSays = 'must be digits only, greater than 0'
const Digits = Type.Union(
  [Type.String({ pattern: rupeesPattern }), Type.Integer({ minimum: 1, maximum: 999_999_999_999 })],
  { 'x-says': incomeSays },
)
const Pincode = Type.String({
  pattern: pincodePattern,
  'x-says': 'must be a PIN code of 6 digits',
  examples: ['400001'],
})

export const PersonalFields = {
  pan: Type.Optional(Pan),
  panName: Type.Optional(FreeText()),
  dob: Type.Optional(DateOfBirth),
  gender: Type.Optional(Gender),
  personalemail: Type.Optional(Email),
}
export const PersonalProfile = Personal({ contactNumber: ContactNumber, ...PersonalFields })
/** Only for the self-employed; null clears a field. */
export const BusinessFields = {
  udyamNumber: Type.Optional(
    Nullable(Type.String({ pattern: udyamPattern, 'x-says': 'must be a Udyam number, such as UDYAM-MH-18-0000001' })),
  ),
  businessConstitution: Type.Optional(Nullable(OneOf([...constitutions]))),
  industry: Type.Optional(Nullable(OneOf([...industries]))),
  gstin: Type.Optional(
    Nullable(Type.String({ pattern: gstinPattern, 'x-says': 'must be a GSTIN, such as 27AAPFU0939F1ZV' })),
  ),
  annualTurnover: Type.Optional(Nullable(Digits)),
  businessAddressL1: Type.Optional(Nullable(FreeText())),
  businessAddressL2: Type.Optional(Nullable(FreeText())),
  businessCity: Type.Optional(Nullable(FreeText(100))),
  businessState: Type.Optional(Nullable(FreeText(100))),
  businessPincode: Type.Optional(Nullable(Pincode)),
}
/** Clears all business fields of a profile. */
export const noBusiness = recordOf(keysOf(BusinessFields), () => null)

export const WorkProfile = Personal(
  {
    officialemail: Type.Optional(Email),
    employmentType: Type.Optional(EmploymentType),
    income: Type.Optional(Digits),
    companyName: Type.Optional(FreeText()),
    ...BusinessFields,
  },
  ['employmentType', 'businessConstitution', 'industry', 'businessState'],
)
export const Address = Personal(
  {
    addressL1: Type.Optional(FreeText()),
    addressL2: Type.Optional(FreeText()),
    city: Type.Optional(FreeText(100)),
    state: Type.Optional(FreeText(100)),
    pincode: Type.Optional(Pincode),
  },
  ['state'],
)

const Grams = Type.Union(
  [
    Type.String({ pattern: '^(?=.*[1-9])\\d{1,7}(?:\\.\\d{1,3})?$' }),
    Type.Number({ minimum: 0.001, maximum: 9_999_999 }),
  ],
  { 'x-says': 'must be a positive number of grams' },
)

/** Rounds to milligrams, the precision of lenders' forms. */
export const gramsOf = (weight: string | number): number => Math.round(Number(weight) * 1000) / 1000

export const purities = ['24K', '22K', '21K', '18K', '14K', '9K'] as const

/** The gold that a borrower offers as security (D1 §2.1). */
export const GoldFields = {
  userType: Type.Optional(OneOf(['individual', 'non-individual'])),
  constitution: Type.Optional(Nullable(FreeText(100))),
  jewelleryWeightGrams: Type.Optional(Grams),
  purity: Type.Optional(OneOf([...purities])),
}
export const GoldProfile = Personal(GoldFields, ['userType', 'constitution', 'jewelleryWeightGrams', 'purity'])
export type GoldProfile = Static<typeof GoldProfile>

export type PersonalProfile = Static<typeof PersonalProfile>
export type WorkProfile = Static<typeof WorkProfile>
export type Address = Static<typeof Address>

export const EndUse = OneOf([...endUses])
export type EndUse = (typeof endUses)[number]

/** A field about the borrower, not about the gold. */
export type ProfileField = keyof (PersonalProfile & WorkProfile & Address)
