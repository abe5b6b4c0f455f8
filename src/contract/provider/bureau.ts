// The credit bureau's interface: with the borrower's consent a report is pulled, or there is none.
import { AnyObject, Nullable, OneOf, type Static, Type, Uuid } from '#kit/http/schema.ts'
import { Applicant, Instant, ProviderFile, Text } from './request.ts'

const bureauResults = ['HIT', 'NO_RECORD', 'SOURCE_FAILED'] as const

export const BureauRequest = Type.Object({
  client_reference: Text,
  /** When the borrower agreed; a pull without that is refused. */
  consent: Type.Object({ given_at: Instant, purpose: OneOf(['LOAN_UNDERWRITING']) }),
  person: Applicant,
})
export type BureauRequest = Static<typeof BureauRequest>

export const BureauReport = Type.Object({
  report_id: Uuid,
  client_reference: Text,
  result: OneOf(bureauResults),
  pulled_at: Instant,
  /** 300 to 900; -1 says that nothing is known of this person. */
  score: Nullable(Type.Integer({ minimum: -1, maximum: 900 })),
  error_code: Nullable(Text),
  report: Nullable(AnyObject),
  files: Type.Array(ProviderFile),
})
export type BureauReport = Static<typeof BureauReport>
