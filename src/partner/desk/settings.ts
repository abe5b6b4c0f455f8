// Who can sign in at the desk from the start.
import { secret, text } from '#kit/runtime/config.ts'

export const deskSettings = {
  PARTNER_DESK_EMAIL: text('Somebody who may sign in at the desk, as simulations have; others by the command line', ''),
  PARTNER_DESK_PASSWORD: secret('Their password, of at least 12 characters', ''),
}
