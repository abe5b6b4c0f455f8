// A person's roles, as a setting that two admins change; people may not decide on their own.

import { Refusal } from '#kit/http/refusal.ts'
import { isOneOf } from '#kit/runtime/record.ts'
import type { DeskSetting } from '#partner/desk/change/setting.ts'
import { plain } from '#partner/desk/parts/format.ts'
import { type Role, roles } from '#partner/desk-person.ts'
import { setRoles, staffOf } from './staff.ts'

export const rolesIn = (form: URLSearchParams): Role[] => form.getAll('role').filter((role) => isOneOf(roles, role))

const name = 'Roles'
const textOf = (had: readonly Role[]): string =>
  roles
    .filter((role) => had.includes(role))
    .map(plain)
    .join(', ')

export const rolesSetting: DeskSetting = {
  label: 'roles',
  act: 'ROLES_CHANGED',
  wanted({ form }) {
    const wanted = rolesIn(form)
    if (wanted.length === 0) throw new Refusal('invalid', 'choose at least one role', { field: 'roles' })
    return { fromOn: null, texts: { [name]: textOf(wanted) } }
  },
  now: async (db, _ctx, { subject }) => ({ [name]: textOf((await staffOf(db, subject)).roles) }),
  async apply(tx, { subject, form }) {
    await setRoles(tx, subject, rolesIn(form))
  },
  isAbout: (who, subject) => who.emailsBehind.includes(subject),
}
