// The identity provider's interface: a session in which a borrower proves who they are, by papers or by video.
import { OneOf, type Static, Type } from '#kit/schema.ts'
import { Asked, Person, Told } from './request.ts'

/** DIGILOCKER takes papers from the state's locker; VIDEO adds a call, which an official judges afterwards. */
export const kycModes = ['DIGILOCKER', 'VIDEO'] as const

export const kycStates = ['LINK_SENT', 'UNDER_REVIEW', 'VERIFIED', 'REJECTED', 'CALL_ENDED', 'LINK_EXPIRED'] as const
export type KycState = (typeof kycStates)[number]

export const KycRequest = Type.Object({ ...Asked, mode: OneOf(kycModes), person: Person })
export type KycRequest = Static<typeof KycRequest>

export const KycSession = Type.Object({ ...Told, mode: OneOf(kycModes), state: OneOf(kycStates) })
export type KycSession = Static<typeof KycSession>
