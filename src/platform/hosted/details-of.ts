// The session body's prefill in our own words (D1 §2.1).

import { gramsOf } from '#contract/hosted/profile.ts'
import type { SessionOrder } from '#contract/hosted/session.ts'
import { without } from '#kit/runtime/record.ts'
import type { BorrowerDetails } from '#platform/borrower/details.ts'

/** Only what was said: an absent field is absent, so that a merge keeps what is known. */
export function detailsOf({ profile, workProfile, address, goldLoan }: SessionOrder): BorrowerDetails {
  return {
    personal: {
      mobile: profile.contactNumber,
      ...spoken({
        pan: profile.pan,
        panName: profile.panName,
        dob: profile.dob,
        gender: profile.gender,
        personalEmail: profile.personalemail,
      }),
    },
    work: spoken({
      employmentType: workProfile.employmentType,
      officialEmail: workProfile.officialemail,
      income: workProfile.income,
      companyName: workProfile.companyName,
      udyamNumber: workProfile.udyamNumber,
    }),
    address: spoken(address),
    gold:
      goldLoan &&
      spoken({
        userType: goldLoan.userType,
        constitution: goldLoan.constitution,
        jewelleryWeightGrams:
          goldLoan.jewelleryWeightGrams === undefined ? undefined : gramsOf(goldLoan.jewelleryWeightGrams),
        purity: goldLoan.purity,
        aaId: goldLoan.aaID,
        requestedAmount: goldLoan.requestedAmount === undefined ? undefined : String(goldLoan.requestedAmount),
        requestedTenureMonths:
          goldLoan.requestedTenureMonths === undefined ? undefined : Number(goldLoan.requestedTenureMonths),
      }),
  }
}

const spoken = <Fields extends object>(fields: Fields) => without(fields, undefined)
