// The applicant as digests: cases of one applicant match without reading a name or number.
import type { Seal } from '#kit/crypto/seal.ts'

export interface Applicant {
  pan: string
  mobile: string
  /** `YYYY-MM-DD`. */
  bornOn: string
}

export interface ApplicantDigests {
  panDigest: Buffer
  /** Mobile and date of birth together. */
  personDigest: Buffer
}

/** Spelling does not matter: a PAN in lower case and a mobile with its country code are the same. */
export function digestsOf(seal: Seal, { pan, mobile, bornOn }: Applicant): ApplicantDigests {
  const number = mobile.replaceAll(/\D/g, '').slice(-10)
  return {
    panDigest: seal.digest(pan.trim().toUpperCase(), 'partner pan'),
    personDigest: seal.digest(`${number} ${bornOn}`, 'partner person'),
  }
}
