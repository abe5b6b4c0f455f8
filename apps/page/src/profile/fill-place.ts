// Fills city and state from the PIN code. The borrower can change both, and text that the borrower entered stays. A state
// that differs from the PIN code's is asked about once.

import { pincodePattern } from '@lendloom/wire/identifier'
import type { PincodePlace } from '@lendloom/wire/pincode-place'
import { effect } from '@preact/signals'
import { fetchOptional } from '../page/fetch-optional.ts'
import type { FieldErrors } from '../page/field-errors.ts'
import { page } from '../page/page-state.ts'
import { t, textOf } from '../text.ts'
import { shownFields } from './leave-profile-part.ts'
import type { Values } from './profile-fields.ts'
import { input, setProfileValue, values } from './profile-form.ts'
import { normalize } from './profile-rules.ts'

const addresses = [
  { pincode: 'pincode', city: 'city', state: 'state' },
  { pincode: 'businessPincode', city: 'businessCity', state: 'businessState' },
] as const

/** The states of the PIN codes that the form has had. */
const stateOf = new Map<string, string>()
/** Pairs of PIN code and state that the borrower was asked about. */
const asked = new Set<string>()

/**
 * The states that differ from those of their PIN codes. Asks once about each pair, because the list of PIN codes may be
 * wrong about a village, and the borrower knows.
 */
export function stateErrors(): FieldErrors {
  const errors: FieldErrors = {}
  for (const names of addresses) {
    const pincode = normalize(names.pincode, values.value[names.pincode])
    const state = values.value[names.state]
    const place = stateOf.get(pincode)
    const pair = `${pincode} ${state}`
    if (!state || !place || place === state || !isListed(state) || asked.has(pair)) continue
    asked.add(pair)
    errors[names.state] = t('wrong.state.place', { pincode, place: stateText(place), state: stateText(state) })
  }
  return errors
}

/** An app may spell a state in its own way, such as MH, which says no other place. */
const isListed = (state: string): boolean => textOf(`field.state.${state}`) !== ''

/** A state's name in the borrower's language. */
export const stateText = (state: string): string => textOf(`field.state.${state}`) || state

export function enablePlaces(): void {
  for (const names of addresses) fillFromPincode(names)
}

function fillFromPincode(names: (typeof addresses)[number]): void {
  const filled: Values = {}
  let current = ''
  async function fill(pincode: string): Promise<void> {
    const place = await fetchOptional<PincodePlace>(`/pincode/${pincode}`)
    if (place?.state) stateOf.set(pincode, place.state)
    // The borrower has typed another PIN code meanwhile.
    if (!place || pincode !== current) return
    // City and state came with a stored PIN code.
    if (!input.value[names.pincode]) return
    for (const part of ['city', 'state'] as const) {
      const name = names[part]
      const isShown = shownFields().some((field) => field.name === name)
      const isEntered = (input.value[name] || filled[name]) !== filled[name]
      if (!isShown || isEntered) continue
      filled[name] = place[part] ?? ''
      setProfileValue(name, filled[name])
    }
  }
  effect(() => {
    const isFormShown = page.session.view.value?.screen === 'PROFILE'
    const known = isFormShown ? values.value : input.value
    const pincode = normalize(names.pincode, known[names.pincode])
    if (pincode === current) return
    current = pincode
    if (new RegExp(pincodePattern).test(pincode)) void fill(pincode)
  })
}
