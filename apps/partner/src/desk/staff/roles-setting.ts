// A person's roles as a setting: one admin proposes a change, and a second admin confirms it. Admins may not decide on
// their own roles.

import { isOneOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import type { DeskSetting } from '#partner/desk/change/desk-setting.ts'
import { labelOf } from '#partner/desk/parts/format.ts'
import { type Role, roles } from '#partner/people/person.ts'
import { setRoles, staffOf } from './staff.ts'

export const rolesIn = (form: URLSearchParams): Role[] => form.getAll('role').filter((role) => isOneOf(roles, role))

const settingName = 'Roles'
const textOf = (personRoles: readonly Role[]): string =>
  roles
    .filter((role) => personRoles.includes(role))
    .map(labelOf)
    .join(', ')

export const rolesSetting: DeskSetting = {
  label: 'roles',
  act: 'ROLES_CHANGED',
  parseForm({ form }) {
    const requestedRoles = rolesIn(form)
    if (requestedRoles.length === 0) throw new Refusal('invalid', 'choose at least one role', { field: 'roles' })
    return { fromOn: null, texts: { [settingName]: textOf(requestedRoles) } }
  },
  current: async (db, _ctx, { subject }) => ({ [settingName]: textOf((await staffOf(db, subject)).roles) }),
  async apply(tx, { subject, form }) {
    await setRoles(tx, subject, rolesIn(form))
  },
  isAbout: (who, subject) => who.possibleUserEmails.includes(subject),
}
