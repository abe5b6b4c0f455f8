// The state of a PIN code, and its city if the code belongs to one city. Data: `pincode-places.json`, which names its
// source. The directory of India Post has districts instead of cities, so only ranges within a city's district are listed.
import { Closed, Nullable, type Static, Type } from '@lendloom/foundation/schema'
import places from './pincode-places.json' with { type: 'json' }

/** Null if unknown, or if post offices of the code are in several states. */
export const PincodePlace = Closed({ state: Nullable(Type.String()), city: Nullable(Type.String()) })
export type PincodePlace = Static<typeof PincodePlace>

const stateOfPrefix = new Map([
  ...Object.entries(places.states).flatMap(([state, prefixes]) =>
    prefixes.split(' ').map((prefix) => [prefix, state] as const),
  ),
  ...places.sharedByStates.split(' ').map((prefix) => [prefix, null] as const),
])

/** Returns the state of the longest listed prefix. */
function stateOf(pincode: string): string | null {
  for (let length = pincode.length; length > 0; length--) {
    const state = stateOfPrefix.get(pincode.slice(0, length))
    if (state !== undefined) return state
  }
  return null
}

const cityRanges = Object.entries(places.cities).flatMap(([city, ranges]) =>
  ranges.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-')
    return { city, first, last }
  }),
)

/** Returns the place of a six-digit PIN code. */
export const placeOfPincode = (pincode: string): PincodePlace => ({
  state: stateOf(pincode),
  city: cityRanges.find(({ first, last }) => first <= pincode && pincode <= last)?.city ?? null,
})
