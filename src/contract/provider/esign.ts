// The e-sign provider's interface: a PDF is handed in, a borrower signs it, and the signed one is fetched.
import { Nullable, OneOf, type Static, Type, Uuid } from '#kit/http/schema.ts'
import { Applicant, reportFields, requestFields } from './request.ts'

const esignStates = ['sign_pending', 'signed', 'sign_failed', 'expired', 'withdrawn'] as const
export type EsignState = (typeof esignStates)[number]

/** `file_id` names the PDF, handed in beforehand. */
export const EsignRequest = Type.Object({
  ...requestFields,
  person: Applicant,
  file_id: Uuid,
  title: Type.String({ minLength: 1, maxLength: 200 }),
})
export type EsignRequest = Static<typeof EsignRequest>

export const EsignStatusReport = Type.Object({
  ...reportFields,
  state: OneOf(esignStates),
  /** Digest of the PDF that was handed in, as the signature page repeats it. */
  source_sha256: Type.String(),
  /** The signer's name as the certificate has it. */
  signed_by: Nullable(Type.String()),
})
export type EsignStatusReport = Static<typeof EsignStatusReport>
