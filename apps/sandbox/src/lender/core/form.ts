// The type of a form that a buyer app submits for its borrower (FIS12 §7.7).

import type { Tx } from '@lendloom/postgres/sql'
import type { FieldSpec } from '@lendloom/wire/network/form-fields'
import type { Heading } from '@lendloom/wire/network/v203/variant'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from './conversation.ts'
import type { LenderPolicy } from './lender-policies.ts'
import type { ConversationFacts } from './store.ts'

/** The lender's label, hint and limits for a field of the contract. */
export interface FieldPresentation {
  label: string
  hint?: string
  value?: string
  min?: string
  max?: string
  pattern?: string
  /** The step of a number input; whole numbers without it. */
  step?: string
}

export interface FormInput {
  /** The normalized input; only its keyed digest is stored. */
  content: unknown
  /** Validates against the conversation and returns the facts that the form sets. */
  facts(conversation: Conversation): ConversationFacts
  /** Stores personal data, sealed. */
  store?(tx: Tx, conversationId: string): Promise<void>
}

type FormPost = Record<string, string>

export interface Form {
  heading: Heading
  title: string
  fields: Record<string, FieldSpec>
  /** The presentation of each field; null while the form cannot be shown. */
  presentation(policy: LenderPolicy, conversation: Conversation): Record<string, FieldPresentation> | null
  parse(ctx: Context, policy: LenderPolicy, posted: FormPost): FormInput
}
