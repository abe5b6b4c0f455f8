// The approval limits as a setting: one admin proposes a change, and a second admin confirms it.

import { rupees } from '@lendloom/lending/money'
import {
  type ApprovalLimit,
  type CheckedActName,
  checkedActNames,
  isAlwaysChecked,
} from '#partner/desk/approval/approval-rules.ts'
import { checkedActs } from '#partner/desk/approval/checked-acts.ts'
import { listLimits, saveLimits } from '#partner/desk/approval/store.ts'
import type { DeskSetting } from '#partner/desk/change/desk-setting.ts'
import type { SettingTexts } from '#partner/desk/change/setting-change.ts'
import { capitalize, labelOf } from '#partner/desk/parts/format.ts'
import { paiseIn } from '#partner/desk/parts/read-fields.ts'
import { type Role, roles } from '#partner/people/person.ts'
import { can, rolesFor } from './staff-acts.ts'

/** Returns the roles that may perform the act alone; none if it always needs two people. */
export const soleActors = (act: CheckedActName): readonly Role[] =>
  isAlwaysChecked(act) ? [] : rolesFor(checkedActs[act].act)
export const deciderRoles = roles.filter((role) => can({ roles: [role] }, 'REQUEST_APPROVED'))

const readLimits = (form: URLSearchParams): ApprovalLimit[] =>
  checkedActNames.flatMap((act) =>
    deciderRoles.map((role) => ({
      role,
      act,
      alonePaise: soleActors(act).includes(role) ? paiseIn(form, `alone.${act}.${role}`) : 0n,
      approvePaise: paiseIn(form, `approve.${act}.${role}`),
    })),
  )

const textsOf = (limits: ApprovalLimit[]): SettingTexts =>
  Object.fromEntries(
    limits
      .filter(({ role }) => deciderRoles.includes(role))
      .flatMap(({ role, act, alonePaise, approvePaise }) => {
        const name = `${capitalize(checkedActs[act].label)}, ${labelOf(role)}`
        return [
          [`${name}, alone up to`, rupees(alonePaise)],
          [`${name}, approves up to`, rupees(approvePaise)],
        ]
      }),
  )

const zeroLimits = checkedActNames.flatMap((act) =>
  deciderRoles.map((role) => ({ role, act, alonePaise: 0n, approvePaise: 0n })),
)

export const limitsSetting: DeskSetting = {
  label: 'the limits of approval',
  act: 'LIMITS_CHANGED',
  parseForm: ({ form }) => ({ fromOn: null, texts: textsOf(readLimits(form)) }),
  current: async (db) => ({ ...textsOf(zeroLimits), ...textsOf(await listLimits(db)) }),
  apply: (tx, { form }) => saveLimits(tx, readLimits(form)),
}
