// The messages of MF Central, the platform of the mutual funds' registrars, as its client API version 1 has them.
import { OneOf, type Static, Type } from '#kit/http/schema.ts'

const Text = Type.String({ maxLength: 500 })
const Reference = Type.Union([Text, Type.Number()])

/** POST /oauth/token */
export const TokenReply = Type.Object({ access_token: Text, expires_in: Type.Number() })

/** What goes over the wire: the text is encrypted, the signature a detached JWS over it. */
export const SignedRequest = Type.Object({ signature: Type.String(), request: Type.String() })
export const SignedReply = Type.Object({ signature: Type.String(), response: Type.String() })

/** POST /api/client/V1/newCasRequest: a summary statement is asked for, under the PAN and either the mobile number or the email. */
export const CasRequest = Type.Object({
  clientRefNo: Text,
  pan: Text,
  pekrn: Text,
  /** With the code of the country. */
  mobile: Text,
  email: Text,
  redirectUrl: Type.String({ maxLength: 2000 }),
})
export type CasRequest = Static<typeof CasRequest>

export const CasRequested = Type.Object({
  reqId: Reference,
  otpRef: Text,
  userSubjectReference: Type.Optional(Text),
  clientRefNo: Text,
})
export type CasRequested = Static<typeof CasRequested>

/** POST /api/client/V1/getcasdocument */
export const CasQuestion = Type.Object({ reqId: Reference, otpRef: Text, clientRefNo: Text })

/** The statement itself is free-form here: whoever reads portfolios understands it. */
export const CasDocument = Type.Object({ reqId: Type.Optional(Reference), pan: Text, data: Type.Array(Type.Unknown()) })

/** What is wrong, in MF Central's words, which are all that tells one fault from another. */
export const CasErrors = Type.Object({
  errors: Type.Array(Type.Object({ code: Type.Optional(Reference), message: Text }), { minItems: 1 }),
})

/** The words that decide what a fault means; the sandbox speaks them too. */
export const casFaults = {
  unknown: 'Invalid PAN/PEKRN, Mobile/Email combination',
  nothing: 'Data Not Found',
  pending: 'Investor consent is pending',
  declined: 'Investor consent is rejected',
  expired: 'Time limit exceeded for the given OTP. Kindly resubmit the request to receive fresh OTP.',
} as const

/** What the address says that sends an investor to MF Central's pages. */
export const CasStart = Type.Object({
  reqId: Reference,
  otpRef: Text,
  /** Always empty; it has to be there. */
  token: Text,
  pan: Text,
  email: Text,
  mobile: Text,
  clientRefNo: Text,
  redirectUrl: Type.String({ maxLength: 2000 }),
})
export type CasStart = Static<typeof CasStart>

/** What MF Central adds to the address on the way back: a hint, and no more. */
export const CasReturn = Type.Object({ status: OneOf(['success', 'failure']), reqId: Text, type: Text })
export type CasReturn = Static<typeof CasReturn>
