// The case that an event is about, its row held: it must be the sender's, and all three saved ids must agree (D3 §2.2).
import { type Envelope, foreignIdentifier } from '#contract/exchange/envelope.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Case } from '#partner/case/case.ts'
import { lockCase } from '#partner/case/store.ts'

/** Refused as `absent` when there is none, as `forbidden` when it is another's, as `reused-key` when an id differs. */
export async function caseOf(tx: Tx, event: Envelope): Promise<Case> {
  const loanCase = await lockCase(tx, event.correlation.external_reference_id)
  if (loanCase.sender !== event.sender) throw new Refusal('forbidden', 'this case belongs to another platform')
  const otherParty = foreignIdentifier(event, loanCase)
  if (otherParty) throw new Refusal('reused-key', `${otherParty} is not the one that was saved`, { field: otherParty })
  return loanCase
}
