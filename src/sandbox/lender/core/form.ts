// A form that a buyer app fills for its borrower: what it shows, and what a filling of it is (FIS12 §7.7).
import type { FieldSpec } from '#contract/network/forms.ts'
import type { Heading } from '#contract/network/v203/page.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from './conversation.ts'
import type { LenderPolicy } from './policy.ts'
import type { ConversationFacts } from './store.ts'

/** What the lender adds to a field of the contract. */
export interface FieldPresentation {
  label: string
  hint?: string
  value?: string
  min?: string
  max?: string
  pattern?: string
  /** How fine a number may be; whole without it. */
  step?: string
}

export interface Filling {
  /** What was filled in, normalized; only its keyed digest is kept here. */
  content: unknown
  /** Checks what depends on the conversation, and gives the facts that this filling fixes. */
  facts(conversation: Conversation): ConversationFacts
  /** Keeps what is personal, sealed. */
  keep?(tx: Tx, conversationId: string): Promise<void>
}

type FormPost = Record<string, string>

export interface Form {
  heading: Heading
  title: string
  fields: Record<string, FieldSpec>
  /** Null while there is nothing to show yet. */
  shown(policy: LenderPolicy, conversation: Conversation): Record<string, FieldPresentation> | null
  filling(ctx: Context, policy: LenderPolicy, posted: FormPost): Filling
}
