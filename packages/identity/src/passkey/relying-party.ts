// The relying party of the program's passkeys: the domain at which browsers reach the program.

import { isIP } from 'node:net'
import { Refusal } from '@lendloom/foundation/refusal'
import type { RelyingParty } from '@lendloom/seal/passkey'
import type { StaffPerson, StaffProgram } from '#identity/sign-in-program.ts'

type PublicUrl = Pick<StaffProgram<StaffPerson>, 'publicUrl'>

/** The origin of the passkeys; null when the public address is an IP address. */
export function passkeyOrigin(staff: PublicUrl): string | null {
  try {
    return partyOf(staff).origin
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Browsers bind passkeys to a domain or `localhost`. Throws `wrong-state` when the public address is an IP address. */
export function partyOf({ publicUrl }: PublicUrl): RelyingParty {
  const { protocol, hostname, port } = new URL(publicUrl)
  const id = ['127.0.0.1', '[::1]'].includes(hostname) ? 'localhost' : hostname
  if (isIP(id.replace(/^\[|\]$/g, '')))
    throw new Refusal('wrong-state', 'passkeys need a domain name, but the public address is an IP address')
  return { id, origin: `${protocol}//${id}${port && `:${port}`}`, name: 'Lendloom' }
}
