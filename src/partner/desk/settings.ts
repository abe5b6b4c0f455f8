// Settings of the desk: its first users, and whether decisions need a second factor.
import { choice, secret, text } from '#kit/runtime/config.ts'

export const deskSettings = {
  PARTNER_DESK_EMAIL: text(
    'The first person at the desk, who is admin, as simulations have; others by the desk or the command line',
    '',
  ),
  PARTNER_DESK_PASSWORD: secret('Their password, of at least 12 characters', ''),
  PARTNER_DESK_CHECKER_EMAIL: text(
    'A second person of all roles, who approves what the first one asks for, as simulations have',
    '',
  ),
  PARTNER_DESK_CHECKER_PASSWORD: secret('Their password, of at least 12 characters', ''),
  PARTNER_DESK_SECOND_FACTOR: choice(
    'Whether a person who decides with a second one needs a second factor or a fresh sign-in by the OpenID provider; outside the sandbox it is required',
    ['required', 'optional'],
    'optional',
  ),
}
