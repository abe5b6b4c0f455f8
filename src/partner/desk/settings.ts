// Settings of the desk: its first users, and whether decisions need a second factor.
import { choice, secret, text } from '#kit/runtime/config.ts'

export const deskSettings = {
  PARTNER_DESK_EMAIL: text(
    'Email address of the first desk user, who is admin; simulations set it. Add other users at the desk or with the command line',
    '',
  ),
  PARTNER_DESK_PASSWORD: secret('Their password, of at least 12 characters', ''),
  PARTNER_DESK_CHECKER_EMAIL: text(
    'Email address of a second desk user, with all roles, who can approve requests of others; simulations set it',
    '',
  ),
  PARTNER_DESK_CHECKER_PASSWORD: secret('Their password, of at least 12 characters', ''),
  PARTNER_DESK_SECOND_FACTOR: choice(
    'Whether a user who approves the proposals of others or changes the staff needs a second factor or a fresh OpenID sign-in; must be required outside the sandbox',
    ['required', 'optional'],
    'optional',
  ),
}
