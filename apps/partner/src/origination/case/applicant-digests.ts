// Digests of an applicant's personal data. They find cases of the same applicant without decrypting them.
import type { Seal } from '@lendloom/seal/seal'

export interface Applicant {
  pan: string
  mobile: string
  /** `YYYY-MM-DD`. */
  bornOn: string
}

export interface ApplicantDigests {
  panDigest: Buffer
  /** Digest of the mobile and the date of birth together. */
  personDigest: Buffer
}

/** Ignores the letter case of the PAN, and the country code of the mobile. */
export function digestsOf(seal: Seal, { pan, mobile, bornOn }: Applicant): ApplicantDigests {
  const number = mobile.replaceAll(/\D/g, '').slice(-10)
  return {
    panDigest: seal.digest(pan.trim().toUpperCase(), 'partner pan'),
    personDigest: seal.digest(`${number} ${bornOn}`, 'partner person'),
  }
}
