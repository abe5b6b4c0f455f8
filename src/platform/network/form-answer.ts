// Reads how a lender took a form: a submission id, or what is wrong with which field; pure.
import { FormAnswer } from '#contract/network/forms.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { fits } from '#kit/http/schema.ts'
import { isObject, jsonIn } from '#kit/runtime/narrow.ts'

export type FormOutcome =
  | { outcome: 'accepted'; submissionId: string }
  | { outcome: 'refused'; fields: FieldError[] }
  | { outcome: 'unreached'; why: string }

/** A failing or overloaded server has not judged the form; everything else that is no submission id refuses it. */
export function formOutcomeOf(status: number, body: string): FormOutcome {
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
 * The network does not say how a form's errors are written. Lists of `{field | path | name, message}` and objects of
 * `{name: message}` are understood, under `errors` or `fields`, also inside `error` and its `details`.
 */
export function fieldErrorsIn(answer: unknown): FieldError[] {
  if (!isObject(answer)) return []
  for (const given of [answer.errors, answer.fields]) {
    const found = Array.isArray(given)
      ? given.flatMap(listed)
      : isObject(given)
        ? Object.entries(given).flatMap(named)
        : []
    if (found.length > 0) return found
  }
  return [answer.error, answer.details].flatMap(fieldErrorsIn)
}

function listed(each: unknown): FieldError[] {
  if (!isObject(each)) return []
  const path = [each.field, each.path, each.name].find((name): name is string => typeof name === 'string')
  return path === undefined ? [] : named([path, each.message ?? each.error])
}

const named = ([path, message]: [string, unknown]): FieldError[] => [
  { path, message: typeof message === 'string' && message !== '' ? message : 'is not accepted' },
]
