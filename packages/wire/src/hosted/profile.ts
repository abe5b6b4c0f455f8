// Schemas of a borrower's data (D1 §2.1): personal, work, address and gold; every field may be missing.

import { keysOf, recordOf } from '@lendloom/foundation/record'
import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import { Nullable, OneOf, Personal, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { endUses } from '@lendloom/lending/product/products'
import {
  calendarDate,
  emailPattern,
  gstinPattern,
  hasHiddenCharacter,
  isAadhaar,
  isPersonPan,
  mobilePattern,
  panPattern,
  pincodePattern,
  rupeesPattern,
  tenDigits,
  udyamPattern,
  upper,
} from '#wire/identifier.ts'
import { canonicalBusiness, constitutions, industries } from './business.ts'

export const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema)

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
  pan: maybe(Pan),
  panName: maybe(FreeText()),
  dob: maybe(DateOfBirth),
  gender: maybe(Gender),
  personalemail: maybe(Email),
}
export const PersonalProfile = Personal({ contactNumber: ContactNumber, ...PersonalFields })
/** Only for the self-employed; null clears a field. */
const BusinessFields = {
  udyamNumber: maybe(
    Nullable(Type.String({ pattern: udyamPattern, 'x-says': 'must be a Udyam number, such as UDYAM-MH-18-0000001' })),
  ),
  businessConstitution: maybe(Nullable(OneOf([...constitutions]))),
  industry: maybe(Nullable(OneOf([...industries]))),
  gstin: maybe(Nullable(Type.String({ pattern: gstinPattern, 'x-says': 'must be a GSTIN, such as 27AAPFU0939F1ZV' }))),
  annualTurnover: maybe(Nullable(Digits)),
  businessAddressL1: maybe(Nullable(FreeText())),
  businessAddressL2: maybe(Nullable(FreeText())),
  businessCity: maybe(Nullable(FreeText(100))),
  businessState: maybe(Nullable(FreeText(100))),
  businessPincode: maybe(Nullable(Pincode)),
}
/** Clears all business fields of a profile. */
export const noBusiness = recordOf(keysOf(BusinessFields), () => null)

