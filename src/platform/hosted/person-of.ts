// The session body's prefill in our own words (D1 §2.1).
import { gramsOf } from '#contract/hosted/profile.ts'
import type { SessionOrder } from '#contract/hosted/session.ts'
import type { Person } from '#platform/borrower/person.ts'

/** Only what was said: an absent field is absent, so that a merge keeps what is known. */
export function personOf({ profile, workProfile, address, goldLoan }: SessionOrder): Person {
  return {
    personal: said({
      mobile: profile.contactNumber,
      pan: profile.pan,
      panName: profile.panName,
      dob: profile.dob,
      gender: profile.gender,
      personalEmail: profile.personalemail,
    }) as Person['personal'],
    work: said({
      employmentType: workProfile.employmentType as Person['work']['employmentType'],
      officialEmail: workProfile.officialemail,
      income: workProfile.income,
      companyName: workProfile.companyName,
      udyamNumber: workProfile.udyamNumber,
    }),
    address: said(address),
    gold:
      goldLoan &&
      said({
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

type Said<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }
const said = <T extends object>(fields: T): Said<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Said<T>
