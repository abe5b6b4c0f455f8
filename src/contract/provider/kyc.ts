// The identity provider's interface: a session in which a borrower proves who they are, by papers or by video.
import { OneOf, type Static, Type } from '#kit/http/schema.ts'
import { Applicant, reportFields, requestFields } from './request.ts'

/** DIGILOCKER takes papers from the state's locker; VIDEO adds a call, which an official judges afterwards. */
const kycModes = ['DIGILOCKER', 'VIDEO'] as const

const kycStates = ['LINK_SENT', 'UNDER_REVIEW', 'VERIFIED', 'REJECTED', 'CALL_ENDED', 'LINK_EXPIRED'] as const
export type KycState = (typeof kycStates)[number]

export const KycRequest = Type.Object({ ...requestFields, mode: OneOf(kycModes), person: Applicant })
export type KycRequest = Static<typeof KycRequest>

export const KycSession = Type.Object({ ...reportFields, mode: OneOf(kycModes), state: OneOf(kycStates) })
export type KycSession = Static<typeof KycSession>
