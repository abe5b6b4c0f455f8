// State of the profile form: input, errors, and the current part.
import { batch, computed, signal } from '@preact/signals'
import type { FieldErrors } from '../page/field-errors.ts'
import { page } from '../page/page-state.ts'
import { type Values, valuesOf } from './profile-fields.ts'

/** What the borrower has typed and not saved. */
export const input = signal<Values>({})
/** The fields that the borrower has typed in since the page was loaded. */
export const typedNames = new Set<string>()
/** The values that the platform has. */
export const stored = computed<Values>(() => (page.session.view.value ? valuesOf(page.session.view.value) : {}))

/** The part of the form that is shown; 0 is the first. */
export const part = signal(0)
/** Stored values overridden by input. `userType` defaults to an individual, and the default is saved. */
export const values = computed<Values>(() => ({ userType: 'individual', ...stored.value, ...input.value }))
/** The error texts of fields. */
export const errors = signal<FieldErrors>({})
/** Number of rejected submissions of the current part. */
export const attempt = signal(0)

/** Changes the value of a field, and clears its error. */
export function setProfileValue(name: string, value: string): void {
  input.value = { ...input.value, [name]: value }
  typedNames.add(name)
  clearError(name)
}

/** Clears the error of a single field. */
export function clearError(name: string): void {
  const { [name]: error, ...rest } = errors.value
  if (error !== undefined) errors.value = rest
}

/** Shows a part of the form without errors. */
export function openPart(target: number): void {
  batch(() => {
    part.value = target
    errors.value = {}
    attempt.value = 0
  })
  page.memory.update({ part: target })
}
