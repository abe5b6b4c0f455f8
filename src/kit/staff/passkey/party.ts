// The domain of the program's passkeys: the one at which browsers reach it.

import { isIP } from 'node:net'
import type { RelyingParty } from '#kit/crypto/passkey.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { StaffPerson, StaffProgram } from '#kit/staff/program.ts'

type PublicUrl = Pick<StaffProgram<StaffPerson>, 'publicUrl'>

/** The origin to whose pages browsers give passkeys; null at an address of numbers. */
export function passkeyOrigin(staff: PublicUrl): string | null {
  try {
    return partyOf(staff).origin
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** A browser binds passkeys to a domain; on its own machine to `localhost`. Refused as `wrong-state` at any other address. */
export function partyOf({ publicUrl }: PublicUrl): RelyingParty {
  const { protocol, hostname, port } = new URL(publicUrl)
  const id = ['127.0.0.1', '[::1]'].includes(hostname) ? 'localhost' : hostname
  if (isIP(id.replace(/^\[|\]$/g, '')))
    throw new Refusal('wrong-state', 'passkeys need a domain name, and the public address is one of numbers')
  return { id, origin: `${protocol}//${id}${port && `:${port}`}`, name: 'Lendloom' }
}
