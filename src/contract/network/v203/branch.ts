// The branches where a lender takes gold in: `provider.locations`, and who waits there (FIS12 §9.1, §9.2).
import { defined } from '#contract/network/defined.ts'
import type { Point } from '#contract/pincode.ts'
import type { Static } from '#kit/http/schema.ts'
import type { Order, Provider } from './schema.ts'

export interface Branch {
  id: string
  name: string | null
  address: string | null
  pincode: string | null
  /** Latitude and longitude in degrees; null when the lender did not say, or not in a readable way. */
  at: Point | null
}

/** Who receives the borrower at the branch. */
export interface Agent {
  name: string | null
  /** As the network writes it: `+91-9876500002`. */
  phone: string | null
}

export const locationOf = ({ id, name, address, pincode, at }: Branch) =>
  defined({
    id,
    gps: at === null ? undefined : `${at.latitude}, ${at.longitude}`,
    descriptor: name === null ? undefined : { name },
    address: address ?? undefined,
    area_code: pincode ?? undefined,
  })

/** Those of a provider that can be found: a place without an address and without coordinates is none. */
export const branchesOf = ({ locations = [] }: Static<typeof Provider>): Branch[] =>
  locations
    .map(({ id, gps, descriptor, address, area_code: pincode }) => ({
      id,
      name: descriptor?.name || null,
      address: address || null,
      pincode: pincode || null,
      at: pointOf(gps),
    }))
    .filter(({ address, at }) => address !== null || at !== null)

function pointOf(gps: string | undefined): Point | null {
  const [, latitude, longitude] = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(gps ?? '') ?? []
  const point = { latitude: Number(latitude), longitude: Number(longitude) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : null
}

export const agentPart = ({ name, phone }: Agent) =>
  defined({
    person: name === null ? undefined : { name },
    contact: phone === null ? undefined : { phone },
  })

export function agentOf({ fulfillments }: Order): Agent | null {
  const agent = fulfillments?.find((each) => each.agent)?.agent
  return agent ? { name: agent.person?.name || null, phone: agent.contact?.phone || null } : null
}
