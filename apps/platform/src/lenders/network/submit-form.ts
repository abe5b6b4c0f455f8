// Queues the submission of a lender's form: the profile, the chosen amount or the bank account; reads its answer (FIS12 §7.7).

import { secondsAfter } from '@lendloom/foundation/clock'
import { jsonIn } from '@lendloom/foundation/json'
import { isObject } from '@lendloom/foundation/record'
import { type FieldError, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { fits } from '@lendloom/foundation/schema'
import { enqueue } from '@lendloom/queue/queue'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type {
  AnswersTo,
  amountFields,
  bankAccountFields,
  goldLoanFields,
  personalLoanFields,
} from '@lendloom/wire/network/form-fields'
import { SubmissionResponse } from '@lendloom/wire/network/html-form'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { type Conversation, type FormPurpose, formHeadings, formUrlOf } from './conversation.ts'
import { recordInternalEvent } from './inbound/store.ts'
import { stageAfter } from './queue-request.ts'
import { changeConversation } from './store.ts'

export const formKind = 'network-form'

/** The borrower's answers, keyed by the field names of the forms. Only answers to fields of the form are posted. */
interface FormAnswers {
  PROFILE: AnswersTo<typeof personalLoanFields> | AnswersTo<typeof goldLoanFields>
  /** Allows further fields, because a second form about the borrower may replace the amount form. */
  AMOUNT: AnswersTo<typeof amountFields> & Record<string, string | undefined>
  BANK: AnswersTo<typeof bankAccountFields>
}

/** Returns the answers about the chosen amount and term. */
export const amountAnswers = ({ preferredAmountPaise: amount, preferredTenureMonths: months }: Journey) => ({
  requestAmount: (required(amount, 'the chosen amount') / 100n).toString(),
  requestTerm: String(required(months, 'the chosen term')),
})

export interface FormJob {
  journeyId: string
  conversationId: string
  purpose: FormPurpose
  party: string
  /** The sealed address of the form in base64. */
  form?: string
  /** The address in a job of an earlier version. */
  url?: string
  /** Identifies the submission in the archive and among the inbound messages. */
  formKey: string
  /** Sealed answers in base64. */
  answers: string
  /** Time after which the submission is not retried. */
  until: string
}

export const answersContext = (tenantId: string, formKey: string): string => `network_form:${tenantId}:${formKey}`

/**
 * Schedules the submission of the form that the lender expects. Its result arrives as an inbound message
 * `form_accepted`, `form_refused` or `unanswered`. Throws `wrong-state` when the lender expects no such form.
 */
export async function submitForm<P extends FormPurpose>(
  ctx: TxContext,
  conversation: Conversation,
  purpose: P,
  answers: FormAnswers[P],
): Promise<Conversation> {
  const { tx, at } = ctx
  const { tenantId, journeyId, conversationId, formHeading, bppId } = conversation
  const formUrl = formUrlOf(ctx.seal, conversation)
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
    form: ctx.seal.json(formUrl, answersContext(tenantId, formKey)).toString('base64'),
    formKey,
    answers: ctx.seal.json(answers, answersContext(tenantId, formKey)).toString('base64'),
    until: secondsAfter(at, ctx.config.NETWORK_FORM_SECONDS).toISOString(),
  }
  const [changed] = await Promise.all([
    changeConversation(tx, conversation, { stage }, at),
    enqueue(tx, { tenantId, kind: formKind, payload, dueAt: at }),
  ])
  return changed
}

/** Schedules the form for the chosen amount. Its handler also knows the profile. */
export async function requestAmountForm(
  ctx: TxContext,
  journey: Journey,
  { conversationId }: Conversation,
  occasion: string,
): Promise<void> {
  const formDue = { type: 'form_due', answers: amountAnswers(journey) } as const
  await recordInternalEvent(ctx, journey, formDue, { conversationId, key: `form_due:${occasion}` })
}

/**
 * `unfilled`: the form has a shape that we cannot fill in as a person would. `unreached`: the lender's server gave no
 * usable answer, so the submission is retried.
 */
export type SubmissionResult =
  | { outcome: 'accepted'; submissionId: string }
  | { outcome: 'refused'; fields: FieldError[] }
  | { outcome: 'unfilled'; fields: FieldError[]; why: string }
  | { outcome: 'unreached'; why: string }

/** Classifies the answer: 408, 429 and 5xx are `unreached`; any other answer without a submission id is `refused`. */
export function submissionResultOf(status: number, body: string): SubmissionResult {
  if (status === 408 || status === 429 || status >= 500)
    return { outcome: 'unreached', why: `the form answered ${status}` }
  const answer = jsonIn(body)
  if (status < 300 && fits(SubmissionResponse, answer)) {
    const { success, submission_id: submissionId } = answer
    if (success && submissionId) return { outcome: 'accepted', submissionId }
  }
  return { outcome: 'refused', fields: fieldErrorsIn(answer) }
}

/**
 * Reads field errors in the formats that lenders use; the network defines none. They are lists of
 * `{field | path | name, message}` or objects of `{name: message}`, under `errors` or `fields`, which may be inside
 * `error` or `details`.
 */
export function fieldErrorsIn(answer: unknown): FieldError[] {
  if (!isObject(answer)) return []
  for (const errors of [answer.errors, answer.fields]) {
    const found = listedErrors(errors)
    if (found.length > 0) return found
  }
  return [answer.error, answer.details].flatMap(fieldErrorsIn)
}

function listedErrors(errors: unknown): FieldError[] {
  if (Array.isArray(errors)) return errors.flatMap(fieldErrorFrom)
  return isObject(errors) ? Object.entries(errors).flatMap(fieldError) : []
}

function fieldErrorFrom(item: unknown): FieldError[] {
  if (!isObject(item)) return []
  const path = [item.field, item.path, item.name].find((name): name is string => typeof name === 'string')
  return path === undefined ? [] : fieldError([path, item.message ?? item.error])
}

const fieldError = ([path, message]: [string, unknown]): FieldError[] => [
  { path, message: typeof message === 'string' && message !== '' ? message : 'is not accepted' },
]
