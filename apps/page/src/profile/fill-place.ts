// Fills city and state from the PIN code. The borrower can change both, and text that the borrower entered stays.

import { pincodePattern } from '@lendloom/wire/identifier'
import type { PincodePlace } from '@lendloom/wire/pincode-place'
import { effect } from '@preact/signals'
import { fetchOptional } from '../page/fetch-optional.ts'
import { shownFields } from './leave-profile-part.ts'
import type { Values } from './profile-fields.ts'
import { input, setProfileValue } from './profile-form.ts'
import { normalize } from './profile-rules.ts'

const addresses = [
  { pincode: 'pincode', city: 'city', state: 'state' },
  { pincode: 'businessPincode', city: 'businessCity', state: 'businessState' },
] as const

export function enablePlaces(): void {
  for (const names of addresses) fillFromPincode(names)
}

function fillFromPincode(names: (typeof addresses)[number]): void {
  const filled: Values = {}
  let current = ''
  async function fill(pincode: string): Promise<void> {
    const place = await fetchOptional<PincodePlace>(`/pincode/${pincode}`)
    // The borrower has typed another PIN code meanwhile.
    if (!place || pincode !== current) return
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
    const pincode = normalize(names.pincode, input.value[names.pincode])
    if (pincode === current) return
    current = pincode
    if (new RegExp(pincodePattern).test(pincode)) void fill(pincode)
  })
}
