// Submits a lender's form for the borrower: the profile, the chosen amount, the bank account (FIS12 §7.7).
import {
  type AnswersTo,
  type amountFields,
  type bankFields,
  FormAnswer,
  type goldFields,
  type profileFields,
} from '#contract/network/forms.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import { type FieldError, Refusal } from '#kit/http/refusal.ts'
import { fits } from '#kit/http/schema.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { isObject, jsonIn } from '#kit/runtime/record.ts'
import type { TxContext } from '#platform/context.ts'
import { stageAfter } from './ask.ts'
import { type Conversation, type FormPurpose, formHeadings } from './conversation.ts'
import { changeConversation } from './store.ts'

export const formKind = 'network-form'

/** The borrower's answers by the field names of lenders; a form gets only the answers that it has fields for. */
interface FormAnswers {
  PROFILE: AnswersTo<typeof profileFields> | AnswersTo<typeof goldFields>
  /** A second form about the borrower may replace the amount form, so other fields are allowed. */
  AMOUNT: AnswersTo<typeof amountFields> & Record<string, string | undefined>
  BANK: AnswersTo<typeof bankFields>
}

export interface FormJob {
  journeyId: string
  conversationId: string
  purpose: FormPurpose
  party: string
  url: string
  /** Identifies the submission in the archive and among the inbound messages. */
  formKey: string
  /** Sealed answers in base64. */
  answers: string
  until: string
}

export const answersContext = (tenantId: string, formKey: string): string => `network_form:${tenantId}:${formKey}`

/**
 * Schedules the submission of the form that the lender expects. An inbound `form_accepted`, `form_refused` or
 * `unanswered` follows. Throws `wrong-state` when the lender expects another form or none.
 */
export async function submitForm<P extends FormPurpose>(
  ctx: TxContext,
  conversation: Conversation,
  purpose: P,
  answers: FormAnswers[P],
): Promise<Conversation> {
  const { tx, at } = ctx
  const { tenantId, journeyId, conversationId, formUrl, formHeading, bppId } = conversation
  const stage = stageAfter(conversation, 'formSent')
  if (formHeading === null || !formHeadings[purpose].includes(formHeading) || formUrl === null)
    throw new Refusal(
      'wrong-state',
      `the lender waits for ${formHeading ?? 'no form'}, not ${formHeadings[purpose][0]}`,
    )
  const formKey = uuidv7(at.getTime(), bucketOf(journeyId))
  const payload: FormJob = {
    journeyId,
    conversationId,
    purpose,
    party: bppId,
    url: formUrl,
    formKey,
    answers: ctx.seal.json(answers, answersContext(tenantId, formKey)).toString('base64'),
    until: secondsAfter(at, ctx.config.NETWORK_FORM_SECONDS).toISOString(),
  }
  await enqueue(tx, { tenantId, kind: formKind, payload, dueAt: at })
  return changeConversation(tx, conversation, { stage }, at)
}

export type SubmissionOutcome =
  | { outcome: 'accepted'; submissionId: string }
  | { outcome: 'refused'; fields: FieldError[] }
  | { outcome: 'unreached'; why: string }

/** A 408, 429 or 5xx is retried; any other answer without a submission id rejects the form. */
export function formOutcomeOf(status: number, body: string): SubmissionOutcome {
  if (status === 408 || status === 429 || status >= 500)
    return { outcome: 'unreached', why: `the form answered ${status}` }
  const answer = jsonIn(body)
  if (status < 300 && fits(FormAnswer, answer)) {
    const { success, submission_id: submissionId } = answer
    if (success && submissionId) return { outcome: 'accepted', submissionId }
  }
  return { outcome: 'refused', fields: fieldErrorsIn(answer) }
}

/**
 * Reads field errors, which the network does not define: lists of `{field | path | name, message}` and objects of
 * `{name: message}`, under `errors` or `fields`, also inside `error` and its `details`.
 */
export function fieldErrorsIn(answer: unknown): FieldError[] {
  if (!isObject(answer)) return []
  for (const errors of [answer.errors, answer.fields]) {
    const found = Array.isArray(errors)
      ? errors.flatMap(fieldErrorFrom)
      : isObject(errors)
        ? Object.entries(errors).flatMap(fieldError)
        : []
    if (found.length > 0) return found
  }
  return [answer.error, answer.details].flatMap(fieldErrorsIn)
}

function fieldErrorFrom(each: unknown): FieldError[] {
  if (!isObject(each)) return []
  const path = [each.field, each.path, each.name].find((name): name is string => typeof name === 'string')
  return path === undefined ? [] : fieldError([path, each.message ?? each.error])
}

const fieldError = ([path, message]: [string, unknown]): FieldError[] => [
  { path, message: typeof message === 'string' && message !== '' ? message : 'is not accepted' },
]
