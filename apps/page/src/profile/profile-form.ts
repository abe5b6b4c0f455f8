// State of the profile form: input, errors, and the current part.
import { batch, computed, signal } from '@preact/signals'
import type { FieldErrors } from '../page/field-errors.ts'
import { page } from '../page/page-state.ts'
import { type Values, valuesOf } from './profile-fields.ts'

export const input = signal<Values>({})
export const stored = computed<Values>(() => (page.session.view.value ? valuesOf(page.session.view.value) : {}))

export const part = signal(0)
/** Stored values overridden by input. `userType` defaults to an individual, and the default is saved. */
export const values = computed<Values>(() => ({ userType: 'individual', ...stored.value, ...input.value }))
export const errors = signal<FieldErrors>({})
/** Number of rejected submissions of the current part. */
export const attempt = signal(0)

export function set(name: string, value: string): void {
  input.value = { ...input.value, [name]: value }
  clear(name)
}

/** Clears the error of a single field. */
export function clear(name: string): void {
  const { [name]: error, ...rest } = errors.value
  if (error !== undefined) errors.value = rest
}

export function openPart(target: number): void {
  batch(() => {
    part.value = target
    errors.value = {}
    attempt.value = 0
  })
  page.memory.update({ part: target })
}
