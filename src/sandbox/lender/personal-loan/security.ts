// What the key facts statement says of a loan that nothing secures.
import { type Security, upfront } from '#sandbox/lender/core/security.ts'

export const unsecured: Security = {
  kind: 'personal loan, unsecured',
  paidOut: `${upfront} agreement is signed`,
  title: '',
  rows: () => [],
}
