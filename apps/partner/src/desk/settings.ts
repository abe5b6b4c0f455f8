// Settings of the desk: its first users, and whether decisions need a second factor.
import { choice, secret, text } from '@lendloom/foundation/config'

export const deskSettings = {
  PARTNER_DESK_EMAIL: text(
    'Email address of the first desk user, who becomes admin; simulations set it. Add further users at the desk or with the command line',
    '',
  ),
  PARTNER_DESK_NAME: text('Name of the first desk user; by default the part of the address before the @', ''),
  PARTNER_DESK_PASSWORD: secret('Password of the first desk user, of at least 12 characters', ''),
  PARTNER_DESK_CHECKER_EMAIL: text(
    'Email address of a second desk user, who gets all roles and can approve requests of others; simulations set it',
    '',
  ),
  PARTNER_DESK_CHECKER_NAME: text('Name of the second desk user; by default the part of the address before the @', ''),
  PARTNER_DESK_CHECKER_PASSWORD: secret('Password of the second desk user, of at least 12 characters', ''),
  PARTNER_DESK_SECOND_FACTOR: choice(
    'Whether users need a second factor or a recent OpenID sign-in to approve proposals of others and to change the staff; outside the sandbox it must be required',
    ['required', 'optional'],
    'optional',
  ),
}
