// Digests of the applicant, so that cases of one applicant match without decrypting personal data.
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

/** Returns the digests. Ignores the letter case of the PAN and the country code of the mobile. */
export function digestsOf(seal: Seal, { pan, mobile, bornOn }: Applicant): ApplicantDigests {
  const number = mobile.replaceAll(/\D/g, '').slice(-10)
  return {
    panDigest: seal.digest(pan.trim().toUpperCase(), 'partner pan'),
    personDigest: seal.digest(`${number} ${bornOn}`, 'partner person'),
  }
}