export const WorkProfile = Personal(
  {
    officialemail: maybe(Email),
    employmentType: maybe(EmploymentType),
    income: maybe(Digits),
    companyName: maybe(FreeText()),
    ...BusinessFields,
  },
  ['employmentType', 'businessConstitution', 'industry', 'businessState'],
)
export const Address = Personal(
  {
    addressL1: maybe(FreeText()),
    addressL2: maybe(FreeText()),
    city: maybe(FreeText(100)),
    state: maybe(FreeText(100)),
    pincode: maybe(Pincode),
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
  userType: maybe(OneOf(['individual', 'non-individual'])),
  constitution: maybe(Nullable(FreeText(100))),
  jewelleryWeightGrams: maybe(Grams),
  purity: maybe(OneOf([...purities])),
}
export const GoldProfile = Personal(GoldFields, ['userType', 'constitution', 'jewelleryWeightGrams', 'purity'])
export type GoldProfile = Static<typeof GoldProfile>

export type PersonalProfile = Static<typeof PersonalProfile>
export type WorkProfile = Static<typeof WorkProfile>
export type Address = Static<typeof Address>

type ProfileField = keyof (PersonalProfile & WorkProfile & Address)

/** Fields that staff may reveal with a reason, by their name in that API, with their label in the console. */
export const revealedFields = {
  name: { field: 'panName', label: 'Name' },
  mobile: { field: 'contactNumber', label: 'Mobile' },
  pan: { field: 'pan', label: 'PAN' },
  email: { field: 'personalemail', label: 'Email' },
  officialEmail: { field: 'officialemail', label: 'Work email' },
} as const satisfies Record<string, { field: ProfileField; label: string }>

/** Optional texts of the network's personal-loan form (FIS12 §7.7), with their label on the sandbox's page. */
export const networkTexts = {
  udyamNumber: 'Udyam number',
  addressL1: 'Address',
  addressL2: 'Address, second line',
  city: 'City',
  state: 'State',
  pincode: 'PIN code',
} as const satisfies Partial<Record<ProfileField, string>>

/** Profile fields that are not part of the lifecycle update (D1 §2.4). */
export type NotInUpdates =
  | 'pan'
  | 'gstin'
  | 'annualTurnover'
  | 'industry'
  | `business${'Constitution' | 'AddressL1' | 'AddressL2' | 'City' | 'State' | 'Pincode'}`

export const EndUse = OneOf([...endUses])
export type EndUse = (typeof endUses)[number]

/** An earlier date of birth is a typing error. */
const earliestBirth = '1900-01-01'

/** Rules for personal fields; `path` is their path in the request. */
export interface PersonalRules {
  at: Date
  needsPersonPan: boolean
  path?: string
}

/** Returns the fields in canonical form. Adds to `faults` an invalid date, and the PAN of a company for a person. */
export function canonicalPersonal<P extends Partial<PersonalProfile>>(
  input: P,
  { at, needsPersonPan, path = 'profile' }: PersonalRules,
  faults: FieldError[],
): P {
  const dob = input.dob === undefined ? undefined : calendarDate(input.dob)
  if (dob === null || (dob !== undefined && (new Date(dob) > at || dob < earliestBirth)))
    faults.push({ path: `${path}.dob`, message: 'must be a date of birth as YYYY-MM-DD' })
  if (needsPersonPan && input.pan !== undefined && !isPersonPan(input.pan) && new RegExp(panPattern).test(input.pan))
    faults.push({ path: `${path}.pan`, message: 'must be the PAN of a person, whose fourth character is P' })
  return {
    ...input,
    ...(input.contactNumber !== undefined && { contactNumber: tenDigits(input.contactNumber) }),
    ...(input.pan !== undefined && { pan: upper(input.pan) }),
    ...(input.panName !== undefined && { panName: input.panName.trim() }),
    ...(dob && { dob }),
    ...(input.gender !== undefined && { gender: input.gender.trim().toLowerCase() }),
    ...(input.personalemail !== undefined && { personalemail: input.personalemail.trim().toLowerCase() }),
  }
}

/** Rules for work fields; `path` is their path in the request. */
export interface WorkRules {
  /** The minimum number of digits of an income. */
  minDigits: number
  /** The stored employment type, for a body that omits it. */
  storedEmployment?: string | undefined
  path?: string
}

/**
 * Returns the work fields in canonical form (D1 §2.1). Adds to `faults` an income with too few digits, and business fields
 * of a borrower who is not self-employed.
 */
export function canonicalWork(
  input: WorkProfile,
  { minDigits, storedEmployment, path = 'workProfile' }: WorkRules,
  faults: FieldError[],
) {
  const employmentType = input.employmentType === undefined ? undefined : canonicalEmployment(input.employmentType)
  const income = input.income === undefined ? undefined : Number(input.income)
  if (income !== undefined && String(income).length < minDigits)
    faults.push({ path: `${path}.income`, message: `must have at least ${minDigits} digits` })
  if ((employmentType ?? storedEmployment) !== 'selfEmployed')
    for (const name of keysOf(BusinessFields))
      if ((input[name] ?? null) !== null)
        faults.push({ path: `${path}.${name}`, message: 'is allowed only when employmentType is selfEmployed' })
  // A field without a rule stays as sent.
  const {
    officialemail,
    employmentType: _employment,
    income: _income,
    annualTurnover: _turnover,
    ...unchangedFields
  } = input
  return {
    ...unchangedFields,
    ...(officialemail !== undefined && { officialemail: officialemail.trim() }),
    ...(employmentType && { employmentType }),
    ...(income !== undefined && { income }),
    ...(input.companyName !== undefined && { companyName: input.companyName.trim() }),
    ...(input.udyamNumber && { udyamNumber: upper(input.udyamNumber) }),
    ...canonicalBusiness(input, path, faults),
  }
}
export type CanonicalWork = ReturnType<typeof canonicalWork>

/** The schema admits only spellings of these two. */
const canonicalEmployment = (text: string): 'salaried' | 'selfEmployed' =>
  /^\s*salaried\s*$/i.test(text) ? 'salaried' : 'selfEmployed'

/**
 * Paths of other numbers, because one in ten numbers of twelve digits looks like an Aadhaar number by chance: mobile and
 * account numbers, and in mutual-fund data (D1 §4) also fields named folio, phone, account or reference.
 */
const otherNumber =
  /(?:contact|account)_?number$|^mfc\.(?:[^.]*\.)*(?=[^.]*$)[^.]*(?:folio|mobile|phone|contact|account|acc_?no|reference|ref_?no|req_?id|trxn|txn|transaction)/i

/**
 * Throws `invalid` at the first text of a name, address or identifier that has invisible characters or ones that change
 * the direction of text, because it could look like another one.
 */
export function refuseHidden(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (hasHiddenCharacter(value))
      throw invalid({
        path,
        message: 'must not contain invisible characters or ones that change the direction of text',
      })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) refuseHidden(inner, path === '' ? key : `${path}.${key}`)
  }
}

/** Throws `invalid` if any text of the value is a full Aadhaar number (D3 §2.1). */
export function refuseAadhaar(value: unknown, path = ''): void {
  if (typeof value === 'string' || typeof value === 'number') {
    if (!otherNumber.test(path) && isAadhaar(String(value)))
      throw invalid({ path, message: 'must not be an Aadhaar number' })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) refuseAadhaar(inner, path === '' ? key : `${path}.${key}`)
  }
}
