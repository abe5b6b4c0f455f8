// The profile being filled in: what was typed, what is wrong with it, and the part the borrower is at.
import { batch, computed, signal } from '@preact/signals'
import { here } from '../page/here.ts'
import type { Wrong } from '../page/wrong.ts'
import { type Values, valuesOf } from './profile.ts'

export const edited = signal<Values>({})
export const known = computed<Values>(() => (here.session.view.value ? valuesOf(here.session.view.value) : {}))

export const part = signal(0)
/** Defaults to the borrower as the beneficiary, as for most loans; the default is saved. */
export const values = computed<Values>(() => ({ userType: 'individual', ...known.value, ...edited.value }))
export const wrong = signal<Wrong>({})
/** How often the part could not be left. */
export const attempt = signal(0)

export function set(name: string, value: string): void {
  edited.value = { ...edited.value, [name]: value }
  forgive(name)
}

/** Touching a field clears its own fault only. */
export function forgive(name: string): void {
  const { [name]: gone, ...others } = wrong.value
  if (gone !== undefined) wrong.value = others
}

export function go(to: number): void {
  batch(() => {
    part.value = to
    wrong.value = {}
    attempt.value = 0
  })
  here.memory.keep({ part: to })
}
