// The bank and branch of an IFSC, as the hosted page shows them.
import { Closed, Nullable, type Static, Type } from '#kit/http/schema.ts'

/** GET /api/embed/ifsc/{ifsc}: names are null where no list has them; a branch that is not known may be a new one. */
export const EmbedBankBranch = Closed({
  bank: Nullable(Type.String()),
  branch: Nullable(Type.String()),
  isKnown: Type.Boolean(),
})
export type EmbedBankBranch = Static<typeof EmbedBankBranch>
