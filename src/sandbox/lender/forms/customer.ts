// The second form about the borrower, with which an offer is taken: who it is, once more (FIS12 §19.1).
import { tenDigits, upper } from '#contract/identifier.ts'
import { type AnswersTo, customerFields } from '#contract/network/form-fields.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import type { Shown } from '#sandbox/lender/core/form.ts'
import { checked, Line, Mobile, Pan, Pincode } from './profile-fields.ts'

const Customer = Type.Object({
  pan: Pan,
  fullName: Line,
  gender: OneOf([...customerFields.gender.options]),
  dob: Type.String(),
  contactNumber: Mobile,
  pincode: Pincode,
})

export const customerShown: Record<string, Shown> = {
  fullName: { label: 'Name as on the PAN card' },
  pan: { label: 'PAN' },
  dob: { label: 'Date of birth' },
  gender: { label: 'Gender' },
  contactNumber: { label: 'Mobile number' },
  pincode: { label: 'PIN code' },
}

/** Who it is, as the posted fields tell it. Throws a `Refusal` of kind `invalid` naming every wrong field. */
export function customerFrom(posted: AnswersTo<typeof customerFields>) {
  const { given, bornOn } = checked(Customer, posted, ['fullName'])
  return {
    name: given.fullName.trim(),
    pan: upper(given.pan),
    bornOn,
    gender: given.gender,
    mobile: tenDigits(given.contactNumber),
    pincode: given.pincode,
  }
}
